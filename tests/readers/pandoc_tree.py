"""pandoc's tree: how one is built, and how those of all destinations are brought to the same form.

A destination may say in many ways that a word is bold: by an element, by a style on a span. `tidy` says all of them in
pandoc's words, sets the marks of a line as deep as they must be, and leaves out what only lays out:

- styles of spans become marks: weight, slant, lines, height, a fixed font (code), a ground (`.mark`);
- a table of one cell that holds anything is a division, `.cell`, and `.shaded` where it has a ground; where it holds nothing
  but lines in a fixed font, these are a block of code, `.coloured` where they are of more than one colour;
- columns are aligned as their cells are; empty paragraphs, and attributes that a reader does not see, go.

The tree is JSON, as https://hackage.haskell.org/package/pandoc-types/docs/Text-Pandoc-Definition.html describes it.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

Json = Any

Mark = tuple[str, ...]
"""A mark on text: pandoc's word for it, and what belongs to it, such as a link's target."""

NO_MARKS: frozenset[Mark] = frozenset()
STRONG: Mark = ("Strong",)
EMPHASIS: Mark = ("Emph",)
STRIKEOUT: Mark = ("Strikeout",)
UNDERLINE: Mark = ("Underline",)
SUPERSCRIPT: Mark = ("Superscript",)
SUBSCRIPT: Mark = ("Subscript",)
QUOTED: Mark = ("Quoted",)
CODE: Mark = ("Code",)
HIGHLIGHT: Mark = ("Span", "mark")
INDENTED: Mark = ("Span", "indented")

COLOURED = "coloured"
"""An attribute of a cell that no HTML has: its text is of more than one colour."""

_SIMPLE_MARKS = frozenset({STRONG, EMPHASIS, STRIKEOUT, UNDERLINE, SUPERSCRIPT, SUBSCRIPT})

_ORDER = (
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
"""Which mark stands outside where two hold as far."""

_SPAN_CLASSES = frozenset({"indented", "kbd", "mark", "small", "dfn", "abbr"})
_DIVISIONS = frozenset({"callout", "cell"})
_TEXTS = frozenset({"Para", "Plain"})
_SIDES = frozenset({"left", "center", "right"})
_HARD_SPACE, _TEXT_FORM = "\u00a0", "\ufe0e"
_BOX, _CHECKED_BOX = "☑", "☒"
_GROUNDS = ("background-color", "background", "bgcolor")
_NO_GROUND = re.compile(r"transparent|none|white|#fff(?:fff)?|rgb\(255, ?255, ?255\)", re.IGNORECASE)
_FIXED = re.compile(r"mono|consolas|courier|menlo", re.IGNORECASE)
_LENGTH = re.compile(r"[1-9][0-9.]*(?:pt|px|in|em)")
_BORDER = re.compile(r"border(?:-(?:top|left|right|bottom))?")
_COLOUR = re.compile(r"(?<!-)color: ?(#[0-9a-f]{3,6})")
_NUMBERED = re.compile(r"\w{1,9}\. ")
_RULE = re.compile(r"\s*─{3,}\s*")


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a line: text, or one of pandoc's inlines that holds no marks; and the marks that are on it."""

    content: Json
    marks: frozenset[Mark] = NO_MARKS

    @property
    def is_space(self) -> bool:
        return isinstance(self.content, str) and not self.content.strip(" ")


def is_fixed(font: str) -> bool:
    """Tell whether a list of fonts is one whose letters are equally wide."""
    return bool(_FIXED.search(font))


def element(kind: str, content: Json = None) -> Json:
    """Return one of pandoc's elements."""
    return {"t": kind} if content is None else {"t": kind, "c": content}


def division(classes: Sequence[str], blocks: Sequence[Json]) -> Json:
    return element("Div", [["", list(classes), []], list(blocks)])


def image(source: str, alt: str, title: str = "", sizes: Mapping[str, str] | None = None) -> Json:
    attributes = [[name, value] for name, value in (sizes or {}).items() if value]
    return element("Image", [["", [], attributes], [element("Str", alt)] if alt else [], [source, title]])


def cell(blocks: Sequence[Json], alignment: str = "AlignDefault", rows: int = 1, columns: int = 1) -> Json:
    return [["", [], []], element(alignment), rows, columns, list(blocks)]


