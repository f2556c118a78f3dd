"""Lines, boxes, points and labels in the chart area, as https://www.chartjs.org/chartjs-plugin-annotation/ has them."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from mdpublish_core.figures.boxes import Box
from mdpublish_core.figures.charts.fonts import Font, Label, label_of
from mdpublish_core.figures.charts.geometry import clamp
from mdpublish_core.figures.charts.options import Options
from mdpublish_core.figures.charts.plugins.labels import LabelBlock, read_label
from mdpublish_core.figures.charts.scales.base import Scale, find_scale
from mdpublish_core.figures.charts.scales.category import CategoryScale
from mdpublish_core.figures.charts.shapes.elements import Stroke
from mdpublish_core.figures.charts.values import Json, finite_number, is_truthy, leading_number, short_repr, to_string
from mdpublish_core.figures.errors import FigureError

MAX_ANNOTATIONS = 100

_TYPES = ("line", "box", "label", "point")

# Names of positions in the plugin's first version.
_STARTS, _ENDS = frozenset({"start", "left", "top"}), frozenset({"end", "right", "bottom"})

_MAX_LABEL_SHIFT = 0.25  # of a line's length, from its end

_BELOW = frozenset({"beforeDraw", "beforeDatasetsDraw"})


_Placed = tuple[Box, LabelBlock | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Annotation:
    """What is drawn: a line from the box's left top to its right bottom, a rectangle, a circle, or only a label."""

    type: str
    box: Box
    stroke: Stroke
    fill: str
    corner: float
    label: LabelBlock | None
    is_below: bool
    z: float


