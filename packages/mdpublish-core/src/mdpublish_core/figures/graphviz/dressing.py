"""Graphviz's SVG as a document shows it: in its size and its fonts, without what nobody reads."""

import re
from collections.abc import Sequence

from lxml import etree

from mdpublish_core.figures.graphviz.bounds import ALLOWED_LINK
from mdpublish_core.figures.graphviz.defaults import FONT_SIZE
from mdpublish_core.figures.graphviz.measures import MONO, SANS, width
from mdpublish_core.figures.graphviz.shapes import GROUP, LINK, RUN, SHAPES, SVG, TEXT, TITLE, box_of, remove, taken
from mdpublish_core.figures.request import FigureTheme

_TIP, _HREF = (f"{{http://www.w3.org/1999/xlink}}{name}" for name in ("title", "href"))
_SPACE = "{http://www.w3.org/XML/1998/namespace}space"

_STILL = re.compile(r"scale\(1 1\) rotate\(0\) ")
_SPACES = re.compile("  +")
_LONG_SPACE = re.compile(f"^ +| +$|{_SPACES.pattern}")

# Where nothing is turned or scaled: how far the drawing is moved to the right.
_MOVED = re.compile(r"(?:scale\(1 1\) rotate\(0\) )?translate\((-?[\d.]+) -?[\d.]+\)")

# No letter is wider, in its size; and what is left free at the edge beside letters.
_WIDEST = 1.6
_EDGE = 1.0

# How far from where one run of letters ends the next may begin, since lengths are rounded; and what only a line has.
_NEAR = 1.5
_PLACES = frozenset({"x", "y", "text-anchor", _SPACE})


def dress(root: "etree._Element", theme: FigureTheme) -> None:
    """Give the whole its size and its font, and take out what neither is seen nor means anything."""
    for side in ("width", "height"):
        # Points are drawn as pixels.
        root.set(side, root.get(side, "").removesuffix("pt"))
    root.set("font-family", theme.font_family)
    root.set("font-size", str(FONT_SIZE))
    _widen(root)
    _join_runs(root)
    for element in list(root.iter(f"{{{SVG}}}*")):
        if element.tag == TITLE:
            # The ids of nodes, which nobody has to see; the graph's own name too.
            remove(element)
        elif element.tag in {TEXT, RUN}:
            _dress_text(element)
        elif element.tag == LINK:
            _dress_link(element)
        elif element.tag == GROUP:
            for name in ("id", "class"):
                taken(element, name)
            transform = element.get("transform")
            if transform:
                element.set("transform", _STILL.sub("", transform))


def _widen(root: "etree._Element") -> None:
    """Make room for letters beyond the edges: Graphviz forgets the labels of edges between nodes of one rank."""
    box = [float(number) for number in root.get("viewBox", "").split()]
    moved = _MOVED.fullmatch(next((group.get("transform", "") for group in root.iter(GROUP)), ""))
    if len(box) != 4 or moved is None:
        return
    shift = float(moved[1])
    start, end = box[0], box[0] + box[2]
    for text in root.iter(TEXT):
        size = float(text.get("font-size", str(FONT_SIZE)))
        widest = _WIDEST * size * len(text.text or "")
        place = shift + float(text.get("x", "0"))
        if box[0] < place - widest and place + widest < box[0] + box[2]:
            continue
        room = _run_width(text)
        left = place - {"middle": room / 2, "end": room}.get(text.get("text-anchor", ""), 0.0)
        start, end = min(start, left - _EDGE), max(end, left + room + _EDGE)
    if end - start > box[2]:
        root.set("viewBox", f"{start:.2f} {box[1]:.2f} {end - start:.2f} {box[3]:.2f}")
        root.set("width", f"{end - start:.2f}")


def _join_runs(root: "etree._Element") -> None:
    """Make one text of the runs of a line, which an HTML label has wherever its letters change.

    Each would begin where the widest letters end that the one before could have: in a narrower font, words came apart.
    """
    first: etree._Element | None = None
    end = 0.0
    lines: dict[etree._Element, list[tuple[etree._Element, float]]] = {}
    for text in list(root.iter(TEXT)):
        parent = text.getparent()
        if text.get("text-anchor") != "start" or parent is None:
            first = None
            continue
        left = float(text.get("x", "0"))
        follows = text.getprevious() is first and abs(left - end) < _NEAR
        end = left + _run_width(text)
        if first is None or not follows or text.get("y") != first.get("y"):
            first = text
            lines.setdefault(parent, []).append((first, end))
            continue
        if not len(first):
            _add_run(first, first)
        _add_run(first, text)
        remove(text)
        lines[parent][-1] = (first, end)
    for parent, its in lines.items():
        _centre(parent, its)


def _centre(parent: "etree._Element", lines: Sequence[tuple["etree._Element", float]]) -> None:
    """Hold the lines of a label that are centred in a shape by their middle; in tables, columns are rather kept straight."""
    shapes = [element for element in parent if element.tag in SHAPES]
    if len(shapes) != 1:
        return
    left, _, right, _ = box_of(shapes[0])
    middle = (left + right) / 2
    if all(abs((float(text.get("x", "0")) + end) / 2 - middle) < _NEAR for text, end in lines):
        for text, _ in lines:
            text.set("x", f"{middle:.2f}")
            text.set("text-anchor", "middle")


def _add_run(line: "etree._Element", run: "etree._Element") -> None:
    """Put a run behind what stands in a line already; a line that is its own run only keeps its place."""
    span = etree.SubElement(line, RUN)
    for name, value in run.attrib.items():
        if name not in _PLACES:
            span.set(name, value)
    span.text = run.text
    if line is run:
        line.text = None
        for name in span.attrib:
            taken(line, str(name))


def _run_width(text: "etree._Element") -> float:
    """Return how wide Graphviz took a run of letters for."""
    size = float(text.get("font-size", str(FONT_SIZE)))
    family = MONO if text.get("font-family") == MONO else SANS
    return width(text.text or "", size, family=family, is_bold=text.get("font-weight") == "bold")


def _dress_text(text: "etree._Element") -> None:
    taken(text, _SPACE)
    if text.text:
        # Spaces that the author wants to see are written as such.
        spaces = _LONG_SPACE if text.tag == TEXT else _SPACES
        text.text = spaces.sub(lambda found: "\xa0" * len(found[0]), text.text)
    if text.get("font-family") in {SANS, MONO}:
        del text.attrib["font-family"]
    if text.get("font-size") == f"{FONT_SIZE:.2f}":
        del text.attrib["font-size"]


def _dress_link(link: "etree._Element") -> None:
    """Make what is shown over a link, or over a node without one, a title; what repeats the label is left out."""
    if not ALLOWED_LINK.match(link.get(_HREF, "")):
        taken(link, _HREF)
    title = " ".join(taken(link, _TIP).split())
    label = " ".join("".join(map(str, link.itertext())).split())
    if link.get(_HREF) is None:
        link.tag = GROUP
    if title and title not in {label, "<TABLE>"}:
        element = etree.Element(TITLE)
        element.text = title
        element.tail, link.text = link.text, None
        link.insert(0, element)
