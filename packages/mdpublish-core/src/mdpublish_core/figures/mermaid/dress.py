"""The form of diagrams that a theme wants: corners, strokes, courses of edges, arrowheads, decisions and grids.

What an author styles stays: rules come before classes and styles of the source in the cascade.
"""

import base64
import json
import re

from mdpublish_core.figures.mermaid import elements as svg
from mdpublish_core.figures.mermaid.sources import MermaidSource
from mdpublish_core.figures.mermaid.themes import rules
from mdpublish_core.figures.request import FigureTheme

_ARROWS = {"barb": "M 0 0 L 10 5 L 0 10 L 3.5 5 z", "hollow": "M 0.5 0.5 L 9.5 5 L 0.5 9.5 z"}
_POINT_END, _POINT_START = "M 0 0 L 10 5 L 0 10 z", "M 0 5 L 10 10 L 10 0 z"

# Stylesheets of values that differ from Mermaid's; a Gantt chart has lines of dates alone.
_SHEETS = frozenset(
    {"decision-tint", "decision-solid", "grid-dots", "grid-none", "fill-outline", "fill-hatched", "fill-characters"}
)

# Also of tasks, cards and notes, whose corners have no meaning; `(a)` is rounder than `[a]` and stays so.
_ROUNDED = frozenset({"label-container", "actor", "task", "note", "journey-section"})

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e-?\d+)?")
_DIAMOND = re.compile(r"(\S+),0 \S+,(\S+) \1,\S+ 0,\2")
_OUTLINE = re.compile(r"M(\S+) (\S+) L(\S+) \2 L\3 (\S+) L\1 \4(?: |Z|$)")


def dress(root: svg.Element, style: svg.Element, source: MermaidSource, theme: FigureTheme) -> None:
    form = theme.dress
    if form.corner is not None:
        _round_boxes(root, form.corner)
    if form.line in {"straight", "step"}:
        _straighten(root)
    if form.arrow in _ARROWS:
        _draw_arrows(root, form.arrow, theme.background)
    for marker in root.iter(f"{svg.SVG_PREFIX}marker") if form.stroke else ():
        # Those of entities would grow with the stroke.
        marker.set("markerUnits", "userSpaceOnUse")
    sheets = ["stroke"] if form.stroke else []
    if source.theming == "template":
        for shape in root.iter(f"{svg.SVG_PREFIX}polygon"):
            if svg.has_class(shape, "label-container") and _DIAMOND.fullmatch(shape.get("points", "")):
                shape.set("class", "label-container decision")
        names = (f"fill-{form.fill}", f"decision-{form.decision}", f"grid-{form.grid}")
        sheets += [name for name in names if name in _SHEETS]
    style.text = (style.text or "") + "".join(rules(f"dress/{name}.css", theme) for name in sheets)


def _round_boxes(root: svg.Element, corner: float) -> None:
    for box in root.iter(svg.RECT_TAG):
        parent = box.getparent()
        names = frozenset((box.get("class") or "").split())
        if (_ROUNDED.isdisjoint(names) and not svg.has_class(parent, "cluster")) or "milestone" in names:
            continue
        radius = min(corner, svg.number_of(box, "width") / 2, svg.number_of(box, "height") / 2)
        if svg.has_class(parent, "default"):
            radius = max(radius, svg.number_of(box, "rx"))
        # Above the rules of states.
        box.set("style", f"{box.get('style', '')};rx:{radius:g}px;ry:{radius:g}px")
    for group in root.iter(svg.GROUP_TAG):
        # Entities have rows up to their edges.
        if svg.has_class(group, "outer-path") and svg.has_class(group, "label-container"):
            _round_outline(group.findall(svg.PATH_TAG), corner)


def _round_outline(paths: list[svg.Element], corner: float) -> None:
    """Round a box that is drawn twice, as its ground and its border."""
    outline = _OUTLINE.match(paths[0].get("d", "")) if paths else None
    if outline is None:
        return
    left, top, right, bottom = map(float, outline.groups())
    radius = min(corner, (right - left) / 2, (bottom - top) / 2)
    across, down, arc = right - left - 2 * radius, bottom - top - 2 * radius, f"a{radius:g} {radius:g} 0 0 1"
    arcs = (f"{arc} {x * radius:g} {y * radius:g}" for x, y in ((1, 1), (-1, 1), (-1, -1), (1, -1)))
    sides = (f"h{across:g}", f"v{down:g}", f"h{-across:g}", f"v{-down:g}")
    path = f"M{left + radius:g} {top:g}{''.join(map(''.join, zip(sides, arcs, strict=True)))}z"
    for each in paths:
        each.set("d", path)


def _straighten(root: svg.Element) -> None:
    """Draw edges through the points of their layout; their ends are where merman cuts them off before arrowheads.

    An edge that comes back to its node stays curved.
    """
    for edge in root.iter(svg.PATH_TAG):
        numbers = _NUMBER.findall(edge.get("d", ""))
        if edge.get("data-points") is None or len(numbers) < 4:
            continue
        points = json.loads(base64.b64decode(edge.get("data-points", "")))
        leaving, arriving = ((end["x"] - start["x"], end["y"] - start["y"]) for start, end in (points[:2], points[-2:]))
        if leaving[0] * arriving[0] + leaving[1] * arriving[1] >= 0:
            middle = "".join(f"L{point['x']:.3f},{point['y']:.3f}" for point in points[1:-1])
            edge.set("d", f"M{','.join(numbers[:2])}{middle}L{','.join(numbers[-2:])}")


def _draw_arrows(root: svg.Element, arrow: str, background: str) -> None:
    """Draw the arrowheads of flowcharts; those of other diagrams have meanings."""
    for head in root.iter(svg.PATH_TAG):
        if head.get("d") in {_POINT_END, _POINT_START} and svg.has_class(head, "arrowMarkerPath"):
            if head.get("d") == _POINT_START:
                head.set("transform", "rotate(180 5 5)")
            head.set("d", _ARROWS[arrow])
            if arrow == "hollow":
                head.set("style", f"{head.get('style', '')};fill:{background}")
