"""Rendering of cartesian scales."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from mdpublish_core.figures.boxes import Box
from mdpublish_core.figures.charts.fonts import Align, Baseline, Label
from mdpublish_core.figures.charts.options import pick
from mdpublish_core.figures.charts.scales.base import Scale
from mdpublish_core.figures.charts.scales.tick_labels import Tick
from mdpublish_core.figures.charts.shapes.elements import Stroke
from mdpublish_core.figures.charts.shapes.paths import Path
from mdpublish_core.figures.charts.svg.canvas import (
    Canvas,
    fill_attributes,
    rotate_transform,
    snap_to_pixel,
    stroke_attributes,
)
from mdpublish_core.figures.charts.titles import align_between, opposite_align, side_for_align

_EPSILON = 1e-6


class TickLabel(NamedTuple):
    """A tick label: position, rotation in radians around it, and vertical offset of the text."""

    label: Label
    x: float
    y: float
    angle: float
    shift: float
    align: Align
    baseline: Baseline


class _LineEnds(NamedTuple):
    """Ends of a grid line and a tick mark, across the scale."""

    start: float
    end: float
    mark_start: float
    mark_end: float


# Grid and border


def draw_grid(canvas: Canvas, scale: Scale, area: Box) -> None:
    """Draw background, grid and tick marks."""
    if scale.options.background:
        canvas.draw_rectangle(scale.box, *fill_attributes(scale.options.background))
    grid, border = scale.options.grid, scale.options.border
    if not grid.is_displayed:
        return
    ends = _line_ends(scale, area)
    lines: list[tuple[Stroke, float, float, float]] = []
    for index, pixel in _grid_pixels(scale):
        width = pick(grid.widths, index)
        at = _inside(snap_to_pixel(pixel, width), width, scale)
        if grid.has_lines:
            stroke = Stroke(pick(grid.colors, index), width, border.dash, border.dash_offset)
            lines.append((stroke, at, ends.start, ends.end))
        if grid.has_ticks and grid.tick_length:
            color, width = pick(grid.tick_colors, index), pick(grid.tick_widths, index)
            stroke = Stroke(color, width, grid.tick_dash, grid.tick_dash_offset)
            lines.append((stroke, at, ends.mark_start, ends.mark_end))
    _draw_lines(canvas, lines, is_upright=scale.is_horizontal)


def _inside(at: float, width: float, scale: Scale) -> float:
    """Move a line at the edge of the chart inside."""
    size = scale.chart.width if scale.is_horizontal else scale.chart.height
    return max(width / 2, min(at, size - width / 2))


def _draw_lines(canvas: Canvas, lines: Sequence[tuple[Stroke, float, float, float]], *, is_upright: bool) -> None:
    """Draw lines across a scale; those with the same stroke as one path."""
    paths: dict[Stroke, Path] = {}
    for stroke, at, start, end in lines:
        if stroke.width > 0 and stroke.color and all(map(math.isfinite, (at, start, end))):
            path = paths.setdefault(stroke, Path())
            if is_upright:
                path.move(at, start).line(at, end)
            else:
                path.move(start, at).line(end, at)
    for stroke, path in paths.items():
        canvas.draw_path(path.data, *stroke_attributes(stroke, has_corners=False))


def _grid_pixels(scale: Scale) -> list[tuple[int, float]]:
    """Return the px of grid lines: at the ticks or, with `offset`, between them."""
    ticks, is_offset = scale.ticks, scale.options.grid.is_offset
    number = len(ticks) + (1 if is_offset else 0)
    max_ticks = scale.options.ticks.max_ticks or number
    every = max(1, math.ceil(number / max_ticks)) if max_ticks > 0 else 1
    pixels = [(index, _grid_pixel(scale, index, is_offset=is_offset)) for index in range(0, number, every)]
    return [(index, pixel) for index, pixel in pixels if pixel is not None and not math.isnan(pixel)]


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
    return pixel if start - _EPSILON <= pixel <= end + _EPSILON else None


def border_pixel(scale: Scale, area: Box) -> float:
    """Return the px of the border, across the scale."""
    border = scale.options.border
    width = border.width if border.is_displayed else 0.0
    left, top, right, bottom = scale.box
    edge = {"top": bottom, "bottom": top, "left": right, "right": left}.get(scale.position)
    if edge is None:
        edge = crossing_pixel(scale, area) + (0.5 if scale.is_horizontal and scale.options.crossing is None else 0.0)
    return snap_to_pixel(edge, width)


def crossing_pixel(scale: Scale, area: Box) -> float:
    """Return the px of a scale inside the area: its middle, or a value on another scale."""
    crossing = scale.options.crossing
    if crossing is not None:
        name, value = crossing
        other = scale.chart.scales.get(name)
        if other is not None and other.is_horizontal != scale.is_horizontal:
            return other.pixel_for(other.parse(value))
    return (area.top + area.bottom) / 2 if scale.is_horizontal else (area.left + area.right) / 2


def _line_ends(scale: Scale, area: Box) -> _LineEnds:
    options = scale.options
    width = options.border.width if options.border.is_displayed else 0.0
    half, mark_length = width / 2, options.grid.mark_length
    at = border_pixel(scale, area)
    left, top, right, bottom = scale.box
    if scale.position == "top":
        return _LineEnds(snap_to_pixel(area.top, width) + half, area.bottom, bottom - mark_length, at - half)
    if scale.position == "bottom":
        return _LineEnds(area.top, snap_to_pixel(area.bottom, width) - half, at + half, top + mark_length)
    if scale.position == "left":
        return _LineEnds(snap_to_pixel(area.left, width) + half, area.right, right - mark_length, at - half)
    if scale.position == "right":
        return _LineEnds(area.left, snap_to_pixel(area.right, width) - half, at + half, left + mark_length)
    if scale.is_horizontal:
        return _LineEnds(area.top, area.bottom, at + half, at + half + mark_length)
    return _LineEnds(area.left, area.right, at - half, at - half - mark_length)


def draw_border(canvas: Canvas, scale: Scale, area: Box) -> None:
    border, grid = scale.options.border, scale.options.grid
    if not border.is_displayed or not border.width:
        return
    last = grid.widths[0]
    at = border_pixel(scale, area)
    first, end = (scale.box.left, scale.box.right) if scale.is_horizontal else (scale.box.top, scale.box.bottom)
    start = max(0.0, snap_to_pixel(first, border.width) - border.width / 2)
    end = min(snap_to_pixel(end, last) + last / 2, scale.chart.width if scale.is_horizontal else scale.chart.height)
    stroke = Stroke(border.color, border.width)
    if scale.is_horizontal:
        canvas.draw_line(start, at, end, at, stroke)
    else:
        canvas.draw_line(at, start, at, end, stroke)


# Labels


def draw_labels(canvas: Canvas, scale: Scale, area: Box) -> None:
    options = scale.options.ticks
    if not options.is_displayed:
        return
    for index, tick_label in enumerate(tick_labels(scale, area)):
        if options.has_backdrop:
            _draw_backdrop(canvas, scale, tick_label, index)
        label, room = _fit_label(tick_label, scale)
        # A wrapped label stays in the middle of its tick.
        shift = tick_label.shift - (len(label) - len(tick_label.label)) * options.font.line_height / 2
        canvas.draw_label(
            label,
            tick_label.x,
            tick_label.y + shift,
            options.font,
            pick(options.colors, index),
            align=tick_label.align,
            baseline=tick_label.baseline,
            angle=tick_label.angle,
            around=(tick_label.x, tick_label.y),
            room=room,
            outline=Stroke(pick(options.stroke_colors, index), pick(options.stroke_widths, index), join="round"),
            tooltip=" ".join(tick_label.label) if label != tick_label.label else "",
        )


def tick_labels(scale: Scale, area: Box) -> list[TickLabel]:
    if not scale.is_visible or not scale.options.ticks.is_displayed:
        return []
    build_label = _horizontal_label if scale.is_horizontal else _vertical_label
    return [build_label(scale, area, index, tick) for index, tick in enumerate(scale.ticks)]


def _horizontal_label(scale: Scale, area: Box, index: int, tick: Tick) -> TickLabel:
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
    shift = _shift_across(scale, len(label), is_rotated=bool(angle))
    align = _horizontal_align(scale, index, is_rotated=bool(angle))
    return TickLabel(label, x, y, angle, shift, align, "middle")


def _shift_across(scale: Scale, lines: int, *, is_rotated: bool) -> float:
    """Return the offset of a label's first line."""
    ticks = scale.options.ticks
    height, highest = ticks.font.line_height, scale.label_sizes().highest.height
    if scale.position == "top":
        if ticks.cross_align == "near" or is_rotated:
            shift = -lines * height + height / 2
        elif ticks.cross_align == "center":
            shift = -highest / 2 - lines / 2 * height + height
        else:
            shift = -highest + height / 2
    elif ticks.cross_align == "near" or is_rotated:
        shift = height / 2
    elif ticks.cross_align == "center":
        shift = highest / 2 - lines / 2 * height
    else:
        shift = highest - lines * height
    return -shift if ticks.is_mirrored else shift


