"""Rendering for a destination: figures first, then its text.

Imports inside functions keep the command fast to start.
"""

from __future__ import annotations

from functools import partial
from types import NoneType
from typing import TYPE_CHECKING

from mdpublish_core.arguments import require_function, require_limits, require_type
from mdpublish_core.errors import LimitExceeded, UnknownThemeMode
from mdpublish_core.options.limits import DEFAULT_LIMITS, OUTPUT_BYTES_PER_INPUT_BYTE, Limits
from mdpublish_core.writers.results import Conversion

if TYPE_CHECKING:
    from collections.abc import Callable

    from mdpublish_core.css.user_css_reading import UserStylesheet
    from mdpublish_core.nodes import Document
    from mdpublish_core.notices import Notice
    from mdpublish_core.resources.media import MediaUrl
    from mdpublish_core.templates import PageThemeMode, Style, Template
    from mdpublish_core.writers import Destination, RenderContext
    from mdpublish_core.writers.document_defaults import DocumentDefaults
    from mdpublish_core.writers.figures.fitting import PageColumn


def render(
    document: Document,
    *,
    destination: str | Destination = "generic",
    template: str | Template | None = None,
    theme_mode: PageThemeMode | None = None,
    css: str | None = None,
    media_url: MediaUrl = None,
    limits: Limits = DEFAULT_LIMITS,
) -> Conversion:
    """Render a parsed document for a destination.

    If `template` or `theme_mode` is None, the document's front matter chooses, else it is `swiss` and `light`. For
    `generic`, `theme_mode` may also be `auto`: light or dark, as the reader's system prefers. `css` is a custom stylesheet on top of the template's: web destinations include it, the others apply it to their elements. `media_url` sets the URLs of images that the output does not load from elsewhere: `"cid:"` uses
    content ids, a function returns the URL for a Media. By default, `email` uses content ids and other destinations
    embed the images as `data:` URLs.

    Raises `UnknownDestination`, `UnknownTemplate`, `UnknownThemeMode`, `InvalidStylesheet`, `PluginError`, `InvalidArgument`, and
    `LimitExceeded`
    past `limits.max_output_bytes`, or if a document built by hand is nested deeper than twice `limits.max_depth`.
    """
    from mdpublish_core.nodes import Document
    from mdpublish_core.resources.characters import replace_surrogates
    from mdpublish_core.writers import DESTINATIONS, get_destination
    from mdpublish_core.writers.document_defaults import chosen_template_id, defaults_of
    from mdpublish_core.writers.plain_text import plain_text_of

    require_type("document", document, Document, expected="a Document, as parse returns it")
    require_type("theme_mode", theme_mode, str, NoneType)
    require_type("css", css, str, NoneType)
    if media_url != "cid:":
        require_function("media_url", media_url, expected="'cid:', a function or None")
    require_limits(limits)
    defaults = defaults_of(document)
    template_id = chosen_template_id(template, defaults)
    theme_mode = theme_mode or defaults.theme_mode or "light"
    target = get_destination(destination)
    if theme_mode not in target.theme_modes:
        raise UnknownThemeMode(theme_mode, target.theme_modes)
    media_url = media_url or ("cid:" if target.attaches_media else None)
    is_styled = target.is_styled or document.figures_and_math
    style = _style(template, defaults, theme_mode) if is_styled else None
    context = prepare(
        document, target, style, partial(target.render, document), media_url=media_url, css=css, limits=limits
    )
    html = target.render(document, context)
    plain = html if target is DESTINATIONS["plain-text"] else plain_text_of(document, context.figures)
    if not document.origin.is_parsed:
        # Text of a document built by hand: the writer of HTML does this itself.
        html, plain = replace_surrogates(html), replace_surrogates(plain)
    for output in (html, plain):
        _check_output(output, context.max_output_bytes)
    return Conversion(
        html=html,
        plain_text=plain,
        destination=target.name,
        template_id=template_id,
        theme_mode=theme_mode,
        media=tuple(context.media.values()),
        notices=all_notices(document, target, context),
    )


def prepare(
    document: Document,
    target: Destination,
    style: Style | None,
    write: Callable[[RenderContext], object],
    *,
    media_url: MediaUrl,
    css: str | None,
    limits: Limits,
    has_text: bool = True,
) -> RenderContext:
    """Check the stylesheet and the tree, render the figures, and return what `write` needs.

    `has_text`: figures also as plain text.
    """
    from mdpublish_core.writers import RenderContext, render_figures_for

    user_stylesheet = read_user_stylesheet(css)
    if not document.origin.is_parsed:
        from mdpublish_core.readers.markdown.tree_check import require_tree

        require_tree(document, limits)
    allowed = limits.max_output_bytes + OUTPUT_BYTES_PER_INPUT_BYTE * document.origin.source_bytes
    figures = render_figures_for(
        document,
        style,
        figure_form=target.figure_form,
        math_form=target.math_form,
        limits=limits,
        on_white=style is not None and style.theme_mode in target.white_page_modes,
        has_text=has_text,
        column=_column(style.template) if style and target.figure_form == "svg" and document.figures_and_math else None,
        user_css=user_stylesheet,
        max_output_bytes=allowed,
        write_unrendered=write if "png" in (target.figure_form, target.math_form) else None,
    )
    return RenderContext(
        style,
        media_url,
        user_stylesheet,
        document.trusted,
        figures,
        max_output_bytes=allowed,
        positions=document.origin.positions,
    )


def all_notices(document: Document, target: Destination, context: RenderContext) -> tuple[Notice, ...]:
    """Return the notices of parsing, and at most as many of rendering as a document may have."""
    from mdpublish_core.notices import limit_notices
    from mdpublish_core.writers import destination_notices
    from mdpublish_core.writers.document_defaults import defaults_of

    rendering = (
        *defaults_of(document).notices,
        *context.figures.notices,
        *destination_notices(document, target),
        *context.notices,
    )
    return (*document.notices, *limit_notices(rendering))


def _style(template: str | Template | None, defaults: DocumentDefaults, theme_mode: PageThemeMode) -> Style:
    from mdpublish_core.templates import bind
    from mdpublish_core.writers.document_defaults import chosen_template

    return bind(chosen_template(template, defaults), theme_mode)


def read_user_stylesheet(css: str | None) -> UserStylesheet | None:
    """Read the caller's stylesheet."""
    if not css:
        return None
    from mdpublish_core.css.user_css import user_css

    return user_css(css)


def _column(template: Template) -> PageColumn:
    from mdpublish_core.writers.figures.fitting import PageColumn

    return PageColumn(template.type.measure * template.type.size)


def _check_output(output: str, allowed: int | None) -> None:
    # At most four bytes a character: most output need not be encoded to be checked.
    if allowed is not None and 4 * len(output) > allowed and (size := len(output.encode())) > allowed:
        raise LimitExceeded("max_output_bytes", allowed, size)