def table(head: Sequence[Sequence[Json]], body: Sequence[Sequence[Json]], caption: Sequence[Json] = ()) -> Json:
    """Return a table of rows of cells."""
    rows = [[[["", [], []], list(row)] for row in part] for part in (head, body)]
    widths = [sum(each[3] for each in row) for row in (*head, *body)]
    columns = [
        [element(_alignment_of(number, body or head)), element("ColWidthDefault")] for number in range(max(widths))
    ]
    no_attributes = ["", [], []]
    bodies = [[no_attributes, 0, [], rows[1]]]
    return element(
        "Table",
        [no_attributes, [None, list(caption)], columns, [no_attributes, rows[0]], bodies, [no_attributes, []]],
    )


def _alignment_of(column: int, rows: Sequence[Sequence[Json]]) -> str:
    """Return how the cells of a column are aligned, if they agree."""
    found = {row[column][1]["t"] for row in rows if len(row) > column}
    alignment: str = found.pop() if len(found) == 1 else "AlignDefault"
    return alignment


# Lines


def inlines(pieces: Iterable[Piece]) -> list[Json]:
    """Return pandoc's inlines for pieces: marks begin as early and hold as far as they can, and never at a space."""
    return _nested(_with_spaces_outside(_joined(pieces)))


def lines_of(pieces: Iterable[Piece]) -> list[list[Piece]]:
    """Split pieces where a line breaks."""
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
    """Return lines that keep their ends, and the spaces at their beginnings."""
    return element(
        "LineBlock",
        [inlines([_hard_indented(piece, not number) for number, piece in enumerate(line)]) for line in lines],
    )


def _hard_indented(piece: Piece, is_first: bool) -> Piece:
    if not is_first or not isinstance(piece.content, str):
        return piece
    stripped = piece.content.lstrip(" ")
    return replace(piece, content=_HARD_SPACE * (len(piece.content) - len(stripped)) + stripped)


def _joined(pieces: Iterable[Piece]) -> list[Piece]:
    """Return pieces of which no two neighbours are text with the same marks."""
    joined: list[Piece] = []
    for piece in pieces:
        last = joined[-1] if joined else None
        if last and isinstance(piece.content, str) and isinstance(last.content, str) and piece.marks == last.marks:
            joined[-1] = replace(last, content=last.content + piece.content)
        elif piece.content != "":
            joined.append(piece)
    return joined


def _with_spaces_outside(pieces: Sequence[Piece]) -> list[Piece]:
    """Return pieces in which a space at the edge of a mark stands outside of it."""
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
            marks_behind = split[number + 1].marks if number + 1 < len(split) else NO_MARKS
            split[number] = replace(piece, marks=piece.marks & marks_before & marks_behind)
    return _joined(split)


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
        mark = min(ends, key=lambda mark: (-ends[mark], _ORDER.index(mark[0])))
        inner = [replace(each, marks=each.marks - {mark}) for each in pieces[position : ends[mark]]]
        nested.append(_marked(mark, inner))
        position = ends[mark]
    return nested


def _end(pieces: Sequence[Piece], start: int, mark: Mark) -> int:
    """Return where a mark that holds at a place ends."""
    if mark == CODE:
        # Code holds nothing but text.
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
    """Yield the pieces of inlines, each with its marks."""
    for inline in nested:
        kind = inline["t"]
        if kind in _INLINES:
            yield from _INLINES[kind](inline.get("c"), marks)
        elif (kind,) in _SIMPLE_MARKS:
            yield from pieces_of(inline["c"], marks | {(kind,)})
        else:
            yield Piece(inline, marks)


def _pieces_of_text(content: Json, marks: frozenset[Mark]) -> Iterator[Piece]:
    yield Piece(content.replace(_HARD_SPACE, " "), marks)


def _piece_of_space(_content: Json, marks: frozenset[Mark]) -> Iterator[Piece]:
    yield Piece(" ", marks)


def _pieces_of_code(content: Json, marks: frozenset[Mark]) -> Iterator[Piece]:
    yield Piece(content[1].replace(_HARD_SPACE, " "), marks | {CODE})