def _horizontal_align(scale: Scale, index: int, *, is_rotated: bool) -> Align:
    align = scale.options.ticks.align
    if is_rotated:
        return "left" if scale.position == "top" else "right"
    if align == "inner":
        is_reversed = scale.options.is_reversed
        if index == len(scale.ticks) - 1:
            return "left" if is_reversed else "right"
        if index == 0:
            return "right" if is_reversed else "left"
        return "center"
    return side_for_align(align)


def _vertical_label(scale: Scale, area: Box, index: int, tick: Tick) -> TickLabel:
    ticks, font = scale.options.ticks, scale.options.ticks.font
    label = tick.label or ("",)
    x, align = _vertical_position(scale, area)
    y = scale.tick_pixel(index) + ticks.label_offset
    shift = (1 - len(label)) * font.line_height / 2
    baseline: Baseline = {"start": "top", "end": "bottom"}.get(ticks.align, "middle")  # type: ignore[assignment]
    return TickLabel(label, x, y, -math.radians(scale.rotation), shift, align, baseline)


def _vertical_position(scale: Scale, area: Box) -> tuple[float, Align]:
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


def _fit_label(tick_label: TickLabel, scale: Scale) -> tuple[Label, float]:
    """Fit a label into the space of its scale; labels beside it may have several lines."""
    ticks, font = scale.options.ticks, scale.options.ticks.font
    if ticks.is_mirrored or scale.position not in {"left", "right", "top", "bottom"}:
        return tick_label.label, math.inf
    max_lines = 1
    margin = scale.options.grid.mark_length + scale.options.title.height + ticks.padding
    if not scale.is_horizontal:
        room = scale.box.width - margin
        max_lines = int(scale.box.height / len(scale.ticks) // font.line_height)
    else:
        sin, cos = abs(math.sin(tick_label.angle)), abs(math.cos(tick_label.angle))
        width = scale.chart.width
        before = {"left": width - tick_label.x, "right": tick_label.x}
        room = before.get(tick_label.align, 2 * min(before.values())) / max(cos, _EPSILON)
        if sin > _EPSILON:
            room = min(room, (scale.box.height - margin - cos * font.line_height / 2) / sin)
    return font.fit(tick_label.label, room, max_lines)


def _draw_backdrop(canvas: Canvas, scale: Scale, tick_label: TickLabel, index: int) -> None:
    ticks = scale.options.ticks
    padding, font = ticks.backdrop_padding, ticks.font
    width = font.widest(tick_label.label)
    height = len(tick_label.label) * font.line_height
    left = tick_label.x - {"left": 0.0, "center": width / 2, "right": width}[tick_label.align] - padding.left
    top = tick_label.y + tick_label.shift - padding.top
    top -= {"top": 0.0, "middle": height / 2, "bottom": height}[tick_label.baseline]
    box = Box(left, top, left + width + padding.width, top + height + padding.height)
    canvas.draw_rectangle(
        box,
        *fill_attributes(pick(ticks.backdrop_colors, index)),
        rotate_transform(tick_label.angle, (tick_label.x, tick_label.y)),
    )


# Title


def draw_title(canvas: Canvas, scale: Scale, area: Box) -> None:
    title = scale.options.title
    if not title.is_displayed:
        return
    height = title.font.line_height
    offset = height / 2
    if scale.position in {"bottom", "center"}:
        offset += title.padding.bottom + height * (len(title.lines) - 1)
    else:
        offset += title.padding.top
    x, y, angle, room = _title_position(scale, area, offset)
    align = side_for_align(title.align)
    # Ignore `reverse` on horizontal scales, where the title would leave the chart.
    is_reversed, is_right = scale.options.is_reversed and not scale.is_horizontal, scale.position == "right"
    align = opposite_align(align) if is_reversed != is_right else align
    canvas.draw_label(
        title.lines,
        x,
        y,
        title.font,
        title.color,
        align=align,
        angle=angle,
        around=(x, y),
        room=room,
        outline=title.outline,
    )


def _title_position(scale: Scale, area: Box, offset: float) -> tuple[float, float, float, float]:
    left, top, right, bottom = scale.box
    align = scale.options.title.align
    if scale.is_horizontal:
        x = align_between(align, left, right)
        if scale.position == "center":
            y = crossing_pixel(scale, area) + (bottom - top) - offset
        else:
            y = top + offset if scale.position == "top" else bottom - offset
        return x, y, 0.0, right - left
    if scale.position == "center":
        x = crossing_pixel(scale, area) - (right - left) + offset
    else:
        x = left + offset if scale.position == "left" else right - offset
    y = align_between(align, bottom, top)
    return x, y, -math.pi / 2 if scale.position == "left" else math.pi / 2, scale.chart.height
