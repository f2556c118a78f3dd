"""SVG's path data, by the strokes of a pen.

https://www.w3.org/TR/SVG2/paths.html#PathData

Lengths are in px, angles in radians, clockwise from the right, as in a canvas. And as there, a stroke to or by a place that
is no number, or infinitely far, is none, and so is a line of no length.
"""

import math
from typing import NamedTuple, Self

# Two points closer than this, in px, are the same.
_SAME = 1e-4

# Nothing farther away is on any page, in px.
_FARTHEST = 1e6

# Two angles closer than this, in radians, are the same; a canvas counts in single precision.
_SAME_ANGLE = 1e-6

# A longer arc is drawn in pieces. Near half a turn, a hundredth of a px at its ends would move its middle by a whole one.
_LONGEST_ARC = math.tau / 3


class Corners(NamedTuple):
    """The radii of a rectangle's four corners."""

    top_left: float = 0.0
    top_right: float = 0.0
    bottom_right: float = 0.0
    bottom_left: float = 0.0


def number(value: float) -> str:
    """Return a length as it is written: to a hundredth of a px, without what says nothing."""
    if not -_FARTHEST < value < _FARTHEST:
        value = 0.0 if math.isnan(value) else math.copysign(_FARTHEST, value)
    text = f"{value:.2f}"
    text = text.rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


class Path:
    """A path that grows; `data` is what the attribute `d` holds."""

    __slots__ = ("_at", "_parts", "_start")

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._at: tuple[float, float] | None = None
        self._start: tuple[float, float] | None = None

    @property
    def data(self) -> str:
        """What is drawn so far."""
        return "".join(self._parts)

    @property
    def is_empty(self) -> bool:
        """Whether nothing is drawn yet."""
        return not self._parts

    def move(self, x: float, y: float) -> Self:
        """Begin a new part at a point; one of nothing but its beginning is gone then."""
        if not _is_place(x, y):
            return self
        if self._parts and self._parts[-1].startswith("M"):
            self._parts.pop()
        self._parts.append(f"M{number(x)} {number(y)}")
        self._at = self._start = (x, y)
        return self

    def line(self, x: float, y: float) -> Self:
        """Draw a straight line to a point; the first one begins there."""
        if self._at is None:
            return self.move(x, y)
        if self._at == (x, y) or not _is_place(x, y):
            return self
        self._parts.append(f"L{number(x)} {number(y)}")
        self._at = (x, y)
        return self

    def curve(  # noqa: PLR0917  (three places, as a canvas takes them)
        self, x1: float, y1: float, x2: float, y2: float, x: float, y: float
    ) -> Self:
        """Draw a cubic Bézier curve by two control points to an end."""
        if not _is_place(x1, y1, x2, y2, x, y):
            return self
        if self._at is None:
            self.move(x1, y1)
        points = " ".join(map(number, (x1, y1, x2, y2, x, y)))
        self._parts.append(f"C{points}")
        self._at = (x, y)
        return self

    def arc(self, x: float, y: float, radius: float, start: float, end: float, *, is_backward: bool = False) -> Self:
        """Draw a part of a circle around a point from one angle to another, and a line to where it begins."""
        if not _is_place(x - radius, x + radius, y - radius, y + radius, end - start):
            return self
        radius = max(radius, 0.0)
        sweep = _sweep(start, end, is_backward=is_backward)
        first = (x + math.cos(start) * radius, y + math.sin(start) * radius)
        if self._at is None:
            self.move(*first)
        elif math.dist(self._at, first) > _SAME:
            self.line(*first)
        pieces = math.ceil(abs(sweep) / _LONGEST_ARC - _SAME_ANGLE) if radius > 0 else 0
        for piece in range(1, pieces + 1):
            angle = start + sweep * piece / pieces
            point = (x + math.cos(angle) * radius, y + math.sin(angle) * radius)
            size = number(radius)
            self._parts.append(f"A{size} {size} 0 0 {int(sweep > 0)} {number(point[0])} {number(point[1])}")
            self._at = point
        return self

    def ellipse(self, x: float, y: float, radius_x: float, radius_y: float) -> Self:
        """Draw a whole ellipse around a point."""
        if not _is_place(x - radius_x, x + radius_x, y - radius_y, y + radius_y):
            return self
        self.move(x + radius_x, y)
        sizes = f"{number(radius_x)} {number(radius_y)}"
        for along, across in ((0, 1), (-1, 0), (0, -1), (1, 0)):
            place = f"{number(x + along * radius_x)} {number(y + across * radius_y)}"
            self._parts.append(f"A{sizes} 0 0 1 {place}")
        return self.close()

    def rectangle(self, x: float, y: float, width: float, height: float) -> Self:
        """Draw a rectangle from its corner at the top left; a negative size goes the other way."""
        if not _is_place(x, y, x + width, y + height):
            return self
        self.move(x, y)
        self._parts.append(f"H{number(x + width)}V{number(y + height)}H{number(x)}")
        return self.close()

    def rounded(self, x: float, y: float, width: float, height: float, corners: Corners) -> Self:
        """Draw a rectangle with round corners."""
        if not _is_place(x, y, x + width, y + height, *corners):
            return self
        right, bottom = x + width, y + height
        half = math.pi / 2
        self.move(x, y + corners.top_left)
        self.arc(x + corners.top_left, y + corners.top_left, corners.top_left, math.pi, math.pi + half)
        self.arc(right - corners.top_right, y + corners.top_right, corners.top_right, -half, 0.0)
        self.arc(right - corners.bottom_right, bottom - corners.bottom_right, corners.bottom_right, 0.0, half)
        self.arc(x + corners.bottom_left, bottom - corners.bottom_left, corners.bottom_left, half, math.pi)
        return self.close()

    def close(self) -> Self:
        """Go straight back to where the part began."""
        if self._parts and self._parts[-1] != "Z":
            self._parts.append("Z")
            self._at = self._start
        return self


def _is_place(*numbers: float) -> bool:
    return all(map(math.isfinite, numbers))


def _sweep(start: float, end: float, *, is_backward: bool) -> float:
    """Return by how much an arc turns, negative against the clock; more than a turn is a turn.

    https://html.spec.whatwg.org/multipage/canvas.html#dom-context-2d-arc
    """
    turn = start - end if is_backward else end - start
    if -_SAME_ANGLE < turn < 0:
        turn = 0.0
    turn = math.tau if turn >= math.tau else turn % math.tau
    return -turn if is_backward else turn
