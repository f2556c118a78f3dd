"""Outlines of shapes as polygons, and transforms.

Curves and arcs are approximated by lines, precisely enough to tell what is below a word.
"""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from mdpublish_core.css.colors.parsing import NUMBER
from mdpublish_core.figures.boxes import Box

Point = tuple[float, float]

_TRANSFORM = re.compile(r"(\w+)\(([^()]*)\)")
_NUMBER = re.compile(NUMBER)
_COMMAND = re.compile(r"([MmLlHhVvCcSsQqTtAaZz])([^MmLlHhVvCcSsQqTtAaZz]*)")

# Numbers of each command, and lines for a curve.
_COUNTS = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7, "Z": 0}
_STEPS = 4
_ROUND = 16

_MAX_POINTS = 4_000


class Matrix(NamedTuple):
    """An affine transform, as in SVG's `matrix()`."""

    a: float = 1.0
    b: float = 0.0
    c: float = 0.0
    d: float = 1.0
    e: float = 0.0
    f: float = 0.0

    def apply(self, point: Point) -> Point:
        x, y = point
        return self.a * x + self.c * y + self.e, self.b * x + self.d * y + self.f

    def then(self, inner: "Matrix") -> "Matrix":
        """Return the transform that applies `inner` first."""
        return Matrix(
            self.a * inner.a + self.c * inner.b,
            self.b * inner.a + self.d * inner.b,
            self.a * inner.c + self.c * inner.d,
            self.b * inner.c + self.d * inner.d,
            *self.apply((inner.e, inner.f)),
        )


def parse_transform(value: str) -> Matrix:
    matrix = Matrix()
    for name, content in _TRANSFORM.findall(value):
        numbers = [float(each) for each in _NUMBER.findall(content)]
        matrix = matrix.then(_matrix(name, numbers))
    return matrix


def _matrix(name: str, numbers: list[float]) -> Matrix:
    if name == "matrix" and len(numbers) == 6:
        return Matrix(*numbers)
    if name == "translate" and numbers:
        return Matrix(e=numbers[0], f=numbers[1] if len(numbers) > 1 else 0.0)
    if name == "scale" and numbers:
        return Matrix(a=numbers[0], d=numbers[-1])
    if name == "rotate" and numbers:
        cos, sin = math.cos(math.radians(numbers[0])), math.sin(math.radians(numbers[0]))
        turned = Matrix(cos, sin, -sin, cos)
        if len(numbers) == 3:
            return Matrix(e=numbers[1], f=numbers[2]).then(turned).then(Matrix(e=-numbers[1], f=-numbers[2]))
        return turned
    return Matrix()


def outlines(tag: str, attributes: Mapping[str, str]) -> list[list[Point]]:
    """Return the polygons of a shape; none for other elements."""

    def number(name: str) -> float:
        match = _NUMBER.match(attributes.get(name, ""))
        return float(match[0]) if match else 0.0

    if tag == "rect":
        x, y, width, height = number("x"), number("y"), number("width"), number("height")
        return [[(x, y), (x + width, y), (x + width, y + height), (x, y + height)]]
    if tag in {"circle", "ellipse"}:
        across, down = (number("r"), number("r")) if tag == "circle" else (number("rx"), number("ry"))
        angles = (math.tau * number_ / _ROUND for number_ in range(_ROUND))
        return [[(number("cx") + across * math.cos(angle), number("cy") + down * math.sin(angle)) for angle in angles]]
    if tag == "line":
        return [[(number("x1"), number("y1")), (number("x2"), number("y2"))]]
    if tag in {"polygon", "polyline"}:
        numbers = [float(each) for each in _NUMBER.findall(attributes.get("points", ""))[: 2 * _MAX_POINTS]]
        return [list(zip(numbers[::2], numbers[1::2], strict=False))]
    return list(path_outlines(attributes.get("d", ""))) if tag == "path" else []


def path_outlines(path: str) -> Iterator[list[Point]]:
    """Yield the subpaths of a path as polygons, up to a number of points."""
    points: list[Point] = []
    start: Point = (0.0, 0.0)
    here: Point = (0.0, 0.0)
    total = 0
    for command, content in _COMMAND.findall(path):
        numbers = [float(each) for each in _NUMBER.findall(content)] if command not in "Aa" else _arc_numbers(content)
        count = _COUNTS[command.upper()]
        for number in range(0, len(numbers) - count + 1, count) if count else (0,):
            if command in "Mm" and number == 0:
                if points:
                    yield points
                here = start = _moved(command, here, numbers[:2])
                points = [here]
                continue
            if not count:
                here = start
                continue
            more = _points(command, here, numbers[number : number + count])
            here = more[-1]
            points += more
            total += len(more)
        if total > _MAX_POINTS:
            break
    if points:
        yield points


