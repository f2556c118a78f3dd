"""Rectangles in px: chart areas, clips, and items with a place of their own."""

import math
from abc import ABC, abstractmethod
from typing import NamedTuple

from mdpublish_core.figures.charts.shapes.elements import Sides

# px; tolerates positions that were rounded before.
_ROUNDING = 0.5


class Box(NamedTuple):
    """A rectangle by its edges, in px."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.bottom - self.top

    @property
    def is_empty(self) -> bool:
        return not (self.right > self.left and self.bottom > self.top)

    def contains_point(self, x: float, y: float, margin: float = 0.0) -> bool:
        margin = margin or _ROUNDING
        return (
            self.left - margin < x < self.right + margin  # False for NaN
            and self.top - margin < y < self.bottom + margin
        )

    def contains(self, other: "Box", margin: float = 0.0) -> bool:
        return (
            self.left - margin <= other.left
            and self.top - margin <= other.top
            and other.right <= self.right + margin
            and other.bottom <= self.bottom + margin
        )

    def intersection(self, other: "Box") -> "Box":
        return Box(
            max(self.left, other.left),
            max(self.top, other.top),
            min(self.right, other.right),
            min(self.bottom, other.bottom),
        )

    def clip_line(self, x1: float, y1: float, x2: float, y2: float) -> tuple[float, float, float, float] | None:
        """Return the part of a line inside; None if there is none."""
        if not all(map(math.isfinite, (x1, y1, x2, y2))):
            return None
        start, end = 0.0, 1.0
        across, down = x2 - x1, y2 - y1
        for step, distance in (
            (-across, x1 - self.left),
            (across, self.right - x1),
            (-down, y1 - self.top),
            (down, self.bottom - y1),
        ):
            if step < 0:
                start = max(start, distance / step)
            elif step > 0:
                end = min(end, distance / step)
            elif distance < 0:
                return None
        if start > end:
            return None
        return x1 + across * start, y1 + down * start, x1 + across * end, y1 + down * end


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
