"""What a converted document puts on a clipboard: HTML, text, or both, in the form that its destination pastes best."""

from dataclasses import dataclass

from mdpublish_core.html import HtmlWriter
from mdpublish_core.nodes import Document
from mdpublish_core.options.limits import DEFAULT_LIMITS, Limits
from mdpublish_core.writers import get_destination
from mdpublish_core.writers.results import Conversion
from mdpublish_core.writers.slack.forms import slack_composer_html

_PASTED_AS_SOURCE = frozenset({"generic", "html"})
"""Copied as source into fields that accept only text, such as code editors."""

_ENCODING_SNIFF_CHARACTERS = 1024
"""https://html.spec.whatwg.org/multipage/semantics.html#charset"""


@dataclass(frozen=True, slots=True)
class ClipboardContents:
    """HTML, text, or both."""

    html: str | None
    plain_text: str | None


def clipboard_contents(
    document: Document, conversion: Conversion, *, limits: Limits = DEFAULT_LIMITS
) -> ClipboardContents:
    """Return the clipboard's forms of `conversion`, which was rendered from `document` with `data:` URLs for its images.

    Raises `LimitExceeded` past `limits.max_output_bytes`.
    """
    if conversion.destination == "slack":
        # Slack's composer pastes HTML, its markup editor text.
        return ClipboardContents(_with_charset(slack_composer_html(document, limits=limits)), conversion.html)
    if get_destination(conversion.destination).is_text:
        return ClipboardContents(None, conversion.html)
    plain = conversion.html if conversion.destination in _PASTED_AS_SOURCE else conversion.plain_text
    return ClipboardContents(_with_charset(conversion.html), plain)


def _with_charset(html: str) -> str:
    """Without a charset, some applications read the clipboard as Latin-1."""
    writer = HtmlWriter()
    writer.empty("meta", (("charset", "utf-8"),))
    declaration = writer.finish()
    return html if declaration in html[:_ENCODING_SNIFF_CHARACTERS] else declaration + html
