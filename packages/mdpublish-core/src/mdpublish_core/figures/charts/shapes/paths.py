"""SVG path data, built like a path of a canvas.

Lengths are in px; angles in radians, clockwise from the positive x axis. As on a canvas, NaN and infinity are ignored.
"""

import math
from typing import NamedTuple, Self

from mdpublish_core.figures.boxes import Box

# px; closer points are equal.
_EPSILON = 1e-4

# px; larger coordinates are ignored.
_MAX_COORDINATE = 1e6

# Radians; closer angles are equal. Canvases use single precision.
_ANGLE_EPSILON = 1e-6

# Longer arcs are split: near half a turn, 0.01 px at the ends moves the middle by a whole px.
_MAX_ARC_ANGLE = math.tau / 3


class Corners(NamedTuple):
    """Corner radii of a rectangle, in px."""

    top_left: float = 0.0
    top_right: float = 0.0
    bottom_right: float = 0.0
    bottom_left: float = 0.0


def format_length(value: float) -> str:
    if not -_MAX_COORDINATE < value < _MAX_COORDINATE:
        value = 0.0 if math.isnan(value) else math.copysign(_MAX_COORDINATE, value)
    digits = f"{value:.2f}"
    digits = digits.rstrip("0").rstrip(".")
    return "0" if digits == "-0" else digits


class Path:
    """A path under construction. `data` is the value of its `d` attribute.

    `box` is that of all points, with control points and the full circles of arcs.
    """

    __slots__ = ("_parts", "_position", "_start", "box")

    def __init__(self) -> None:
        self.box = Box(math.inf, math.inf, -math.inf, -math.inf)
        self._parts: list[str] = []
        self._position: tuple[float, float] | None = None
        self._start: tuple[float, float] | None = None

    @property
    def data(self) -> str:
        return "".join(self._parts)

    @property
    def is_empty(self) -> bool:
        return not self._parts

    def _reach(self, x: float, y: float, radius: float = 0.0) -> None:
        left, top, right, bottom = self.box
        self.box = Box(min(left, x - radius), min(top, y - radius), max(right, x + radius), max(bottom, y + radius))

    def move(self, x: float, y: float) -> Self:
        """Start a subpath. Removes an empty one."""
        if not _are_finite(x, y):
            return self
        if self._parts and self._parts[-1].startswith("M"):
            self._parts.pop()
        self._start = (x, y)
        return self._to("M", x, y)

    def line(self, x: float, y: float) -> Self:
        """Draw a line, or start a subpath."""
        if self._position is None:
            return self.move(x, y)
        if self._position == (x, y) or not _are_finite(x, y):
            return self
        return self._to("L", x, y)

    def _to(self, command: str, x: float, y: float) -> Self:
        self._reach(x, y)
        self._parts.append(f"{command}{format_length(x)} {format_length(y)}")
        self._position = (x, y)
        return self

    def curve(  # noqa: PLR0917  (three places, as a canvas takes them)
        self, x1: float, y1: float, x2: float, y2: float, x: float, y: float
    ) -> Self:
        if not _are_finite(x1, y1, x2, y2, x, y):
            return self
        if self._position is None:
            self.move(x1, y1)
        for point in ((x1, y1), (x2, y2), (x, y)):
            self._reach(*point)
        points = " ".join(map(format_length, (x1, y1, x2, y2, x, y)))
        self._parts.append(f"C{points}")
        self._position = (x, y)
        return self

    def arc(self, x: float, y: float, radius: float, start: float, end: float, *, is_backward: bool = False) -> Self:
        """Draw an arc, and a line to its start."""
        if not _are_finite(x - radius, x + radius, y - radius, y + radius, end - start):
            return self
        radius = max(radius, 0.0)
        self._reach(x, y, radius)
        extent = _arc_angle(start, end, is_backward=is_backward)
        first = (x + math.cos(start) * radius, y + math.sin(start) * radius)
        if self._position is None:
            self.move(*first)
        elif math.dist(self._position, first) > _EPSILON:
            self.line(*first)
        pieces = math.ceil(abs(extent) / _MAX_ARC_ANGLE - _ANGLE_EPSILON) if radius > 0 else 0
        for piece in range(1, pieces + 1):
            angle = start + extent * piece / pieces
            point = (x + math.cos(angle) * radius, y + math.sin(angle) * radius)
            size = format_length(radius)
            self._parts.append(
                f"A{size} {size} 0 0 {int(extent > 0)} {format_length(point[0])} {format_length(point[1])}"
            )
            self._position = point
        return self

    def ellipse(self, x: float, y: float, radius_x: float, radius_y: float) -> Self:
        if not _are_finite(x - radius_x, x + radius_x, y - radius_y, y + radius_y):
            return self
        self.move(x + radius_x, y)
        sizes = f"{format_length(radius_x)} {format_length(radius_y)}"
        for along, across in ((0, 1), (-1, 0), (0, -1), (1, 0)):
            point = f"{format_length(x + along * radius_x)} {format_length(y + across * radius_y)}"
            self._parts.append(f"A{sizes} 0 0 1 {point}")
        return self.close()

    def rectangle(self, x: float, y: float, width: float, height: float) -> Self:
        if not _are_finite(x, y, x + width, y + height):
            return self
        self.move(x, y)
        self._parts.append(f"H{format_length(x + width)}V{format_length(y + height)}H{format_length(x)}")
        return self.close()

    def rounded_rectangle(self, x: float, y: float, width: float, height: float, corners: Corners) -> Self:
        if not _are_finite(x, y, x + width, y + height, *corners):
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
        if self._parts and self._parts[-1] != "Z":
            self._parts.append("Z")
            self._position = self._start
        return self


def _are_finite(*numbers: float) -> bool:
    return all(map(math.isfinite, numbers))


def _arc_angle(start: float, end: float, *, is_backward: bool) -> float:
    """Return at most one turn: https://html.spec.whatwg.org/multipage/canvas.html#dom-context-2d-arc."""
    extent = start - end if is_backward else end - start
    if -_ANGLE_EPSILON < extent < 0:
        extent = 0.0
    extent = math.tau if extent >= math.tau else extent % math.tau
    return -extent if is_backward else extent
