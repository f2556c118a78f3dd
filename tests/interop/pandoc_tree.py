"""Normalizes pandoc's tree across destinations.

- Styles of spans become marks: bold, italic, underline and strike, super- and subscript, monospace (code), background
  (`.mark`);
- a table of one cell is a division: `.cell`, `.shaded`, `.bordered`; if all lines are monospaced a code block,
  `.colored` if highlighted;
- columns take their cells' alignment; empty paragraphs and invisible attributes go.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from tests.interop.pandoc_lines import (
    HARD_SPACE,
    Json,
    element,
    inlines,
    joined,
    pieces_of,
    plain_text,
    trimmed,
    without_weight,
)
from tests.interop.pandoc_tables import LINE_BLOCKS, Cell, division, table

_DIVISIONS = frozenset({"callout", "cell"})
_HTML_TEXT = "\ufe0e"
_BOX, _CHECKED_BOX = "☑", "☒"
_NUMBERED = re.compile(r"\w{1,9}\. ")
_RULE = re.compile(r"\s*─{3,}\s*")


def tidy(blocks: Iterable[Json]) -> list[Json]:
    return [tidied for block in blocks for tidied in _BLOCKS[block["t"]](block["t"], block.get("c"))]


def _lines(kind: str, content: Json) -> list[Json]:
    pieces = joined(pieces_of(content))
    if all(piece.is_space or piece.content == element("LineBreak") for piece in pieces):
        return []
    if len(pieces) == 1 and isinstance(pieces[0].content, str) and _RULE.fullmatch(pieces[0].content):
        return [element(kind, [element("Str", "───")])]
    return [element(kind, inlines(trimmed(pieces)))]


def _heading(kind: str, content: Json) -> list[Json]:
    level, (anchor, _, pairs), nested = content
    remaining = [pair for pair in pairs if pair == ["dir", "rtl"]]
    return [element(kind, [level, [anchor, [], remaining], without_weight(nested)])]


def _line_block(kind: str, content: Json) -> list[Json]:
    return [element(kind, content)]


def _code(kind: str, content: Json) -> list[Json]:
    (_, classes, _), code = content
    return [element(kind, [["", [name for name in classes if name], []], code.replace(HARD_SPACE, " ")])]


def _quote(kind: str, content: Json) -> list[Json]:
    return [element(kind, tidy(content))]


def _division(_kind: str, content: Json) -> list[Json]:
    (_, classes, pairs), blocks = content
    remaining = [pair for pair in pairs if pair == ["dir", "rtl"]]
    if remaining or _DIVISIONS & set(classes):
        return [element("Div", [["", classes, remaining], tidy(blocks)])]
    return tidy(blocks)


def _bullets(kind: str, content: Json) -> list[Json]:
    return [element(kind, [_item(item) for item in content])]


def _numbers(kind: str, content: Json) -> list[Json]:
    attributes, items = content
    tidied = [_item(item) for item in items]
    if attributes[1]["t"] == "DefaultStyle" and all(item and _NUMBERED.match(_block_text(item[0])) for item in tidied):
        # The numbers are text.
        return [element("BulletList", tidied)]
    return [element(kind, [attributes, tidied])]


def _block_text(block: Json) -> str:
    return plain_text(pieces_of(block["c"])) if block["t"] in LINE_BLOCKS else ""


def _item(blocks: Sequence[Json]) -> list[Json]:
    tidied = tidy(blocks)
    first = tidied[0] if tidied else None
    if first and first["t"] in LINE_BLOCKS and first["c"][0]["t"] == "Str":
        content = first["c"][0]["c"].replace(_HTML_TEXT, "")
        if content.startswith(_BOX):
            content = _CHECKED_BOX + content.removeprefix(_BOX)
        rest = content[2:] if content[:2] in {"☐ ", "☒ "} else None
        start = (
            [element("Str", content)]
            if rest is None
            else [element("Str", content[0]), element("Space"), element("Str", rest)]
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
    (_, _, attributes), (_, caption), _, (_, head), bodies, (_, foot) = content
    rows = [row for _, _, heads, body in bodies for row in (*heads, *body)]
    header, body = _cells(head), _cells([*rows, *foot])
    every = [each for row in (*header, *body) for each in row]
    full = [each for each in every if each.blocks]
    if not full:
        return [element("HorizontalRule")] if any(each.has_border for each in every) else []
    seen = [each for each in every if each.blocks or each.has_border]
    if ["role", "presentation"] in attributes and max(map(len, body)) == 1 < len(seen):
        # Boxes and rules below each other.
        return [each.division(has_bar=False) if each.blocks else element("HorizontalRule") for each in seen]
    if len(full) == 1 and not header and (len(body) == 1 or max(map(len, body)) == 1):
        # Without borders, an empty colored cell is the bar.
        return [full[0].division(has_bar=any(each.has_background for each in every if not each.blocks))]
    parts = (
        [[each.to_pandoc(is_head=True) for each in row] for row in header],
        [[each.to_pandoc() for each in row] for row in body],
    )
    return [table(*parts, caption=tidy(caption))]


def _cells(rows: Iterable[Json]) -> list[list[Cell]]:
    return [[Cell(cells, tidy(cells[4])) for cells in row] for _, row in rows]


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
