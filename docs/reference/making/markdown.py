"""The Markdown of generated parts: tables, paragraphs in lines of the pages' length, and lists of words."""

import re
import textwrap
from collections.abc import Iterable, Sequence

Row = Sequence[str]
"""The cells of a row of a table, in Markdown."""

LINE = 125
"""Characters of a line, at most, as in what is written by hand."""

_BLOCK = re.compile(r"[#>]|[-+*] |\d+[.)] |`{3}|~{3}|={1,}$|-{1,}$|<")


def table(head: Row, rows: Iterable[Row]) -> str:
    """Return a table without the columns that are empty in every row."""
    body = list(rows)
    columns = [number for number in range(len(head)) if any(row[number] for row in body)]
    shown = [_row([row[number] for number in columns]) for row in [head, *body]]
    return "\n".join([shown[0], f"|{'---|' * len(columns)}", *shown[1:]])


def _row(cells: Row) -> str:
    row = " | ".join(cell(content) for content in cells)
    return re.sub(r"\|  (?=\|)", "| ", f"| {row} |")


def cell(content: str) -> str:
    """Return a text in one line, as a cell is."""
    assert "|" not in content, f"{content!r} would be two cells"
    return " ".join(content.split())


def wrapped(paragraph: str, depth: int | None = None) -> str:
    """Return a paragraph in lines of the pages' length, as an item of a list at a depth; one that is a list keeps its own."""
    if paragraph.startswith(("- ", "    ")):
        return paragraph
    first, others = ("", "") if depth is None else ("  " * depth + "- ", "  " * depth + "  ")
    lines = textwrap.wrap(
        paragraph,
        LINE,
        initial_indent=first,
        subsequent_indent=others,
        break_long_words=False,
        break_on_hyphens=False,
    )
    assert not any(_BLOCK.match(line.strip()) for line in lines[1:]), (
        f"{lines} has a line that Markdown takes for a mark"
    )
    return "\n".join(lines)


def joined(*blocks: str) -> str:
    """Return blocks with an empty line between them; an empty one is none."""
    return "\n\n".join(block for block in blocks if block)


def either(choices: Sequence[str]) -> str:
    """Return choices as a list with an `or`."""
    *first, last = choices
    return f"{', '.join(first)} or {last}" if first else last
