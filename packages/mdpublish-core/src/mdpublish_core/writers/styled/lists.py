"""Lists as the writers see them: those of Markdown, of HTML and of footnotes are the same."""

from collections.abc import Sequence
from typing import NamedTuple

from mdpublish_core import nodes
from mdpublish_core.strings.list_numbers import LIST_STYLE_TYPES, format_number
from mdpublish_core.writers.structure.block_runs import is_block
from mdpublish_core.writers.structure.list_numbering import ordinal_values


class StyledItem(NamedTuple):
    """An item: `number` is None for bullets. `is_item` is False for other children of a list."""

    token: nodes.Token
    number: int | None = None
    checked: bool | None = None
    is_item: bool = True

    @property
    def blocks(self) -> Sequence[nodes.Token]:
        return self.token.children or () if self.is_item else (self.token,)

    @property
    def element(self) -> str:
        """The item in `generic`'s markup."""
        return "li" if self.checked is None else "li.task"


class StyledList(NamedTuple):
    """A list. `is_tight`: its paragraphs are lines. `type`: the attribute of an `ol`. `form`: as of a `nodes.List`.

    `has_labels`: whether a number is written otherwise than HTML can say.
    """

    tag: str
    items: Sequence[StyledItem]
    is_tight: bool = False
    type: str = ""
    counts_down: bool = False
    form: str = ""
    has_labels: bool = False

    @property
    def marker(self) -> str | None:
        """The `list-style-type` that the author chose."""
        return LIST_STYLE_TYPES.get(self.type)

    @property
    def around(self) -> tuple[str, str]:
        """What is before and after a number."""
        before, _, after = (self.form or f"{self.type or 1}.").partition(self.type or "1")
        return before, after

    def label(self, number: int) -> str:
        return format_number(number, self.marker or "decimal").join(self.around)

    @property
    def is_checklist(self) -> bool:
        return self.tag == "ul" and bool(self.items) and all(item.checked is not None for item in self.items)

    @property
    def start(self) -> int | None:
        """The first number, or None for bullets."""
        return None if self.tag == "ul" else next((item.number for item in self.items if item.number is not None), 1)


def read_list(token: nodes.List | nodes.HtmlElement) -> StyledList:
    if isinstance(token, nodes.HtmlElement):
        return _read_html(token)
    start = token.start
    items = [
        StyledItem(
            item,
            None if start is None else start + position,
            item.checked if isinstance(item, nodes.TaskItem) else None,
        )
        for position, item in enumerate(token.children)
    ]
    return StyledList(
        "ul" if start is None else "ol",
        items,
        is_tight=not token.loose,
        type=token.type,
        form=token.form,
        has_labels=token.has_labels,
    )


def footnote_list(definitions: Sequence[nodes.FootnoteDefinition]) -> StyledList:
    return StyledList("ol", [StyledItem(footnote, footnote.number) for footnote in definitions], is_tight=True)


def _read_html(token: nodes.HtmlElement) -> StyledList:
    numbers = {id(item): number for number, item in ordinal_values(token)}
    items = [StyledItem(child, numbers.get(id(child)), is_item=id(child) in numbers) for child in token.children]
    attributes = token.attributes
    list_type = attributes.get("type", "") if token.tag == "ol" else ""
    return StyledList(token.tag, items, type=list_type, counts_down="reversed" in attributes)


class ItemText(NamedTuple):
    """What an item begins with, on the line of its mark, or None if another block is first; and the blocks below.

    `is_paragraph`: whether it is a paragraph with margins.
    """

    inlines: Sequence[nodes.Token] | None
    blocks: Sequence[nodes.Token]
    is_paragraph: bool = False


def split_item(item: StyledItem, *, is_tight: bool) -> ItemText:
    """Split off the text that shares the line of an item's mark."""
    blocks = list(item.blocks)
    first = blocks[0] if blocks else None
    if isinstance(first, nodes.Paragraph):
        return ItemText(first.children, blocks[1:], is_paragraph=not is_tight)
    if not isinstance(item.token, nodes.HtmlElement):
        return ItemText(None, blocks)
    if isinstance(first, nodes.HtmlElement) and first.tag == "p":
        return ItemText(first.children, blocks[1:], is_paragraph=True)
    end = next((number for number, block in enumerate(blocks) if is_block(block)), len(blocks))
    return ItemText(blocks[:end] or None, blocks[end:])
