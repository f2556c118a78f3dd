"""A tree as the list of its leaves, each with the containers around it, and back.

A leaf is a block of text or code, or a row of a table. So an item in another list, or a paragraph that divides one,
changes only its surroundings.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from mdpublish_core import nodes
from mdpublish_core.nodes.tokens import amend
from mdpublish_core.readers.html_elements.lists import has_paragraphs
from mdpublish_core.readers.markdown.document import number_footnotes
from mdpublish_core.writers.markdown.html_blocks import is_inline

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


_CONTAINERS = (nodes.ListItem, nodes.Quote, nodes.Callout, nodes.FootnoteDefinition)


class Leaf(NamedTuple):
    """A block without blocks in it, and the containers around it, outermost first."""

    node: nodes.Token
    path: tuple[nodes.Token, ...] = ()
    is_title: bool = False
    """Whether it is the title of the innermost container."""


def leaves_of(document: nodes.Document) -> list[Leaf]:
    """Return the leaves of a document, those of footnotes last."""
    return [leaf for block in nodes.children_of(document) for leaf in _leaves(block, ())]


def _leaves(block: nodes.Token, path: tuple[nodes.Token, ...]) -> Iterator[Leaf]:
    children = nodes.children_of(block)
    if not children and isinstance(block, _CONTAINERS):
        yield Leaf(nodes.Paragraph([]), (*path, block))
        return
    if isinstance(block, nodes.TableRow) or not children or is_inline(children[0]):
        yield Leaf(block, path)
        return
    title = block.title if isinstance(block, nodes.Callout) else None
    for child in children:
        if child is title:
            yield Leaf(child, (*path, block), is_title=True)
        else:
            yield from _leaves(child, (*path, block))


def note_label(leaf: Leaf) -> str | None:
    """Return the label of the footnote that a leaf is in."""
    outermost = leaf.path[0] if leaf.path else None
    return outermost.label if isinstance(outermost, nodes.FootnoteDefinition) else None


def document_of(leaves: Sequence[Leaf], like: nodes.Document) -> nodes.Document:
    """Return a document of leaves, read as another one."""
    blocks = _blocks(leaves, 0)
    notes = [block for block in blocks if isinstance(block, nodes.FootnoteDefinition)]
    main = [block for block in blocks if not isinstance(block, nodes.FootnoteDefinition)]
    document: nodes.Document = nodes.replace(like, children=main, footnote_definitions=notes, notices=())
    labels = {note.label for note in notes}
    document = nodes.transform(document, lambda token: _known_reference(token, labels))
    references = [token for token in nodes.walk(document) if isinstance(token, nodes.FootnoteReference)]
    amend(document, footnote_definitions=tuple(number_footnotes(list(document.footnote_definitions), references)))
    return document


def _known_reference(token: nodes.Token, labels: set[str]) -> nodes.Token:
    if isinstance(token, nodes.FootnoteReference) and token.label not in labels:
        return nodes.RawText(f"[{token.label}]")
    return token


def _blocks(leaves: Sequence[Leaf], depth: int) -> list[nodes.Token]:
    blocks: list[nodes.Token] = []
    for _, group in groupby(leaves, key=lambda leaf: id(leaf.path[depth]) if len(leaf.path) > depth else None):
        inside = list(group)
        container = inside[0].path[depth] if len(inside[0].path) > depth else None
        if isinstance(container, nodes.Table):
            # What one side made of a row or of the table, such as a chart, cannot stay in it.
            rows = [leaf for leaf in inside if isinstance(leaf.node, nodes.TableRow)]
            blocks += [_filled(container, rows, depth)] if rows else []
            blocks += (leaf.node for leaf in inside if not isinstance(leaf.node, nodes.TableRow))
        elif container is not None:
            blocks.append(_filled(container, inside, depth))
        else:
            blocks += (leaf.node for leaf in inside)
    return blocks


def _filled(container: nodes.Token, leaves: Sequence[Leaf], depth: int) -> nodes.Token:
    if isinstance(container, nodes.Callout) and leaves[0].is_title and len(leaves[0].path) == depth + 1:
        return nodes.replace(container, title=leaves[0].node, children=_blocks(leaves[1:], depth + 1))
    children = _blocks(leaves, depth + 1)
    if isinstance(container, nodes.Table):
        header, *rows = (_row(row, children[0]) for row in children)
        return nodes.Table(header, rows, line=container.line_number)
    if isinstance(container, nodes.List):
        return nodes.replace(container, children=children, loose=container.loose or any(map(has_paragraphs, children)))
    if isinstance(container, nodes.Callout):
        # GitHub's kinds have a name of their own only beside a title.
        is_plain = container.title is not None and container.name.lower() == container.kind
        return nodes.replace(container, title=None, name="" if is_plain else container.name, children=children)
    return nodes.replace(container, children=children)


def _row(row: nodes.Token, header: nodes.Token) -> nodes.TableRow:
    """Return a row as long as the header, and aligned as it is."""
    assert isinstance(header, nodes.TableRow)
    padding = [nodes.TableCell([]) for _ in header.children[len(row.children) :]]
    pairs = zip([*row.children, *padding], header.row_align, strict=False)
    cells = [nodes.TableCell(cell.children, align=align, line=nodes.line_of(cell)) for cell, align in pairs]
    return nodes.TableRow(cells, line=nodes.line_of(row))
