"""Elements and view box of Mermaid's SVG."""

import re
from typing import TYPE_CHECKING

from mdpublish_core.figures.boxes import Box

if TYPE_CHECKING:
    from lxml import etree

SVG_PREFIX = "{http://www.w3.org/2000/svg}"
TEXT_TAG, TSPAN_TAG, RECT_TAG, LINE_TAG, CIRCLE_TAG, GROUP_TAG, PATH_TAG, STYLE_TAG = (
    f"{SVG_PREFIX}{tag}" for tag in ("text", "tspan", "rect", "line", "circle", "g", "path", "style")
)

TRANSLATION = re.compile(r"translate\((-?[\d.]+)[, ]\s*(-?[\d.]+)\)")

LINE_HEIGHT = 1.1  # of labels, in em


def number_of(element: "etree._Element", name: str) -> float:
    """Return a numeric attribute; 0 if invalid."""
    try:
        return float(element.get(name, "0"))
    except ValueError:
        return 0.0


def words_of(element: "etree._Element") -> str:
    return " ".join("".join(map(str, element.itertext())).split())


def translation_of(element: "etree._Element") -> tuple[float, float]:
    """Return the translation by the element's ancestors, in px."""
    right, down = 0.0, 0.0
    group = element.getparent()
    while group is not None:
        if shift := TRANSLATION.match(group.get("transform", "")):
            right, down = right + float(shift[1]), down + float(shift[2])
        group = group.getparent()
    return right, down


Point = tuple[float, float]


def box_of(rectangle: "etree._Element", right: float = 0.0, down: float = 0.0) -> Box:
    """Return the box of a rectangle that is moved by some px."""
    left, top = number_of(rectangle, "x") + right, number_of(rectangle, "y") + down
    return Box(left, top, left + number_of(rectangle, "width"), top + number_of(rectangle, "height"))


def view_of(root: "etree._Element") -> Box | None:
    try:
        left, top, width, height = map(float, root.get("viewBox", "").split())
    except ValueError:
        return None
    return Box(left, top, left + width, top + height)


def set_view(root: "etree._Element", view: Box) -> None:
    root.set("viewBox", f"{view.left:g} {view.top:g} {view.width:g} {view.height:g}")
    root.set("style", f"max-width:{view.width:g}px")
    root.attrib.pop("height", "")
