"""Normalization of text diagrams."""

import html
import re
from collections.abc import Mapping
from itertools import pairwise

from wcwidth import wcswidth

from mdpublish_core.figures.mermaid.sources import Source
from mdpublish_core.figures.request import MAX_COLUMNS

_ENDS = re.compile(r"[ \t]+$", re.MULTILINE)

# Lines of styles have colors, such as `#123456;`.
_ENTITY_CODE = re.compile(
    r"^[ \t]*(?:style|classDef|linkStyle)\b.*$|(?:#|&#?)(\d{1,7}|[A-Za-z]\w{1,31});", re.MULTILINE
)

_FLOWCHART_LABEL = re.compile(r"\|([^|\n]+)\|")
_RELATION_LABEL = re.compile(r"^[^:\n]*(?:--|\.\.|->)[^:\n]*:(?!::)([^\n]*)$", re.MULTILINE)
_TAG_OR_CODE = re.compile(r"<[^<>\n]*>|[#&]#?\w+;")
_WORD = re.compile(r"[^\W_]+")

# So merman writes attributes of entities and targets of notes.
_DUMP = "(bytes="
_DUMPED_VALUE = re.compile(r'\w+\(bytes=\d+\)="([^"\n]*)"|keys=\[([^\]\n]*)\]')
_REPETITION = re.compile(r' *(?:id|text|member|authored)\(bytes=\d+\)="[^"\n]*" *')
_DUMPED_KEY = re.compile(r'"([^"]*)"')
_SPACES = re.compile(r"(?<=\S) +(?=\S)")

_FIRST_STAND_IN, _LAST_STAND_IN = 0xE100, 0xF8FF
"""Of Unicode's private characters; the first ones have another use."""


def normalize_text(output: str | None) -> str | None:
    """Strip the margins; return None if empty or too wide."""
    if output is None:
        return None
    lines = _ENDS.sub("", output).strip("\n").split("\n")
    indent = min((len(line) - len(line.lstrip(" ")) for line in lines if line), default=0)
    lines = [line[indent:] for line in lines]
    if not any(lines) or any(not 0 <= wcswidth(line) <= MAX_COLUMNS for line in lines):
        return None
    return "\n".join(lines)


def is_readable(output: str, source: Source) -> bool:
    """Return whether a text diagram has all words of the labels at edges: merman writes arrowheads over some."""
    label_pattern = _FLOWCHART_LABEL if source.kind in {"flowchart", "graph"} else _RELATION_LABEL
    labels = label_pattern.findall(source.content)
    shown = set(_WORD.findall(output))
    return all(word in shown for label in labels for word in _WORD.findall(_TAG_OR_CODE.sub(" ", label)))


def without_dumps(output: str) -> str:
    """Replace values such as `name(bytes=2)="id"` by what they are, and narrow the boxes that held them."""
    if _DUMP not in output:
        return output
    lines = [
        plain
        for line in output.split("\n")
        if (plain := "│".join(map(_without_dump, line.split("│")))) == line or not set(plain) <= {"│", " "}
    ]
    if any(wcswidth(line) != len(line) for line in lines):
        return "\n".join(lines)
    width = max(map(len, lines))
    columns = list(zip(*(line.ljust(width) for line in lines), strict=True))
    narrowed = columns[:1] + [
        column for before, column in pairwise(columns) if column != before or not set(column) <= {" ", "─"}
    ]
    return "\n".join("".join(line).rstrip(" ") for line in zip(*narrowed, strict=True))


def _without_dump(cell: str) -> str:
    if _DUMP not in cell:
        return cell
    if _REPETITION.fullmatch(cell):
        return " " * wcswidth(cell)
    plain = _DUMPED_VALUE.sub(lambda match: match[1] or ", ".join(_DUMPED_KEY.findall(match[2] or "")), cell)
    plain = _SPACES.sub(" ", plain).rstrip(" ") + " "
    return plain + " " * max(0, wcswidth(cell) - wcswidth(plain))


def without_entity_codes(content: str) -> tuple[str, Mapping[int, str]]:
    """Replace codes such as `#59;` and `&lt;`, which merman writes in an encoding of its own; return what to replace in its output."""
    stand_ins: dict[str, str] = {}

    def replace(match: re.Match[str]) -> str:
        code = match[1]
        if code is None:
            return match[0]
        character = html.unescape(f"&#{code};" if code.isdecimal() else f"&{code};")
        free = _FIRST_STAND_IN + len(stand_ins)
        # Another character would move the lines beside it.
        if wcswidth(character) != 1 or free > _LAST_STAND_IN:
            return match[0]
        return stand_ins.setdefault(character, chr(free))

    replaced = _ENTITY_CODE.sub(replace, content)
    return replaced, {ord(stand_in): character for character, stand_in in stand_ins.items()}
