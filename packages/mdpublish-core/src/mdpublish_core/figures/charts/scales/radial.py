"""The scale around a centre, of radars and polar areas.

https://www.chartjs.org/docs/latest/axes/radial/linear.html
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, Literal, NamedTuple

from mdpublish_core.figures.charts.defaults import LINE_HEIGHT
from mdpublish_core.figures.charts.options import pick
from mdpublish_core.figures.charts.reckoning import RIGHT, rounded, turned
from mdpublish_core.figures.charts.scales.labelling import Size, Tick
from mdpublish_core.figures.charts.scales.linear import NumberScale
from mdpublish_core.figures.charts.shapes.boxes import Box
from mdpublish_core.figures.charts.shapes.marks import Sides
from mdpublish_core.figures.charts.texts import Align, Font, Label, label_of, read_font
from mdpublish_core.figures.charts.values import Object

_POINT_FONT_SIZE = 10.0

# Sines and cosines below this are zero.
_LEVEL = 1e-9


class Place(NamedTuple):
    """A point, in px."""

    x: float
    y: float


@dataclass(frozen=True, slots=True, kw_only=True)
class AngleLines:
    """The lines from the centre to each label."""

    is_displayed: bool
    colours: tuple[str, ...]
    widths: tuple[float, ...]
    dash: tuple[float, ...]
    dash_offset: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PointLabels:
    """How the labels around the scale look; lengths in px."""

    display: bool | Literal["auto"]
    colours: tuple[str, ...]
    font: Font
    paddings: tuple[float, ...]
    is_centered: bool
    backdrop_colours: tuple[str, ...]
    backdrop_padding: Sides
    corner: float


@dataclass(slots=True)
class PointLabel:
    """A label around the scale: its place is the middle of its upper edge, its left or its right end."""

    label: Label
    x: float
    y: float
    align: Align
    box: Box
    is_visible: bool = True


class RadialScale(NumberScale):
    """A scale of numbers from a centre, with the chart's labels around it."""

    DEFAULTS: ClassVar[Object] = {
        "angleLines": {"display": True, "lineWidth": 1},
        "grid": {"circular": False},
        "startAngle": 0,
        "ticks": {"showLabelBackdrop": True},
        "pointLabels": {
            "display": True,
            "backdropPadding": 2,
            "padding": 5,
            "centerPointLabels": False,
        },
    }

    x_centre = y_centre = 0.0
    radius = 0.0
    """How long the scale is, in px."""

    point_labels: Sequence[Label] = ()
    items: Sequence[PointLabel] = ()
    _room = Sides()

    @cached_property
    def angle_lines(self) -> AngleLines:
        own = self.own.under("angleLines")
        grid = self.options.grid
        return AngleLines(
            is_displayed=own.flag("display"),
            colours=own.colours("color") if own.has("color") else grid.colours,
            widths=own.numbers("lineWidth", 1.0),
            dash=own.dash("borderDash"),
            dash_offset=own.number("borderDashOffset"),
        )

    @cached_property
    def labelling(self) -> PointLabels:
        own = self.own.under("pointLabels")
        display = own.value("display")
        base = self.options.font
        asked = own.under("font")
        font = read_font(own, base)
        if not asked.has("size"):
            ratio = font.line_height / font.size if font.size and not asked.has("lineHeight") else LINE_HEIGHT
            font = replace(font, size=_POINT_FONT_SIZE, line_height=_POINT_FONT_SIZE * ratio)
        return PointLabels(
            display="auto" if display == "auto" else own.flag("display"),
            colours=own.colours("color"),
            font=font,
            paddings=own.numbers("padding", 5.0),
            is_centered=own.flag("centerPointLabels"),
            backdrop_colours=own.colours("backdropColor"),
            backdrop_padding=own.sides("backdropPadding"),
            corner=own.number("borderRadius"),
        )

    @cached_property
    def start_angle(self) -> float:
        return math.radians(self.own.number("startAngle"))

    # Limits and ticks

    def find_limits(self) -> None:
        found = self.data_range(can_stack=False)
        self.least = found.least if math.isfinite(found.least) else 0.0
        self.most = found.most if math.isfinite(found.most) else 0.0
        self.round_limits()

    def tick_limit(self) -> float:
        height = self._backdrop_height()
        return math.ceil(self.radius / height) if height else math.inf

    def label_ticks(self, ticks: Sequence[Tick]) -> None:
        super().label_ticks(ticks)
        self.point_labels = [label_of(label) for label in self.labels()]

    def _backdrop_height(self) -> float:
        """Return how high the label of a tick is, with what is laid below it."""
        ticks = self.options.ticks
        if not (ticks.is_displayed and self.options.display):
            return 0.0
        return ticks.font.size + ticks.backdrop_padding.height

    # Layout

    def set_dimensions(self) -> None:
        half = self._backdrop_height() / 2
        self._room = Sides(half, half, half, half)
        self.width = self.max_width - self._room.width
        self.height = self.max_height - self._room.height
        self.x_centre = math.floor(self.box.left + self.width / 2 + half)
        self.y_centre = math.floor(self.box.top + self.height / 2 + half)
        self.radius = math.floor(min(self.width, self.height) / 2)

    def fit(self) -> None:
        if self.options.display and self.labelling.display:
            self._fit_labels()

    def _fit_labels(self) -> None:
        """Make the scale as small as it takes for the labels around it to be inside."""
        box, room = self.box, self._room
        inner = Box(box.left + room.left, box.top + room.top, box.right - room.right, box.bottom - room.bottom)
        left, top, right, bottom = inner
        font = self.labelling.font
        more = self._more_angle()
        sizes: list[Size] = []
        for index, label in enumerate(self.point_labels):
            place = self.place_at(index, self.radius + pick(self.labelling.paddings, index), more)
            size = Size(font.widest(label), len(label) * font.line_height)
            sizes.append(size)
            angle = turned(self.angle_of(index) + more)
            degrees = int(rounded(math.degrees(angle)))
            across = _reach(degrees, place.x, size.width, 0, 180)
            down = _reach(degrees, place.y, size.height, 90, 270)
            sin, cos = abs(math.sin(angle)), abs(math.cos(angle))
            if across[0] < inner.left:
                left = min(left, inner.left - _share(inner.left - across[0], sin))
            elif across[1] > inner.right:
                right = max(right, inner.right + _share(across[1] - inner.right, sin))
            if down[0] < inner.top:
                top = min(top, inner.top - _share(inner.top - down[0], cos))
            elif down[1] > inner.bottom:
                bottom = max(bottom, inner.bottom + _share(down[1] - inner.bottom, cos))
        self._shrink(inner.left - left, right - inner.right, inner.top - top, bottom - inner.bottom)
        self.items = self._placed_labels(sizes)

    def _shrink(self, left: float, right: float, top: float, bottom: float) -> None:
        self.x_centre += math.floor((left - right) / 2)
        self.y_centre += math.floor((top - bottom) / 2)
        self.radius -= min(self.radius / 2, max(left, right, top, bottom))

    def _placed_labels(self, sizes: Sequence[Size]) -> list[PointLabel]:
        """Return the labels at their places; with `auto`, those that would lie on others are not visible."""
        extra, more = self._backdrop_height() / 2, self._more_angle()
        placed: list[PointLabel] = []
        last: Box | None = None
        for index, (label, size) in enumerate(zip(self.point_labels, sizes, strict=True)):
            distance = self.radius + extra + pick(self.labelling.paddings, index)
            x, y = self.place_at(index, distance, more)
            degrees = int(rounded(math.degrees(turned(self.angle_of(index) + more))))
            align: Align = "center" if degrees in {0, 180} else ("left" if degrees < 180 else "right")
            left = x - {"left": 0.0, "center": size.width / 2, "right": size.width}[align]
            if degrees in {90, 270}:
                y -= size.height / 2
            elif degrees > 270 or degrees < 90:
                y -= size.height
            item = PointLabel(label, x, y, align, Box(left, y, left + size.width, y + size.height))
            if self.labelling.display == "auto":
                item.is_visible = last is None or not _touches(item.box, last)
                last = item.box if item.is_visible else last
            placed.append(item)
        return placed

    def _more_angle(self) -> float:
        number = len(self.point_labels)
        return math.pi / number if self.labelling.is_centered and number else 0.0

    # Places

    @property
    def is_reversed(self) -> bool:
        return self.options.is_reversed

    @property
    def is_circular(self) -> bool:
        return self.options.grid.is_circular

    @property
    def label_count(self) -> int:
        return len(self.labels())

    def angle_of(self, index: int) -> float:
        """Return the angle of a label, in radians, clockwise from the top."""
        return turned(index * math.tau / (len(self.point_labels) or 1) + self.start_angle)

    def distance_for(self, value: float | None) -> float:
        """Return how far from the centre a value is, in px; not a number for what is none."""
        if value is None:
            return math.nan
        span = self.most - self.least
        if not span:
            return math.nan
        part = self.most - value if self.options.is_reversed else value - self.least
        return part * self.radius / span

    def place_at(self, index: int, distance: float, more_angle: float = 0.0) -> Place:
        angle = self.angle_of(index) - RIGHT + more_angle
        return Place(math.cos(angle) * distance + self.x_centre, math.sin(angle) * distance + self.y_centre)

    def position_for(self, index: int, value: float | None) -> Place:
        return self.place_at(index, self.distance_for(value))

    def outer_distance(self) -> float:
        return self.distance_for(self.least if self.options.is_reversed else self.most)


def _share(length: float, part: float) -> float:
    # Of a right angle, what is left is not quite zero.
    return length / part if part > _LEVEL else 0.0


def _reach(degrees: int, at: float, size: float, one: int, other: int) -> tuple[float, float]:
    """Return from where to where a label reaches that stands beside, above or below a place."""
    if degrees in {one, other}:
        return at - size / 2, at + size / 2
    return (at - size, at) if degrees < one or degrees > other else (at, at + size)


def _touches(box: Box, other: Box) -> bool:
    """Tell whether a corner of one box is in the other."""
    return any(other.holds(x, y) for x in (box.left, box.right) for y in (box.top, box.bottom))
