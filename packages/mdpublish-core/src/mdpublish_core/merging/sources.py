"""Edited leaves written into the source's lines: what has not changed keeps its bytes.

The document is written as Markdown twice, before and after the edits, in our own style. What differs between the two is
what to change in the source, a unit at a time: the lines of one leaf, with the markers of what begins with it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise, takewhile
from typing import NamedTuple

from mdpublish_core import nodes
from mdpublish_core.merging.alignment import Leaf, document_of, leaves_of, note_label, three_way
from mdpublish_core.merging.changes import Entry, shared
from mdpublish_core.strings.lazy_patterns import compile_lazily

Parse = Callable[[str], nodes.Document]

_TOKEN = compile_lazily(r"[^\W_]+|\n|[^\S\n]+|.", 0)
_RETURN = compile_lazily(r"\r(?!\n)", 0)
_NOTHING_SHOWN = compile_lazily(r"[\s>]*(?:$|:{3,}\s*$|</\w+>\s*$)|[ >]{0,6}(?:\[(?!\^)[^\]]+\]:|<!--.*-->\s*$)", 0)
"""A line between two units: empty, a definition of a link, a comment, or the end of a container."""
_ANCHOR = compile_lazily(r"\s*<a (?:id|name)=[^<>]*></a>\s*$", 0)
_DEFINITION = compile_lazily(r"[ >]*(?:\[|<!--)", 0)
_QUOTE_MARK = compile_lazily(r"\s*>[ ]?", 0)
_ITEM_MARK = compile_lazily(r"\s*(?:[-+*]|\d+[.)])(?:[ ]{1,4}(?![ ])|[ ]|$)", 0)
_NOTE_MARK = compile_lazily(r"\[\^[^\]]+\]:\s*", 0)
_NOTE_INDENT = "    "

_CONTINUED: dict[type[nodes.Token], str] = {
    nodes.Quote: "> ",
    nodes.Callout: "> ",
    nodes.FootnoteDefinition: _NOTE_INDENT,
}
"""How our own style continues containers but items."""

_MARKS = {
    nodes.Quote: _QUOTE_MARK,
    nodes.Callout: _QUOTE_MARK,
    nodes.ListItem: _ITEM_MARK,
    nodes.TaskItem: _ITEM_MARK,
    nodes.FootnoteDefinition: _NOTE_MARK,
}


class _Unit(NamedTuple):
    """Lines of a text: those of some leaves, and what follows them up to the next unit."""

    leaves: range
    content: str
    gap: str


class _SourceText:
    """A text in units; `head` is what stands before the first."""

    def __init__(self, markdown: str, leaves: Sequence[Leaf], breaks: set[int] | None = None) -> None:
        # As the parser does: a carriage return alone ends a line, too.
        self.lines = _RETURN.sub("\n", markdown).split("\n")
        starts = _starts(leaves)
        self.breaks = {index for index, start in enumerate(starts) if start is not None}
        taken = set(starts)
        firsts = sorted(
            (_with_anchor(self.lines, starts[index] or 1, taken), index)
            for index in (self.breaks if breaks is None else breaks & self.breaks)
        )
        indexes = sorted(index for _, index in firsts)
        ends = dict(zip(indexes, [*indexes[1:], len(leaves)], strict=False))
        stops = [*(line - 1 for line, _ in firsts[1:]), len(self.lines)]
        self.head = "".join(f"{line}\n" for line in self.lines[: firsts[0][0] - 1]) if firsts else markdown
        self.units = [
            _Unit(range(index, ends[index]), *_divided(self.lines[line - 1 : stop], is_last=stop == len(self.lines)))
            for (line, index), stop in zip(firsts, stops, strict=False)
        ]


def _starts(leaves: Sequence[Leaf]) -> list[int | None]:
    """Return the line on which each leaf begins; None for one that does not begin on a line of its own."""
    starts: list[int | None] = []
    taken: set[int] = set()
    path: Sequence[nodes.Token] = ()
    for leaf in leaves:
        known = set(map(id, path))
        beginning = [*(each for each in leaf.path if id(each) not in known), leaf.node]
        numbers = [number for each in beginning if (number := nodes.line_of(each))]
        start = min(numbers, default=None)
        starts.append(None if start in taken else start)
        taken |= {start} if start else set()
        path = leaf.path
    return starts


def _with_anchor(lines: Sequence[str], start: int, taken: AbstractSet[int | None]) -> int:
    """Return the first line of the anchors directly above a block, which belong to it, or the block's own."""
    while start > 1 and start - 1 not in taken and _ANCHOR.match(lines[start - 2]):
        start -= 1
    return start


