"""Figures in the width of their destination: laid out in the other direction where their text would be too small."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import inf

from mdpublish_core.figures.render import stalled_notice
from mdpublish_core.figures.request import FailedFigure, FigureTheme, RenderedFigure
from mdpublish_core.figures.results import RenderedFigures
from mdpublish_core.nodes import Figure
from mdpublish_core.notices import Notice
from mdpublish_core.writers.figures.placement import FigureSize, Placement, display_size

MIN_TEXT_SIZE = 9.0
"""In px."""

# In px. Where neither form can be read, the author's direction stays.
_MIN_TRANSPOSED_SIZE = 6.0

PHONE_WIDTH = 320.0
"""Width of the text on a phone's page, in px."""

# Nodes are wider than high: transposed, a diagram is this much of its height wide, and of its width high, or more.
_MIN_TRANSPOSED_WIDTH, _MIN_TRANSPOSED_HEIGHT = 1.3, 0.3

# Another form for phones is worth its bytes if text gets this much larger, and it is short enough.
_MIN_GAIN = 1.25
_MAX_NARROW_CHARACTERS = 20_000


@dataclass(frozen=True, slots=True)
class PageColumn:
    """The text column of a page, in px; `is_responsive`: that adapts to phones."""

    width: float
    is_responsive: bool = False


Transpose = Callable[[], RenderedFigure | FailedFigure]


def fit(
    token: Figure,
    rendered: RenderedFigure,
    placement: Placement,
    transpose: Transpose,
    report: Callable[[Notice], None],
) -> RenderedFigure:
    """Return the figure, or its form in the other direction if that has larger text where it is too small."""
    size = text_size(rendered, placement)
    if size is None or size >= MIN_TEXT_SIZE or "width" in token.options:
        return rendered
    if _may_gain(rendered, placement):
        transposed = transpose()
        if isinstance(transposed, RenderedFigure):
            transposed_size = text_size(transposed, placement) or transposed.text_size
            if transposed_size > size and transposed_size >= _MIN_TRANSPOSED_SIZE:
                size, rendered = transposed_size, _with_image(rendered, transposed)
        elif transposed.is_stalled:
            report(stalled_notice(token, token.line_number, transposed))
    if size < MIN_TEXT_SIZE:
        report(_notice(token, rendered, placement, size))
    return rendered


def fit_page(figures: RenderedFigures, theme: FigureTheme, column: PageColumn) -> RenderedFigures:
    """Fit the figures of a page, and add forms for phones if it is responsive."""
    if figures.transpose is None:
        return figures
    fitted: dict[int, tuple[int, Figure, RenderedFigure]] = {}
    narrow: dict[int, RenderedFigure] = {}
    notices: list[Notice] = []
    for key, (number, token, rendered) in figures.figures.items():
        transpose = _once(figures.transpose, token, theme)
        chosen = fit(token, rendered, column_of(column.width), transpose, notices.append)
        fitted[key] = number, token, chosen
        if column.is_responsive and chosen is rendered and (other := _for_phones(token, rendered, transpose)):
            narrow[key] = other
    return figures._replace(notices=(*figures.notices, *notices), figures=fitted, narrow=narrow)


def column_of(width: float) -> Placement:
    return Placement(background_color="", foreground_color="", text_size=0.0, column=width)


def text_size(rendered: RenderedFigure, placement: Placement) -> float | None:
    """Return the size of the smallest text where it is scaled down, in px; None if it is not, or there is none."""
    if not (rendered.can_transpose and rendered.text_size):
        return None
    scale = placement.scale(FigureSize(rendered.width, rendered.height))
    return rendered.text_size * scale if scale < 1 else None


def _for_phones(token: Figure, rendered: RenderedFigure, transpose: Transpose) -> RenderedFigure | None:
    phone = column_of(PHONE_WIDTH)
    size = text_size(rendered, phone)
    if size is None or size >= MIN_TEXT_SIZE or "width" in token.options or not _may_gain(rendered, phone):
        return None
    transposed = transpose()
    if not isinstance(transposed, RenderedFigure) or transposed.svg is None:
        return None
    is_short = sum(map(len, transposed.svg.parts)) <= _MAX_NARROW_CHARACTERS
    is_better = (text_size(transposed, phone) or transposed.text_size) > _MIN_GAIN * size
    return _with_image(rendered, transposed) if is_short and is_better else None


def _may_gain(rendered: RenderedFigure, placement: Placement) -> bool:
    """Predict from size and aspect whether the other direction may have larger text: rendering it takes time."""
    other = FigureSize(
        max(1, round(_MIN_TRANSPOSED_WIDTH * rendered.height)), max(1, round(_MIN_TRANSPOSED_HEIGHT * rendered.width))
    )
    return placement.scale(other) > placement.scale(FigureSize(rendered.width, rendered.height))


def _with_image(rendered: RenderedFigure, transposed: RenderedFigure) -> RenderedFigure:
    return replace(
        rendered,
        svg=transposed.svg,
        png=transposed.png,
        width=transposed.width,
        height=transposed.height,
        text_size=transposed.text_size,
    )


def _once(
    transpose: Callable[[Figure, FigureTheme], RenderedFigure | FailedFigure], token: Figure, theme: FigureTheme
) -> Transpose:
    results: list[RenderedFigure | FailedFigure] = []

    def transposed() -> RenderedFigure | FailedFigure:
        if not results:
            results.append(transpose(token, theme))
        return results[0]

    return transposed


def _notice(token: Figure, rendered: RenderedFigure, placement: Placement, size: float) -> Notice:
    natural = display_size(token, rendered)
    width, height = min(placement.width, placement.column), placement.height
    room = f"{width:.0f} px" if height == inf else f"{width:.0f} by {height:.0f} px"
    message = (
        f"the {token.language} figure has {natural.width:,} by {natural.height:,} px: scaled to {room}, its smallest "
        f"text has {size:.1f} px, less than {MIN_TEXT_SIZE:g}; divide it or shorten its labels"
    )
    return Notice("figure-too-large", message, token.line_number)
