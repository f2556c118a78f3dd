"""Cards of kanban boards: a ticket and its assignee share a row, whatever their lengths."""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from lxml import etree

from mdpublish_core.figures.line_breaking import break_lines, truncate
from mdpublish_core.figures.mermaid import elements as svg
from mdpublish_core.figures.mermaid.text_metrics import measure_in
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
    node: svg.Element
    box: svg.Element
    labels: list[svg.Element]
    """Groups of the title, the ticket and the assignee."""

    x: float
    y: float


def stack_card_labels(root: svg.Element, size: float, theme: FigureTheme) -> None:
    """Break what is wider than its card, and put an assignee below a ticket if both are wider; enlarge such cards.

    All labels begin on the left, as in Mermaid.
    """
    definitions = {each.get("id", ""): each for each in root.iter(svg.GROUP_TAG) if each.get("id")}
    _name_sections(root, definitions, size, theme)
    lowered: dict[float, float] = {}
    for card in sorted(_cards(root), key=lambda each: each.y):
        more = _enlarge(card, definitions, size, theme)
        down = lowered.get(card.x, 0.0)
        svg.move_to(card.node, card.x, card.y + down + more / 2)
        lowered[card.x] = down + more
    for section in root.iter(svg.RECT_TAG):
        box = svg.box_of(section)
        more = lowered.get((box.left + box.right) / 2, 0.0)
        if more and svg.has_class(section.getparent(), "cluster"):
            svg.set_numbers(section, height=box.height + more)
            svg.widen(root, bottom=box.bottom + more + _GAP)


def _name_sections(root: svg.Element, definitions: Mapping[str, svg.Element], size: float, theme: FigureTheme) -> None:
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
        smaller = max(_MIN_SIZE, size * room / measure_in(theme, size)(words))
        line = truncate(words, max_width=room, measure=measure_in(theme, smaller))
        x, y = svg.number_of(box, "x") + svg.number_of(box, "width") / 2, svg.number_of(box, "y")
        svg.move_to(label, x, y)
        style = re.sub(r"(text-anchor|font-size):[^;]*;?", "", lines[0].get("style", ""))
        del label[:]
        text_element = etree.SubElement(
            label, svg.TEXT_TAG, {"y": f"{_ROW * size / 2:g}", "dominant-baseline": "central"}
        )
        text_element.set("style", f"{style};text-anchor:middle;font-size:{smaller:g}px")
        if line != words:
            svg.add_title(text_element, words)
        etree.SubElement(text_element, svg.TSPAN_TAG, {"x": "0"}).text = line


def _cards(root: svg.Element) -> Iterator[_Card]:
    for node in root.iter(svg.GROUP_TAG):
        shift, box = svg.shift_of(node), node.find(svg.RECT_TAG)
        labels = [each for each in node if each.tag == svg.GROUP_TAG and each.get("class") == "label"]
        if svg.has_class(node, "node") and shift is not None and box is not None and len(labels) == 3:
            yield _Card(node, box, labels, *shift)


def _enlarge(card: _Card, definitions: Mapping[str, svg.Element], size: float, theme: FigureTheme) -> float:
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
    svg.set_numbers(card.box, y=top, height=higher)
    padding = (higher - count * height) / 2
    for label, _ in parts:
        svg.move_to(label, _PADDING - svg.number_of(card.box, "width") / 2, top + padding)
    for priority in card.node.iter(svg.LINE_TAG):
        svg.set_numbers(priority, y1=top + 2, y2=-top - 2)
    return more


def _text_elements(label: svg.Element, definitions: Mapping[str, svg.Element]) -> list[svg.Element]:
    """Return the lines of a label, which are defined elsewhere."""
    used = (definitions.get(use.get("href", "").removeprefix("#")) for use in label.iter("{*}use"))
    return [text_element for each in used if each is not None for text_element in each.iter(svg.TEXT_TAG)]


def _joined(text_elements: list[svg.Element]) -> str:
    """Return the words of lines, which end in a space unless a word was broken."""
    return " ".join("".join("".join(map(str, each.itertext())) for each in text_elements).split())


def _write(label: svg.Element, model: svg.Element, lines: tuple[str, ...], top: float, right: float) -> None:
    """Replace a label by a text of one element, whose words are whole to whoever copies it."""
    anchor = "end" if right else "start"
    style = re.sub(r"text-anchor:[^;]*", f"text-anchor:{anchor}", model.get("style", ""))
    height = float(match[1]) if (match := _LINE_HEIGHT.search(style)) else 0.0
    del label[:]
    text_element = etree.SubElement(
        label, svg.TEXT_TAG, {"text-anchor": anchor, "dominant-baseline": "central", "style": style}
    )
    svg.write_lines(text_element, lines, right, top + height / 2, height)
