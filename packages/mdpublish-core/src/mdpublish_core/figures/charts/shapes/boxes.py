"""Rectangles: a chart's area, a scale's place, and what is clipped to them."""

from typing import NamedTuple

# A point this far outside, in px, still counts as inside: positions were rounded before they came here.
_ROUNDING = 0.5


class Box(NamedTuple):
    """A rectangle by the places of its sides, in px."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        """How far its right side is from its left one."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """How far its bottom is from its top."""
        return self.bottom - self.top

    @property
    def is_empty(self) -> bool:
        """Whether it covers nothing; so does one whose sides are no numbers."""
        return not (self.right > self.left and self.bottom > self.top)

    def contains_point(self, x: float, y: float, margin: float = 0.0) -> bool:
        """Tell whether a point is inside, or less than a margin outside; without one, half a px is allowed."""
        margin = margin or _ROUNDING
        return (
            self.left - margin < x < self.right + margin  # what is no number is nowhere
            and self.top - margin < y < self.bottom + margin
        )

    def contains(self, other: "Box", margin: float = 0.0) -> bool:
        """Tell whether all of another box is inside, or at most a margin outside."""
        return (
            self.left - margin <= other.left
            and self.top - margin <= other.top
            and other.right <= self.right + margin
            and other.bottom <= self.bottom + margin
        )

    def intersection(self, other: "Box") -> "Box":
        """Return what both boxes cover; it may be empty."""
        return Box(
            max(self.left, other.left),
            max(self.top, other.top),
            min(self.right, other.right),
            min(self.bottom, other.bottom),
        )
