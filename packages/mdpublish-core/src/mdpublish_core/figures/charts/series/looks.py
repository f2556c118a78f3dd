"""How the marks of a series look: its options, and the palette where they give no colour."""

import math
from dataclasses import dataclass
from typing import get_args

from mdpublish_core.figures.charts.options import Options, pick
from mdpublish_core.figures.charts.shapes.marks import (
    ArcCorners,
    ArcStyle,
    BarStyle,
    Cap,
    Join,
    LineStyle,
    PointShape,
    PointStyle,
    Sides,
    Step,
    Stroke,
)
from mdpublish_core.figures.charts.shapes.paths import Corners
from mdpublish_core.figures.charts.values import Json, number_of, shown

# What an author may name: no point at all is asked for with `false`.
_SHAPES: tuple[PointShape, ...] = tuple(each for each in get_args(PointShape) if each != "none")

_STEPS: tuple[Step, ...] = get_args(Step)
_CAPS: tuple[Cap, ...] = get_args(Cap)
_JOINS: tuple[Join, ...] = get_args(Join)

# How much of a colour an area shows of it whose colour is not given.
_HALF = "80"


@dataclass(frozen=True, slots=True)
class Colours:
    """The colours of a series' marks, one item's after another's."""

    fills: tuple[str, ...]
    borders: tuple[str, ...]


def colours_of(options: Options, fill: str, border: str) -> Colours:
    """Return the colours of marks; of one that is given, the other follows, and both default to the palette's."""
    fills, borders = options.colours("backgroundColor"), options.colours("borderColor")
    if any(fills) and any(borders):
        return Colours(fills, borders)
    if any(fills):
        return Colours(fills, tuple(each[:7] for each in fills))
    if any(borders):
        return Colours(tuple(f"{each[:7]}{_HALF}" if each else "" for each in borders), borders)
    return Colours((fill,), (border,))


class PointLooks:
    """How the points of a series look."""

    def __init__(self, options: Options, colours: Colours) -> None:
        self._colours = colours
        self._widths = options.numbers("borderWidth", 1.0)
        self.radii = options.numbers("radius", 3.0)
        self._hover_radii = options.numbers("hoverRadius", 4.0)
        self._rotations = options.numbers("rotation")
        self._shapes = tuple(map(shape_of, _as_list(options.whole("pointStyle"))))
        for value in _as_list(options.whole("pointStyle"))[:1]:
            if value is not None and value is not False and value not in _SHAPES:
                options.remark(f"`pointStyle` is {shown(value)}, which is none that is drawn; a circle stands for it")
        parts: tuple[tuple[object, ...], ...] = (
            colours.fills,
            colours.borders,
            self._widths,
            self.radii,
            self._rotations,
            self._shapes,
        )
        self.are_alike = all(len(part) == 1 for part in parts)
        self._first = self._made(0)

    def at(self, item: int) -> PointStyle:
        return self._first if self.are_alike else self._made(item)

    def size(self, item: int) -> float:
        """Return how large a point is when it is pointed at, in px: the room that is left around it."""
        radius = pick(self.radii, item)
        return 2 * self.size_of(radius, item)

    def size_of(self, radius: float, item: int) -> float:
        """Return how far a point of some radius reaches, in px."""
        if not radius:
            return 0.0
        return max(radius, pick(self._hover_radii, item)) + pick(self._widths, item)

    def _made(self, item: int) -> PointStyle:
        return PointStyle(
            fill=pick(self._colours.fills, item),
            stroke=Stroke(pick(self._colours.borders, item), max(0.0, pick(self._widths, item))),
            radius=pick(self.radii, item),
            shape=pick(self._shapes, item),
            rotation=pick(self._rotations, item),
            reach=self.size_of(pick(self.radii, item), item),
        )


def shape_of(value: Json) -> PointShape:
    """Return how a point looks; a circle for what nobody knows."""
    if value is False:
        return "none"
    return next((shape for shape in _SHAPES if shape == value), "circle")


def line_style(options: Options, colours: Colours) -> LineStyle:
    """Return how a line looks; `options` are the dataset's, as it has one line alone."""
    stepped = options.value("stepped")
    step: Step | None = None
    if stepped and stepped is not False:
        step = next((each for each in _STEPS if each == stepped), "before")
    return LineStyle(
        stroke=stroke_of(options, colours.borders[0], max(0.0, options.number("borderWidth", 3.0))),
        fill_colour=colours.fills[0],
        tension=options.number("tension"),
        is_monotone=options.value("cubicInterpolationMode") == "monotone",
        step=step,
        spans_all_gaps=options.value("spanGaps") is True,
        caps_curves=options.flag("capBezierPoints"),
    )


def stroke_of(options: Options, colour: str, width: float) -> Stroke:
    """Return how a line of a width in px is drawn."""
    return Stroke(
        colour=colour,
        width=width,
        dash=options.dash("borderDash"),
        dash_offset=options.number("borderDashOffset"),
        cap=options.word("borderCapStyle", _CAPS, "butt"),
        join=options.word("borderJoinStyle", _JOINS, "miter"),
    )


