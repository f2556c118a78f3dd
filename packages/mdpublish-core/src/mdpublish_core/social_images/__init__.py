"""The Open Graph image that other sites show beside a link to a page: its title, set large in the template's own manner.

    social_image ──▶ printable_text: what can be shown ──▶ styles: how the template sets h1 ──▶ title_layout: sizes, lines
                                                                     card: SVG ──▶ figures.rasterizer ──▶ PNG

Knows no template by name: the rules and variants say how a heading looks, and what the rest of the card is like.
"""

from mdpublish_core.figures.rasterizer import render_png
from mdpublish_core.social_images.card import HEIGHT, WIDTH, card_svg
from mdpublish_core.social_images.printable_text import printable_text
from mdpublish_core.social_images.styles import card_style
from mdpublish_core.templates import Template, ThemeMode, get_template

__all__ = ["HEIGHT", "MAX_CHARACTERS", "VERSION", "WIDTH", "social_image"]

VERSION = 1
"""Raised by one whenever a picture is drawn otherwise for the same input."""

MAX_CHARACTERS = 400
"""Characters of a title that are looked at; no card has room for half of them."""


def social_image(
    title: str,
    *,
    template: str | Template = "swiss",
    theme_mode: ThemeMode = "light",
    site_name: str = "",
) -> bytes:
    """Return a PNG of 1200 by 630 px that shows a page's title in the template's colours: for `og:image`.

    `site_name` stands small at the foot, or in place of a title of which nothing can be shown: what no font on this machine
    can draw is left out. A title that is too long ends in an ellipsis. The same input gives the same bytes on the same machine.

    Raises `UnknownTemplate`, `UnknownThemeMode`, and `MissingExtra` without the extra `mdpublish-core[figures]`.
    """
    chosen = get_template(template) if isinstance(template, str) else template
    style = card_style(chosen, theme_mode)
    heading, name = printable_text(title[:MAX_CHARACTERS]), printable_text(site_name[:MAX_CHARACTERS])
    if not heading.content:
        heading, name = name, heading
    return render_png(card_svg(heading, name, style))
