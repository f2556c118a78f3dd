"""Rendering of bars, slices, areas, lines and points."""

import math
from collections.abc import Iterator, Mapping
from itertools import groupby, takewhile

from mdpublish_core.figures.boxes import Box
from mdpublish_core.figures.charts.chart import Chart
from mdpublish_core.figures.charts.series.base import Series
from mdpublish_core.figures.charts.shapes import elements as shapes
from mdpublish_core.figures.charts.shapes.bars import bar_paths, box_of
from mdpublish_core.figures.charts.shapes.curves import line_path
from mdpublish_core.figures.charts.shapes.fills import filled_areas
from mdpublish_core.figures.charts.shapes.markers import is_open, marker_path
from mdpublish_core.figures.charts.shapes.paths import Path
from mdpublish_core.figures.charts.shapes.slices import slice_paths
from mdpublish_core.figures.charts.svg.canvas import Canvas, stroke_attributes

# px; smaller points are invisible.
_MIN_RADIUS = 0.1

# px; a smaller overflow is not clipped.
_ROUNDING = 0.01


def draw_series(canvas: Canvas, chart: Chart, series: Series, lines: Mapping[int, shapes.LineElement]) -> None:
    clip = series.clip()
    draw_fill(canvas, chart, series, lines, clip)
    if series.line is not None:
        _draw_line(canvas, series.line, clip)
    _draw_bars(canvas, series, clip)
    for item, arc in enumerate(series.arcs):
        _draw_arc(canvas, arc, _tooltip(series, item))
    _draw_points(canvas, series, chart.area, clip)


def draw_fill(
    canvas: Canvas, chart: Chart, series: Series, lines: Mapping[int, shapes.LineElement], clip: Box | None
) -> None:
    """Draw the area between a line and its target."""
    fill, line, scale = chart.resolve_fill(series), series.line, series.value_scale
    if fill is None or line is None or scale is None or not line.points:
        return
    index = series.index_scale
    span = None
    if index is not None and index is not scale:
        span = (index.pixel_for(index.minimum), index.pixel_for(index.maximum))
        span = span if all(map(math.isfinite, span)) else None
    earlier = takewhile(lambda each: each is not series, chart.series_on(scale, "line"))
    areas = filled_areas(
        line,
        fill,
        scale.ground_of(fill),
        lines=lines,
        below=[each.line for each in earlier if each.line is not None],
        area=chart.area,
        clip=clip,
        index_axis="y" if series.dataset.index_axis == "y" else "x",
        index_span=span,
        budget=chart.budget,
    )
    for area in areas:
        if area.color:
            clip_path = (area.clip_path, "nonzero") if area.clip_path else None
            with canvas.clipped(area.clip, clip_path):
                canvas.draw_path(area.data, *canvas.fill_attributes(area.color, area.fill_rule))


def _draw_line(canvas: Canvas, line: shapes.LineElement, clip: Box | None) -> None:
    if not (line.style.stroke.width and line.style.stroke.color and line.points):
        return
    path = line_path(line)
    if not path.is_empty:
        with canvas.clipped(clip):
            canvas.draw_path(path.data, *canvas.fill_attributes(""), *stroke_attributes(line.style.stroke))


def _draw_bars(canvas: Canvas, series: Series, clip: Box | None) -> None:
    drawn = [(item, bar) for item, bar in enumerate(series.bars) if bar.is_drawn]
    if not drawn:
        return
    if clip is not None and all(clip.contains(box_of(bar), _ROUNDING) for _, bar in drawn):
        clip = None
    with canvas.clipped(clip):
        for style, bars in groupby(drawn, key=lambda pair: pair[1].style):
            if any(style.border_widths):
                for item, bar in bars:
                    _draw_bordered_bar(canvas, bar, _tooltip(series, item))
                continue
            with canvas.group(*canvas.fill_attributes(style.fill)):
                for item, bar in bars:
                    _draw_plain_bar(canvas, bar, _tooltip(series, item))


def _draw_plain_bar(canvas: Canvas, bar: shapes.BarElement, tooltip: str) -> None:
    if any(bar.style.corners):
        paths = bar_paths(bar)
        if paths is not None:
            canvas.draw_path(paths.fill, tooltip=tooltip)
        return
    left, top, right, bottom = box_of(bar)
    by = bar.inflation
    if math.isfinite(left + top + right + bottom + by):
        path = Path().rectangle(left - by, top - by, right - left + 2 * by, bottom - top + 2 * by)
        canvas.draw_path(path.data, tooltip=tooltip)


