"""Options and limits of a scale: https://www.chartjs.org/docs/latest/axes/.

Options with a value for each tick are tuples; use `options.pick`.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from mdpublish_core.figures.charts.fonts import Font, Label, read_font
from mdpublish_core.figures.charts.options import Options, option, read_options
from mdpublish_core.figures.charts.shapes.elements import Sides, Stroke
from mdpublish_core.figures.charts.values import Json, Object, as_object, finite_number, leading_number

Axis = Literal["x", "y", "r"]
Position = Literal["left", "top", "right", "bottom", "center", "chartArea"]
Alignment = Literal["start", "center", "end", "inner"]
CrossAlignment = Literal["near", "center", "far"]
Bounds = Literal["data", "ticks"]

TickSource = Literal["auto", "data", "labels"]

# Maximum of `Intl.NumberFormat`.
_MAX_DIGITS = 100.0

_SOURCES: tuple[TickSource, ...] = ("auto", "data", "labels")
_POSITIONS: Mapping[Axis, tuple[Position, ...]] = {
    "x": ("top", "bottom", "center"),
    "y": ("left", "right", "center"),
    "r": ("chartArea",),
}


def _position(options: Options, axis: Axis) -> Position:
    """Return the position; a scale at a value of another one is at `center`."""
    default: Position = "chartArea" if axis == "r" else ("bottom" if axis == "x" else "left")
    return "center" if _crossing(options, axis) else options.choice("position", _POSITIONS[axis], default)


def _crossing(options: Options, axis: Axis) -> tuple[str, Json] | None:
    value = options.value("position")
    return next(iter(value.items())) if isinstance(value, dict) and value and axis != "r" else None


def display_of(options: Options) -> bool | Literal["auto"]:
    return "auto" if options.value("display") == "auto" else options.flag("display")


def _labels(options: Options) -> list[Json] | None:
    labels = options.raw("labels")
    return labels if isinstance(labels, list) else None


def _stacked(options: Options) -> bool | str | None:
    if not options.has("stacked"):
        return None
    return "single" if options.value("stacked") == "single" else options.flag("stacked")


def _max_ticks(options: Options) -> float | None:
    value = options.optional_number("maxTicksLimit")
    return value if value is not None and value >= 1 else None


def _precision(options: Options) -> float | None:
    value = options.optional_number("precision")
    return None if value is None else max(-_MAX_DIGITS, min(_MAX_DIGITS, value))


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """Grid lines and tick marks; lengths in px."""

    is_displayed: bool = option(Options.flag, "display")
    is_circular: bool = option(Options.flag, "circular")
    widths: tuple[float, ...] = option(Options.numbers, "lineWidth", 1.0)
    colors: tuple[str, ...] = option(Options.colors, "color")
    has_lines: bool = option(Options.flag, "drawOnChartArea")
    has_ticks: bool = option(Options.flag, "drawTicks")
    tick_length: float = option(Options.number, "tickLength")
    tick_colors: tuple[str, ...] = option(lambda each: each.colors("tickColor" if each.has("tickColor") else "color"))
    tick_widths: tuple[float, ...] = option(
        lambda each: each.numbers("tickWidth" if each.has("tickWidth") else "lineWidth", 1.0)
    )
    tick_dash: tuple[float, ...] = option(Options.dash, "tickBorderDash")
    tick_dash_offset: float = option(Options.number, "tickBorderDashOffset")
    is_offset: bool = option(Options.flag, "offset")
    layer: float = option(Options.number, "z", -1.0)

    @property
    def mark_length(self) -> float:
        return self.tick_length if self.has_ticks else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ScaleBorder:
    """The line between a scale and the chart area. Uses the dashes of the grid."""

    is_displayed: bool = option(Options.flag, "display")
    color: str = option(Options.color, "color")
    width: float = option(Options.number, "width", 1.0)
    dash: tuple[float, ...] = option(Options.dash, "dash")
    dash_offset: float = option(Options.number, "dashOffset")
    layer: float = option(Options.number, "z")


@dataclass(frozen=True, slots=True, kw_only=True)
class Ticks:
    """Tick labels; lengths in px, rotations in degrees."""

    is_displayed: bool = option(Options.flag, "display")
    colors: tuple[str, ...] = option(Options.colors, "color")
    font: Font
    padding: float = option(Options.number, "padding")
    min_rotation: float = option(Options.number, "minRotation")
    max_rotation: float = option(Options.number, "maxRotation", 50.0)
    is_mirrored: bool = option(Options.flag, "mirror")
    skips: bool = option(Options.flag, "autoSkip")
    skip_padding: float = option(Options.number, "autoSkipPadding")
    label_offset: float = option(Options.number, "labelOffset")
    align: Alignment = option(lambda each: each.choice("align", ("center", "start", "end", "inner"), "center"))
    cross_align: CrossAlignment = option(lambda each: each.choice("crossAlign", ("near", "center", "far"), "near"))
    has_backdrop: bool = option(Options.flag, "showLabelBackdrop")
    backdrop_colors: tuple[str, ...] = option(Options.colors, "backdropColor")
    backdrop_padding: Sides = option(Options.sides, "backdropPadding")
    stroke_colors: tuple[str, ...] = option(Options.colors, "textStrokeColor")
    stroke_widths: tuple[float, ...] = option(Options.numbers, "textStrokeWidth")
    sample_size: float = option(Options.number, "sampleSize")
    step: float | None = option(Options.optional_number, "stepSize")
    max_ticks: float | None = option(_max_ticks)
    count: float | None = option(Options.optional_number, "count")
    precision: float | None = option(_precision)
    has_bounds: bool = option(lambda each: each.value("includeBounds") is not False)
    has_major: bool = option(lambda each: each.nested("major").flag("enabled"))
    source: TickSource | None = option(  # time scales only
        lambda each: each.choice("source", _SOURCES, "auto") if each.has("source") else None
    )
    layer: float = option(Options.number, "z")
    number_format: Object = option(lambda each: as_object(each.value("format")))
    callback: str = option(Options.string, "callback")


@dataclass(frozen=True, slots=True, kw_only=True)
class Title:
    """The title of a scale."""

    is_displayed: bool = option(Options.flag, "display")
    lines: Label = option(Options.lines, "text")
    align: Literal["start", "center", "end"] = option(
        lambda each: each.choice("align", ("center", "start", "end"), "center")
    )
    color: str = option(Options.color, "color")
    outline: Stroke = option(lambda each: Stroke(each.color("strokeColor"), each.number("strokeWidth"), join="round"))
    font: Font
    padding: Sides = option(Options.sides, "padding")

    @property
    def height(self) -> float:
        return len(self.lines) * self.font.line_height + self.padding.height if self.is_displayed else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ScaleOptions:
    """Options of a scale, except its limits."""

    axis: Axis
    position: Position
    crossing: tuple[str, Json] | None  # other scale and its value at which this one is placed
    display: bool | Literal["auto"] = option(display_of)
    is_offset: bool = option(Options.flag, "offset")
    is_reversed: bool = option(Options.flag, "reverse")
    begins_at_zero: bool = option(Options.flag, "beginAtZero")
    bounds: Bounds = option(lambda each: each.choice("bounds", ("ticks", "data"), "ticks"))
    clips: bool = option(Options.flag, "clip")
    grace: Json = option(Options.value, "grace")
    stacked: bool | str | None = option(_stacked)  # None to use each dataset's `stack`
    labels: list[Json] | None = option(_labels)
    background: str = option(Options.color, "backgroundColor")
    stack: str = option(Options.string, "stack")
    stack_weight: float = option(lambda each: max(0.0, each.number("stackWeight", 1.0)))
    weight: float = option(Options.number, "weight")
    font: Font
    grid: Grid = option(lambda each: read_options(Grid, each.nested("grid")))
    border: ScaleBorder = option(lambda each: read_options(ScaleBorder, each.nested("border")))
    ticks: Ticks
    title: Title


def read_scale_options(options: Options, axis: Axis, font: Font) -> ScaleOptions:
    """`font` is the chart's."""
    ticks, title = options.nested("ticks"), options.nested("title")
    return read_options(
        ScaleOptions,
        options,
        axis=lambda: axis,
        position=lambda: _position(options, axis),
        crossing=lambda: _crossing(options, axis),
        font=lambda: font,
        ticks=lambda: read_options(Ticks, ticks, font=lambda: read_font(ticks, font)),
        title=lambda: read_options(Title, title, font=lambda: read_font(title, font)),
    )


class Range(NamedTuple):
    """A range of values, infinite if empty."""

    minimum: float
    maximum: float


NO_RANGE = Range(math.inf, -math.inf)


class UserBounds(NamedTuple):
    """Limits of the author, fixed (`min`, `max`) or suggested."""

    minimum: float
    maximum: float
    has_min: bool
    has_max: bool


def add_grace(limits: Range, grace: Json, *, keeps_zero: bool) -> Range:
    """Extend both ends by a number or a percentage of half the span."""
    half = (limits.maximum - limits.minimum) / 2
    if isinstance(grace, str):
        number = leading_number(grace) or 0.0
        change = number / 100 * half if grace.endswith("%") else number
    else:
        change = finite_number(grace) or 0.0

    def widened(value: float, by: float) -> float:
        return 0.0 if keeps_zero and value == 0 else value + by

    return Range(widened(limits.minimum, -abs(change)), widened(limits.maximum, change))
