"""Paints the title, the subtitle and the legend."""

import math

from mdpublish_core.figures.charts.legends import Entry, Legend
from mdpublish_core.figures.charts.painting.canvas import Canvas, filled, stroked
from mdpublish_core.figures.charts.shapes.boxes import Box
from mdpublish_core.figures.charts.shapes.paths import Corners, Path
from mdpublish_core.figures.charts.shapes.points import is_open, point_path
from mdpublish_core.figures.charts.titles import TitleBlock


def paint_block(canvas: Canvas, block: TitleBlock) -> None:
    """Paint a title."""
    if not block.is_displayed:
        return
    placed = block.placed()
    canvas.text(
        block.lines,
        placed.x,
        placed.y,
        block.font,
        block.colour,
        align=placed.align,
        angle=placed.angle,
        around=(placed.x, placed.y),
        room=placed.room,
    )


def paint_legend(canvas: Canvas, legend: Legend) -> None:
    """Paint a legend, cut off at its sides where they leave too little room for its items."""
    if not legend.is_displayed or not (legend.entries or legend.has_title):
        return
    with canvas.clipped(None if is_whole(legend) else legend.box):
        if legend.has_title:
            x, y, align = legend.title_place()
            canvas.text(legend.title_lines, x, y, legend.title_font, legend.title_colour, align=align)
        for entry in legend.entries:
            _paint_entry(canvas, legend, entry)


def is_whole(legend: Legend) -> bool:
    """Tell whether all items of a legend are within its sides."""
    box = Box(legend.box.left - 1, legend.box.top - 1, legend.box.right + 1, legend.box.bottom + 1)
    return all(
        box.covers(Box(entry.left, entry.top, entry.left + entry.width, entry.top + entry.height))
        for entry in legend.entries
    )


def _paint_entry(canvas: Canvas, legend: Legend, entry: Entry) -> None:
    item = entry.item
    if legend.box_width > 0 and legend.box_height >= 0:
        if legend.uses_points:
            _paint_point(canvas, legend, entry)
        else:
            x = entry.box_x
            y = entry.box_y + max((legend.font.size - legend.box_height) / 2, 0.0)
            box = Box(x, y, x + legend.box_width, y + legend.box_height)
            if item.corner > 0:
                radius = min(item.corner, box.width / 2, box.height / 2)
                path = Path().rounded(x, y, box.width, box.height, Corners(radius, radius, radius, radius))
                canvas.path(path.data, *filled(item.fill), *stroked(item.stroke))
            else:
                canvas.rectangle(box, *filled(item.fill), *stroked(item.stroke))
    canvas.text(
        item.text,
        entry.text_x,
        entry.text_y,
        legend.font,
        legend.colour,
        align=entry.align,
        is_struck=item.is_hidden,
    )


def _paint_point(canvas: Canvas, legend: Legend, entry: Entry) -> None:
    item = entry.item
    shape = item.shape or "circle"
    path = point_path(
        shape,
        entry.box_x + legend.box_width / 2,
        entry.box_y + legend.font.size / 2,
        legend.box_height * math.sqrt(2) / 2,
        item.rotation,
        legend.box_width if legend.point_width else None,
    )
    if not path.is_empty:
        canvas.path(path.data, *filled("" if is_open(shape) else item.fill), *stroked(item.stroke))