def _draw_bordered_bar(canvas: Canvas, bar: shapes.BarElement, tooltip: str) -> None:
    paths = bar_paths(bar)
    if paths is None:
        return
    fill = canvas.fill_attributes(bar.style.fill)
    if paths.ring is None:
        canvas.draw_path(paths.fill, *fill, tooltip=tooltip)
        return
    with canvas.group():
        canvas.write_tooltip(tooltip)
        canvas.draw_path(paths.ring, *canvas.fill_attributes(bar.style.border_color, "evenodd"))
        with canvas.clipped((paths.clip, "nonzero") if paths.clip else None):
            canvas.draw_path(paths.fill, *fill)


def _draw_arc(canvas: Canvas, arc: shapes.ArcElement, tooltip: str) -> None:
    paths = slice_paths(arc, is_join_given=arc.style.has_custom_join)
    if paths is None:
        return
    shift = f"translate({paths.dx:.2f} {paths.dy:.2f})" if paths.dx or paths.dy else None
    stroke = arc.style.stroke._replace(width=paths.border_width, join=paths.join)
    with canvas.group(("transform", shift)):
        canvas.write_tooltip(tooltip)
        if paths.border is not None and not paths.clips and len(paths.fills) == 1:
            canvas.draw_path(paths.fills[0], *canvas.fill_attributes(arc.style.fill), *stroke_attributes(stroke))
            return
        for data in paths.fills:
            canvas.draw_path(data, *canvas.fill_attributes(arc.style.fill))
        if paths.border is not None:
            with canvas.clipped(*paths.clips):
                canvas.draw_path(paths.border, *canvas.fill_attributes(""), *stroke_attributes(stroke))


def _draw_points(canvas: Canvas, series: Series, area: Box, clip: Box | None) -> None:
    shown = [(item, point) for item, point in enumerate(series.points) if _is_visible(point, area)]
    if not shown:
        return
    if series.line and not series.line.is_loop and series.dataset.index_axis != "y" and len(shown) > area.width:
        shown = list(_thinned(shown))
    if clip is not None and all(_is_inside(point, clip) for _, point in shown):
        clip = None
    with canvas.clipped(clip):
        for (shape, fill, stroke), points in groupby(shown, key=lambda pair: _style_key(pair[1])):
            with canvas.group(*canvas.fill_attributes("" if is_open(shape) else fill), *stroke_attributes(stroke)):
                for item, point in points:
                    _draw_point(canvas, point, _tooltip(series, item))


def _thinned(points: list[tuple[int, shapes.PointElement]]) -> Iterator[tuple[int, shapes.PointElement]]:
    """Yield the first, lowest, highest and last point of each column of pixels, between which lines are drawn."""
    for _, column in groupby(points, key=lambda pair: int(pair[1].x)):
        numbered = list(column)
        by_height = sorted(numbered, key=lambda pair: pair[1].y)
        drawn = {item for item, _ in (numbered[0], by_height[0], by_height[-1], numbered[-1])}
        yield from (pair for pair in numbered if pair[0] in drawn)


def _style_key(point: shapes.PointElement) -> tuple[shapes.PointShape, str, shapes.Stroke]:
    """Return a key for points drawn as one path; sizes may differ."""
    assert point.style is not None
    return point.style.shape, point.style.fill, point.style.stroke


def _draw_point(canvas: Canvas, point: shapes.PointElement, tooltip: str) -> None:
    style = point.style
    assert style is not None
    if style.shape == "circle":
        canvas.draw_circle(point.x, point.y, style.radius, tooltip=tooltip)
        return
    path = marker_path(style.shape, point.x, point.y, style.radius, style.rotation)
    if not path.is_empty:
        canvas.draw_path(path.data, tooltip=tooltip)


def _tooltip(series: Series, item: int) -> str:
    return series.tooltip(item) if series.chart.has_tooltips else ""


def _is_visible(point: shapes.PointElement, area: Box) -> bool:
    style = point.style
    if point.is_skipped or style is None or style.radius < _MIN_RADIUS or style.shape == "none":
        return False
    return area.contains_point(point.x, point.y, style.reach)


def _is_inside(point: shapes.PointElement, box: Box) -> bool:
    assert point.style is not None
    reach = point.style.radius + point.style.stroke.width / 2
    return box.contains(Box(point.x - reach, point.y - reach, point.x + reach, point.y + reach))
