"""Rectangles in px: chart areas, scale boxes and clips."""

from typing import NamedTuple

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
