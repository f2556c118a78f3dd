"""Our charts in the format in which they are compared with Chart.js's.

`dump` returns JSON: lengths in CSS pixels from the upper left corner, rounded to 3 decimals, non-finite numbers null.
`chartjs_page.js` writes the same for Chart.js:

    {"width", "height", "area": BOX,
     "scales": {ID: {"type", "axis", "position", "display", BOX, "min", "max",
                     "ticks": [{"value", "label", "pixel"}], "rotation", "labels": [LABEL]}},
     "legend": null or {BOX, "items": [{"text", "fillStyle", "strokeStyle", "lineWidth", "pointStyle",
                                        "left", "top", "width", "height"}]},
     "titles": [{"kind", BOX}],
     "datasets": [{"index", "type", "hidden", "elements": [ELEMENT], "line"}]}

- BOX is "left", "top", "right", "bottom".
- A scale's "display" is `_isVisible()`; a hidden one's cross sides are not compared. "rotation" is `labelRotation` in
  degrees. "min", "max" and tick values are not rounded; a label is a string or a list of lines. "pixel" is
  `getPixelForTick(index)`, in radial scales `getDistanceFromCenterForValue(value)`.
- LABEL is a tick's label: {"text", "x", "y", "rotation", "cx", "cy"}. "x" and "y" are the `translation` of Chart.js's
  `_labelItems`, "rotation" is in radians, "cx", "cy" the visible center: by the widest line and `textAlign`; from the
  middle of the first line to that of the last. With `textBaseline` "top" or "bottom" the first line's middle is half
  the font size away. None if ticks are hidden. Radial scales have drawn labels (not the innermost, unless below zero or
  reversed), whose "x", "y" equal "cx", "cy".
- Radial scales have "xCenter", "yCenter", "drawingArea", and visible "pointLabels": [{"label", "x", "y", BOX}].
- "legend" is null if hidden; titles are in the order title, subtitle.
- ELEMENT is one of {"kind": "bar", "x", "y", "base", "width", "height", "horizontal", "backgroundColor", "borderColor",
  "borderWidth"}, {"kind": "point", "x", "y", "radius", "pointStyle", "rotation", "backgroundColor", "borderColor",
  "borderWidth", "skip"}, {"kind": "arc", "x", "y", "startAngle", "endAngle", "innerRadius", "outerRadius",
  "backgroundColor", "borderColor", "borderWidth"}; hidden datasets have none. "line" is {"borderColor", "borderWidth",
  "backgroundColor", "tension"}, for visible datasets with a line.
"""

import math
from typing import TYPE_CHECKING, Any

from mdpublish_core.figures import fonts
from mdpublish_core.figures.boxes import Box
from mdpublish_core.figures.charts.chart import Chart
from mdpublish_core.figures.charts.engine import lay_out_chart
from mdpublish_core.figures.charts.fonts import Label
from mdpublish_core.figures.charts.options import Remarks
from mdpublish_core.figures.charts.palettes import Palette
from mdpublish_core.figures.charts.reading.sources import ChartSource
from mdpublish_core.figures.charts.scales import SCALES
from mdpublish_core.figures.charts.scales.base import Scale
from mdpublish_core.figures.charts.scales.radial import RadialScale
from mdpublish_core.figures.charts.series.base import Series
from mdpublish_core.figures.charts.shapes.elements import ArcElement, BarElement, LineElement, PointElement, Stroke
from mdpublish_core.figures.charts.svg import render_svg
from mdpublish_core.figures.charts.svg.axes import TickLabel, tick_labels
from mdpublish_core.figures.charts.svg.radial_axes import labeled_ticks
from mdpublish_core.figures.request import EngineOutput, FigureRequest
from tests.visual.rendering import figure_request, theme_of

if TYPE_CHECKING:
    from collections.abc import Sequence

Json = dict[str, Any]

