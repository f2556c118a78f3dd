"""Sizes of tables and images on a page of Word."""

from typing import Any

from mdpublish_core import nodes
from mdpublish_core.css.matcher import Styles
from mdpublish_core.table_model import Grid
from mdpublish_core.writers.figures.placement import MAX_PAGE_HEIGHT, Placement
from mdpublish_core.writers.styled.stylesheets import DarkModeStyles
from mdpublish_core.writers.styled.walk import StyledWriter
from mdpublish_core.writers.table_fit import Room, TableFit, fit_or_stack, table_faces
from mdpublish_core.writers.word_model.computed_styles import WordStyle, font_points

_PAPER = "#ffffff"

_MIN_TYPE_SIZE = 10.0
"""7.5 points, in px."""


def word_placement(styles: Styles[Any], style: WordStyle, width: float) -> Placement:
    """Return the place of an image; the page of a dark theme is white."""
    is_on_page = isinstance(styles, DarkModeStyles) and not styles.cell_depth
    return Placement(
        background_color=_PAPER if is_on_page and style.background == style.base_background else style.background,
        foreground_color=style.computed.get("color"),
        text_size=style.computed.font_size,
        width=width,
        height=MAX_PAGE_HEIGHT,
    )


def fit_for_word(
    walk: StyledWriter[Any], token: nodes.Table | nodes.HtmlElement, width: float, min_type_size: float = _MIN_TYPE_SIZE
) -> tuple[Grid, TableFit]:
    """Return a table that fits into a width in px, and its fit."""
    room = Room(
        width=width,
        min_type_size=min_type_size,
        round_size=lambda size: float(font_points(size).removesuffix("pt")) / 0.75,
    )
    faces = table_faces(walk.context.style, "word", walk.context.user_css)
    return fit_or_stack(walk.grid(token), faces, room, notices=walk.context.notices, line=nodes.line_of(token))
