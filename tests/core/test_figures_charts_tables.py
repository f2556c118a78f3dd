"""Chart data in words and numbers: table, plain text, description, and their place in each destination."""

import csv
import json
import re
from io import StringIO
from typing import Any
from urllib.request import urlopen

import pytest
from lxml import etree, html

from mdpublish_core import convert
from mdpublish_core.figures import charts
from mdpublish_core.figures.charts.engine import lay_out_chart
from mdpublish_core.figures.charts.options import Remarks
from mdpublish_core.figures.charts.palettes import build_palette
from mdpublish_core.figures.charts.reading.sources import ChartSource
from mdpublish_core.figures.charts.tables import MAX_DESCRIPTION_LENGTH, Table, build_table, describe_chart, plain_text
from mdpublish_core.figures.outlines import MAX_DESCRIPTION_LENGTH as MAX_GIST_LENGTH
from mdpublish_core.figures.request import MAX_COLUMNS
from mdpublish_core.figures.worker import render
from mdpublish_core.writers.generic import MAX_DATA_ROWS
from tests.visual.chart_configurations import configurations
from tests.visual.rendered_charts import chart_request, render_chart
from tests.visual.rendering import theme_of

pytestmark = pytest.mark.needs("resvg_py")

IMAGE_DESTINATIONS = ("email", "google-docs", "onenote", "word")
NUMBERED = {"scales": {"x": {"type": "linear"}}}
TIMED = {"scales": {"x": {"type": "time"}}}
NAMES = ["Red", "Blue", "Green"]


def of(kind: str, *data: Any, labels: Any = None, options: Any = None, **dataset: Any) -> dict[str, Any]:
    """A chart with a dataset for each of `data`. Several are named A, B, C …"""
    names = [{}] if len(data) == 1 else [{"label": label} for label, _ in zip("ABCDEFGH", data, strict=False)]
    datasets = [{**name, "data": each, **dataset} for name, each in zip(names, data, strict=True)]
    return {"type": kind, "data": {"labels": labels or [], "datasets": datasets}, "options": options or {}}


def table(source: Any) -> Table:
    return render_chart(source).table


def plain_text_of(source: Any) -> str:
    return render_chart(source).plain_text or ""


def fence(source: Any, options: str = "") -> str:
    return f"```chart{options}\n{json.dumps(source)}\n```\n"


# Tables


