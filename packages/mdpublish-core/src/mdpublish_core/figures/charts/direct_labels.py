"""Names of lines beside their ends, in place of a legend."""

from collections.abc import Sequence

from mdpublish_core.figures.boxes import Box
from mdpublish_core.figures.charts.configuration import Configuration
from mdpublish_core.figures.charts.fonts import Font
from mdpublish_core.figures.charts.palettes import Palette
from mdpublish_core.figures.charts.series.base import Series

_MAX_LINES = 4

# In px, between a line and its name; of the chart's width.
NAME_GAP = 8.0
_MAX_SHARE = 0.3


def room_for_names(configuration: Configuration, palette: Palette, series: Sequence[Series]) -> float:
    """Return the px that names need beside a chart; 0 if it has a legend: by the author's or the theme's choice, or as it is clearer."""
    names = [each.label for each in series]
    is_plain = (
        palette.dress.labels == "direct"
        and not configuration.has_configured_legend
        and configuration.data_labels is None
        and len(series) <= _MAX_LINES
        and all(names)
        and all(each.type == "line" and each.is_visible and each.dataset.index_axis == "x" for each in series)
        and not any(each.options.flag("reverse") for each in configuration.scales)
        and not any(each.axis == "y" and each.options.value("position") == "right" for each in configuration.scales)
    )
    room = max(map(configuration.font.width, names), default=0.0) + NAME_GAP
    return room if is_plain and names and room <= _MAX_SHARE * configuration.width else 0.0


def name_heights(series: Sequence[Series], area: Box, font: Font) -> list[tuple[float, Series]]:
    """Return the heights of names: those of the lines' ends, moved until they are a line apart."""
    ends = [(each, [point.y for point in each.points if not point.is_skipped]) for each in series]
    placed = sorted(((ys[-1], each) for each, ys in ends if ys), key=lambda end: end[0])
    heights, top, bottom = [], area.top, area.bottom
    for y, _ in placed:
        heights.append(max(y, top))
        top = heights[-1] + font.line_height
    for number in reversed(range(len(heights))):
        heights[number] = min(heights[number], bottom)
        bottom = heights[number] - font.line_height
    return [(y, each) for y, (_, each) in zip(heights, placed, strict=True)]
