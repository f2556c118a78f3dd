"""Paints the marks of a series: bars, slices, areas, lines and points."""

import math
from collections.abc import Mapping
from itertools import groupby

from mdpublish_core.figures.charts.chart import Chart
from mdpublish_core.figures.charts.painting.canvas import Canvas, filled, stroked
from mdpublish_core.figures.charts.series.base import Series
from mdpublish_core.figures.charts.shapes.bars import bar_paths, box_of
from mdpublish_core.figures.charts.shapes.boxes import Box
from mdpublish_core.figures.charts.shapes.fills import filled_areas
from mdpublish_core.figures.charts.shapes.marks import ArcMark, BarMark, LineMark, PointMark, PointShape, Stroke
from mdpublish_core.figures.charts.shapes.paths import Path
from mdpublish_core.figures.charts.shapes.points import is_circle, is_open, point_path
from mdpublish_core.figures.charts.shapes.slices import slice_paths
from mdpublish_core.figures.charts.shapes.strokes import line_path

# Points smaller than this, in px, are not seen.
_LEAST_RADIUS = 0.1

# What reaches that far out of a box, in px, needs no clip.
_ROUNDING = 0.01


def paint_series(canvas: Canvas, chart: Chart, series: Series, lines: Mapping[int, LineMark]) -> None:
    """Paint a series: what its line is filled with, the line, and the marks on it."""
    clip = series.clip()
    paint_fill(canvas, chart, series, lines, clip)
    if series.line is not None:
        _paint_line(canvas, series.line, clip)
    _paint_bars(canvas, series, clip)
    for item, arc in enumerate(series.arcs):
        _paint_arc(canvas, arc, _tip(series, item))
    _paint_points(canvas, series, chart.area, clip)


def paint_fill(canvas: Canvas, chart: Chart, series: Series, lines: Mapping[int, LineMark], clip: Box | None) -> None:
    """Paint what lies between a line and what it is filled up to."""
    fill, line, scale = chart.fill_of(series), series.line, series.value_scale
    if fill is None or line is None or scale is None or not line.points:
        return
    index = series.index_scale
    span = None
    if index is not None and index is not scale:
        span = (index.pixel_for(index.least), index.pixel_for(index.most))
        span = span if all(map(math.isfinite, span)) else None
    areas = filled_areas(
        line,
        fill,
        lines=lines,
        below=[each for each in _before(chart, series) if each is not None],
        scale=scale,
        area=chart.area,
        clip=clip,
        index_axis="y" if series.dataset.index_axis == "y" else "x",
        index_span=span,
        steps=chart.steps,
    )
    for area in areas:
        if area.colour:
            clip_path = (area.clip_path, "nonzero") if area.clip_path else None
            with canvas.clipped(area.clip, clip_path):
                canvas.path(area.data, *filled(area.colour, area.fill_rule))


def _before(chart: Chart, series: Series) -> list[LineMark | None]:
    """Return the lines on the same scale of values that come before this one."""
    assert series.value_scale is not None
    found: list[LineMark | None] = []
    for each in chart.series_on(series.value_scale, "line"):
        if each.number == series.number:
            break
        found.append(each.line)
    return found


def _paint_line(canvas: Canvas, line: LineMark, clip: Box | None) -> None:
    if not (line.style.stroke.width and line.style.stroke.colour and line.points):
        return
    path = line_path(line)
    if not path.is_empty:
        with canvas.clipped(clip):
            canvas.path(path.data, *filled(""), *stroked(line.style.stroke))


def _paint_bars(canvas: Canvas, series: Series, clip: Box | None) -> None:
    drawn = [(item, bar) for item, bar in enumerate(series.bars) if bar.is_drawn]
    if not drawn:
        return
    if clip is not None and all(clip.covers(box_of(bar), _ROUNDING) for _, bar in drawn):
        clip = None
    with canvas.clipped(clip):
        for style, bars in groupby(drawn, key=lambda pair: pair[1].style):
            if any(style.border_widths):
                for item, bar in bars:
                    _paint_framed(canvas, bar, _tip(series, item))
                continue
            with canvas.group(*filled(style.fill)):
                for item, bar in bars:
                    _paint_plain(canvas, bar, _tip(series, item))


