"""Markdown from a program's data: text, links, code, tables, charts and images."""

import json
import sqlite3
from collections import namedtuple
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from mdpublish_core import convert, markdown, nodes, parse
from mdpublish_core.errors import InvalidArgument
from mdpublish_core.figures.charts.series import SERIES
from mdpublish_core.markdown.charts import KINDS
from tests.image_files import saved

HOSTILE = [
    "South|East",
    "1. a",
    "- x",
    "# x #",
    "www.example.org",
    "http://example.org",
    "a@example.org",
    "*a* _b_ `c` ~d~ ==e== ^f^",
    "<b>bold</b> &amp; <!--",
    ":smile: $x$ [a](b) ![c](d) [^1]",
    "back\\slash\\",
    "> quote",
    "---",
    "a  b",
    "日本語 العربية",
]
VALUES = st.text(
    st.characters(exclude_categories=["Cs", "Cc"]) | st.sampled_from("|\\`*_[]<>&~$=^!#:@.-+ 1"), max_size=12
)

PNG = saved(Image.new("RGB", (2, 1)), "PNG")


def cells(source: str) -> list[list[str]]:
    """Return the text of a table's cells, read again."""
    [table] = parse(source).children
    assert isinstance(table, nodes.Table)
    return [["\n".join(lines(cell)) for cell in row.children] for row in (table.header, *table.children)]


def lines(cell: nodes.Token) -> list[str]:
    """Return the lines of a cell that has nothing but text and breaks."""
    assert all(isinstance(each, nodes.RawText | nodes.LineBreak) for each in cell.children or ())
    content = "".join(each.content if isinstance(each, nodes.RawText) else "\n" for each in cell.children or ())
    return content.split("\n")


@pytest.mark.parametrize("place", ["{}", "## {}", "- {}", "> {}", "| {} |\n|-|", "before {} after"])
@pytest.mark.parametrize("value", HOSTILE)
def test_escaped_text_is_text_in_each_place(place: str, value: str) -> None:
    document = parse(place.format(markdown.escape(value)))

    assert value in "".join(each.content for each in nodes.walk(document) if isinstance(each, nodes.RawText))
    kinds = {type(each) for each in nodes.walk(document)}
    assert not kinds & {nodes.Link, nodes.AutoLink, nodes.Emphasis, nodes.Strong, nodes.InlineCode, nodes.HtmlElement}
    assert document.notices == ()


@given(VALUES)
def test_escaped_text_reads_back(value: str) -> None:
    document = parse(f"x {markdown.escape(value)} x")

    [paragraph] = document.children
    assert nodes.text_content(paragraph) == f"x {value.strip(chr(9) + ' ')} x"


@given(st.lists(st.tuples(VALUES, VALUES, VALUES), max_size=4))
def test_a_table_has_exactly_the_cells_of_its_data(rows: list[tuple[str, str, str]]) -> None:
    names = ["a", "b|c", "*d*"]

    read = cells(markdown.table(rows, columns=names))

    assert read == [names, *([value.strip(" \t") for value in row] for row in rows)]


@dataclass
class Sale:
    city: str
    count: int


Row = namedtuple("Row", "city count")  # noqa: PYI024  (as programs without types have it)
SAME = [["city", "count"], ["South|East", "12"], ["", "3"]]


@pytest.mark.parametrize(
    ("data", "names"),
    [
        ([{"city": "South|East", "count": 12}, {"count": 3}], None),
        ([("South|East", 12), (None, 3)], ["city", "count"]),
        ([Sale("South|East", 12), Sale("", 3)], None),
        ([Row("South|East", 12), Row(float("nan"), 3)], None),
        ({"city": ["South|East", None], "count": [12, 3]}, None),
        ({"South|East": 12, "": 3}, ["city", "count"]),
        (iter([["South|East", 12], ["", 3]]), ["city", "count"]),
        (sqlite3.connect(":memory:").execute("SELECT 'South|East' city, 12 count UNION ALL SELECT NULL, 3"), None),
    ],
)
def test_data_of_many_forms_is_the_same_table(data: Any, names: list[str] | None) -> None:
    assert cells(markdown.table(data, columns=names)) == SAME


