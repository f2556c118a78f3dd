"""Law: the cells of a table's row are those that its author wrote, or a notice names the row."""

from hypothesis import example, given
from hypothesis import strategies as st

from mdpublish_core import nodes, parse

_CELLS = {
    "a": "a",
    "b c": "b c",
    "": "",
    "`code`": "code",
    "`a|b`": "a|b",
    r"`a\|b`": "a|b",
    "``a`|`b``": "a`|`b",
    "`": "`",
    r"\`": "`",
    "`a": "`a",
    "$|x|$": "|x|",
    r"$\|x\|$": "|x|",
    "$P(A|B)$": "P(A|B)",
    "$`a|b`$": "a|b",
    "$$a|b$$": "a|b",
    r"\(\frac{a|b}{c}\)": r"\frac{a|b}{c}",
    "$5": "$5",
    "US$": "US$",
    r"\$": "$",
    "*a*": "a",
    r"\|": "|",
    "[a](b)": "a",
}
"""Cells as written, and what readers shall see."""

rows = st.lists(st.sampled_from(sorted(_CELLS)), min_size=1, max_size=5)


@given(st.integers(1, 4), st.lists(rows, min_size=1, max_size=6), st.sampled_from(["", "> ", "- "]))
@example(2, [["`a|b`", "a"]], "")
@example(4, [["$|x|$", "a"]], "")
@example(2, [["`", "`"]], "> ")
@example(2, [["a", "b c", ""]], "- ")
def test_cells_are_those_written_or_a_notice_names_the_row(columns: int, written: list[list[str]], prefix: str) -> None:
    further = "  " if prefix == "- " else prefix
    body = "".join(f"{further}| {' | '.join(row)} |\n" for row in written)
    document = parse(f"{prefix}| {' | '.join('head'[:columns])} |\n{further}|{'---|' * columns}\n{body}")
    (table,) = (token for token in nodes.walk(document) if isinstance(token, nodes.Table))

    lines = {notice.line for notice in document.notices}
    assert len(table.children) == len(written)
    for line, (row, tree) in enumerate(zip(written, table.children, strict=True), 3):
        shown = [nodes.text_content(cell) for cell in tree.children]
        meant = [_CELLS[cell] for cell in row]
        assert shown == [*meant, *[""] * (columns - len(row))] or line in lines, (row, shown)
