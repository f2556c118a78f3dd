"""Reads plain text: its blocks, and the marks in its lines."""

import re
from collections.abc import Callable, Sequence
from functools import partial

from tests.text_forms.formula_reader import LOWERED, RAISED
from tests.text_forms.formula_structure import Part

_QUOTE = re.compile("> ?")
_ITEM = re.compile(r"(?P<mark>[-*]|(?P<number>\d+)(?P<end>[.)])) ")
_UNDERLINE = re.compile("={3,}|-{3,}")
_TABLE_RULE = re.compile(r"-{3,}(?:-\|-+)*")
_NOTE = re.compile(r"\[\^?(\d+)\] ")
_HEADING = re.compile("(#{3,6}) ")
_RULE = "─" * 40

_MARKED = {mark: re.compile(rf"{mark}(?=\S)(.*?)(?<=\S){mark}") for mark in ("~~", "==")}
_CODE = re.compile(r"`([^`\n]*(?:~~|==)[^`\n]*)`")
_BRACKETS = re.compile("[_^][({]")
_SCRIPT = re.compile(
    rf"(?P<sign>[_^])(?:(?P<word>[A-Za-z0-9]+|[^\s(){{}}\w])|[({{])|(?P<raised>[{''.join(RAISED)}]+)|(?P<lowered>[{''.join(LOWERED)}]+)"
)


def read_plain_text(content: str) -> Part:
    lines = content.rstrip("\n").split("\n")
    first_note = next((place for place, line in enumerate(lines) if _is_note(lines, place)), len(lines))
    reader = _Reader(has_carets=any(line.startswith("[^") for line in lines[first_note:]))
    numbers = {match[1] for line in lines[first_note:] if (match := _NOTE.match(line))}
    reader.numbers = numbers
    return ("document", *reader.blocks(lines[:first_note]), *reader.notes(lines[first_note:]))


def _is_note(lines: Sequence[str], place: int) -> bool:
    """Whether notes begin here: a line with the first number, and only such lines and what is indented after it."""
    is_first = place > 0 and not lines[place - 1] and lines[place].startswith(("[1] ", "[^1] "))
    return is_first and all(not line or line.startswith(" ") or _NOTE.match(line) for line in lines[place:])


def marked(mark: str, parts: Sequence[Part]) -> list[Part]:
    """Return parts below a mark, which each line has."""
    lines: list[list[Part]] = [[]]
    for part in parts:
        if part == "\n":
            lines.append([])
        else:
            lines[-1].append(part)
    return [part for number, line in enumerate(lines) for part in ([*(["\n"] if number else []), (mark, *line)])]


def read_scripts(content: str) -> list[Part]:
    """Return characters and scripts."""
    parts: list[Part] = []
    position = 0
    while position < len(content):
        match = _SCRIPT.match(content, position)
        if match is None:
            parts.append(content[position])
            position += 1
        elif match["raised"] or match["lowered"]:
            twins = RAISED if match["raised"] else LOWERED
            parts.append(("^" if match["raised"] else "_", *(twins[each].replace("−", "-") for each in match[0])))
            position = match.end()
        elif match["word"]:
            parts.append((match["sign"], *match["word"]))
            position = match.end()
        else:
            end = _end_of_brackets(content, match.end() - 1)
            parts.append((match["sign"], *read_marks(content[match.end() : end - 1])))
            position = end
    return parts


def _end_of_brackets(content: str, position: int) -> int:
    opening, closing = ("(", ")") if content[position] == "(" else ("{", "}")
    level = 0
    for end in range(position, len(content)):
        level += (content[end] == opening) - (content[end] == closing)
        if level == 0:
            return end + 1
    return len(content)


def read_marks(content: str) -> list[Part]:
    """Return characters, scripts, and what is struck out or highlighted."""
    parts: list[Part] = []
    plain = ""
    position = 0
    while position < len(content):
        mark = content[position : position + 2]
        code = _CODE.match(content, position)
        script = _BRACKETS.match(content, position)
        if script:
            end = _end_of_brackets(content, position + 1)
            parts += [*read_scripts(plain), (script[0][0], *read_marks(content[position + 2 : end - 1]))]
            plain, position = "", end
            continue
        opens = mark in _MARKED and not (mark == "==" and re.search(r"[A-Za-z0-9_]\Z", content[:position]))
        match = _MARKED[mark].match(content, position) if opens else None
        if code or match:
            parts += read_scripts(plain)
            parts += list(code[1]) if code else marked(mark, read_marks(match[1] if match else ""))
            plain, position = "", position + len((code or match or [""])[0])
        elif content.startswith(("\\~~", "\\=="), position):
            plain += content[position + 1 : position + 3]
            position += 3
        else:
            plain += content[position]
            position += 1
    return [*parts, *read_scripts(plain)]


