"""Formulas that do not end, or that have too few or too many backslashes on the way from a chat."""

import re
from bisect import bisect
from collections.abc import Iterator
from itertools import takewhile

from mdpublish_core.readers.markdown.slips import CORRECTED, DISPLAY_MATH, is_display_math
from mdpublish_core.readers.markdown.tex import is_display_tex, is_inline_tex
from mdpublish_core.repair.draft import Changes
from mdpublish_core.repair.source import Source
from mdpublish_core.strings.changes import Change
from mdpublish_core.strings.lazy_patterns import compile_lazily

_CLOSING = {"$$": "$$", r"\[": r"\]"}
_UNCLOSED = compile_lazily(r"(?<!\S)(\$\$(?![ \t]+\S)|\\\[(?=[\r\n]|$))([^$\r\n]{0,500})(?=[\r\n]|$)")
_PROSE = compile_lazily(r"(?:(?<![\\{\w])[^\W\d_]{2,}\b.*?){2}")
_SIGN = compile_lazily(r"[\\^_=]")
_TEX = compile_lazily(r"\\[a-zA-Z]{2}|[\w)}]\^[\w{(]|[a-zA-Z]_[\w{]\b")
_IN_BRACKETS = compile_lazily(r"\[\s(.+)\s\]$", re.DOTALL)
_IN_PARENTHESES = compile_lazily(r"(?<![\w\\])\( ([^()\n]{1,300}(?:\([^()\n]{0,300}\)[^()\n]{0,300}){0,9}) \)")
_BRACKETED = compile_lazily(r"\\\(((?:[^\\\r\n]|\\[^()\r\n]|(?!))*+)\\\)|\\\[((?:[^\\]|\\[^\[\]]|(?!))*+)\\\]")
_ESCAPED = compile_lazily(r"\\(?=[_*])")
_ESCAPED_SCRIPT = compile_lazily(
    r"(?:\\[a-zA-Z]+|(?<![a-zA-Z\\])[a-zA-Z]|[)\]}'\d*])\\_(?=[a-zA-Z\d](?![a-zA-Z])|[{\\])|\\\*"
)
_NAME_IN_TEXT = compile_lazily(r"\\(?:[a-z]*text[a-z]*|math[a-z]+|mbox|operatorname|(?:eq)?ref|label)\*?\{[^{}]*\\_")
_BLANK_LINE = compile_lazily(r"(?:\n|\r(?!\n))[ \t]*[\r\n]")
_LOST_BREAK = compile_lazily(r"(?<!\\)\\(?=\s)")

MAX_FORMULA, MAX_LINES = 4000, 100
"""Bounds of a formula: characters with its brackets, and lines."""


def close_math(source: Source) -> Iterator[Changes]:
    """Close a formula at the end of its paragraph, or above the prose below it, if none of its lines is prose."""
    places = {
        line: (each.lines, number)
        for each in source.paragraphs
        # A line below that begins a list may be a part of the formula, too.
        if not "".join(source.lines[(end := each.first + len(each.lines)) : end + 1]).strip()
        for number, line in enumerate(each.lines)
        if len(each.lines) - number <= MAX_LINES
    }
    for match in source.matches(_UNCLOSED):
        if (line := (match.pos, match.endpos)) not in places:
            continue
        (mark, first), (lines, number) = match.groups(), places[line]
        rest = [source.markdown[slice(*each)] for each in lines[number + 1 :]]
        below = [*takewhile(lambda line: _SIGN.search(line) or not _PROSE.search(line), rest)]
        shown = [first, *below]
        if match.start() == lines[0][0] and not first:
            is_formula = any(map(_SIGN.search, below))
        else:
            is_formula = any(map(_TEX.search, shown)) and all(map(_SIGN.search, below))
            is_formula = is_formula and not any(map(_PROSE.search, shown))
        if is_formula and not any(map(_SIGN.search, rest[len(below) :])):
            end = lines[number + len(below)][1] - (0 if below else len(match[0]) - len(match[0].rstrip(".,;:")))
            yield (Change(end, end, ("" if first else source.newline) + _CLOSING[mark]),)


def unescape_scripts(source: Source) -> Iterator[Changes]:
    r"""Write `_` and `*` for `\_` and `\*` in formulas between `\(` and `\)` or `\[` and `\]`, where a script begins."""
    for match in source.formulas(_BRACKETED):
        written = match[1] or match[2] or ""
        escapes = list(_ESCAPED.finditer(source.markdown, *match.span(match.lastindex or 0)))
        if len(escapes) == len(_ESCAPED_SCRIPT.findall(written)) > 0 and not _NAME_IN_TEXT.search(written):
            tex, before = _ESCAPED.sub("", written), source.markdown[match.start() - 1 : match.start()]
            is_tex = is_inline_tex(tex, before, "") if match[1] else is_display_tex(tex)
            if is_tex and (match[1] or not _BLANK_LINE.search(tex)):
                yield tuple(Change(*each.span(), "") for each in escapes)


def restore_delimiters(source: Source) -> Iterator[Changes]:
    r"""Write `$` for `( ` and ` )` that a chat left of `\(` and `\)`, `$$` for such a paragraph or `\[` in a line."""
    for display in source.matches(DISPLAY_MATH):
        if is_display_math(display):
            yield (Change(*display.span(), CORRECTED["display-math"](display[0])),)
    last_lines = [index for index in source.written if source.lines[index] == "]"]
    for paragraph in source.paragraphs:
        start, end = paragraph.span
        number = bisect(last_lines, paragraph.first)
        if source.lines[paragraph.first] == "[" and number < len(last_lines):
            # An environment ended the paragraph of the bracket.
            end = source.end_of(last_lines[number])
        match = _IN_BRACKETS.match(source.markdown, start, end) if end - start <= MAX_FORMULA else None
        if match and _TEX.search(match[1]):
            breaks = _LOST_BREAK.finditer(source.markdown, *match.span(1)) if r"\begin" in match[1] else ()
            inner = (Change(each.start(), each.end(), r"\\") for each in breaks)
            yield Change(start, start + 1, "$$"), *inner, Change(end - 1, end, "$$")
    formulas = list(source.matches(_IN_PARENTHESES))
    if any(_TEX.search(match[1]) for match in formulas):
        for match in formulas:
            if _TEX.search(match[1]) or len(match[1]) == 1:
                start, end = match.span()
                yield Change(start, start + 2, "$"), Change(end - 2, end, "$")
