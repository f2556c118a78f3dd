"""Paints a scale along a side of the chart: its grid, its border, the labels of its ticks, and its title."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from mdpublish_core.figures.charts.options import pick
from mdpublish_core.figures.charts.painting.canvas import Canvas, aligned, filled, stroked, turned
from mdpublish_core.figures.charts.scales.base import Scale
from mdpublish_core.figures.charts.scales.labelling import Tick
from mdpublish_core.figures.charts.shapes.boxes import Box
from mdpublish_core.figures.charts.shapes.marks import Stroke
from mdpublish_core.figures.charts.shapes.paths import Path
from mdpublish_core.figures.charts.texts import Align, Baseline, Label
from mdpublish_core.figures.charts.titles import between, opposite, side_of

_SAME = 1e-6


class PlacedLabel(NamedTuple):
    """The label of a tick: the point around which it is turned, by an angle in radians, and how far below it begins."""

    label: Label
    x: float
    y: float
    angle: float
    shift: float
    align: Align
    baseline: Baseline


class _Lines(NamedTuple):
    """Where a line of the grid begins and ends across its axis, and the mark of a tick."""

    start: float
    end: float
    mark_start: float
    mark_end: float


# Grid and border


def paint_grid(canvas: Canvas, scale: Scale, area: Box) -> None:
    """Paint what is below a scale's labels: its ground, its grid, and the marks of its ticks."""
    if scale.options.background:
        canvas.rectangle(scale.box, *filled(scale.options.background))
    grid, border = scale.options.grid, scale.options.border
    if not grid.is_displayed:
        return
    ends = _line_ends(scale, area)
    lines: list[tuple[Stroke, float, float, float]] = []
    for index, pixel in _grid_pixels(scale):
        width = pick(grid.widths, index)
        at = _inside(aligned(pixel, width), width, scale)
        if grid.has_lines:
            stroke = Stroke(pick(grid.colours, index), width, border.dash, border.dash_offset)
            lines.append((stroke, at, ends.start, ends.end))
        if grid.has_ticks and grid.tick_length:
            colour, width = pick(grid.tick_colours, index), pick(grid.tick_widths, index)
            stroke = Stroke(colour, width, grid.tick_dash, grid.tick_dash_offset)
            lines.append((stroke, at, ends.mark_start, ends.mark_end))
    _paint_lines(canvas, lines, is_upright=scale.is_horizontal)


def _inside(at: float, width: float, scale: Scale) -> float:
    """Return where a line is that would be out of sight at the edge of the chart."""
    size = scale.plot.width if scale.is_horizontal else scale.plot.height
    return max(width / 2, min(at, size - width / 2))


def _paint_lines(canvas: Canvas, lines: Sequence[tuple[Stroke, float, float, float]], *, is_upright: bool) -> None:
    """Paint lines across a scale, each at a place from a start to an end: those that look alike together."""
    paths: dict[Stroke, Path] = {}
    for stroke, at, start, end in lines:
        if stroke.width > 0 and stroke.colour and all(map(math.isfinite, (at, start, end))):
            path = paths.setdefault(stroke, Path())
            if is_upright:
                path.move(at, start).line(at, end)
            else:
                path.move(start, at).line(end, at)
    for stroke, path in paths.items():
        canvas.path(path.data, *stroked(stroke, has_corners=False))


def _grid_pixels(scale: Scale) -> list[tuple[int, float]]:
    """Return where lines of the grid are: at the ticks, or between them."""
    ticks, is_offset = scale.ticks, scale.options.grid.is_offset
    number = len(ticks) + (1 if is_offset else 0)
    most = scale.options.ticks.most or number
    every = max(1, math.ceil(number / most)) if most > 0 else 1
    found = [(index, _grid_pixel(scale, index, is_offset=is_offset)) for index in range(0, number, every)]
    return [(index, pixel) for index, pixel in found if pixel is not None and not math.isnan(pixel)]


