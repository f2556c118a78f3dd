"""Lines, scales and hostile numbers for chart tests."""

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from types import SimpleNamespace

from hypothesis import strategies as st

from mdpublish_core.figures.boxes import Box
from mdpublish_core.figures.charts.scales.base import Scale
from mdpublish_core.figures.charts.scales.radial import RadialScale
from mdpublish_core.figures.charts.shapes.elements import Fill, LineElement, LineStyle, PointElement, Stroke
from mdpublish_core.figures.charts.shapes.fills import Ground
from mdpublish_core.figures.charts.shapes.segments import segments_of

AREA = Box(0.0, 0.0, 100.0, 100.0)
STRAIGHT = LineStyle(stroke=Stroke(width=1.0))
NOWHERE = (math.nan, math.nan)

lengths = st.floats(-200, 200).map(lambda value: round(value, 2))
anything = st.one_of(lengths, st.floats(), st.sampled_from([0.0, math.nan, math.inf, -math.inf, 1e308, -1e308, 5e-324]))


def line_of(
    *positions: tuple[float, float],
    style: LineStyle = STRAIGHT,
    gaps: Iterable[int] = (),
    beginnings: Iterable[int] = (),
    is_loop: bool = False,
) -> LineElement:
    """Build a line. `gaps` and `beginnings` are point indices. The points of a loop are evenly spaced in angle."""
    points = [PointElement(x, y, angle=math.tau * number / len(positions)) for number, (x, y) in enumerate(positions)]
    for number in gaps:
        points[number].is_skipped = True
    for number in beginnings:
        points[number].starts_segment = True
    line = LineElement(points, style, is_loop=is_loop, is_whole_loop=is_loop)
    line.segments = segments_of(line)
    return line


def styles() -> st.SearchStrategy[LineStyle]:
    return st.builds(
        LineStyle,
        stroke=st.builds(Stroke, width=st.just(1.0), dash=st.sampled_from([(), (4.0,)])),
        tension=st.sampled_from([0.0, 0.0, 0.4, 3.0]),
        is_monotone=st.booleans(),
        step=st.sampled_from([None, None, "before", "after", "middle"]),
        spans_all_gaps=st.booleans(),
        caps_curves=st.booleans(),
    )


@st.composite
def lines(draw: st.DrawFn, numbers: st.SearchStrategy[float] = lengths, *, may_reverse: bool = True) -> LineElement:
    """Lines with gaps and beginnings, on and off the chart. Without `may_reverse`, x is monotonic."""
    positions = draw(st.lists(st.tuples(numbers, numbers), max_size=12))
    if not may_reverse:
        positions.sort(key=lambda position: position[0], reverse=draw(st.booleans()))
    every = st.sets(st.integers(0, len(positions) - 1)) if positions else st.just(set())
    is_loop = may_reverse and draw(st.booleans())
    return line_of(*positions, style=draw(styles()), gaps=draw(every), beginnings=draw(every), is_loop=is_loop)


def is_finite(data: str) -> bool:
    return not re.search("nan|inf|None", data)


def end_points(data: str) -> list[tuple[float, float]]:
    """End points of the strokes in path data of `M`, `L`, `C` and `A`."""
    strokes = re.findall("[MLCA]([^A-Z]*)", data)
    numbers = [[float(number) for number in stroke.split()] for stroke in strokes]
    return [(each[-2], each[-1]) for each in numbers]


@dataclass
class Upright:
    """A y scale: a value is its distance from the bottom of the area in px."""

    box: Box = AREA
    zero: float = 0.0

    def ground_of(self, fill: Fill) -> Ground:
        return Scale.ground_of(self, fill)  # type: ignore[arg-type]

    def base_pixel(self) -> float:
        return self.pixel_for(self.zero)

    def pixel_for(self, value: float | None) -> float:
        return math.nan if value is None else 100 - value


@dataclass
class Polar:
    """A scale of four labels around the center of the area: a value is its distance from the center in px."""

    minimum: float = 0.0
    maximum: float = 40.0
    is_reversed: bool = False
    is_circular: bool = False
    label_count: int = 4

    @property
    def options(self) -> SimpleNamespace:
        return SimpleNamespace(is_reversed=self.is_reversed, grid=SimpleNamespace(is_circular=self.is_circular))

    def ground_of(self, fill: Fill) -> Ground:
        return RadialScale.ground_of(self, fill)  # type: ignore[arg-type]

    def base_value(self) -> float:
        return 0.0

    def distance_for(self, value: float | None) -> float:
        return math.nan if value is None else value

    def position_for(self, index: int, value: float | None) -> tuple[float, float]:
        angle, distance = self.angle_of(index) - math.pi / 2, self.distance_for(value)
        return 50 + math.cos(angle) * distance, 50 + math.sin(angle) * distance

    def angle_of(self, index: int) -> float:
        return index * math.tau / self.label_count


def radar_of(*values: float) -> LineElement:
    """A radar line through values. NaN is a gap."""
    scale = Polar()
    line = line_of(*(scale.position_for(number, value) for number, value in enumerate(values)), is_loop=True)
    for number, point in enumerate(line.points):
        point.angle = scale.angle_of(number) - math.pi / 2
    return line


def curved(tension: float = 0.5, *, is_monotone: bool = False) -> LineStyle:
    return replace(STRAIGHT, tension=tension, is_monotone=is_monotone, caps_curves=False)
