"""The library's main function.

Markdown → parse → Document → render (figures, then the destination) → Conversion
                            ↘ render_page → a web page
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mdpublish_core.options.extensions import Extension, RawHtml
from mdpublish_core.options.limits import DEFAULT_LIMITS, Limits
from mdpublish_core.readers import parse
from mdpublish_core.writers.rendering import render

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mdpublish_core.readers.markdown.fences import FenceFunction
    from mdpublish_core.readers.markdown.transforms import TransformChoice
    from mdpublish_core.resources.media import MediaUrl
    from mdpublish_core.resources.url_rewriters import UrlRewriter
    from mdpublish_core.templates import PageThemeMode, Template
    from mdpublish_core.writers import Destination
    from mdpublish_core.writers.results import Conversion


def convert(
    markdown: str,
    *,
    destination: str | Destination = "generic",
    template: str | Template | None = None,
    theme_mode: PageThemeMode | None = None,
    css: str | None = None,
    raw_html: RawHtml = "sanitize",
    extensions: frozenset[Extension] | None = None,
    rewrite_url: UrlRewriter | None = None,
    fences: Mapping[str, FenceFunction] | None = None,
    transform: TransformChoice = None,
    media_url: MediaUrl = None,
    limits: Limits = DEFAULT_LIMITS,
) -> Conversion:
    """Convert Markdown for a destination.

    `destination` is one of the names in `docs/reference/destinations.md`, that of an installed plug-in, or a Destination. `template` is the id of a built-in
    template or a Template returned by `load_template`. If `template`, `theme_mode` or `extensions` is None, the
    document's front matter chooses, else it is `swiss`, `light` and `DEFAULT_EXTENSIONS`. For `generic`, `theme_mode` may
    also be `auto`: light or dark, as the reader's system prefers. See `parse` for `raw_html`, `extensions`, `rewrite_url`,
    `fences` and `transform`, and `render` for `css` and `media_url`.

    Raises `UnknownDestination`, `UnknownTemplate`, `UnknownThemeMode`, `UnknownRawHtmlMode`, `UnknownExtension`,
    `UnknownTransform`, `PluginError`, `InvalidArgument`, `InvalidStylesheet`, and `LimitExceeded` past `limits.max_input_bytes` and `limits.max_output_bytes`.
    """
    document = parse(
        markdown,
        raw_html=raw_html,
        extensions=extensions,
        rewrite_url=rewrite_url,
        fences=fences,
        transform=transform,
        limits=limits,
    )
    return render(
        document,
        destination=destination,
        template=template,
        theme_mode=theme_mode,
        css=css,
        media_url=media_url,
        limits=limits,
    )
