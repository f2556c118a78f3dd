"""Fixes of notices: replacements of characters in a file's text."""

import re
from collections.abc import Iterable, Sequence
from difflib import unified_diff
from typing import TYPE_CHECKING

import click

from mdpublish_core.cli.inputs import display_name
from mdpublish_core.cli.rules import read_rules
from mdpublish_core.strings.changes import Change, line_starts

if TYPE_CHECKING:
    from mdpublish_core import Notice


def is_fixable(notice: "Notice", *, unsafe: bool = True) -> bool:
    """Tell whether a notice has a fix, and whether it is safe unless `unsafe`."""
    kind = read_rules()[notice.code].fix
    return notice.fix is not None and kind is not None and (unsafe or kind == "safe")


def fixes_of(markdown: str, notices: "Iterable[Notice]") -> Sequence[Change]:
    """Return the fixes of notices whose source stands in the text at its place; of two that overlap, the first."""
    starts = line_starts(markdown)
    starts[0] = int(markdown.startswith("\ufeff"))
    ends = "\r\n" if "\r\n" in markdown else "\n"
    distinct = set()
    for notice in notices:
        if notice.fix is None or notice.source is None or not notice.line or not notice.column:
            continue
        start = starts[notice.line - 1] + notice.column - 1 if notice.line <= len(starts) else len(markdown)
        source = re.sub("\n", ends, notice.source)
        if markdown.startswith(source, start):
            distinct.add(Change(start, start + len(source), notice.fix.replace("\n", ends)))
    fixes: list[Change] = []
    for fix in sorted(distinct):
        if not fixes or fix.start >= fixes[-1].end:
            fixes.append(fix)
    return fixes


def print_diff(file: str, before: str, after: str) -> None:
    name = display_name(file)
    old, new = (each.splitlines(keepends=True) for each in (before, after))
    for line in unified_diff(old, new, name, name):
        click.echo(line, nl=not line.endswith("\n"))
