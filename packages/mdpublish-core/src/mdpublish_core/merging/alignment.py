"""Sequences aligned: what two of them have in common, which parts of them are like, and what three of them make.

Every function is near-linear: unique elements anchor a match, and what is between two anchors is compared only up to
`MAX_PAIRS`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, deque
from difflib import SequenceMatcher
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from mdpublish_core import nodes
from mdpublish_core.nodes.tokens import amend
from mdpublish_core.readers.html_elements import has_paragraphs
from mdpublish_core.readers.markdown.document import number_footnotes
from mdpublish_core.writers.markdown.html_blocks import is_inline

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Sequence

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


MAX_PAIRS = 40_000
"""Pairs of elements that are compared between two anchors: the differences of two versions of a text are shorter."""

Pair = tuple[int, int]


def match(left: Sequence[Hashable], right: Sequence[Hashable]) -> list[Pair]:
    """Return the indexes of equal elements, in the order of both."""
    start, ends = 0, (len(left), len(right))
    while start < min(ends) and left[start] == right[start]:
        start += 1
    tail = 0
    while tail < min(ends) - start and left[-1 - tail] == right[-1 - tail]:
        tail += 1
    pairs = [(index, index) for index in range(start)]
    stops = (ends[0] - tail, ends[1] - tail)
    place = (start, start)
    for anchor in [*_anchors(left[start : stops[0]], right[start : stops[1]]), None]:
        until = stops if anchor is None else (anchor[0] + start, anchor[1] + start)
        pairs += _between(left, right, place, until)
        if anchor is not None:
            pairs.append(until)
            place = (until[0] + 1, until[1] + 1)
    return pairs + [(ends[0] - number, ends[1] - number) for number in range(tail, 0, -1)]


def _anchors(left: Sequence[Hashable], right: Sequence[Hashable]) -> list[Pair]:
    """Return the longest run of elements that are unique in both, in the order of both (patience diff)."""
    places = {element: index for index, element in enumerate(right)}
    counts, others = Counter(left), Counter(right)
    lowest: list[int] = []
    ends: list[tuple[Pair, Any]] = []
    for index, element in enumerate(left):
        if counts[element] == others[element] == 1:
            length = bisect_left(lowest, places[element])
            end = ((index, places[element]), ends[length - 1] if length else None)
            lowest[length : length + 1], ends[length : length + 1] = [places[element]], [end]
    matched: list[Pair] = []
    chain: Any = ends[-1] if ends else None
    while chain:
        matched.append(chain[0])
        chain = chain[1]
    return matched[::-1]


def _between(left: Sequence[Hashable], right: Sequence[Hashable], start: Pair, stop: Pair) -> Iterator[Pair]:
    lines, others = left[start[0] : stop[0]], right[start[1] : stop[1]]
    if 0 < len(lines) * len(others) <= MAX_PAIRS:
        for block in SequenceMatcher(None, lines, others, autojunk=False).get_matching_blocks():
            for number in range(block.size):
                yield start[0] + block.a + number, start[1] + block.b + number


def match_similar(
    left: Sequence[Hashable], right: Sequence[Hashable], similarity: Callable[[int, int], float]
) -> dict[int, int]:
    """Return the elements of `right` that are equal to those of `left` or, between these, as similar as can be.

    `similarity` is of two indexes, from 0 for what has nothing in common to 1.
    """
    pairs = match(left, right)
    matched = dict(pairs)
    place = (-1, -1)
    for until in [*pairs, (len(left), len(right))]:
        rows, columns = range(place[0] + 1, until[0]), range(place[1] + 1, until[1])
        if len(rows) * len(columns) <= MAX_PAIRS:
            matched.update(_pairs_of_similar(rows, columns, similarity))
        place = until
    return matched


def _pairs_of_similar(rows: range, columns: range, similarity: Callable[[int, int], float]) -> Iterator[Pair]:
    best = [[0.0] * (len(columns) + 1) for _ in range(len(rows) + 1)]
    scores = [[similarity(row, column) for column in columns] for row in rows]
    for i in reversed(range(len(rows))):
        for j in reversed(range(len(columns))):
            best[i][j] = max(best[i + 1][j], best[i][j + 1], best[i + 1][j + 1] + scores[i][j])
    i = j = 0
    while i < len(rows) and j < len(columns):
        if scores[i][j] and best[i][j] == best[i + 1][j + 1] + scores[i][j]:
            yield rows[i], columns[j]
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1


class Region(NamedTuple):
    """A part of three versions, as ranges of each; those of the sides are as in `base` if they have not changed."""

    base: range
    ours: range
    theirs: range
    ours_changed: bool = False
    theirs_changed: bool = False


def three_way(
    base: Sequence[Hashable], ours: Sequence[Hashable], theirs: Sequence[Hashable], *, are_apart: bool = False
) -> Iterator[Region]:
    """Yield the regions of three versions in order. Changes of both sides are one region only if they overlap.

    With `are_apart`, as many elements in place of others are a change of each of them.
    """
    changes = deque(
        sorted(
            (start, stop, side, length)
            for side, version in enumerate((ours, theirs))
            for start, stop, length in _changes(base, version, are_apart=are_apart)
        )
    )
    place, starts = 0, [0, 0]
    while changes or place < len(base):
        start, stop = changes[0][:2] if changes else (len(base), len(base))
        if place < start:
            ranges = [range(first, first + start - place) for first in starts]
            yield Region(range(place, start), ranges[0], ranges[1])
            starts = [each.stop for each in ranges]
        longer, changed = [0, 0], [False, False]
        while changes and (not any(changed) or changes[0][0] < stop or changes[0][:2] == (start, stop)):
            first, last, side, length = changes.popleft()
            stop = max(stop, last)
            longer[side] += length - (last - first)
            changed[side] = True
        if any(changed):
            ranges = [range(first, first + stop - start + more) for first, more in zip(starts, longer, strict=True)]
            yield Region(range(start, stop), ranges[0], ranges[1], *changed)
            starts = [each.stop for each in ranges]
        place = stop


def _changes(
    base: Sequence[Hashable], version: Sequence[Hashable], *, are_apart: bool
) -> Iterator[tuple[int, int, int]]:
    """Yield start and stop in `base` of what has changed, and its length in `version`."""
    place = (0, 0)
    for until in [*match(base, version), (len(base), len(version))]:
        removed, added = until[0] - place[0], until[1] - place[1]
        if are_apart and removed == added:
            for index in range(place[0], until[0]):
                yield index, index + 1, 1
        elif removed or added:
            yield place[0], until[0], added
        place = (until[0] + 1, until[1] + 1)