@pytest.mark.parametrize(
    ("source", "rows"),
    [
        (of("bar", [1, None, 2.5], labels=NAMES), [("", "Value"), ("Red", "1"), ("Blue", ""), ("Green", "2.5")]),
        (
            of("line", [1, 2], [3], labels=NAMES),
            [("", "A", "B"), ("Red", "1", "3"), ("Blue", "2", ""), ("Green", "", "")],
        ),
        (of("pie", [1, 2, 3, 4], labels=NAMES), [("", "Value"), *zip((*NAMES, "4"), "1234", strict=True)]),
        (of("bar", [1, 2]), [("", "Value"), ("1", "1"), ("2", "2")]),
        (of("bar", [[1, 3], [-2.5, 4]], labels=NAMES[:2]), [("", "Value"), ("Red", "1 – 3"), ("Blue", "-2.5 – 4")]),
        (of("bar", {"Red": 1, "Blue": -2}), [("", "Value"), ("Red", "1"), ("Blue", "-2")]),
        (of("line", {"Red": 1}, {"Blue": 2, "Red": 3}), [("", "A", "B"), ("Red", "1", "3"), ("Blue", "", "2")]),
        (of("line", [{"x": "Red", "y": 1}]), [("", "Value"), ("Red", "1")]),
        (of("bar", [{"x": 5, "y": "Red"}], options={"indexAxis": "y"}), [("", "Value"), ("Red", "5")]),
        (of("line", [["Red", 1], ["Blue", 2]]), [("", "Value"), ("Red", "1"), ("Blue", "2")]),
        (
            of("line", [[1, "Red"], [2, "Blue"]], options={"indexAxis": "y"}),
            [("", "Value"), ("Red", "1"), ("Blue", "2")],
        ),
        (
            of("bar", [{"n": {"name": "Red"}, "v.w": 5}], parsing={"xAxisKey": "n.name", "yAxisKey": "v\\.w"}),
            [("", "Value"), ("Red", "5")],
        ),
        (
            of("doughnut", [{"n": {"v": 5}}, {"n": {"v": 6}}], labels=NAMES[:2], parsing={"key": "n.v"}),
            [("", "Value"), ("Red", "5"), ("Blue", "6")],
        ),
        (of("radar", [1, None, 3], labels=NAMES), [("", "Value"), ("Red", "1"), ("Blue", ""), ("Green", "3")]),
        (
            of("polarArea", [1, 2], labels=["Red\nHot", ["Blue", "Cold"]]),
            [("", "Value"), ("Red Hot", "1"), ("Blue Cold", "2")],
        ),
        (of("scatter", [{"x": 1, "y": 2}, [3, -4.5]]), [("x", "y"), ("1", "2"), ("3", "-4.5")]),
        (of("scatter", [{"x": 1, "y": 2}], [{"x": 1, "y": None}]), [("", "x", "y"), ("A", "1", "2"), ("B", "1", "")]),
        (of("bubble", [{"x": 1, "y": 2, "r": 3}, [4, 5, 6]]), [("x", "y", "r"), ("1", "2", "3"), ("4", "5", "6")]),
        (of("line", [{"x": 1, "y": 2}, {"x": 1, "y": 3}], options=NUMBERED), [("x", "y"), ("1", "2"), ("1", "3")]),
        (of("bar", [1, 2], labels=["Red", "Red"]), [("x", "y"), ("Red", "1"), ("Red", "2")]),
        (
            of("line", [{"x": "2024-02-29", "y": 1}, {"x": "2024-03-01T10:30", "y": 2}], options=TIMED),
            [("", "Value"), ("2024-02-29", "1"), ("2024-03-01T10:30", "2")],
        ),
        (
            of("line", [{"x": 1_709_251_200_000, "y": 1}], options=TIMED),
            [("", "Value"), ("Mar 1, 2024, 12:00:00 a.m.", "1")],
        ),
        (of("line", [1, 2], labels=["2024-03-01", "2024-03-02"], options=TIMED), None),
        (of("bar", [1e21, 1.5e-7, 0.1 + 0.2], labels=NAMES), None),
        (of("bar", ["12", True, False], labels=NAMES), None),
    ],
)
def test_table_has_a_row_for_each_position_or_each_value(source: Any, rows: list[tuple[str, ...]] | None) -> None:
    actual = table(source)

    if rows is not None:
        assert actual == tuple(rows)
    assert {len(row) for row in actual} == {len(actual[0])}
    assert len(actual) >= 2


def test_numbers_have_all_of_their_digits() -> None:
    assert [row[1] for row in table(of("bar", [1e21, 1.5e-7, 0.1 + 0.2, 1234567.891, -0.0]))[1:]] == [
        "1e+21",
        "1.5e-7",
        "0.30000000000000004",
        "1234567.891",
        "0",
    ]


def test_titles_of_axes_are_those_of_columns() -> None:
    def named(**names: str) -> dict[str, Any]:
        return {"scales": {axis: {"title": {"display": True, "text": name}} for axis, name in names.items()}}

    lying = {"indexAxis": "y", **named(x="Votes", y="Colour")}
    assert table(of("bar", [1], labels=["Red"], options=named(x="Colour")))[0] == ("Colour", "Value")
    assert table(of("bar", [1], labels=["Red"], options=lying))[0] == ("Colour", "Value")
    assert table(of("scatter", [[1, 2]], options=named(x="Size", y="Weight")))[0] == ("Size", "Weight")
    hidden = {"scales": {"x": {"title": {"display": False, "text": "Colour"}}}}
    assert table(of("bar", [1], labels=["Red"], options=hidden))[0] == ("", "Value")


