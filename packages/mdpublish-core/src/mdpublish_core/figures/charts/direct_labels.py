"""Names of lines beside their ends, in place of a legend."""

from collections.abc import Sequence
from dataclasses import dataclass

from mdpublish_core.figures.boxes import Box
from mdpublish_core.figures.charts.configuration import Configuration
from mdpublish_core.figures.charts.fonts import Font
from mdpublish_core.figures.charts.palettes import Palette
from mdpublish_core.figures.charts.series.base import Series

_MAX_LINES = 4

# In px, between a line and its name; of the chart's width.
_GAP = 8.0
_MAX_SHARE = 0.3


@dataclass(slots=True)
class DirectLabel:
    """The name of a line; `y` is its middle."""

    name: str
    color: str
    y: float
    x: float = 0.0


def room_for_names(configuration: Configuration, palette: Palette, series: Sequence[Series]) -> float:
    """Return the px that names need beside a chart; 0 if it has a legend: by the author's or the theme's choice, or as it is clearer."""
    names = [each.label for each in series]
    is_plain = (
        palette.dress.labels == "direct"
        and not configuration.has_configured_legend
        and configuration.data_labels is None
        and 0 < len(series) <= _MAX_LINES
        and all(names)
        and all(each.type == "line" and each.is_visible and each.dataset.index_axis == "x" for each in series)
        and not any(scale.options.is_reversed for scale in series[0].chart.scales.values())
        and not any(scale.axis == "y" and scale.options.value("position") == "right" for scale in configuration.scales)
    )
    room = max(map(configuration.font.width, names)) + _GAP if is_plain else 0.0
    return room if room <= _MAX_SHARE * configuration.width else 0.0


def place_names(series: Sequence[Series], area: Box, font: Font) -> list[DirectLabel]:
    """Return the names of lines at the height of their ends, moved until they are a line apart."""
    labels = []
    for each in series:
        ends = [point.y for point in each.points if not point.is_skipped]
        if ends and each.line is not None:
            y = min(max(ends[-1], area.top), area.bottom)
            labels.append(DirectLabel(each.label, each.line.style.stroke.color, y, area.right + _GAP))
    labels.sort(key=lambda label: label.y)
    top, bottom = area.top, area.bottom
    for label in labels:
        label.y = max(label.y, top)
        top = label.y + font.line_height
    for label in reversed(labels):
        label.y = min(label.y, bottom)
        bottom = label.y - font.line_height
    return labels
