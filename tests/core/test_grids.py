from mdpublish_core import nodes, parse
from mdpublish_core.destinations.grids import MOST_COLUMNS, Grid, column_shares, grid_of


def grid(markdown: str) -> Grid:
    """Return the first table of a document as a grid."""
    tables = (token for token in nodes.walk(parse(markdown)) if isinstance(token, nodes.Table | nodes.HtmlElement))
    return grid_of(next(token for token in tables if isinstance(token, nodes.Table) or token.tag == "table"))


def texts(found: Grid) -> list[list[str]]:
    return [[nodes.text_of(cell.token) for cell in row.cells] for row in found.rows]


def test_markdown_table_is_a_head_and_a_body() -> None:
    found = grid("|a|b|\n|:-|-:|\n|c|d|\n")

    assert texts(found) == [["a", "b"], ["c", "d"]]
    assert [row.is_header for row in found.rows] == [True, False]
    assert [[cell.align for cell in row.cells] for row in found.rows] == [["left", "right"]] * 2
    assert found.columns == 2


def test_spans_move_the_cells_beside_them() -> None:
    found = grid(
        "<table><tr><td rowspan=2>a</td><td colspan=2>b</td></tr><tr><td>c</td><td>d</td></tr>"
        "<tr><td>e</td><td>f</td><td>g</td></tr></table>"
    )

    assert [[(cell.number, cell.columns, cell.rows) for cell in row.cells] for row in found.rows] == [
        [(0, 1, 2), (1, 2, 1)],
        [(1, 1, 1), (2, 1, 1)],
        [(0, 1, 1), (1, 1, 1), (2, 1, 1)],
    ]
    assert found.columns == 3


def test_head_of_an_html_table_comes_first() -> None:
    found = grid(
        "<table><caption>x</caption><tbody><tr><th>a</th><td>b</td></tr></tbody><thead><tr><th>c</th></tr></thead></table>"
    )

    assert texts(found) == [["c"], ["a", "b"]]
    assert [row.is_header for row in found.rows] == [True, False]
    assert [cell.is_header for cell in found.rows[1].cells] == [True, False]
    assert found.caption
    assert nodes.text_of(found.caption) == "x"


def test_span_reaches_no_further_than_the_bound() -> None:
    found = grid("<table><tr>" + "<td colspan=60>a</td>" * 3 + "</tr></table>")

    assert [cell.columns for cell in found.rows[0].cells] == [60, 40, 1]
    assert found.columns == MOST_COLUMNS + 1


def test_what_stands_in_no_row_is_kept() -> None:
    stray = nodes.Paragraph([nodes.RawText("stray")])
    found = grid_of(
        nodes.HtmlElement(
            "table", {}, [stray, nodes.HtmlElement("tbody", {}, [nodes.HtmlElement("td", {}, [nodes.RawText("a")])])]
        )
    )

    assert texts(found) == [["stray"], ["a"]]


def test_columns_share_the_width_by_their_longest_texts() -> None:
    shares = column_shares(grid("|a|bbbbbbbbbbbb|\n|-|-|\n|漢字漢字|b|\n"))

    assert shares == [8 / 20, 12 / 20]
    assert sum(column_shares(grid("|a|" + "b" * 500 + "|\n|-|-|\n"))) == 1
