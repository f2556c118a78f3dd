"""Base class of pie, doughnut and polar area charts."""

from abc import abstractmethod
from functools import cached_property
from typing import ClassVar

from mdpublish_core.figures.charts.fonts import label_of
from mdpublish_core.figures.charts.series.base import ElementType, LegendItem, Series
from mdpublish_core.figures.charts.series.legend_items import dataset_item
from mdpublish_core.figures.charts.series.styles import ArcStyleResolver, Colors
from mdpublish_core.figures.charts.values import parse_number


class SliceSeries(Series):
    """A slice for each value."""

    ELEMENT_TYPE: ClassVar[ElementType] = "arc"
    INDEX_AXIS: ClassVar[str] = "r"
    HAS_LABEL_ITEMS: ClassVar[bool] = True
    MAX_ITEMS: ClassVar[int] = 1000

    @property
    @abstractmethod
    def colors(self) -> Colors:
        """Return the slices' colors."""

    @cached_property
    def styles(self) -> ArcStyleResolver:
        return ArcStyleResolver(
            self.dataset.element_options, self.colors, default_mode=str(self.DEFAULTS["spacingMode"])
        )

    def legend_items(self, *, uses_points: bool) -> list[LegendItem]:
        del uses_points
        style, options = self.styles.at(0), self.dataset.element_options.at(0)
        return [dataset_item(self, style.fill, style.stroke.color, options, has_dash=False)]

    def label_items(self) -> list[LegendItem]:
        items: list[LegendItem] = []
        for item, label in enumerate(self.chart.labels):
            style = self.styles.at(item)
            radius = self.dataset.element_options.at(item).value("borderRadius")
            items.append(
                LegendItem(
                    label_lines=label_of(label),
                    fill=style.fill,
                    stroke=style.stroke,
                    shape=None,
                    rotation=0.0,
                    corner=parse_number(radius) or 0.0,
                )
            )
        return items
