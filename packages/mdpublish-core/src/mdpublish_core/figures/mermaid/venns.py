"""Labels of Venn diagrams: each is written where its area has room, or beside the circles with a line to its area."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import hypot
from typing import NamedTuple

from lxml import etree

from mdpublish_core.figures.boxes import Box
from mdpublish_core.figures.fonts import line_width
from mdpublish_core.figures.line_breaking import break_lines
from mdpublish_core.figures.mermaid import elements as svg
from mdpublish_core.figures.mermaid.palettes import palette
from mdpublish_core.figures.mermaid.text_metrics import measure_in
from mdpublish_core.figures.mermaid.themes import SMALL_SIZE, TITLE_SIZE
from mdpublish_core.figures.request import FigureTheme

_SIZES = 18.0, 15.0, 12.0, 10.0  # px, tried in this order
_LINE_HEIGHT = 1.2  # em
_MARGIN = 4.0  # px, between a label and the lines around it
_STEPS = 14
"""Places that are tried, in each direction."""

_MAX_AREAS = 40
"""Areas of a diagram; with more, labels stay where Mermaid puts them."""

_MAX_OUTSIDE = 200.0  # px, of lines beside the circles
_GAP = 16.0  # px, between such labels and the circles

_CIRCLE = re.compile(r"\s*M\s*(-?[\d.]+)\s+(-?[\d.]+)\s*m\s*-([\d.]+)\s+0\s*a")


class _Circle(NamedTuple):
    x: float
    y: float
    radius: float


@dataclass(slots=True)
class _Area:
    group: svg.Element
    label: svg.Element
    words: list[str]
    """The label, then the texts inside."""

    inside: list[_Circle] = field(default_factory=list)
    outside: list[_Circle] = field(default_factory=list)

    @property
    def box(self) -> Box:
        return Box(
            max(each.x - each.radius for each in self.inside),
            max(each.y - each.radius for each in self.inside),
            min(each.x + each.radius for each in self.inside),
            min(each.y + each.radius for each in self.inside),
        )

    def holds(self, left: float, top: float, right: float, bottom: float) -> bool:
        corners = ((left, top), (right, top), (right, bottom), (left, bottom))
        if any(hypot(x - each.x, y - each.y) > each.radius - _MARGIN for each in self.inside for x, y in corners):
            return False
        return all(
            hypot(max(left - each.x, 0.0, each.x - right), max(top - each.y, 0.0, each.y - bottom))
            >= each.radius + _MARGIN / 2
            for each in self.outside
        )

    def places(self) -> Iterator[tuple[float, float]]:
        """Yield points of the area, those near its label first."""
        left, top, right, bottom = self.box
        x, y = svg.number_of(self.label, "x"), svg.number_of(self.label, "y")
        points = [(x, y)] + [
            (left + (right - left) * column / _STEPS, top + (bottom - top) * row / _STEPS)
            for column in range(1, _STEPS)
            for row in range(1, _STEPS)
        ]
        yield from sorted(points, key=lambda point: hypot(point[0] - x, point[1] - y))


class _Block(NamedTuple):
    """Lines of text around a point."""

    lines: tuple[tuple[str, ...], ...]
    size: float
    x: float
    y: float


def place_labels(root: svg.Element, _: float, theme: FigureTheme) -> None:
    _write_title(root)
    areas = _areas(root)
    if not areas or len(areas) > _MAX_AREAS:
        return
    beside: list[tuple[_Area, tuple[float, float]]] = []
    for area in areas:
        block = _fitted(area, theme)
        if block is None:
            point = next((point for point in area.places() if area.holds(*point, *point)), None)
            beside.append((area, point or (svg.number_of(area.label, "x"), svg.number_of(area.label, "y"))))
        else:
            _write(area, block)
    for group in list(root.iter(svg.GROUP_TAG)):
        if group.get("class") == "venn-text-nodes":
            svg.remove(group)
    _write_beside(root, beside, theme)


def _write_title(root: svg.Element) -> None:
    """Write a title of the usual size, without the quotes of the source."""
    for title in root.iterfind(f"{svg.TEXT_TAG}[@class='venn-title']"):
        words, view = svg.words_of(title), svg.view_of(root)
        if view is not None and words:
            title.text = words[1:-1] if len(words) > 2 and words[0] == '"' == words[-1] else words
            title.attrib.update({"font-size": f"{TITLE_SIZE}", "font-weight": "bold"})
            title.attrib.update({"x": f"{(view.left + view.right) / 2:g}", "class": "vennTitleText"})


def _areas(root: svg.Element) -> list[_Area]:
    """Return the areas with a label and known circles."""
    groups = [each for each in root.iter(svg.GROUP_TAG) if each.get("data-venn-sets")]
    circles: dict[str, _Circle] = {}
    for group in groups:
        path = group.find(svg.PATH_TAG)
        match = _CIRCLE.match(path.get("d", "")) if path is not None else None
        if match and "venn-circle" in (group.get("class") or ""):
            circles[group.get("data-venn-sets", "")] = _Circle(*map(float, match.groups()))
    areas: list[_Area] = []
    for group in groups:
        label, names = group.find(svg.TEXT_TAG), _names(group.get("data-venn-sets", ""), circles)
        if label is None or not names:
            continue
        area = _Area(group, label, [svg.words_of(label)])
        area.inside = [circles[name] for name in names]
        area.outside = [circle for name, circle in circles.items() if name not in names]
        areas.append(area)
    _add_texts(root, areas)
    return [area for area in areas if any(area.words)]


def _names(joined: str, circles: dict[str, _Circle]) -> list[str]:
    """Return the names that are joined by underscores, which may contain some."""
    if joined in circles:
        return [joined]
    names: list[str] = []
    rest = joined
    while rest:
        name = max((each for each in circles if f"{rest}_".startswith(f"{each}_")), key=len, default="")
        if not name:
            return []
        names.append(name)
        rest = rest[len(name) + 1 :]
    return names


def _add_texts(root: svg.Element, areas: Sequence[_Area]) -> None:
    """Add the texts inside of areas, which Mermaid lays out around the areas' labels."""
    definitions = {each.get("id", ""): each for each in root.iter(svg.GROUP_TAG) if each.get("id")}
    for group in root.iter(svg.GROUP_TAG):
        if group.get("class") != "venn-text-area" or not areas:
            continue
        boxes: list[Box] = []
        words: list[str] = []
        for use in group.iter(f"{svg.SVG_PREFIX}use"):
            definition = definitions.get(use.get("href", "").removeprefix("#"))
            content = definition.find(f"{svg.SVG_PREFIX}svg") if definition is not None else None
            if content is None:
                continue
            size = svg.number_of(content, "width"), svg.number_of(content, "height")
            boxes.append(Box.at(svg.number_of(use, "x"), svg.number_of(use, "y"), *size))
            words.append(" ".join(svg.words_of(line) for line in content.iter(svg.TEXT_TAG)))
        if boxes:
            x = (min(box.left for box in boxes) + max(box.right for box in boxes)) / 2
            y = (min(box.top for box in boxes) + max(box.bottom for box in boxes)) / 2
            nearest = min(
                areas, key=lambda area: hypot(svg.number_of(area.label, "x") - x, svg.number_of(area.label, "y") - y)
            )
            nearest.words += filter(None, words)


