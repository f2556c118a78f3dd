"""Rendering of radial scales."""

import math

from mdpublish_core.figures.boxes import Box
from mdpublish_core.figures.charts.fonts import Label
from mdpublish_core.figures.charts.options import pick
from mdpublish_core.figures.charts.scales.radial import PointLabel, RadialScale
from mdpublish_core.figures.charts.scales.tick_labels import Tick
from mdpublish_core.figures.charts.shapes.elements import Stroke
from mdpublish_core.figures.charts.shapes.paths import Path
from mdpublish_core.figures.charts.svg.canvas import Canvas, fill_attributes, rotate_transform, stroke_attributes


def draw_grid(canvas: Canvas, scale: RadialScale, area: Box) -> None:
    """Draw what is below the tick labels."""
    del area
    if scale.options.background:
        canvas.draw_path(_ring(scale, scale.outer_distance()).data, *fill_attributes(scale.options.background))
    if scale.point_label_options.display:
        for index in reversed(range(len(scale.items))):
            if scale.items[index].is_visible:
                _draw_point_label(canvas, scale, scale.items[index], index)
    grid = scale.options.grid
    if grid.is_displayed:
        for index, tick in enumerate(scale.ticks):
            if index or scale.minimum < 0:
                _draw_ring(canvas, scale, tick, index)
    _draw_angle_lines(canvas, scale)


def _ring(scale: RadialScale, distance: float) -> Path:
    """Return the grid line of a value: a circle or a polygon."""
    path = Path()
    if scale.options.grid.is_circular:
        return path.ellipse(scale.center_x, scale.center_y, distance, distance)
    for index in range(len(scale.point_labels)):
        path.line(*scale.point_at(index, distance))
    return path.close()


def _draw_ring(canvas: Canvas, scale: RadialScale, tick: Tick, index: int) -> None:
    grid, border = scale.options.grid, scale.options.border
    distance = scale.distance_for(tick.value)
    width, color = pick(grid.widths, index), pick(grid.colors, index)
    if not (distance >= 0 and width > 0 and color):
        return
    stroke = Stroke(color, width, border.dash, border.dash_offset)
    path = _ring(scale, distance)
    if not path.is_empty:
        canvas.draw_path(path.data, *fill_attributes(""), *stroke_attributes(stroke))


def _draw_angle_lines(canvas: Canvas, scale: RadialScale) -> None:
    options, distance = scale.raw_options.nested("angleLines"), scale.outer_distance()
    colors = options.colors("color") if options.has("color") else scale.options.grid.colors
    widths, dash = options.numbers("lineWidth", 1.0), options.dash("borderDash")
    dash_offset = options.number("borderDashOffset")
    if not options.flag("display"):
        return
    for index in reversed(range(len(scale.point_labels))):
        stroke = Stroke(pick(colors, index), pick(widths, index), dash, dash_offset)
        canvas.draw_line(scale.center_x, scale.center_y, *scale.point_at(index, distance), stroke)


def _draw_point_label(canvas: Canvas, scale: RadialScale, item: PointLabel, index: int) -> None:
    options = scale.point_label_options
    ground = pick(options.backdrop_colors, index)
    if ground:
        canvas.draw_box(options.backdrop_padding.around(item.box), options.corner, *fill_attributes(ground))
    y = item.y + options.font.line_height / 2
    label, room = _fit_label(item, scale)
    tooltip = " ".join(item.label) if label != item.label else ""
    color = pick(options.colors, index)
    canvas.draw_label(label, item.x, y, options.font, color, align=item.align, room=room, tooltip=tooltip)


def _fit_label(item: PointLabel, scale: RadialScale) -> tuple[Label, float]:
    """Fit a label into the space beside the scale."""
    available = {"left": scale.chart.width - item.x, "right": item.x}
    room = available.get(item.align, 2 * min(available.values()))
    return scale.point_label_options.font.fit(item.label, room)


def draw_labels(canvas: Canvas, scale: RadialScale, area: Box) -> None:
    del area
    options = scale.options.ticks
    if not options.is_displayed:
        return
    font, padding = options.font, options.backdrop_padding
    for index, tick in labeled_ticks(scale):
        x, y = scale.point_at(0, scale.distance_for(tick.value))
        label = tick.label or ("",)
        angle = scale.angle_of(0)
        if options.has_backdrop:
            box = padding.around(Box.around(x, y, font.widest(label), font.size))
            canvas.draw_rectangle(
                box, *fill_attributes(pick(options.backdrop_colors, index)), rotate_transform(angle, (x, y))
            )
        canvas.draw_label(
            label,
            x,
            y,
            font,
            pick(options.colors, index),
            align="center",
            angle=angle,
            around=(x, y),
            outline=Stroke(pick(options.stroke_colors, index), pick(options.stroke_widths, index), join="round"),
        )


def labeled_ticks(scale: RadialScale) -> list[tuple[int, Tick]]:
    """Return ticks with labels, except at the center."""
    is_first_shown = scale.minimum < 0 or scale.options.is_reversed
    ticks = [(index, tick) for index, tick in enumerate(scale.ticks) if index or is_first_shown]
    return [(index, tick) for index, tick in ticks if math.isfinite(scale.distance_for(tick.value))]
