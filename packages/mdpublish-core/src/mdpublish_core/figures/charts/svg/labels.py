"""Rendering of data labels and annotations."""

from mdpublish_core.figures.boxes import Box
from mdpublish_core.figures.charts.chart import Chart
from mdpublish_core.figures.charts.plugins.annotations import Annotation
from mdpublish_core.figures.charts.plugins.labels import LabelBlock
from mdpublish_core.figures.charts.svg.canvas import Canvas, fill_attributes, rotate_transform, stroke_attributes


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
        width, height = block.width, block.height
        frame = Box(block.x - width / 2, block.y - height / 2, block.x + width / 2, block.y + height / 2)
        if block.fill or (block.stroke.color and block.stroke.width):
            half = block.border - block.stroke.width / 2
            inner = Box(frame.left + half, frame.top + half, frame.right - half, frame.bottom - half)
            canvas.draw_box(inner, block.corner, *fill_attributes(block.fill), *stroke_attributes(block.stroke))
        left = frame.left + block.border + block.padding.left
        x = left + block.inner_width * {"left": 0.0, "center": 0.5, "right": 1.0}[block.align]
        y = frame.top + block.border + block.padding.top + block.font.line_height / 2
        canvas.draw_label(block.lines, x, y, block.font, block.color, align=block.align, outline=block.outline)
