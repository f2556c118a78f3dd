"""What merman's drawings need before they are shown: labels and titles in their places, lines that are thin, colours of the theme."""

import re
from html import unescape

from lxml import etree

from mdpublish_core.figures.mermaid.charts import (
    break_tasks,
    keep_numbers,
    part_ticks,
    place_git,
    place_quadrants,
    trim_pie,
)
from mdpublish_core.figures.mermaid.colouring import colored
from mdpublish_core.figures.mermaid.elements import RECT, STYLE, TEXT, TSPAN, moved, number_of, show, view_of
from mdpublish_core.figures.mermaid.labels import (
    part_lines,
    place_classes,
    place_edge_labels,
    place_groups,
    place_states,
    raise_labels,
)
from mdpublish_core.figures.mermaid.measures import line_width
from mdpublish_core.figures.mermaid.sources import HTML_LABELS, LESS, Source
from mdpublish_core.figures.mermaid.stylesheets import trimmed
from mdpublish_core.figures.mermaid.themes import SIZE
from mdpublish_core.figures.mermaid.timelines import gather_columns
from mdpublish_core.figures.mermaid.titles import place_title
from mdpublish_core.figures.request import FigureError, FigureTheme

_FONT_SIZE = re.compile(r"^#fig\{[^}]*?font-size:(\d{1,3}(?:\.\d{1,3})?)px")


def repaired(svg: str, source: Source, theme: FigureTheme) -> str:
    """Return a drawing with its labels in place, in the theme's colours; raises `FigureError` where it is no XML."""
    try:
        root = etree.fromstring(svg.encode(), etree.XMLParser(resolve_entities=False, no_network=True))
    except (etree.XMLSyntaxError, ValueError):
        raise FigureError("the diagram holds text that cannot be drawn") from None
    style = root.find(STYLE)
    size = _font_size(style)
    _read_entities(root, source)
    if repair := _REPAIRS.get(source.kind):
        repair(root, size, theme)
    place_edge_labels(root, size, theme)
    raise_labels(root)
    _keep_in_view(root, theme)
    place_title(root, theme)
    part_lines(root)
    if style is None:
        style = etree.Element(STYLE)
        root.insert(0, style)
    style.text = (style.text or "") + _SHAPES
    colored(root, style, source, theme)
    style.text = trimmed(style.text, root)
    return etree.tostring(root, encoding="unicode")


def _font_size(style: "etree._Element | None") -> float:
    """Return the size of a drawing's letters in px, which its author may have chosen."""
    found = _FONT_SIZE.match(style.text or "") if style is not None else None
    return float(found[1]) if found else SIZE


def _keep_in_view(root: "etree._Element", theme: FigureTheme) -> None:
    """Make a drawing wide enough for the grounds of edges' labels and for what stands beside bars, which merman leaves out."""
    view = view_of(root)
    if view is None:
        return
    least, most = view.left, view.right
    for ground in root.iter(RECT):
        if ground.get("class") == "background":
            x = number_of(ground, "x") + moved(ground)[0]
            least, most = min(least, x - 4), max(most, x + number_of(ground, "width") + 4)
    for text in root.iter(TEXT):
        if "taskTextOutside" in (text.get("class") or ""):
            # Beside a bar, to its right or ending at its left.
            size = float(text.get("font-size", SIZE))
            width = line_width(text.text or "", size, is_monospaced=theme.is_monospaced)
            is_left = "taskTextOutsideLeft" in (text.get("class") or "")
            least = min(least, number_of(text, "x") - width - 4) if is_left else least
            most = most if is_left else max(most, number_of(text, "x") + width + 4)
    if least < view.left or most > view.right:
        show(root, view._replace(left=least, right=most))


def _read_entities(root: "etree._Element", source: Source) -> None:
    """Turn entities of HTML that merman leaves in texts into the characters that they stand for."""
    has_text = False
    for text in root.iter(TEXT, TSPAN):
        has_text = True
        if text.text and ("&" in text.text or LESS in text.text):
            text.text = unescape(text.text).replace(LESS, "<")
    if not has_text and source.kind in HTML_LABELS:
        raise FigureError("the diagram's labels hold HTML that cannot be drawn; write them without tags")


# Repairs that belong to a type, by its word.
_REPAIRS = {
    "flowchart": place_groups,
    "flowchart-elk": place_groups,
    "graph": place_groups,
    "classDiagram": place_classes,
    "classDiagram-v2": place_classes,
    "stateDiagram": place_states,
    "stateDiagram-v2": place_states,
    "journey": break_tasks,
    "timeline": gather_columns,
    "gantt": part_ticks,
    "quadrantChart": place_quadrants,
    "gitGraph": place_git,
    "pie": trim_pie,
    "sequenceDiagram": keep_numbers,
}

# Thin lines, no shadows, and grounds of edges' labels that hide the edge.
_SHAPES = """
#fig .edgeLabel rect,#fig .edgeLabel .label rect,#fig .labelBkg{opacity:1}
#fig .edge-thickness-thick{stroke-width:2.5px}
#fig .actor-line,#fig .loopLine,#fig .labelBox{stroke-width:1px}
#fig .messageLine0,#fig .messageLine1{stroke-width:1.2px}
#fig .actor-man line,#fig .actor-man circle{stroke-width:1.5px}
#fig g rect.rect{filter:none;stroke-width:1px}
#fig .arrow{stroke-width:4px}
#fig .commit-label-bkg{opacity:0.9}
#fig .task{stroke-width:1px}
#fig text.task{stroke-width:0}
#fig .sequenceNumber{stroke:none}
"""
