"""What merman's drawings need before they are shown: labels in the middle of their boxes, broken where there is room for lines."""

import re
from html import unescape

from lxml import etree

from mdpublish_core.figures.looks import FigureLook
from mdpublish_core.figures.mermaid.charts import break_tasks, centre_events, part_ticks, place_git, place_quadrants
from mdpublish_core.figures.mermaid.colouring import coloured
from mdpublish_core.figures.mermaid.elements import GROUP, LEADING, RECT, SHIFT, STYLE, TEXT, TSPAN, number_of
from mdpublish_core.figures.mermaid.measures import Line, line_width, wrapped
from mdpublish_core.figures.mermaid.sources import Source
from mdpublish_core.figures.mermaid.stylesheets import trimmed
from mdpublish_core.figures.mermaid.themes import SIZE, STATE_WIDTH, TITLE
from mdpublish_core.figures.orders import Undrawable

_FONT_SIZE = re.compile(r"^#fig\{[^}]*?font-size:(\d{1,3}(?:\.\d{1,3})?)px")


def repaired(svg: str, source: Source, look: FigureLook) -> str:
    """Return a drawing with its labels in place, in the look's colours; raises `Undrawable` where it is no XML."""
    try:
        root = etree.fromstring(svg.encode(), etree.XMLParser(resolve_entities=False, no_network=True))
    except (etree.XMLSyntaxError, ValueError):
        raise Undrawable("the diagram holds text that cannot be drawn") from None
    style = root.find(STYLE)
    _read_entities(root)
    if source.kind.startswith("stateDiagram"):
        _break_states(root, _font_size(style), look)
    elif repair := _REPAIRS.get(source.kind):
        repair(root, look)
    _centre_edge_labels(root, look)
    _keep_in_view(root, look)
    if style is None:
        style = etree.Element(STYLE)
        root.insert(0, style)
    style.text = (style.text or "") + _SHAPES
    coloured(root, style, source, look)
    style.text = trimmed(style.text, root)
    return etree.tostring(root, encoding="unicode")


def _font_size(style: "etree._Element | None") -> float:
    """Return the size of a drawing's letters in px, which its author may have chosen."""
    found = _FONT_SIZE.match(style.text or "") if style is not None else None
    return float(found[1]) if found else SIZE


def _centre_edge_labels(root: "etree._Element", look: FigureLook) -> None:
    """Put the labels of edges into the middle of their grounds, where merman sets them beside; none is wider than that."""
    for ground in root.iter(RECT):
        text = ground.getnext() if ground.get("class") == "background" else None
        if text is None or text.tag != TEXT or text.get("text-anchor") != "middle" or not len(text):
            continue
        left, width = number_of(ground, "x"), number_of(ground, "width")
        for row in text:
            row.set("x", f"{left + width / 2:g}")
        rows = ("".join(map(str, row.itertext())) for row in text)
        needed = max(line_width(row, SIZE, is_monospaced=look.is_monospaced) for row in rows)
        if width < needed:
            ground.set("x", f"{left - (needed - width) / 2:g}")
            ground.set("width", f"{needed:g}")


def _break_states(root: "etree._Element", size: float, look: FigureLook) -> None:
    """Break the texts of states and notes into the lines that merman made room for, and put them into the middle."""
    for text in list(root.iter(TEXT)):
        rows = [row for row in text if row.tag == TSPAN and "text-outer-tspan" in row.get("class", "")]
        if not rows:
            continue
        lines: list[Line] = []
        for row in rows:
            lines += wrapped("".join(map(str, row.itertext())), STATE_WIDTH, size, is_monospaced=look.is_monospaced)
        middle = 0.0 if text.get("text-anchor") else _middle(text, max(line.width for line in lines))
        if len(lines) == len(rows):
            for row in rows:
                row.set("x", f"{middle:g}")
        else:
            for row in rows:
                text.remove(row)
            for number, line in enumerate(lines):
                row = etree.SubElement(text, TSPAN, {"x": f"{middle:g}", "dy": f"{LEADING}em"})
                row.set("y", f"{number * LEADING - 0.1:.3g}em")
                row.text = line.text
        if middle:
            text.set("text-anchor", "middle")


def _middle(text: "etree._Element", width: float) -> float:
    """Return half of a label's width where it begins so far before the middle of its box, else 0."""
    label = text.getparent()
    while label is not None and "transform" not in label.attrib:
        label = label.getparent()
    shift = SHIFT.match(label.get("transform", "")) if label is not None else None
    return width / 2 if shift and abs(float(shift[1]) + width / 2) < 1 else 0.0