def _fitted(area: _Area, theme: FigureTheme) -> _Block | None:
    """Return the words in the largest size that has room."""
    places = list(area.places())
    for size in _SIZES:
        tried: set[tuple[tuple[str, ...], ...]] = set()
        for share in (0.95, 0.7, 0.5, 0.35):
            width = max(size, area.box.width * share)
            lines = tuple(_broken(words, width, _size(size, number), theme) for number, words in enumerate(area.words))
            if lines in tried or any(each is None for each in lines):
                continue
            known = tuple(each for each in lines if each is not None)
            tried.add(known)
            half, height = _extent(known, size, theme)
            for x, y in places:
                if area.holds(x - half, y - height / 2, x + half, y + height / 2):
                    return _Block(known, size, x, y)
    return None


def _size(size: float, number: int) -> float:
    """Return the size of a text; those after the first, the label, are smaller."""
    return min(size, max(_SIZES[-1], size - 3)) if number else size


def _broken(words: str, width: float, size: float, theme: FigureTheme) -> tuple[str, ...] | None:
    broken = break_lines(words, max_width=width, max_lines=6, measure=measure_in(theme, size))
    return broken.lines if broken.is_complete and broken.keeps_words else None


def _extent(lines: tuple[tuple[str, ...], ...], size: float, theme: FigureTheme) -> tuple[float, float]:
    """Return half of the width, and the height."""
    sizes = [(line, _size(size, number)) for number, each in enumerate(lines) for line in each if line]
    half = max(line_width(line, each, is_monospaced=theme.is_monospaced) for line, each in sizes) / 2
    return half, sum(each * _LINE_HEIGHT for _, each in sizes)


