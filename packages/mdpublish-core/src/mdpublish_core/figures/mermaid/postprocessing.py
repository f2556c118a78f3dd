"""Fix and theme the engine's SVG."""

import re
from collections.abc import Callable, Mapping
from html import unescape

from lxml import etree

from mdpublish_core.figures.errors import FigureError
from mdpublish_core.figures.mermaid import elements as svg
from mdpublish_core.figures.mermaid import fitting, label_positions, labels
from mdpublish_core.figures.mermaid.block_links import draw_links
from mdpublish_core.figures.mermaid.c4 import place_relations
from mdpublish_core.figures.mermaid.coloring import apply_colors, remove_unused_rules
from mdpublish_core.figures.mermaid.dress import dress
from mdpublish_core.figures.mermaid.emphasis import emphasize
from mdpublish_core.figures.mermaid.kanban import stack_card_labels
from mdpublish_core.figures.mermaid.literals import with_plain_characters
from mdpublish_core.figures.mermaid.packets import fit_fields
from mdpublish_core.figures.mermaid.sources import HTML_LABELS, MermaidSource, base_kind
from mdpublish_core.figures.mermaid.themes import FONT_SIZE, rules
from mdpublish_core.figures.mermaid.timelines import narrow_columns
from mdpublish_core.figures.mermaid.treemaps import fit_tiles
from mdpublish_core.figures.mermaid.venns import place_labels
from mdpublish_core.figures.mermaid.xy_charts import fit_chart
from mdpublish_core.figures.request import FigureTheme

_FONT_FAMILY = re.compile(r"^#fig\{[^}]*?font-family:")
_FONT_SIZE = re.compile(r"^#fig\{[^}]*?font-size:(\d{1,3}(?:\.\d{1,3})?)px")


def postprocess(drawn: str, source: MermaidSource, theme: FigureTheme) -> str:
    """Raise `FigureError` if the SVG is not well-formed."""
    try:
        root = etree.fromstring(drawn.encode(), etree.XMLParser(resolve_entities=False, no_network=True))
    except (etree.XMLSyntaxError, ValueError):
        raise FigureError("the diagram contains text that cannot be rendered") from None
    style = root.find(f".//{svg.STYLE_TAG}")
    if style is None or not _FONT_FAMILY.match(style.text or ""):
        root.set("font-family", theme.font_family)
    size = _font_size(style)
    _unescape_entities(root, source)
    for correct in _POSTPROCESSORS.get(base_kind(source.kind), ()):
        correct(root, size, theme)
    labels.position_edge_labels(root, size, theme)
    labels.raise_labels(root)
    _keep_in_view(root, theme)
    label_positions.position_title(root, theme)
    labels.separate_lines(root)
    if draw := _FROM_SOURCE.get(base_kind(source.kind)):
        draw(root, source.content)
    if style is None:
        style = etree.Element(svg.STYLE_TAG)
        root.insert(0, style)
    style.text = (style.text or "") + rules("shapes.css", theme)
    apply_colors(root, style, source, theme)
    dress(root, style, source, theme)
    style.text = remove_unused_rules(style.text, root)
    return etree.tostring(root, encoding="unicode")


def _font_size(style: svg.Element | None) -> float:
    """Return the font size in px."""
    match = _FONT_SIZE.match(style.text or "") if style is not None else None
    return float(match[1]) if match else FONT_SIZE


def _keep_in_view(root: svg.Element, theme: FigureTheme) -> None:
    """Include edge labels' backgrounds and text beside bars, which merman ignores."""
    for background in root.iter(svg.RECT_TAG):
        if background.get("class") == "background":
            box = svg.box_of(background, *svg.translation_of(background))
            svg.widen(root, left=box.left - 4, right=box.right + 4)
    for text_element in root.iter(svg.TEXT_TAG):
        if "taskTextOutside" in (text_element.get("class") or ""):
            size = float(text_element.get("font-size", FONT_SIZE))
            width = svg.width_of(text_element, size, theme)
            is_left = "taskTextOutsideLeft" in (text_element.get("class") or "")
            end = svg.number_of(text_element, "x") + (-width - 4 if is_left else width + 4)
            svg.widen(root, left=end, right=end)


def _unescape_entities(root: svg.Element, source: MermaidSource) -> None:
    """Unescape entities that merman leaves in text."""
    has_text = False
    for text_element in root.iter(svg.TEXT_TAG, svg.TSPAN_TAG):
        has_text = True
        if text_element.text and ("&" in text_element.text or not text_element.text.isascii()):
            text_element.text = with_plain_characters(unescape(text_element.text))
    if not has_text and source.kind in HTML_LABELS:
        raise FigureError("the diagram's labels contain unsupported HTML; remove the tags")


_POSTPROCESSORS: Mapping[str, tuple[Callable[[svg.Element, float, FigureTheme], None], ...]] = {
    "flowchart": (labels.position_groups,),
    "classDiagram": (labels.position_classes,),
    "stateDiagram": (labels.position_states, fitting.fit_composite_names),
    "sequenceDiagram": (
        *(label_positions.add_bottom_margin, label_positions.lower_actor_names, label_positions.raise_numbered),
    ),
    "journey": (label_positions.wrap_tasks, fitting.separate_legend),
    "timeline": (narrow_columns, fitting.fit_periods),
    "gantt": (label_positions.remove_today, label_positions.separate_ticks),
    "quadrantChart": (label_positions.position_quadrants, fitting.separate_points),
    "gitGraph": (label_positions.position_git_labels, fitting.separate_commit_labels),
    "pie": (label_positions.trim_pie, fitting.separate_shares),
    "architecture": (fitting.refuse_covered,),
    "kanban": (stack_card_labels,),
    "packet": (fit_fields,),
    "treemap": (fit_tiles,),
    "venn": (place_labels,),
    "xychart": (fit_chart,),
    **dict.fromkeys(("C4Context", "C4Container", "C4Component", "C4Dynamic", "C4Deployment"), (place_relations,)),
}
"""By type without its version, in this order."""

_FROM_SOURCE: Mapping[str, Callable[[svg.Element, str], None]] = {"block": draw_links, "mindmap": emphasize}
"""What engines leave out."""
