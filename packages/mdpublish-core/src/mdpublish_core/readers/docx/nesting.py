"""Nests mammoth's flat paragraphs: HTML with lists, quotes and the other blocks that hold blocks."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from lxml import etree

from mdpublish_core.data_files import read_table
from mdpublish_core.readers.docx.simplify import MARKER, Block
from mdpublish_core.readers.docx.styles import ListItem
from mdpublish_core.readers.html.blocks import REMARK
from mdpublish_core.readers.html.lists import NUMBERING
from mdpublish_core.readers.html.parse import Element, text_of
from mdpublish_core.readers.html.sources.cleaning import pop_taken, remove, take_out
from mdpublish_core.resources.code_marks import code_mark
from mdpublish_core.resources.urls import github_anchor

_TOLERANCE = 60
"""Twips by which paragraphs of an item may be indented differently from it."""

_BOXES = {kind: (holder, role) for kind, holder, role in read_table(__file__, "boxes.tsv")}
"""The block that holds a paragraph of a kind and those after it, and the paragraph's role in it."""

_WITHOUT_REMARKS = frozenset({"", "code", "figcaption", "hr"})

_MARKS = ("em", "strong", "s", "u", "code")
"""Marks of one text, outermost first, as in `***text***`; mammoth has code outermost."""


class _OpenItem(NamedTuple):
    item: ListItem
    holder: Element
    element: Element


def nest(root: Element, blocks: Sequence[Block], bookmarks: Mapping[str, int]) -> None:
    """Change the tree in place; `bookmarks` are the numbers of the blocks to which links lead."""
    numbers = _take_marks(root, blocks)
    for mark in root.iter(*_MARKS):
        _sort_marks(mark)
    of_elements = {element: blocks[number] for element, number in numbers.items()}
    cells = {}
    for table in root.iter("table"):
        before, cell = table.getprevious(), next(table.iter("td", "th"), None)
        if before in of_elements and cell is not None:
            of_elements[table] = of_elements[before]
            cells[cell] = of_elements[table].kind.removeprefix("panel ")
    for holder in [*reversed(list(root.iter("td", "th", "li"))), root]:
        _Nesting(holder, cells.get(holder, "")).run(of_elements)
    headings = {number: element for element, number in numbers.items() if of_elements[element].kind.startswith("h")}
    for box in list(root.iter("input")):
        if next(box.iterancestors("li"), None) is None:
            box.tag, box.text = "span", "☐" if box.get("checked") is None else "☒"
    _repair_links(root, headings, bookmarks)


class _Nesting:
    """Places the children of one holder: the body, a cell, of which `box` is the kind if it draws one, or a note."""

    def __init__(self, holder: Element, box: str) -> None:
        self._holder = holder
        self._box = box
        self._items: list[_OpenItem] = []
        # What holds the last block, or it itself, and what may come after it there.
        self._last: tuple[str, Element] = ("", holder)
        self._paragraph: Element | None = None

    def run(self, blocks: Mapping[Element, Block]) -> None:
        elements = list(self._holder)
        for element in elements:
            self._holder.remove(element)
        for element in elements:
            if element.tag not in {"p", "table"}:
                self._items = []
                self._holder.append(element)
            elif element.tag == "table":
                self._place_table(element, blocks.get(element, Block("table")))
            else:
                self._place(element, blocks.get(element, Block("p")))
        for item in self._holder.iter("li"):
            if len(item) and len(item.findall("p")) == 1 and item[0].tag == "p":
                # The list is tight.
                item[0].tag = "span"

    def _place(self, element: Element, block: Block) -> None:
        kind, _, name = block.kind.partition(" ")
        if self._holder.tag in {"td", "th"} and block.align in {"center", "right", "end"}:
            self._holder.set("style", f"text-align:{block.align}")
        if kind == "contents":
            remove(element)
            self._holder.append(element)
            return
        if (
            kind != "hr"
            and not block.item
            and not text_of(element)
            and next(element.iter("img", "input"), None) is None
        ):
            self._last = ("", self._holder)
            self._place_remarks(element, "")
            return
        parent = self._new_item(block.item) if block.item else self._parent(block)
        if kind == "title":
            element.set("class", "title")
        if self._is_in_box(kind, name, block):
            kind = "p"
        if kind == "p" and block.left > 0 and self._last[0] == "details " and self._last[1].getparent() is parent:
            self._last[1].append(element)
        elif kind in _BOXES:
            self._add_to_box(parent, element, kind, name)
        elif kind == "code":
            self._add_code(parent, element, name)
        elif (
            kind == "caption"
            and self._last[0] == "p"
            and self._last[1].getparent() is parent
            and not text_of(self._last[1])
            and len(list(self._last[1].iter("img"))) == 1
        ):
            figure = etree.Element("figure")
            parent.replace(self._last[1], figure)
            element.tag = kind = "figcaption"
            figure.extend([self._last[1], element])
        else:
            block_element = etree.Element("hr") if kind == "hr" else element
            block_element.tag = "p" if kind == "caption" else kind
            parent.append(block_element)
            self._last = (kind, block_element)
        self._place_remarks(element, kind)

    def _place_remarks(self, element: Element, kind: str) -> None:
        """Move the remarks of what cannot have them to the last paragraph, else to one of their own."""
        if kind not in _WITHOUT_REMARKS and element.find("span[@class='math-block']") is None:
            self._paragraph = element
            return
        for remark in element.findall(f"span[@{REMARK}]"):
            if self._paragraph is None:
                self._paragraph = etree.SubElement(self._holder, "p")
            self._paragraph.append(remark)

    def _is_in_box(self, kind: str, name: str, block: Block) -> bool:
        """Return whether a paragraph is in the box that the cell is, and in no other within."""
        around, _, of = self._box.partition(" ")
        if kind == "title":
            return around in {kind, "callout"} and not len(self._holder)
        return kind in _BOXES and kind != "summary" and name == of and block.left < 0 and around in {kind, "title"}

    def _add_to_box(self, parent: Element, element: Element, kind: str, name: str) -> None:
        """Add to the box of the block before, if it is of the same kind and place, else to a new one."""
        tag, element.tag = _BOXES[kind]
        key, (last, box) = f"{tag} {name}", self._last
        if kind in {"title", "summary"} or last != key or box.getparent() is not parent:
            box = etree.SubElement(parent, tag, {"class": f"callout {name}"} if name else {})
            self._last = (key, box)
        box.append(element)

    def _add_code(self, parent: Element, element: Element, language: str) -> None:
        last, box = self._last
        if language or last != "code" or box.getparent() is not parent:
            box = etree.SubElement(parent, "pre", {"id": code_mark(1, language)} if language else {})
            # A first line end is none of the text.
            box.text = "\n"
            self._last = ("code", box)
        element.tag, element.tail = "span", "\n"
        box.append(element)

    def _place_table(self, table: Element, block: Block) -> None:
        parent, cell = self._parent(block), next(table.iter("td", "th"), None)
        _, kind, *name = (*block.kind.split(), "")
        self._last = ("", self._holder)
        if cell is None or not kind:
            parent.append(table)
            return
        tag = _BOXES[kind][0]
        box = etree.SubElement(parent, tag, {"class": f"callout {name[0]}"} if name[0] else {})
        children = list(cell)
        if tag == "details" and children and children[0].tag == tag:
            children[:1] = list(children[0])
        box.extend(children)

    def _parent(self, block: Block) -> Element:
        # What follows an item at the margin is no part of it.
        while self._items and block.left < max(1, self._items[-1].item.left - _TOLERANCE):
            self._items.pop()
        return self._items[-1].element if self._items else self._holder

    def _new_item(self, item: ListItem) -> Element:
        while self._items and _is_inside(self._items[-1].item, item):
            self._items.pop()
        last = self._items.pop() if self._items and not _is_inside(item, self._items[-1].item) else None
        if last and _continues(item, last.item):
            holder = last.holder
        else:
            parent = self._items[-1].element if self._items else self._holder
            is_bullet = item.number is None
            numbers = {} if is_bullet else {"start": str(item.number), NUMBERING: item.numbering}
            holder = etree.SubElement(parent, "ul" if is_bullet else "ol", numbers)
        element = etree.SubElement(holder, "li", {"data-checked": item.box} if item.box else {})
        self._items.append(_OpenItem(item, holder, element))
        self._last = ("", holder)
        return element


