"""Bars in the code and formulas of tables: whether they divide a cell, and the notices about them."""

import pytest

from mdpublish_core import DEFAULT_EXTENSIONS, Notice, convert, nodes, parse
from mdpublish_core.notices import MAX_NOTICES
from mdpublish_core.testing.steps import count_steps


def table_of(rows: str, columns: int = 2) -> str:
    return f"| {' | '.join('hi'[:columns])} |\n|{'---|' * columns}\n{rows}\n"


def cells_of(markdown: str) -> list[list[str]]:
    """Return the cells of the only table's body."""
    (table,) = parse(markdown).children
    assert isinstance(table, nodes.Table)
    return [[nodes.text_content(cell) for cell in row.children] for row in table.children]


def notices_of(markdown: str) -> list[tuple[str, int | None, str | None]]:
    return [(notice.code, notice.line, notice.fix) for notice in parse(markdown).notices]


@pytest.mark.parametrize(
    ("row", "fix"),
    [
        ("| `a|b` | c |", r"| `a\|b` | c |"),
        ("`a|b` | c", r"`a\|b` | c"),
        ("| ``a`|`b`` | c |", r"| ``a`\|`b`` | c |"),
        ("| `a || b` | c |", r"| `a \|\| b` | c |"),
        ("| `a\\|b|c` | d |", r"| `a\|b\|c` | d |"),
        (r"| `a\\|b` | c |", r"| `a\\\|b` | c |"),
        ("| $|x|$ | `a|b` |", r"| $\|x\|$ | `a\|b` |"),
        ("| `a|b` | c | d |", None),
        ("| a | b | c |", None),
        ("| `a | b | c` |", None),
    ],
)
def test_dropped_cells_have_a_notice_and_a_fix_if_bars_in_code_are_the_reason(row: str, fix: str | None) -> None:
    assert notices_of(table_of(row)) == [("table-extra-cells", 3, fix)]
    if fix:
        assert notices_of(table_of(fix)) == []


def test_each_row_that_loses_cells_has_a_notice() -> None:
    assert [line for _, line, _ in notices_of(table_of("| 1 | 2 | 3 |\n| 4 | 5 |\n| 6 | 7 | |"))] == [3, 5]


@pytest.mark.parametrize(
    ("row", "fix"),
    [
        ("| `a|b` |", r"| `a\|b` |"),
        # Perhaps two cells with a backtick each.
        ("| ` | ` |", None),
        ("| `a | b` |", None),
        # Perhaps two amounts.
        ("| $a|b$ |", r"| $a\|b$ |"),
    ],
)
def test_divided_code_and_formulas_have_a_notice_where_no_cell_is_dropped(row: str, fix: str | None) -> None:
    code = "table-bar-in-math" if "$" in row else "table-bar-in-code"

    assert notices_of(table_of(row)) == [(code, 3, fix)]
    assert len(cells_of(table_of(row))[0]) == 2


@pytest.mark.parametrize(
    "row",
    [
        "| `a` | `b` |",
        "| ``a`b`` | `c` |",
        r"| \` | \` |",
        "| ` | a |",
        r"| `a\|b` | $\|x\|$ |",
        "| $5 | $6 |",
        "| $10 | 20$ |",
        "| US$ | A$ |",
        "| a |",
    ],
)
def test_row_without_bars_in_code_or_formulas_has_no_notice(row: str) -> None:
    assert notices_of(table_of(row)) == []