def _points(command: str, here: Point, numbers: Sequence[float]) -> list[Point]:
    """Return the points that a command adds."""
    kind, (x, y) = command.upper(), here
    is_relative = command.islower()
    if kind == "H":
        return [(numbers[0] + (x if is_relative else 0.0), y)]
    if kind == "V":
        return [(x, numbers[0] + (y if is_relative else 0.0))]
    if kind == "A":
        return _arc_points(here, numbers, _moved(command, here, numbers[5:]))
    places = [_moved(command, here, numbers[index : index + 2]) for index in range(0, len(numbers), 2)]
    if kind in {"C", "S", "Q"}:
        # A missing control point of `S` is the point itself.
        return [_on_curve([here, *places], step / _STEPS) for step in range(1, _STEPS + 1)]
    return places


def _moved(command: str, here: Point, numbers: Sequence[float]) -> Point:
    if len(numbers) < 2:
        return here
    return (here[0] + numbers[0], here[1] + numbers[1]) if command.islower() else (numbers[0], numbers[1])


def _on_curve(points: Sequence[Point], share: float) -> Point:
    """Return a point of a Bézier curve (https://en.wikipedia.org/wiki/De_Casteljau%27s_algorithm)."""
    while len(points) > 1:
        points = [
            (one[0] + (other[0] - one[0]) * share, one[1] + (other[1] - one[1]) * share)
            for one, other in pairwise(points)
        ]
    return points[0]


_ARC = re.compile(
    rf"({NUMBER})[\s,]*({NUMBER})[\s,]*({NUMBER})[\s,]*([01])[\s,]*([01])[\s,]*({NUMBER})[\s,]*({NUMBER})"
)


def _arc_numbers(content: str) -> list[float]:
    """Parse arcs, whose flags may stand without a space after them."""
    return [float(each) for match in _ARC.findall(content) for each in match]


def _arc_points(start: Point, numbers: Sequence[float], end: Point) -> list[Point]:
    """Approximate an arc: https://www.w3.org/TR/SVG2/implnote.html#ArcConversionEndpointToCenter."""
    radius_x, radius_y, tilt, is_large, is_clockwise = abs(numbers[0]), abs(numbers[1]), *numbers[2:5]
    if not radius_x or not radius_y or start == end:
        return [end]
    cos, sin = math.cos(math.radians(tilt)), math.sin(math.radians(tilt))
    half_x, half_y = (start[0] - end[0]) / 2, (start[1] - end[1]) / 2
    x, y = (cos * half_x + sin * half_y) / radius_x, (cos * half_y - sin * half_x) / radius_y
    length = math.hypot(x, y)
    if length > 1:
        radius_x, radius_y, x, y, length = radius_x * length, radius_y * length, x / length, y / length, 1.0
    far = math.sqrt(max(0.0, 1 / length**2 - 1)) if length else 0.0
    far = far if bool(is_large) != bool(is_clockwise) else -far
    # On the unit circle.
    middle_x, middle_y = far * y, -far * x
    first = math.atan2(y - middle_y, x - middle_x)
    angle = (math.atan2(-y - middle_y, -x - middle_x) - first) % math.tau
    if not is_clockwise:
        angle -= math.tau
    points: list[Point] = []
    for step in range(1, _ROUND):
        way = first + angle * step / _ROUND
        across, down = radius_x * (math.cos(way) + middle_x), radius_y * (math.sin(way) + middle_y)
        points.append(
            (cos * across - sin * down + (start[0] + end[0]) / 2, sin * across + cos * down + (start[1] + end[1]) / 2)
        )
    return [*points, end]


def box_of(points: Sequence[Point]) -> Box:
    columns, rows = [x for x, _ in points], [y for _, y in points]
    return Box(min(columns), min(rows), max(columns), max(rows))


def holds(polygon: Sequence[Point], point: Point) -> bool:
    """Count crossings of a ray: https://en.wikipedia.org/wiki/Even%E2%80%93odd_rule."""
    x, y = point
    is_inside = False
    before_x, before_y = polygon[-1]
    for after_x, after_y in polygon:
        if (after_y > y) != (before_y > y) and x < (before_x - after_x) * (y - after_y) / (
            before_y - after_y
        ) + after_x:
            is_inside = not is_inside
        before_x, before_y = after_x, after_y
    return is_inside
