"""Paints a scale around a centre: its grid, the lines to its labels, these labels, and those of its ticks."""

import math

from mdpublish_core.figures.charts.options import pick
from mdpublish_core.figures.charts.painting.canvas import Canvas, filled, stroked, turned
from mdpublish_core.figures.charts.scales.labelling import Tick
from mdpublish_core.figures.charts.scales.radial import PointLabel, RadialScale
from mdpublish_core.figures.charts.shapes.boxes import Box
from mdpublish_core.figures.charts.shapes.marks import Stroke
from mdpublish_core.figures.charts.shapes.paths import Corners, Path
from mdpublish_core.figures.charts.texts import Label


def paint_grid(canvas: Canvas, scale: RadialScale, area: Box) -> None:
    """Paint what is below the labels of ticks."""
    del area
    if scale.options.background:
        canvas.path(_ring(scale, scale.outer_distance()).data, *filled(scale.options.background))
    if scale.labelling.display:
        for index in reversed(range(len(scale.items))):
            if scale.items[index].is_visible:
                _paint_point_label(canvas, scale, scale.items[index], index)
    grid = scale.options.grid
    if grid.is_displayed:
        for index, tick in enumerate(scale.ticks):
            if index or scale.least < 0:
                _paint_ring(canvas, scale, tick, index)
    if scale.angle_lines.is_displayed:
        _paint_angle_lines(canvas, scale)


def _ring(scale: RadialScale, distance: float) -> Path:
    """Return the line of one value: a circle, or straight from angle to angle."""
    path = Path()
    if scale.options.grid.is_circular:
        return path.ellipse(scale.x_centre, scale.y_centre, distance, distance)
    for index in range(len(scale.point_labels)):
        path.line(*scale.place_at(index, distance))
    return path.close()


def _paint_ring(canvas: Canvas, scale: RadialScale, tick: Tick, index: int) -> None:
    grid, border = scale.options.grid, scale.options.border
    distance = scale.distance_for(tick.value)
    width, colour = pick(grid.widths, index), pick(grid.colours, index)
    if not (distance >= 0 and width > 0 and colour):
        return
    stroke = Stroke(colour, width, border.dash, border.dash_offset)
    path = _ring(scale, distance)
    if not path.is_empty:
        canvas.path(path.data, *filled(""), *stroked(stroke))


def _paint_angle_lines(canvas: Canvas, scale: RadialScale) -> None:
    lines = scale.angle_lines
    distance = scale.outer_distance()
    for index in reversed(range(len(scale.point_labels))):
        stroke = Stroke(pick(lines.colours, index), pick(lines.widths, index), lines.dash, lines.dash_offset)
        canvas.line(scale.x_centre, scale.y_centre, *scale.place_at(index, distance), stroke)


def _paint_point_label(canvas: Canvas, scale: RadialScale, item: PointLabel, index: int) -> None:
    labelling = scale.labelling
    ground = pick(labelling.backdrop_colours, index)
    if ground:
        padding, corner = labelling.backdrop_padding, labelling.corner
        box = item.box
        path = Path().rounded(
            box.left - padding.left,
            box.top - padding.top,
            box.width + padding.width,
            box.height + padding.height,
            Corners(corner, corner, corner, corner),
        )
        canvas.path(path.data, *filled(ground))
    y = item.y + labelling.font.line_height / 2
    label = _fitted(item, scale)
    tip = " ".join(item.label) if label != item.label else ""
    canvas.text(label, item.x, y, labelling.font, pick(labelling.colours, index), align=item.align, tip=tip)


def _fitted(item: PointLabel, scale: RadialScale) -> Label:
    """Return a label as far as there is room for it beside the scale."""
    beside = {"left": scale.plot.width - item.x, "right": item.x}
    room = beside.get(item.align, 2 * min(beside.values()))
    return scale.labelling.font.fitted(item.label, room)


def paint_labels(canvas: Canvas, scale: RadialScale, area: Box) -> None:
    """Paint the labels of the scale's ticks, one above another from the centre."""
    del area
    options = scale.options.ticks
    if not options.is_displayed:
        return
    font, padding = options.font, options.backdrop_padding
    for index, tick in labelled_ticks(scale):
        x, y = scale.place_at(0, scale.distance_for(tick.value))
        label = tick.label or ("",)
        angle = scale.angle_of(0)
        if options.has_backdrop:
            half = font.widest(label) / 2
            box = Box(
                x - half - padding.left,
                y - font.size / 2 - padding.top,
                x + half + padding.right,
                y + font.size / 2 + padding.bottom,
            )
            canvas.rectangle(box, *filled(pick(options.backdrop_colours, index)), turned(angle, (x, y)))
        canvas.text(
            label,
            x,
            y,
            font,
            pick(options.colours, index),
            align="center",
            angle=angle,
            around=(x, y),
            outline=Stroke(pick(options.stroke_colours, index), pick(options.stroke_widths, index), join="round"),
        )


def labelled_ticks(scale: RadialScale) -> list[tuple[int, Tick]]:
    """Return the ticks that have labels: not the one in the centre."""
    is_first_shown = scale.least < 0 or scale.options.is_reversed
    ticks = [(index, tick) for index, tick in enumerate(scale.ticks) if index or is_first_shown]
    return [(index, tick) for index, tick in ticks if math.isfinite(scale.distance_for(tick.value))]
