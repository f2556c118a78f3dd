"""The table of features; `nox -s features` runs the other converters."""

from benchmarks.comparison_page import PAGE, table_of_page
from benchmarks.features import FEATURES, TOOLS, column


def rows() -> list[list[str]]:
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table_of_page("features").splitlines()]


def test_column_of_mdpublish_is_what_it_does() -> None:
    head, _, *body = rows()
    assert [head[1], *(row[1] for row in body)] == column("mdpublish")


def test_table_has_each_feature_and_tool() -> None:
    head, _, *body = rows()
    assert [name.partition(" ")[0] for name in head[1:]] == list(TOOLS)
    assert [row[0] for row in body] == [feature.name for feature in FEATURES]
    page = PAGE.read_text("utf-8")
    assert page.count("<!-- made: features -->") == 1
    assert page.count("<!-- end -->") == page.count("<!-- made: ")
