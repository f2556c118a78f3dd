"""Point styles of Chart.js.

A radius is that of the circumscribed circle. In a legend, a marker may be wider than high.
"""

import math
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from mdpublish_core.figures.charts.geometry import RIGHT_ANGLE
from mdpublish_core.figures.charts.shapes.elements import PointShape
from mdpublish_core.figures.charts.shapes.paths import Path

# Corner radius of `rectRounded`, relative: stays within the circle and looks as large as other styles.
_ROUNDNESS = 0.516

_HALF_RIGHT_ANGLE = RIGHT_ANGLE / 2

_OPEN: frozenset[PointShape] = frozenset({"cross", "crossRot", "star", "line", "dash"})


class _Marker(NamedTuple):
    """A marker in px, with its rotation in radians."""

    x: float
    y: float
    radius: float
    angle: float
    width: float | None

    @property
    def half(self) -> float:
        return self.width / 2 if self.width else self.radius

    def at(self, angle: float) -> tuple[float, float]:
        """Return a point on the outline. Rotation comes before stretching to the width."""
        return self.x + math.cos(angle) * self.half, self.y + math.sin(angle) * self.radius


def is_open(shape: PointShape) -> bool:
    return shape in _OPEN


def marker_path(  # noqa: PLR0917  (a place, a size and a turn, as they are drawn)
    shape: PointShape, x: float, y: float, radius: float, rotation: float = 0.0, width: float | None = None
) -> Path:
    """`rotation` is in degrees, `width` in px."""
    if not (0 < radius < math.inf and math.isfinite(rotation)) or shape == "none":
        return Path()
    return _SHAPES[shape](_Marker(x, y, radius, math.radians(rotation), width))


def _square(marker: _Marker) -> Path:
    if marker.angle:
        return _diamond(marker._replace(angle=marker.angle + _HALF_RIGHT_ANGLE))
    high = marker.radius * math.sqrt(0.5)
    wide = marker.width / 2 if marker.width else high
    return Path().rectangle(marker.x - wide, marker.y - high, 2 * wide, 2 * high)


def _diamond(marker: _Marker) -> Path:
    return _polygon(marker, (marker.angle + math.pi + corner * RIGHT_ANGLE for corner in range(4)))


def _polygon(marker: _Marker, angles: Iterable[float]) -> Path:
    path = Path()
    for angle in angles:
        path.line(*marker.at(angle))
    return path.close()


def _rounded_square(marker: _Marker) -> Path:
    path = Path()
    corner = marker.radius * _ROUNDNESS
    size = marker.radius - corner
    wide = marker.width / 2 - corner if marker.width else size
    for number in range(4):
        begin = marker.angle - math.pi + number * RIGHT_ANGLE
        middle = begin + _HALF_RIGHT_ANGLE
        x, y = marker.x + math.cos(middle) * wide, marker.y + math.sin(middle) * size
        path.arc(x, y, corner, begin, begin + RIGHT_ANGLE)
    return path.close()


def _cross(marker: _Marker) -> Path:
    return _lines(marker, (marker.angle, marker.angle + RIGHT_ANGLE))


def _lines(marker: _Marker, angles: Iterable[float]) -> Path:
    path = Path()
    for angle in angles:
        path.move(*marker.at(angle + math.pi)).line(*marker.at(angle))
    return path


def _line(marker: _Marker) -> Path:
    """Draw a line, whose width in a legend does not depend on the rotation."""
    across = marker.width / 2 if marker.width else math.cos(marker.angle) * marker.radius
    down = math.sin(marker.angle) * marker.radius
    return Path().move(marker.x - across, marker.y - down).line(marker.x + across, marker.y + down)


_SHAPES: Mapping[PointShape, Callable[[_Marker], Path]] = {
    "circle": lambda marker: Path().ellipse(marker.x, marker.y, marker.half, marker.radius),
    "cross": _cross,
    "crossRot": lambda marker: _cross(marker._replace(angle=marker.angle + _HALF_RIGHT_ANGLE)),
    "dash": lambda marker: Path().move(marker.x, marker.y).line(*marker.at(marker.angle)),
    "line": _line,
    "rect": _square,
    "rectRounded": _rounded_square,
    "rectRot": _diamond,
    "star": lambda marker: _lines(marker, (marker.angle + number * _HALF_RIGHT_ANGLE for number in range(4))),
    "triangle": lambda marker: _polygon(
        marker, (marker.angle - RIGHT_ANGLE + third * math.tau / 3 for third in range(3))
    ),
}