class BarLooks:
    """How the bars of a series look, and which of their borders are left out."""

    def __init__(self, options: Options, colours: Colours) -> None:
        self._options = options
        self._colours = colours
        names = ("borderWidth", "borderRadius", "borderSkipped", "inflateAmount")
        self._are_alike = not options.is_list(*names)
        self._first = self._read(options.at(0))

    def colours(self, item: int) -> tuple[str, str]:
        return pick(self._colours.fills, item), pick(self._colours.borders, item)

    def frame(self, item: int) -> "BarFrame":
        return self._first if self._are_alike else self._read(self._options.at(item))

    def _read(self, options: Options) -> "BarFrame":
        inflation, skipped = options.value("inflateAmount"), options.value("borderSkipped")
        radius = options.value("borderRadius")
        return BarFrame(
            widths=options.sides("borderWidth"),
            corners=_corners(options, "borderRadius"),
            has_own_corners=isinstance(radius, dict),
            skipped=skipped if isinstance(skipped, str | bool) else None,
            inflation=None if inflation == "auto" else number_of(inflation),
        )


@dataclass(frozen=True, slots=True)
class BarFrame:
    """The border of a bar, before any part of it is left out; `inflation` is None where Chart.js chooses it."""

    widths: Sides
    corners: Corners
    has_own_corners: bool
    skipped: str | bool | None
    inflation: float | None


def bar_style(fill: str, border: str, frame: BarFrame, skipped: frozenset[str], *, has_corners: bool) -> BarStyle:
    """Return a bar's look without the borders at some of its sides."""
    widths = Sides(
        *(0.0 if side in skipped else width for side, width in zip(Sides._fields, frame.widths, strict=True))
    )
    sides_of = {
        "top_left": {"top", "left"},
        "top_right": {"top", "right"},
        "bottom_right": {"bottom", "right"},
        "bottom_left": {"bottom", "left"},
    }
    is_round = has_corners or frame.has_own_corners
    corners = Corners(
        *(
            0.0 if not is_round or sides_of[corner] & skipped else radius
            for corner, radius in zip(Corners._fields, frame.corners, strict=True)
        )
    )
    return BarStyle(fill=fill, border_colour=border, border_widths=widths, corners=corners)


class ArcLooks:
    """How the slices of a series look."""

    def __init__(self, options: Options, colours: Colours, *, default_mode: str) -> None:
        self._options = options
        self._colours = colours
        self._default_mode = default_mode
        self.widths = options.numbers("borderWidth", 2.0)
        self.has_inner_border = options.value("borderAlign") == "inner"
        names = ("borderRadius", "borderAlign", "borderJoinStyle", "offset", "spacing", "borderWidth")
        self._are_alike = not options.is_list(*names, "circular", "borderDashOffset")
        self._first = self._read(0)

    def at(self, item: int) -> ArcStyle:
        style = self._first if self._are_alike else self._read(item)
        return style._replace(
            fill=pick(self._colours.fills, item),
            stroke=style.stroke._replace(colour=pick(self._colours.borders, item)),
        )

    def max_border(self, items: int) -> float:
        """Return how wide the border of a slice is at most, if it reaches out of it."""
        if self.has_inner_border or not items:
            return 0.0
        return max(0.0, *self.widths[:items])

    def max_offset(self, items: int) -> float:
        """Return how far a slice is moved away from the centre at most."""
        return max(0.0, *self._options.numbers("offset")[:items]) if items else 0.0

    def _read(self, item: int) -> ArcStyle:
        options = self._options.at(item)
        is_inner = options.value("borderAlign") == "inner"
        usual: Join = "round" if is_inner else "bevel"
        join = options.word("borderJoinStyle", _JOINS, usual)
        radius = options.value("borderRadius")
        own = options.under("borderRadius")
        corners = (
            ArcCorners(*(own.number(name) for name in ("outerStart", "outerEnd", "innerStart", "innerEnd")))
            if isinstance(radius, dict)
            else ArcCorners(*[number_of(radius) or 0.0] * 4)
        )
        return ArcStyle(
            fill="",
            stroke=Stroke(
                width=max(0.0, options.number("borderWidth", 2.0)),
                dash=options.dash("borderDash"),
                dash_offset=options.number("borderDashOffset"),
                join=join,
            ),
            corners=corners,
            offset=options.number("offset"),
            spacing=max(0.0, options.number("spacing")),
            spacing_mode=options.word(
                "spacingMode",
                ("angular", "proportional", "parallel"),
                "proportional" if self._default_mode == "proportional" else "angular",
            ),
            is_circular=options.flag("circular"),
            has_inner_border=is_inner,
            has_own_join=options.has("borderJoinStyle"),
            joins_itself=options.flag("selfJoin"),
        )


def _corners(options: Options, name: str) -> Corners:
    value = options.value(name)
    if not isinstance(value, dict):
        radius = max(0.0, number_of(value) or 0.0)
        return Corners(radius, radius, radius, radius)
    own = options.under(name)
    return Corners(*(max(0.0, own.number(key)) for key in ("topLeft", "topRight", "bottomRight", "bottomLeft")))


def _as_list(value: Json) -> list[Json]:
    return value if isinstance(value, list) and value else [value]


def percentage(value: Json, whole: float, *, is_share: bool) -> float:
    """Return a length that may be a percentage of another; as a share of that with `is_share`."""
    if isinstance(value, str) and value.strip().endswith("%"):
        number = number_of(value.strip()[:-1]) or 0.0
        return number / 100 * (1.0 if is_share else whole)
    size = number_of(value) or 0.0
    if is_share:
        return size / whole if whole else math.inf
    return size