def _paint_plain(canvas: Canvas, bar: BarMark, tip: str) -> None:
    """Paint a bar without a border."""
    if any(bar.style.corners):
        paths = bar_paths(bar)
        if paths is not None:
            canvas.path(paths.fill, tip=tip)
        return
    left, top, right, bottom = box_of(bar)
    by = bar.inflation
    if math.isfinite(left + top + right + bottom + by):
        path = Path().rectangle(left - by, top - by, right - left + 2 * by, bottom - top + 2 * by)
        canvas.path(path.data, tip=tip)


def _paint_framed(canvas: Canvas, bar: BarMark, tip: str) -> None:
    """Paint a bar with a border."""
    paths = bar_paths(bar)
    if paths is None:
        return
    fill = filled(bar.style.fill)
    if paths.ring is None:
        canvas.path(paths.fill, *fill, tip=tip)
        return
    with canvas.group():
        canvas.tip(tip)
        canvas.path(paths.ring, *filled(bar.style.border_colour, "evenodd"))
        with canvas.clipped((paths.clip, "nonzero") if paths.clip else None):
            canvas.path(paths.fill, *fill)


def _paint_arc(canvas: Canvas, arc: ArcMark, tip: str) -> None:
    paths = slice_paths(arc, is_join_given=arc.style.has_own_join)
    if paths is None:
        return
    shift = f"translate({paths.dx:.2f} {paths.dy:.2f})" if paths.dx or paths.dy else None
    stroke = arc.style.stroke._replace(width=paths.border_width, join=paths.join)
    with canvas.group(("transform", shift)):
        canvas.tip(tip)
        if paths.border is not None and not paths.clips and len(paths.fills) == 1:
            canvas.path(paths.fills[0], *filled(arc.style.fill), *stroked(stroke))
            return
        for data in paths.fills:
            canvas.path(data, *filled(arc.style.fill))
        if paths.border is not None:
            with canvas.clipped(*((clip.data, clip.rule) for clip in paths.clips)):
                canvas.path(paths.border, *filled(""), *stroked(stroke))


def _paint_points(canvas: Canvas, series: Series, area: Box, clip: Box | None) -> None:
    shown = [(item, point) for item, point in enumerate(series.points) if _is_seen(point, area)]
    if not shown:
        return
    if clip is not None and all(_is_inside(point, clip) for _, point in shown):
        clip = None
    with canvas.clipped(clip):
        for (shape, fill, stroke), points in groupby(shown, key=lambda pair: _look(pair[1])):
            with canvas.group(*filled("" if is_open(shape) else fill), *stroked(stroke)):
                for item, point in points:
                    _paint_point(canvas, point, _tip(series, item))


def _look(point: PointMark) -> tuple[PointShape, str, Stroke]:
    """Return what points have in common that are painted together, whatever their sizes."""
    assert point.style is not None
    return point.style.shape, point.style.fill, point.style.stroke


def _paint_point(canvas: Canvas, point: PointMark, tip: str) -> None:
    style = point.style
    assert style is not None
    if is_circle(style.shape):
        canvas.circle(point.x, point.y, style.radius, tip=tip)
        return
    path = point_path(style.shape, point.x, point.y, style.radius, style.rotation)
    if not path.is_empty:
        canvas.path(path.data, tip=tip)


def _tip(series: Series, item: int) -> str:
    return series.tip(item) if series.chart.has_tips else ""


def _is_seen(point: PointMark, area: Box) -> bool:
    style = point.style
    if point.is_skipped or style is None or style.radius < _LEAST_RADIUS or style.shape == "none":
        return False
    return area.holds(point.x, point.y, style.reach)


def _is_inside(point: PointMark, box: Box) -> bool:
    assert point.style is not None
    reach = point.style.radius + point.style.stroke.width / 2
    return box.covers(Box(point.x - reach, point.y - reach, point.x + reach, point.y + reach))