def _grid_pixel(scale: Scale, index: int, *, is_offset: bool) -> float | None:
    number = len(scale.ticks)
    if not number:
        return None
    tick = min(index, number - 1)
    pixel = scale.tick_pixel(tick)
    if not is_offset:
        return pixel
    start, end = scale.start_pixel, scale.end_pixel
    if number == 1:
        by = max(pixel - start, end - pixel)
    elif index == 0:
        by = (scale.tick_pixel(1) - pixel) / 2
    else:
        by = (pixel - scale.tick_pixel(tick - 1)) / 2
    pixel += by if tick < index else -by
    return pixel if start - _SAME <= pixel <= end + _SAME else None


def border_pixel(scale: Scale, area: Box) -> float:
    """Return where the border between a scale and the chart's area is, across the scale."""
    border = scale.options.border
    width = border.width if border.is_displayed else 0.0
    edge = {
        "top": scale.box.bottom,
        "bottom": scale.box.top,
        "left": scale.box.right,
        "right": scale.box.left,
    }.get(scale.position)
    if edge is None:
        edge = crossing_pixel(scale, area) + (0.5 if scale.is_horizontal and scale.options.crossing is None else 0.0)
    return aligned(edge, width)


def crossing_pixel(scale: Scale, area: Box) -> float:
    """Return where a scale stands that crosses the area: in its middle, or at a value of another scale."""
    crossing = scale.options.crossing
    if crossing is not None:
        name, value = crossing
        other = scale.plot.scales.get(name)
        if other is not None and other.is_horizontal != scale.is_horizontal:
            return other.pixel_for(other.parse(value))
    return (area.top + area.bottom) / 2 if scale.is_horizontal else (area.left + area.right) / 2


def _line_ends(scale: Scale, area: Box) -> _Lines:
    """Return from where to where the lines of a grid go, and the marks of ticks."""
    options = scale.options
    width = options.border.width if options.border.is_displayed else 0.0
    half, mark = width / 2, options.grid.mark_length
    at = border_pixel(scale, area)
    left, top, right, bottom = scale.box
    if scale.position == "top":
        return _Lines(aligned(area.top, width) + half, area.bottom, bottom - mark, at - half)
    if scale.position == "bottom":
        return _Lines(area.top, aligned(area.bottom, width) - half, at + half, top + mark)
    if scale.position == "left":
        return _Lines(aligned(area.left, width) + half, area.right, right - mark, at - half)
    if scale.position == "right":
        return _Lines(area.left, aligned(area.right, width) - half, at + half, left + mark)
    if scale.is_horizontal:
        return _Lines(area.top, area.bottom, at + half, at + half + mark)
    return _Lines(area.left, area.right, at - half, at - half - mark)


def paint_border(canvas: Canvas, scale: Scale, area: Box) -> None:
    """Paint the line between a scale and the chart's area."""
    border, grid = scale.options.border, scale.options.grid
    if not border.is_displayed or not border.width:
        return
    last = grid.widths[0]
    at = border_pixel(scale, area)
    first, end = (scale.box.left, scale.box.right) if scale.is_horizontal else (scale.box.top, scale.box.bottom)
    start = max(0.0, aligned(first, border.width) - border.width / 2)
    end = min(aligned(end, last) + last / 2, scale.plot.width if scale.is_horizontal else scale.plot.height)
    stroke = Stroke(border.colour, border.width)
    if scale.is_horizontal:
        canvas.line(start, at, end, at, stroke)
    else:
        canvas.line(at, start, at, end, stroke)


# Labels


def paint_labels(canvas: Canvas, scale: Scale, area: Box) -> None:
    """Paint the labels of a scale's ticks."""
    options = scale.options.ticks
    if not options.is_displayed:
        return
    for index, placed in enumerate(labels_of(scale, area)):
        if options.has_backdrop:
            _paint_backdrop(canvas, scale, placed, index)
        label = _fitted(placed, scale)
        canvas.text(
            label,
            placed.x,
            placed.y + placed.shift,
            options.font,
            pick(options.colours, index),
            align=placed.align,
            baseline=placed.baseline,
            angle=placed.angle,
            around=(placed.x, placed.y),
            outline=Stroke(pick(options.stroke_colours, index), pick(options.stroke_widths, index), join="round"),
            tip=" ".join(placed.label) if label != placed.label else "",
        )


