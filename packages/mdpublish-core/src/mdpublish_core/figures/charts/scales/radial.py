"""Radial scale of radar and polar area charts: https://www.chartjs.org/docs/latest/axes/radial/linear.html."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, Literal, NamedTuple

from mdpublish_core.figures.boxes import Box
from mdpublish_core.figures.charts.defaults import LINE_HEIGHT, TYPE_DEFAULTS
from mdpublish_core.figures.charts.fonts import Align, Font, Label, label_of, read_font
from mdpublish_core.figures.charts.geometry import RIGHT_ANGLE, normalize_angle, round_half_up
from mdpublish_core.figures.charts.options import Options, option, pick, read_options
from mdpublish_core.figures.charts.scales.linear import NumberScale
from mdpublish_core.figures.charts.scales.options import display_of
from mdpublish_core.figures.charts.scales.tick_labels import LabelSize, Tick
from mdpublish_core.figures.charts.shapes.elements import Fill, Sides
from mdpublish_core.figures.charts.shapes.fills import Circle, Ground
from mdpublish_core.figures.charts.values import Object

_POINT_FONT_SIZE = 10.0

# Of a label beside the scale: its share of the chart's width, and lines.
_SHARE_BESIDE, _MAX_LINES = 1 / 6, 3

# Of more labels, those with several lines overlap.
_MAX_WRAPPED = 12

# Smaller sines and cosines are treated as 0.
_EPSILON = 1e-9


class Point(NamedTuple):
    """A position in px."""

    x: float
    y: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PointLabelOptions:
    """Options of the labels around the scale; lengths in px."""

    display: bool | Literal["auto"] = option(display_of)
    colors: tuple[str, ...] = option(Options.colors, "color")
    font: Font
    paddings: tuple[float, ...] = option(Options.numbers, "padding", 5.0)
    is_centered: bool = option(Options.flag, "centerPointLabels")
    backdrop_colors: tuple[str, ...] = option(Options.colors, "backdropColor")
    backdrop_padding: Sides = option(Options.sides, "backdropPadding")
    corner: float = option(Options.number, "borderRadius")


@dataclass(slots=True)
class PointLabel:
    """A label around the scale, positioned by the middle of its top, left or right edge."""

    label: Label
    x: float
    y: float
    align: Align
    box: Box
    is_visible: bool = True


class RadialScale(NumberScale):
    """A scale of numbers from a center, surrounded by labels."""

    DEFAULTS: ClassVar[Object] = TYPE_DEFAULTS["radialLinear"]
    EMPTY_MAXIMUM: ClassVar[float] = 0.0

    center_x = center_y = 0.0
    radius = 0.0  # px

    point_labels: Sequence[Label] = ()
    items: Sequence[PointLabel] = ()
    _room = Sides()

    @cached_property
    def point_label_options(self) -> PointLabelOptions:
        options = self.raw_options.nested("pointLabels")
        return read_options(PointLabelOptions, options, font=lambda: self._point_font(options))

    def _point_font(self, options: Options) -> Font:
        font, font_options = read_font(options, self.options.font), options.nested("font")
        if font_options.has("size"):
            return font
        ratio = font.line_height / font.size if font.size and not font_options.has("lineHeight") else LINE_HEIGHT
        return replace(font, size=_POINT_FONT_SIZE, line_height=_POINT_FONT_SIZE * ratio)

    @cached_property
    def start_angle(self) -> float:
        return math.radians(self.raw_options.number("startAngle"))

    # Limits and ticks

    def tick_limit(self) -> float:
        height = self._backdrop_height()
        return math.ceil(self.radius / height) if height else math.inf

    def label_ticks(self, ticks: Sequence[Tick]) -> None:
        super().label_ticks(ticks)
        self.point_labels = [label_of(label) for label in self.labels()]
        if self.label_count <= _MAX_WRAPPED:
            self.point_labels = [self._wrapped(label, each) for each, label in enumerate(self.point_labels)]

    def _wrapped(self, label: Label, index: int) -> Label:
        """Wrap a label beside the scale, whose width it takes."""
        share = _SHARE_BESIDE if abs(math.sin(self.angle_of(index))) > _EPSILON else 0.5
        return self.point_label_options.font.wrap(label, share * self.chart.width, _MAX_LINES)

    def _backdrop_height(self) -> float:
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
        self.center_x = math.floor(self.box.left + self.width / 2 + half)
        self.center_y = math.floor(self.box.top + self.height / 2 + half)
        self.radius = math.floor(min(self.width, self.height) / 2)

    def fit(self) -> None:
        if self.options.display and self.point_label_options.display:
            self._fit_labels()

    def _fit_labels(self) -> None:
        """Shrink the scale until the labels around it fit."""
        box, room = self.box, self._room
        inner = Box(box.left + room.left, box.top + room.top, box.right - room.right, box.bottom - room.bottom)
        left, top, right, bottom = inner
        font = self.point_label_options.font
        more = self._label_angle_offset()
        sizes: list[LabelSize] = []
        for index, label in enumerate(self.point_labels):
            point = self.point_at(index, self.radius + pick(self.point_label_options.paddings, index), more)
            size = LabelSize(font.widest(label), len(label) * font.line_height)
            sizes.append(size)
            angle = normalize_angle(self.angle_of(index) + more)
            degrees = int(round_half_up(math.degrees(angle)))
            across = _reach(degrees, point.x, size.width, 0, 180)
            down = _reach(degrees, point.y, size.height, 90, 270)
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
        self.items = self._position_labels(sizes)

    def _shrink(self, left: float, right: float, top: float, bottom: float) -> None:
        self.center_x += math.floor((left - right) / 2)
        self.center_y += math.floor((top - bottom) / 2)
        self.radius -= min(self.radius / 2, max(left, right, top, bottom))

    def _position_labels(self, sizes: Sequence[LabelSize]) -> list[PointLabel]:
        """Return positioned labels. With `display: auto`, overlapping ones are hidden."""
        extra, more = self._backdrop_height() / 2, self._label_angle_offset()
        labels: list[PointLabel] = []
        last: Box | None = None
        for index, (label, size) in enumerate(zip(self.point_labels, sizes, strict=True)):
            distance = self.radius + extra + pick(self.point_label_options.paddings, index)
            x, y = self.point_at(index, distance, more)
            degrees = int(round_half_up(math.degrees(normalize_angle(self.angle_of(index) + more))))
            align: Align = "center" if degrees in {0, 180} else ("left" if degrees < 180 else "right")
            left = x - {"left": 0.0, "center": size.width / 2, "right": size.width}[align]
            if degrees in {90, 270}:
                y -= size.height / 2
            elif degrees > 270 or degrees < 90:
                y -= size.height
            item = PointLabel(label, x, y, align, Box.at(left, y, size.width, size.height))
            if self.point_label_options.display == "auto":
                corners = [(x, y) for x in (item.box.left, item.box.right) for y in (item.box.top, item.box.bottom)]
                item.is_visible = last is None or not any(last.contains_point(*corner) for corner in corners)
                last = item.box if item.is_visible else last
            labels.append(item)
        return labels

    def _label_angle_offset(self) -> float:
        number = len(self.point_labels)
        return math.pi / number if self.point_label_options.is_centered and number else 0.0

    # Places

    def ground_of(self, fill: Fill) -> Ground:
        ends = (self.maximum, self.minimum) if self.options.is_reversed else (self.minimum, self.maximum)
        if fill.is_value:
            value = float(fill.target) if isinstance(fill.target, int | float) else ends[0]
        else:
            value = dict(zip(("start", "end"), ends, strict=True)).get(str(fill.target), self.base_value())
        if self.options.grid.is_circular:
            return Circle(*self.position_for(0, ends[0]), self.distance_for(value))
        indexes = range(self.label_count)
        return [(*self.position_for(each, value), self.angle_of(each) - RIGHT_ANGLE) for each in indexes]

    @property
    def label_count(self) -> int:
        return len(self.labels())

    def angle_of(self, index: int) -> float:
        """Return the angle of a label, in radians clockwise from the top."""
        return normalize_angle(index * math.tau / (len(self.point_labels) or 1) + self.start_angle)

    def distance_for(self, value: float | None) -> float:
        """Return the distance of a value from the center in px; NaN if invalid."""
        if value is None:
            return math.nan
        span = self.maximum - self.minimum
        if not span:
            return math.nan
        part = self.maximum - value if self.options.is_reversed else value - self.minimum
        return part * self.radius / span

    def point_at(self, index: int, distance: float, more_angle: float = 0.0) -> Point:
        angle = self.angle_of(index) - RIGHT_ANGLE + more_angle
        return Point(math.cos(angle) * distance + self.center_x, math.sin(angle) * distance + self.center_y)

    def position_for(self, index: int, value: float | None) -> Point:
        return self.point_at(index, self.distance_for(value))

    def outer_distance(self) -> float:
        return self.distance_for(self.minimum if self.options.is_reversed else self.maximum)


def _share(length: float, part: float) -> float:
    # The cosine of a right angle is not exactly 0.
    return length / part if part > _EPSILON else 0.0


def _reach(degrees: int, at: float, size: float, one: int, other: int) -> tuple[float, float]:
    """Return the extent of a label beside, above or below a position."""
    if degrees in {one, other}:
        return at - size / 2, at + size / 2
    return (at - size, at) if degrees < one or degrees > other else (at, at + size)
