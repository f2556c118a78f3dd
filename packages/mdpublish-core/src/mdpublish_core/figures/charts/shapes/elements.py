"""What stands for the data in a chart: bars, points, arcs, and the lines through points.

An element knows its position and its style, all in px, radians and resolved colors; `svg` draws it.
"""

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from mdpublish_core.figures.charts.shapes.paths import Corners

PointShape = Literal[
    "circle",
    "cross",
    "crossRot",
    "dash",
    "line",
    "rect",
    "rectRounded",
    "rectRot",
    "star",
    "triangle",
    "none",
]
"""How a point looks.

https://www.chartjs.org/docs/latest/configuration/elements.html#point-styles
"""

Step = Literal["before", "after", "middle"]
Cap = Literal["butt", "round", "square"]
Join = Literal["miter", "round", "bevel"]


class Sides(NamedTuple):
    """A size for each side of a rectangle, in px."""

    top: float = 0.0
    right: float = 0.0
    bottom: float = 0.0
    left: float = 0.0

    @property
    def width(self) -> float:
        return self.left + self.right

    @property
    def height(self) -> float:
        return self.top + self.bottom


class Stroke(NamedTuple):
    """How a line is drawn; a width of 0 is none."""

    color: str = ""
    width: float = 0.0
    dash: tuple[float, ...] = ()
    dash_offset: float = 0.0
    cap: Cap = "butt"
    join: Join = "miter"


class PointStyle(NamedTuple):
    """How a point looks; `radius` is that of the circle around it."""

    fill: str
    stroke: Stroke
    radius: float
    shape: PointShape = "circle"
    rotation: float = 0.0
    """In degrees, clockwise."""
    reach: float = 0.0
    """How far around it room is left, in px."""


class BarStyle(NamedTuple):
    """How a bar looks."""

    fill: str
    border_color: str
    border_widths: Sides
    corners: Corners


class ArcStyle(NamedTuple):
    """How a slice looks."""

    fill: str
    stroke: Stroke
    corners: "ArcCorners"
    offset: float = 0.0
    spacing: float = 0.0
    spacing_mode: Literal["angular", "proportional", "parallel"] = "angular"
    is_circular: bool = True
    has_inner_border: bool = False
    has_custom_join: bool = False
    """Whether the author says how its borders join."""
    joins_itself: bool = False


class ArcCorners(NamedTuple):
    """The radii of a slice's corners."""

    outer_start: float = 0.0
    outer_end: float = 0.0
    inner_start: float = 0.0
    inner_end: float = 0.0


@dataclass(slots=True)
class PointElement:
    """A point, and where it is on a line the curve's control points beside it.

    A point that is `is_skipped` is not drawn, and a line has a gap there; at one that `starts_segment` a line has a gap
    before it. `angle` is that of a radar's point, in radians.
    """

    x: float
    y: float
    style: PointStyle | None = None
    is_skipped: bool = False
    starts_segment: bool = False
    angle: float = 0.0
    before_x: float = 0.0
    before_y: float = 0.0
    after_x: float = 0.0
    after_y: float = 0.0


@dataclass(slots=True)
class BarElement:
    """A bar from `base` to its value's end; `x` and `y` are the middle of that end, in px."""

    x: float
    y: float
    base: float
    width: float
    height: float
    is_horizontal: bool
    style: BarStyle
    inflation: float = 0.0
    """By how much it is drawn larger, so that no seam shows between neighbours."""
    is_drawn: bool = True
    """Whether there is a value that it stands for."""


@dataclass(slots=True)
class ArcElement:
    """A slice around a centre, between two radii and two angles."""

    x: float
    y: float
    start: float
    end: float
    inner_radius: float
    outer_radius: float
    style: ArcStyle
    angle_span: float | None = None
    """How much of the circle it takes of a whole that values share; None where there is no such whole."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fill:
    """What a line's area is filled up to, and in which colours above it and below it.

    `target` is the number of another line, a value on the scale, or a place: where zero is, where the scale begins or ends,
    the line below in a stack, or the line's own shape.
    """

    target: int | float | Literal["origin", "start", "end", "stack", "shape"]
    is_value: bool = False
    """Whether a number is a value on the scale rather than another line."""
    above: str = ""
    below: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LineStyle:
    """How a line through points looks."""

    stroke: Stroke
    fill_color: str = ""
    tension: float = 0.0
    """How round it is: 0 is straight."""
    is_monotone: bool = False
    """Whether it is curved without passing the values it joins."""
    step: Step | None = None
    spans_all_gaps: bool = False
    caps_curves: bool = True
    """Whether control points stay inside the chart's area."""

    @property
    def is_curved(self) -> bool:
        return not self.step and (self.tension != 0 or self.is_monotone)


class Segment(NamedTuple):
    """A part of a line without gaps: the numbers of its first and its last point; in a loop, the last may come first."""

    start: int
    end: int
    is_loop: bool = False


@dataclass(slots=True)
class LineElement:
    """A line through points; one that `is_loop` goes back to its first, `is_whole_loop` if every label has a point."""

    points: list[PointElement]
    style: LineStyle
    is_loop: bool = False
    is_whole_loop: bool = False
    segments: list[Segment] = field(default_factory=list)
    """Its parts, as `segments.segments_of` finds them."""