_STRONG = ("#36a2eb", "#ff6384", "#ff9f40", "#ffcd56", "#4bc0c0", "#9966ff", "#c9cbcf")
_SOFT = tuple(f"{color}80" for color in _STRONG)

CHART_JS = Palette(
    title_color="#666666",
    label_color="#666666",
    grid_color="#0000001a",
    background="#ffffff",
    label_backdrop="#ffffffbf",
    series_colors=_STRONG,
    area_colors=_SOFT,
    bar_colors=_SOFT,
    slice_colors=_STRONG,
    overlay_colors=_SOFT,
    has_outlines=False,
)


def dump(source: str, *, width: float, height: float) -> Json:
    chart = lay_out(source, width, height)
    return {
        "width": _round(width),
        "height": _round(height),
        "area": _box(chart.area),
        "scales": {name: _scale(scale, chart.area) for name, scale in chart.scales.items()},
        "legend": _legend(chart),
        "titles": [
            {"kind": kind, **_box(block.box)}
            for kind, block in (("title", chart.title), ("subtitle", chart.subtitle))
            if block.is_displayed
        ],
        "datasets": [_series(series) for series in chart.series],
    }


def markup(source: str, *, width: float, height: float) -> str:
    """Return SVG for a white background."""
    return render_svg(lay_out(source, width, height), family="DejaVu Sans")


def request_of(source: str) -> FigureRequest:
    return figure_request("chart", source, theme_of("swiss"), language="chart")


def render_chart(request: FigureRequest) -> EngineOutput:
    from mdpublish_core.figures import charts

    return charts.render(request)


def lay_out(source: str, width: float, height: float) -> Chart:
    # Chart.js gets one face, so bold text is as wide.
    fonts._BOLD_FACTOR = 1.0
    fonts.line_width.cache_clear()
    return lay_out_chart(ChartSource(source), CHART_JS, remarks=Remarks(), size=(width, height))


def _round(value: float | None) -> float | None:
    return round(value, 3) + 0.0 if value is not None and math.isfinite(value) else None


