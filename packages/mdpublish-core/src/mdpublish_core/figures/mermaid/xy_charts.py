"""XY charts: labels of categories that do not meet, and lines that are seen on bars."""

from collections.abc import Iterator
from copy import copy
from itertools import pairwise
from math import ceil, cos, radians, sin
from typing import NamedTuple

from lxml import etree

from mdpublish_core.css.colors import MIN_GRAPHICS_CONTRAST, contrast
from mdpublish_core.css.colors.parsing import parse_css_color
from mdpublish_core.figures.line_breaking import MeasureWidth, break_lines, truncate
from mdpublish_core.figures.mermaid import elements as svg
from mdpublish_core.figures.mermaid.text_metrics import measure_in
from mdpublish_core.figures.mermaid.themes import SMALL_SIZE
from mdpublish_core.figures.request import FigureTheme

_MAX_VALUE_SIZE = 14.0  # px, of values in bars

_SIZES = SMALL_SIZE, 10.0  # px, of labels, tried in this order
_LINE_HEIGHT = 1.2  # em
_GAP = 6.0  # px, between labels
_MAX_LINES = 3
_MAX_LENGTH = 160.0  # px, of slanted labels; what is longer ends in an ellipsis

_HALO = 4.0  # px, by which it is wider than its line


class _Label(NamedTuple):
    element: svg.Element
    words: str
    x: float
    y: float


def fit_chart(root: svg.Element, _: float, theme: FigureTheme) -> None:
    plot = root.find(f".//{svg.GROUP_TAG}[@class='plot']")
    background = root.find(f".//{svg.RECT_TAG}[@class='background']")
    if plot is None or background is None:
        return
    is_horizontal = root.find(f".//{svg.GROUP_TAG}[@class='bottom-axis']") is None
    color = parse_css_color(background.get("fill", "")) or ""
    ground = color if len(color) == len("#rrggbb") else theme.background
    bars = [each for each in plot if (each.get("class") or "").startswith("bar-plot")]
    lines = [each for each in plot if (each.get("class") or "").startswith("line-plot")]
    _stand_on_zero(root, bars, is_horizontal=is_horizontal)
    _separate_bars(bars, is_horizontal=is_horizontal)
    _outline_bars(bars, ground)
    _fit_values(bars, theme, is_horizontal=is_horizontal)
    if is_horizontal:
        _thin_out(list(_labels(root.find(f".//{svg.GROUP_TAG}[@class='left-axis']"))))
    else:
        _fit_categories(root, theme)
    if bars:
        _outline_lines(plot, lines, ground)


def _separate_bars(groups: list[svg.Element], *, is_horizontal: bool) -> None:
    """Draw bars of several series beside each other; Mermaid draws them in one place, where one hides the other."""
    position, extent = ("y", "height") if is_horizontal else ("x", "width")
    for number, group in enumerate(groups if len(groups) > 1 else ()):
        for bar in group.iterfind(svg.RECT_TAG):
            width = svg.number_of(bar, extent) / len(groups)
            svg.set_numbers(bar, **{position: svg.number_of(bar, position) + number * width, extent: width})
        for value in list(group.iterfind(svg.TEXT_TAG)):
            if number:
                # merman writes the values of the first series on all.
                group.remove(value)
                continue
            bar_width = svg.number_of(next(group.iterfind(svg.RECT_TAG)), extent)
            shift = (1 - len(groups)) / 2 * bar_width
            svg.set_numbers(value, **{position: svg.number_of(value, position) + shift})


def _stand_on_zero(root: svg.Element, groups: list[svg.Element], *, is_horizontal: bool) -> None:
    """Draw bars from zero on an axis that goes below; Mermaid draws all from its end."""
    axis = root.find(f".//{svg.GROUP_TAG}[@class='{'top' if is_horizontal else 'left'}-axis']")
    places = {label.words: label.x if is_horizontal else label.y for label in _labels(axis)}
    below = [words.startswith("-") for words in places]
    if not any(below) or not ("0" in places or all(below)):
        return
    # Without zero, all are below, and hang from the other end.
    zero = places["0"] if "0" in places else (max if is_horizontal else min)(places.values())
    for bar in (bar for group in groups for bar in group.iterfind(svg.RECT_TAG)):
        end = svg.box_of(bar).right if is_horizontal else svg.box_of(bar).top
        start, extent = ("x", "width") if is_horizontal else ("y", "height")
        svg.set_numbers(bar, **{start: min(zero, end), extent: max(abs(zero - end), _GAP / 2)})


def _outline_bars(groups: list[svg.Element], ground: str) -> None:
    """Outline faint bars in their own color, which becomes stronger where it is too faint."""
    for bar in (bar for group in groups for bar in group.iterfind(svg.RECT_TAG)):
        color = parse_css_color(bar.get("fill", "")) or ""
        if color.startswith("#") and contrast(color[:7], ground) < MIN_GRAPHICS_CONTRAST:
            bar.attrib.update({"stroke": color[:7], "stroke-width": "1"})


