"""Elements and view box of Mermaid's SVG."""

import re
from collections.abc import Iterable, Iterator
from math import inf
from typing import TypeAlias

from lxml import etree

from mdpublish_core.figures.boxes import Box
from mdpublish_core.figures.fonts import line_width
from mdpublish_core.figures.request import FigureTheme

Point = tuple[float, float]

Element: TypeAlias = etree._Element  # noqa: SLF001  (lxml has no other name for it)

SVG_PREFIX = "{http://www.w3.org/2000/svg}"
TEXT_TAG, TSPAN_TAG, RECT_TAG, LINE_TAG, CIRCLE_TAG, GROUP_TAG, PATH_TAG, STYLE_TAG = (
    f"{SVG_PREFIX}{tag}" for tag in ("text", "tspan", "rect", "line", "circle", "g", "path", "style")
)

_TRANSLATION = re.compile(r"translate\((-?[\d.]+)[, ]\s*(-?[\d.]+)\)")

LINE_HEIGHT = 1.1  # of labels, in em


def number_of(element: Element, name: str) -> float:
    """Return a numeric attribute; 0 if invalid."""
    try:
        return float(element.get(name, "0"))
    except ValueError:
        return 0.0


def set_numbers(element: Element, **numbers: float) -> None:
    element.attrib.update({name: f"{number:g}" for name, number in numbers.items()})


def remove(element: Element) -> None:
    parent = element.getparent()
    assert parent is not None
    parent.remove(element)


def has_class(element: Element | None, name: str) -> bool:
    return element is not None and name in element.get("class", "").split()


def words_of(element: Element) -> str:
    return " ".join("".join(map(str, element.itertext())).split())


def width_of(text_element: Element, size: float, theme: FigureTheme, *, is_bold: bool = False) -> float:
    """Return the width of a text on one line, in px."""
    return line_width(words_of(text_element), size, is_bold=is_bold, is_monospaced=theme.is_monospaced)


def write_lines(text_element: Element, lines: Iterable[str], x: float, y: float, height: float) -> None:
    """Add lines of some px to a text; `y` is that of the first."""
    for number, line in enumerate(lines):
        row = etree.SubElement(text_element, TSPAN_TAG)
        set_numbers(row, x=x, y=y + number * height)
        row.text = line


def slices_of(root: Element) -> Iterator[tuple[Element, Element]]:
    """Yield slices of a pie with their labels."""
    slices = [each for each in root.iter(PATH_TAG) if (each.get("class") or "").startswith("pieCircle")]
    yield from zip(slices, (each for each in root.iter(TEXT_TAG) if each.get("class") == "slice"), strict=False)


def add_title(element: Element, words: str) -> None:
    """Add what is seen of a text that is cut or left out."""
    etree.SubElement(element, f"{SVG_PREFIX}title").text = words


def outline_in(color: str, width: float = 4) -> str:
    """Return declarations for text that lines pass behind."""
    return f"stroke:{color};stroke-width:{width:g}px;stroke-linejoin:round;paint-order:stroke"


def shift_of(element: Element | None) -> Point | None:
    """Return the translation with which an element's `transform` begins, in px."""
    shift = _TRANSLATION.match(element.get("transform", "")) if element is not None else None
    return (float(shift[1]), float(shift[2])) if shift else None


def move_to(element: Element, x: float, y: float) -> None:
    element.set("transform", f"translate({x:g}, {y:g})")


def translation_of(element: Element) -> tuple[float, float]:
    """Return the translation by the element's ancestors, in px."""
    right, down = 0.0, 0.0
    group = element.getparent()
    while group is not None:
        if shift := shift_of(group):
            right, down = right + shift[0], down + shift[1]
        group = group.getparent()
    return right, down


def box_of(rectangle: Element, right: float = 0.0, down: float = 0.0) -> Box:
    """Return the box of a rectangle that is moved by some px."""
    left, top = number_of(rectangle, "x") + right, number_of(rectangle, "y") + down
    return Box.at(left, top, number_of(rectangle, "width"), number_of(rectangle, "height"))


def view_of(root: Element) -> Box | None:
    try:
        left, top, width, height = map(float, root.get("viewBox", "").split())
    except ValueError:
        return None
    return Box.at(left, top, width, height)


def set_view(root: Element, view: Box) -> None:
    root.set("viewBox", f"{view.left:g} {view.top:g} {view.width:g} {view.height:g}")
    root.set("style", f"max-width:{view.width:g}px")
    root.attrib.pop("height", "")


def lengthen(root: Element, height: float) -> None:
    """Show some px below the drawing."""
    if (view := view_of(root)) is not None:
        set_view(root, view._replace(bottom=view.bottom + height))


def widen(root: Element, left: float = inf, top: float = inf, right: float = -inf, bottom: float = -inf) -> None:
    """Make the view as large as to show what is at some px."""
    view = view_of(root)
    if view is None:
        return
    wider = Box(min(view.left, left), min(view.top, top), max(view.right, right), max(view.bottom, bottom))
    if wider != view:
        set_view(root, wider)