def labels_of(scale: Scale, area: Box) -> list[PlacedLabel]:
    """Return the labels of a scale's ticks in their places."""
    if not scale.is_visible or not scale.options.ticks.is_displayed:
        return []
    place = _horizontal_label if scale.is_horizontal else _vertical_label
    return [place(scale, area, index, tick) for index, tick in enumerate(scale.ticks)]


def _horizontal_label(scale: Scale, area: Box, index: int, tick: Tick) -> PlacedLabel:
    ticks, font = scale.options.ticks, scale.options.ticks.font
    away = -ticks.padding if ticks.is_mirrored else scale.options.grid.mark_length + ticks.padding
    angle = -math.radians(scale.rotation)
    label = tick.label or ("",)
    if scale.position == "top":
        y = scale.box.bottom - away
    elif scale.position == "bottom":
        y = scale.box.top + away
    else:
        y = crossing_pixel(scale, area) + scale.options.grid.mark_length + ticks.padding
    x = scale.tick_pixel(index) + ticks.label_offset
    if angle and not ticks.has_backdrop:
        x += font.line_height / 2 * math.sin(angle)
    shift = _shift_across(scale, len(label), is_turned=bool(angle))
    align = _horizontal_align(scale, index, is_turned=bool(angle))
    return PlacedLabel(label, x, y, angle, shift, align, "middle")


def _shift_across(scale: Scale, lines: int, *, is_turned: bool) -> float:
    """Return how far from its place the first line of a label is."""
    ticks = scale.options.ticks
    height, highest = ticks.font.line_height, scale.label_sizes().highest.height
    if scale.position == "top":
        if ticks.cross_align == "near" or is_turned:
            shift = -lines * height + height / 2
        elif ticks.cross_align == "center":
            shift = -highest / 2 - lines / 2 * height + height
        else:
            shift = -highest + height / 2
    elif ticks.cross_align == "near" or is_turned:
        shift = height / 2
    elif ticks.cross_align == "center":
        shift = highest / 2 - lines / 2 * height
    else:
        shift = highest - lines * height
    return -shift if ticks.is_mirrored else shift


def _horizontal_align(scale: Scale, index: int, *, is_turned: bool) -> Align:
    align = scale.options.ticks.align
    if is_turned:
        return "left" if scale.position == "top" else "right"
    if align == "inner":
        is_reversed = scale.options.is_reversed
        if index == len(scale.ticks) - 1:
            return "left" if is_reversed else "right"
        if index == 0:
            return "right" if is_reversed else "left"
        return "center"
    return side_of(align)


def _vertical_label(scale: Scale, area: Box, index: int, tick: Tick) -> PlacedLabel:
    ticks, font = scale.options.ticks, scale.options.ticks.font
    label = tick.label or ("",)
    x, align = _vertical_place(scale, area)
    y = scale.tick_pixel(index) + ticks.label_offset
    shift = (1 - len(label)) * font.line_height / 2
    baseline: Baseline = {"start": "top", "end": "bottom"}.get(ticks.align, "middle")  # type: ignore[assignment]
    return PlacedLabel(label, x, y, -math.radians(scale.rotation), shift, align, baseline)


