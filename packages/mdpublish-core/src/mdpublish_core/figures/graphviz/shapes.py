"""The elements in Graphviz's SVG and their bounding boxes, in untransformed coordinates."""

import re
from typing import TYPE_CHECKING

from mdpublish_core.figures.graphviz.defaults import FONT_SIZE

if TYPE_CHECKING:
    from lxml import etree

SVG_NAMESPACE = "http://www.w3.org/2000/svg"
GROUP_TAG, LINK_TAG, TEXT_TAG, TSPAN_TAG, TITLE_TAG = (
    f"{{{SVG_NAMESPACE}}}{tag}" for tag in ("g", "a", "text", "tspan", "title")
)
PATH_TAG, ELLIPSE_TAG, POLYGON_TAG, POLYLINE_TAG = (
    f"{{{SVG_NAMESPACE}}}{tag}" for tag in ("path", "ellipse", "polygon", "polyline")
)
SHAPE_TAGS = (PATH_TAG, ELLIPSE_TAG, POLYGON_TAG, POLYLINE_TAG)

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?")

# In em, roughly.
_CHARACTER_WIDTH = 0.6

Box = tuple[float, float, float, float]  # left, top, right, bottom


def coordinates_of(shape: "etree._Element") -> list[float]:
    """Return x and y coordinates alternately."""
    return [float(number) for number in _NUMBER.findall(shape.get("points") or shape.get("d") or "")]


def bounding_box(shape: "etree._Element") -> Box:
    """Return the bounding box; that of a curve includes its control points."""
    if shape.tag == ELLIPSE_TAG:
        x, y, width, height = (float(shape.get(name, "0")) for name in ("cx", "cy", "rx", "ry"))
        return x - width, y - height, x + width, y + height
    numbers = coordinates_of(shape)
    across, down = numbers[::2], numbers[1::2]
    return (min(across), min(down), max(across), max(down)) if down else (0.0, 0.0, 0.0, 0.0)


def text_bounding_box(text_element: "etree._Element") -> Box:
    size = float(text_element.get("font-size", str(FONT_SIZE)))
    width = _CHARACTER_WIDTH * size * len(text_element.text or "")
    left = float(text_element.get("x", "0")) - {"middle": width / 2, "end": width}.get(
        text_element.get("text-anchor", ""), 0.0
    )
    base = float(text_element.get("y", "0"))
    return left, base - 0.7 * size, left + width, base + 0.1 * size


def pop_attribute(element: "etree._Element", name: str) -> str:
    value = element.get(name, "")
    if name in element.attrib:
        del element.attrib[name]
    return value


def remove(element: "etree._Element") -> None:
    parent = element.getparent()
    assert parent is not None
    parent.remove(element)
