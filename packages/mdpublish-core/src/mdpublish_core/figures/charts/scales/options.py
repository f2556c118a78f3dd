"""Options of a scale: https://www.chartjs.org/docs/latest/axes/.

Options with a value for each tick are tuples; use `options.pick`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from mdpublish_core.figures.charts.fonts import Font, Label, read_font
from mdpublish_core.figures.charts.options import Options
from mdpublish_core.figures.charts.shapes.elements import Sides, Stroke
from mdpublish_core.figures.charts.values import Json, Object, as_object

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """Grid lines and tick marks; lengths in px."""

    is_displayed: bool
    is_circular: bool
    colors: tuple[str, ...]
    widths: tuple[float, ...]
    has_lines: bool
    has_ticks: bool
    tick_length: float
    tick_colors: tuple[str, ...]
    tick_widths: tuple[float, ...]
    tick_dash: tuple[float, ...]
    tick_dash_offset: float
    is_offset: bool
    layer: float

    @property
    def mark_length(self) -> float:
        return self.tick_length if self.has_ticks else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ScaleBorder:
    """The line between a scale and the chart area. Uses the dashes of the grid."""

    is_displayed: bool
    color: str
    width: float
    dash: tuple[float, ...]
    dash_offset: float
    layer: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Ticks:
    """Tick labels; lengths in px, rotations in degrees."""

    is_displayed: bool
    colors: tuple[str, ...]
    font: Font
    padding: float
    min_rotation: float
    max_rotation: float
    is_mirrored: bool
    skips: bool
    skip_padding: float
    label_offset: float
    align: Alignment
    cross_align: CrossAlignment
    has_backdrop: bool
    backdrop_colors: tuple[str, ...]
    backdrop_padding: Sides
    stroke_colors: tuple[str, ...]
    stroke_widths: tuple[float, ...]
    sample_size: float
    step: float | None
    max_ticks: float | None
    count: float | None
    precision: float | None
    has_bounds: bool
    has_major: bool
    source: TickSource | None  # time scales only
    layer: float
    number_format: Object


@dataclass(frozen=True, slots=True, kw_only=True)
class Title:
    """The title of a scale."""

    is_displayed: bool
    lines: Label
    align: Literal["start", "center", "end"]
    color: str
    outline: Stroke
    font: Font
    padding: Sides

    @property
    def height(self) -> float:
        return len(self.lines) * self.font.line_height + self.padding.height if self.is_displayed else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ScaleOptions:
    """Options of a scale, except its limits."""

    display: bool | Literal["auto"]
    axis: Axis
    position: Position
    crossing: tuple[str, Json] | None  # other scale and its value at which this one is placed
    is_offset: bool
    is_reversed: bool
    begins_at_zero: bool
    bounds: Bounds
    clips: bool
    grace: Json
    stacked: bool | str | None  # None to use each dataset's `stack`
    labels: list[Json] | None
    background: str
    stack: str
    stack_weight: float
    weight: float
    font: Font
    grid: Grid
    border: ScaleBorder
    ticks: Ticks
    title: Title


def read_scale_options(options: Options, axis: Axis, font: Font) -> ScaleOptions:
    """`font` is the chart's."""
    position, crossing = _position(options, axis)
    display = options.value("display")
    labels = options.raw("labels")
    return ScaleOptions(
        display="auto" if display == "auto" else options.flag("display"),
        axis=axis,
        position=position,
        crossing=crossing,
        is_offset=options.flag("offset"),
        is_reversed=options.flag("reverse"),
        begins_at_zero=options.flag("beginAtZero"),
        bounds=options.choice("bounds", ("ticks", "data"), "ticks"),
        clips=options.flag("clip"),
        grace=options.value("grace"),
        stacked=_stacked(options),
        labels=labels if isinstance(labels, list) else None,
        background=options.color("backgroundColor"),
        stack=options.string("stack"),
        stack_weight=max(0.0, options.number("stackWeight", 1.0)),
        weight=options.number("weight"),
        font=font,
        grid=_grid(options.nested("grid")),
        border=_border(options.nested("border")),
        ticks=_ticks(options.nested("ticks"), font),
        title=_title(options.nested("title"), font),
    )


