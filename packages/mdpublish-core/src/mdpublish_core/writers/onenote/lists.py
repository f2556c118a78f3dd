"""Lists in OneNote.

OneNote's lists always count from 1; other numbers are text in a list without markers. Tasks are paragraphs with a note
tag, because a list overrides its items' tags, and a checkbox character for readers without tags.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from mdpublish_core import nodes
from mdpublish_core.writers.onenote.layout import OneNoteLayout
from mdpublish_core.writers.onenote.styles import OneNoteStyle
from mdpublish_core.writers.structure.list_numbering import LIST_STYLE_TYPES, format_number

_CHECKBOXES = {False: ("to-do", "☐"), True: ("to-do:completed", "☑")}


@dataclass(frozen=True, slots=True)
class _Item:
    blocks: Sequence[nodes.Token]
    number: int | None = None
    checked: bool | None = None


@dataclass(frozen=True, slots=True)
class _List:
    tag: str
    items: Sequence[_Item]
    loose: bool = False
    number_format: str | None = None


def list_(renderer: OneNoteLayout, token: nodes.List) -> None:
    start = token.start
    items = [
        _Item(item.children, None if start is None else start + position, getattr(item, "checked", None))
        for position, item in enumerate(token.children)
    ]
    _write_list(renderer, _List("ul" if start is None else "ol", items, token.loose))


def html_list(renderer: OneNoteLayout, token: nodes.HtmlElement) -> None:
    attributes = token.attributes
    if token.tag == "ul":
        _write_list(renderer, _List("ul", [_Item(_item_blocks(child)) for child in token.children]))
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
    _write_list(renderer, _List("ol", items, number_format=LIST_STYLE_TYPES.get(attributes.get("type", ""))))


def _is_item(child: nodes.Token) -> bool:
    return isinstance(child, nodes.HtmlElement) and child.tag == "li"


def _item_blocks(child: nodes.Token) -> Sequence[nodes.Token]:
    return child.children or () if _is_item(child) else [child]


def write_footnotes(renderer: OneNoteLayout, definitions: Sequence[nodes.FootnoteDefinition]) -> None:
    _write_list(renderer, _List("ol", [_Item(footnote.children, footnote.number) for footnote in definitions]))


def _write_list(renderer: OneNoteLayout, written_list: _List) -> None:
    """Write a list for each run of tasks or other items."""
    style = renderer.styles.enter(written_list.tag, last=renderer.is_last)
    marker = style.bullet_marker if written_list.tag == "ul" else written_list.number_format or style.number_marker
    is_box = renderer.start_box(style, indents=False)
    in_item = renderer.in_item
    for is_task, run in groupby(written_list.items, key=lambda item: item.checked is not None):
        items = list(run)
        has_native_numbers = written_list.tag == "ul" or [item.number for item in items] == list(
            range(1, len(items) + 1)
        )
        has_markers = has_native_numbers and not is_task
        if in_item or not is_task:
            renderer.start_list(written_list.tag, marker if has_markers else "none")
        for item in items:
            number = (
                ""
                if has_markers or item.number is None
                else f"{format_number(item.number, written_list.number_format or '')}."
            )
            (_write_task if is_task else _write_item)(renderer, written_list, item, number)
        if in_item or not is_task:
            renderer.end_list()
    renderer.end_box(is_box)
    renderer.styles.leave()


def _write_item(renderer: OneNoteLayout, written_list: _List, item: _Item, number: str) -> None:
    style = renderer.styles.enter("li", last=item is written_list.items[-1])
    in_item, renderer.in_item = renderer.in_item, True
    renderer.start_block("li", style)
    renderer.item_number = number
    blocks = item.blocks
    if blocks and isinstance(blocks[0], nodes.Paragraph) and not written_list.loose:
        # In a tight list, the first paragraph is the item itself.
        renderer.write_item_number()
        renderer.write_tokens(blocks[0].children)
        blocks = blocks[1:]
    renderer.write_flow(blocks)
    renderer.write_item_number()
    renderer.end_block()
    renderer.in_item = in_item
    renderer.styles.leave()


def _write_task(renderer: OneNoteLayout, written_list: _List, item: _Item, number: str) -> None:
    style = renderer.styles.enter("li.task", last=item is written_list.items[-1])
    in_item, renderer.in_item = renderer.in_item, True
    if in_item:
        renderer.writer.start("li")
    blocks = list(item.blocks)
    paragraph = blocks.pop(0) if blocks and isinstance(blocks[0], nodes.Paragraph) else None
    if paragraph and written_list.loose:
        _write_task_paragraph(renderer, item, paragraph, number, renderer.styles.enter("p", last=not blocks))
        renderer.styles.leave()
    else:
        _write_task_paragraph(renderer, item, paragraph, number, style)
    if in_item:
        renderer.write_flow(blocks)
        renderer.end_block()
    else:
        # Lists are already indented.
        for is_list, run in groupby(blocks, key=_is_list):
            if not is_list:
                renderer.start_indented(style)
            renderer.write_flow(list(run))
            if not is_list:
                renderer.end_indented()
    renderer.in_item = in_item
    renderer.styles.leave()


def _write_task_paragraph(
    renderer: OneNoteLayout, item: _Item, paragraph: nodes.Token | None, number: str, style: OneNoteStyle
) -> None:
    note_tag, checkbox = _CHECKBOXES[bool(item.checked)]
    renderer.start_block("p", style, note_tag)
    renderer.write_text(f"{checkbox} ")
    renderer.item_number = number
    renderer.write_item_number()
    if paragraph:
        renderer.write_children(paragraph)
    renderer.end_block()


def _is_list(block: nodes.Token) -> bool:
    return isinstance(block, nodes.List) or (isinstance(block, nodes.HtmlElement) and block.tag in {"ol", "ul"})
