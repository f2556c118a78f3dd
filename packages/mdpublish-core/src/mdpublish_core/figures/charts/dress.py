"""The form of charts that a theme wants, as defaults below those of an author, who may set each of them."""

from mdpublish_core.figures.charts.palettes import Palette
from mdpublish_core.figures.charts.values import Json, Object

_MAX_BAR_CORNER = 6.0

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