def _divided(lines: Sequence[str], *, is_last: bool) -> tuple[str, str]:
    """Return the lines of a unit, and what follows them."""
    end = len(lines)
    while end > 1 and _NOTHING_SHOWN.match(lines[end - 1]):
        end -= 1
    content = "\n".join(lines[:end])
    return content, "\n".join(["", *lines[end:], *([] if is_last else [""])])


def write(markdown: str, source: nodes.Document, entries: Sequence[Entry], parse: Parse) -> tuple[str, bool]:
    """Return the source with the edits, and whether only the edited blocks are written anew.

    What is written is read again: where the parts do not make the edited document, all is written in our style.
    """
    from mdpublish_core.writers.markdown import to_markdown

    leaves = leaves_of(source)
    if [entry.origin for entry in entries] == [*range(len(leaves))] and all(
        _is_unchanged(entry, leaves) for entry in entries
    ):
        return markdown, True
    document = document_of([entry.leaf for entry in entries], source)
    ranks = {note.label: number for number, note in enumerate(document.footnote_definitions, 1)}
    entries = sorted(entries, key=lambda entry: ranks.get(note_label(entry.leaf) or "", 0))
    canonical = to_markdown(document)
    expected = parse(canonical)
    before = to_markdown(source)
    written, edited = leaves_of(parse(before)), leaves_of(expected)
    if len(written) == len(leaves) and len(edited) == len(entries):
        patching = _Patching(markdown, leaves, (before, written), (canonical, edited), entries)
        for keeps_words in (True, False):
            patched = patching.patched(keeps_words=keeps_words)
            if parse(patched) == expected:
                return patched, True
    return canonical, False


def units_of(markdown: str, leaves: Sequence[Leaf]) -> list[str]:
    """Return the lines before the first unit, such as front matter, the units, and what is between and after them."""
    content = _SourceText(markdown, leaves)
    head = re.split(r"(?<=\n)", content.head)
    parts = [*head, *(part for unit in content.units for part in (unit.content + unit.gap[:1], unit.gap[1:]))]
    return [part for part in parts if part]


def _is_unchanged(entry: Entry, leaves: Sequence[Leaf]) -> bool:
    leaf = leaves[entry.origin] if entry.origin is not None else None
    if leaf is None or entry.leaf.node is not leaf.node:
        return False
    return len(entry.leaf.path) == len(leaf.path) == len(shared(entry.leaf.path, leaf.path))


class _Piece(NamedTuple):
    """A part of the result: a unit of the source or a new one, with its place in the source, -1 before the first."""

    content: str
    unit: _Unit
    place: int
    is_new: bool


