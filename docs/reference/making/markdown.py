"""Markdown of generated parts."""

import re
import textwrap
from collections.abc import Iterable, Sequence

Row = Sequence[str]

LINE = 120

_BLOCK = re.compile(r"[#>]|[-+*] |\d+[.)] |`{3}|~{3}|={1,}$|-{1,}$|<")


def table(head: Row, rows: Iterable[Row]) -> str:
    """Format a table without empty columns."""
    body = list(rows)
    columns = [number for number in range(len(head)) if any(row[number] for row in body)]
    shown = [_row([row[number] for number in columns]) for row in [head, *body]]
    return "\n".join([shown[0], f"|{'---|' * len(columns)}", *shown[1:]])


def _row(cells: Row) -> str:
    row = " | ".join(cell(content) for content in cells)
    return re.sub(r"\|  (?=\|)", "| ", f"| {row} |")


def cell(content: str) -> str:
    assert "|" not in content, f"{content!r} would be two cells"
    return " ".join(content.split())


def wrapped(paragraph: str, depth: int | None = None) -> str:
    """Wrap a paragraph, optionally as a list item at a depth."""
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
    return "\n\n".join(block for block in blocks if block)


def either(choices: Sequence[str]) -> str:
    """Join with commas and `or`."""
    *first, last = choices
    return f"{', '.join(first)} or {last}" if first else last
