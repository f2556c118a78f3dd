"""Open Graph images: a page's title in the style of its template.

title_layout: characters ──▶ styles: of h1; faces ──▶ title_layout: sizes, lines ──▶ card: SVG ──▶ PNG

The title is set as the template sets h1, whose variants add the edge, rule and bullet: so a custom theme has matching
images. Characters that no font has are left out.
"""

from mdpublish_core.arguments import require_type
from mdpublish_core.figures.rasterizer import render_png
from mdpublish_core.social_images.card import HEIGHT, WIDTH, card_svg
from mdpublish_core.social_images.styles import card_style
from mdpublish_core.social_images.title_layout import printable_text
from mdpublish_core.templates import Template, ThemeMode, get_template

__all__ = ["HEIGHT", "MAX_CHARACTERS", "SOCIAL_IMAGE_VERSION", "WIDTH", "social_image"]

SOCIAL_IMAGE_VERSION = 3
"""Increment when the image for the same input changes."""

MAX_CHARACTERS = 400


def social_image(
    title: str, *, template: str | Template = "swiss", theme_mode: ThemeMode = "light", site_name: str = ""
) -> bytes:
    """Return a PNG of 1200 by 630 px with a page's title in the template's style, for `og:image`.

    `site_name` is shown small at the bottom, or replaces a title without printable characters (characters missing
    from this machine's fonts are omitted). A long title is truncated. Deterministic on the same machine.

    Raises `UnknownTemplate`, `UnknownThemeMode`, and `MissingExtra` without the extra `mdpublish-core[figures]`.
    """
    require_type("title", title, str)
    require_type("template", template, str, Template, expected="the id of a template or a Template")
    require_type("theme_mode", theme_mode, str)
    require_type("site_name", site_name, str)
    chosen = get_template(template) if isinstance(template, str) else template
    style = card_style(chosen, theme_mode)
    heading, name = printable_text(title[:MAX_CHARACTERS]), printable_text(site_name[:MAX_CHARACTERS])
    if not heading.content:
        heading, name = name, heading
    return render_png(card_svg(heading, name, style))
