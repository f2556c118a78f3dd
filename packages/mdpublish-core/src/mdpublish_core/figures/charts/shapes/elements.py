"""Chart elements, with positions in px, angles in radians and resolved colors, and items with a place of their own."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from mdpublish_core.figures.boxes import Box
from mdpublish_core.figures.charts.shapes.paths import Corners

PointShape = Literal[
    "circle", "cross", "crossRot", "dash", "line", "rect", "rectRounded", "rectRot", "star", "triangle", "none"
]
"""Point styles of Chart.js: https://www.chartjs.org/docs/latest/configuration/elements.html#point-styles"""

FillKeyword = Literal["origin", "start", "end", "stack", "shape"]
Step = Literal["before", "after", "middle"]
Cap = Literal["butt", "round", "square"]
Join = Literal["miter", "round", "bevel"]


class Sides(NamedTuple):
    """A length for each side of a rectangle, in px."""

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

    def around(self, box: Box) -> Box:
        return Box(box.left - self.left, box.top - self.top, box.right + self.right, box.bottom + self.bottom)


class Stroke(NamedTuple):
    """Stroke properties. A width of 0 means no stroke."""

    color: str = ""
    width: float = 0.0
    dash: tuple[float, ...] = ()
    dash_offset: float = 0.0
    cap: Cap = "butt"
    join: Join = "miter"


class PointStyle(NamedTuple):
    """`radius` is that of the circumscribed circle, in px."""

    fill: str
    stroke: Stroke
    radius: float
    shape: PointShape = "circle"
    rotation: float = 0.0  # degrees, clockwise
    reach: float = 0.0  # px reserved around the point


class BarStyle(NamedTuple):
    """Style of a bar."""

    fill: str
    border_color: str
    border_widths: Sides
    corners: Corners


class ArcStyle(NamedTuple):
    """Style of a slice."""

    fill: str
    stroke: Stroke
    corners: "ArcCorners"
    offset: float = 0.0
    spacing: float = 0.0
    spacing_mode: Literal["angular", "proportional", "parallel"] = "angular"
    is_circular: bool = True
    has_inner_border: bool = False
    has_custom_join: bool = False  # whether the author set `borderJoinStyle`
    joins_itself: bool = False


class ArcCorners(NamedTuple):
    """Corner radii of a slice, in px."""

    outer_start: float = 0.0
    outer_end: float = 0.0
    inner_start: float = 0.0
    inner_end: float = 0.0


@dataclass(slots=True)
class PointElement:
    """If `is_skipped`, the line has a gap here; if `starts_segment`, before."""

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
    """A bar from `base` to the middle of the end at the value."""

    x: float
    y: float
    base: float
    width: float
    height: float
    is_horizontal: bool
    style: BarStyle
    inflation: float = 0.0  # hides seams between adjacent bars
    is_drawn: bool = True  # False without a value


@dataclass(slots=True)
class ArcElement:
    """A slice of a ring."""

    x: float
    y: float
    start: float
    end: float
    inner_radius: float
    outer_radius: float
    style: ArcStyle
    angle_span: float | None = None  # None if the values do not share a whole


@dataclass(frozen=True, slots=True, kw_only=True)
class Fill:
    """`target` is a line's number, a value, or a keyword of Chart.js."""

    target: int | float | FillKeyword
    is_value: bool = False  # whether a number is a value, not a line
    above: str = ""
    below: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LineStyle:
    """Style of a line."""

    stroke: Stroke
    fill_color: str = ""
    tension: float = 0.0  # 0 draws straight lines
    is_monotone: bool = False  # never overshoots
    step: Step | None = None
    spans_all_gaps: bool = False
    caps_curves: bool = True  # keeps control points inside the chart area

    @property
    def is_curved(self) -> bool:
        return not self.step and (self.tension != 0 or self.is_monotone)


class Segment(NamedTuple):
    """A range of point indexes. In a loop, `end` may be less than `start`."""

    start: int
    end: int
    is_loop: bool = False


@dataclass(slots=True)
class LineElement:
    """A line through points. `is_whole_loop` is set if a loop has a point for every label."""

    points: list[PointElement]
    style: LineStyle
    is_loop: bool = False
    is_whole_loop: bool = False
    segments: list[Segment] = field(default_factory=list)  # set by `segments.segments_of`


class LayoutItem(ABC):
    """An item placed around the chart area; lengths in px. By default, it is in no stack."""

    box = Box(0.0, 0.0, 0.0, 0.0)
    width = height = 0.0
    weight: float
    placement: str
    """A side, `chartArea`, or `x` or `y` for a scale that crosses the area."""

    is_horizontal: bool
    is_full_size = False
    shares_space: bool
    """Whether space is shared with other items."""

    stack = ""
    stack_weight = 1.0

    @property
    def overhang(self) -> Sides | None:
        """Space needed beyond the ends."""
        return None

    def begin_layout(self) -> None:  # noqa: B027  (most items never change)
        """Forget an earlier layout."""

    @abstractmethod
    def update(self, max_width: float, max_height: float, margins: Sides) -> None:
        """Set the size."""
