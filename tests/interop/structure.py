"""What a document is made of, in words that are neither ours nor another program's, so that two readings can be compared.

A reading is a tree of nodes: a kind, what belongs to that kind (a heading's level, a link's target), and children. Its
own rules are those of HTML, which says nothing of them: a run of white space is one space, and none stands at the edge of
a block or beside a line break; a soft break is a space; an address may be percent-encoded or not; a table's cell that holds text alone holds no paragraph.

What only one reader does is that reader's own matter: see `pandoc` for pandoc, `tree` for our tree.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

_SPACES = re.compile(r"[ \t\n\r\f]+")

MARKS = frozenset(
    {"emphasis", "strong", "strikethrough", "underline", "subscript", "superscript", "kbd", "mark", "small", "quoted"}
)
"""Kinds of inlines that only say how their text is set: they have no edges but those of their words."""


@dataclass(frozen=True, slots=True)
class Node:
    """One thing in a document; text is a plain string."""

    kind: str
    details: tuple[str, ...] = ()
    children: tuple["Child", ...] = ()


Child = Node | str


def outline(nodes: Iterable[Child], indentation: str = "") -> list[str]:
    """Return a reading as lines, a line a node or text, those of its children deeper: what a test compares and prints."""
    lines = []
    for node in nodes:
        if isinstance(node, str):
            lines.append(f"{indentation}{node!r}")
        else:
            lines.append(" ".join([f"{indentation}{node.kind}", *map(repr, node.details)]))
            lines += outline(node.children, f"{indentation}  ")
    return lines


def plain(inlines: Iterable[Child]) -> Node:
    """Return text that stands in a block without being a paragraph."""
    return Node("plain", (), tidy(inlines))


def tidy(inlines: Iterable[Child]) -> tuple[Child, ...]:
    """Return the inlines of a block, its white space as a reader sees it."""
    tidied = _spaced(inlines)
    if tidied and isinstance(tidied[0], str):
        tidied[0] = tidied[0].lstrip(" ")
    if tidied and isinstance(tidied[-1], str):
        tidied[-1] = tidied[-1].rstrip(" ")
    return tuple(filter(None, tidied))


def with_paragraphs(blocks: Sequence[Node]) -> tuple[Node, ...]:
    """Return the blocks of a list item, cell or division, its loose text made paragraphs where any block is more than text.

    Between a tight item that holds a quote and a loose one, HTML's readers do not tell.
    """
    if not any(block.kind in {"paragraph", "code", "heading", "quote"} for block in blocks):
        return tuple(blocks)
    return tuple(replace(block, kind="paragraph") if block.kind == "plain" else block for block in blocks)


def row_of(kind: str, cells: Iterable[Node]) -> Node:
    """Return a row of a table; cells at its end that hold nothing are as good as none."""
    row_cells = list(cells)
    while row_cells and row_cells[-1] == Node("cell"):
        row_cells.pop()
    return Node(kind, (), tuple(row_cells))


def as_code(inlines: Iterable[Child], details: tuple[str, ...] = ()) -> list[Child]:
    """Return inlines with each piece of their text as code, in the marks and links in which it stands."""
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
    """Return the text of inlines, their marks left out."""
    return "".join(child if isinstance(child, str) else plain_text(child.children) for child in children)


def one_line(content: str) -> str:
    """Return text with its white space as a reader sees it in a line."""
    return _SPACES.sub(" ", content)


def _spaced(inlines: Iterable[Child]) -> list[Child]:
    """Return inlines in which a space is one space, and stands outside of what it begins or ends."""
    pieces: list[Child] = []
    for inline in inlines:
        for piece in [one_line(inline)] if isinstance(inline, str) else _without_edges(inline):
            _append(pieces, piece)
    return pieces


def _without_edges(inline: Node) -> Iterator[Child]:
    """Yield an inline, the spaces at its edges outside of it; marks that hold nothing are nothing."""
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
    """Add a piece to those before it, with which it may be one."""
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
