"""Cards of kanban boards: a ticket and its assignee share a row, whatever their lengths."""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from lxml import etree

from mdpublish_core.figures.line_breaking import break_lines, truncate
from mdpublish_core.figures.mermaid import elements as svg
from mdpublish_core.figures.mermaid.text_metrics import line_width, measure_in
from mdpublish_core.figures.request import FigureTheme

_PADDING = 10.0  # px, beside labels
_GAP = 8.0  # px, between a ticket and its assignee
_ROW = 1.5  # em
_MIN_SIZE = 10.0  # px, of names of sections

# Of a card's height, in em.
_AROUND_TITLE = 1.25
_AROUND_BOTH = 0.5

# A card has as many rows as its words need: the source is bounded.
_MAX_ROWS = 1_000

_LINE_HEIGHT = re.compile(r"line-height:([\d.]+)px")


class _Card(NamedTuple):
    node: "etree._Element"
    box: "etree._Element"
    labels: list["etree._Element"]
    """Groups of the title, the ticket and the assignee."""

    x: float
    y: float


def stack_card_labels(root: "etree._Element", size: float, theme: FigureTheme) -> None:
    """Break what is wider than its card, and put an assignee below a ticket if both are wider; enlarge such cards.

    All labels begin on the left, as in Mermaid.
    """
    definitions = {each.get("id", ""): each for each in root.iter(svg.GROUP_TAG) if each.get("id")}
    _name_sections(root, definitions, size, theme)
    lowered: dict[float, float] = {}
    for card in sorted(_cards(root), key=lambda each: each.y):
        more = _enlarge(card, definitions, size, theme)
        down = lowered.get(card.x, 0.0)
        card.node.set("transform", f"translate({card.x:g}, {card.y + down + more / 2:g})")
        lowered[card.x] = down + more
    for section in root.iter(svg.RECT_TAG):
        middle = svg.number_of(section, "x") + svg.number_of(section, "width") / 2
        if (more := lowered.get(middle, 0.0)) and _has_class(section.getparent(), "cluster"):
            section.set("height", f"{svg.number_of(section, 'height') + more:g}")
    view = svg.view_of(root)
    bottoms = [
        svg.number_of(each, "y") + svg.number_of(each, "height")
        for each in root.iter(svg.RECT_TAG)
        if _has_class(each.getparent(), "cluster")
    ]
    if view is not None and any(lowered.values()):
        svg.set_view(root, view._replace(bottom=max(view.bottom, max(bottoms) + _GAP)))


def _name_sections(
    root: "etree._Element", definitions: "Mapping[str, etree._Element]", size: float, theme: FigureTheme
) -> None:
    """Write names of sections on the one line that they have; the whole of one that is cut is its `<title>`."""
    for label in list(root.iter(svg.GROUP_TAG)):
        section = label.getparent()
        box = section.find(svg.RECT_TAG) if section is not None else None
        if label.get("class") != "cluster-label" or box is None:
            continue
        lines = _text_elements(label, definitions)
        if len(lines) < 2:
            continue
        words, room = _joined(lines), svg.number_of(box, "width") - 2 * _PADDING
        smaller = max(_MIN_SIZE, size * room / line_width(words, size, is_monospaced=theme.is_monospaced))
        line = truncate(words, max_width=room, measure=measure_in(theme, smaller))
        x, y = svg.number_of(box, "x") + svg.number_of(box, "width") / 2, svg.number_of(box, "y")
        label.set("transform", f"translate({x:g}, {y:g})")
        style = re.sub(r"(text-anchor|font-size):[^;]*;?", "", lines[0].get("style", ""))
        for child in list(label):
            label.remove(child)
        text_element = etree.SubElement(
            label, svg.TEXT_TAG, {"y": f"{_ROW * size / 2:g}", "dominant-baseline": "central"}
        )
        text_element.set("style", f"{style};text-anchor:middle;font-size:{smaller:g}px")
        if line != words:
            etree.SubElement(text_element, f"{svg.SVG_PREFIX}title").text = words
        etree.SubElement(text_element, svg.TSPAN_TAG, {"x": "0"}).text = line