def _pieces_of_link(content: Json, marks: frozenset[Mark]) -> Iterator[Piece]:
    target, title = content[2]
    for piece in pieces_of(content[1], marks | {("Link", target, title)}):
        yield replace(piece, marks=piece.marks - {UNDERLINE})


def _pieces_of_image(content: Json, marks: frozenset[Mark]) -> Iterator[Piece]:
    (_, _, pairs), alt, (source, title) = content
    sizes = {name: value for name, value in pairs if name in {"width", "height"}}
    yield Piece(image(source, "".join(_text(alt)), title, sizes), marks)


def _pieces_of_quotation(content: Json, marks: frozenset[Mark]) -> Iterator[Piece]:
    yield from pieces_of(content[1], marks | {QUOTED})


def _pieces_of_note(content: Json, marks: frozenset[Mark]) -> Iterator[Piece]:
    yield Piece(element("Note", tidy(content)), marks)


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
    found = marks | marks_of_style(attributes.get("style", ""))
    found |= {("Span", name) for name in classes if name in _SPAN_CLASSES}
    if attributes.get("dir") == "rtl":
        found |= {("Dir", "rtl")}
    yield from pieces_of(inner, found)


def marks_of_style(style: str) -> frozenset[Mark]:
    """Return the marks that a span's style is the same as."""
    declared = _declared(style)
    lines = declared.get("text-decoration", "")
    weight = declared.get("font-weight", "")
    fixed = is_fixed(declared.get("font-family", ""))
    held = {
        STRONG: weight == "bold" or (weight.isdecimal() and int(weight) >= 600),
        EMPHASIS: declared.get("font-style") == "italic",
        STRIKEOUT: "line-through" in lines,
        UNDERLINE: "underline" in lines,
        SUPERSCRIPT: declared.get("vertical-align") == "super",
        SUBSCRIPT: declared.get("vertical-align") == "sub",
        CODE: fixed,
        HIGHLIGHT: not fixed and _has_ground(declared),
        INDENTED: _LENGTH.match(declared.get("margin-left", "")) is not None,
    }
    return frozenset(mark for mark, holds in held.items() if holds)


def _declared(style: str) -> dict[str, str]:
    pairs = (declaration.partition(":") for declaration in style.split(";"))
    return {name.strip(): value.strip() for name, _, value in pairs if value}


def _has_ground(declared: Mapping[str, str]) -> bool:
    ground = next((declared[name] for name in _GROUNDS if name in declared), "none")
    return not _NO_GROUND.fullmatch(ground)


def _text(nested: Iterable[Json]) -> Iterator[str]:
    return _text_of(pieces_of(nested))


def _text_of(pieces: Iterable[Piece]) -> Iterator[str]:
    for piece in pieces:
        if isinstance(piece.content, str):
            yield piece.content
        elif piece.content["t"] == "SoftBreak":
            yield " "


_INLINES: Mapping[str, Callable[[Json, frozenset[Mark]], Iterator[Piece]]] = {
    "Str": _pieces_of_text,
    "Space": _piece_of_space,
    "Code": _pieces_of_code,
    "Link": _pieces_of_link,
    "Image": _pieces_of_image,
    "Span": _pieces_of_span,
    "Quoted": _pieces_of_quotation,
    "Note": _pieces_of_note,
    "RawInline": _pieces_of_raw,
}


# Blocks


def tidy(blocks: Iterable[Json]) -> list[Json]:
    """Return blocks in the form that this module's docstring describes."""
    return [tidied for block in blocks for tidied in _BLOCKS[block["t"]](block["t"], block.get("c"))]


def _lines(kind: str, content: Json) -> list[Json]:
    pieces = _joined(pieces_of(content))
    if all(piece.is_space or piece.content == element("LineBreak") for piece in pieces):
        return []
    if len(pieces) == 1 and isinstance(pieces[0].content, str) and _RULE.fullmatch(pieces[0].content):
        return [element(kind, [element("Str", "───")])]
    return [element(kind, inlines(_trimmed(pieces)))]


def _trimmed(pieces: Sequence[Piece]) -> Iterator[Piece]:
    """Yield the pieces of a paragraph, in which spaces at the edges say nothing."""
    for number, piece in enumerate(pieces):
        content = piece.content
        if isinstance(content, str) and CODE not in piece.marks:
            content = content.lstrip(" ") if number == 0 else content
            content = content.rstrip(" ") if number == len(pieces) - 1 else content
        yield replace(piece, content=content)


