"""Position and wrap the labels of nodes, edges, states and classes."""

import re

from lxml import etree

from mdpublish_core.figures.mermaid import elements as svg
from mdpublish_core.figures.mermaid.text_metrics import Line, wrap_text
from mdpublish_core.figures.mermaid.themes import STATE_WIDTH
from mdpublish_core.figures.request import FigureTheme

# Offset of a label to the middle of its capital letters, in em.
_MIDDLE = 0.65

# Error of Mermaid's node labels, in em.
_TOO_LOW = 0.1

_GAP = 2.0  # px

# Height of a composite state's title bar, in em.
_STRIP = 1.7

_INDENT = 10  # px

_NOTE_PADDING = 11  # px

# Labels at the ends of class relations, in px.
_END_SIZE = 11.0
_END_GAP = 2.0

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def position_edge_labels(root: svg.Element, size: float, theme: FigureTheme) -> None:
    """Center labels on edges; merman misplaces some."""
    for edge in root.iter(svg.GROUP_TAG):
        if not svg.has_class(edge, "edgeLabel") or not edge.get("transform"):
            continue
        text_element, background = next(edge.iter(svg.TEXT_TAG), None), next(edge.iter(svg.RECT_TAG), None)
        rows = [] if text_element is None else _rows(text_element)
        if text_element is None or not rows or not svg.words_of(text_element):
            continue
        for group in edge.iter(svg.GROUP_TAG):
            if group is not edge:
                group.attrib.pop("transform", "")
        for row in rows:
            row.set("x", "0")
        text_element.set("text-anchor", "middle")
        text_element.set("transform", f"translate(0, {-size * (_MIDDLE + svg.LINE_HEIGHT * (len(rows) - 1) / 2):g})")
        if background is not None:
            width = max(_width(row, size, theme) for row in rows) + 2 * _GAP
            height = size * svg.LINE_HEIGHT * len(rows) + _GAP
            svg.set_numbers(background, x=-width / 2, y=-height / 2, width=width, height=height)


def raise_labels(root: svg.Element) -> None:
    for text_element in root.iter(svg.TEXT_TAG):
        if text_element.get("transform") is None:
            for row in _rows(text_element):
                if (row.get("y") or "").endswith("em"):
                    row.set("y", f"{float(row.get('y', '0em')[:-2]) - _TOO_LOW:.3g}em")


def separate_lines(root: svg.Element) -> None:
    """Add invisible spaces between lines, for copying and screen readers."""
    for text_element in root.iter(svg.TEXT_TAG):
        rows = [row for row in text_element if row.tag == svg.TSPAN_TAG]
        for row in rows[:-1]:
            if svg.words_of(row):
                etree.SubElement(row, svg.TSPAN_TAG, {"font-size": "0"}).text = " "


def position_states(root: svg.Element, size: float, theme: FigureTheme) -> None:
    for text_element in list(root.iter(svg.TEXT_TAG)):
        if rows := _rows(text_element):
            _wrap_state_text(text_element, rows, size, theme)
    for cluster in root.iter(svg.GROUP_TAG):
        if svg.has_class(cluster, "statediagram-cluster"):
            _name_cluster(cluster, size)


def _note_width(text_element: svg.Element) -> float:
    """Return the width in px of the note around a text, 0 for other texts; merman wraps notes later, in a wide face."""
    label = text_element.getparent()
    note = label.getparent() if label is not None else None
    outline = note.find(f"{svg.GROUP_TAG}/{svg.PATH_TAG}") if note is not None else None
    start = _NUMBER.search(outline.get("d", "")) if outline is not None else None
    return -2 * float(start[0]) if start else 0.0


def _wrap_state_text(text_element: svg.Element, rows: list[svg.Element], size: float, theme: FigureTheme) -> None:
    lines: list[Line] = []
    room = max(STATE_WIDTH, _note_width(text_element) - 2 * _NOTE_PADDING)
    for row in rows:
        lines += wrap_text("".join(map(str, row.itertext())), room, size, is_monospaced=theme.is_monospaced)
    middle = 0.0 if text_element.get("text-anchor") else _middle(text_element, max(line.width for line in lines))
    if len(lines) == len(rows):
        for row in rows:
            row.set("x", f"{middle:g}")
    else:
        for row in rows:
            text_element.remove(row)
        for number, line in enumerate(lines):
            row = etree.SubElement(
                text_element,
                svg.TSPAN_TAG,
                {"class": "text-outer-tspan", "x": f"{middle:g}", "dy": f"{svg.LINE_HEIGHT}em"},
            )
            row.set("y", f"{number * svg.LINE_HEIGHT - 0.1:.3g}em")
            row.text = line.content
    if middle:
        text_element.set("text-anchor", "middle")


