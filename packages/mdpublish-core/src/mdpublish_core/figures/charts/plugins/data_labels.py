"""Labels at the values of a chart, as https://chartjs-plugin-datalabels.netlify.app draws them."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

from mdpublish_core.css.colors import contrast, mix
from mdpublish_core.figures.boxes import Box
from mdpublish_core.figures.charts.defaults import DATA_LABELS
from mdpublish_core.figures.charts.fonts import Font, Label
from mdpublish_core.figures.charts.functions import read_function
from mdpublish_core.figures.charts.operators import NotEvaluated
from mdpublish_core.figures.charts.options import Options, Remarks
from mdpublish_core.figures.charts.palettes import Palette
from mdpublish_core.figures.charts.plugins.labels import LabelBlock, read_label
from mdpublish_core.figures.charts.scales.base import Scale
from mdpublish_core.figures.charts.scales.radial import RadialScale
from mdpublish_core.figures.charts.series.base import Series
from mdpublish_core.figures.charts.shapes.elements import ArcElement, BarElement, PointElement
from mdpublish_core.figures.charts.values import Json, as_object, parse_number, to_string

MAX_DATA_LABELS = 1000
"""More would cover one another, and take long to compare."""

_DIRECTIONS = {
    "center": (0.0, 0.0),
    "bottom": (0.0, 1.0),
    "right": (1.0, 0.0),
    "left": (-1.0, 0.0),
    "top": (0.0, -1.0),
}

_Element = PointElement | BarElement | ArcElement


class DataLabel(NamedTuple):
    """A label, whether it is clipped to the chart area, and left out where it overlaps others."""

    block: LabelBlock
    is_clipped: bool
    is_hideable: bool


class _Segment(NamedTuple):
    """An element from its start to its end, and its direction."""

    x0: float
    y0: float
    x1: float
    y1: float
    direction: tuple[float, float]


def data_labels(
    series: Sequence[Series], plugin: Options | None, palette: Palette, font: Font, view: Box
) -> list[DataLabel]:
    """Return the labels of visible series. `plugin` are the chart's options, None if it does not use the plugin."""
    labels: list[DataLabel] = []
    for each in series:
        for label in _SeriesLabels(each, plugin, palette, font, view).labels():
            if len(labels) >= MAX_DATA_LABELS:
                each.chart.remarks.add(
                    f"data labels after the first {MAX_DATA_LABELS:,} are left out",
                    ("options", "plugins", "datalabels"),
                )
                return _without_overlaps(labels)
            labels.append(label)
    return _without_overlaps(labels)


def _without_overlaps(labels: Sequence[DataLabel]) -> list[DataLabel]:
    """Leave out labels with `display: "auto"` that overlap others."""
    shown = [label for label in labels if not label.is_hideable]
    boxes = [label.block.box for label in shown]
    for label in labels:
        if label.is_hideable:
            box = label.block.box
            if all(box.intersection(other).is_empty for other in boxes):
                shown.append(label)
                boxes.append(box)
    return shown


class _SeriesLabels:
    def __init__(self, series: Series, plugin: Options | None, palette: Palette, font: Font, view: Box) -> None:
        self._series = series
        self._palette = palette
        self._font = font
        self._view = view
        self._options = _options_of(series, plugin)

    def labels(self) -> Iterator[DataLabel]:
        if not self._options:
            return
        for item, element in enumerate(self._elements()):
            if element is None:
                continue
            for options in self._options:
                at_item = options.at(item)
                lines = self._lines(item, at_item) if at_item.value("display") else ()
                if lines and (label := self._label(element, at_item, lines)):
                    yield label

    @cached_property
    def _shared(self) -> dict[str, Json]:
        """What the author's function may know of the chart."""
        chart, number = self._series.chart, self._series.chart.series.index(self._series)
        datasets: list[Json] = [dict(each.dataset.source) for each in chart.series]
        data: Json = {"labels": chart.labels, "datasets": datasets}
        return {"dataset": datasets[number], "datasetIndex": number, "chart": {"data": data}}

    def _lines(self, item: int, options: Options) -> Label:
        series = self._series
        value, function = series.data[item], read_function(options.string("formatter"))
        try:
            if function and value is not None:
                return _lines(function(value, {**self._shared, "dataIndex": item}))
        except NotEvaluated as error:
            options.remark("formatter", f"is ignored: {error}; labels show the values")
        return _lines(value)

    def _elements(self) -> list[_Element | None]:
        series = self._series
        values = series.values
        if series.bars:
            return [bar if bar.is_drawn else None for bar in series.bars]
        if series.arcs:
            return [arc if values[item] is not None else None for item, arc in enumerate(series.arcs)]
        return [None if point.is_skipped else point for point in series.points]

    def _label(self, element: _Element, options: Options, lines: Label) -> DataLabel | None:
        segment = _segment_of(element, self._series.value_scale)
        if options.flag("clamp") and (ends := self._series.chart.area.clip_line(*segment[:4])):
            segment = _Segment(*ends, segment.direction)
        anchor = options.choice("anchor", ("center", "start", "end"), "center")
        share = {"start": 0.0, "center": 0.5, "end": 1.0}[anchor]
        x = segment.x0 + (segment.x1 - segment.x0) * share
        y = segment.y0 + (segment.y1 - segment.y0) * share
        block = read_label(options, lines, self._font)
        along, down = _direction(options.value("align"), segment.direction)
        if along or down:
            across, high = block.reach
            longest = max(abs(along), abs(down))
            offset = options.number("offset")
            x += across * along / longest + offset * along
            y += high * down / longest + offset * down
        # The text is at the position, not its frame.
        x += (block.padding.right - block.padding.left) / 2
        y += (block.padding.bottom - block.padding.top) / 2
        if not (math.isfinite(x) and math.isfinite(y)):
            return None
        placed = _inside(block.at(x, y), self._view)
        if not placed.fill and "/" in _fill(element) and _is_inside(element, placed):
            # No text is readable on a pattern.
            placed = replace(placed, fill=self._palette.background)
        if not placed.color:
            placed = replace(placed, color=self._readable_color(element, placed))
        return DataLabel(placed, options.flag("clip"), options.value("display") == "auto")

    def _readable_color(self, element: _Element, block: LabelBlock) -> str:
        """Return the palette's color for labels, or one that is readable on the element or frame behind the label."""
        fill = block.fill or (_fill(element) if _is_inside(element, block) else "")
        if not fill:
            return self._palette.label_color
        alpha = int(fill[7:9], 16) / 255 if len(fill) == 9 else 1.0
        backdrop = mix(fill[:7], self._palette.background, 1 - alpha) if alpha < 1 else fill[:7]
        candidates = (self._palette.title_color, self._palette.background)
        return max(candidates, key=lambda color: contrast(color, backdrop))


