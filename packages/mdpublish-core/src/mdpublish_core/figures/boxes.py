"""Rectangles in px: areas of charts, diagrams and drawings."""

import math
from typing import NamedTuple

# px; tolerates positions that were rounded before.
_ROUNDING = 0.5


class Box(NamedTuple):
    """A rectangle by its edges, in px."""

    left: float
    top: float
    right: float
    bottom: float

    @classmethod
    def at(cls, left: float, top: float, width: float, height: float) -> "Box":
        return cls(left, top, left + width, top + height)

    @classmethod
    def around(cls, x: float, y: float, width: float, height: float) -> "Box":
        return cls(x - width / 2, y - height / 2, x + width / 2, y + height / 2)

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.bottom - self.top

    @property
    def is_empty(self) -> bool:
        return not (self.right > self.left and self.bottom > self.top)

    def meets(self, other: "Box") -> bool:
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )

    def holds(self, point: tuple[float, float]) -> bool:
        return self.left <= point[0] <= self.right and self.top <= point[1] <= self.bottom

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
        return Box(*map(max, self[:2], other[:2]), *map(min, self[2:], other[2:]))

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