def position_groups(root: svg.Element, _: float, __: FigureTheme) -> None:
    """Left-align subgraph names, to avoid edges that enter from above."""
    for cluster in root.iter(svg.GROUP_TAG):
        if not svg.has_class(cluster, "cluster"):
            continue
        background, text_element = cluster.find(svg.RECT_TAG), next(cluster.iter(svg.TEXT_TAG), None)
        for group in cluster.iter(svg.GROUP_TAG):
            shift = svg.shift_of(group) if group.get("class") == "cluster-label" else None
            if shift is None or background is None or text_element is None:
                continue
            svg.move_to(group, svg.number_of(background, "x") + _INDENT, shift[1])
            text_element.set("text-anchor", "start")
            for row in text_element.iter(svg.TSPAN_TAG):
                row.attrib.pop("text-anchor", "")
            for row in _rows(text_element):
                row.set("x", "0")


def _name_cluster(cluster: svg.Element, size: float) -> None:
    """Center a composite state's name in its title bar."""
    boxes = {box.get("class"): box for box in cluster.iter(svg.RECT_TAG)}
    outer, inner, text_element = boxes.get("outer"), boxes.get("inner"), next(cluster.iter(svg.TEXT_TAG), None)
    group = text_element.getparent() if text_element is not None else None
    if outer is None or inner is None or text_element is None or group is None or group.get("class") != "cluster-label":
        return
    top, strip = svg.number_of(outer, "y"), size * _STRIP
    lower = top + strip - svg.number_of(inner, "y")
    svg.set_numbers(inner, y=top + strip, height=max(0.0, svg.number_of(inner, "height") - lower))
    middle = svg.number_of(outer, "x") + svg.number_of(outer, "width") / 2
    svg.move_to(group, middle, top + strip / 2 - size * (_MIDDLE - _TOO_LOW))
    text_element.set("text-anchor", "middle")
    for row in _rows(text_element):
        row.set("x", "0")


def _middle(text_element: svg.Element, width: float) -> float:
    """Return half the width if the label is centered by its left edge, else 0."""
    label = text_element.getparent()
    while label is not None and "transform" not in label.attrib:
        label = label.getparent()
    shift = svg.shift_of(label) if label is not None else None
    return width / 2 if shift and abs(shift[0] + width / 2) < 1 else 0.0


def position_classes(root: svg.Element, size: float, theme: FigureTheme) -> None:
    del size
    for part in root.iter(svg.TSPAN_TAG):
        # merman splits `List~Author~` into two words.
        if "text-inner-tspan" in (part.get("class") or "") and (part.text or "").startswith(" <"):
            part.text = (part.text or "").lstrip()
    for group in root.iter(svg.GROUP_TAG):
        if (group.get("id") or "").startswith("fig-interface"):
            for text_element in group.iter(svg.TEXT_TAG):
                text_element.set("text-anchor", "middle")
        if group.get("class") not in {"label-group text", "annotation-group text"}:
            continue
        shift = svg.shift_of(group)
        for row in group.iter(svg.TSPAN_TAG):
            if shift and "text-outer-tspan" in row.get("class", ""):
                row.set("x", f"{-shift[0]:g}")
                row.set("text-anchor", "middle")
    _separate_edge_ends(root, theme)


def _separate_edge_ends(root: svg.Element, theme: FigureTheme) -> None:
    """Move labels off boxes by the shortest distance."""
    boxes = [box for group in root.iter(svg.GROUP_TAG) if (box := _box(group)) is not None]
    for end in root.iter(svg.GROUP_TAG):
        shift, text_element = svg.shift_of(end), next(end.iter(svg.TEXT_TAG), None)
        if end.get("class") != "edgeTerminals" or shift is None or text_element is None:
            continue
        x, y = shift
        half = svg.width_of(text_element, _END_SIZE, theme) / 2 + _END_GAP
        high = _END_SIZE / 2 + _END_GAP
        for left, top, right, bottom in boxes:
            if not (left - half < x < right + half and top - high < y < bottom + high):
                continue
            ways = ((left - half - x, 0.0), (right + half - x, 0.0), (0.0, top - high - y), (0.0, bottom + high - y))
            right_by, down_by = min(ways, key=lambda way: abs(way[0]) + abs(way[1]))
            x, y = x + right_by, y + down_by
        svg.move_to(end, x, y)


def _box(node: svg.Element) -> tuple[float, float, float, float] | None:
    """Return left, top, right and bottom of a node; None for other elements."""
    shift, path = svg.shift_of(node), next(node.iter(svg.PATH_TAG), None)
    if not svg.has_class(node, "node") or shift is None or path is None:
        return None
    numbers = [abs(float(each)) for each in _NUMBER.findall(path.get("d", ""))[:8]]
    if len(numbers) < 8:
        return None
    right, down = svg.translation_of(node)
    x, y, half, high = shift[0] + right, shift[1] + down, max(numbers[::2]), max(numbers[1::2])
    return x - half, y - high, x + half, y + high


def _rows(text_element: svg.Element) -> list[svg.Element]:
    return [row for row in text_element if row.tag == svg.TSPAN_TAG and "text-outer-tspan" in (row.get("class") or "")]


def _width(row: svg.Element, size: float, theme: FigureTheme) -> float:
    is_bold = any("bold" in (part.get("font-weight") or "") for part in row.iter(svg.TSPAN_TAG))
    return svg.width_of(row, size, theme, is_bold=is_bold)
