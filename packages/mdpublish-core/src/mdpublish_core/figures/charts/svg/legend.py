"""Rendering of titles, legends, data labels and annotations."""

import math

from mdpublish_core.figures.boxes import Box
from mdpublish_core.figures.charts.chart import NAME_GAP, Chart
from mdpublish_core.figures.charts.legends import Legend, LegendEntry
from mdpublish_core.figures.charts.plugins.annotations import Annotation
from mdpublish_core.figures.charts.plugins.labels import LabelBlock
from mdpublish_core.figures.charts.shapes.markers import is_open, marker_path
from mdpublish_core.figures.charts.svg.canvas import Canvas, fill_attributes, rotate_transform, stroke_attributes
from mdpublish_core.figures.charts.titles import TitleBlock, side_for_align


def draw_title_block(canvas: Canvas, block: TitleBlock) -> None:
    if not block.is_displayed:
        return
    x, y, angle, room = block.position()
    align = side_for_align(block.align)
    canvas.draw_label(block.lines, x, y, block.font, block.color, align=align, angle=angle, around=(x, y), room=room)


def draw_legend(canvas: Canvas, legend: Legend) -> None:
    """Draw a legend, clipped if its items do not fit."""
    if not legend.is_displayed or not (legend.entries or legend.has_title):
        return
    with canvas.clipped(None if legend_fits(legend) else legend.box):
        if legend.has_title:
            x, y, align = legend.title_position()
            canvas.draw_label(legend.title_lines, x, y, legend.title_font, legend.title_color, align=align)
        for entry in legend.entries:
            _draw_entry(canvas, legend, entry)


def legend_fits(legend: Legend) -> bool:
    """Tell whether all items are inside the box."""
    boxes = (Box.at(entry.left, entry.top, entry.width, entry.height) for entry in legend.entries)
    return all(legend.box.contains(box, 1.0) for box in boxes)


def _draw_entry(canvas: Canvas, legend: Legend, entry: LegendEntry) -> None:
    item = entry.item
    if legend.box_width > 0 and legend.box_height >= 0:
        if legend.uses_points:
            _draw_point(canvas, legend, entry)
        else:
            y = entry.box_y + max((legend.font.size - legend.box_height) / 2, 0.0)
            box = Box.at(entry.box_x, y, legend.box_width, legend.box_height)
            canvas.draw_box(box, item.corner, *canvas.fill_attributes(item.fill), *stroke_attributes(item.stroke))
    canvas.draw_label(
        item.label_lines,
        entry.label_x,
        entry.label_y,
        legend.font,
        legend.color,
        align=entry.align,
        is_struck_through=item.is_hidden,
    )


def _draw_point(canvas: Canvas, legend: Legend, entry: LegendEntry) -> None:
    item = entry.item
    shape = item.shape or "circle"
    path = marker_path(
        shape,
        entry.box_x + legend.box_width / 2,
        entry.box_y + legend.font.size / 2,
        legend.box_height * math.sqrt(2) / 2,
        item.rotation,
        legend.box_width if legend.point_width else None,
    )
    if not path.is_empty:
        canvas.draw_path(
            path.data, *canvas.fill_attributes("" if is_open(shape) else item.fill), *stroke_attributes(item.stroke)
        )


def draw_names(canvas: Canvas, chart: Chart) -> None:
    """Draw the names of lines beside their ends."""
    for y, series in chart.names:
        color = series.line.style.stroke.color if series.line else chart.palette.label_color
        canvas.draw_label((series.label,), chart.area.right + NAME_GAP, y, chart.configuration.font, color)


def draw_data_labels(canvas: Canvas, chart: Chart) -> None:
    for label in chart.data_labels:
        with canvas.clipped(chart.area if label.is_clipped else None):
            _draw_block(canvas, label.block)


def draw_annotations(canvas: Canvas, chart: Chart, *, is_below: bool) -> None:
    """Draw those below or above the datasets."""
    annotations = [each for each in chart.annotations if each.is_below == is_below]
    if annotations:
        with canvas.clipped(chart.area):
            for each in annotations:
                _draw_shape(canvas, each)
            # Labels stay readable in front of other annotations.
            for each in annotations:
                if each.label is not None:
                    _draw_block(canvas, each.label)


def _draw_shape(canvas: Canvas, annotation: Annotation) -> None:
    x1, y1, x2, y2 = annotation.box
    paint = (*fill_attributes(annotation.fill), *stroke_attributes(annotation.stroke))
    if annotation.type == "line":
        canvas.draw_line(x1, y1, x2, y2, annotation.stroke)
    elif annotation.type == "box":
        canvas.draw_box(annotation.box, annotation.corner, *paint)
    elif annotation.type == "point":
        canvas.draw_circle((x1 + x2) / 2, (y1 + y2) / 2, (x2 - x1) / 2, *paint)


def _draw_block(canvas: Canvas, block: LabelBlock) -> None:
    with canvas.group(rotate_transform(block.rotation, (block.x, block.y))):
        frame = Box.around(block.x, block.y, block.width, block.height)
        if block.fill or (block.stroke.color and block.stroke.width):
            half = block.border - block.stroke.width / 2
            inner = Box(frame.left + half, frame.top + half, frame.right - half, frame.bottom - half)
            canvas.draw_box(inner, block.corner, *fill_attributes(block.fill), *stroke_attributes(block.stroke))
        left = frame.left + block.border + block.padding.left
        x = left + block.inner_width * {"left": 0.0, "center": 0.5, "right": 1.0}[block.align]
        y = frame.top + block.border + block.padding.top + block.font.line_height / 2
        canvas.draw_label(block.lines, x, y, block.font, block.color, align=block.align, outline=block.outline)