def _heading(kind: str, content: Json) -> list[Json]:
    level, (anchor, _, pairs), nested = content
    kept = [pair for pair in pairs if pair == ["dir", "rtl"]]
    return [element(kind, [level, [anchor, [], kept], _without_weight(nested)])]


def _without_weight(nested: Sequence[Json]) -> list[Json]:
    """Return the inlines of a heading or a header's cell: where all is bold, that is no mark of the author's."""
    pieces = list(pieces_of(nested))
    if all(STRONG in piece.marks for piece in pieces):
        pieces = [replace(piece, marks=piece.marks - {STRONG}) for piece in pieces]
    return inlines(pieces)


def _line_block(kind: str, content: Json) -> list[Json]:
    return [element(kind, content)]


def _code(kind: str, content: Json) -> list[Json]:
    (_, classes, _), text = content
    return [element(kind, [["", [name for name in classes if name], []], text.replace(_HARD_SPACE, " ")])]


def _quote(kind: str, content: Json) -> list[Json]:
    return [element(kind, tidy(content))]


def _division(_kind: str, content: Json) -> list[Json]:
    (_, classes, pairs), blocks = content
    kept = [pair for pair in pairs if pair == ["dir", "rtl"]]
    if kept or _DIVISIONS & set(classes):
        return [element("Div", [["", classes, kept], tidy(blocks)])]
    return tidy(blocks)


def _bullets(kind: str, content: Json) -> list[Json]:
    return [element(kind, [_item(item) for item in content])]


def _numbers(kind: str, content: Json) -> list[Json]:
    attributes, items = content
    tidied = [_item(item) for item in items]
    if attributes[1]["t"] == "DefaultStyle" and all(
        item and _NUMBERED.match("".join(_text_of_block(item[0]))) for item in tidied
    ):
        # Its numbers are text, and it shows no others.
        return [element("BulletList", tidied)]
    return [element(kind, [attributes, tidied])]


def _text_of_block(block: Json) -> Iterator[str]:
    return _text(block["c"]) if block["t"] in _TEXTS else iter(())


def _item(blocks: Sequence[Json]) -> list[Json]:
    """Return an item, a ticked box at its beginning in the one form that pandoc knows."""
    tidied = tidy(blocks)
    first = tidied[0] if tidied else None
    if first and first["t"] in _TEXTS and first["c"][0]["t"] == "Str":
        text = first["c"][0]["c"].replace(_TEXT_FORM, "")
        if text.startswith(_BOX):
            text = _CHECKED_BOX + text.removeprefix(_BOX)
        rest = text[2:] if text[:2] in {"☐ ", "☒ "} else None
        start = (
            [element("Str", text)]
            if rest is None
            else [element("Str", text[0]), element("Space"), element("Str", rest)]
        )
        tidied[0] = element(first["t"], [*(part for part in start if part.get("c") != ""), *first["c"][1:]])
    return tidied


def _definitions(kind: str, content: Json) -> list[Json]:
    return [element(kind, [[inlines(pieces_of(term)), [tidy(each) for each in given]] for term, given in content])]


def _figure(_kind: str, content: Json) -> list[Json]:
    _, (_, caption), blocks = content
    return [division(["figure"], [*tidy(blocks), *tidy(caption)])]


def _raw(kind: str, content: Json) -> list[Json]:
    return [] if content[1].startswith(("<!--", "<style", "</style", "<wbr", "</wbr")) else [element(kind, content)]


def _unchanged(kind: str, content: Json) -> list[Json]:
    return [element(kind, content)]


def _table(_kind: str, content: Json) -> list[Json]:
    _, (_, caption), _, (_, head), bodies, (_, foot) = content
    rows = [row for _, _, heads, body in bodies for row in (*heads, *body)]
    header, body = (
        [[_Cell(each) for each in row] for _, row in head],
        [[_Cell(each) for each in row] for _, row in (*rows, *foot)],
    )
    every = [each for row in (*header, *body) for each in row]
    full = [each for each in every if each.blocks]
    if not full:
        return [element("HorizontalRule")] if any(each.has_border for each in every) else []
    if len(full) == 1 and not header and (len(body) == 1 or max(map(len, body)) == 1):
        # Where a cell can have no border, one that is nothing but a colour is its bar.
        return [full[0].division(has_bar=any(each.has_ground for each in every if not each.blocks))]
    parts = (
        [[each.made(is_head=True) for each in row] for row in header],
        [[each.made() for each in row] for row in body],
    )
    return [table(*parts, caption=tidy(caption))]


