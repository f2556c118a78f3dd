"""Code in lines that keep their spaces, where a format collapses them."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from mdpublish_core import nodes
from mdpublish_core.strings.lazy_patterns import compile_lazily
from mdpublish_core.writers.context import MAX_SLOW_BLOCKS, CodeToken, RenderContext

if TYPE_CHECKING:
    from mdpublish_core.highlighting.highlighter import CodeSpan

NBSP = "\xa0"

# Columns per tab stop.
_TAB_WIDTH = 8

TAB_ATTRIBUTES = (("style", "mso-tab-count:1"),)
"""Marks spaces as what Word writes, and reads, for a tab: other programs show them."""

_SPACE_RUN = compile_lazily(" {2,}")
_LOST_SPACE = compile_lazily("^ | $|  |\t")

CodePiece = tuple[str | None, str]
"""The element of highlighted code, such as `span.keyword`, and part of a line."""


class CodeLines:
    """Code in lines that keep their spaces, split once for all destinations."""

    def __init__(self, _document: nodes.Document) -> None:
        # With each token, so that its `id()` is not given to another.
        self._highlighted: dict[int, tuple[CodeToken, Sequence[Sequence[CodePiece]]]] = {}

    def split(self, context: RenderContext, token: CodeToken) -> Sequence[Sequence[CodePiece]]:
        if context.slow_blocks >= MAX_SLOW_BLOCKS:
            return _split_lines(context.highlight_code(token))
        if (known := self._highlighted.get(id(token))) is not None:
            return known[1]
        notices = len(context.notices)
        lines = _split_lines(context.highlight_code(token))
        # Code with a problem has a notice in each conversion, and may be highlighted in the next.
        if len(context.notices) == notices:
            self._highlighted[id(token)] = token, lines
        return lines


def _split_lines(spans: "Sequence[CodeSpan]") -> Sequence[Sequence[CodePiece]]:
    lines: list[list[CodePiece]] = [[]]
    for role, content in spans:
        element = f"span.{role}" if role else None
        if "\n" not in content:
            if content:
                lines[-1].append((element, content))
            continue
        first, *others = content.split("\n")
        if first:
            lines[-1].append((element, first))
        lines += [[(element, other)] if other else [] for other in others]
    if len(lines) > 1 and not lines[-1]:
        lines.pop()
    return [_preserve_spaces(line) for line in lines]


def preserve_spaces(content: str) -> str:
    """Return code of a line of text with its runs of spaces, and those at its ends, as no-break spaces."""
    if _LOST_SPACE.search(content):
        content = _SPACE_RUN.sub(lambda run: NBSP * (len(run[0]) - 1) + " ", content.replace("\t", "    "))
        if content[:1] == " ":
            content = NBSP + content[1:]
        if content[-1:] == " ":
            content = content[:-1] + NBSP
    return content


def expand_tabs(line: Sequence[CodePiece]) -> Iterator[tuple[str | None, str, bool]]:
    """Yield the pieces of a line with spaces for tabs, and whether they are such spaces."""
    column = 0
    for element, content in line:
        for position, piece in enumerate(content.split("\t")):
            if position:
                width = _TAB_WIDTH - column % _TAB_WIDTH
                yield element, NBSP * width, True
                column += width
            if piece:
                yield element, piece, False
                column += len(piece)


def _preserve_spaces(line: list[CodePiece]) -> list[CodePiece]:
    """Use no-break spaces."""
    code = "".join([content for _, content in line])
    words = code.lstrip(" ")
    indent = len(code) - len(words)
    if "  " not in words and words[:1] != NBSP:
        # Most lines have spaces at their beginning only.
        if not indent:
            return line
        element, first = line[0]
        if indent <= len(first):
            return [(element, NBSP * indent + first[indent:]), *line[1:]]
    preserved: list[CodePiece] = []
    for element, piece in line:
        content = _SPACE_RUN.sub(lambda run: NBSP * (len(run[0]) - 1) + " ", piece) if "  " in piece else piece
        if content[:1] == " " and preserved and preserved[-1][1][-1:] == " ":
            content = NBSP + content[1:]
        preserved.append((element, content))
    if preserved and preserved[0][1][0] in {" ", NBSP}:
        element, content = preserved[0]
        words = content.lstrip(f" {NBSP}")
        preserved[0] = (element, NBSP * (len(content) - len(words)) + words)
    return preserved