@given(VALUES | st.sampled_from(HOSTILE))
def test_a_caption_of_a_table_reads_back(value: str) -> None:
    [captioned] = parse(markdown.table({"a": [1]}, caption=value)).children

    if isinstance(captioned, nodes.Table):
        assert not value.strip()
    else:
        assert isinstance(captioned, nodes.HtmlElement)
        caption, table = captioned.children
        assert (captioned.tag, nodes.text_content(caption), type(table)) == ("figure", value.strip(" \t"), nodes.Table)


@given(VALUES | st.sampled_from(HOSTILE))
def test_a_caption_of_a_figure_reads_back(value: str) -> None:
    [image] = parse(markdown.figure(PNG, alt=value, caption=value)).images

    assert (nodes.text_content(image), image.title) == (value.strip(" \t"), value.strip(" \t"))


def test_numbers_are_aligned_and_days_have_no_time() -> None:
    data = {
        "n": [1, Decimal("2.5")],
        "b": [True, False],
        "day": [datetime(2026, 1, 2), None],  # noqa: DTZ001
        "time": [datetime(2026, 1, 2, tzinfo=UTC), "x"],
        "t": ["a", "b\r\nc"],
    }

    written = markdown.table(data, align={"t": "center"}, formats={"n": ",.2f"})

    [table] = parse(written).children
    assert isinstance(table, nodes.Table)
    assert table.column_align == [1, None, None, None, 0]
    assert cells(written)[1:] == [
        ["1.00", "True", "2026-01-02", "2026-01-02 00:00:00+00:00", "a"],
        ["2.50", "False", "", "x", "b\nc"],
    ]


def test_markdown_in_a_cell_stands_as_it_is() -> None:
    written = markdown.table({"page": [markdown.link("a]|b", "https://example.org/(x)")]})

    [link] = parse(written).links
    assert isinstance(link, nodes.Link)
    assert (link.target, nodes.text_content(link)) == ("https://example.org/(x)", "a]|b")


@pytest.mark.parametrize("source", ["", "a", "a\n", "```\nx\n```\n", "~~~\n", "  indented\n\n"])
def test_code_reads_back(source: str) -> None:
    [fence] = parse(markdown.code(source, "python")).children

    assert isinstance(fence, nodes.CodeFence)
    assert (fence.language, fence.content.rstrip("\n")) == ("python", source.rstrip("\n"))


def chart_of(*arguments: Any, **options: Any) -> Any:
    [figure] = parse(markdown.chart(*arguments, **options)).children
    assert isinstance(figure, nodes.Figure)
    return json.loads(figure.content)


def test_a_chart_has_the_numbers_of_its_data() -> None:
    bar = chart_of("bar", {"city": ["```", None], "sales": [1, float("nan")], "n": [Decimal("2.5"), 3]}, title="Sales")
    scatter = chart_of("scatter", {"x": [1], "y": [2]})
    linked = chart_of("pie", [(markdown.link("South|*East*", "/x"), 1)], columns=["city", "n"])
    bubble = chart_of("bubble", [(1, 2, 3)], columns=["x", "y", "r"])

    assert bar["data"]["labels"] == ["```", ""]
    assert bar["data"]["datasets"] == [{"label": "sales", "data": [1, None]}, {"label": "n", "data": [2.5, 3]}]
    assert scatter["data"]["datasets"] == [{"label": "y", "data": [{"x": 1, "y": 2}]}]
    assert linked["data"]["labels"] == ["South|*East*"]
    assert bubble["data"]["datasets"] == [{"data": [{"x": 1, "y": 2, "r": 3}]}]


@pytest.mark.parametrize("kind", KINDS)
def test_charts_of_each_kind_are_drawn(kind: str) -> None:
    assert kind in SERIES
    columns = ["x", "y", "r"] if kind == "bubble" else ["x", "y"]

    drawn = convert(markdown.chart(kind, [range(1, 1 + len(columns)), range(2, 2 + len(columns))], columns=columns))

    assert drawn.notices == ()
    assert "<svg" in drawn.html


