"""Which notices are reported: by options, by file, and by comments in the documents.

`<!-- mdpublish: ignore code -->` at the end of a line counts for the line, on a line of its own for the block below,
and `ignore-file` for the document. Without codes, it counts for all.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from mdpublish_core.cli.rules import codes_of, read_rules
from mdpublish_core.resources.ignore_files import IgnoredFiles
from mdpublish_core.strings.lazy_patterns import compile_lazily

if TYPE_CHECKING:
    from mdpublish_core import Document, Notice

_MARK = "mdpublish:"
_COMMENT = compile_lazily(r"<!--\s*mdpublish:\s*ignore(-file)?((?:[ \t,]+[a-z][a-z-]*)*)\s*-->")
_LINE_END = compile_lazily(r"\r\n|\r|\n")


class Selection(NamedTuple):
    """The codes that are reported, and those that are not in files with a pattern."""

    codes: frozenset[str]
    by_file: Sequence[tuple[IgnoredFiles, frozenset[str]]] = ()

    @classmethod
    def of(cls, select: Iterable[str], ignore: Iterable[str], per_file: Iterable[str], root: Path) -> "Selection":
        """Return the selection of options; one of `per_file` is `PATTERN:CODE`. Raises `UnknownRule`."""
        codes = codes_of(select) or frozenset(read_rules())
        by_file = []
        for each in per_file:
            pattern, _, selector = each.rpartition(":")
            by_file.append((IgnoredFiles([pattern], root, respects_gitignore=False), codes_of([selector])))
        return cls(codes - codes_of(ignore), by_file)

    def reported(self, file: str, notices: "Iterable[Notice]") -> "tuple[Notice, ...]":
        ignored = frozenset[str]().union(*(codes for files, codes in self.by_file if files.leaves_out(Path(file))))
        return tuple(notice for notice in notices if notice.code in self.codes and notice.code not in ignored)


class _Ignored(NamedTuple):
    first: int
    last: int
    codes: frozenset[str]
    """The ignored codes; None ignores all."""


def without_ignored(markdown: str, document: "Document", notices: "Sequence[Notice]") -> "Sequence[Notice]":
    """Return the notices that no comment of the document ignores; only `ignore-file` ignores one without a line."""
    if not notices or _MARK not in markdown:
        return notices
    ignored = list(_ignored_lines(markdown, document))
    return [
        notice
        for notice in notices
        if not any(
            each.first <= (notice.line or 0) <= each.last and (not each.codes or notice.code in each.codes)
            for each in ignored
        )
    ]


def _ignored_lines(markdown: str, document: "Document") -> "Iterable[_Ignored]":
    lines = _LINE_END.split(markdown)
    code = _lines_of_code(document)
    for number, line in enumerate(lines, 1):
        if _MARK not in line or number in code:
            continue
        for comment in _COMMENT.finditer(line):
            before, after = line[: comment.start()], line[comment.end() :]
            if before.count("`") % 2:
                continue
            codes = frozenset(re.findall(r"[a-z][a-z-]*", comment[2]))
            if comment[1]:
                yield _Ignored(0, len(lines), codes)
            elif before.strip(" \t>") or after.strip():
                yield _Ignored(number, number, codes)
            else:
                yield _Ignored(number, _end_of_block(lines, number, document), codes)


def _lines_of_code(document: "Document") -> frozenset[int]:
    from mdpublish_core import nodes

    return frozenset(
        number
        for token in nodes.walk(document)
        if isinstance(token, nodes.CodeFence | nodes.BlockCode) and token.line_number
        for number in range(token.line_number, token.line_number + token.content.count("\n") + 1)
    )


def _end_of_block(lines: Sequence[str], number: int, document: "Document") -> int:
    """Return the last line of the block below a comment: before the next one, or in lists and quotes, an empty line."""
    starts = [line for block in document.children if (line := getattr(block, "line_number", None))]
    if not lines[number - 1].startswith((" ", "\t", ">")):
        following = starts[bisect_right(starts, number) :]
        return following[1] - 1 if len(following) > 1 else len(lines)
    return next((end for end in range(number, len(lines)) if not lines[end].strip(" \t>")), len(lines))