def _has_class(element: "etree._Element | None", name: str) -> bool:
    return element is not None and name in (element.get("class") or "").split()


def _cards(root: "etree._Element") -> Iterator[_Card]:
    for node in root.iter(svg.GROUP_TAG):
        shift, box = svg.TRANSLATION.match(node.get("transform", "")), node.find(svg.RECT_TAG)
        labels = [each for each in node if each.tag == svg.GROUP_TAG and each.get("class") == "label"]
        if _has_class(node, "node") and shift is not None and box is not None and len(labels) == 3:
            yield _Card(node, box, labels, float(shift[1]), float(shift[2]))


def _enlarge(card: _Card, definitions: "Mapping[str, etree._Element]", size: float, theme: FigureTheme) -> float:
    """Return by how many px a card becomes higher."""
    width = measure_in(theme, size)
    title, ticket, assignee = (_text_elements(label, definitions) for label in card.labels)
    words = [_joined(text_elements) for text_elements in (ticket, assignee)]
    room = svg.number_of(card.box, "width") - 2 * _PADDING
    is_footer_wide = sum(map(width, words)) + (_GAP if all(words) else 0.0) > room
    parts = [
        (label, text_elements)
        for label, text_elements in zip(card.labels, (title, ticket, assignee), strict=True)
        if text_elements
    ]
    height = _ROW * size
    count = 0
    for number, (label, text_elements) in enumerate(parts):
        lines = break_lines(_joined(text_elements), max_width=room, max_lines=_MAX_ROWS, measure=width).lines
        is_beside = number == 2 and len(parts) == 3 and not is_footer_wide
        count -= is_beside
        _write(label, text_elements[0], lines, count * height, room if is_beside else 0.0)
        count += len(lines)
    higher = count * height + (_AROUND_BOTH if any(words) else _AROUND_TITLE) * size
    more = higher - svg.number_of(card.box, "height")
    top = -higher / 2
    card.box.set("height", f"{higher:g}")
    card.box.set("y", f"{top:g}")
    padding = (higher - count * height) / 2
    for label, _ in parts:
        label.set("transform", f"translate({_PADDING - svg.number_of(card.box, 'width') / 2:g}, {top + padding:g})")
    for priority in card.node.iter(svg.LINE_TAG):
        priority.set("y1", f"{top + 2:g}")
        priority.set("y2", f"{-top - 2:g}")
    return more


def _text_elements(label: "etree._Element", definitions: "Mapping[str, etree._Element]") -> list["etree._Element"]:
    """Return the lines of a label, which are defined elsewhere."""
    used = (definitions.get(use.get("href", "").removeprefix("#")) for use in label.iter("{*}use"))
    return [text_element for each in used if each is not None for text_element in each.iter(svg.TEXT_TAG)]


def _joined(text_elements: list["etree._Element"]) -> str:
    """Return the words of lines, which end in a space unless a word was broken."""
    return " ".join("".join("".join(map(str, each.itertext())) for each in text_elements).split())


def _write(label: "etree._Element", model: "etree._Element", lines: tuple[str, ...], top: float, right: float) -> None:
    """Replace a label by a text of one element, whose words are whole to whoever copies it."""
    anchor = "end" if right else "start"
    style = re.sub(r"text-anchor:[^;]*", f"text-anchor:{anchor}", model.get("style", ""))
    height = float(match[1]) if (match := _LINE_HEIGHT.search(style)) else 0.0
    for child in list(label):
        label.remove(child)
    text_element = etree.SubElement(
        label, svg.TEXT_TAG, {"text-anchor": anchor, "dominant-baseline": "central", "style": style}
    )
    for number, line in enumerate(lines):
        y = top + (number + 0.5) * height
        etree.SubElement(text_element, svg.TSPAN_TAG, {"x": f"{right:g}", "y": f"{y:g}"}).text = line