class _Patching:
    """The source's units, those of the same document in our style, and those of the edited one."""

    def __init__(
        self,
        markdown: str,
        leaves: Sequence[Leaf],
        before: tuple[str, Sequence[Leaf]],
        after: tuple[str, Sequence[Leaf]],
        entries: Sequence[Entry],
    ) -> None:
        breaks = _SourceText(markdown, leaves).breaks & _SourceText(*before).breaks
        self._source, styled = _SourceText(markdown, leaves, breaks), _SourceText(*before, breaks)
        self._after = _SourceText(*after)
        self._leaves, self._after_leaves, self._entries = leaves, after[1], entries
        self._places = {unit.leaves: place for place, unit in enumerate(self._source.units)}
        self._styled = {unit.leaves: unit.content for unit in styled.units}
        self._containers = {id(each) for leaf in leaves for each in leaf.path}
        self._followers = dict(pairwise(self._after.units))
        self._has_returns = markdown.count("\r\n") * 2 > markdown.count("\n")

    def patched(self, *, keeps_words: bool) -> str:
        """Return the source with the edits; with `keeps_words`, changed units keep what has not changed in them."""
        retained: dict[int, _Piece] = {}
        added: dict[int, list[_Piece]] = {}
        last = -1
        for unit in sorted(self._after.units, key=lambda unit: unit.leaves.start):
            entries = self._entries[unit.leaves.start : unit.leaves.stop]
            place = self._place_of(entries)
            if place is not None and all(_is_unchanged(entry, self._leaves) for entry in entries):
                content = self._source.units[place].content
            elif place is not None and keeps_words:
                content = self._with_words(place, unit, entries)
            else:
                content = self._indented(unit, entries[0].leaf)
            if place is None or place in retained or any(entry.is_moved for entry in entries):
                added.setdefault(last, []).append(_Piece(content, unit, last, is_new=True))
            else:
                retained[place] = _Piece(content, unit, place, is_new=False)
                last = place
        pieces = [*added.get(-1, ())]
        for place in sorted(retained):
            pieces += [retained[place], *added.get(place, ())]
        return "".join(self._assembled(pieces))

    def _place_of(self, entries: Sequence[Entry]) -> int | None:
        """Return the place of the source's unit that a unit is, or was before its words were edited."""
        origins = [entry.origin for entry in entries if entry.origin is not None and self._is_in_place(entry)]
        if len(origins) < len(entries) or origins != [*range(origins[0], origins[0] + len(entries))]:
            return None
        return self._places.get(range(origins[0], origins[-1] + 1))

    def _is_in_place(self, entry: Entry) -> bool:
        path = self._leaves[entry.origin or 0].path
        return [(type(each), nodes.line_of(each)) for each in entry.leaf.path] == [
            (type(each), nodes.line_of(each)) for each in path
        ]

    def _with_words(self, place: int, unit: _Unit, entries: Sequence[Entry]) -> str:
        source = self._source.units[place]
        contents = self._styled[source.leaves], source.content, unit.content
        if isinstance(entries[0].leaf.node, nodes.TableRow | nodes.SetextHeading):
            contents = _unpadded(contents[0]), contents[1], _unpadded(contents[2])
        base, ours, theirs = (_TOKEN.findall(content) for content in contents)
        words: list[str] = []
        for region in three_way(base, ours, theirs):
            if not region.theirs_changed or (region.ours_changed and not region.base):
                words += ours[region.ours.start : region.ours.stop]
            if region.theirs_changed:
                words += theirs[region.theirs.start : region.theirs.stop]
        return "".join(words)

    def _indented(self, unit: _Unit, leaf: Leaf) -> str:
        """Return a unit in our style, below the containers that the source has."""
        first = unit.leaves.start
        outer = shared(self._after_leaves[first].path, self._after_leaves[first - 1].path) if first else ()
        # A list that begins here has the indentation of its other items.
        depth = len(outer) + any(isinstance(each, nodes.List) for each in leaf.path[len(outer) : len(outer) + 1])
        known = [*takewhile(lambda each: id(each) in self._containers, leaf.path[:depth])]
        width = sum(len(_CONTINUED.get(type(each), "")) for each in known if not isinstance(each, nodes.ListItem))
        width += sum(len(each.leader) + 1 for each in known if isinstance(each, nodes.ListItem))
        prefix = self._prefix(known)
        content = "\n".join((prefix + line[width:]).rstrip(" ") if line else line for line in unit.content.split("\n"))
        return content.replace("\n", "\r\n") + "\r" if self._has_returns else content

    def _prefix(self, path: Sequence[nodes.Token]) -> str:
        """Return how lines of the source begin in these containers, as the first line of the innermost shows."""
        if not path:
            return ""
        is_list = isinstance(path[-1], nodes.List)
        innermost = path[-1].children[0] if is_list else path[-1]
        number = nodes.line_of(innermost)
        rest, prefix = self._source.lines[number - 1].expandtabs(4) if number else "", ""
        for container in path:
            mark = _MARKS.get(type(container))
            begins = (
                not isinstance(container, nodes.ListItem | nodes.FootnoteDefinition) or container.line_number == number
            )
            marker = mark.match(rest) if mark and begins else None
            if marker:
                rest = rest[marker.end() :]
                is_note = isinstance(container, nodes.FootnoteDefinition)
                prefix += _NOTE_INDENT if is_note else re.sub(r"[^>]", " ", marker[0])
        return prefix + " " * (len(rest) - len(rest.lstrip(" "))) if is_list else prefix

    def _assembled(self, pieces: Sequence[_Piece]) -> Iterator[str]:
        yield self._source.head
        anchors = [index for index, piece in enumerate(pieces) if not piece.is_new]
        starts = [*anchors] if anchors[:1] == [0] else [None, *anchors]
        for start, stop in zip(starts, [*starts[1:], len(pieces)], strict=True):
            anchor = None if start is None else pieces[start]
            following = pieces[stop] if stop is not None and stop < len(pieces) else None
            yield from self._run(anchor, pieces[0 if start is None else start + 1 : stop], following)

    def _run(self, anchor: _Piece | None, new: Sequence[_Piece], following: _Piece | None) -> Iterator[str]:
        """Yield a unit of the source and new ones behind it, up to the next unit of the source."""
        count = len(self._source.units)
        gap = self._source_gap(anchor.place if anchor else -1, following.place if following else count)
        slot = self._slot_of(gap, anchor, new, following)
        run = [anchor, *new]
        for number, piece in enumerate(run):
            if piece is not None:
                yield piece.content
            after = run[number + 1] if number < len(new) else following
            if number == slot:
                yield gap or ""
            elif piece is not None and after is not None:
                yield self._style_gap(piece, after)
            elif piece is not None:
                yield "\n"

    def _slot_of(
        self, gap: str | None, anchor: _Piece | None, new: Sequence[_Piece], following: _Piece | None
    ) -> int | None:
        """Return behind which of a run the source's gap belongs; None for our own gaps everywhere."""
        if anchor is None:
            return 0 if gap else None
        if gap is None:
            return None
        if not new:
            return 0
        lines = [line for line in gap.split("\n") if line.strip(" >\r")]
        if not all(map(_DEFINITION.match, lines)):
            around = self._path(following)
            depth = len(shared(self._path(anchor), around))
            inside = takewhile(lambda piece: len(shared(self._path(piece), self._path(anchor))) > depth, new)
            return len([*inside])
        return len(new) if lines or following is None else None

    def _path(self, piece: _Piece | None) -> Sequence[nodes.Token]:
        return self._after_leaves[piece.unit.leaves.start].path if piece else ()

    def _source_gap(self, place: int, following: int) -> str | None:
        """Return what stands between two units of the source; None if that is a matter of style."""
        units = self._source.units
        if following == place + 1:
            return units[place].gap if place >= 0 else None
        gaps = [unit.gap for unit in units[max(place, 0) : following]]
        end = gaps[-1] if following == len(units) else None
        holders = [gap for gap in gaps if any(map(_DEFINITION.match, gap.split("\n")))]
        if holders:
            return "".join(
                ["\n\n" * (place >= 0 and len(holders) > 1), *(gap.lstrip("\n") for gap in holders[:-1]), holders[-1]]
            )
        if place < 0 or following == len(units):
            return end
        path, gone, after = (self._leaves[units[each].leaves.start].path for each in (place, following - 1, following))
        return gaps[-1] if len(shared(path, gone)) > len(shared(path, after)) else None

    def _style_gap(self, piece: _Piece, after: _Piece) -> str:
        gap = piece.unit.gap if self._followers.get(piece.unit) is after.unit else "\n\n"
        return "\n" + gap[1:].replace("\n", "\r\n") if self._has_returns else gap


def _unpadded(content: str) -> str:
    """Return a row without what aligns its columns, and a heading without the length of its underline."""
    return re.sub(r"([-= ])\1+", r"\1", content)