def _is_inside(item: ListItem, around: ListItem) -> bool:
    """Return whether an item is deeper than another: by level within a list definition, else by where they begin."""
    if item.definition and item.definition == around.definition and item.level != around.level:
        return item.level > around.level
    return item.left > around.left + _TOLERANCE


def _continues(item: ListItem, before: ListItem) -> bool:
    if item.number is None or before.number is None:
        return item.number is before.number
    return item.number == before.number + 1 and item.numbering == before.numbering


def _take_marks(root: Element, blocks: Sequence[Block]) -> dict[Element, int]:
    """Remove bookmarks and links back from notes; return each paragraph's block by number, and name links to notes.

    Of several the last one counts, since the text of a deleted paragraph comes before. Remarks come to the end.
    """
    numbers: dict[Element, int] = {}
    notes = {f"#{note.get('id')}" for note in root.iterfind("ol/li")}
    for anchor in list(root.iter("a")):
        name, href, parent = anchor.get("id", ""), anchor.get("href", ""), anchor.getparent()
        if name.startswith(MARKER) and parent is not None:
            numbers[parent] = int(name.removeprefix(MARKER))
            for remark in blocks[numbers[parent]].remarks:
                etree.SubElement(parent, "span", {REMARK: str(remark)})
        elif href in notes:
            anchor.set("role", "doc-noteref")
            continue
        elif not href.startswith(("#footnote-ref-", "#endnote-ref-")):
            continue
        remove(anchor)
    take_out(root)
    # Marks of ours and of mammoth's.
    pop_taken(root)
    return numbers


def _sort_marks(mark: Element) -> None:
    chain = [mark]
    while len(mark) == 1 and not mark.text and not mark[0].tail and mark[0].tag in _MARKS:
        mark = mark[0]
        chain.append(mark)
    for each, tag in zip(chain, sorted((str(each.tag) for each in chain), key=_MARKS.index), strict=True):
        each.tag = tag


def _repair_links(root: Element, headings: Mapping[int, Element], bookmarks: Mapping[str, int]) -> None:
    """Let links lead to anchors of headings, and give them their titles; links to other places become text."""
    anchors: dict[int, str] = {}
    used: dict[str, int] = {}
    for number in sorted(headings):
        anchor = github_anchor(text_of(headings[number]))
        count = used[anchor] = used.get(anchor, -1) + 1
        anchors[number] = f"{anchor}-{count}" if count else anchor
    for link in root.iter("a"):
        target = link.get("href", "")
        if "target" in link.attrib:
            link.set("title", link.attrib.pop("target"))
        if target.startswith("#") and "role" not in link.attrib:
            anchor = anchors.get(bookmarks.get(target[1:], -1), "")
            link.set("href", f"#{anchor}")
            link.tag = "a" if anchor else "span"
