"""Narrow timelines: in Mermaid's wide layout, text is tiny on a page."""

import re
from typing import TYPE_CHECKING

from mdpublish_core.figures.mermaid import elements as svg
from mdpublish_core.figures.request import FigureTheme

if TYPE_CHECKING:
    from lxml import etree

# Column width by Mermaid, ours, and the gap between boxes, in px.
_THEIR_STEP, _STEP = 200.0, 172.0
_GAP = 8.0

# In px.
_MARGIN = 14.0
_BELOW = 24.0

# Height of the middle of capital letters, in em.
_MIDDLE = 0.35

_TOP_EDGE = re.compile(r"(q0,-5 5,-5 h)(-?[\d.]+)( q)")


def narrow_columns(root: "etree._Element", _: float, __: FigureTheme) -> None:
    starts: list[float] = []
    for group in root.iter(svg.GROUP_TAG):
        shift = svg.TRANSLATION.match(group.get("transform", ""))
        node = group[0] if shift is not None and len(group) else None
        if shift is None or node is None or "timeline-node" not in (node.get("class") or ""):
            continue
        starts.append(float(shift[1]))
    if not starts:
        return
    first = min(starts)
    rightmost = lowest = first
    for group in root.iter(svg.GROUP_TAG):
        kind = (group.get("class") or "").split()
        shift = svg.TRANSLATION.match(group.get("transform", ""))
        if "timeline-node" in kind:
            parent = group.getparent()
            width = _narrow(group)
            parent_shift = svg.TRANSLATION.match(parent.get("transform", "")) if parent is not None else None
            if parent is not None and parent_shift is not None:
                x = _narrowed_x(float(parent_shift[1]), first)
                parent.set("transform", f"translate({x:g}, {parent_shift[2]})")
                rightmost, lowest = max(rightmost, x + width), max(lowest, float(parent_shift[2]) + _height(group))
        elif "lineWrapper" in kind:
            for line in group.iter(svg.LINE_TAG):
                _thin_line(line)
                if line.get("x1") == line.get("x2"):
                    x = _narrowed_x(svg.number_of(line, "x1") - _THEIR_STEP / 2 + 5, first) + (_STEP - _GAP) / 2
                    line.attrib.update({"x1": f"{x:g}", "x2": f"{x:g}"})
    _shorten(root, first - _MARGIN, rightmost + _MARGIN, lowest + _BELOW)


def _narrowed_x(x: float, first: float) -> float:
    return first + (x - first) * _STEP / _THEIR_STEP


def _narrow(node: "etree._Element") -> float:
    """Narrow a box; return its new width."""
    path, line, text_element = (
        next(node.iter(svg.PATH_TAG), None),
        next(node.iter(svg.LINE_TAG), None),
        next(node.iter(svg.TEXT_TAG), None),
    )
    if path is None or line is None:
        return 0.0
    columns = round((svg.number_of(line, "x2") + 10) / _THEIR_STEP)
    width = columns * _STEP - _GAP
    path.set("d", _TOP_EDGE.sub(rf"\g<1>{width - 10:g}\g<3>", path.get("d", "")))
    line.set("x2", f"{width:g}")
    group = text_element.getparent() if text_element is not None else None
    if text_element is not None and group is not None and len(text_element):
        for name in ("dy", "dominant-baseline", "alignment-baseline"):
            text_element.attrib.pop(name, "")
        group.set("transform", f"translate({width / 2:g}, {svg.number_of(line, 'y1') / 2:g})")
        text_element[0].set("dy", f"{_MIDDLE - svg.LINE_HEIGHT * (len(text_element) - 1) / 2:.3g}em")
        for row in text_element:
            row.text = " ".join((row.text or "").split())
    return width


def _thin_line(line: "etree._Element") -> None:
    line.set("stroke-width", "1.5" if line.get("stroke-width") == "4" else "1")


def _height(node: "etree._Element") -> float:
    line = next(node.iter(svg.LINE_TAG), None)
    return 0.0 if line is None else svg.number_of(line, "y1")


def _shorten(root: "etree._Element", left: float, right: float, foot: float) -> None:
    for group in root.iter(svg.GROUP_TAG):
        for line in group.iter(svg.LINE_TAG) if group.get("class") == "lineWrapper" else ():
            if line.get("y1") == line.get("y2"):
                line.attrib.update({"x1": f"{left:g}", "x2": f"{right:g}"})
            else:
                line.set("y2", f"{min(foot, svg.number_of(line, 'y2')):g}")
    view = svg.view_of(root)
    if view is not None:
        svg.set_view(root, view._replace(left=left - 4, top=40, right=right + 8, bottom=foot + 8))
