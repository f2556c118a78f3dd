"""Summarizes a normalized pandoc tree in a few words: blocks and inline markup."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

Json = Any

MAX_WORDS = 3

_MARKS = {
    "Strong": "bold",
    "Emph": "italic",
    "Strikeout": "struck out",
    "Underline": "underlined",
    "Superscript": "raised",
    "Subscript": "lowered",
    "Code": "code",
    "Link": "link",
    "Image": "image",
    "LineBreak": "line break",
    "Quoted": "quotation marks",
    "Note": "footnote",
}
_CLASSES = {"kbd": "key", "mark": "marked", "indented": "indented", "small": "small"}
_LISTS = {"BulletList": "list", "OrderedList": "numbers"}
_NAMES = {"HorizontalRule": "rule", "DefinitionList": "definitions", "BlockQuote": "quote"}
_BOXES = ("☐", "☒", "☑")
_SIGN = re.compile(r"\s*(?P<sign>[•◦▪☐☑]|\d+\. )")
_IMPLIED_BY = {
    "list": {"lists in lists", *(f"lists {depth} deep" for depth in range(3, 10))},
    "quote": {"quotes in quotes", *(f"quotes {depth} deep" for depth in range(3, 10))},
    **{f"{box} lines": {"boxes"} for box in _BOXES},
}
"""Words implied by others."""

_FOOTNOTE_REFERENCE = re.compile(r"\[\d+\]")
_TAG = re.compile(r"</?(?P<name>[a-z0-9]+)")


def words_of(blocks: Sequence[Json]) -> str:
    """Return the largest structures first; `text` for plain text."""
    words = list(
        dict.fromkeys([*_headings(blocks), *_depths(blocks), *_blocks(blocks), *_marks(blocks), *_anchors(blocks)])
    )
    words = [word for word in words if word not in _IMPLIED_BY or not _IMPLIED_BY[word] & set(words)]
    shown = words[:MAX_WORDS]
    return ", ".join(shown) + ("…" if len(words) > len(shown) else "") if words else "text"


def _walk(tree: Json) -> Iterator[dict[str, Json]]:
    if isinstance(tree, list):
        for child in tree:
            yield from _walk(child)
    elif isinstance(tree, dict) and "t" in tree:
        yield tree
        yield from _walk(tree.get("c"))


def _parts(element: Json) -> tuple[str, Json]:
    return element["t"], element.get("c")


def _headings(blocks: Sequence[Json]) -> Iterator[str]:
    levels = sorted({element["c"][0] for element in _walk(blocks) if element["t"] == "Header"})
    if levels:
        is_range = len(levels) > 1 and levels == list(range(levels[0], levels[-1] + 1))
        yield f"heading {levels[0]}–{levels[-1]}" if is_range else f"heading {', '.join(map(str, levels))}"


def _depths(blocks: Sequence[Json]) -> Iterator[str]:
    lists, quotes = _depth(blocks, {"BulletList", "OrderedList"}), _depth(blocks, {"BlockQuote"})
    if lists > 1:
        yield "lists in lists" if lists == 2 else f"lists {lists} deep"
    if quotes > 1:
        yield "quotes in quotes" if quotes == 2 else f"quotes {quotes} deep"


def _depth(tree: Json, kinds: set[str]) -> int:
    if isinstance(tree, list):
        return max((_depth(child, kinds) for child in tree), default=0)
    if isinstance(tree, dict):
        return (tree.get("t") in kinds) + _depth(tree.get("c"), kinds)
    return 0


def _blocks(blocks: Sequence[Json]) -> Iterator[str]:
    for element in _walk(blocks):
        kind, content = _parts(element)
        if kind in _LISTS:
            yield from _list(kind, content)
        elif kind == "Div":
            yield " ".join(
                name for name in content[0][1] if name in {"callout", "figure", "shaded", "bordered", "cell"}
            )
        elif kind == "CodeBlock":
            languages = [name for name in content[0][1] if name != "colored"]
            yield " ".join(
                ["colored code" if "colored" in content[0][1] else "code", *(f"({name})" for name in languages)]
            )
        elif kind == "LineBlock":
            yield from (_line(line) for line in content)
        elif kind == "RawBlock":
            yield from (match["name"] for match in _TAG.finditer(content[1]))
        elif kind in {"Para", "Plain"}:
            yield from _paragraph(content)
        elif kind == "Table":
            yield from _table(content)
        elif kind in _NAMES:
            yield _NAMES[kind]


def _paragraph(content: Json) -> Iterator[str]:
    if _plain_text(content) == "───":
        yield "line of signs"
    elif _SIGN.match(_plain_text(content)):
        yield _line(content)


def _table(content: Json) -> Iterator[str]:
    _, _, columns, (_, head), bodies, _ = content
    yield "table"
    cells = [each for _, row in [*head, *(row for _, _, _, body in bodies for row in body)] for each in row]
    if any(rows > 1 or wide > 1 for _, _, rows, wide, _ in cells):
        yield "merged cells"
    if any(alignment["t"] in {"AlignCenter", "AlignRight"} for alignment, _ in columns):
        yield "aligned"


def _list(kind: str, content: Json) -> Iterator[str]:
    start, items = (1, content) if kind == "BulletList" else (content[0][0], content[1])
    yield _LISTS[kind] if start == 1 else f"{_LISTS[kind]} from {start}"
    if any(_plain_text(item[:1]).startswith(_BOXES) for item in items):
        yield "boxes"


def _line(line: Json) -> str:
    match = _SIGN.match(_plain_text(line))
    return "lines" if match is None else "numbered lines" if match["sign"][0].isdecimal() else f"{match['sign']} lines"


def _marks(blocks: Sequence[Json]) -> Iterator[str]:
    for element in _walk(blocks):
        kind, content = _parts(element)
        if kind == "Str" and _FOOTNOTE_REFERENCE.search(content):
            yield "[1]"
        elif kind in _MARKS:
            yield _MARKS[kind]
        elif kind == "Span":
            _, classes, pairs = content[0]
            yield from (_CLASSES[name] for name in classes if name in _CLASSES)
            yield from ("right to left" for pair in pairs if pair == ["dir", "rtl"])
        elif kind == "RawInline":
            yield from (match["name"] for match in _TAG.finditer(content[1]))


def _anchors(blocks: Sequence[Json]) -> Iterator[str]:
    for element in _walk(blocks):
        kind, content = _parts(element)
        if kind == "Span" and content[0][0]:
            yield "anchor"


def _plain_text(tree: Json) -> str:
    return "".join(str(element["c"]) for element in _walk(tree) if element["t"] == "Str")