def test_images_are_embedded() -> None:
    image = Image.new("RGB", (3, 2))
    buffer = BytesIO()
    image.save(buffer, "png")
    plot = SimpleNamespace(savefig=lambda file, **_: image.save(file, "png"))

    for each in (image, buffer.getvalue(), plot, SimpleNamespace(to_image=lambda **_: buffer.getvalue())):
        converted = convert(markdown.figure(each, alt="Sales | *2026*"), to="email")
        assert [(media.width, media.height, media.alt) for media in converted.media] == [(3, 2, "Sales | *2026*")]


@pytest.mark.parametrize(
    ("attempt", "message"),
    [
        (lambda: markdown.table([[1]]), "columns must name the columns, since the data does not"),
        (lambda: markdown.table([[1], [1, 2]], columns=["a"]), "data must have 1 values in each row (row 1 has 2)"),
        (lambda: markdown.table("text"), "data must be rows, columns or a DataFrame (got str)"),
        (lambda: markdown.table([1]), "data must have a sequence or mapping as each row (row 0 is 1)"),
        (lambda: markdown.table({"a": [1], "b": []}), "data must have columns of one length (got {'a': 1, 'b': 0})"),
        (lambda: markdown.table({"a": [1]}, align={"b": "left"}), "align must name columns of the data: a (got 'b')"),
        (lambda: markdown.table({"a": [1]}, align={"a": "top"}), "align must be left, center or right (got 'top')"),  # type: ignore[dict-item]
        (lambda: markdown.table({"a": ["x"]}, formats={"a": ".2f"}), "formats['a'] does not fit 'x': Unknown format"),
        (lambda: markdown.table({"a": [markdown.Markdown("# x")]}), "must have Markdown of one paragraph in a cell"),
        (lambda: markdown.chart("bars", {}), "kind must be one of bar, line, pie"),
        (
            lambda: markdown.chart("bar", {"a": ["x"]}),
            "must have a column of labels and at least one of numbers (got 1)",
        ),
        (lambda: markdown.chart("bar", {"a": ["x"], "b": ["2"]}), "data must have numbers in 'b' (got '2')"),
        (lambda: markdown.figure(b"text", alt=""), "image must be a PNG, JPEG, GIF or WebP"),
        (lambda: markdown.figure(1, alt=""), "image must be a figure, an image or bytes (got int)"),
        (lambda: convert(SimpleNamespace(columns=[])), "write a table of it: mdpublish_core.markdown.table(frame)"),  # type: ignore[arg-type]
    ],
)
def test_errors_say_what_is_wrong(attempt: Any, message: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        attempt()

    assert message in str(caught.value)


def test_a_saved_mail_has_its_images_in_it(tmp_path: Path) -> None:
    conversion = convert(markdown.chart("bar", {"a": ["x"], "b": [1]}), to="email")

    conversion.save(tmp_path / "mail.html")

    saved = (tmp_path / "mail.html").read_text("utf-8")
    assert "cid:" in conversion.html
    assert saved == convert(markdown.chart("bar", {"a": ["x"], "b": [1]}), to="email", media_url="data:").html


def test_a_conversion_saves_itself(tmp_path: Path) -> None:
    conversion = convert("# Sales", to="email")
    file = tmp_path / "new" / "report.HTML"

    conversion.save(file)
    conversion.save(str(tmp_path / "report.mail"))

    assert file.read_text("utf-8") == (tmp_path / "report.mail").read_text("utf-8") == conversion.html
    with pytest.raises(InvalidArgument, match=r"must end in \.html, .*'a\.pdf'\); for \.pdf, convert with to='pdf'"):
        conversion.save(tmp_path / "a.pdf")
    assert not (tmp_path / "a.pdf").exists()


def test_a_document_lists_its_headings_and_links() -> None:
    document = parse("One\n===\n\n## [Two](https://example.org/)\n\nwww.example.org <a href='/x'>x</a>")

    assert [(each.level, nodes.text_content(each)) for each in document.headings] == [(1, "One"), (2, "Two")]
    assert [type(each) for each in document.links] == [nodes.Link, nodes.AutoLink, nodes.Link]
