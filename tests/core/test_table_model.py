from mdpublish_core import nodes, parse
from mdpublish_core.table_model import MAX_COLUMNS, Grid, build_grid


def grid(markdown: str) -> Grid:
    """The first table of a document."""
    tables = (token for token in nodes.walk(parse(markdown)) if isinstance(token, nodes.Table | nodes.HtmlElement))
    return build_grid(next(token for token in tables if isinstance(token, nodes.Table) or token.tag == "table"))


def cell_strings(table: Grid) -> list[list[str]]:
    return [[nodes.text_content(cell.token) for cell in row.cells] for row in table.rows]


def test_markdown_table_is_a_head_and_a_body() -> None:
    table = grid("|a|b|\n|:-|-:|\n|c|d|\n")

    assert cell_strings(table) == [["a", "b"], ["c", "d"]]
    assert [row.is_header for row in table.rows] == [True, False]
    assert [[cell.align for cell in row.cells] for row in table.rows] == [["left", "right"]] * 2
    assert table.columns == 2


def test_spans_move_the_cells_next_to_them() -> None:
    table = grid(
        "<table><tr><td rowspan=2>a</td><td colspan=2>b</td></tr><tr><td>c</td><td>d</td></tr>"
        "<tr><td>e</td><td>f</td><td>g</td></tr></table>"
    )

    assert [[(cell.first_column, cell.column_span, cell.row_span) for cell in row.cells] for row in table.rows] == [
        [(0, 1, 2), (1, 2, 1)],
        [(1, 1, 1), (2, 1, 1)],
        [(0, 1, 1), (1, 1, 1), (2, 1, 1)],
    ]
    assert table.columns == 3


def test_spans_end_with_their_part_and_at_cells_from_above() -> None:
    table = grid(
        "<table><thead><tr><th rowspan=9>a</th><th>b</th></tr></thead><tbody><tr><td>c</td><td rowspan=2>d</td></tr>"
        "<tr><td colspan=2 rowspan=3>e</td><td>f</td></tr></tbody></table>"
    )

    assert [[(cell.first_column, cell.column_span, cell.row_span) for cell in row.cells] for row in table.rows] == [
        [(0, 1, 1), (1, 1, 1)],
        [(0, 1, 1), (1, 1, 2)],
        [(0, 1, 1), (2, 1, 1)],
    ]


def test_slots_of_a_row_are_its_cells_those_from_above_and_gaps() -> None:
    table = grid(
        "<table><tr><td>a</td><td colspan=2 rowspan=3>b</td><td>c</td></tr><tr><td rowspan=2>d</td></tr>"
        "<tr><td>e</td></tr><tr><td colspan=4>f</td></tr></table>"
    )

    assert [
        [
            (slot.cell and nodes.text_content(slot.cell.token), slot.end_column, slot.rows_left, slot.is_continued)
            for slot in row
        ]
        for row in table.slots(table.rows)
    ] == [
        [("a", 1, 1, False), ("b", 3, 3, False), ("c", 4, 1, False)],
        [("d", 1, 2, False), ("b", 3, 2, True), (None, 4, 1, False)],
        [("d", 1, 1, True), ("b", 3, 1, True), ("e", 4, 1, False)],
        [("f", 4, 1, False)],
    ]


def test_head_of_an_html_table_comes_first() -> None:
    table = grid(
        "<table><caption>x</caption><tbody><tr><th>a</th><td>b</td></tr></tbody><thead><tr><th>c</th></tr></thead></table>"
    )

    assert cell_strings(table) == [["c"], ["a", "b"]]
    assert [row.is_header for row in table.rows] == [True, False]
    assert [cell.is_header for cell in table.rows[1].cells] == [True, False]
    assert table.caption
    assert nodes.text_content(table.caption) == "x"


def test_span_reaches_no_further_than_the_bound() -> None:
    table = grid("<table><tr>" + "<td colspan=60>a</td>" * 3 + "</tr></table>")

    assert [cell.column_span for cell in table.rows[0].cells] == [60, 40, 1]
    assert table.columns == MAX_COLUMNS + 1


def test_content_outside_of_rows_is_preserved() -> None:
    stray = nodes.Paragraph([nodes.RawText("stray")])
    table = build_grid(
        nodes.HtmlElement(
            "table", {}, [stray, nodes.HtmlElement("tbody", {}, [nodes.HtmlElement("td", {}, [nodes.RawText("a")])])]
        )
    )

    assert cell_strings(table) == [["stray"], ["a"]]
    assert [row.cells[0].is_header for row in table.rows] == [False, False]