def _fit_values(groups: list[svg.Element], theme: FigureTheme, *, is_horizontal: bool) -> None:
    """Write values in bars as large as other text, and beside bars that are too short."""
    for group in groups:
        for bar, value in zip(group.iterfind(svg.RECT_TAG), group.iterfind(svg.TEXT_TAG), strict=False):
            size, length, height = (
                svg.number_of(value, "font-size"),
                svg.number_of(bar, "width"),
                svg.number_of(bar, "height"),
            )
            width = svg.width_of(value, SMALL_SIZE, theme) + _GAP
            if is_horizontal and length < width and height > SMALL_SIZE:
                beside = svg.number_of(bar, "x") + length + _GAP
                value.attrib.update({"x": f"{beside:g}", "text-anchor": "start", "font-size": f"{SMALL_SIZE:g}"})
            elif size < SMALL_SIZE and length > width and height > 2 * SMALL_SIZE:
                value.set("font-size", f"{SMALL_SIZE:g}")
            elif size > _MAX_VALUE_SIZE:
                value.set("font-size", f"{_MAX_VALUE_SIZE:g}")


def _fit_categories(root: svg.Element, theme: FigureTheme) -> None:
    """Break labels below the chart into lines, or else slant them; as many stay as have room."""
    axis = root.find(f".//{svg.GROUP_TAG}[@class='bottom-axis']")
    labels = list(_labels(axis))
    if axis is None or len(labels) < 2:
        return
    room = min(abs(other.x - one.x) for one, other in pairwise(labels)) - _GAP
    measure = measure_in(theme, _SIZES[0])
    if max(measure(label.words) for label in labels) <= room:
        return
    lower = _break(labels, room, theme) or _slant(root, labels, room + _GAP, measure)
    for title in axis.iterfind(f"{svg.GROUP_TAG}[@class='title']/{svg.TEXT_TAG}"):
        if shift := svg.shift_of(title):
            _, _, others = title.get("transform", "").partition(")")
            title.set("transform", f"translate({shift[0]:g}, {shift[1] + lower:g}){others}")
    svg.lengthen(root, lower)


def _labels(axis: svg.Element | None) -> Iterator[_Label]:
    for element in axis.iterfind(f"{svg.GROUP_TAG}[@class='label']/{svg.TEXT_TAG}") if axis is not None else ():
        if shift := svg.shift_of(element):
            yield _Label(element, svg.words_of(element), *shift)


def _break(labels: list[_Label], room: float, theme: FigureTheme) -> float:
    """Return by how many px the labels become higher; 0 if they do not fit."""
    for size in _SIZES:
        measure = measure_in(theme, size)
        broken = [break_lines(label.words, max_width=room, max_lines=_MAX_LINES, measure=measure) for label in labels]
        if not all(each.is_complete and each.keeps_words for each in broken):
            continue
        for label, each in zip(labels, broken, strict=True):
            label.element.set("font-size", f"{size:g}")
            label.element.text = None
            svg.write_lines(label.element, each.lines, 0.0, 0.0, size * _LINE_HEIGHT)
        return (max(len(each.lines) for each in broken) - 1) * size * _LINE_HEIGHT + 1
    return 0.0


def _thin_out(labels: list[_Label]) -> list[_Label]:
    """Keep as many labels of equal distances as have room, and return those."""
    gap = max((abs(other.x - one.x) + abs(other.y - one.y) for one, other in pairwise(labels)), default=SMALL_SIZE)
    step = ceil(SMALL_SIZE * _LINE_HEIGHT / max(gap, 0.1))
    for number, label in enumerate(labels):
        group = label.element.getparent()
        if group is not None and number % step:
            group.remove(label.element)
    return labels[::step]


def _slant(root: svg.Element, labels: list[_Label], gap: float, measure: MeasureWidth) -> float:
    """Return by how many px the labels become higher; `gap` is from one to the next."""
    height = SMALL_SIZE * _LINE_HEIGHT
    angle = 45 if gap * sin(radians(45)) >= height else 90
    length = 0.0
    for label in labels if angle == 45 else _thin_out(labels):
        line = truncate(label.words, max_width=_MAX_LENGTH, measure=measure)
        label.element.attrib.update({"text-anchor": "end", "dominant-baseline": "central"})
        label.element.set("transform", f"translate({label.x:g}, {label.y:g}) rotate(-{angle})")
        label.element.text = line
        if line != label.words:
            label.element.text = None
            svg.add_title(label.element, label.words)
            etree.SubElement(label.element, svg.TSPAN_TAG).text = line
        length = max(length, measure(line))
        svg.widen(root, left=label.x - measure(line) * cos(radians(angle)) - _GAP)
    return max(0.0, length * sin(radians(angle)) + height / 2 - SMALL_SIZE)


def _outline_lines(plot: svg.Element, groups: list[svg.Element], ground: str) -> None:
    """Draw lines above bars, outlined in the color of the chart's ground."""
    for group in groups:
        plot.append(group)
        for line in list(group.iterfind(svg.PATH_TAG)):
            halo = copy(line)
            width = svg.number_of(line, "stroke-width") + _HALO
            halo.attrib.update({"stroke": ground, "stroke-width": f"{width:g}", "stroke-linejoin": "round"})
            line.addprevious(halo)
