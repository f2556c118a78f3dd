"""A neutral document structure, to compare readings of different programs.

Nodes have a kind, details (a heading's level, a link's target) and children. White space collapses, and is dropped at
block edges and next to line breaks; URLs are percent-decoded; a cell's lone text is not a paragraph. `pandoc` and
`tree` do more.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

_SPACES = re.compile(r"[ \t\n\r\f]+")

MARKS = frozenset(
    {"emphasis", "strong", "strikethrough", "underline", "subscript", "superscript", "kbd", "mark", "small", "quoted"}
)
"""Formatting, without edges of its own."""


@dataclass(frozen=True, slots=True)
class Node:
    kind: str
    details: tuple[str, ...] = ()
    children: tuple["Child", ...] = ()


Child = Node | str


def outline(nodes: Iterable[Child], indentation: str = "") -> list[str]:
    """Return a line per node, to compare and print."""
    lines = []
    for node in nodes:
        if isinstance(node, str):
            lines.append(f"{indentation}{node!r}")
        else:
            lines.append(" ".join([f"{indentation}{node.kind}", *map(repr, node.details)]))
            lines += outline(node.children, f"{indentation}  ")
    return lines


def plain(inlines: Iterable[Child]) -> Node:
    return Node("plain", (), tidy(inlines))


def tidy(inlines: Iterable[Child]) -> tuple[Child, ...]:
    tidied = _spaced(inlines)
    if tidied and isinstance(tidied[0], str):
        tidied[0] = tidied[0].lstrip(" ")
    if tidied and isinstance(tidied[-1], str):
        tidied[-1] = tidied[-1].rstrip(" ")
    return tuple(filter(None, tidied))


def with_paragraphs(blocks: Sequence[Node]) -> tuple[Node, ...]:
    """Loose text becomes paragraphs if any block is more than text.

    Readers of HTML do not distinguish a tight item with a quote from a loose one.
    """
    if not any(block.kind in {"paragraph", "code", "heading", "quote"} for block in blocks):
        return tuple(blocks)
    return tuple(replace(block, kind="paragraph") if block.kind == "plain" else block for block in blocks)


def row_of(kind: str, cells: Iterable[Node]) -> Node:
    """Drop trailing empty cells."""
    row_cells = list(cells)
    while row_cells and row_cells[-1] == Node("cell"):
        row_cells.pop()
    return Node(kind, (), tuple(row_cells))


def as_code(inlines: Iterable[Child], details: tuple[str, ...] = ()) -> list[Child]:
    pieces: list[Child] = []
    for inline in inlines:
        if isinstance(inline, str):
            pieces.append(Node("inline code", details, (one_line(inline),)))
        elif inline.kind == "inline code":
            pieces.append(inline)
        else:
            pieces.append(replace(inline, children=tuple(as_code(inline.children, details))))
    return pieces


def plain_text(children: Iterable[Child]) -> str:
    return "".join(child if isinstance(child, str) else plain_text(child.children) for child in children)


def one_line(content: str) -> str:
    return _SPACES.sub(" ", content)


def _spaced(inlines: Iterable[Child]) -> list[Child]:
    pieces: list[Child] = []
    for inline in inlines:
        for piece in [one_line(inline)] if isinstance(inline, str) else _without_edges(inline):
            _append(pieces, piece)
    return pieces


def _without_edges(inline: Node) -> Iterator[Child]:
    """Move outer spaces outside; drop empty marks."""
    children = _spaced(inline.children)
    begins = bool(children) and isinstance(children[0], str) and children[0].startswith(" ")
    ends = bool(children) and isinstance(children[-1], str) and children[-1].endswith(" ")
    inner = tidy(children)
    if begins:
        yield " "
    if inner or inline.kind not in MARKS:
        yield replace(inline, children=inner)
    if ends and not (begins and not inner):
        yield " "


def _append(pieces: list[Child], piece: Child) -> None:
    last = pieces[-1] if pieces else None
    if isinstance(piece, str):
        if isinstance(last, str):
            pieces[-1] = one_line(last + piece)
        elif piece and not (isinstance(last, Node) and last.kind == "break"):
            pieces.append(piece)
        elif piece.lstrip(" "):
            pieces.append(piece.lstrip(" "))
        return
    if piece.kind == "break" and isinstance(last, str):
        pieces[-1] = last.rstrip(" ")
    if isinstance(last, Node) and piece.kind in MARKS and (last.kind, last.details) == (piece.kind, piece.details):
        pieces[-1] = replace(last, children=tuple(_spaced([*last.children, *piece.children])))
    else:
        pieces.append(piece)