class AnnotationReader:
    """An annotation's options and scales."""

    def __init__(self, options: Options, scales: Mapping[str, Scale], font: Font) -> None:
        self._options = options
        self._font = font
        self.type = options.choice("type", _TYPES, "line")
        name = options.string("scaleID")
        self._named_scale = scales.get(name)
        self._x_scale = find_scale(scales, options.string("xScaleID"), "x")
        self._y_scale = find_scale(scales, options.string("yScaleID"), "y")
        self._values = dict(self._read_values())

    def _read_values(self) -> Iterator[tuple[str, tuple[Scale, float]]]:
        for name, scale in self._scales_by_option():
            raw = self._options.value(name)
            if raw is None or scale is None:
                continue
            value = _parse(scale, raw)
            if value is None:
                self._options.remark(name, f"is ignored: not a value of scale `{scale.name}` (got {short_repr(raw)})")
            else:
                yield name, (scale, value)

    def _scales_by_option(self) -> Iterator[tuple[str, Scale | None]]:
        if self._named_scale is not None:
            yield from (("value", self._named_scale), ("endValue", self._named_scale))
            return
        for axis, scale in (("x", self._x_scale), ("y", self._y_scale)):
            yield from ((f"{axis}{end}", scale) for end in ("Min", "Max", "Value"))

    def values_on(self, scale: Scale) -> list[float]:
        """Return the values that the scale should reach."""
        # Positions beyond the labels are none of a category scale.
        if isinstance(scale, CategoryScale) or not self._options.flag("adjustScaleRange"):
            return []
        return [value for on, value in self._values.values() if on is scale]

    @property
    def summary(self) -> str:
        """The label and where it is, for readers who cannot see it."""
        words = " ".join(" ".join(self._label_lines()).split())
        ranges = []
        for axis in ("x", "y"):
            names = [name for name, (scale, _) in self._values.items() if scale.options.axis == axis]
            if names:
                ranges.append(f"{axis} = {' to '.join(dict.fromkeys(map(self._format, names)))}")
        return f"{words} ({', '.join(ranges)})" if words and ranges else words

    def _format(self, name: str) -> str:
        scale, value = self._values[name]
        if not isinstance(scale, CategoryScale):
            return to_string(self._options.value(name))
        # A box from 1.5 to 2.5 is around the label 2.
        index = math.ceil(value) if name.endswith("Min") else math.floor(value)
        return scale.format_value(float(index))

    def _label_lines(self) -> Label:
        options = self._options if self.type == "label" else self._options.nested("label")
        if self.type != "label" and not is_truthy(options.value("display")):
            return ()
        content = options.raw("content")
        if content is None or isinstance(content, dict):
            return ()
        lines = label_of(content)
        return tuple(line for each in lines for line in each.split("\n")) if any(lines) else ()

    # After layout

    def build(self, area: Box) -> Annotation | None:
        """Return None if the annotation is outside the chart area."""
        options = self._options
        if options.value("drawTime") is False or not options.flag("display"):
            return None
        build = {"line": self._line, "box": self._box, "label": self._only_label, "point": self._point}[self.type]
        placed = build(area)
        if placed is None or not all(map(math.isfinite, placed[0])):
            return None
        stroke = Stroke(
            options.color("borderColor"),
            max(options.number("borderWidth"), 0.0),
            options.dash("borderDash"),
            options.number("borderDashOffset"),
        )
        return Annotation(
            type=self.type,
            box=placed[0],
            stroke=stroke,
            fill=options.color("backgroundColor"),
            corner=max(options.number("borderRadius"), 0.0),
            label=placed[1],
            is_below=to_string(options.value("drawTime")) in _BELOW,
            z=options.number("z"),
        )

    def _pixel(self, name: str, default: float) -> float:
        if name not in self._values:
            return default
        scale, value = self._values[name]
        return scale.pixel_for(value)

    def _edges(self, scale: Scale | None, axis: str, area: Box) -> tuple[float, float]:
        """Return the px of the minimum and the maximum, or the edges of the area."""
        start, end = (area.left, area.right) if axis == "x" else (area.bottom, area.top)
        if scale is not None and scale.options.is_reversed:
            start, end = end, start
        return self._pixel(f"{axis}Min", start), self._pixel(f"{axis}Max", end)

    def _line(self, area: Box) -> _Placed | None:
        x1, y1, x2, y2 = area
        if self._named_scale is not None:
            start = self._pixel("value", math.nan)
            end = self._pixel("endValue", start)
            if self._named_scale.is_horizontal:
                x1, x2 = start, end
            else:
                y1, y2 = start, end
        else:
            x1, x2 = self._edges(self._x_scale, "x", area)
            y1, y2 = self._edges(self._y_scale, "y", area)
        clipped = area.clip_line(x1, y1, x2, y2)
        if clipped is None:
            return None
        label = self._read_label(self._options.nested("label"))
        return Box(*clipped), label and _on_line(label, self._options.nested("label"), clipped, area)

    def _box(self, area: Box) -> _Placed | None:
        box = self._rectangle(area)
        options = self._options.nested("label")
        label = self._read_label(options)
        if label is not None:
            across, down = _shares(options)
            x = box.left + label.width / 2 + (box.width - label.width) * across
            y = box.top + label.height / 2 + (box.height - label.height) * down
            label = label.at(x + options.number("xAdjust"), y + options.number("yAdjust"))
        return box, label

    def _rectangle(self, area: Box) -> Box:
        left, right = sorted(self._edges(self._x_scale, "x", area))
        top, bottom = sorted(self._edges(self._y_scale, "y", area))
        return Box(left, top, right, bottom)

    def _only_label(self, area: Box) -> _Placed | None:
        x, y = self._middle(area)
        label = self._read_label(self._options)
        if label is None:
            return None
        across, down = _shares(self._options)
        x, y = x + label.width * (0.5 - across), y + label.height * (0.5 - down)
        return Box(x, y, x, y), label.at(x, y)

    def _point(self, area: Box) -> _Placed | None:
        x, y = self._middle(area)
        radius = max(self._options.number("radius"), 0.0)
        return Box(x - radius, y - radius, x + radius, y + radius), None

    def _middle(self, area: Box) -> tuple[float, float]:
        box = self._rectangle(area)
        x = self._pixel("xValue", (box.left + box.right) / 2)
        y = self._pixel("yValue", (box.top + box.bottom) / 2)
        return x + self._options.number("xAdjust"), y + self._options.number("yAdjust")

    def _read_label(self, options: Options) -> LabelBlock | None:
        lines = self._label_lines()
        if not lines:
            return None
        label = read_label(options, lines, self._font)
        # The border is drawn on the edge.
        return replace(label, border=label.stroke.width / 2)