def test_dataset_has_its_name_or_its_number() -> None:
    def header(*datasets: dict[str, Any]) -> tuple[str, ...]:
        data = [{"data": [1], **each} for each in datasets]
        return table({"type": "bar", "data": {"labels": ["a"], "datasets": data}})[0]

    assert header({"label": "North"}, {}) == ("", "North", "Dataset 2")
    assert header({"label": ""}) == ("", "Value")
    assert header({"label": ["North", "East"]})[1].startswith("North")
    assert header({"label": 2024}) == ("", "2024")


def test_hidden_dataset_is_in_the_table_all_the_same() -> None:
    source = of("bar", [1, 2], [3, 4], labels=NAMES[:2])
    source["data"]["datasets"][1]["hidden"] = True

    assert table(source) == (("", "A", "B"), ("Red", "1", "3"), ("Blue", "2", "4"))


def test_name_of_a_single_dataset_is_in_the_table() -> None:
    for source in (
        of("scatter", [[1, 2]], label="Votes"),
        of("bubble", [[1, 2, 3]], label="Votes"),
        of("bar", [1, 2], labels=["a", "a"], label="Votes"),
        of("bar", [1, 2], labels=["a", "b"], label="Votes"),
    ):
        assert "Votes" in plain_text_of(source)


def test_labels_of_points_are_in_the_table() -> None:
    assert "Red" in {cell for row in table(of("scatter", [[1, 2]], labels=["Red"])) for cell in row}


def test_sparse_table_is_a_list_of_values() -> None:
    data = [[{"x": 1_000_000 * (number * 50 + item), "y": item} for item in range(50)] for number in range(8)]
    source = of("line", *data, options=TIMED)

    assert len(table(source)) == 401
    assert len(table(source)[0]) == 3


def test_chart_without_datasets_has_no_table() -> None:
    assert table({"type": "bar", "data": {"labels": ["a"], "datasets": []}}) == ()
    assert table({"type": "bar"}) == ()


@pytest.mark.parametrize("configuration", configurations()[::9], ids=str)
def test_every_number_of_a_configuration_is_in_its_table(configuration: Any) -> None:
    sketch = render_chart(configuration.source)
    cells = {part for row in sketch.table[1:] for cell in row for part in cell.split(" – ")}
    missing = [each for each in numbers_of(configuration.json) if describe(each) not in cells]

    assert missing == []
    assert {len(row) for row in sketch.table} <= {len(sketch.table[0])} if sketch.table else True


def numbers_of(source: Any) -> list[float]:
    """All numbers of the data, with both ends of ranges."""
    entries = [entry for each in source["data"].get("datasets", []) for entry in each.get("data") or []]
    numbers = [inner for entry in entries for inner in (entry if isinstance(entry, list) else [entry])]
    return [each for each in numbers if isinstance(each, int | float) and not isinstance(each, bool)]


def describe(value: float) -> str:
    return str(int(value)) if value == int(value) else repr(value)


# Plain text


def test_plain_text_is_the_titles_and_the_table() -> None:
    options = {
        "plugins": {
            "title": {"display": True, "text": ["All votes", "of 2024"]},
            "subtitle": {"display": True, "text": "By colour"},
        },
        "scales": {"y": {"title": {"display": True, "text": "Votes"}}},
    }

    assert plain_text_of(of("bar", [10, None], [2.5, 7], labels=["Red", "Deep blue"], options=options)) == (
        "All votes\nof 2024\nBy colour\ny: Votes\n\n"
        "            A    B\n"
        "---------  --  ---\n"
        "Red        10  2.5\n"
        "Deep blue        7"
    )


def test_numbers_are_right_aligned_and_words_left_aligned() -> None:
    lines = plain_text_of(of("bar", [1, 100], ["few", "very many"], labels=NAMES[:2])).splitlines()

    assert lines[2:] == ["Red     1  few", "Blue  100  very many"]


