"""What a converted document puts on a clipboard: HTML, text, or both, in the form that its destination pastes best."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from html import unescape
from typing import TYPE_CHECKING

from mdpublish_core.html import HtmlWriter
from mdpublish_core.nodes import Document
from mdpublish_core.options.limits import DEFAULT_LIMITS, Limits
from mdpublish_core.writers.outputs import get_output, load_writer
from mdpublish_core.writers.pasting import pasting_of
from mdpublish_core.writers.rendering import render
from mdpublish_core.writers.results import Conversion

if TYPE_CHECKING:
    from mdpublish_core.resources.known_images import KnownImages
    from mdpublish_core.templates import PageThemeMode, Template
    from mdpublish_core.writers.outputs import Output

_ENCODING_SNIFF_CHARACTERS = 1024
"""https://html.spec.whatwg.org/multipage/semantics.html#charset"""


@dataclass(frozen=True, slots=True)
class ClipboardContents:
    """HTML, text, or both."""

    html: str | None
    plain_text: str | None


def render_for_clipboard(
    document: Document,
    to: str | Output,
    *,
    template: str | Template | None = None,
    theme_mode: PageThemeMode | None = None,
    css: str | None = None,
    images: KnownImages | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> tuple[ClipboardContents, Conversion]:
    """Return a document's forms for the clipboard, and the conversion with its `delivery`; raises as `render` does."""
    conversion = render(
        document,
        to=to,
        template=template,
        theme_mode=theme_mode,
        css=css,
        media_url="data:",
        images=images,
        limits=limits,
    )
    contents = clipboard_contents(document, conversion, limits=limits)
    if pasting_of(get_output(conversion.output)).composer:
        survey = partial(conversion._survey, is_pasted=True)  # noqa: SLF001  (its other half)
        conversion = replace(conversion, _survey=survey)
    return contents, conversion


def clipboard_contents(
    document: Document, conversion: Conversion, *, limits: Limits = DEFAULT_LIMITS
) -> ClipboardContents:
    """Return the clipboard's forms of `conversion`, rendered from `document` with `data:` URLs for its images.

    Raises `LimitExceeded` past `limits.max_output_bytes`.
    """
    output = get_output(conversion.output)
    pasting = pasting_of(output)
    if pasting.composer:
        # It pastes HTML, a program's markup editor text, in which entities are what they look like.
        html = load_writer(pasting.composer)(document, limits=limits)
        return ClipboardContents(_with_charset(html), unescape(conversion.text))
    if output.is_text:
        return ClipboardContents(None, conversion.text)
    plain = conversion.html if pasting.is_source else conversion.plain_text
    return ClipboardContents(_with_charset(conversion.html), plain)


def _with_charset(html: str) -> str:
    """Declare the charset, without which some applications read the clipboard as Latin-1."""
    writer = HtmlWriter()
    writer.empty("meta", (("charset", "utf-8"),))
    declaration = writer.finish()
    return html if declaration in html[:_ENCODING_SNIFF_CHARACTERS] else declaration + html