def _vertical_place(scale: Scale, area: Box) -> tuple[float, Align]:
    """Return where the labels of a vertical scale stand, and to which side of that."""
    ticks = scale.options.ticks
    away = scale.options.grid.mark_length + ticks.padding
    widest = scale.label_sizes().widest.width
    if scale.position not in {"left", "right"}:
        at = crossing_pixel(scale, area)
        return (at if scale.options.crossing else at - away), "right"
    outwards = -1 if scale.position == "left" else 1
    inner, outer = (scale.box.right, scale.box.left) if scale.position == "left" else (scale.box.left, scale.box.right)
    near: Align = "right" if outwards < 0 else "left"
    far: Align = "left" if outwards < 0 else "right"
    if ticks.is_mirrored:
        x = inner + ticks.padding
        by = {"near": 0.0, "center": widest / 2, "far": widest}[ticks.cross_align]
        align: Align = {"near": far, "center": "center", "far": near}[ticks.cross_align]
        return x - outwards * by, align
    x = inner + outwards * away
    if ticks.cross_align == "near":
        return x, near
    if ticks.cross_align == "center":
        return x + outwards * widest / 2, "center"
    return outer, far


def _fitted(placed: PlacedLabel, scale: Scale) -> Label:
    """Return a label as far as its scale has room for it."""
    ticks, font = scale.options.ticks, scale.options.ticks.font
    if ticks.is_mirrored or scale.position not in {"left", "right", "top", "bottom"}:
        return placed.label
    beside = scale.options.grid.mark_length + scale.options.title.height + ticks.padding
    if not scale.is_horizontal:
        room = scale.box.width - beside
    else:
        sin, cos = abs(math.sin(placed.angle)), abs(math.cos(placed.angle))
        width = scale.plot.width
        before = {"left": width - placed.x, "right": placed.x}
        room = before.get(placed.align, 2 * min(before.values())) / max(cos, _SAME)
        if sin > _SAME:
            room = min(room, (scale.box.height - beside - cos * font.line_height / 2) / sin)
    return font.fitted(placed.label, room)


def _paint_backdrop(canvas: Canvas, scale: Scale, placed: PlacedLabel, index: int) -> None:
    ticks = scale.options.ticks
    padding, font = ticks.backdrop_padding, ticks.font
    width = font.widest(placed.label)
    height = len(placed.label) * font.line_height
    left = placed.x - {"left": 0.0, "center": width / 2, "right": width}[placed.align] - padding.left
    top = placed.y + placed.shift - padding.top
    top -= {"top": 0.0, "middle": height / 2, "bottom": height}[placed.baseline]
    box = Box(left, top, left + width + padding.width, top + height + padding.height)
    canvas.rectangle(box, *filled(pick(ticks.backdrop_colours, index)), turned(placed.angle, (placed.x, placed.y)))


# Title


def paint_title(canvas: Canvas, scale: Scale, area: Box) -> None:
    """Paint what a scale is called, along it."""
    title = scale.options.title
    if not title.is_displayed:
        return
    height = title.font.line_height
    offset = height / 2
    if scale.position in {"bottom", "center"}:
        offset += title.padding.bottom + height * (len(title.lines) - 1)
    else:
        offset += title.padding.top
    x, y, angle, room = _title_place(scale, area, offset)
    align = side_of(title.align)
    # Along a horizontal scale, what begins at the end of one that is reversed would stand out of sight.
    is_reversed, is_right = scale.options.is_reversed and not scale.is_horizontal, scale.position == "right"
    align = opposite(align) if is_reversed != is_right else align
    canvas.text(
        title.lines,
        x,
        y,
        title.font,
        title.colour,
        align=align,
        angle=angle,
        around=(x, y),
        room=room,
        outline=title.outline,
    )


def _title_place(scale: Scale, area: Box, offset: float) -> tuple[float, float, float, float]:
    left, top, right, bottom = scale.box
    align = scale.options.title.align
    if scale.is_horizontal:
        x = between(align, left, right)
        if scale.position == "center":
            y = crossing_pixel(scale, area) + (bottom - top) - offset
        else:
            y = top + offset if scale.position == "top" else bottom - offset
        return x, y, 0.0, right - left
    if scale.position == "center":
        x = crossing_pixel(scale, area) - (right - left) + offset
    else:
        x = left + offset if scale.position == "left" else right - offset
    y = between(align, bottom, top)
    return x, y, -math.pi / 2 if scale.position == "left" else math.pi / 2, scale.plot.height
