"""The shapes of points, as the documentation of Chart.js shows them.

A radius is that of the circle around a shape. In a legend shapes may be wider than high.
https://www.chartjs.org/docs/latest/configuration/elements.html#point-styles
"""

import math
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from mdpublish_core.figures.charts.reckoning import RIGHT
from mdpublish_core.figures.charts.shapes.marks import PointShape
from mdpublish_core.figures.charts.shapes.paths import Path

# Of the radius, that of a rounded square's corners: it stays within the circle, and looks as large as the others.
_ROUNDNESS = 0.516

_HALF_RIGHT = RIGHT / 2

_OPEN: frozenset[PointShape] = frozenset({"cross", "crossRot", "star", "line", "dash"})


class _Spot(NamedTuple):
    """Where a point is, how large, and by which angle in radians it is turned."""

    x: float
    y: float
    radius: float
    angle: float
    width: float | None

    @property
    def half(self) -> float:
        """How far it reaches to a side."""
        return self.width / 2 if self.width else self.radius

    def at(self, angle: float) -> tuple[float, float]:
        """Return a place around it: its shape is turned, not what that is stretched to."""
        return self.x + math.cos(angle) * self.half, self.y + math.sin(angle) * self.radius


def is_open(shape: PointShape) -> bool:
    """Tell whether a shape is made of lines alone, so that there is nothing to fill."""
    return shape in _OPEN


def is_circle(shape: PointShape, width: float | None = None) -> bool:
    """Tell whether a circle around the point is all that a shape is."""
    return shape == "circle" and not width


def point_path(  # noqa: PLR0917  (a place, a size and a turn, as they are drawn)
    shape: PointShape, x: float, y: float, radius: float, rotation: float = 0.0, width: float | None = None
) -> Path:
    """Return the path of a point; an empty one where nothing shows. `rotation` is in degrees, `width` in px."""
    if not (0 < radius < math.inf and math.isfinite(rotation)) or shape == "none":
        return Path()
    return _SHAPES[shape](_Spot(x, y, radius, math.radians(rotation), width))


def _circle(spot: _Spot) -> Path:
    return Path().ellipse(spot.x, spot.y, spot.half, spot.radius)


def _triangle(spot: _Spot) -> Path:
    return _polygon(spot, (spot.angle - RIGHT + third * math.tau / 3 for third in range(3)))


def _square(spot: _Spot) -> Path:
    if spot.angle:
        return _diamond(spot._replace(angle=spot.angle + _HALF_RIGHT))
    high = spot.radius * math.sqrt(0.5)
    wide = spot.width / 2 if spot.width else high
    return Path().rectangle(spot.x - wide, spot.y - high, 2 * wide, 2 * high)


def _diamond(spot: _Spot) -> Path:
    return _polygon(spot, (spot.angle + math.pi + corner * RIGHT for corner in range(4)))


def _polygon(spot: _Spot, angles: Iterable[float]) -> Path:
    path = Path()
    for angle in angles:
        path.line(*spot.at(angle))
    return path.close()


def _rounded_square(spot: _Spot) -> Path:
    path = Path()
    corner = spot.radius * _ROUNDNESS
    size = spot.radius - corner
    wide = spot.width / 2 - corner if spot.width else size
    for number in range(4):
        begin = spot.angle - math.pi + number * RIGHT
        middle = begin + _HALF_RIGHT
        x, y = spot.x + math.cos(middle) * wide, spot.y + math.sin(middle) * size
        path.arc(x, y, corner, begin, begin + RIGHT)
    return path.close()


def _cross(spot: _Spot) -> Path:
    return _lines(spot, (spot.angle, spot.angle + RIGHT))


def _turned_cross(spot: _Spot) -> Path:
    return _cross(spot._replace(angle=spot.angle + _HALF_RIGHT))


def _star(spot: _Spot) -> Path:
    return _lines(spot, (spot.angle + number * _HALF_RIGHT for number in range(4)))


def _lines(spot: _Spot, angles: Iterable[float]) -> Path:
    """Draw lines through the middle."""
    path = Path()
    for angle in angles:
        path.move(*spot.at(angle + math.pi)).line(*spot.at(angle))
    return path


def _line(spot: _Spot) -> Path:
    """Draw a line; in a legend it is as wide however it is turned."""
    across = spot.width / 2 if spot.width else math.cos(spot.angle) * spot.radius
    down = math.sin(spot.angle) * spot.radius
    return Path().move(spot.x - across, spot.y - down).line(spot.x + across, spot.y + down)


def _dash(spot: _Spot) -> Path:
    return Path().move(spot.x, spot.y).line(*spot.at(spot.angle))


_SHAPES: Mapping[PointShape, Callable[[_Spot], Path]] = {
    "circle": _circle,
    "cross": _cross,
    "crossRot": _turned_cross,
    "dash": _dash,
    "line": _line,
    "rect": _square,
    "rectRounded": _rounded_square,
    "rectRot": _diamond,
    "star": _star,
    "triangle": _triangle,
}
