"""Narrow timelines: in Mermaid's wide layout, text is tiny on a page."""

import re
from collections.abc import Iterator

from mdpublish_core.figures.mermaid import elements as svg
from mdpublish_core.figures.request import FigureTheme

# Column width by Mermaid, ours, and the gap between boxes, in px.
_THEIR_STEP, _STEP = 200.0, 172.0
_GAP = 8.0

# In px.
_MARGIN = 14.0
_BELOW = 24.0

# Height of the middle of capital letters, in em.
_MIDDLE = 0.35

_TOP_EDGE = re.compile(r"(q0,-5 5,-5 h)(-?[\d.]+)( q)")


def narrow_columns(root: svg.Element, _: float, __: FigureTheme) -> None:
    nodes = [group for group in root.iter(svg.GROUP_TAG) if svg.has_class(group, "timeline-node")]
    first = min((shift[0] for node in nodes if (shift := svg.shift_of(node.getparent()))), default=None)
    if first is None:
        return
    rightmost = lowest = first
    for node in nodes:
        parent, (width, height) = node.getparent(), _narrow(node)
        shift = svg.shift_of(parent)
        if parent is not None and shift is not None:
            x = _narrowed_x(shift[0], first)
            svg.move_to(parent, x, shift[1])
            rightmost, lowest = max(rightmost, x + width), max(lowest, shift[1] + height)
    for line in _axis_lines(root):
        line.set("stroke-width", "1.5" if line.get("stroke-width") == "4" else "1")
        if line.get("x1") == line.get("x2"):
            x = _narrowed_x(svg.number_of(line, "x1") - _THEIR_STEP / 2 + 5, first) + (_STEP - _GAP) / 2
            svg.set_numbers(line, x1=x, x2=x)
    _shorten(root, first - _MARGIN, rightmost + _MARGIN, lowest + _BELOW)


def _axis_lines(root: svg.Element) -> Iterator[svg.Element]:
    for group in root.iter(svg.GROUP_TAG):
        if group.get("class") == "lineWrapper":
            yield from group.iter(svg.LINE_TAG)


def _narrowed_x(x: float, first: float) -> float:
    return first + (x - first) * _STEP / _THEIR_STEP


def _narrow(node: svg.Element) -> tuple[float, float]:
    """Narrow a box; return its new width, and its height."""
    path, line, text_element = (
        next(node.iter(svg.PATH_TAG), None),
        next(node.iter(svg.LINE_TAG), None),
        next(node.iter(svg.TEXT_TAG), None),
    )
    if path is None or line is None:
        return 0.0, 0.0
    columns = round((svg.number_of(line, "x2") + 10) / _THEIR_STEP)
    width = columns * _STEP - _GAP
    path.set("d", _TOP_EDGE.sub(rf"\g<1>{width - 10:g}\g<3>", path.get("d", "")))
    line.set("x2", f"{width:g}")
    group = text_element.getparent() if text_element is not None else None
    if text_element is not None and group is not None and len(text_element):
        for name in ("dy", "dominant-baseline", "alignment-baseline"):
            text_element.attrib.pop(name, "")
        svg.move_to(group, width / 2, svg.number_of(line, "y1") / 2)
        text_element[0].set("dy", f"{_MIDDLE - svg.LINE_HEIGHT * (len(text_element) - 1) / 2:.3g}em")
        for row in text_element:
            row.text = " ".join((row.text or "").split())
    return width, svg.number_of(line, "y1")


def _shorten(root: svg.Element, left: float, right: float, foot: float) -> None:
    for line in _axis_lines(root):
        if line.get("y1") == line.get("y2"):
            svg.set_numbers(line, x1=left, x2=right)
        else:
            svg.set_numbers(line, y2=min(foot, svg.number_of(line, "y2")))
    view = svg.view_of(root)
    if view is not None:
        svg.set_view(root, view._replace(left=left - 4, top=40, right=right + 8, bottom=foot + 8))
