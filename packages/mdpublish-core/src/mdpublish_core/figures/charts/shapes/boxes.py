"""Items of a chart with a place of their own."""

from abc import ABC, abstractmethod

from mdpublish_core.figures.boxes import Box
from mdpublish_core.figures.charts.shapes.elements import Sides


class LayoutItem(ABC):
    """An item placed around the chart area; lengths in px. By default, it is in no stack."""

    box = Box(0.0, 0.0, 0.0, 0.0)
    width = height = 0.0
    weight: float
    placement: str
    """A side, `chartArea`, or `x` or `y` for a scale that crosses the area."""

    is_horizontal: bool
    is_full_size = False
    shares_space: bool
    """Whether space is shared with other items."""

    stack = ""
    stack_weight = 1.0

    @property
    def overhang(self) -> Sides | None:
        """Space needed beyond the ends."""
        return None

    def begin_layout(self) -> None:  # noqa: B027  (most items never change)
        """Forget an earlier layout."""

    @abstractmethod
    def update(self, max_width: float, max_height: float, margins: Sides) -> None:
        """Set the size."""
