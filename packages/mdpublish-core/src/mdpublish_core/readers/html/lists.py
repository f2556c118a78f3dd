"""Lists and their items, also as pages and editors write check boxes."""

from collections.abc import Sequence
from functools import partial

from mdpublish_core.nodes import open_nodes as nodes
from mdpublish_core.readers.html.parse import Element
from mdpublish_core.readers.html_elements import lists
from mdpublish_core.readers.html_elements.lists import items_of
from mdpublish_core.strings.lazy_patterns import compile_lazily

_MAX_START = 999_999_999
"""Nine digits, as CommonMark allows."""

_BOX = compile_lazily("[☐☑☒]\ufe0e?[ \xa0]")


def list_of(element: Element, children: Sequence[nodes.Token]) -> list[nodes.Token]:
    if not (items := items_of(children, partial(item_of, element))):
        return []
    start = _start(element) if element.tag == "ol" else None
    return [lists.list_of(items, start, loose=element.find("li/p") is not None)]


def item_of(element: Element, children: Sequence[nodes.Token]) -> nodes.ListItem:
    checked, drawn = _checked(element), _take_box(children)
    checked = drawn if checked is None else checked
    return nodes.ListItem(children) if checked is None else nodes.TaskItem(children, checked=checked)


def is_checkbox(element: Element) -> bool:
    """Return whether an element shows the check box of its item, which `item_of` reads."""
    return (element.tag == "input" and element.get("type") == "checkbox") or (
        element.get("aria-roledescription") == "checkbox"
    )


def drawn_box(checkbox: Element) -> str:
    """Return a check box as a character of the text; empty if its item shows it, or it may just open a menu."""
    around = {element.tag for element in checkbox.iterancestors("li", "td", "th", "p", "label")}
    if not around or "li" in around:
        return ""
    return "☑ " if "checked" in checkbox.attrib else "☐ "


def _checked(item: Element) -> bool | None:
    if item.get("role") == "checkbox" or "data-checked" in item.attrib:
        return "true" in {item.get("aria-checked"), item.get("data-checked")}
    for box in item.iter("input", "ul", "ol"):
        if box.tag != "input":
            return None
        if box.get("type") == "checkbox":
            return "checked" in box.attrib or box.get("aria-checked") == "true"
    return None


def _take_box(children: Sequence[nodes.Token]) -> bool | None:
    """Take the drawn box that begins a text; None if there is none."""
    first = children[0].children[0] if children and children[0].children else None
    box = _BOX.match(first.content) if isinstance(first, nodes.RawText) else None
    if box is None or not isinstance(first, nodes.RawText):
        return None
    first.content = first.content[box.end() :]
    if not first.content:
        children[0].children = children[0].children[1:]
    return box[0][0] != "☐"


def _start(element: Element) -> int:
    first = next(element.iterchildren("li"), None)
    for written in (element.get("start"), None if first is None else first.get("value")):
        if written and written.strip().isdecimal():
            return min(int(written.strip()[:10]), _MAX_START)
    return 1