def _write(area: _Area, block: _Block, anchor: str = "middle") -> None:
    label = area.label
    fill = next((part for part in label.get("style", "").split(";") if part.startswith("fill:")), "")
    sizes = [(number, line) for number, each in enumerate(block.lines) for line in each if line]
    y = block.y - sum(_size(block.size, number) * _LINE_HEIGHT for number, _ in sizes) / 2
    svg.remove(label)
    text_elements: dict[int, svg.Element] = {}
    for number, line in sizes:
        size = _size(block.size, number)
        if number not in text_elements:
            style = f"font-size:{size:g}px;text-anchor:{anchor};dominant-baseline:central;{fill}"
            if not number and len(block.lines) > 1:
                style += ";font-weight:bold"
            text_elements[number] = etree.SubElement(area.group, svg.TEXT_TAG, {"class": "label", "style": style})
        svg.write_lines(text_elements[number], (line,), block.x, y + size * _LINE_HEIGHT / 2, 0.0)
        y += size * _LINE_HEIGHT


def _write_beside(root: svg.Element, labels: Sequence[tuple[_Area, tuple[float, float]]], theme: FigureTheme) -> None:
    """Write labels left and right of all circles, from top to bottom, each with a line to a point of its area."""
    if not labels:
        return
    circles = [each for area, _ in labels for each in (*area.inside, *area.outside)]
    left, right = min(each.x - each.radius for each in circles), max(each.x + each.radius for each in circles)
    color = palette(theme).line
    bottom = {-1: 0.0, 1: 0.0}
    for area, (x, y) in sorted(labels, key=lambda each: each[1][1]):
        side = -1 if x < (left + right) / 2 else 1
        measure = measure_in(theme, SMALL_SIZE)
        broken = (break_lines(words, max_width=_MAX_OUTSIDE, max_lines=20, measure=measure) for words in area.words)
        lines = tuple(each.lines for each in broken)
        half, height = _extent(lines, SMALL_SIZE, theme)
        middle = max(y, bottom[side] + height / 2 + _MARGIN)
        bottom[side] = middle + height / 2
        edge = left - _GAP if side < 0 else right + _GAP
        _write(area, _Block(lines, SMALL_SIZE, edge, middle), "end" if side < 0 else "start")
        line = etree.SubElement(area.group, svg.LINE_TAG, {"style": f"stroke:{color};stroke-width:1px"})
        svg.set_numbers(line, x1=x, y1=y, x2=edge - side * _MARGIN, y2=middle)
        point = etree.SubElement(area.group, svg.CIRCLE_TAG, {"style": f"fill:{color};stroke:none"})
        svg.set_numbers(point, cx=x, cy=y, r=2.5)
        right_by, down_by = svg.translation_of(point)
        end = edge + right_by + side * (2 * half + _MARGIN)
        svg.widen(root, left=end, right=end, bottom=bottom[side] + down_by + _MARGIN)
