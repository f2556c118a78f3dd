"""Law: the source of a notice stands at its line and column, and its fix, written there, leaves no such notice."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mdpublish_core import Notice, convert
from mdpublish_core.testing import hostile_text

_LINES = (
    "one [a](x:y) two",
    "![a](b.png)",
    "# [a](x:y) #",
    "| a | [a](x:y) |",
    "|---|---|",
    "| `a || b` | `c` |",
    "| 1 | \\| <blink> | 3 |",
    "| $|\\no|$ | [a](x:y) |",
    "| `a|b` |",
    "$$",
    "$$ \\no $$",
    "one $\\no$ `$\\no$` $a",
    "\\no$",
    "```math",
    "```",
    "```mermaid\nflowchart LR\nA[Load (fast)] --> B{Is it (ok)?}\n```",
    "```mermaid\nflowchart LR\nA --> --> B\n```",
    "```dot\ndigraph { a -> b [label=two words] }\n```",
    '```chart\n{"type": "bar", "data" {}}\n```',
    "<div>",
    '<a href="x:y">b</a> <blink>',
    "</div>",
    "a <!-- b ==c <title>==",
    "<script",
    "x>",
    "[a][r]",
    "[r]: x:y",
    "",
)
_PREFIXES = ("", "", "", "> ", "- ", "  ", "\t", "> - ", "1.\t", "[^1]: ", "- [x] ")

documents = st.lists(st.tuples(st.sampled_from(_PREFIXES), st.sampled_from(_LINES)), max_size=12).map(
    lambda lines: "\n".join(prefix + each for prefix, line in lines for each in line.split("\n"))
)


def lines_of(markdown: str) -> list[str]:
    """Return lines as an editor numbers them."""
    content = markdown.removeprefix("\ufeff").replace("\0", "\ufffd")
    return content.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def text_at(markdown: str, notice: Notice) -> str:
    assert notice.line is not None
    assert notice.column is not None
    first, *further = lines_of(markdown)[notice.line - 1 :]
    return "\n".join([first[notice.column - 1 :], *further])


def fixed(markdown: str, notice: Notice) -> str:
    assert notice.line is not None
    assert notice.source is not None
    rest = text_at(markdown, notice)
    before = "\n".join(lines_of(markdown))
    return before[: len(before) - len(rest)] + (notice.fix or "") + rest[len(notice.source) :]


@given(hostile_text() | documents)
@example("\ufeff> - one\r\n>\t [a](x:y)\r")
@example("- [x]\n  [a](x:y)")
@example("---\ntitle: a: b\n---\n> <script\n> x> [a](x:y)")
@pytest.mark.parametrize("destination", ["generic", "email"])
def test_source_stands_at_its_line_and_column(destination: str, markdown: str) -> None:
    for notice in convert(markdown, to=destination).notices:
        assert (notice.source is None) == (notice.column is None)
        if notice.source is not None:
            assert notice.source
            assert text_at(markdown, notice).startswith(notice.source), notice


@given(documents)
@example("---\ntitle: a: b \n---\n")
@example("> ```mermaid\n> flowchart LR\n> A[Load (fast)] --> B{Is it (ok)?}\n> ```")
@example("| a | b |\n|---|---|\n| `a || b` | `c` |")
@example("- ```dot\n  digraph { a -> b [label=two words] }\n  ```")
def test_fix_leaves_no_such_notice(markdown: str) -> None:
    for notice in convert(markdown).notices:
        if notice.fix is not None:
            place = (notice.code, notice.line, notice.column)
            remaining = convert(fixed(markdown, notice)).notices
            assert place not in {(each.code, each.line, each.column) for each in remaining}, notice