class _Reader:
    def __init__(self, *, has_carets: bool) -> None:
        self.has_carets = has_carets
        self.numbers: set[str] = set()

    def notes(self, lines: Sequence[str]) -> list[Part]:
        notes: list[tuple[int, list[str]]] = []
        for line in lines:
            match = _NOTE.match(line)
            if match:
                notes.append((int(match[1]), [line[match.end() :]]))
            else:
                notes[-1][1].append(line.strip())
        return [("note", number, *self.blocks(content)) for number, content in notes]

    def blocks(self, lines: Sequence[str]) -> list[Part]:
        blocks: list[Part] = []
        rest = list(lines)
        while rest:
            if rest[0]:
                size, block = self._block(rest)
                blocks.append(block)
                rest = rest[size:]
            else:
                rest = rest[1:]
        return blocks

    def _block(self, lines: Sequence[str]) -> tuple[int, Part]:
        """Return how many lines a block has, and its tree."""
        first, following = lines[0], lines[1] if len(lines) > 1 else ""
        block: Part
        size = 1
        if first.startswith(">"):
            size = _count(lines, lambda line: line.startswith(">"))
            block = ("quote", *self.blocks([_QUOTE.sub("", line, count=1) for line in lines[:size]]))
        elif _ITEM.match(first):
            size, block = self._list(lines)
        elif first == _RULE:
            block = ("rule",)
        elif first.startswith("    "):
            size = _count(lines, lambda line: not line or line.startswith("    "))
            size = next((place for place in range(size - 1) if not any(lines[place : place + 2])), size)
            block = ("code", "\n".join(line[4:] for line in lines[:size]).strip("\n"))
        elif _TABLE_RULE.fullmatch(following) and ("|" in following or len(lines) > 2):
            size, block = self._table(lines)
        elif _UNDERLINE.fullmatch(following):
            size, block = 2, ("heading", 1 if following[0] == "=" else 2, *self._inlines(first))
        elif heading := _HEADING.match(first):
            block = ("heading", len(heading[1]), *self._inlines(first[heading.end() :]))
        else:
            size = 1 + _count(lines[1:], lambda line: bool(line) and not _ITEM.match(line) and line[0] not in "> ")
            block = ("p", *self._inlines("\n".join(lines[:size])))
        return size, block

    def _list(self, lines: Sequence[str]) -> tuple[int, Part]:
        items: list[Part] = []
        size, start, kind = 0, None, ""
        while size < len(lines) and (match := _ITEM.match(lines[size])):
            if items and (match["end"] or match["mark"]) != kind:
                break
            kind, margin = match["end"] or match["mark"], " " * match.end()
            start = int(match["number"]) if match["number"] and not items else start
            end = size + 1 + _count(lines[size + 1 :], partial(_is_within, margin))
            # Two empty lines end a list.
            end = next((place for place in range(size, end - 1) if not any(lines[place : place + 2])), end)
            items.append(("item", *self.blocks([line[len(margin) :] for line in lines[size:end]])))
            size = end
        return size, ("list", start, *items)

    def _table(self, lines: Sequence[str]) -> tuple[int, Part]:
        size = _count(lines, bool)
        rows = [re.split(r" \| | \|\Z|\A\| ", line) for number, line in enumerate(lines[:size]) if number != 1]
        cells = max(map(len, rows))
        table = [[*row, *[""] * (cells - len(row))] for row in rows]
        return size, (
            "table",
            *(("row", *(("cell", *self._inlines(cell.strip().replace("\\|", "|"))) for cell in row)) for row in table),
        )

    def _inlines(self, content: str) -> list[Part]:
        """Return characters, marks and footnotes, which have a caret if the text has brackets of its own."""
        parts: list[Part] = []
        pieces = re.split(r"\[\^(\d+)\]" if self.has_carets else r"\[(\d+)\]", content)
        for place, piece in enumerate(pieces):
            is_note = place % 2 == 1 and piece in self.numbers
            parts += [("note", int(piece))] if is_note else read_marks(f"[{piece}]" if place % 2 else piece)
        return parts


def _is_within(margin: str, line: str) -> bool:
    return not line or line.startswith(margin)


def _count(lines: Sequence[str], continues: Callable[[str], bool]) -> int:
    return next((place for place, line in enumerate(lines) if not continues(line)), len(lines))
