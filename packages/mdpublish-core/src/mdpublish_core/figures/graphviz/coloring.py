"""Apply the theme's colors to Graphviz's SVG, with sufficient contrast.

The SVG is flat: groups for clusters, then for nodes and edges, each in painting order. So a label's background is the
last filled shape before it, in its own group or in a cluster.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from lxml import etree

from mdpublish_core.css.colors import MIN_GRAPHICS_CONTRAST, MIN_TEXT_CONTRAST, blend, contrast
from mdpublish_core.css.colors.parsing import parse_css_color
from mdpublish_core.figures.errors import FigureError
from mdpublish_core.figures.graphviz.defaults import FILL_PLACEHOLDER, LINE_PLACEHOLDER, TEXT_PLACEHOLDER
from mdpublish_core.figures.graphviz.postprocessing import postprocess
from mdpublish_core.figures.graphviz.shapes import (
    GROUP_TAG,
    PATH_TAG,
    POLYGON_TAG,
    SHAPE_TAGS,
    SVG_NAMESPACE,
    TEXT_TAG,
    Box,
    bounding_box,
    coordinates_of,
    pop_attribute,
    text_bounding_box,
)
from mdpublish_core.figures.request import FigureTheme

_BLACK = frozenset({"black", "#000000"})
# The line from a label to its edge has the text color.
_LINE_COLORS = frozenset({LINE_PLACEHOLDER, TEXT_PLACEHOLDER, *_BLACK})
_NONE = frozenset({"none", "transparent", ""})

_REFERENCE = re.compile(r"url\(#(.+)\)")

# The stroke width of wedges and stripes identifies them.
_PIECE_WIDTH = "0.5"

_MAX_AREAS = 100
_MAX_COLORS = 16


@dataclass(frozen=True, slots=True)
class _Area:
    """A filled shape; gradients and translucent fills have several colors."""

    box: Box
    colors: tuple[str, ...]
    is_piece: bool  # a wedge or stripe


@dataclass(slots=True)
class _Colorizer:
    """The theme and the areas painted so far."""

    theme: FigureTheme
    background: tuple[str, ...]
    gradients: dict[str, tuple[tuple[str, float], ...]]
    clusters: list[_Area] = field(default_factory=list)
    readable_colors: dict[tuple[tuple[str, ...], float, str], str] = field(default_factory=dict)  # memoized `_readable`

    def paint_group(self, group: "etree._Element") -> None:
        kind = group.get("class", "")
        areas = list(self.clusters)
        for element in group.iter(TEXT_TAG, *SHAPE_TAGS):
            if element.tag == TEXT_TAG:
                self.paint_text(element, areas)
                continue
            self._paint_line(element, areas)
            if kind == "edge":
                continue
            area = self._area(element, areas)
            if area:
                areas.append(area)
                if kind == "cluster" and len(self.clusters) < _MAX_AREAS:
                    self.clusters.append(area)

    def paint_background(self, shape: "etree._Element") -> None:
        area = self._area(shape, [])
        self.background = area.colors if area else self.background

    def paint_text(self, text_element: "etree._Element", areas: Sequence[_Area] = ()) -> None:
        color = text_element.get("fill", "black")
        if color == TEXT_PLACEHOLDER or color in _BLACK:
            backgrounds = self._backgrounds_under(text_bounding_box(text_element), areas) if areas else self.background
            is_lost = color != TEXT_PLACEHOLDER and self._is_invisible(backgrounds)
            text_element.set(
                "fill",
                self._readable(backgrounds, MIN_TEXT_CONTRAST, self.theme.text_color)
                if color == TEXT_PLACEHOLDER or is_lost
                else color,
            )

    def _paint_line(self, shape: "etree._Element", areas: Sequence[_Area]) -> None:
        marks = [name for name in ("stroke", "fill") if shape.get(name) in _LINE_COLORS]
        if marks:
            backgrounds = self._backgrounds_along(shape, areas) if areas else self.background
            for name in marks:
                if shape.get(name) not in _BLACK or self._is_invisible(backgrounds):
                    shape.set(name, self._readable(backgrounds, MIN_GRAPHICS_CONTRAST, self.theme.muted))
        if shape.get("fill") == FILL_PLACEHOLDER:
            shape.set("fill", self.theme.surface)

    def _is_invisible(self, backgrounds: tuple[str, ...]) -> bool:
        """Whether black is too dark for the theme's background."""
        return (
            backgrounds == self.background == (self.theme.background,)
            and contrast("#000000", backgrounds[0]) < MIN_GRAPHICS_CONTRAST
        )

    def _area(self, shape: "etree._Element", areas: Sequence[_Area]) -> _Area | None:
        fill = shape.get("fill", "none")
        reference = _REFERENCE.fullmatch(fill)
        if reference:
            stops = self.gradients.get(reference[1], ())
        elif fill in _NONE:
            shape.set("fill", "none")
            return None
        else:
            stops = ((_rgb(fill), _parse_opacity(shape.get("fill-opacity"))),)
        box = bounding_box(shape)
        colors = tuple(color for color, _ in stops)
        if any(share < 1 for _, share in stops):
            below = self._backgrounds_under(box, areas)
            colors = tuple(blend(color, each, share) for color, share in stops for each in below)
        return _Area(box, colors[:_MAX_COLORS], shape.get("stroke-width") == _PIECE_WIDTH) if colors else None

    def _backgrounds_along(self, shape: "etree._Element", areas: Sequence[_Area]) -> tuple[str, ...]:
        """Return the colors under the start and end of a line."""
        numbers = coordinates_of(shape)
        if shape.tag != PATH_TAG or len(numbers) < 4:
            return self._backgrounds_under(bounding_box(shape), areas)
        points = (numbers[:2], numbers[-2:])
        backgrounds = (self._backgrounds_under((x, y, x, y), areas) for x, y in points)
        return tuple(dict.fromkeys(color for background in backgrounds for color in background))

    def _backgrounds_under(self, box: Box, areas: Sequence[_Area]) -> tuple[str, ...]:
        left, top, right, bottom = box
        x, y = (left + right) / 2, (top + bottom) / 2
        backgrounds = self.background
        pieces: tuple[str, ...] = ()
        for area in areas:
            begin, upper, end, lower = area.box
            if area.is_piece:
                if begin <= right and end >= left and upper <= bottom and lower >= top:
                    backgrounds = pieces = (*pieces, *area.colors)[-_MAX_COLORS:]
            elif begin <= x <= end and upper <= y <= lower:
                backgrounds, pieces = area.colors, ()
        return backgrounds

    def _readable(self, backgrounds: tuple[str, ...], ratio: float, preferred: str) -> str:
        """Return the first candidate with enough contrast, else the best one."""
        key = (backgrounds, ratio, preferred)
        if key not in self.readable_colors:
            candidates = (preferred, self.theme.text_color, self.theme.background, "#000000", "#ffffff")
            contrasts = {color: min(contrast(color, background) for background in backgrounds) for color in candidates}
            best = max(candidates, key=lambda color: contrasts[color])
            self.readable_colors[key] = next((color for color in candidates if contrasts[color] >= ratio), best)
        return self.readable_colors[key]


