"""Formulas that do not end, and those whose delimiters lost their backslashes on the way from a chat."""

import re
from bisect import bisect
from collections.abc import Iterator

from mdpublish_core.lazy_patterns import compile_lazily
from mdpublish_core.repair.draft import Changes
from mdpublish_core.repair.source import Source
from mdpublish_core.text_changes import Change

_ALONE = {"$$": "$$", r"\[": r"\]"}
_UNCLOSED = compile_lazily(r"(?<!\S)\$\$(?=[^\s$])[^$]{1,500}?(?=[.,;:]?$)")
_SIGN = compile_lazily(r"[\\^_=]")
_TEX = compile_lazily(r"\\[a-zA-Z]{2}|[\w)}]\^[\w{(]|[a-zA-Z]_[\w{]\b")
_IN_BRACKETS = compile_lazily(r"\[\s(.+)\s\]$", re.DOTALL)
_IN_PARENTHESES = compile_lazily(r"(?<![\w\\])\( ([^()\n]{1,300}(?:\([^()\n]{0,300}\)[^()\n]{0,300}){0,9}) \)")
_LOST_BREAK = compile_lazily(r"(?<!\\)\\(?=\s)")

MAX_FORMULA = 4000
"""In characters, with its brackets."""


def close_math(source: Source) -> Iterator[Changes]:
    """End a formula with its paragraph, if its mark stands alone on the first line, or with the last line that it begins in."""
    for paragraph in source.paragraphs:
        (start, end), *rest = paragraph.lines
        closing = _ALONE.get(source.markdown[start:end])
        if closing and rest and _SIGN.search(source.markdown, end, rest[-1][1]):
            yield (Change(rest[-1][1], rest[-1][1], source.newline + closing),)
    last_lines = {each.lines[-1] for each in source.paragraphs}
    for match in source.matches(_UNCLOSED):
        if _TEX.search(match[0]) and (match.pos, match.endpos) in last_lines:
            yield (Change(match.end(), match.end(), "$$"),)


def restore_delimiters(source: Source) -> Iterator[Changes]:
    r"""Write `$` where a chat's response has `( ` and ` )` of `\(` and `\)`, and `$$` for a paragraph in such brackets."""
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
