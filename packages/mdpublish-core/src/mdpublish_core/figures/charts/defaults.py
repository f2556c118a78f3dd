"""Defaults of Chart.js that apply to all types, except colors."""

from mdpublish_core.figures.charts.palettes import Palette
from mdpublish_core.figures.charts.values import Object

FONT_SIZE = 12.0  # px

LINE_HEIGHT = 1.2  # relative to the font size

WIDTH, RADIAL_WIDTH = 560.0, 400.0
"""px: the column width of pages and emails; radial charts need less."""

ASPECT_RATIO = 2.0

# What is below a box stays visible.
_BOX_ALPHA = "33"

ELEMENTS: Object = {
    "arc": {"borderWidth": 2, "borderAlign": "center", "circular": True},
    "bar": {"borderSkipped": "start", "borderWidth": 0, "borderRadius": 0, "inflateAmount": "auto"},
    "line": {
        "borderCapStyle": "butt",
        "borderJoinStyle": "miter",
        "borderWidth": 3,
        "capBezierPoints": True,
        "cubicInterpolationMode": "default",
        "fill": False,
        "spanGaps": False,
        "stepped": False,
        "tension": 0,
    },
    "point": {"borderWidth": 1, "hoverRadius": 4, "pointStyle": "circle", "radius": 3, "rotation": 0},
}
"""https://www.chartjs.org/docs/latest/configuration/elements.html"""

LAYOUT: Object = {"autoPadding": True, "padding": 0}

DATA_LABELS: Object = {
    "align": "center",
    "anchor": "center",
    "borderRadius": 0,
    "borderWidth": 0,
    "clamp": False,
    "clip": False,
    "display": True,
    "offset": 4,
    "opacity": 1,
    "padding": {"top": 4, "right": 4, "bottom": 4, "left": 4},
    "rotation": 0,
    "textAlign": "start",
}
"""https://chartjs-plugin-datalabels.netlify.app/guide/options.html"""


def scale_defaults(palette: Palette) -> Object:
    """See https://www.chartjs.org/docs/latest/axes/."""
    return {
        "display": True,
        "offset": False,
        "reverse": False,
        "beginAtZero": False,
        "bounds": "ticks",
        "clip": True,
        "grace": 0,
        "grid": {
            "display": True,
            "lineWidth": 1,
            "drawOnChartArea": True,
            "drawTicks": True,
            "tickLength": 8,
            "offset": False,
            "color": palette.grid_color,
        },
        "border": {"display": True, "dash": [], "dashOffset": 0, "width": 1, "color": palette.grid_color},
        "title": {"display": False, "text": "", "padding": {"top": 4, "bottom": 4}, "color": palette.label_color},
        "ticks": {
            "minRotation": 0,
            "maxRotation": 50,
            "mirror": False,
            "textStrokeWidth": 0,
            "textStrokeColor": "",
            "padding": 3,
            "display": True,
            "autoSkip": True,
            "autoSkipPadding": 3,
            "labelOffset": 0,
            "align": "center",
            "crossAlign": "near",
            "showLabelBackdrop": False,
            "backdropColor": palette.label_backdrop,
            "backdropPadding": 2,
            "color": palette.label_color,
        },
    }


def legend_defaults(palette: Palette) -> Object:
    """See https://www.chartjs.org/docs/latest/configuration/legend.html."""
    return {
        "display": True,
        "position": "top",
        "align": "center",
        "fullSize": True,
        "reverse": False,
        "labels": {"boxWidth": 40, "padding": 10, "color": palette.label_color},
        "title": {"display": False, "position": "center", "text": "", "color": palette.label_color},
    }


def title_defaults(palette: Palette) -> Object:
    """See https://www.chartjs.org/docs/latest/configuration/title.html."""
    return _title_block_defaults(palette, weight="bold", padding=10)


def subtitle_defaults(palette: Palette) -> Object:
    """See https://www.chartjs.org/docs/latest/configuration/subtitle.html."""
    return _title_block_defaults(palette, weight="normal", padding=0)


def _title_block_defaults(palette: Palette, *, weight: str, padding: float) -> Object:
    return {
        "align": "center",
        "display": False,
        "fullSize": True,
        "position": "top",
        "text": "",
        "color": palette.title_color,
        "font": {"weight": weight},
        "padding": padding,
    }


def annotation_defaults(kind: str, palette: Palette) -> Object:
    """See https://www.chartjs.org/chartjs-plugin-annotation/latest/guide/configuration.html."""
    general: Object = {
        "adjustScaleRange": True,
        "borderColor": palette.label_color,
        "borderWidth": 1,
        "display": True,
        "drawTime": "afterDatasetsDraw",
    }
    centered: Object = {"padding": 6, "position": "center", "textAlign": "center"}
    faint = f"{palette.label_color[:7]}{_BOX_ALPHA}"
    if kind == "label":
        return {**general, **centered, "borderWidth": 0, "color": palette.title_color}
    if kind == "point":
        return {**general, "backgroundColor": faint, "radius": 10}
    label: Object = {**centered, "font": {"weight": "bold"}, "borderWidth": 0, "display": False}
    if kind == "box":
        return {**general, "backgroundColor": faint, "label": {**label, "color": palette.title_color}}
    backdrop: Object = {"backgroundColor": "rgba(0,0,0,0.8)", "borderRadius": 6, "color": "#ffffff"}
    return {**general, "borderWidth": 2, "label": {**label, **backdrop}}
