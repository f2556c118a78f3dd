"""Lists: bullets and numbers as OneNote's own, tasks as paragraphs with its tag for them.

OneNote has no word for where a list begins or which number an item has. A list that counts from one is a numbered one; in
any other, and where tasks stand between the items, the numbers are text, in a list without marks.

Tasks are paragraphs, as a tag on an item is overridden by its list; the box is in the text as well, for readers without
tags. What stands below a task or an item is indented by a list without marks.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from mdpublish_core import nodes
from mdpublish_core.destinations.numbering import TYPES, numeral
from mdpublish_core.destinations.onenote.looks import Look
from mdpublish_core.destinations.onenote.rendering import Rendering

_BOXES = {False: ("to-do", "☐"), True: ("to-do:completed", "☑")}


@dataclass(frozen=True, slots=True)
class _Item:
    """An item: its blocks, its number in a numbered list, and whether it is checked, if it is a task."""

    blocks: Sequence[nodes.Token]
    number: int | None = None
    checked: bool | None = None


@dataclass(frozen=True, slots=True)
class _List:
    """A list; `form` is what its author said of the form of its numbers."""

    tag: str
    items: Sequence[_Item]
    loose: bool = False
    form: str | None = None


def list_(rendering: Rendering, token: nodes.List) -> None:
    start = token.start
    items = [
        _Item(item.children, None if start is None else start + position, getattr(item, "checked", None))
        for position, item in enumerate(token.children)
    ]
    _write(rendering, _List("ul" if start is None else "ol", items, token.loose))


def html_list(rendering: Rendering, token: nodes.HtmlElement) -> None:
    """Write a list that an author wrote as HTML, with the numbers that its attributes give the items."""
    attributes = token.attributes
    if token.tag == "ul":
        _write(rendering, _List("ul", [_Item(_blocks_of(child)) for child in token.children]))
        return
    step = -1 if "reversed" in attributes else 1
    number = int(attributes.get("start", sum(map(_is_item, token.children)) if step < 0 else 1))
    items = []
    for child in token.children:
        if not _is_item(child):
            items.append(_Item([child]))
            continue
        assert isinstance(child, nodes.HtmlElement)
        number = int(child.attributes.get("value", number))
        items.append(_Item(child.children, number))
        number += step
    _write(rendering, _List("ol", items, form=TYPES.get(attributes.get("type", ""))))


def _is_item(child: nodes.Token) -> bool:
    return isinstance(child, nodes.HtmlElement) and child.tag == "li"


def _blocks_of(child: nodes.Token) -> Sequence[nodes.Token]:
    return child.children or () if _is_item(child) else [child]


def footnotes(rendering: Rendering, definitions: Sequence[nodes.FootnoteDefinition]) -> None:
    """Write the notes at the end of a page, as a list that counts as their calls do."""
    _write(rendering, _List("ol", [_Item(note.children, note.number) for note in definitions]))


def _write(rendering: Rendering, written: _List) -> None:
    """Write a list: as one for each run of items that are of one kind."""
    look = rendering.styles.enter(written.tag, last=rendering.last)
    mark = look.bullet if written.tag == "ul" else written.form or look.number
    is_box = rendering.start_box(look, indents=False)
    in_item = rendering.in_item
    for is_task, run in groupby(written.items, key=lambda item: item.checked is not None):
        items = list(run)
        counts = written.tag == "ul" or [item.number for item in items] == list(range(1, len(items) + 1))
        is_marked = counts and not is_task
        if in_item or not is_task:
            rendering.start_list(written.tag, mark if is_marked else "none")
        for item in items:
            number = "" if is_marked or item.number is None else f"{numeral(item.number, written.form or '')}."
            (_write_task if is_task else _write_item)(rendering, written, item, number)
        if in_item or not is_task:
            rendering.end_list()
    rendering.end_box(is_box)
    rendering.styles.leave()


def _write_item(rendering: Rendering, written: _List, item: _Item, number: str) -> None:
    look = rendering.styles.enter("li", last=item is written.items[-1])
    in_item, rendering.in_item = rendering.in_item, True
    rendering.start("li", look)
    rendering.lead = number
    blocks = item.blocks
    if blocks and isinstance(blocks[0], nodes.Paragraph) and not written.loose:
        # In a tight list, the first paragraph is the item's own text.
        rendering.write_lead()
        rendering.tokens(blocks[0].children)
        blocks = blocks[1:]
    rendering.flow(blocks)
    rendering.write_lead()
    rendering.end()
    rendering.in_item = in_item
    rendering.styles.leave()


def _write_task(rendering: Rendering, written: _List, item: _Item, number: str) -> None:
    """Write a task: a paragraph of its own, or below another item a paragraph in an item without a mark."""
    look = rendering.styles.enter("li.task", last=item is written.items[-1])
    in_item, rendering.in_item = rendering.in_item, True
    if in_item:
        rendering.writer.start("li")
    blocks = list(item.blocks)
    text = blocks.pop(0) if blocks and isinstance(blocks[0], nodes.Paragraph) else None
    if text and written.loose:
        _write_box(rendering, item, text, number, rendering.styles.enter("p", last=not blocks))
        rendering.styles.leave()
    else:
        _write_box(rendering, item, text, number, look)
    if in_item:
        rendering.flow(blocks)
        rendering.end()
    else:
        # What stands below is further in, as lists are by themselves.
        for is_list, run in groupby(blocks, key=_is_list):
            if not is_list:
                rendering.start_indented(look)
            rendering.flow(list(run))
            if not is_list:
                rendering.end_indented()
    rendering.in_item = in_item
    rendering.styles.leave()


def _write_box(rendering: Rendering, item: _Item, text: nodes.Token | None, number: str, look: Look) -> None:
    """Write the paragraph of a task."""
    note_tag, box = _BOXES[bool(item.checked)]
    rendering.start("p", look, note_tag)
    rendering.text(f"{box} ")
    rendering.lead = number
    rendering.write_lead()
    if text:
        rendering.children(text)
    rendering.end()


def _is_list(block: nodes.Token) -> bool:
    return isinstance(block, nodes.List) or (isinstance(block, nodes.HtmlElement) and block.tag in {"ol", "ul"})
