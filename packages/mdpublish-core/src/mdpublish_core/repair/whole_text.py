"""Repairs of whole texts: in a fence, indented, or broken at a terminal's width."""

import json
import re
from collections.abc import Iterator, Sequence

from mdpublish_core import nodes
from mdpublish_core.repair.draft import Changes
from mdpublish_core.repair.source import Source
from mdpublish_core.strings.changes import Change
from mdpublish_core.strings.lazy_patterns import compile_lazily

_OPENING = compile_lazily(r" {0,3}(`{3,}|~{3,})[ \t]*(?:markdown|md)[ \t]*$", re.IGNORECASE)
_FENCE = compile_lazily(r" {0,3}(`{3,}|~{3,})([^`]*)$")
_SIGNS = [
    compile_lazily(r"[^\W\d_][^{}();=<>]{15,}[.:!?…]$|##+ \S|\*\*\S"),
    compile_lazily(r"(?:[-*+]|\d+[.)]) \S"),
    compile_lazily(r"#{1,6} \S"),
    compile_lazily(r"`{3,}|~{3,}"),
]
"""Signs of Markdown at the start of a line; the first are no code in any language that we know."""

_PARAGRAPHS = compile_lazily(r"\w[.:!?*`]*\\n\\n[\w#*`-]")
_ESCAPED = compile_lazily(r'\\[nt"\\]|(?:\\u[0-9a-fA-F]{4})+')

MIN_WIDTH = 50
"""Characters in a terminal's line: shorter lines are verses or postal lines."""
MIN_LINES = 3


def unwrap(source: Source) -> Iterator[Changes]:
    """Remove the fence around a whole text, in which further fences may be of the same length."""
    first, *inner = source.written or [0]
    if (opening := _OPENING.match(source.lines[first])) and inner:
        fence = source.fences[0]
        is_alone = len(source.blocks) == 1 and fence.end >= inner[-1]
        removal = source.without_lines(first, first + 1)
        if is_alone and not fence.is_closed:
            yield (removal,)
        elif is_alone or _end_of([source.lines[index] for index in inner], opening[1]) == len(inner) - 1:
            yield removal, source.without_lines(inner[-1], inner[-1] + 1)


def lengthen(source: Source) -> Iterator[Changes]:
    """Lengthen the fence around a part of a text in which further fences of the same length end it."""
    for fence in source.fences:
        opening = _OPENING.match(source.lines[fence.first]) if fence.is_top_level and fence.is_closed else None
        end = fence.first + 1 + (_end_of(source.lines[fence.first + 1 :], opening[1]) if opening else 0)
        if opening and end > fence.end:
            marks = (source.starts[fence.first] + opening.start(1), source.end_of(end))
            yield tuple(Change(place, place, opening[1][0]) for place in marks)


def _end_of(lines: Sequence[str], mark: str) -> int:
    """Return the index of the line that closes the outer fence, if every fence before it is closed; else -1.

    An inner fence opens with an info string, or below a blank line and above code. One without an info string closes
    below code and above a blank line, as nobody leaves blank lines at both ends of code, and none around it.
    """
    inner, is_bare = "", False
    for number, fence in enumerate(map(_FENCE.match, lines)):
        if not fence:
            continue
        has_info, is_below_blank = bool(fence[2].strip()), number > 0 and not lines[number - 1].strip()
        above = "".join(lines[number + 1 : number + 2])
        if not inner:
            if not has_info and (not is_below_blank or not above.strip()):
                return number if fence[1].startswith(mark) else -1
            inner, is_bare = fence[1], not has_info
        elif is_bare and (has_info or is_below_blank or (above.strip() and not _FENCE.match(above))):
            return -1
        elif not has_info and fence[1].startswith(inner):
            inner = ""
    return -1


def unescape_newlines(source: Source) -> Iterator[Changes]:
    """Write the newlines of a text that was copied out of JSON, in which all are two characters."""
    if len(source.written) == 1 and source.markdown.count(r"\n") >= MIN_LINES and _PARAGRAPHS.search(source.markdown):
        changes = [Change(*match.span(), _unescaped(match[0])) for match in _ESCAPED.finditer(source.markdown)]
        written = source.markdown.strip()
        if len(written) > 1 and written[0] == written[-1] == '"':
            changes += [
                Change(place, place + 1, "") for place in (source.markdown.index('"'), source.markdown.rindex('"'))
            ]
        yield tuple(sorted(changes))


def _unescaped(written: str) -> str:
    return str(json.loads(f'"{written}"')).encode("utf-8", "replace").decode()


def dedent(source: Source) -> Iterator[Changes]:
    """Remove the indentation of a whole text that makes it code, if it is Markdown without."""
    margin = _margin(source, source.written)
    lines = [source.lines[index][len(margin) :] for index in source.written]
    if len(margin.expandtabs(4)) >= 4:
        signs = [any(map(pattern.match, lines)) for pattern in _SIGNS]
        if signs[0] and sum(signs) > 1:
            starts = [source.starts[index] for index in source.written]
            yield tuple(Change(start, start + len(margin), "") for start in starts)


def _margin(source: Source, indexes: Sequence[int]) -> str:
    lines = [source.lines[index] for index in indexes]
    if not all(line.startswith((" ", "\t")) for line in lines):
        return ""
    margin = min((line[: len(line) - len(line.lstrip(" \t"))] for line in lines), key=len, default="")
    return margin if all(line.startswith(margin) for line in lines) else ""


def join_lines(source: Source) -> Iterator[Changes]:
    """Join lines that a terminal broke where the next word had no room, in texts with a margin or filled with spaces.

    Else breaks are the author's, and Markdown joins the lines anyway.
    """
    written = source.written
    # Where an agent's response begins, its mark stands in the margin.
    has_mark = bool(written) and source.lines[written[0]].startswith(("⏺ ", "● "))
    margin = len(_margin(source, written[has_mark:]))
    width = max((len(source.lines[index].rstrip()) for index in written), default=0)
    # Spaces at their end make most lines equally long.
    filled = [len(source.lines[index]) for index in written if source.lines[index].endswith("  ")]
    paddings = {line[len(line.rstrip()) :] for index in written if (line := source.lines[index]).endswith("  ")}
    is_filled = len(filled) >= max(MIN_LINES - (len(paddings) > 1), len(written) // 2) and len(set(filled)) == 1
    if len(written) < MIN_LINES or width < MIN_WIDTH or not (is_filled or 2 <= margin < 4):
        return
    joints = {
        index: Change(source.end_of(index), start, " ")
        for each in source.prose
        for index, (start, end) in enumerate(each.lines[1:], each.first)
        if isinstance(each.block, nodes.Paragraph)
        and source.end_of(index) - source.starts[index] + len(source.markdown[start:end].split(" ", 1)[0]) >= width
    }
    if joints:
        changes = list(joints.values())
        for index, line in enumerate(source.lines):
            start, end = source.starts[index], source.end_of(index)
            cut = 2 if has_mark and index == written[0] else margin
            if cut and line.strip() and index - 1 not in joints:
                changes.append(Change(start, start + cut, ""))
            if is_filled and line.endswith(" ") and index not in joints:
                changes.append(Change(end, start + len(line), ""))
        yield tuple(sorted(changes))