def _position(options: Options, axis: Axis) -> tuple[Position, tuple[str, Json] | None]:
    """Return the position. A scale at a value of another one is at `center`, with that value."""
    value = options.value("position")
    default: Position = "chartArea" if axis == "r" else ("bottom" if axis == "x" else "left")
    if isinstance(value, dict) and value and axis != "r":
        return "center", next(iter(value.items()))
    return options.choice("position", _POSITIONS[axis], default), None


def _stacked(options: Options) -> bool | str | None:
    if not options.has("stacked"):
        return None
    return "single" if options.value("stacked") == "single" else options.flag("stacked")


def _grid(options: Options) -> Grid:
    widths = options.numbers("lineWidth", 1.0)
    colors = options.colors("color")
    return Grid(
        is_displayed=options.flag("display"),
        is_circular=options.flag("circular"),
        colors=colors,
        widths=widths,
        has_lines=options.flag("drawOnChartArea"),
        has_ticks=options.flag("drawTicks"),
        tick_length=options.number("tickLength"),
        tick_colors=options.colors("tickColor") if options.has("tickColor") else colors,
        tick_widths=options.numbers("tickWidth", 1.0) if options.has("tickWidth") else widths,
        tick_dash=options.dash("tickBorderDash"),
        tick_dash_offset=options.number("tickBorderDashOffset"),
        is_offset=options.flag("offset"),
        layer=options.number("z", -1.0),
    )


def _border(options: Options) -> ScaleBorder:
    return ScaleBorder(
        is_displayed=options.flag("display"),
        color=options.color("color"),
        width=options.number("width", 1.0),
        dash=options.dash("dash"),
        dash_offset=options.number("dashOffset"),
        layer=options.number("z"),
    )


def _ticks(options: Options, font: Font) -> Ticks:
    return Ticks(
        is_displayed=options.flag("display"),
        colors=options.colors("color"),
        font=read_font(options, font),
        padding=options.number("padding"),
        min_rotation=options.number("minRotation"),
        max_rotation=options.number("maxRotation", 50.0),
        is_mirrored=options.flag("mirror"),
        skips=options.flag("autoSkip"),
        skip_padding=options.number("autoSkipPadding"),
        label_offset=options.number("labelOffset"),
        align=options.choice("align", ("center", "start", "end", "inner"), "center"),
        cross_align=options.choice("crossAlign", ("near", "center", "far"), "near"),
        has_backdrop=options.flag("showLabelBackdrop"),
        backdrop_colors=options.colors("backdropColor"),
        backdrop_padding=options.sides("backdropPadding"),
        stroke_colors=options.colors("textStrokeColor"),
        stroke_widths=options.numbers("textStrokeWidth"),
        sample_size=options.number("sampleSize"),
        step=options.optional_number("stepSize"),
        max_ticks=_max_ticks(options.optional_number("maxTicksLimit")),
        count=options.optional_number("count"),
        precision=_digits(options.optional_number("precision")),
        has_bounds=options.value("includeBounds") is not False,
        has_major=options.nested("major").flag("enabled"),
        source=options.choice("source", _SOURCES, "auto") if options.has("source") else None,
        layer=options.number("z"),
        number_format=as_object(options.value("format")),
    )


def _max_ticks(value: float | None) -> float | None:
    return value if value is not None and value >= 1 else None


def _digits(value: float | None) -> float | None:
    return None if value is None else max(-_MAX_DIGITS, min(_MAX_DIGITS, value))


def _title(options: Options, font: Font) -> Title:
    return Title(
        is_displayed=options.flag("display"),
        lines=options.lines("text"),
        align=options.choice("align", ("center", "start", "end"), "center"),
        color=options.color("color"),
        outline=Stroke(options.color("strokeColor"), options.number("strokeWidth"), join="round"),
        font=read_font(options, font),
        padding=options.sides("padding"),
    )
