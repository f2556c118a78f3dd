"""Constructs of dialects, and which of them each program shows as meant: a table of docs/explanation/comparison.md.

    python -m benchmarks.dialects             prints the table, and each construct that its own program shows otherwise
    python -m benchmarks.dialects --check     exits with 1 if the page has another table, or there is such a construct

The constructs are in tests/dialects/constructs.txt. One is shown if lxml finds in a program's HTML the words that are
meant, no other ones, and the elements for it.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Mapping, Sequence

from benchmarks.comparison_page import PAGE, table_of_page
from mdpublish_core import convert, select_extensions
from tests import dialects
from tests.dialects.constructs import CONSTRUCTS, Construct

NAMES: Mapping[str, tuple[str, str | None]] = {
    "mkdocs": ("MkDocs-Material", "Python-Markdown"),
    "pandoc": ("Pandoc", "pandoc"),
    "obsidian": ("Obsidian", None),
    "hugo": ("Hugo", "goldmark"),
}
"""The dialects, and the programs that are theirs and can be run."""

OTHERS = ("pandoc", "Python-Markdown")


def ours(construct: Construct) -> tuple[bool, bool]:
    """Return whether we show a construct, and whether a notice names it."""
    shown = convert(construct.source, to="generic", extensions=select_extensions([construct.dialect]))
    is_named = any(notice.code == "unread-syntax" for notice in shown.notices)
    return construct.is_shown_by(shown.html), is_named


def by(program: str, constructs: Sequence[Construct]) -> list[bool]:
    pages = dialects.PROGRAMS[program]([construct.source for construct in constructs])
    return [each.is_shown_by(page) for each, page in zip(constructs, pages, strict=True)]


def rows() -> list[tuple[str, list[int]]]:
    counts: list[tuple[str, list[int]]] = []
    for dialect, (name, _) in NAMES.items():
        constructs = [each for each in CONSTRUCTS.values() if each.dialect == dialect]
        shown = Counter(map(ours, constructs))
        read, named = shown[True, False], shown[False, True]
        counts.append(
            (
                name,
                [
                    len(constructs),
                    read,
                    named,
                    len(constructs) - read - named,
                    *(sum(by(each, constructs)) for each in OTHERS),
                ],
            )
        )
    total = [sum(column) for column in zip(*(row for _, row in counts), strict=True)]
    return [*counts, ("**all**", total)]


def table() -> str:
    head = ("constructs of", "of", "shown", "named", "neither", "pandoc shows", "MkDocs shows")
    lines = [head, ("---", *["--:"] * 6), *((name, *map(str, row)) for name, row in rows())]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def shown_otherwise() -> list[str]:
    """Return the constructs of which their own program shows other words than ours."""
    wrong = []
    for dialect, (_, program) in NAMES.items():
        names = [name for name, each in CONSTRUCTS.items() if each.dialect == dialect and each.is_alike and program]
        if program:
            pages = by(program, [CONSTRUCTS[name] for name in names])
            wrong += [name for name, is_shown in zip(names, pages, strict=True) if not is_shown]
    return wrong


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    given = parser.parse_args()
    counted, wrong = table(), shown_otherwise()
    print(counted, *wrong, sep="\n")
    if given.check and (wrong or counted != table_of_page("dialects")):
        sys.exit(f"{PAGE} has another table, or constructs are shown otherwise")


if __name__ == "__main__":
    main()
