"""A document's way, from Markdown to what its destination takes.

    text → parse → Document → draw → render → Conversion
                                   ↘ render_page → a web page

The modules that do the work are imported in the functions that need them, so that `import mdpublish_core`, and with it
every command, starts without them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mdpublish_core.errors import LimitExceeded, UnknownExtension, UnknownRawHtmlMode
from mdpublish_core.extensions import ALL_EXTENSIONS, RAW_HTML_MODES, Extension, RawHtml
from mdpublish_core.limits import DEFAULT_LIMITS, OUTPUT_FACTOR, Limits

if TYPE_CHECKING:
    from mdpublish_core.destinations import MediaUrl
    from mdpublish_core.media import Media
    from mdpublish_core.nodes import Document
    from mdpublish_core.notices import Notice
    from mdpublish_core.templates import Template, ThemeMode
    from mdpublish_core.urls import Resolve


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
    resolve: Resolve | None = None,
    media_url: MediaUrl = None,
    limits: Limits = DEFAULT_LIMITS,
) -> Conversion:
    """Convert a Markdown text for a destination, in a template's style.

    `destination` is one of the names in `docs/reference/destinations.md`; `template` is a built-in template's id, or a
    Template that `load_template` read; for `raw_html`, `extensions` and `resolve` see `parse`, for `css` and `media_url`
    see `render`.

    Raises `UnknownDestination`, `UnknownTemplate`, `UnknownThemeMode`, `UnknownRawHtmlMode`, `UnknownExtension`,
    `InvalidStylesheet`, and `LimitExceeded` past `limits.input_bytes` and `limits.output_bytes`.
    """
    document = parse(markdown, raw_html=raw_html, extensions=extensions, resolve=resolve, limits=limits)
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
    resolve: Resolve | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> Document:
    """Parse a Markdown text into a tree, to render it more than once.

    Any text is a document. Line ends may be mixed; NUL and lone surrogates become U+FFFD; what nests deeper than
    `limits.nesting` is shown as text, with a notice. `raw_html` says what becomes of HTML in the text: `sanitize` keeps
    the elements and attributes that GitHub keeps, `escape` shows it as text, `keep` passes it on as it is, for authors
    who are trusted. `extensions` chooses among `ALL_EXTENSIONS`; without any, the text is plain CommonMark. `resolve` is
    asked for each address of a link or a picture, an `Address`, and returns the one to put in its place: absolute for
    relative, a `data:` address for a file. What it returns is held to the same rules as what authors write; addresses in
    raw HTML that is kept are the author's alone.

    Raises `UnknownRawHtmlMode`, `UnknownExtension`, and `LimitExceeded` past `limits.input_bytes`.
    """
    from mdpublish_core.parsing import parse_text

    if raw_html not in RAW_HTML_MODES:
        raise UnknownRawHtmlMode(raw_html, RAW_HTML_MODES)
    for extension in extensions - ALL_EXTENSIONS:
        raise UnknownExtension(extension, tuple(sorted(ALL_EXTENSIONS)))
    return parse_text(markdown, raw_html=raw_html, extensions=extensions, resolve=resolve, limits=limits)


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
    `limits.output_bytes`, or where a document that was built by hand is deeper than twice `limits.nesting`.
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
    from mdpublish_core.templates.overlay import overlay_rules

    chosen = get_template(template) if isinstance(template, str) else template
    goal = get_destination(destination)
    media_url = media_url or ("cid:" if goal.attaches_media else None)
    style = bind(chosen, theme_mode)
    user_rules = overlay_rules(css)
    if not document.bounded:
        check_depth(document, 2 * limits.nesting)
    is_white = theme_mode in goal.white_page_modes
    drawings = render_figures_for(
        document, style, figure_form=goal.figure_form, math_form=goal.math_form, limits=limits, on_white=is_white
    )
    setting = RenderContext(style, media_url, user_rules, document.trusted, drawings)
    html = goal.render(document, setting)
    text = html if destination == "plain-text" else document.once(plain_text, drawings)
    for made in (html, text):
        _check_output(made, document.source_bytes, limits)
    return Conversion(
        html=html,
        plain_text=text,
        destination=destination,
        template_id=chosen.id,
        theme_mode=theme_mode,
        media=tuple(setting.media.values()),
        notices=(*document.notices, *drawings.notices, *destination_notices(document, goal), *setting.notices),
    )


def _check_output(made: str, source_bytes: int, limits: Limits) -> None:
    allowed = limits.output_bytes + OUTPUT_FACTOR * source_bytes
    # No character takes more than four bytes, so most output need not be encoded to know that it is short enough.
    if 4 * len(made) > allowed and (size := len(made.encode())) > allowed:
        raise LimitExceeded("output_bytes", allowed, size)
