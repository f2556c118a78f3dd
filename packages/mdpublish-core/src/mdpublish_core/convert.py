"""A document's way, from Markdown to what its destination takes.

    text → parse → Document → render → Conversion
                            ↘ render_page → a web page

The modules that do the work are imported in the functions that need them, so that `import mdpublish_core`, and with it
every command, starts without them: mistletoe alone takes over 100 ms to load.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mdpublish_core.errors import LimitExceeded, UnknownExtension, UnknownRawHtmlMode
from mdpublish_core.extensions import ALL_EXTENSIONS, RAW_HTML_MODES, Extension, RawHtml
from mdpublish_core.limits import DEFAULT_LIMITS, OUTPUT_FACTOR, Limits

if TYPE_CHECKING:
    from mdpublish_core.document import Document
    from mdpublish_core.notices import Notice
    from mdpublish_core.templates import Template, ThemeMode


@dataclass(frozen=True, slots=True)
class Conversion:
    """A document in the form its destination takes.

    `html` is what the destination shows (for `plain-text`, the text itself), `plain_text` the same without any markup;
    `destination`, `template_id` and `theme_mode` say what was used; `notices` tell the author what could not be shown as
    it was written.
    """

    html: str
    plain_text: str
    destination: str
    template_id: str
    theme_mode: ThemeMode
    notices: tuple[Notice, ...]


def convert(
    markdown: str,
    *,
    destination: str = "generic",
    template: str | Template = "swiss",
    theme_mode: ThemeMode = "light",
    raw_html: RawHtml = "sanitize",
    extensions: frozenset[Extension] = ALL_EXTENSIONS,
    limits: Limits = DEFAULT_LIMITS,
) -> Conversion:
    """Convert a Markdown text for a destination, in a template's style.

    `destination` is one of the names in `docs/reference/destinations.md`; `template` is a built-in template's id, or a
    Template that `load_template` read; for `raw_html` and `extensions` see `parse`.

    Raises `UnknownDestination`, `UnknownTemplate`, `UnknownThemeMode`, `UnknownRawHtmlMode`, `UnknownExtension`, and
    `LimitExceeded` past `limits.input_bytes` and `limits.output_bytes`.
    """
    document = parse(markdown, raw_html=raw_html, extensions=extensions, limits=limits)
    return render(document, destination=destination, template=template, theme_mode=theme_mode, limits=limits)


def parse(
    markdown: str,
    *,
    raw_html: RawHtml = "sanitize",
    extensions: frozenset[Extension] = ALL_EXTENSIONS,
    limits: Limits = DEFAULT_LIMITS,
) -> Document:
    """Parse a Markdown text into a tree, to render it more than once.

    Any text is a document. Line ends may be mixed; NUL and lone surrogates become U+FFFD; what nests deeper than
    `limits.nesting` is shown as text, with a notice. `raw_html` says what becomes of HTML in the text: `sanitize` keeps
    the elements and attributes that GitHub keeps, `escape` shows it as text, `keep` passes it on as it is, for authors
    who are trusted. `extensions` chooses among `ALL_EXTENSIONS`; without any, the text is plain CommonMark.

    Raises `UnknownRawHtmlMode`, `UnknownExtension`, and `LimitExceeded` past `limits.input_bytes`.
    """
    from mdpublish_core.parsing import parse_text

    if raw_html not in RAW_HTML_MODES:
        raise UnknownRawHtmlMode(raw_html, RAW_HTML_MODES)
    for extension in extensions - ALL_EXTENSIONS:
        raise UnknownExtension(extension, tuple(sorted(ALL_EXTENSIONS)))
    return parse_text(markdown, raw_html=raw_html, extensions=extensions, limits=limits)


def render(
    document: Document,
    *,
    destination: str = "generic",
    template: str | Template = "swiss",
    theme_mode: ThemeMode = "light",
    limits: Limits = DEFAULT_LIMITS,
) -> Conversion:
    """Render a parsed document for a destination, in a template's style.

    Raises `UnknownDestination`, `UnknownTemplate`, `UnknownThemeMode`, and `LimitExceeded` past `limits.output_bytes`,
    or where a document that was built by hand is deeper than twice `limits.nesting`.
    """
    from mdpublish_core.destinations import check_depth, get_destination
    from mdpublish_core.destinations.plain_text import plain_text
    from mdpublish_core.templates import bind, get_template

    chosen = get_template(template) if isinstance(template, str) else template
    style = bind(chosen, theme_mode)
    if not document.bounded:
        check_depth(document, 2 * limits.nesting)
    html = get_destination(destination).render(document, style)
    text = html if destination == "plain-text" else plain_text(document)
    for made in (html, text):
        _check_output(made, document.source_bytes, limits)
    return Conversion(
        html=html,
        plain_text=text,
        destination=destination,
        template_id=chosen.id,
        theme_mode=theme_mode,
        notices=document.notices,
    )


def _check_output(made: str, source_bytes: int, limits: Limits) -> None:
    allowed = limits.output_bytes + OUTPUT_FACTOR * source_bytes
    # No character takes more than four bytes, so most output need not be encoded to know that it is short enough.
    if 4 * len(made) > allowed and (size := len(made.encode())) > allowed:
        raise LimitExceeded("output_bytes", allowed, size)
