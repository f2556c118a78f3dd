"""Slack messages as pandoc's tree: without lists, tables and headings."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from tests.interop.pandoc_lines import Json, Piece, element, line_block, paragraph
from tests.interop.pandoc_styles import CODE, EMPHASIS, STRIKEOUT, STRONG, Mark
from tests.interop.pandoc_tree import tidy
from tests.mrkdwn import ZERO_WIDTH_SPACE, VisibleCharacter, read

_MARKS = {"*": STRONG, "_": EMPHASIS, "~": STRIKEOUT}


def tree(message: str) -> list[Json]:
    blocks = []
    for kind, lines in groupby(_lines(read(message).shown), _kind):
        if kind == "code":
            blocks += [element("CodeBlock", [["", [], []], _plain_text(line)]) for line in lines]
        elif kind == "quote":
            blocks.append(element("BlockQuote", list(_paragraphs(lines))))
        else:
            blocks += _paragraphs(lines)
    return tidy(blocks)


def _lines(shown: Iterable[VisibleCharacter]) -> Iterator[list[VisibleCharacter]]:
    line: list[VisibleCharacter] = []
    for each in shown:
        if each.character == "\n" and not each.is_code:
            yield line
            line = []
        else:
            line.append(each)
    yield line


def _kind(line: Sequence[VisibleCharacter]) -> str:
    if line and all(each.is_code for each in line):
        return "code"
    return "quote" if any(each.is_quoted for each in line) else "text"


def _paragraphs(lines: Iterable[Sequence[VisibleCharacter]]) -> Iterator[Json]:
    for is_empty, group in groupby(lines, lambda line: not _plain_text(line).strip()):
        pieces = [list(_pieces(line)) for line in group]
        if not is_empty:
            yield paragraph(pieces[0]) if len(pieces) == 1 else line_block(pieces)


def _pieces(line: Sequence[VisibleCharacter]) -> Iterator[Piece]:
    for marks, group in groupby(line, _marks):
        yield Piece(_plain_text(list(group)), marks)


def _marks(shown: VisibleCharacter) -> frozenset[Mark]:
    marks = frozenset(_MARKS[mark] for mark in shown.marks)
    if shown.is_code:
        marks |= {CODE}
    return marks if shown.url is None else marks | {("Link", shown.url, "")}


def _plain_text(line: Sequence[VisibleCharacter]) -> str:
    return "".join(each.character for each in line).replace(ZERO_WIDTH_SPACE, "")
