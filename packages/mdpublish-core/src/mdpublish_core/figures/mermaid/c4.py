"""Relations of C4 diagrams: their lines pass behind elements, their labels stand where nothing else does."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from lxml import etree

from mdpublish_core.figures.boxes import Box
from mdpublish_core.figures.fonts import line_width
from mdpublish_core.figures.line_breaking import break_lines
from mdpublish_core.figures.mermaid import elements as svg
from mdpublish_core.figures.mermaid.text_metrics import measure_in
from mdpublish_core.figures.mermaid.themes import SMALL_SIZE
from mdpublish_core.figures.request import FigureTheme

MAX_RELATIONS = 100
"""Labels compared with everything else: 0.2 s. In larger diagrams, labels stay in the middle of their lines."""

_MAX_WIDTH = 170.0  # px, of a label
_MAX_ROWS = 1_000  # all words are shown
_ROW = 15.0  # px
_GAP = 3.0  # px, around labels
_MARGIN = 8.0  # px

# Shares of a line; distances from it in half widths of the label, and how many crossed lines each is as bad as.
_SHARES = (0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18, 0.82)
_ASIDE = ((0.0, 0), (1.1, 1), (-1.1, 1), (1.4, 2), (-1.4, 2), (1.7, 3), (-1.7, 3), (2.0, 4), (-2.0, 4))
_STEPS = 32

# What is worse than a crossed line.
_COVERED = 100

_FONT_SIZE = re.compile(r"font-size:([\d.]+)px")
_NUMBER = re.compile(r"-?[\d.]+(?:e-?\d+)?")


class _Relation(NamedTuple):
    curve: Sequence[svg.Point]
    text_elements: Sequence[svg.Element]
    """What it says and, in brackets, its technology."""

    shift: svg.Point
    """The vector by which the author moved its label."""


def place_relations(root: svg.Element, __: float, theme: FigureTheme) -> None:
    """Draw lines before elements, and place labels where they cover no element, name or other label."""
    group = next((each for each in reversed(root) if each.tag == svg.GROUP_TAG and _lines(each)), None)
    if group is None:
        return
    relations = list(_relations(group, theme))
    boundaries = [each for each in root.iterchildren(svg.GROUP_TAG) if each.find(svg.RECT_TAG) is not None]
    names = [name for each in boundaries if each is not group for name in each.iterchildren(svg.TEXT_TAG)]
    fixed = [*_element_boxes(root), *(_name_box(name, theme) for name in names)]
    for name in names:
        _outline(name, theme)
    points = [relation.curve for relation in relations]
    placed: list[Box] = []
    for number, relation in enumerate(relations):
        if not relation.text_elements:
            continue
        rows = [_rows(each, theme) for each in relation.text_elements]
        width = max(
            measure_in(theme, _size(text_element))(row)
            for text_element, part in zip(relation.text_elements, rows, strict=True)
            for row in part
        )
        size = width + 2 * _GAP, _ROW * sum(map(len, rows)) + _GAP
        places = _places(relation, size)
        if len(relations) <= MAX_RELATIONS:
            others = [curve for other, curve in enumerate(points) if other != number]
            box = _best(places, (*fixed, *placed), others)
        else:
            box, _ = next(places)
        placed.append(box)
        _write(relation.text_elements, rows, box, theme)
    _lower_lines(root, group)
    for box in placed:
        svg.widen(root, left=box.left - _MARGIN, right=box.right + _MARGIN)


def _lines(group: svg.Element) -> list[svg.Element]:
    return [
        each
        for each in group
        if each.tag in {svg.LINE_TAG, svg.PATH_TAG} and ("marker-end" in each.attrib or "marker-start" in each.attrib)
    ]


def _relations(group: svg.Element, theme: FigureTheme) -> Iterator[_Relation]:
    for line in _lines(group):
        text_elements: list[svg.Element] = []
        for each in line.itersiblings():
            if each.tag != svg.TEXT_TAG:
                break
            if svg.words_of(each):
                text_elements.append(each)
        curve = _curve(line)
        yield _Relation(curve, text_elements, _author_shift(curve, text_elements, theme))


def _curve(line: svg.Element) -> list[svg.Point]:
    """Return points of a line or a quadratic curve, evenly by parameter."""
    if line.tag == svg.LINE_TAG:
        start, end = (tuple(svg.number_of(line, f"{axis}{number}") for axis in "xy") for number in (1, 2))
        numbers = [*start, (start[0] + end[0]) / 2, (start[1] + end[1]) / 2, *end]
    else:
        numbers = [float(each) for each in _NUMBER.findall(line.get("d", ""))]
    if len(numbers) != 6:
        return []
    x1, y1, x2, y2, x3, y3 = numbers
    shares = [step / _STEPS for step in range(_STEPS + 1)]
    return [
        (
            (1 - t) ** 2 * x1 + 2 * (1 - t) * t * x2 + t * t * x3,
            (1 - t) ** 2 * y1 + 2 * (1 - t) * t * y2 + t * t * y3,
        )
        for t in shares
    ]


def _author_shift(curve: Sequence[svg.Point], text_elements: Sequence[svg.Element], theme: FigureTheme) -> svg.Point:
    """Return the offset of `UpdateRelStyle`: a label begins in the middle of its line."""
    if not curve or not text_elements:
        return 0.0, 0.0
    middle = curve[_STEPS // 2]
    width = max(
        line_width(svg.words_of(each), _size(each), is_monospaced=theme.is_monospaced) for each in text_elements
    )
    right, down = svg.number_of(text_elements[0], "x") - middle[0], svg.number_of(text_elements[0], "y") - middle[1]
    # Curves are labeled in the middle between their ends.
    is_moved = not (-_ROW < right < width and abs(down) < 2 * _ROW)
    return (right, down) if is_moved else (0.0, 0.0)


def _size(text_element: svg.Element) -> float:
    match = _FONT_SIZE.search(text_element.get("style", ""))
    return float(match[1]) if match else SMALL_SIZE


def _rows(text_element: svg.Element, theme: FigureTheme) -> tuple[str, ...]:
    measure = measure_in(theme, _size(text_element))
    return break_lines(svg.words_of(text_element), max_width=_MAX_WIDTH, max_lines=_MAX_ROWS, measure=measure).lines


def _places(relation: _Relation, size: tuple[float, float]) -> Iterator[tuple[Box, int]]:
    """Yield boxes on a line, then beside it, and how bad each is."""
    width, height = size
    curve = relation.curve or [
        (svg.number_of(relation.text_elements[0], "x"), svg.number_of(relation.text_elements[0], "y"))
    ]
    right, down = relation.shift
    if right or down:
        x, y = curve[len(curve) // 2]
        yield Box.around(x + right, y + down, width, height), 0
    for aside, worse in _ASIDE:
        for share in _SHARES:
            x, y = curve[round(share * (len(curve) - 1))]
            yield Box.around(x + aside * width / 2, y, width, height), worse


def _best(places: Iterator[tuple[Box, int]], taken: Sequence[Box], curves: Sequence[Sequence[svg.Point]]) -> Box:
    """Return the place that covers nothing, crosses few lines and is near to its own."""
    best, lowest_cost = None, _COVERED * (len(taken) + 1)
    for box, worse in places:
        cost = worse + _COVERED * sum(box.meets(other) for other in taken)
        if cost < lowest_cost:
            cost += sum(any(map(box.holds, curve)) for curve in curves)
        if cost < lowest_cost:
            best, lowest_cost = box, cost
        if not lowest_cost:
            break
    assert best is not None
    return best


def _element_boxes(root: svg.Element) -> Iterator[Box]:
    for node in root.iter(svg.GROUP_TAG):
        if not svg.has_class(node, "c4-shape"):
            continue
        for shape in node.iter(svg.RECT_TAG, svg.CIRCLE_TAG, svg.PATH_TAG):
            right, down = svg.translation_of(shape)
            box = None
            if shape.tag == svg.RECT_TAG:
                box = svg.box_of(shape)
            elif shape.tag == svg.CIRCLE_TAG:
                radius = svg.number_of(shape, "r")
                box = Box.around(svg.number_of(shape, "cx"), svg.number_of(shape, "cy"), 2 * radius, 2 * radius)
            elif shape.tag == svg.PATH_TAG and (shift := svg.shift_of(shape)):
                # A database or queue begins in its upper left corner.
                box = Box(shift[0], shift[1], -shift[0], -shift[1])
            if box is not None:
                yield Box(box.left + right, box.top + down, box.right + right, box.bottom + down)


def _name_box(name: svg.Element, theme: FigureTheme) -> Box:
    size = _size(name)
    width = svg.width_of(name, size, theme, is_bold=True)
    return Box.around(svg.number_of(name, "x"), svg.number_of(name, "y"), width, 1.2 * size)


def _outline(text_element: svg.Element, theme: FigureTheme) -> None:
    """Outline text in the color of the page: lines pass behind it."""
    text_element.set("style", f"{text_element.get('style', '')};{svg.outline_in(theme.background)}")


def _write(text_elements: Sequence[svg.Element], parts: Sequence[Sequence[str]], box: Box, theme: FigureTheme) -> None:
    """Put rows into a box."""
    x, y = (box.left + box.right) / 2, box.top + (_GAP + _ROW) / 2
    for text_element, rows in zip(text_elements, parts, strict=True):
        del text_element[:]
        svg.set_numbers(text_element, x=x, y=y)
        _outline(text_element, theme)
        svg.write_lines(text_element, rows, x, y, _ROW)
        y += len(rows) * _ROW


def _lower_lines(root: svg.Element, relations: svg.Element) -> None:
    """Draw lines before the first element and its boundary."""
    first = next(
        (each for each in root if each.tag == svg.GROUP_TAG and each.find(f".//{svg.GROUP_TAG}") is not None), None
    )
    if first is None:
        return
    background_group = etree.Element(svg.GROUP_TAG)
    for line in _lines(relations):
        line.tail = None
        background_group.append(line)
    first.addprevious(background_group)
