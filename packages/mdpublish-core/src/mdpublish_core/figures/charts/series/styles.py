"""Styles of chart elements from options, with colors of the palette by default."""

import math
from dataclasses import dataclass
from typing import get_args

from mdpublish_core.figures.charts.options import Options, pick
from mdpublish_core.figures.charts.shapes import elements as shapes
from mdpublish_core.figures.charts.shapes.paths import Corners
from mdpublish_core.figures.charts.values import Json, parse_number, short_repr

# `none` is not an author's option; use `false`.
_SHAPES: tuple[shapes.PointShape, ...] = tuple(each for each in get_args(shapes.PointShape) if each != "none")

_STEPS: tuple[shapes.Step, ...] = get_args(shapes.Step)
_CAPS: tuple[shapes.Cap, ...] = get_args(shapes.Cap)
_JOINS: tuple[shapes.Join, ...] = get_args(shapes.Join)

# Opacity of areas without a color of their own.
_TRANSLUCENT_ALPHA = "80"


@dataclass(frozen=True, slots=True)
class Colors:
    """Fill and border colors of a series, cycled through its items."""

    fills: tuple[str, ...]
    borders: tuple[str, ...]


def colors_of(options: Options, fill: str, border: str) -> Colors:
    """Return the colors of elements.

    A missing fill or border color is derived from the other one, else taken from the palette; so is that of an item.
    """
    fills, borders = options.colors("backgroundColor"), options.colors("borderColor")
    if any(fills):
        fills = tuple(each or fill for each in fills)
    if any(fills) and any(borders):
        return Colors(fills, borders)
    if any(fills):
        return Colors(fills, tuple(each[:7] for each in fills))
    if any(borders):
        return Colors(tuple(f"{each[:7]}{_TRANSLUCENT_ALPHA}" if each else "" for each in borders), borders)
    return Colors((fill,), (border,))


class PointStyleResolver:
    """Styles of points."""

    def __init__(self, options: Options, colors: Colors) -> None:
        self._colors = colors
        self._widths = options.numbers("borderWidth", 1.0)
        self.radii = options.numbers("radius", 3.0)
        self._hover_radii = options.numbers("hoverRadius", 4.0)
        self._rotations = options.numbers("rotation")
        self._shapes = tuple(map(shape_of, _as_list(options.raw("pointStyle"))))
        for value in _as_list(options.raw("pointStyle"))[:1]:
            if value is not None and value is not False and value not in _SHAPES:
                options.remark("pointStyle", f"{short_repr(value)} is not supported; a circle is used")
        numbers = (self._widths, self.radii, self._rotations)
        self.are_alike = {len(each) for each in (colors.fills, colors.borders, *numbers, self._shapes)} == {1}
        self._first = self._resolve(0)

    def at(self, item: int) -> shapes.PointStyle:
        return self._first if self.are_alike else self._resolve(item)

    def size(self, item: int) -> float:
        """Return the radius in px, including hover: the space reserved for a point."""
        radius = pick(self.radii, item)
        return 2 * self.size_of(radius, item)

    def size_of(self, radius: float, item: int) -> float:
        if not radius:
            return 0.0
        return max(radius, pick(self._hover_radii, item)) + pick(self._widths, item)

    def _resolve(self, item: int) -> shapes.PointStyle:
        return shapes.PointStyle(
            fill=pick(self._colors.fills, item),
            stroke=shapes.Stroke(pick(self._colors.borders, item), max(0.0, pick(self._widths, item))),
            radius=pick(self.radii, item),
            shape=pick(self._shapes, item),
            rotation=pick(self._rotations, item),
            reach=self.size_of(pick(self.radii, item), item),
        )


def shape_of(value: Json) -> shapes.PointShape:
    """Return a point style; `circle` for unknown ones."""
    if value is False:
        return "none"
    return next((shape for shape in _SHAPES if shape == value), "circle")


def line_style(options: Options, colors: Colors) -> shapes.LineStyle:
    """`options` are the dataset's."""
    stepped = options.value("stepped")
    step: shapes.Step | None = None
    if stepped and stepped is not False:
        step = next((each for each in _STEPS if each == stepped), "before")
    return shapes.LineStyle(
        stroke=stroke_of(options, colors.borders[0], max(0.0, options.number("borderWidth", 3.0))),
        fill_color=colors.fills[0],
        tension=options.number("tension"),
        is_monotone=options.value("cubicInterpolationMode") == "monotone",
        step=step,
        spans_all_gaps=options.value("spanGaps") is True,
        caps_curves=options.flag("capBezierPoints"),
    )


def stroke_of(options: Options, color: str, width: float) -> shapes.Stroke:
    return shapes.Stroke(
        color=color,
        width=width,
        dash=options.dash("borderDash"),
        dash_offset=options.number("borderDashOffset"),
        cap=options.choice("borderCapStyle", _CAPS, "butt"),
        join=options.choice("borderJoinStyle", _JOINS, "miter"),
    )


