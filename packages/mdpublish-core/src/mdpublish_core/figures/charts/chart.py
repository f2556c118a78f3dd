"""A chart: configuration, scales, layout and elements."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Literal

from mdpublish_core.figures.boxes import Box
from mdpublish_core.figures.charts.configuration import Configuration, ScaleConfiguration
from mdpublish_core.figures.charts.fonts import Font
from mdpublish_core.figures.charts.layout import Layout
from mdpublish_core.figures.charts.legends import Legend
from mdpublish_core.figures.charts.options import Remarks
from mdpublish_core.figures.charts.palettes import Palette
from mdpublish_core.figures.charts.plugins.annotations import read_annotations
from mdpublish_core.figures.charts.plugins.data_labels import data_labels
from mdpublish_core.figures.charts.scales import SCALES
from mdpublish_core.figures.charts.scales.base import Scale
from mdpublish_core.figures.charts.scales.options import read_scale_options
from mdpublish_core.figures.charts.series import SERIES
from mdpublish_core.figures.charts.series.base import LegendItem, Series, Stack, StackGroup, StackKey
from mdpublish_core.figures.charts.shapes.curves import compute_control_points
from mdpublish_core.figures.charts.shapes.elements import Fill, LayoutItem, LineElement
from mdpublish_core.figures.charts.shapes.fills import resolve_fill_target
from mdpublish_core.figures.charts.shapes.segments import StepBudget, segments_of
from mdpublish_core.figures.charts.titles import TitleBlock
from mdpublish_core.figures.charts.values import Json

MAX_TOOLTIPS = 5000
"""Charts with more elements have no tooltips: elements would be too small to point at, and pages large."""

# Above this density (points per px of width), curves are drawn straight.
_MAX_POINTS_PER_PIXEL = 4

_SUBTITLE_WEIGHT, _TITLE_WEIGHT = 1500.0, 2000.0


class Chart:
    """A chart after layout; lengths in px."""

    def __init__(self, configuration: Configuration, palette: Palette, remarks: Remarks) -> None:
        self.configuration = configuration
        self.palette = palette
        self.remarks = remarks
        self.width, self.height = configuration.width, configuration.height
        self.locale = configuration.locale
        self.labels, self.index_axis = configuration.labels, configuration.index_axis
        self.area = Box(0.0, 0.0, self.width, self.height)
        self.stacks: dict[StackKey, Stack] = {}
        self.stack_groups: dict[tuple[str, str, bool, float | None], StackGroup] = {}
        self._series_by_scale: dict[tuple[int, str | None], list[Series]] = {}
        self.scales: Mapping[str, Scale] = {each.name: self._scale(each) for each in configuration.scales}
        for scale in self.scales.values():
            scale.read_limits()
        self.series: Sequence[Series] = [SERIES[dataset.type](dataset, self) for dataset in configuration.datasets]
        self.budget = StepBudget.for_points(sum(len(series.data) for series in self.series))
        for series in self.series:
            series.read_data()
            series.remark_on_data()
        for series in self.series:
            series.join_stacks()
        self._find_stack_ends()
        self.annotation_readers = read_annotations(configuration.annotations, self.scales, configuration.font)
        for scale in self.scales.values():
            scale.annotated_values = [value for each in self.annotation_readers for value in each.values_on(scale)]
        self._build()

    @cached_property
    def has_tooltips(self) -> bool:
        return sum(len(series.data) for series in self.series) <= MAX_TOOLTIPS

    @cached_property
    def visible_series(self) -> list[Series]:
        """The visible series in order; the first is drawn last."""
        shown = [series for series in self.series if series.is_visible]
        return sorted(shown, key=lambda series: (series.dataset.sort_order, series.number))

    def axis_labels(self, *, is_horizontal: bool) -> list[Json]:
        labels = self.configuration.x_labels if is_horizontal else self.configuration.y_labels
        return self.labels if labels is None else labels

    def series_on(self, scale: Scale, kind: str | None = None) -> Sequence[Series]:
        key = id(scale), kind
        if key not in self._series_by_scale:
            self._series_by_scale[key] = [
                series for series in self.visible_series if series.is_on(scale) and kind in {None, series.type}
            ]
        return self._series_by_scale[key]

    def _scale(self, configured: ScaleConfiguration) -> Scale:
        options = read_scale_options(configured.options, configured.axis, self.configuration.font)
        return SCALES[configured.type](configured.name, options, configured.options, self)

    def _find_stack_ends(self) -> None:
        """Find the outermost visible series of each stack."""
        for (_, scale, _, _), stack in self.stacks.items():
            for series in reversed(self.series_on(self.scales[scale])):
                value = stack.values.get(series.number)
                if value is None:
                    continue
                if value > 0 and stack.top is None:
                    stack.top = series.number
                elif value < 0 and stack.bottom is None:
                    stack.bottom = series.number

    def _build(self) -> None:
        configuration, font = self.configuration, self.configuration.font
        self.legend = Legend(configuration.legend, font, self._legend_items)
        self.subtitle = TitleBlock(configuration.subtitle, font, _SUBTITLE_WEIGHT)
        self.title = TitleBlock(configuration.title, font, _TITLE_WEIGHT)
        layout = configuration.layout
        overflows = [series.overflow() or 0.0 for series in self.series]
        min_padding = max([0.0, *overflows]) if layout.flag("autoPadding") else 0.0
        parts: list[LayoutItem] = [self.legend, self.subtitle, self.title, *self.scales.values()]
        padding = layout.sides("padding")
        beside = sum(part.shares_space and not part.is_horizontal for part in parts) or 1
        room = room_for_names(configuration, self.palette, self.series)
        if room:
            self.legend.is_displayed = self.legend.shares_space = False
            padding = padding._replace(right=padding.right + room)
        self.legend.move_below((self.width - padding.width) / 2 / beside, self.height - padding.height)
        self.area = Layout(parts, self.width, self.height, padding, min_padding).run()
        for scale in self.scales.values():
            scale.configure()
        self.legend.position_items()
        for series in self.series:
            if series.is_visible:
                series.build_elements()
        self._prepare_lines()
        self.names = name_heights(self.series, self.area, font) if room else []
        view = Box(0.0, 0.0, self.width, self.height)
        self.data_labels = data_labels(self.visible_series, configuration.data_labels, self.palette, font, view)
        built = (each.build(self.area) for each in self.annotation_readers)
        self.annotations = sorted((each for each in built if each is not None), key=lambda each: each.z)

    def _prepare_lines(self) -> None:
        for series in self.visible_series:
            line = series.line
            if line is not None:
                if line.style.is_curved and len(line.points) > _MAX_POINTS_PER_PIXEL * self.width:
                    # Curves are not visible at several points per px.
                    line.style = replace(line.style, tension=0.0, is_monotone=False)
                axis: Literal["x", "y"] = "y" if series.dataset.index_axis == "y" else "x"
                line.segments = segments_of(line, spans_gaps=series.spans_gaps)
                compute_control_points(line, self.area, index_axis=axis, spans_gaps=series.spans_gaps)

    def lines(self) -> dict[int, LineElement]:
        return {series.number: series.line for series in self.visible_series if series.line is not None}

    def resolve_fill(self, series: Series) -> Fill | None:
        """Return the target of a line, skipping hidden lines."""
        fills = {each.number: each.fill for each in self.series if each.has_line}
        visible = [each.is_visible for each in self.series]
        propagates = self.configuration.filler.value("propagate") is not False
        return resolve_fill_target(fills, series.number, visible=visible, propagates=propagates)

    def _legend_items(self, uses_points: bool) -> list[LegendItem]:
        if SERIES[self.configuration.type].HAS_LABEL_ITEMS:
            return self.series[0].label_items() if self.series else []
        sorted_series = sorted(self.series, key=lambda series: (series.dataset.sort_order, series.number))
        return [item for series in sorted_series for item in series.legend_items(uses_points=uses_points)]


_MAX_NAMED_LINES = 4

# In px, between a line and its name; of the chart's width.
NAME_GAP = 8.0
_MAX_SHARE = 0.3


def room_for_names(configuration: Configuration, palette: Palette, series: Sequence[Series]) -> float:
    """Return the px that names need beside a chart; 0 if a legend has them, as the author, theme or clarity demands."""
    names = [each.label for each in series]
    is_plain = (
        palette.dress.labels == "direct"
        and not configuration.has_configured_legend
        and configuration.data_labels is None
        and len(series) <= _MAX_NAMED_LINES
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
