"""A document's way, from Markdown to what its destination takes.

    text → parse → Document → render (figures, then the destination) → Conversion
                            ↘ render_page → a web page

The modules that do the work are imported in the functions that need them, so that `import mdpublish_core`, and with it
every command, starts without them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mdpublish_core.errors import LimitExceeded, UnknownExtension, UnknownRawHtmlMode
from mdpublish_core.options.extensions import ALL_EXTENSIONS, RAW_HTML_MODES, Extension, RawHtml
from mdpublish_core.options.limits import DEFAULT_LIMITS, OUTPUT_BYTES_PER_INPUT_BYTE, Limits

if TYPE_CHECKING:
    from mdpublish_core.destinations import MediaUrl
    from mdpublish_core.nodes import Document
    from mdpublish_core.notices import Notice
    from mdpublish_core.resources.media import Media
    from mdpublish_core.resources.urls import UrlRewriter
    from mdpublish_core.templates import Template, ThemeMode


@dataclass(frozen=True, slots=True)
class Conversion:
    """A document in the form its destination takes."""

    html: str
    """What the destination shows; for `plain-text` and `slack`, the text itself."""

    plain_text: str
    """The same without any markup."""

    destination: str
    """The name of the destination."""

    template_id: str
    """The id of the template."""

    theme_mode: ThemeMode
    """The theme mode."""

    media: tuple[Media, ...]
    """The pictures that came with the text, whether `html` names them or holds them itself."""

    notices: tuple[Notice, ...]
    """What the author should know: things that could not be shown as they were written."""

    def _repr_html_(self) -> str | None:
        """Return what a notebook shows of a conversion: its HTML, where it is any."""
        from mdpublish_core.destinations import get_destination

        return None if get_destination(self.destination).is_text else self.html


def convert(
    markdown: str,
    *,
    destination: str = "generic",
    template: str | Template = "swiss",
    theme_mode: ThemeMode = "light",
    css: str | None = None,
    raw_html: RawHtml = "sanitize",
    extensions: frozenset[Extension] = ALL_EXTENSIONS,
    rewrite_url: UrlRewriter | None = None,
    media_url: MediaUrl = None,
    limits: Limits = DEFAULT_LIMITS,
) -> Conversion:
    """Convert a Markdown text for a destination, in a template's style.

    `destination` is one of the names in `docs/reference/destinations.md`; `template` is a built-in template's id, or a
    Template that `load_template` read; for `raw_html`, `extensions` and `rewrite_url` see `parse`, for `css` and `media_url`
    see `render`.

    Raises `UnknownDestination`, `UnknownTemplate`, `UnknownThemeMode`, `UnknownRawHtmlMode`, `UnknownExtension`,
    `InvalidStylesheet`, and `LimitExceeded` past `limits.max_input_bytes` and `limits.max_output_bytes`.
    """
    document = parse(markdown, raw_html=raw_html, extensions=extensions, rewrite_url=rewrite_url, limits=limits)
    return render(
        document,
        destination=destination,
        template=template,
        theme_mode=theme_mode,
        css=css,
        media_url=media_url,
        limits=limits,
    )


def parse(
    markdown: str,
    *,
    raw_html: RawHtml = "sanitize",
    extensions: frozenset[Extension] = ALL_EXTENSIONS,
    rewrite_url: UrlRewriter | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> Document:
    """Parse a Markdown text into a tree, to render it more than once.

    Any text is a document. Line ends may be mixed; NUL and lone surrogates become U+FFFD; what nests deeper than
    `limits.max_depth` is shown as text, with a notice. `raw_html` says what becomes of HTML in the text: `sanitize` keeps
    the elements and attributes that GitHub keeps, `escape` shows it as text, `keep` passes it on as it is, for authors
    who are trusted. `extensions` chooses among `ALL_EXTENSIONS`; without any, the text is plain CommonMark. `rewrite_url`
    is called with each URL of a link or an image, a `Url`, and returns the one to put in its place: absolute for relative,
    a `data:` URL for a file. What it returns is held to the same rules as what authors write; URLs in raw HTML that is
    kept are the author's alone.

    Raises `UnknownRawHtmlMode`, `UnknownExtension`, and `LimitExceeded` past `limits.max_input_bytes`.
    """
    from mdpublish_core.parsing import parse_markdown

    if raw_html not in RAW_HTML_MODES:
        raise UnknownRawHtmlMode(raw_html, RAW_HTML_MODES)
    for extension in extensions - ALL_EXTENSIONS:
        raise UnknownExtension(extension, tuple(sorted(ALL_EXTENSIONS)))
    return parse_markdown(markdown, raw_html=raw_html, extensions=extensions, rewrite_url=rewrite_url, limits=limits)


def render(
    document: Document,
    *,
    destination: str = "generic",
    template: str | Template = "swiss",
    theme_mode: ThemeMode = "light",
    css: str | None = None,
    media_url: MediaUrl = None,
    limits: Limits = DEFAULT_LIMITS,
) -> Conversion:
    """Render a parsed document for a destination, in a template's style.

    `css` is your own stylesheet on top of the template's; web destinations carry it, the others have it applied to their
    elements. `media_url` says how the output names pictures that it does not take from elsewhere: `"cid:"`
    by their content ids, a function by the address that it returns for a Media; without it, `email` uses content ids, and
    every other destination holds the pictures in itself.

    Raises `UnknownDestination`, `UnknownTemplate`, `UnknownThemeMode`, `InvalidStylesheet`, and `LimitExceeded` past
    `limits.max_output_bytes`, or where a document that was built by hand is deeper than twice `limits.max_depth`.
    """
    from mdpublish_core.destinations import (
        RenderContext,
        check_depth,
        destination_notices,
        get_destination,
        render_figures_for,
    )
    from mdpublish_core.destinations.plain_text import plain_text
    from mdpublish_core.templates import bind, get_template
    from mdpublish_core.templates.user_css import user_css_rules

    chosen = get_template(template) if isinstance(template, str) else template
    target = get_destination(destination)
    media_url = media_url or ("cid:" if target.attaches_media else None)
    style = bind(chosen, theme_mode)
    user_rules = user_css_rules(css)
    if not document.bounded:
        check_depth(document, 2 * limits.max_depth)
    is_white = theme_mode in target.white_page_modes
    figures = render_figures_for(
        document, style, figure_form=target.figure_form, math_form=target.math_form, limits=limits, on_white=is_white
    )
    context = RenderContext(style, media_url, user_rules, document.trusted, figures)
    html = target.render(document, context)
    plain = html if destination == "plain-text" else document.cached(plain_text, figures)
    for output in (html, plain):
        _check_output(output, document.source_bytes, limits)
    return Conversion(
        html=html,
        plain_text=plain,
        destination=destination,
        template_id=chosen.id,
        theme_mode=theme_mode,
        media=tuple(context.media.values()),
        notices=(*document.notices, *figures.notices, *destination_notices(document, target), *context.notices),
    )


def _check_output(output: str, source_bytes: int, limits: Limits) -> None:
    allowed = limits.max_output_bytes + OUTPUT_BYTES_PER_INPUT_BYTE * source_bytes
    # No character takes more than four bytes, so most output need not be encoded to know that it is short enough.
    if 4 * len(output) > allowed and (size := len(output.encode())) > allowed:
        raise LimitExceeded("max_output_bytes", allowed, size)