class BarStyleResolver:
    """Styles of bars and their borders."""

    def __init__(self, options: Options, colors: Colors) -> None:
        self._options = options
        self._colors = colors
        names = ("borderWidth", "borderRadius", "borderSkipped", "inflateAmount")
        self._are_alike = not options.is_list(*names)
        self._first = self._read(options.at(0))

    def colors(self, item: int) -> tuple[str, str]:
        return pick(self._colors.fills, item), pick(self._colors.borders, item)

    def border_at(self, item: int) -> "BarBorder":
        return self._first if self._are_alike else self._read(self._options.at(item))

    def _read(self, options: Options) -> "BarBorder":
        inflation, skipped = options.value("inflateAmount"), options.value("borderSkipped")
        radius = options.value("borderRadius")
        return BarBorder(
            widths=options.sides("borderWidth"),
            corners=_corners(options, "borderRadius"),
            has_custom_corners=isinstance(radius, dict),
            skipped=skipped if isinstance(skipped, str | bool) else None,
            inflation=None if inflation == "auto" else parse_number(inflation),
        )


@dataclass(frozen=True, slots=True)
class BarBorder:
    """A bar's border before sides are skipped. `inflation` is None for Chart.js's choice."""

    widths: shapes.Sides
    corners: Corners
    has_custom_corners: bool
    skipped: str | bool | None
    inflation: float | None


def bar_style(
    fill: str, border: str, bar_border: BarBorder, skipped: frozenset[str], *, has_corners: bool
) -> shapes.BarStyle:
    """Return the style of a bar without the borders at skipped sides."""
    widths = shapes.Sides(
        *(
            0.0 if side in skipped else width
            for side, width in zip(shapes.Sides._fields, bar_border.widths, strict=True)
        )
    )
    is_round = has_corners or bar_border.has_custom_corners
    corners = Corners(
        *(
            0.0 if not is_round or skipped.intersection(corner.split("_")) else radius
            for corner, radius in zip(Corners._fields, bar_border.corners, strict=True)
        )
    )
    return shapes.BarStyle(fill=fill, border_color=border, border_widths=widths, corners=corners)


class ArcStyleResolver:
    """Styles of slices."""

    def __init__(self, options: Options, colors: Colors) -> None:
        self._options = options
        self._colors = colors
        self.widths = options.numbers("borderWidth", 2.0)
        self.has_inner_border = options.value("borderAlign") == "inner"
        names = ("borderRadius", "borderAlign", "borderJoinStyle", "offset", "spacing", "borderWidth")
        self._are_alike = not options.is_list(*names, "circular", "borderDashOffset")
        self._first = self._read(0)

    def at(self, item: int) -> shapes.ArcStyle:
        style = self._first if self._are_alike else self._read(item)
        return style._replace(
            fill=pick(self._colors.fills, item),
            stroke=style.stroke._replace(color=pick(self._colors.borders, item)),
        )

    def max_border(self, items: int) -> float:
        """Return the largest border outside of a slice."""
        if self.has_inner_border or not items:
            return 0.0
        return max(0.0, *self.widths[:items])

    def max_offset(self, items: int) -> float:
        return max(0.0, *self._options.numbers("offset")[:items]) if items else 0.0

    def _read(self, item: int) -> shapes.ArcStyle:
        options = self._options.at(item)
        is_inner = options.value("borderAlign") == "inner"
        default_join: shapes.Join = "round" if is_inner else "bevel"
        join = options.choice("borderJoinStyle", _JOINS, default_join)
        radius = options.value("borderRadius")
        corner_options = options.nested("borderRadius")
        corners = (
            shapes.ArcCorners(
                *(corner_options.number(name) for name in ("outerStart", "outerEnd", "innerStart", "innerEnd"))
            )
            if isinstance(radius, dict)
            else shapes.ArcCorners(*[parse_number(radius) or 0.0] * 4)
        )
        return shapes.ArcStyle(
            fill="",
            stroke=shapes.Stroke(
                width=max(0.0, options.number("borderWidth", 2.0)),
                dash=options.dash("borderDash"),
                dash_offset=options.number("borderDashOffset"),
                join=join,
            ),
            corners=corners,
            offset=options.number("offset"),
            spacing=max(0.0, options.number("spacing")),
            spacing_mode=options.choice("spacingMode", ("angular", "proportional", "parallel"), "angular"),
            is_circular=options.flag("circular"),
            has_inner_border=is_inner,
            has_custom_join=options.has("borderJoinStyle"),
            joins_itself=options.flag("selfJoin"),
        )


def _corners(options: Options, name: str) -> Corners:
    value = options.value(name)
    if not isinstance(value, dict):
        radius = max(0.0, parse_number(value) or 0.0)
        return Corners(radius, radius, radius, radius)
    nested = options.nested(name)
    return Corners(*(max(0.0, nested.number(key)) for key in ("topLeft", "topRight", "bottomRight", "bottomLeft")))


def _as_list(value: Json) -> list[Json]:
    return value if isinstance(value, list) and value else [value]


def percentage(value: Json, whole: float, *, is_share: bool) -> float:
    """Convert a number or percentage to a length; with `is_share`, to a share of `whole`."""
    if isinstance(value, str) and value.strip().endswith("%"):
        number = parse_number(value.strip()[:-1]) or 0.0
        return number / 100 * (1.0 if is_share else whole)
    size = parse_number(value) or 0.0
    if is_share:
        return size / whole if whole else math.inf
    return size
