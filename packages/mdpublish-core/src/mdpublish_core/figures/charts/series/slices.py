"""What pies, doughnuts and polar areas have in common: slices, of which a legend names each."""

from abc import abstractmethod
from functools import cached_property
from typing import ClassVar

from mdpublish_core.figures.charts.series.base import LegendItem, MarkKind, Series
from mdpublish_core.figures.charts.series.items import item_of, slice_items
from mdpublish_core.figures.charts.series.looks import ArcLooks, Colours


class SliceSeries(Series):
    """A slice for each value."""

    MARK: ClassVar[MarkKind] = "arc"
    INDEX_AXIS: ClassVar[str] = "r"
    IS_RADIAL: ClassVar[bool] = True
    LABELS_ARE_ITEMS: ClassVar[bool] = True
    MOST_ITEMS: ClassVar[int] = 1000

    @property
    @abstractmethod
    def colours(self) -> Colours:
        """Those of its slices."""

    @cached_property
    def looks(self) -> ArcLooks:
        return ArcLooks(self.dataset.marks, self.colours, default_mode=str(self.DEFAULTS["spacingMode"]))

    def legend_items(self, *, uses_points: bool) -> list[LegendItem]:
        del uses_points
        style, options = self.looks.at(0), self.dataset.marks.at(0)
        return [item_of(self, style.fill, style.stroke.colour, options, has_dash=False)]

    def label_items(self) -> list[LegendItem]:
        return slice_items(self.chart.labels, self.looks, self.dataset.marks)