class _Cell:
    """A cell of a table, and what its attributes and style say."""

    def __init__(self, found: Json) -> None:
        (_, self._classes, pairs), alignment, self._rows, self._columns, self._found = found
        self._alignment: str = alignment["t"]
        attributes = dict(pairs)
        self._style = attributes.get("style", "")
        self._declared = {**attributes, **_declared(self._style)}
        self.blocks = tidy(self._found)

    @property
    def has_border(self) -> bool:
        """Whether there is a line at any side that can be told from the ground."""
        ground = next((self._declared[name] for name in _GROUNDS if name in self._declared), "#ffffff")
        borders = [value for name, value in self._declared.items() if _BORDER.fullmatch(name)]
        return any(_LENGTH.search(border) and ground not in border.split() for border in borders)

    @property
    def has_ground(self) -> bool:
        """Whether there is a colour behind it that can be told from the page."""
        return _has_ground(self._declared)

    def division(self, *, has_bar: bool) -> Json:
        """Return the cell as a table's only one."""
        classes = {"shaded": self.has_ground, "bordered": self.has_border or has_bar, "cell": True}
        code = self._code()
        colours = ["coloured"] if COLOURED in self._declared or len(set(_COLOUR.findall(str(self._found)))) > 1 else []
        blocks = self.blocks if code is None else [element("CodeBlock", [["", colours, []], code])]
        return division([name for name, holds in classes.items() if holds], blocks)

    def made(self, *, is_head: bool = False) -> Json:
        """Return the cell as one of many."""
        marks = marks_of_style(self._style) & {STRONG}
        blocks = self.blocks
        if marks:
            blocks = [_with_lines(block, lambda lines: inlines(pieces_of(lines, marks))) for block in blocks]
        if is_head:
            blocks = [_with_lines(block, _without_weight) for block in blocks]
        return cell(blocks, self._aligned(), self._rows, self._columns)

    def _aligned(self) -> str:
        styles = [self._declared, *(_declared(style) for block in self._found for style in _styles(block))]
        said = [name for name in self._classes if name in _SIDES]
        said += [declared["text-align"] for declared in styles if declared.get("text-align") in _SIDES]
        return f"Align{said[0].capitalize()}" if said else self._alignment

    def _code(self) -> str | None:
        """Return the text of a cell that holds nothing but lines in a fixed font."""
        fixed = is_fixed(self._declared.get("font-family", self._declared.get("font", "")))
        if any(block["t"] not in _TEXTS for block in self._found):
            return None
        lines = [line for block in self._found for line in lines_of(pieces_of(block["c"]))]
        pieces = [piece for line in lines for piece in line]
        texts = [piece for piece in pieces if isinstance(piece.content, str) and not piece.is_space]
        if not texts or not all(fixed or CODE in piece.marks for piece in texts):
            return None
        return "\n".join("".join(_text_of(line)) for line in lines)


def _with_lines(block: Json, change: Callable[[Json], Json]) -> Json:
    """Return a block, its inlines changed where it is a text."""
    return element(block["t"], change(block["c"])) if block["t"] in _TEXTS else block


def _styles(block: Json) -> Iterator[str]:
    """Yield the styles of what stands in a paragraph."""
    for inline in block["c"] if block["t"] in _TEXTS else ():
        if inline["t"] == "Span":
            yield dict(inline["c"][0][2]).get("style", "")


_BLOCKS: Mapping[str, Callable[[str, Json], list[Json]]] = {
    "Para": _lines,
    "Plain": _lines,
    "Header": _heading,
    "LineBlock": _line_block,
    "CodeBlock": _code,
    "BlockQuote": _quote,
    "Div": _division,
    "BulletList": _bullets,
    "OrderedList": _numbers,
    "DefinitionList": _definitions,
    "Figure": _figure,
    "Table": _table,
    "RawBlock": _raw,
    "HorizontalRule": _unchanged,
}
