"""Builds lists from items and from content between them."""

from collections.abc import Callable, Sequence
from itertools import pairwise

from mdpublish_core.nodes import Paragraph
from mdpublish_core.nodes import open_nodes as nodes


def items_of(
    children: Sequence[nodes.Token], make: Callable[[list[nodes.Token]], nodes.ListItem] = nodes.ListItem
) -> list[nodes.ListItem]:
    """Return items; content between them belongs to the item before, as editors write sublists, and `make` makes one of what is first."""
    items: list[nodes.ListItem] = []
    contents: list[list[nodes.Token]] = []
    for child in children:
        if isinstance(child, nodes.ListItem) or not items:
            items.append(child if isinstance(child, nodes.ListItem) else make([child]))
            contents.append(list(items[-1].children))
        else:
            contents[-1].append(child)
    for item, content in zip(items, contents, strict=True):
        item.children = content
    return items


def list_of(
    items: Sequence[nodes.ListItem], start: int | None, *, loose: bool = False, line: int | None = None
) -> nodes.List:
    """Return a list that counts from `start`, or has bullets."""
    for number, item in enumerate(items):
        item.leader = "-" if start is None else f"{start + number}."
    return nodes.List(items, start=start, loose=loose or any(map(has_paragraphs, items)), line=line)


def has_paragraphs(item: nodes.Token) -> bool:
    """Return whether an item has paragraphs one after another, which would be one line in a tight list."""
    return any(
        isinstance(first, Paragraph) and isinstance(second, Paragraph) for first, second in pairwise(item.children)
    )
