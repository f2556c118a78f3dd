"""What other programs read in a Markdown file, in which nothing is changed.

Templates, attribute lists, formulas, tags, expressions of MDX and comments are spans; blocks of MkDocs, directives,
modules of MDX and what comments turn off are ranges of lines. What has no end is only its first line, or nothing.
"""

from collections.abc import Iterator

from mdpublish_core.data_files import read_pairs
from mdpublish_core.formatting.source import BLANKS, MarkedSource
from mdpublish_core.strings.lazy_patterns import compile_lazily
from mdpublish_core.strings.positions import Span

_CLOSERS = read_pairs(__file__, "foreign.tsv")
_ACROSS_BLOCKS = frozenset({"{{", "{%", "{#", "[%", "<%", "{/*", "%%", "$$", "\\[", "<!--"})
"""Those that may hold empty lines; the others end in their paragraph."""

_TEMPLATES = frozenset({"{{", "{%", "[%", "<%"})
"""Those that are read in code, too."""

_OPENER = compile_lazily(
    r"\{\{|\{%|\{#(?=[\s-])|\{/\*|\{|\[\[|[\[<]%|(?<!\S)%%|\$\$|\\[\[(]|(?<![\w$\\])\$(?!\s)|<!--|<(?=[\w/#@?!$])"
)
_TAG = compile_lazily(r"\{[{%][<%]?-?[ \t]*(/|end(?=\w))?[#^]?([\w.-]+)")
_BLANK_LINE = compile_lazily(r"\n[ \t>]*+(?=[\r\n])")

_OFF = compile_lazily(r"(?:<!--|\{/\*)[ \t]*(?:format off|prettier-ignore-start)\b")
_ON = compile_lazily(r"(?:<!--|\{/\*)[ \t]*(?:format on|prettier-ignore-end)\b")
_IGNORED = compile_lazily(r"[ \t>]*(?:<!--|\{/\*)[ \t]*prettier-ignore[ \t]*(?:-->|\*/\})")
_INFO = compile_lazily(r"(?:\{.*\}|[\w#.+-]*)(?:[ \t]+(?:linenums|hl_lines|title)=[\"'][^=]*[\"'])*(?:[ \t]*\{.*\})?")
_INDENTED = compile_lazily(r"(?:!!!|\?\?\?\+?|===[!+]?|:::|:)[ \t]+\S")
_FENCE = compile_lazily(r"(:{3,}|/{3,})[ \t]*(\S?)")
_MODULE = compile_lazily(r"(?:import|export)[ \t]+(?:[\w*{\"'].*(?:from|[={(;\"'])|default\b)")


def foreign_spans(source: MarkedSource) -> list[Span]:
    """Return spans of offsets, sorted; none overlaps another."""
    spans = [*_delimited(source), *_fenced(source), *_blocks(source), *_switched_off(source), *_misread(source)]
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start < merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    return merged


def _delimited(source: MarkedSource) -> Iterator[Span]:
    """Yield spans between delimiters, and what template tags of a name enclose."""
    markdown = source.markdown
    following = _Next(markdown)
    tags: dict[str, list[int]] = {}
    position = 0
    while opener := _OPENER.search(markdown, position):
        mark, start = opener[0], opener.start()
        position = opener.end()
        if mark not in _TEMPLATES and source.line_of(start) in source.code:
            continue
        end = following.after(_CLOSERS[mark], position)
        if end < 0 or not (mark in _ACROSS_BLOCKS or end < following.blank_line_after(start)):
            continue
        if mark == "$" and source.line_of(end) > source.line_of(start):
            continue
        yield start, end + len(_CLOSERS[mark])
        if mark == "<":  # what a tag has may be a template with its closer
            continue
        position = end + len(_CLOSERS[mark])
        if mark in _TEMPLATES and (tag := _TAG.match(markdown, start)):
            named = tags.setdefault(tag[2], [])
            if not tag[1]:
                named.append(start)
            elif named:
                yield named.pop(), position


class _Next:
    """Finds what comes next; each search goes on where the last one for the same ended."""

    def __init__(self, markdown: str) -> None:
        self._markdown = markdown
        self._places: dict[str, int] = {}
        self._blank_line = -1

    def after(self, marks: str, position: int) -> int:
        place = self._places.get(marks, 0)
        if 0 <= place < position:
            place = self._places[marks] = self._markdown.find(marks, position)
        return place

    def blank_line_after(self, position: int) -> int:
        if self._blank_line < position:
            blank_line = _BLANK_LINE.search(self._markdown, position)
            self._blank_line = blank_line.start() if blank_line else len(self._markdown)
        return self._blank_line


def _fenced(source: MarkedSource) -> Iterator[Span]:
    """Yield directives between lines of as many colons or slashes, and lines without a partner."""
    opened: dict[str, list[int]] = {}
    for number, line in enumerate(source.lines):
        fence = _FENCE.match(line, _prefix_length(line))
        if fence and number not in source.code:
            starts = opened.setdefault(fence[1], [])
            first = starts.pop() if starts and not fence[2] else number
            if fence[2]:
                starts.append(number)
            yield source.start_of(first), source.end_of(number)


def _blocks(source: MarkedSource) -> Iterator[Span]:
    """Yield blocks with an indented body, modules, and what a comment lets another program skip."""
    lines = source.lines
    last = -1
    for number, line in enumerate(lines):
        if number <= last or number in source.code:
            continue
        start = _prefix_length(line)
        if _INDENTED.match(line, start):
            last = _end_of_body(lines, number, start)
        elif _IGNORED.match(line):
            last = _end_of_block(lines, min(number + 1, len(lines) - 1))
        elif _MODULE.match(line) and (not number or not lines[number - 1].strip(BLANKS)):
            last = _end_of_block(lines, number)
        else:
            continue
        yield source.start_of(number), source.end_of(last)


def _switched_off(source: MarkedSource) -> Iterator[Span]:
    """Yield the lines between comments that turn formatting off and on."""
    first = -1
    for number, line in enumerate(source.lines):
        if number in source.code:
            continue
        if first >= 0 and _ON.search(line):
            yield source.start_of(first), source.end_of(number)
            first = -1
        elif first < 0 and _OFF.search(line):
            first = number
    if first >= 0:
        yield source.start_of(first), len(source.markdown)


def _misread(source: MarkedSource) -> Iterator[Span]:
    """Yield what is code for Python-Markdown, as a fence with unknown options begins at its end, up to the next with any."""
    first, code_marks = -1, ""
    for (line, column), last in source.marks.fences:
        opening = source.lines[line][column:]
        info = opening.lstrip("`~")
        marks = opening.removesuffix(info)
        if first < 0 and not _INFO.fullmatch(info.strip(BLANKS)):
            first, code_marks = last, marks
        elif first >= 0 and info.strip(BLANKS) and marks == code_marks:
            yield source.start_of(first), source.end_of(last)
            first = -1
    if first >= 0:
        yield source.start_of(first), len(source.markdown)


def _prefix_length(line: str) -> int:
    return len(line) - len(line.lstrip(" \t>"))


def _end_of_body(lines: list[str], number: int, indent: int) -> int:
    """Return the last line of an indented body; indents are compared by their characters."""
    last = number
    for following in range(number + 1, len(lines)):
        start = _prefix_length(lines[following])
        if start == len(lines[following]):
            continue
        if start <= indent:
            break
        last = following
    return last


def _end_of_block(lines: list[str], number: int) -> int:
    """Return the last line before an empty one."""
    while number + 1 < len(lines) and lines[number + 1].strip(BLANKS):
        number += 1
    return number
