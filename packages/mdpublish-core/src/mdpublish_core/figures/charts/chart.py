"""A chart put together: its configuration on scales, laid out, with a mark for each value."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Literal

from mdpublish_core.figures.charts.configuration import Configuration, ScaleConfiguration
from mdpublish_core.figures.charts.layout import Part, laid_out
from mdpublish_core.figures.charts.legends import Legend
from mdpublish_core.figures.charts.options import Remarks
from mdpublish_core.figures.charts.palettes import Palette
from mdpublish_core.figures.charts.scales import SCALES
from mdpublish_core.figures.charts.scales.base import Scale
from mdpublish_core.figures.charts.scales.options import read_options
from mdpublish_core.figures.charts.series import SERIES
from mdpublish_core.figures.charts.series.base import Beside, LegendItem, Series, Stack, StackKey
from mdpublish_core.figures.charts.shapes.boxes import Box
from mdpublish_core.figures.charts.shapes.curves import curve_through
from mdpublish_core.figures.charts.shapes.fills import resolved_target
from mdpublish_core.figures.charts.shapes.marks import Fill, LineMark
from mdpublish_core.figures.charts.shapes.segments import Steps, segments_of
from mdpublish_core.figures.charts.titles import TitleBlock
from mdpublish_core.figures.charts.values import Json

MOST_TIPS = 5000
"""Marks that a reader is told of one by one: nobody can point at one of more, and they would make a page much larger."""

# Points in each pixel across the chart, from which on they are close.
_CLOSE = 4

_SUBTITLE_WEIGHT, _TITLE_WEIGHT = 1500.0, 2000.0


class Chart:
    """A chart with all in its place; lengths in px."""

    def __init__(self, configuration: Configuration, palette: Palette, remarks: Remarks) -> None:
        self.configuration = configuration
        self.palette = palette
        self.remarks = remarks
        self.width, self.height = configuration.width, configuration.height
        self.locale = configuration.locale
        self.labels = configuration.labels
        self.area = Box(0.0, 0.0, self.width, self.height)
        self.stacks: dict[StackKey, Stack] = {}
        self.beside: dict[tuple[str, str, bool, float | None], Beside] = {}
        self._on_scales: dict[tuple[int, str | None], list[Series]] = {}
        self.scales: Mapping[str, Scale] = {each.name: self._scale(each) for each in configuration.scales}
        for scale in self.scales.values():
            scale.read_limits()
        self.series: Sequence[Series] = [SERIES[dataset.type](dataset, self) for dataset in configuration.datasets]
        self.steps = Steps.for_points(sum(len(series.data) for series in self.series))
        for series in self.series:
            series.read_data()
            series.remark_on_data()
        for series in self.series:
            series.join_stacks()
        self._find_ends_of_stacks()
        self._build()

    @cached_property
    def has_tips(self) -> bool:
        """Whether readers are told of each mark that they point at."""
        return sum(len(series.data) for series in self.series) <= MOST_TIPS

    @property
    def index_axis(self) -> str:
        return self.configuration.index_axis

    @cached_property
    def visible(self) -> list[Series]:
        """The series that are shown, in their order: the first is drawn last."""
        shown = [series for series in self.series if series.is_visible]
        return sorted(shown, key=lambda series: (series.dataset.order, series.number))

    def labels_along(self, *, is_horizontal: bool) -> list[Json]:
        own = self.configuration.x_labels if is_horizontal else self.configuration.y_labels
        return self.labels if own is None else own

    def series_on(self, scale: Scale, kind: str | None = None) -> Sequence[Series]:
        """Return the series that a scale shows, those of a type alone if that is named."""
        key = id(scale), kind
        if key not in self._on_scales:
            self._on_scales[key] = [
                series for series in self.visible if series.is_on(scale) and kind in {None, series.type}
            ]
        return self._on_scales[key]

    def _scale(self, configured: ScaleConfiguration) -> Scale:
        options = read_options(configured.options, configured.axis, self.configuration.font)
        return SCALES[configured.type](configured.name, options, configured.options, self)

    def _find_ends_of_stacks(self) -> None:
        """Find for each stack which series is outermost above zero, and which below."""
        for (_, scale, _, _), stack in self.stacks.items():
            if len(stack.values) < 1:
                continue
            on = self.series_on(self.scales[scale])
            for series in reversed(on):
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
        least = max([0.0, *overflows]) if layout.flag("autoPadding") else 0.0
        parts: list[Part] = [self.legend, self.subtitle, self.title, *self.scales.values()]
        self.area = laid_out(
            parts, width=self.width, height=self.height, padding=layout.sides("padding"), least_padding=least
        )
        for scale in self.scales.values():
            scale.configure()
        self.legend.place_items()
        for series in self.series:
            if series.is_visible:
                series.make_marks()
        self._draw_lines()

    def _draw_lines(self) -> None:
        """Find the parts of lines, and bend those that are curved."""
        for series in self.visible:
            line = series.line
            if line is not None:
                if line.style.is_curved and len(line.points) > _CLOSE * self.width:
                    # Between points of which several stand in a pixel nobody sees a curve.
                    line.style = replace(line.style, tension=0.0, is_monotone=False)
                axis: Literal["x", "y"] = "y" if series.dataset.index_axis == "y" else "x"
                line.segments = segments_of(line, spans_gaps=series.spans_gaps)
                curve_through(line, self.area, index_axis=axis, spans_gaps=series.spans_gaps)

    def lines(self) -> dict[int, LineMark]:
        """Return the lines that are shown, by the numbers of their datasets."""
        return {series.number: series.line for series in self.visible if series.line is not None}

    def fill_of(self, series: Series) -> Fill | None:
        """Return what a line is filled up to, past lines that are not shown."""
        fills = {each.number: each.fill for each in self.series if each.has_line}
        visible = [each.is_visible for each in self.series]
        propagates = self.configuration.filler.value("propagate") is not False
        return resolved_target(fills, series.number, visible=visible, propagates=propagates)

    def _legend_items(self, uses_points: bool) -> list[LegendItem]:
        """Return what the legend names: the datasets, or of a chart of slices its labels."""
        if SERIES[self.configuration.type].LABELS_ARE_ITEMS:
            return self.series[0].label_items() if self.series else []
        ordered = sorted(self.series, key=lambda series: (series.dataset.order, series.number))
        return [item for series in ordered for item in series.legend_items(uses_points=uses_points)]