def apply_theme(svg: bytes, theme: FigureTheme, *, has_background: bool) -> str:
    """Return the SVG in the theme's colors and fonts; raises `FigureError`."""
    # HTML labels can make the output ill-formed, hence `recover`.
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, remove_comments=True, remove_pis=True, recover=True, huge_tree=True
    )
    root = etree.fromstring(svg, parser)
    if root is None or root.tag != f"{{{SVG_NAMESPACE}}}svg":
        raise FigureError("Graphviz returned no SVG")
    for stop in root.iter(f"{{{SVG_NAMESPACE}}}stop"):
        _inline_stop_style(stop)
    colorizer = _Colorizer(theme, (theme.background,), _gradients(root))
    for group in root.iter(GROUP_TAG):
        kind = group.get("class", "")
        if kind == "graph":
            _extract_background(group, colorizer, has_background=has_background)
            # The graph's title is in the graph's own group.
            for text_element in group.findall(TEXT_TAG):
                colorizer.paint_text(text_element)
        elif kind in {"cluster", "node", "edge"}:
            colorizer.paint_group(group)
    postprocess(root, theme)
    return etree.tostring(root, encoding="unicode")


_WHITE = frozenset({"white", "#ffffff"})


def _extract_background(graph: "etree._Element", colorizer: _Colorizer, *, has_background: bool) -> None:
    """Remove the white canvas, or use it as the background if the author colored it; white means paper, which is the page."""
    sheet = graph.find(POLYGON_TAG)
    if sheet is None:
        return
    if has_background and sheet.get("fill") not in _WHITE:
        colorizer.paint_background(sheet)
    else:
        graph.remove(sheet)


def _gradients(root: "etree._Element") -> dict[str, tuple[tuple[str, float], ...]]:
    """Return colors and opacities by id.

    Graphviz numbers gradients per process; renumbering makes the output deterministic.
    """
    gradients: dict[str, tuple[tuple[str, float], ...]] = {}
    ids: dict[str, str] = {}
    for gradient in root.iter(f"{{{SVG_NAMESPACE}}}linearGradient", f"{{{SVG_NAMESPACE}}}radialGradient"):
        new_id = ids.setdefault(gradient.get("id", ""), f"gradient{len(ids)}")
        gradient.set("id", new_id)
        gradients[new_id] = tuple(
            (_rgb(stop.get("stop-color", "black")), _parse_opacity(stop.get("stop-opacity"))) for stop in gradient
        )
    for shape in root.iter(*SHAPE_TAGS):
        reference = _REFERENCE.fullmatch(shape.get("fill", ""))
        if reference:
            shape.set("fill", f"url(#{ids.get(reference[1], 'none')})")
    return gradients


def _inline_stop_style(stop: "etree._Element") -> None:
    """Replace `style` by attributes: a strict CSP blocks inline styles."""
    for name, _, value in (part.partition(":") for part in pop_attribute(stop, "style").split(";")):
        if name:
            stop.set(name, f"{_parse_opacity(value):g}" if name == "stop-opacity" else value)


def _rgb(color: str) -> str:
    value = parse_css_color(color) or ""
    return value[:7] if value.startswith("#") else "#000000"


def _parse_opacity(opacity: str | None) -> float:
    try:
        return float(opacity or "1")
    except ValueError:
        return 1.0
