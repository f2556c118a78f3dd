"""Lists and their items, also as pages and editors write check boxes."""

from collections.abc import Mapping, Sequence
from functools import partial

from mdpublish_core.nodes import open_nodes as nodes
from mdpublish_core.readers import html_elements
from mdpublish_core.readers.html.parse import LISTS, Element
from mdpublish_core.strings.lazy_patterns import compile_lazily
from mdpublish_core.strings.list_numbers import NUMBERINGS

_MAX_START = 999_999_999
"""Nine digits, as CommonMark allows."""

_BOX_CLASSES: Mapping[str, bool] = {"checkbox-on": True, "checkbox-off": False}
"""Notion's, of elements that its stylesheet draws as boxes."""

NUMBERING = "data-numbering"
"""Attribute of lists that readers of files write: the numbering of `nodes.List`."""

_BOX = compile_lazily("[☐☑☒]\ufe0e?[ \xa0]")


def list_of(element: Element, children: Sequence[nodes.Token]) -> list[nodes.Token]:
    """Return the list; content between its items belongs to the item before, as editors write sublists.

    It is several where an item says another number than the one that follows, and none where it only indents other lists.
    """
    indented: list[nodes.List] = []
    for child in children:
        if not isinstance(child, nodes.List):
            break
        indented.append(child)
    if len(indented) == len(children):
        return [*indented]
    items = html_elements.items_of(children[len(indented) :], partial(item_of, element))
    if element.tag == "ul":
        items[:0] = [item for each in indented if each.start is None for item in each.children]
        indented = [each for each in indented if each.start is not None]
    loose = element.find("li/p") is not None or any(map(html_elements.has_paragraphs, items))
    runs = _numbered(items, _start(element)) if element.tag == "ol" else [(None, items)]
    numbering = _numbering(element)
    return [*indented, *(html_elements.list_of(run, start, loose=loose, numbering=numbering) for start, run in runs)]


def take_labels(root: Element) -> None:
    """Take labels such as `a)`, which our outputs write as text, from the items of lists, and note what they are."""
    for label in [each for each in root.iter("bdi") if each.get("class") == "label"]:
        numbered, holder, written = next(label.iterancestors("ol"), None), label.getparent(), label.text or ""
        if numbered is None or holder is None:
            continue
        numbered.set(NUMBERING, f"{'(' * written.startswith('(')}{numbered.get('type', '1')}{written[-1:]}")
        holder.text = f"{holder.text or ''}{(label.tail or '').removeprefix(' ')}"
        holder.remove(label)


def _numbering(element: Element) -> str:
    """Return how a list is numbered. Letters of a nested list say no more than its level, but for `(a)`."""
    kind = element.get("type", "")
    numbering = element.get(NUMBERING, f"{kind}." if kind else "")
    is_nested = next(element.iterancestors(*LISTS), None) is not None
    return numbering if numbering in NUMBERINGS and (numbering.endswith(")") or not is_nested) else ""


def _numbered(items: Sequence[nodes.ListItem], start: int) -> Sequence[tuple[int | None, list[nodes.ListItem]]]:
    """Return runs of items with the number of their first."""
    runs: list[tuple[int, list[nodes.ListItem]]] = []
    number = start - 1
    for item in items:
        written = int(item.leader[:-1]) if item.leader != "-" else number + 1
        if not runs or written != number + 1:
            runs.append((written, []))
        runs[-1][1].append(item)
        number = written
    # Numbers at will, or backwards: Markdown has none such.
    return runs if len(runs) * 2 <= len(items) + 1 else [(start, list(items))]


def is_item_of_last(element: Element) -> bool:
    """Return whether an element is one more list of one item and the class of the last, as Notion exports each item."""
    last = element.getprevious() if element.tag == "ul" and element.get("class") else None
    return (
        last is not None
        and last.tag == element.tag
        and last.get("class") == element.get("class")
        and not (last.tail or "").strip()
        and len(last) == len(element) == 1
    )


def add_blocks(blocks: list[nodes.Token], added: Sequence[nodes.Token], *, is_item: bool) -> None:
    """Append blocks; a list that is an item of the last one, or whose task or number goes on, becomes part of it."""
    for block in added:
        last = blocks[-1] if blocks else None
        if isinstance(block, nodes.List) and isinstance(last, nodes.List) and (is_item or _goes_on(last, block)):
            last.children = [*last.children, *block.children]
            last.loose = last.loose or block.loose
        else:
            blocks.append(block)


def _goes_on(last: nodes.List, following: nodes.List) -> bool:
    if 1 not in {len(last.children), len(following.children)}:
        return False
    if last.start is None or following.start is None:
        # Notion's tasks; other lists may be apart on purpose.
        items = (last.children[-1], following.children[0])
        return last.start is following.start and all(isinstance(item, nodes.TaskItem) for item in items)
    return last.start + len(last.children) == following.start


def item_of(element: Element, children: Sequence[nodes.Token]) -> nodes.ListItem:
    checked, drawn = _checked(element), _take_box(children)
    checked = drawn if checked is None else checked
    leader = f"{number}." if element.tag == "li" and (number := _number(element.get("value"))) is not None else "-"
    if checked is None:
        return nodes.ListItem(children, leader=leader)
    return nodes.TaskItem(children, checked=checked, leader=leader)


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
    if "data-checked" in item.attrib:
        return item.get("data-checked") == "true"
    for box in item.iter():
        if box is not item and box.tag in LISTS:
            return None
        if box.get("role") == "checkbox":
            return box.get("aria-checked") == "true"
        if box.tag == "input" and box.get("type") == "checkbox":
            return "checked" in box.attrib or box.get("aria-checked") == "true"
        for name in box.get("class", "").split():
            if name in _BOX_CLASSES:
                return _BOX_CLASSES[name]
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
    numbers = (_number(element.get("start")), None if first is None else _number(first.get("value")))
    return next((number for number in numbers if number is not None), 1)


def _number(written: str | None) -> int | None:
    is_number = written is not None and written.strip().isdecimal()
    return min(int(written.strip()[:10]), _MAX_START) if written and is_number else None