def read_annotations(configured: Sequence[Options], scales: Mapping[str, Scale], font: Font) -> list[AnnotationReader]:
    """Raise `FigureError` if there are too many."""
    if len(configured) > MAX_ANNOTATIONS:
        raise FigureError(f"a chart must have at most {MAX_ANNOTATIONS} annotations (got {len(configured):,})")
    readers: list[AnnotationReader] = []
    for options in configured:
        kind = options.value("type")
        if kind is not None and kind not in _TYPES:
            options.remark("type", f"{short_repr(kind)} is not supported; only {', '.join(_TYPES)} are drawn")
        elif is_truthy(options.value("display")):
            readers.append(AnnotationReader(options, scales, font))
    return readers


def _parse(scale: Scale, raw: Json) -> float | None:
    """Return a value of a scale. On a category scale, numbers are positions; no label is added."""
    if isinstance(raw, bool | list | dict):
        return None
    if isinstance(scale, CategoryScale):
        labels = scale.labels()
        value = float(labels.index(raw)) if raw in labels and isinstance(raw, str) else finite_number(raw)
    else:
        value = scale.parse(raw)
    return value if value is not None and math.isfinite(value) else None


def _shares(options: Options) -> tuple[float, float]:
    raw = options.value("position")
    positions = raw if isinstance(raw, dict) else {"x": raw, "y": raw}
    return _share(positions.get("x")), _share(positions.get("y"))


def _share(position: Json) -> float:
    """Return the relative position of a label."""
    if not isinstance(position, str):
        return 0.5
    if position in _STARTS:
        return 0.0
    if position in _ENDS:
        return 1.0
    if position.endswith("%"):
        percent = leading_number(position[:-1])
        return 0.5 if percent is None else min(max(percent / 100, 0.0), 1.0)
    return 0.5


def _on_line(label: LabelBlock, options: Options, line: tuple[float, float, float, float], area: Box) -> LabelBlock:
    """Place a label at its position along a line, inside the area."""
    x1, y1, x2, y2 = line
    position = options.value("position")
    share = _share(position)
    across, down = label.reach
    if share in {0.0, 1.0} and not to_string(position).endswith("%"):
        sign = 1 if share == 0 else -1
        left, right = min(x1, x2) - area.left, area.right - max(x1, x2)
        top, bottom = min(y1, y2) - area.top, area.bottom - max(y1, y2)
        width = sign * (x2 - x1) * (1 if left <= right else -1)
        height = sign * (y2 - y1) * (1 if top <= bottom else -1)
        by_width = (across + label.padding.left - min(left, right)) / width if width > 0 else 0.0
        by_height = (down + label.padding.top - min(top, bottom)) / height if height > 0 else 0.0
        shift = clamp(max(by_width, by_height), 0.0, _MAX_LABEL_SHIFT)
        share = shift if share == 0 else 1 - shift
    x = _between(x1 + (x2 - x1) * share, across, label.padding.left, area.left, area.right)
    y = _between(y1 + (y2 - y1) * share, down, label.padding.top, area.top, area.bottom)
    return label.at(x + options.number("xAdjust"), y + options.number("yAdjust"))


def _between(middle: float, reach: float, padding: float, start: float, end: float) -> float:
    if 2 * reach > end - start:
        return (start + end) / 2
    return max(start + padding + reach, min(middle, end - padding - reach))