def _options_of(series: Series, plugin: Options | None) -> list[Options]:
    """Return the options of each label of the values."""
    override = series.dataset.source.get("datalabels")
    if override is False or (plugin is None and not isinstance(override, dict)):
        return []
    remarks: Remarks = series.chart.remarks
    general = Options([DATA_LABELS], remarks) if plugin is None else plugin
    base = Options([as_object(override)], remarks).followed_by(general)
    labels = base.nested("labels")
    names = labels.names()
    if not names:
        return [base]
    return [labels.nested(name).followed_by(base) for name in names if labels.value(name) is not None]


def _lines(value: Json) -> Label:
    """Format a value like the plugin's default formatter."""
    if isinstance(value, dict):
        label = next((value[key] for key in ("label", "r") if value.get(key) is not None), None)
        if label is None:
            return (", ".join(f"{key}: {to_string(each)}" for key, each in value.items()),)
        value = label
    if value is None or isinstance(value, dict):
        return ()
    if isinstance(value, list):
        return (", ".join(map(to_string, value)),)
    return tuple(to_string(value).split("\n"))


def _segment_of(element: _Element, scale: Scale | None) -> _Segment:
    if isinstance(element, ArcElement):
        angle = (element.start + element.end) / 2
        cos, sin = math.cos(angle), math.sin(angle)
        inner, outer = element.inner_radius, element.outer_radius
        ends = (element.x + cos * inner, element.y + sin * inner, element.x + cos * outer, element.y + sin * outer)
        return _Segment(*ends, (cos, sin))
    if isinstance(element, BarElement):
        if element.is_horizontal:
            ends = (min(element.x, element.base), element.y, max(element.x, element.base), element.y)
            return _Segment(*ends, (1.0, 0.0))
        ends = (element.x, max(element.y, element.base), element.x, min(element.y, element.base))
        return _Segment(*ends, (0.0, -1.0))
    along, down = _away(element, scale)
    radius = element.style.radius if element.style else 0.0
    across, high = along * radius, down * radius
    return _Segment(element.x - across, element.y - high, element.x + across, element.y + high, (along, down))


def _away(point: PointElement, scale: Scale | None) -> tuple[float, float]:
    """Return the direction away from the center of a radial scale; else up."""
    if not isinstance(scale, RadialScale):
        return 0.0, -1.0
    across, down = point.x - scale.center_x, point.y - scale.center_y
    length = math.hypot(across, down)
    return (across / length, down / length) if length else (0.0, -1.0)


def _direction(align: Json, natural: tuple[float, float]) -> tuple[float, float]:
    if align == "end":
        return natural
    if align == "start":
        return -natural[0], -natural[1]
    if isinstance(align, str) and align in _DIRECTIONS:
        return _DIRECTIONS[align]
    degrees = parse_number(align)
    if degrees is None:
        return 0.0, 0.0
    return math.cos(math.radians(degrees)), math.sin(math.radians(degrees))


def _inside(block: LabelBlock, view: Box) -> LabelBlock:
    """Move a block into the image."""
    across, down = block.reach
    return block.at(
        max(view.left + across, min(block.x, view.right - across)),
        max(view.top + down, min(block.y, view.bottom - down)),
    )


def _fill(element: _Element) -> str:
    return element.style.fill if element.style is not None else ""


def _is_inside(element: _Element, block: LabelBlock) -> bool:
    if isinstance(element, ArcElement):
        distance = math.hypot(block.x - element.x, block.y - element.y)
        return element.inner_radius <= distance <= element.outer_radius
    if isinstance(element, BarElement):
        if element.is_horizontal:
            return min(element.x, element.base) <= block.x <= max(element.x, element.base)
        return min(element.y, element.base) <= block.y <= max(element.y, element.base)
    radius = element.style.radius if element.style else 0.0
    return math.hypot(block.x - element.x, block.y - element.y) < radius and block.height / 2 < radius