def test_wide_characters_count_for_two_columns() -> None:
    assert plain_text_of(of("bar", [1, 2], labels=["日本", "a\u0301b"])).splitlines()[2:] == [
        "日本      1",
        "a\u0301b        2",
    ]


def test_table_that_is_too_wide_is_a_list() -> None:
    names = [f"A dataset with the number {number}" for number in range(5)]
    datasets = [{"label": name, "data": [number, None]} for number, name in enumerate(names)]
    source = {"type": "bar", "data": {"labels": ["Red", "Blue"], "datasets": datasets}}

    assert plain_text_of(source).splitlines() == [
        "Red",
        *(f"  {name}: {number}" for number, name in enumerate(names)),
        "Blue",
    ]


@pytest.mark.parametrize("width", [0, 1, 30, 99, 100, 101, 300, 500])
def test_no_line_has_more_columns_than_fit(width: int) -> None:
    word = "word " * (width // 5) + "w" * (width % 5)
    for label in (word, "字" * (width // 2), "w" * width):
        plugins = {"plugins": {"title": {"display": True, "text": label}}}
        lines = plain_text_of(of("bar", [1, 2], [3, 4], labels=[label, label[:-1]], options=plugins)).splitlines()

        assert max(map(columns, lines)) <= MAX_COLUMNS
        assert not [line for line in lines if line != line.rstrip()]


@pytest.mark.parametrize("step", range(4))
def test_words_of_every_configuration_fit(step: int) -> None:
    for each in configurations()[step::4]:
        sketch = charts.render(chart_request(each.source, forms=frozenset({"text"})))
        lines = (sketch.plain_text or "").splitlines()

        assert max(map(columns, lines), default=0) <= MAX_COLUMNS, each
        assert not [line for line in lines if line != line.rstrip()], each
        # Nobody listens for longer.
        assert len(sketch.description) <= MAX_DESCRIPTION_LENGTH + MAX_GIST_LENGTH + len("Polar area chart. . "), each


def columns(line: str) -> int:
    return sum(2 if "⺀" <= each <= "鿿" or "！" <= each <= "～" else 1 for each in line)


def test_plain_text_needs_no_svg() -> None:
    request = chart_request(of("bar", [1], labels=["a"]), forms=frozenset({"text"}))
    result = render(request)

    assert getattr(result, "svg", "") is None
    assert getattr(result, "plain_text", "").endswith("a      1")


# Descriptions


@pytest.mark.parametrize(
    ("source", "description"),
    [
        (of("bar", [1, 2.5], labels=NAMES[:2]), "Bar chart. Red: 1; Blue: 2.5"),
        (of("line", [1, 2], [3, None], labels=NAMES[:2]), "Line chart. Red: A 1, B 3; Blue: A 2"),
        (of("doughnut", [1], labels=["Red"]), "Doughnut chart. Red: 1"),
        (of("pie", [1], labels=["Red"]), "Pie chart. Red: 1"),
        (of("radar", [1], labels=["Red"]), "Radar chart. Red: 1"),
        (of("polarArea", [1], labels=["Red"]), "Polar area chart. Red: 1"),
        (of("bubble", [{"x": 1, "y": 2, "r": 3}]), "Bubble chart. 1: y 2, r 3"),
        (of("bar", [1, None], labels=NAMES[:2], label="Sales"), "Bar chart. Sales: Red 1, Blue no value"),
        (of("line", [1, 2], labels=["2024", "2025"], label="Sales"), "Line chart. Sales: 2024: 1, 2025: 2"),
        (of("scatter", [[1, 2], [3, 4]], label="Runs"), "Scatter chart. Runs: x 1, y 2; x 3, y 4"),
        (of("bar", [0] * 1000, label="Sales"), "Bar chart. Sales has 1,000 values; all 0"),
        (of("bar", [1, 2], labels=NAMES[:2], label="a" * 151), "Bar chart. Red: 1; Blue: 2"),
        (of("bar"), "Bar chart"),
        (of("bar", list(range(1000))), "Bar chart. 1,000 values; highest 999 (1000), lowest 0 (1)"),
        (of("bar", [-1.5] * 300, [4] * 300), "Bar chart. 600 values in 2 datasets (A, B); A all -1.5; B all 4"),
    ],
)
def test_description_has_the_kind_and_the_data(source: Any, description: str) -> None:
    assert render_chart(source).description == description


def test_description_of_bars_says_whether_they_lie_or_are_stacked() -> None:
    stacked = {"scales": {axis: {"stacked": True} for axis in "xy"}}

    assert render_chart(of("bar", [1], [2], options={"indexAxis": "y"})).label == "Horizontal bar chart"
    assert render_chart(of("bar", [1], [2], options=stacked)).label == "Stacked bar chart"
    assert render_chart(of("bar", [1], options=stacked)).label == "Bar chart"


def test_description_names_the_largest_bubble() -> None:
    bubbles = [{"x": x, "y": y, "r": r} for x, y, r in ((1, 5, 3), (2, 6, 9), (3, 7, 4), (4, 8, 9))]
    equal = [{**bubble, "r": 3} for bubble in bubbles]

    assert "lowest 5 (x 1), largest r 9 (x 2, y 6). " in render_chart(of("bubble", bubbles)).description
    assert "largest" not in render_chart(of("bubble", equal)).description


def test_description_counts_many_values_without_extremes() -> None:
    description = render_chart(of("bar", [1, 2, 3], [4, 5, 6], [7, 8, 9], labels=NAMES)).description

    assert description.startswith("Bar chart. 9 values in 3 datasets (A, B, C). ")


def test_description_does_not_repeat_the_name_that_the_title_says() -> None:
    title = {"plugins": {"title": {"display": True, "text": ["Our", "sales"]}}}

    said = render_chart(of("bar", [1], labels=["Red"], label="Sales", options=title))
    hidden = render_chart(
        of("bar", [1], labels=["Red"], label="Sales", options={"plugins": {"title": {"text": "Sales"}}})
    )

    assert said.description == "Bar chart. Red: 1"
    assert hidden.description == "Bar chart. Sales: Red 1"


def test_description_of_a_mixed_chart_has_its_kind() -> None:
    source = of("bar", [1], [2], labels=["Red"])
    source["data"]["datasets"][1]["type"] = "line"

    assert render_chart(source).description == "Mixed chart. Red: A 1, B 2"


def test_description_omits_missing_values() -> None:
    assert "Blue: ;" not in render_chart(of("bar", [1, None, 3], labels=NAMES)).description
    assert not render_chart(of("bar", [1, None], labels=NAMES[:2])).description.endswith(": ")


def test_parts_are_the_same_one_by_one() -> None:
    source = json.dumps(of("bar", [1, 2], labels=NAMES[:2]))
    chart = lay_out_chart(ChartSource(source), build_palette(theme_of("swiss")), remarks=Remarks())
    sketch = render_chart(source)

    assert build_table(chart) == sketch.table
    assert describe_chart(chart, sketch.table) == sketch.description
    assert plain_text(chart, sketch.table) == sketch.plain_text


# Destinations

SALES = of("bar", [3, 5], [2.5, None], labels=["Q1", "<Q2>"])


def tables_of(page: str) -> list["etree._Element"]:
    return list(html.fromstring(page).xpath('//details[@class="data"]'))  # type: ignore[arg-type]


@pytest.mark.parametrize(("rows", "is_long"), [(MAX_DATA_ROWS, False), (MAX_DATA_ROWS + 1, True)])
def test_long_table_is_whole_in_a_file_beside_it(rows: int, is_long: bool) -> None:
    labels = ["=HYPERLINK(1)", "-2", "+x", 'é, "q"', *(f"Day {day}" for day in range(4, rows))]
    conversion = convert(fence(of("bar", list(range(rows)), labels=labels)))

    (details,) = tables_of(conversion.html)
    assert len(details.findall(".//tbody/tr")) == MAX_DATA_ROWS
    links = details.findall(".//a")
    assert [notice.code for notice in conversion.notices] == ["table-truncated"] * is_long
    assert len(links) == is_long
    for link in links:
        with urlopen(str(link.get("href"))) as response:
            content = response.read().decode("utf-8-sig")
        table = list(csv.reader(StringIO(content)))
        assert link.get("download") == "data.csv"
        assert len(table) == rows + 1
        assert [row[0] for row in table[1:5]] == ["'=HYPERLINK(1)", "-2", "'+x", 'é, "q"']
        assert [row[-1] for row in table[1:]] == [str(value) for value in range(rows)]


def test_page_has_a_table_after_each_chart() -> None:
    page = convert(f"{fence(SALES)}\n{fence(of('pie', [1], labels=['Red']))}").html
    tables = tables_of(page)

    assert len(tables) == 2
    assert page.count("<table") == 2
    for each in tables:
        assert each.get("open") is None
        assert each.findtext("summary") == "Data"
        assert len(each.findall(".//table")) == 1


def test_cells_of_a_page_have_headers() -> None:
    (tables,) = tables_of(convert(fence(SALES)).html)
    head, *rows = tables.findall(".//tr")

    # A column without a name has no header cell.
    assert [(cell.tag, cell.get("scope"), cell.text or "") for cell in head] == [
        ("td", None, ""),
        ("th", "col", "A"),
        ("th", "col", "B"),
    ]
    assert [[cell.text or "" for cell in row] for row in rows] == [["Q1", "3", "2.5"], ["<Q2>", "5", ""]]
    for row in rows:
        assert row[0].get("scope") == "row" or row[0].get("role") == "rowheader"
        assert {cell.tag for cell in list(row)[1:]} == {"td"}
    region = tables.find(".//div[@class='table']")
    assert region is not None
    assert region.get("tabindex") == "0"


def test_page_without_charts_has_no_table_of_data() -> None:
    assert tables_of(convert("```dot\ndigraph { a }\n```\n").html) == []
    assert "details" not in convert(fence({"type": "bar"})).html.partition("</style>")[2]


def test_page_holds_no_script_for_its_charts() -> None:
    page = convert(fence(SALES)).html

    assert "<script" not in page
    assert not re.search(r"\son\w+=", page)


@pytest.mark.parametrize("destination", IMAGE_DESTINATIONS)
def test_image_has_the_data_as_its_alternative(destination: str) -> None:
    (media,) = convert(fence(SALES), to=destination).media

    assert media.alt == "Bar chart. Q1: A 3, B 2.5; <Q2>: A 5"


@pytest.mark.parametrize("destination", IMAGE_DESTINATIONS)
def test_alternative_begins_with_the_title_and_gives_way_to_the_authors(destination: str) -> None:
    titled = {**SALES, "options": {"plugins": {"title": {"display": True, "text": "Sales"}}}}
    named, authored = (convert(fence(titled, options), to=destination).media[0].alt for options in ("", ' alt="Up!"'))

    assert named == "Bar chart: Sales. Q1: A 3, B 2.5; <Q2>: A 5"
    assert authored == "Up!"


def test_plain_text_and_slack_show_the_table() -> None:
    lines = [r"      A    B", r"----  -  ---", r"Q1    3  2.5", r"<Q2>  5"]
    plain = convert(fence(SALES, ' title="Sales"'), to="plain-text").text
    slack = convert(fence(SALES, ' title="Sales"'), to="slack").text

    assert plain == "Sales\n\n" + "".join(f"    {line}\n" for line in lines)
    assert slack == "Sales\n\n```\n" + "".join(f"{line}\n" for line in lines).replace("<Q2>", "&lt;Q2&gt;") + "```\n"


def test_plain_text_of_any_destination_shows_the_table() -> None:
    for destination in ("generic", *IMAGE_DESTINATIONS):
        assert "\n    Q1    3  2.5\n" in convert(fence(SALES), to=destination).plain_text