def _centre_names(root: "etree._Element", _: FigureLook) -> None:
    """Put the names of classes into the middle of their boxes, for fonts that are narrower than what was measured."""
    for group in root.iter(GROUP):
        if (group.get("id") or "").startswith("fig-interface"):
            for text in group.iter(TEXT):
                text.set("text-anchor", "middle")
        if group.get("class") not in {"label-group text", "annotation-group text"}:
            continue
        shift = SHIFT.match(group.get("transform", ""))
        for row in group.iter(TSPAN):
            if shift and "text-outer-tspan" in row.get("class", ""):
                row.set("x", f"{-float(shift[1]):g}")
                row.set("text-anchor", "middle")


def _keep_in_view(root: "etree._Element", look: FigureLook) -> None:
    """Make a drawing wide enough for the grounds of edges' labels and for a journey's title, which merman leaves out of account."""
    box = root.get("viewBox", "").split()
    if len(box) != 4:
        return
    left, right = float(box[0]), float(box[0]) + float(box[2])
    least, most = left, right
    for ground in root.iter(RECT):
        if ground.get("class") == "background":
            x = number_of(ground, "x") + _shift(ground)
            least, most = min(least, x - 4), max(most, x + number_of(ground, "width") + 4)
    for text in root.iter(TEXT):
        if "taskTextOutside" in (text.get("class") or ""):
            # Beside a bar, to its right or ending at its left.
            size = float(text.get("font-size", SIZE))
            width = line_width(text.text or "", size, is_monospaced=look.is_monospaced)
            is_left = "taskTextOutsideLeft" in (text.get("class") or "")
            least = min(least, number_of(text, "x") - width - 4) if is_left else least
            most = most if is_left else max(most, number_of(text, "x") + width + 4)
        elif text.get("font-weight") == "bold" and text.get("font-size") == f"{TITLE}px":
            width = line_width(text.text or "", TITLE, is_bold=True, is_monospaced=look.is_monospaced)
            most = max(most, number_of(text, "x") + width + 8)
    if least < left or most > right:
        root.set("viewBox", f"{least:g} {box[1]} {most - least:g} {box[3]}")
        root.set("style", f"max-width:{most - least:g}px")


def _shift(element: "etree._Element") -> float:
    """Return how far to the right the groups around an element move it, in px."""
    moved = 0.0
    group = element.getparent()
    while group is not None:
        if shift := SHIFT.match(group.get("transform", "")):
            moved += float(shift[1])
        group = group.getparent()
    return moved


def _read_entities(root: "etree._Element") -> None:
    """Turn entities of HTML that merman leaves in texts into the characters that they stand for."""
    for text in root.iter(TEXT, TSPAN):
        if text.text and "&" in text.text:
            text.text = unescape(text.text)


# Repairs that belong to a type, by its word.
_REPAIRS = {
    "classDiagram": _centre_names,
    "journey": break_tasks,
    "timeline": centre_events,
    "gantt": part_ticks,
    "quadrantChart": place_quadrants,
    "gitGraph": place_git,
}

# Thin lines, no shadows, and grounds of edges' labels that hide the edge.
_SHAPES = f"""
#fig .edgeLabel rect,#fig .edgeLabel .label rect,#fig .labelBkg{{opacity:1}}
#fig .edge-thickness-thick{{stroke-width:2.5px}}
#fig .actor-line,#fig .loopLine,#fig .labelBox{{stroke-width:1px}}
#fig .messageLine0,#fig .messageLine1{{stroke-width:1.2px}}
#fig .actor-man line,#fig .actor-man circle{{stroke-width:1.5px}}
#fig g rect.rect{{filter:none;stroke-width:1px}}
#fig .arrow{{stroke-width:4px}}
#fig .commit-label-bkg{{opacity:0.9}}
#fig .task{{stroke-width:1px}}
#fig text.task{{stroke-width:0}}
#fig .titleText,#fig .flowchartTitleText,#fig .classTitleText,#fig .statediagramTitleText,#fig .erDiagramTitleText,
#fig .gitTitleText{{font-size:{TITLE}px;font-weight:bold}}
#fig .pieTitleText,#fig .title text,#fig .chart-title text{{font-weight:bold}}
"""
