"""Defaults of Chart.js that apply to all types: those of `defaults.json`, in the theme's colors and form.

See https://www.chartjs.org/docs/latest/, https://chartjs-plugin-datalabels.netlify.app/guide/options.html and
https://www.chartjs.org/chartjs-plugin-annotation/latest/guide/configuration.html. An author may set each of them.
"""

from mdpublish_core.data_files import filled, read_data
from mdpublish_core.figures.charts.palettes import Palette
from mdpublish_core.figures.charts.values import Json, Object

FONT_SIZE = 12.0  # px

LINE_HEIGHT = 1.2  # relative to the font size

WIDTH, RADIAL_WIDTH = 560.0, 400.0
"""px: the column width of pages and emails; radial charts need less."""

ASPECT_RATIO = 2.0

PHONE_SIZE = (340.0, 240.0)
"""px: where a chart of the default size would have text of 7 px."""

# What is below a box stays visible.
_BOX_ALPHA = "33"

_DEFAULTS = read_data(__file__, "defaults.json")

# Dresses whose titles are not bold.
_LIGHT = frozenset({"outline", "characters"})

ELEMENTS: Object = _DEFAULTS["elements"]
LAYOUT: Object = _DEFAULTS["layout"]
DATA_LABELS: Object = _DEFAULTS["data_labels"]
TYPE_DEFAULTS = _DEFAULTS["types"]


def defaults_of(name: str, palette: Palette) -> Object:
    """Return the options of `scale`, `legend`, `title` or `subtitle`."""
    aligned = {"align": palette.dress.title} if name != "scale" and palette.dress.title else {}
    light: Object = {"font": {"weight": "normal"}} if palette.dress.fill in _LIGHT and name == "title" else {}
    return {**_colored(_DEFAULTS[name], palette), **aligned, **light}


def annotation_defaults(kind: str, palette: Palette) -> Object:
    annotations = _DEFAULTS["annotations"]
    return _colored(annotations.get(kind, annotations["line"]), palette)


def _colored(defaults: Object, palette: Palette) -> Object:
    colors = {
        "grid_color": palette.grid_color,
        "label_backdrop": palette.label_backdrop,
        "label_color": palette.label_color,
        "title_color": palette.title_color,
        "faint": f"{palette.label_color[:7]}{_BOX_ALPHA}",
    }
    return dict(filled(defaults, colors))


_MAX_BAR_CORNER = 2.0

_MORE_STROKE = 1.5  # px, of lines in charts

_RING_WIDTH, _RING_RADIUS = 2, 4

_DOTS: list[Json] = [1, 3]


def element_defaults(palette: Palette, kind: str, element: str) -> Object:
    """Return defaults of a type's lines, points or bars."""
    form = palette.dress
    defaults: dict[str, Json] = {}
    if element == "line" and form.stroke:
        defaults["borderWidth"] = _MORE_STROKE + form.stroke
    # Between two values, a monotone curve has none beyond them.
    if element == "line" and form.line == "curved" and kind == "line":
        defaults["cubicInterpolationMode"] = "monotone"
    if element == "line" and kind in {"line", "radar"}:
        defaults["borderJoinStyle"] = "round" if form.line == "curved" else "miter"
    if element == "point" and (form.stroke or 0) > _MORE_STROKE:
        defaults["radius"] = 2 + (form.stroke or 0)
    if element == "point" and form.point == "ring":
        defaults["borderWidth"], defaults["radius"] = _RING_WIDTH, _RING_RADIUS
    if element == "bar" and form.corner:
        defaults["borderRadius"] = min(form.corner, _MAX_BAR_CORNER)
    return defaults


def series_defaults(palette: Palette) -> Object:
    return {} if palette.dress.gap is None else {"categoryPercentage": 1 - palette.dress.gap}


def scale_defaults(palette: Palette, *, is_index: bool) -> Object:
    grid = palette.dress.grid
    if grid == "none" or (grid == "rows" and is_index):
        return {"grid": {"drawOnChartArea": False}}
    return {"border": {"dash": _DOTS}} if grid == "dots" else {}