@pytest.mark.parametrize(
    ("row", "cells", "fix"),
    [
        ("| $|x|$ | b |", ["|x|", "b"], r"| $\|x\|$ | b |"),
        ("| $P(A | B)$ | $|x|$ |", ["P(A | B)", "|x|"], r"| $P(A \| B)$ | $\|x\|$ |"),
        ("$a|b$ | c", ["a|b", "c"], r"$a\|b$ | c"),
        ("| $`a|b`$ | c |", ["a|b", "c"], r"| $`a\|b`$ | c |"),
        ("| $$a|b$$ | c |", ["a|b", "c"], r"| $$a\|b$$ | c |"),
        (r"| \(\frac{a|b}{c}\) | d |", [r"\frac{a|b}{c}", "d"], r"| \(\frac{a\|b}{c}\) | d |"),
    ],
)
def test_formula_stays_whole_where_the_row_then_fits(row: str, cells: list[str], fix: str) -> None:
    assert cells_of(table_of(row)) == [cells]
    assert notices_of(table_of(row)) == [("table-bar-in-math", 3, fix)]
    assert cells_of(table_of(fix)) == [cells]
    assert notices_of(table_of(fix)) == []


def test_formula_is_divided_where_the_row_would_not_fit() -> None:
    assert cells_of(table_of("| $|x|$ | b | c |")) == [["$", "x"]]
    assert notices_of(table_of("| $|x|$ | b | c |")) == [("table-extra-cells", 3, None)]


def test_without_the_extension_dollars_hold_nothing_together() -> None:
    document = parse(table_of("| $|x|$ | b |"), extensions=DEFAULT_EXTENSIONS - {"math"})

    assert [notice.code for notice in document.notices] == ["table-extra-cells"]
    assert not any(isinstance(token, nodes.MathSpan) for token in nodes.walk(document))


def test_formulas_in_the_head_are_whole_if_it_then_fits() -> None:
    markdown = "> text\n> | $|x|$ | b |\n> |---|---|\n> | 1 | 2 |\n"

    assert "<th>$|x|$</th>\n<th>b</th>" in convert(markdown, to="html").html
    assert notices_of(markdown) == [("table-bar-in-math", 2, r"| $\|x\|$ | b |")]


def test_head_with_bars_in_code_is_none_as_on_github_with_a_notice() -> None:
    markdown = "| `a|b` | c |\n|---|---|\n| 1 | 2 |\n"

    assert [type(block) for block in parse(markdown).children] == [nodes.Paragraph]
    assert notices_of(markdown) == [("table-bar-in-code", 1, r"| `a\|b` | c |")]


@pytest.mark.parametrize("markdown", ["a `b|c` d\n---|---|---", "a | b | c\n---|---", "`a|b`\n---"])
def test_text_above_a_line_of_dashes_is_told_nothing(markdown: str) -> None:
    assert notices_of(markdown) == []


def notice_with_source(markdown: str, source: str) -> Notice:
    return next(notice for notice in parse(markdown).notices if notice.source == source)


@pytest.mark.parametrize("prefix", ["", "> ", "1.\t"])
def test_positions_behind_bars_of_formulas_are_right(prefix: str) -> None:
    further = prefix.replace("1.", "  ")
    row = r"| $|a|$ \| [b](x:y) | [c](x:z) |"
    lines = [f"{prefix}| h | i |", f"{further}|---|---|", f"{further}{row}"]
    markdown = "\n".join(lines)

    for source in ("[b](x:y)", "[c](x:z)"):
        notice = notice_with_source(markdown, source)
        assert (notice.line, lines[2][(notice.column or 0) - 1 :].startswith(source)) == (3, True)


def test_notices_of_a_long_table_are_bounded() -> None:
    notices = parse(table_of("| 1 | 2 | 3 |\n" * 1_000)).notices

    assert len(notices) == MAX_NOTICES + 1
    assert notices[-1].message == "900 more notices of this kind are not listed"


@pytest.mark.parametrize("cell", ["`a|b`", "$|a|$", "`|", "$a|", "`" * 3 + "|" + "`" * 2, r"\(a|"])
@pytest.mark.parametrize("is_one_row", [False, True])
def test_work_for_bars_is_linear(cell: str, is_one_row: bool) -> None:
    def steps(count: int) -> int:
        cells = " | ".join([cell] * count) if is_one_row else "\n".join([f"| {cell} | c |"] * count)
        return count_steps(lambda: parse(table_of(cells)))

    assert steps(2_000) < 12 * steps(200)
