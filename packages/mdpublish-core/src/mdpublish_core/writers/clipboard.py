"""What a converted document puts on a clipboard: HTML, text, or both, in the form that its destination pastes best."""

from dataclasses import dataclass
from typing import Unpack

from mdpublish_core.html import HtmlWriter
from mdpublish_core.nodes import Document
from mdpublish_core.notices import Notice
from mdpublish_core.options.limits import DEFAULT_LIMITS, Limits
from mdpublish_core.resources.media_urls import data_url
from mdpublish_core.writers import load_writer
from mdpublish_core.writers.outputs import output_of
from mdpublish_core.writers.rendering import render
from mdpublish_core.writers.results import Conversion, StyleArguments

_ENCODING_SNIFF_CHARACTERS = 1024
"""https://html.spec.whatwg.org/multipage/semantics.html#charset"""


@dataclass(frozen=True, slots=True)
class ClipboardContents:
    """HTML, text, or both."""

    html: str | None
    plain_text: str | None


def render_for_clipboard(
    document: Document, destination: str, **style: Unpack[StyleArguments]
) -> tuple[ClipboardContents, tuple[Notice, ...]]:
    """Return the clipboard's forms of a document for a destination, and the notices of `render`, whose errors it raises."""
    conversion = render(document, destination=destination, media_url=data_url, **style)
    return clipboard_contents(document, conversion, limits=style.get("limits", DEFAULT_LIMITS)), conversion.notices


def clipboard_contents(
    document: Document, conversion: Conversion, *, limits: Limits = DEFAULT_LIMITS
) -> ClipboardContents:
    """Return the clipboard's forms of `conversion`, which was rendered from `document` with `data:` URLs for its images.

    Raises `LimitExceeded` past `limits.max_output_bytes`.
    """
    output = output_of(conversion.destination)
    if output.composer:
        # It pastes HTML, a program's markup editor text.
        html = load_writer(output.composer)(document, limits=limits)
        return ClipboardContents(_with_charset(html), conversion.html)
    if output.is_text:
        return ClipboardContents(None, conversion.html)
    plain = conversion.html if output.pastes_source else conversion.plain_text
    return ClipboardContents(_with_charset(conversion.html), plain)


def _with_charset(html: str) -> str:
    """Without a charset, some applications read the clipboard as Latin-1."""
    writer = HtmlWriter()
    writer.empty("meta", (("charset", "utf-8"),))
    declaration = writer.finish()
    return html if declaration in html[:_ENCODING_SNIFF_CHARACTERS] else declaration + html
