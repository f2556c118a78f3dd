"""Lists and their items, also as pages and editors write check boxes."""

from collections.abc import Sequence

from mdpublish_core import nodes
from mdpublish_core.lazy_patterns import compile_lazily
from mdpublish_core.readers.html.parse import Element
from mdpublish_core.readers.markdown.raw_html.blocks import has_paragraphs

_MAX_START = 999_999_999
"""Nine digits, as CommonMark allows."""

_BOX = compile_lazily("[☐☑☒]\ufe0e?[ \xa0]")


def list_of(element: Element, children: Sequence[nodes.Token]) -> list[nodes.Token]:
    """Return the list; content between its items belongs to the item before, as editors write sublists."""
    items: list[nodes.ListItem] = []
    contents: list[list[nodes.Token]] = []
    for child in children:
        if isinstance(child, nodes.ListItem) or not items:
            items.append(child if isinstance(child, nodes.ListItem) else item_of(element, [child]))
            contents.append(list(items[-1].children))
        else:
            contents[-1].append(child)
    if not items:
        return []
    start = _start(element) if element.tag == "ol" else None
    for number, (item, content) in enumerate(zip(items, contents, strict=True)):
        item.children = content
        item.leader = "-" if start is None else f"{start + number}."
    loose = element.find("li/p") is not None or any(map(has_paragraphs, items))
    return [nodes.List(items, start=start, loose=loose)]


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
