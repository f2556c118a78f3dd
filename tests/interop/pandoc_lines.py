"""Inlines of pandoc's tree as flat pieces of text with marks, and back.

This normalizes nesting: marks begin as early and extend as far as they can, but not at a space.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tests.interop.pandoc_styles import (
    CODE,
    EMPHASIS,
    NO_MARKS,
    QUOTED,
    STRIKEOUT,
    STRONG,
    SUBSCRIPT,
    SUPERSCRIPT,
    UNDERLINE,
    Mark,
    marks_of_style,
)

Json = Any

HARD_SPACE = "\u00a0"

_SIMPLE_MARKS = frozenset({STRONG, EMPHASIS, STRIKEOUT, UNDERLINE, SUPERSCRIPT, SUBSCRIPT})

_MARK_PRIORITY = (
    "Link",
    "Dir",
    "Span",
    "Quoted",
    "Strong",
    "Emph",
    "Strikeout",
    "Underline",
    "Superscript",
    "Subscript",
    "Code",
)
"""Nesting of marks of equal extent."""

_SPAN_CLASSES = frozenset({"indented", "kbd", "mark", "small", "dfn", "abbr"})


@dataclass(frozen=True, slots=True)
class Piece:
    content: Json
    marks: frozenset[Mark] = NO_MARKS

    @property
    def is_space(self) -> bool:
        return isinstance(self.content, str) and not self.content.strip(" ")


def element(kind: str, content: Json = None) -> Json:
    return {"t": kind} if content is None else {"t": kind, "c": content}


def image(source: str, alt: str, title: str = "", sizes: Mapping[str, str] | None = None) -> Json:
    attributes = [[name, value] for name, value in (sizes or {}).items() if value]
    return element("Image", [["", [], attributes], [element("Str", alt)] if alt else [], [source, title]])


def inlines(pieces: Iterable[Piece]) -> list[Json]:
    return _nested(_with_spaces_outside(joined(pieces)))


def lines_of(pieces: Iterable[Piece]) -> list[list[Piece]]:
    lines: list[list[Piece]] = [[]]
    for piece in pieces:
        if isinstance(piece.content, dict) and piece.content["t"] == "LineBreak":
            lines.append([])
        else:
            lines[-1].append(piece)
    return lines


def paragraph(pieces: Iterable[Piece]) -> Json:
    return element("Para", inlines(pieces))


def line_block(lines: Sequence[Sequence[Piece]]) -> Json:
    """Keeps line breaks and leading spaces."""
    return element(
        "LineBlock",
        [inlines([_hard_indented(piece, not number) for number, piece in enumerate(line)]) for line in lines],
    )


def _hard_indented(piece: Piece, is_first: bool) -> Piece:
    if not is_first or not isinstance(piece.content, str):
        return piece
    stripped = piece.content.lstrip(" ")
    return replace(piece, content=HARD_SPACE * (len(piece.content) - len(stripped)) + stripped)


def joined(pieces: Iterable[Piece]) -> list[Piece]:
    joined: list[Piece] = []
    for piece in pieces:
        last = joined[-1] if joined else None
        if last and isinstance(piece.content, str) and isinstance(last.content, str) and piece.marks == last.marks:
            joined[-1] = replace(last, content=last.content + piece.content)
        elif piece.content != "":
            joined.append(piece)
    return joined


def _with_spaces_outside(pieces: Sequence[Piece]) -> list[Piece]:
    """Move spaces at the edges of marks outside."""
    split: list[Piece] = []
    for piece in pieces:
        if not isinstance(piece.content, str) or CODE in piece.marks:
            split.append(piece)
            continue
        body = piece.content.strip(" ")
        before, _, after = piece.content.partition(body) if body else (piece.content, "", "")
        split += [replace(piece, content=part) for part in (before, body, after) if part]
    for number, piece in enumerate(split):
        if piece.is_space and CODE not in piece.marks:
            marks_before = split[number - 1].marks if number else NO_MARKS
            marks_after = split[number + 1].marks if number + 1 < len(split) else NO_MARKS
            split[number] = replace(piece, marks=piece.marks & marks_before & marks_after)
    return joined(split)


def _nested(pieces: Sequence[Piece]) -> list[Json]:
    nested: list[Json] = []
    position = 0
    while position < len(pieces):
        piece = pieces[position]
        if not piece.marks:
            nested.append(element("Str", piece.content) if isinstance(piece.content, str) else piece.content)
            position += 1
            continue
        ends = {mark: _end(pieces, position, mark) for mark in piece.marks}
        mark = min(ends, key=lambda mark: (-ends[mark], _MARK_PRIORITY.index(mark[0])))
        inner = [replace(each, marks=each.marks - {mark}) for each in pieces[position : ends[mark]]]
        nested.append(_marked(mark, inner))
        position = ends[mark]
    return nested


def _end(pieces: Sequence[Piece], start: int, mark: Mark) -> int:
    """Return the end of a mark that begins at `start`."""
    if mark == CODE:
        # Code contains only text.
        return start + 1
    return next((number for number in range(start, len(pieces)) if mark not in pieces[number].marks), len(pieces))


def _marked(mark: Mark, pieces: Sequence[Piece]) -> Json:
    kind, *details = mark
    if kind == "Code":
        (piece,) = pieces
        return element("Code", [["", [], []], piece.content]) if isinstance(piece.content, str) else piece.content
    content = _nested(pieces)
    if kind == "Link":
        return element("Link", [["", [], []], content, details])
    if kind == "Span":
        return element("Span", [["", details, []], content])
    if kind == "Dir":
        return element("Span", [["", [], [["dir", *details]]], content])
    if kind == "Quoted":
        return element("Quoted", [element("DoubleQuote"), content])
    return element(kind, content)


def pieces_of(nested: Iterable[Json], marks: frozenset[Mark] = NO_MARKS) -> Iterator[Piece]:
    for inline in nested:
        kind = inline["t"]
        if kind in _INLINES:
            yield from _INLINES[kind](inline.get("c"), marks)
        elif (kind,) in _SIMPLE_MARKS:
            yield from pieces_of(inline["c"], marks | {(kind,)})
        else:
            yield Piece(inline, marks)


def _pieces_of_string(content: Json, marks: frozenset[Mark]) -> Iterator[Piece]:
    yield Piece(content.replace(HARD_SPACE, " "), marks)


def _piece_of_space(_content: Json, marks: frozenset[Mark]) -> Iterator[Piece]:
    yield Piece(" ", marks)


def _pieces_of_code(content: Json, marks: frozenset[Mark]) -> Iterator[Piece]:
    yield Piece(content[1].replace(HARD_SPACE, " "), marks | {CODE})


def _pieces_of_link(content: Json, marks: frozenset[Mark]) -> Iterator[Piece]:
    target, title = content[2]
    for piece in pieces_of(content[1], marks | {("Link", target, title)}):
        yield replace(piece, marks=piece.marks - {UNDERLINE})


def _pieces_of_image(content: Json, marks: frozenset[Mark]) -> Iterator[Piece]:
    (_, _, pairs), alt, (source, title) = content
    sizes = {name: value for name, value in pairs if name in {"width", "height"}}
    yield Piece(image(source, plain_text(pieces_of(alt)), title, sizes), marks)


def _pieces_of_quotation(content: Json, marks: frozenset[Mark]) -> Iterator[Piece]:
    yield from pieces_of(content[1], marks | {QUOTED})


def _pieces_of_raw(content: Json, marks: frozenset[Mark]) -> Iterator[Piece]:
    if not content[1].startswith("<!--"):
        yield Piece(element("RawInline", content), marks)


def _pieces_of_span(content: Json, marks: frozenset[Mark]) -> Iterator[Piece]:
    (anchor, classes, pairs), inner = content
    attributes = dict(pairs)
    if attributes.get("aria-hidden") == "true":
        return
    if anchor and not inner:
        yield Piece(element("Span", [[anchor, [], []], []]), marks)
        return
    span_marks = marks | marks_of_style(attributes.get("style", ""))
    span_marks |= {("Span", name) for name in classes if name in _SPAN_CLASSES}
    if attributes.get("dir") == "rtl":
        span_marks |= {("Dir", "rtl")}
    yield from pieces_of(inner, span_marks)


def plain_text(pieces: Iterable[Piece]) -> str:
    space = element("SoftBreak")
    parts = (" " if piece.content == space else piece.content for piece in pieces)
    return "".join(part for part in parts if isinstance(part, str))


def trimmed(pieces: Sequence[Piece]) -> Iterator[Piece]:
    for number, piece in enumerate(pieces):
        content = piece.content
        if isinstance(content, str) and CODE not in piece.marks:
            content = content.lstrip(" ") if number == 0 else content
            content = content.rstrip(" ") if number == len(pieces) - 1 else content
        yield replace(piece, content=content)


def without_weight(nested: Sequence[Json]) -> list[Json]:
    """Remove bold from headings and header cells that are all bold."""
    pieces = list(pieces_of(nested))
    if all(STRONG in piece.marks for piece in pieces):
        pieces = [replace(piece, marks=piece.marks - {STRONG}) for piece in pieces]
    return inlines(pieces)


_INLINES: Mapping[str, Callable[[Json, frozenset[Mark]], Iterator[Piece]]] = {
    "Str": _pieces_of_string,
    "Space": _piece_of_space,
    "Code": _pieces_of_code,
    "Link": _pieces_of_link,
    "Image": _pieces_of_image,
    "Span": _pieces_of_span,
    "Quoted": _pieces_of_quotation,
    "RawInline": _pieces_of_raw,
}
