"""Repairs of blocks that have no end, or one too many: subgraphs, fragments of sequences, bodies, notes."""

import re
from dataclasses import dataclass
from typing import NamedTuple

from mdpublish_core.figures.repairs import Draft, excerpt_of
from mdpublish_core.notices import shorten


class _Syntax(NamedTuple):
    opening: re.Pattern[str]
    """Matches the whole line that opens it."""

    closing: re.Pattern[str]
    outside: re.Pattern[str] | None = None
    """Lines that no block may hold; else indentation tells where a block ends."""


_FRAGMENTS = r"loop|alt|opt|par|par_over|critical|break|rect|box"
_BODY = re.compile(r'[^"]*(?:"[^"]*"[^"]*)*\{')
_END, _BRACE = re.compile(r"end\s*;?"), re.compile(r"\}\s*;?")
SYNTAXES = {
    "flowchart": _Syntax(re.compile(r"subgraph\b.*"), _END),
    "sequenceDiagram": _Syntax(re.compile(rf"(?:{_FRAGMENTS})\b(?!\s*-).*"), _END),
    "stateDiagram": _Syntax(re.compile(rf"{_BODY.pattern}|note\s[^:]*"), re.compile(r"\}|end note")),
    "classDiagram": _Syntax(
        _BODY, _BRACE, re.compile(r"(?:class|namespace|note|direction)\b|[^(]*\w\s*(?:[*o|<]*(?:--|\.\.))")
    ),
    "erDiagram": _Syntax(_BODY, _BRACE, re.compile(rf"{_BODY.pattern}$|[^\"]*[|}}][|o](?:--|\.\.)")),
}
_MAX_OPEN = 20
"""Deeper ones are no slip, and closing them takes quadratic time."""

_CONTINUED = re.compile(r"(?:else|and|option)\b")


@dataclass
class _Block:
    index: int
    indentation: int
    line: str
    is_indented: bool | None = None
    """Whether its first line is; None before it."""


def close_blocks(draft: Draft, first: int, kind: str) -> None:
    """Close blocks where indentation, or what they cannot hold, tells their end, else at the end of the diagram."""
    syntax = SYNTAXES[kind]
    opened: list[_Block] = []
    missing = sum(_change(syntax, line) for _, line in draft.statements(first))
    above = first

    def close(block: _Block) -> None:
        space = draft.lines[block.index][: block.indentation]
        end = "}" if block.line.endswith("{") else "end note" if block.line.lower().startswith("note") else "end"
        draft.correct(
            above,
            f"{draft.lines[above]}\n{space}{end}",
            f"this block has no end: {shorten(excerpt_of(block.line))}",
        )

    for index, line in draft.statements(first):
        indentation = len(draft.lines[index]) - len(draft.lines[index].lstrip())
        change = _change(syntax, line)
        if opened and opened[-1].is_indented is None:
            opened[-1].is_indented = indentation > opened[-1].indentation
        while missing > 0 and opened and _is_outside(syntax, opened, line, indentation, is_end=change < 0):
            close(opened.pop())
            missing -= 1
        if change > 0:
            opened.append(_Block(index, indentation, line))
        else:
            _go_on(draft, opened, index, is_end=change < 0)
        above = index
    if opened:
        draft.suspect(opened[-1].index, "this block is not closed; add its end")
    # Chats cut diagrams short.
    for block in reversed(opened) if len(opened) <= _MAX_OPEN else ():
        close(block)


def _go_on(draft: Draft, opened: list[_Block], index: int, *, is_end: bool) -> None:
    if is_end and opened:
        opened.pop()
    elif is_end:
        draft.leave_out(index, "there is no block to end here")
    elif opened and opened[-1].line.startswith("opt") and _CONTINUED.match(draft.stripped(index)):
        draft.correct_text(opened[-1].index, f"alt{opened[-1].line[3:]}", "a block with else is written alt")


def _change(syntax: _Syntax, line: str) -> int:
    return -1 if syntax.closing.fullmatch(line) else bool(syntax.opening.fullmatch(line))


def _is_outside(syntax: _Syntax, opened: list[_Block], line: str, indentation: int, *, is_end: bool) -> bool:
    """Return whether a line tells that the innermost block has ended."""
    block = opened[-1]
    if is_end:
        return bool(block.is_indented) and len(opened) > 1 and indentation < block.indentation
    if block.is_indented and indentation <= block.indentation and not _CONTINUED.match(line):
        return True
    return bool(syntax.outside and not block.line.startswith("namespace") and syntax.outside.match(line))
