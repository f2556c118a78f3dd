"""The elements of a drawing, and what is read of them."""

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml import etree

SVG = "{http://www.w3.org/2000/svg}"
TEXT, TSPAN, RECT, LINE = f"{SVG}text", f"{SVG}tspan", f"{SVG}rect", f"{SVG}line"
GROUP, STYLE = f"{SVG}g", f"{SVG}style"

SHIFT = re.compile(r"translate\((-?[\d.]+)[, ]\s*(-?[\d.]+)\)")
"""By how much a group is moved, right and down."""

LEADING = 1.1
"""From one line of a label to the next, in em, as Mermaid sets them."""


def number_of(element: "etree._Element", name: str) -> float:
    """Return an attribute that is a number, 0 where it is none."""
    try:
        return float(element.get(name, "0"))
    except ValueError:
        return 0.0
