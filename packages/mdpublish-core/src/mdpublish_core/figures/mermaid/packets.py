"""Labels of packet diagrams: what is wider than its field is broken, or stands upright in a higher row."""

from collections.abc import Iterator
from typing import NamedTuple

from mdpublish_core.figures.line_breaking import break_lines
from mdpublish_core.figures.mermaid import elements as svg
from mdpublish_core.figures.mermaid.text_metrics import measure_in
from mdpublish_core.figures.mermaid.themes import SMALL_SIZE
from mdpublish_core.figures.request import FigureTheme

_SIZES = SMALL_SIZE, 10.0  # px, tried in this order
_LINE_HEIGHT = 1.15  # em
_PADDING = 3.0  # px, at each side
_MAX_LINES = 4
_MAX_LENGTH = 120.0  # px, of an upright line; what is longer ends in an ellipsis


class _Label(NamedTuple):
    lines: tuple[str, ...]
    size: float
    height: float
    """Height in px of the field that it needs."""

    is_upright: bool = False
    is_complete: bool = True


def fit_fields(root: svg.Element, _: float, theme: FigureTheme) -> None:
    """Fit labels into their fields; the whole of one that is cut is its `<title>`."""
    lowered = 0.0
    for row in root.iter(svg.GROUP_TAG):
        fields = list(_fields(row))
        if not fields:
            continue
        labels = [_fitted(svg.words_of(label), svg.number_of(box, "width"), theme) for box, label in fields]
        height = svg.number_of(fields[0][0], "height")
        higher = max(height, *(label.height for label in labels))
        for child in row:
            svg.set_numbers(child, y=svg.number_of(child, "y") + lowered)
        for (box, text_element), label in zip(fields, labels, strict=True):
            svg.set_numbers(box, height=higher)
            _write(text_element, label, svg.number_of(box, "y") + higher / 2)
        lowered += higher - height
    if not lowered:
        return
    for title in root:
        if title.tag == svg.TEXT_TAG:
            svg.set_numbers(title, y=svg.number_of(title, "y") + lowered)
    svg.lengthen(root, lowered)


def _fields(row: svg.Element) -> Iterator[tuple[svg.Element, svg.Element]]:
    """Yield boxes with their labels."""
    for box in row:
        label = box.getnext()
        if (
            box.tag == svg.RECT_TAG
            and box.get("class") == "packetBlock"
            and label is not None
            and label.tag == svg.TEXT_TAG
        ):
            yield box, label


def _fitted(words: str, width: float, theme: FigureTheme) -> _Label:
    room = width - 2 * _PADDING
    for size in _SIZES:
        broken = break_lines(words, max_width=room, max_lines=_MAX_LINES, measure=measure_in(theme, size))
        if broken.is_complete and broken.keeps_words:
            return _Label(broken.lines, size, len(broken.lines) * size * _LINE_HEIGHT + 2 * _PADDING)
    measure = measure_in(theme, size)
    max_lines = max(1, int((width - 2) / (size * _LINE_HEIGHT)))
    broken = break_lines(words, max_width=_MAX_LENGTH, max_lines=max_lines, measure=measure)
    height = max(map(measure, broken.lines)) + 2 * _PADDING
    return _Label(broken.lines, size, height, is_upright=True, is_complete=broken.is_complete)


def _write(text_element: svg.Element, label: _Label, middle: float) -> None:
    words, x = svg.words_of(text_element), svg.number_of(text_element, "x")
    text_element.set("y", f"{middle:g}")
    if label.is_upright:
        text_element.set("transform", f"rotate(-90, {x:g}, {middle:g})")
    if label.size != SMALL_SIZE:
        text_element.set("style", f"font-size:{label.size:g}px")
    if label.lines == (words,):
        return
    text_element.text = None
    if not label.is_complete:
        svg.add_title(text_element, words)
    height = label.size * _LINE_HEIGHT
    svg.write_lines(text_element, label.lines, x, middle - (len(label.lines) - 1) / 2 * height, height)