def _exact(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None


def _box(box: Box) -> Json:
    return {side: _round(getattr(box, side)) for side in ("left", "top", "right", "bottom")}


def _lines(label: Label) -> str | list[str]:
    return label[0] if len(label) == 1 else list(label)


def _scale(scale: Scale, area: Box) -> Json:
    crossing = scale.options.crossing
    result: Json = {
        "type": next(name for name, kind in SCALES.items() if type(scale) is kind),
        "axis": scale.options.axis,
        "position": dict([crossing]) if crossing else scale.options.position,
        "display": scale.is_visible,
        **_box(scale.box),
        "min": _exact(scale.minimum),
        "max": _exact(scale.maximum),
        "ticks": [
            {
                "value": tick.value,
                "label": _lines(tick.label or ("",)),
                "pixel": _round(
                    scale.distance_for(tick.value) if isinstance(scale, RadialScale) else scale.tick_pixel(index)
                ),
            }
            for index, tick in enumerate(scale.ticks)
        ],
        "rotation": _round(scale.rotation),
    }
    if isinstance(scale, RadialScale):
        return result | _radial(scale)
    result["labels"] = [_label(tick_label, scale) for tick_label in tick_labels(scale, area)]
    return result


def _label(tick_label: TickLabel, scale: Scale) -> Json:
    font = scale.options.ticks.font
    width = font.widest(tick_label.label)
    across = {"left": width / 2, "right": -width / 2}.get(tick_label.align, 0.0)
    half = {"top": font.size / 2, "bottom": -font.size / 2}.get(tick_label.baseline, 0.0)
    along = tick_label.shift + (len(tick_label.label) - 1) * font.line_height / 2 + half
    sin, cos = math.sin(tick_label.angle), math.cos(tick_label.angle)
    return {
        "text": _lines(tick_label.label),
        "x": _round(tick_label.x),
        "y": _round(tick_label.y),
        "rotation": _round(tick_label.angle),
        "cx": _round(tick_label.x + across * cos - along * sin),
        "cy": _round(tick_label.y + across * sin + along * cos),
    }


def _radial(scale: RadialScale) -> Json:
    labels = []
    if scale.options.display and scale.options.ticks.is_displayed:
        for _, tick in labeled_ticks(scale):
            x, y = map(_round, scale.point_at(0, scale.distance_for(tick.value)))
            lines = _lines(tick.label or ("",))
            labels.append({"text": lines, "x": x, "y": y, "rotation": _round(scale.angle_of(0)), "cx": x, "cy": y})
    return {
        "labels": labels,
        "xCenter": _round(scale.center_x),
        "yCenter": _round(scale.center_y),
        "drawingArea": _round(scale.radius),
        "pointLabels": [
            {"label": _lines(item.label), "x": _round(item.x), "y": _round(item.y), **_box(item.box)}
            for item in scale.items
            if item.is_visible
        ],
    }


def _shape(shape: str | None) -> str | bool | None:
    return False if shape == "none" else shape


def _legend(chart: Chart) -> Json | None:
    legend = chart.legend
    if not legend.is_displayed:
        return None
    return {
        **_box(legend.box),
        "items": [
            {
                "text": _lines(entry.item.label_lines),
                "fillStyle": entry.item.fill,
                "strokeStyle": entry.item.stroke.color,
                "lineWidth": _round(entry.item.stroke.width),
                "pointStyle": _shape(entry.item.shape),
                "left": _round(entry.left),
                "top": _round(entry.top),
                "width": _round(entry.width),
                "height": _round(entry.height),
            }
            for entry in legend.entries
        ],
    }


def _series(series: Series) -> Json:
    result: Json = {"index": series.number, "type": series.type, "hidden": not series.is_visible}
    elements: Sequence[BarElement | PointElement | ArcElement] = series.bars or series.arcs or series.points
    options = series.dataset.element_options
    result["elements"] = [
        _element(element, options.at(item).value("borderWidth")) for item, element in enumerate(elements)
    ]
    if series.line is not None:
        result["line"] = _line(series.line)
    return result


def _element(element: BarElement | PointElement | ArcElement, border: object) -> Json:
    if isinstance(element, BarElement):
        return _bar(element, border)
    return _arc(element) if isinstance(element, ArcElement) else _point(element)


def _bar(element: BarElement, border: object) -> Json:
    geometry = {name: _round(getattr(element, name)) for name in ("x", "y", "base", "width", "height")}
    if not element.is_drawn:
        # Chart.js has no length for missing values.
        geometry["width" if element.is_horizontal else "height"] = None
    style = element.style
    return {
        "kind": "bar",
        **geometry,
        "horizontal": element.is_horizontal,
        "backgroundColor": style.fill,
        "borderColor": style.border_color,
        # Widths of skipped borders are removed.
        "borderWidth": border,
    }


def _stroke(stroke: Stroke) -> Json:
    return {"borderColor": stroke.color, "borderWidth": _round(stroke.width)}


def _point(element: PointElement) -> Json:
    assert element.style is not None
    return {
        "kind": "point",
        "x": _round(element.x),
        "y": _round(element.y),
        "radius": _round(element.style.radius),
        "pointStyle": _shape(element.style.shape),
        "rotation": _round(element.style.rotation),
        "backgroundColor": element.style.fill,
        **_stroke(element.style.stroke),
        "skip": element.is_skipped,
    }


def _arc(element: ArcElement) -> Json:
    return {
        "kind": "arc",
        "x": _round(element.x),
        "y": _round(element.y),
        "startAngle": _round(element.start),
        "endAngle": _round(element.end),
        "innerRadius": _round(element.inner_radius),
        "outerRadius": _round(element.outer_radius),
        "backgroundColor": element.style.fill,
        **_stroke(element.style.stroke),
    }


def _line(line: LineElement) -> Json:
    return {**_stroke(line.style.stroke), "backgroundColor": line.style.fill_color, "tension": line.style.tension}
