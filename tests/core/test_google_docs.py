"""Destination `google-docs`: the clipboard's vocabulary over all test data, and the output of each construct.

Google Docs itself cannot be tested. `tests.linters.docs` holds what is known about its clipboard.
"""

import re
from dataclasses import replace
from itertools import count, product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdpublish_core import convert, get_template, nodes, render
from mdpublish_core.css.colors import contrast
from mdpublish_core.templates import ThemeMode
from mdpublish_core.testing import Sample, documents, samples
from tests.linters.docs import problems
from tests.linters.tree import Node, parse_fragment
from tests.templates.traits import covering

SPECIMEN = Path(__file__).parent.parent / "browser/specimen.md"

MODES: tuple[ThemeMode, ...] = ("light", "dark")

SWISS, GITHUB, DRACULA = (get_template(name) for name in ("swiss", "github", "dracula"))

TEMPLATE_MODES = [(template.id, mode) for template in covering() for mode in MODES]

PIXEL = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAADElEQVR4nGNgaGAAAAGEAIF7cHCsAAAAAElFTkSuQmCC"
)
"""An image of two pixels side by side."""


def docs_html(markdown: str, template: str = "swiss", theme_mode: ThemeMode = "light", css: str | None = None) -> str:
    return convert(markdown, to="google-docs", template=template, theme_mode=theme_mode, css=css).html


def read(markdown: str, template: str = "swiss", theme_mode: ThemeMode = "light", css: str | None = None) -> Node:
    """The wrapper of the output, which must have no problems."""
    return read_html(docs_html(markdown, template, theme_mode, css))


def read_html(html: str) -> Node:
    assert problems(html) == []
    root, _ = parse_fragment(html)
    (wrapper,) = root.find("b")
    return wrapper


def outline(node: Node) -> list[object]:
    """Block elements below a node, with the text of those without blocks."""
    return [
        (child.tag, outline(child)) if child.find("p", "h1", "h2", "hr") else (child.tag, child.text_content())
        for child in node.elements
        if child.tag not in {"colgroup", "span", "img"}
    ]


def run(node: Node, content: str) -> dict[str, str]:
    """The style of the span that holds exactly this text."""
    (span,) = (holder for holder, piece in node.text_parts() if piece == content)
    return span.style


def points(length: str) -> float:
    return float(length.removesuffix("pt"))


# All test data


@pytest.mark.parametrize(("template", "mode"), TEMPLATE_MODES)
def test_specimen_is_native_docs_markup(template: str, mode: ThemeMode) -> None:
    assert problems(docs_html(SPECIMEN.read_text("utf-8"), template, mode)) == []


@pytest.mark.nightly
@pytest.mark.short
def test_readmes_are_native_docs_markup(many_readmes: dict[str, str]) -> None:
    problems_by_name = {}
    for number, (name, markdown) in enumerate(list(many_readmes.items())[:25]):
        html = docs_html(markdown, *TEMPLATE_MODES[number % len(TEMPLATE_MODES)])
        if wrong := problems(html):
            problems_by_name[name] = wrong[:3]

    assert problems_by_name == {}


@given(samples(), st.sampled_from(TEMPLATE_MODES))
def test_samples_are_native_docs_markup(sample: Sample, template_mode: tuple[str, ThemeMode]) -> None:
    assert problems(docs_html(sample.markdown, *template_mode)) == []


@given(documents(), st.sampled_from(TEMPLATE_MODES))
def test_trees_are_native_docs_markup(document: nodes.Document, template_mode: tuple[str, ThemeMode]) -> None:
    template, mode = template_mode
    conversion = render(document, to="google-docs", template=template, theme_mode=mode)

    assert problems(conversion.html) == []


# Document


def test_document_is_in_the_docs_wrapper() -> None:
    assert re.fullmatch(
        r'<meta charset="utf-8" />\n<b style="font-weight:normal" id="docs-internal-guid-[0-9a-f-]{36}">\n'
        r"<p .*</p>\n</b>\n",
        docs_html("a"),
    )


# Blocks


@pytest.mark.parametrize(
    ("content", "direction"),
    [
        ("Latin", "ltr"),
        ("1. — 2", "ltr"),
        ("مرحبا Latin", "rtl"),
        ("123 שלום", "rtl"),
        ("**«** *سلام* b", "rtl"),
        ("漢字 שלום", "ltr"),
        ("`x` שלום", "ltr"),
    ],
)
def test_direction_is_that_of_the_first_strong_character(content: str, direction: str) -> None:
    assert read(f"## {content}").find("h2")[0].attributes["dir"] == direction


def test_gap_between_blocks_is_the_greater_margin_and_above_the_second() -> None:
    paragraph, heading = read("a\n\n## b", css="p { margin: 0 0 20px } h2 { margin: 40px 0 0 }").elements

    assert (paragraph.style["margin-bottom"], heading.style["margin-top"]) == ("0pt", "30pt")


def test_gap_above_a_table_is_below_the_paragraph() -> None:
    paragraph, table, after = read(
        "a\n\n```\nb\n```\n\nc", css="p { margin: 0 0 20px } pre { margin: 0 0 40px }"
    ).elements

    assert (paragraph.style["margin-bottom"], table.tag, after.style["margin-top"]) == ("15pt", "div", "30pt")


def test_indented_paragraphs_keep_their_first_line() -> None:
    first, second = read("a\n\nb", css="p + p { text-indent: 20px }").find("p")

    assert "text-indent" not in first.style
    assert second.style["text-indent"] == "15pt"


def test_heading_background_is_on_its_characters() -> None:
    swiss = get_template("swiss")
    banded = replace(swiss, variants=swiss.variants._replace(h1="band"))

    wrapper = read_html(convert("# a `b`", to="google-docs", template=banded).html)

    assert {run(wrapper, content)["background-color"] for content in ("a ", "b")} == {swiss.light.accent}
    assert run(wrapper, "a ")["color"] == "#ffffff"


def test_heading_prefixes_are_text() -> None:
    assert read("## a", "mono").find("h2")[0].text_content() == "## a"


def test_rule_is_what_the_template_has_and_in_a_cell_a_line_of_dashes() -> None:
    assert outline(read("a\n\n***", "github"))[1:] == [("hr", "")]
    assert read("> a\n>\n> ***", "github").find("p")[-1].text_content() == "———"
    assert read("a\n\n***", "paper").find("p")[1].text_content() == "❦"
    assert read("a\n\n***", css="hr { border-top: 0 }").find("p")[1].text_content() == "\xa0"


# Inlines


def test_all_properties_of_characters_are_in_points_on_a_span() -> None:
    assert run(read("a", css="p { font-size: 20px }"), "a") == {
        "font-size": "15pt",
        "font-family": "Arial,sans-serif",
        "color": SWISS.light.text,
        "background-color": "transparent",
        "font-weight": "400",
        "font-style": "normal",
        "font-variant": "normal",
        "text-decoration": "none",
        "vertical-align": "baseline",
        "white-space": "pre-wrap",
    }


def test_text_of_one_style_is_one_span() -> None:
    (paragraph,) = read("a\nb &amp; <span>c</span> <time>d</time> *e**f*** **g**").find("p")

    assert [span.text_content() for span in paragraph.find("span")] == ["a b & c d ", "e", "f", " ", "g"]


def test_formula_that_cannot_be_read_is_code() -> None:
    assert run(read("a $\\nosuch$"), "\\nosuch")["font-family"] == "'Roboto Mono',monospace"


def test_small_capitals_are_native() -> None:
    assert run(read("## x", "paper"), "x")["font-variant"] == "small-caps"


def test_ruby_reading_follows_its_base() -> None:
    assert read("<ruby>漢<rt>kan</rt></ruby>").text_content().strip() == "漢(kan)"
    assert read("<ruby>漢<rp>（</rp><rt>kan</rt><rp>）</rp></ruby>").text_content().strip() == "漢（kan）"


# Links


@pytest.mark.parametrize(
    ("target", "shown"), [("#a", "b"), ("javascript:alert(1)", "b (javascript:alert(1))"), ("#none", "b")]
)
def test_link_that_leads_nowhere_is_text(target: str, shown: str) -> None:
    node = read(f"# a\n\n[b]({target})")

    assert node.find("a") == []
    assert node.find("p")[0].text_content() == shown


@pytest.mark.parametrize("destination", ["google-docs", "onenote"])
def test_links_within_the_document_are_text_with_one_notice(destination: str) -> None:
    result = convert("# A\n\nSee [a](#a), [b](#b) and <a href='#c'>c</a>.\n", to=destination)

    assert "<a" not in result.html
    (notice,) = result.notices
    assert (notice.code, notice.line, notice.column, notice.source) == ("internal-link", 3, 5, "[a](#a)")


def test_link_without_text_shows_its_url() -> None:
    assert read("[](https://example.org)").find("a")[0].text_content() == "https://example.org"


# Lists


def test_items_know_their_level_and_mark() -> None:
    items = read("- a\n  - b\n    - c\n      1. d", "github").find("li")

    assert [item.attributes["aria-level"] for item in items] == ["1", "2", "3", "4"]
    assert [item.style["list-style-type"] for item in items] == ["disc", "circle", "square", "decimal"]


@pytest.mark.parametrize("markdown", ["1.\n2. b", "1. ```\n   a\n   ```\n2. b", "1. > a\n2. b", "1. - a\n2. b"])
def test_item_without_a_paragraph_keeps_its_number(markdown: str) -> None:
    items = [item for item in read(markdown).find("li") if item.style["list-style-type"] == "decimal"]

    assert [item.text_content() for item in items] == ["\xa0", "b"]


def test_numbers_are_the_authors() -> None:
    node = read('<ol start="3" type="I"><li>a</li><li value="9">b</li></ol>\n\n<ol reversed><li>c</li><li>d</li></ol>')

    assert [(child.attributes.get("start"), child.text_content()) for child in node.elements] == [
        ("3", "a"),
        ("9", "b"),
        ("2", "c"),
        (None, "d"),
    ]
    assert node.find("li")[0].style["list-style-type"] == "upper-roman"


def test_negative_number_is_text() -> None:
    (item,) = read('<ol><li value="-2">a</li></ol>').find("li")

    assert item.style["list-style-type"] == "none"
    assert item.text_content() == "-2. a"


# Quotes, callouts, code


def test_quotation_that_is_set_in_is_an_indented_paragraph() -> None:
    outer, inner = read("> a\n>\n> > b", "paper").find("p")

    assert points(inner.style["margin-left"]) == pytest.approx(2 * points(outer.style["margin-left"]), abs=0.1)
    assert outer.style["margin-right"] == outer.style["margin-left"]


def test_quotation_with_a_bar_is_a_cell_with_a_bar() -> None:
    node = read("> a\n>\n> > b", "github")
    outer, inner = node.find("td")

    assert inner in outer.find("td")
    assert [cell.style["border-left"] for cell in (outer, inner)] == [f"solid {GITHUB.light.rule} 3pt"] * 2
    assert outer.style["border-top"] == "solid #ffffff 0.5pt"


def test_figure_has_its_title_below_it() -> None:
    node = read('```chart title="A flow"\ngraph TD\n```')
    caption = node.elements[-1]

    assert node.find("td")[0].text_content() == "graph TD"
    assert (caption.text_content(), caption.style["text-align"]) == ("A flow", "center")
    assert run(node, "A flow")["font-style"] == "italic"


def test_lists_in_cells_restart() -> None:
    node = read("- a\n\n  > [!NOTE]\n  > - b\n- c")

    assert [item.attributes["aria-level"] for item in node.find("li")] == ["1", "1", "1"]


# Tables


def test_table_is_as_wide_as_the_page() -> None:
    node = read("| a | bbbbbbbbb | c |\n|---|---|---|\n| d | e | " + "f " * 60 + "|")
    (table,) = node.find("table")
    widths = [int(column.attributes["width"]) for column in table.find("col")]

    assert table.style["width"] in {"467.5pt", "468pt"}
    assert sum(widths) == pytest.approx(624, abs=2)
    assert widths[0] < widths[1] < widths[2]


@pytest.mark.parametrize(("content", "align"), [("a", "left"), ("أ", "right")])
def test_header_without_alignment_begins_where_its_column_does(content: str, align: str) -> None:
    (header,) = read(f"| {content} |\n|---|\n").find("th")

    assert header.find("p")[0].style["text-align"] == align


def test_title_of_a_callout_has_the_direction_of_its_text() -> None:
    title, content = read("> [!NOTE]\n> أ").find("p")[:2]

    assert title.attributes["dir"] == content.attributes["dir"] == "rtl"


def test_cells_have_four_borders_and_docs_padding() -> None:
    for cell in read("| a |\n|---|\n| b |", "github").find("th", "td"):
        borders = {cell.style[f"border-{side}"] for side in ("top", "right", "bottom", "left")}
        assert borders == {f"solid {GITHUB.light.rule} 0.75pt"}
        assert cell.style["padding"] == "5pt 5pt 5pt 5pt"


def test_cells_agree_on_the_line_between_them() -> None:
    header, cell = read("| a |\n|---|\n| b |").find("th", "td")

    assert header.style["border-bottom"] == cell.style["border-top"] != cell.style["border-bottom"]


def test_table_borders_are_those_of_its_outer_cells() -> None:
    css = "table { border: 2px solid #123456 } th, td { border: 0 }"
    header, first, last = read("| a |\n|---|\n| b |\n| c |", css=css).find("th", "td")

    assert header.style["border-top"] == last.style["border-bottom"] == "solid #123456 1.5pt"
    assert first.style["border-left"] == first.style["border-right"] == "solid #123456 1.5pt"
    assert first.style["border-bottom"] == "solid #ffffff 0.5pt"


def test_even_rows_are_shaded() -> None:
    _, odd, even = read("| a |\n|---|\n| b |\n| c |", "dracula").find("th", "td")

    assert ("background-color" in odd.style, even.style["background-color"]) == (False, DRACULA.light.surface)


def test_spans_are_preserved_and_short_rows_filled() -> None:
    node = read(
        "<table><tr><th>a</th><th colspan=2>b</th></tr><tr><td rowspan=2>c</td><td>d</td><td>e</td></tr>"
        "<tr><td>f</td></tr></table>"
    )
    rows = node.find("tr")

    assert [[cell.text_content() for cell in row.elements] for row in rows] == [["a", "b"], ["c", "d", "e"], ["f", ""]]
    assert rows[0].elements[1].attributes["colspan"] == "2"
    assert rows[1].elements[0].attributes["rowspan"] == "2"
    assert [cell.tag for cell in rows[0].elements] == ["th", "th"]


NESTED_SPANS = (
    "<table><thead><tr><th rowspan=2>a</th><th colspan=2>b</th></tr><tr><th>c</th><th>d</th></tr></thead>"
    "<tbody><tr><td rowspan=3>e</td><td colspan=2 rowspan=2>f</td><td>g</td></tr><tr><td rowspan=2>h</td></tr>"
    "<tr><td>i</td></tr></tbody></table>"
)


def places(node: Node) -> list[str]:
    """The text of the cell at each place of a table, a row a string, as browsers lay it out."""
    rows: list[str] = []
    for part in node.find("thead", "tbody"):
        taken: dict[tuple[int, int], str] = {}
        for number, row in enumerate(part.elements):
            for cell in row.elements:
                first = next(column for column in count() if (number, column) not in taken)
                height, width = (int(cell.attributes.get(name, "1")) for name in ("rowspan", "colspan"))
                for place in product(range(number, number + height), range(first, first + width)):
                    assert place not in taken
                    taken[place] = cell.text_content() or "-"
        columns = range(len(node.find("col")))
        rows += ["".join(taken.pop((number, column)) for column in columns) for number in range(len(part.elements))]
        assert not taken
    return rows


def test_cells_in_nested_spans_stay_in_their_places() -> None:
    assert places(read(NESTED_SPANS)) == ["abb-", "acd-", "effg", "effh", "ei-h"]


def test_span_ends_at_a_cell_from_above_and_with_its_part() -> None:
    node = read(
        "<table><thead><tr><th rowspan=9>a</th><th>b</th><th>c</th></tr></thead>"
        "<tr><td>d</td><td rowspan=2>e</td><td>f</td></tr><tr><td colspan=3 rowspan=4>g</td></tr></table>"
    )

    assert places(node) == ["abc", "def", "ge-"]


@pytest.mark.parametrize(
    ("second_row", "header_cells"), [("<th>C</th><th>D</th>", "ABCD"), ("<th>C</th><td>D</td>", "")]
)
def test_header_row_without_thead_takes_along_the_rows_that_it_spans(second_row: str, header_cells: str) -> None:
    node = read(
        f"<table><tr><th rowspan=2>A</th><th colspan=2>B</th></tr><tr>{second_row}</tr>"
        "<tr><td>1</td><td>2</td><td>3</td></tr></table>"
    )

    assert places(node) == ["ABB", "ACD", "123"]
    assert "".join(cell.text_content() for cell in node.find("th")) == header_cells


def test_cells_that_span_rows_and_those_beside_them_have_the_borders_of_their_edges() -> None:
    css = "table { border: 2px solid #123456 } th, td { border: 0; border-right: 1px solid #abcdef }"
    node = read(NESTED_SPANS, css=css)
    cells = {cell.text_content(): cell.style for cell in node.find("th", "td") if cell.text_content()}

    outer = "solid #123456 1.5pt"
    assert {name for name in cells if cells[name]["border-top"] == outer} == {"a", "b"}
    assert {name for name in cells if cells[name]["border-bottom"] == outer} == {"e", "h", "i"}
    assert {name for name in cells if cells[name]["border-left"] == outer} == {"a", "e"}
    assert cells["d"]["border-left"] == cells["g"]["border-left"] == "solid #abcdef 0.75pt"
    assert "#abcdef" not in cells["c"]["border-left"] + cells["h"]["border-left"] + cells["i"]["border-left"]


def test_table_within_an_item_keeps_the_numbering() -> None:
    node = read("1. a\n\n   | b |\n   |---|\n   | c |\n\n2. d")

    assert [child.tag for child in node.elements] == ["ol", "div", "ol"]
    assert node.elements[2].attributes["start"] == "2"


# Images


def test_image_has_its_size_and_alt_text() -> None:
    (image,) = read(f"![a]({PIXEL})").find("img")

    assert (image.attributes["width"], image.attributes["height"], image.attributes["alt"]) == ("2", "1", "a")


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        ('width="50"', ("50", "25")),
        ('height="50"', ("100", "50")),
        ('width="50%"', ("312", "156")),
        ('width="1248" height="100"', ("624", "50")),
    ],
)
def test_image_fits_the_page_in_its_proportions(size: str, expected: tuple[str, str]) -> None:
    (image,) = read(f'<img src="{PIXEL}" alt="a" {size}>').find("img")

    assert (image.attributes["width"], image.attributes["height"]) == expected


def test_remote_image_is_fetched_by_docs() -> None:
    first, second = read("![a](https://example.org/a.png) ![b](//example.org/b.png)").find("img")

    assert first.attributes["src"] == "https://example.org/a.png"
    assert second.attributes["src"] == "https://example.org/b.png"


@pytest.mark.parametrize(
    ("markdown", "content"),
    [
        ("![a](docs/a.png)", "a"),
        ("![](docs/a.png)", "docs/a.png"),
        ("![a](data:image/png;base64,AAAA)", "a"),
        ("x![](data:image/png;base64,AAAA)", "x"),
        ("![a](javascript:x)", "a"),
    ],
)
def test_image_that_docs_cannot_fetch_is_its_alt_text(markdown: str, content: str) -> None:
    node = read(markdown)

    assert node.find("img") == []
    assert node.text_content().strip() == content


def test_title_of_a_standalone_image_is_its_caption() -> None:
    _, caption = read('[![a](https://example.org/a.png "Title")](https://example.org)').find("p")

    assert (caption.text_content(), caption.style["text-align"]) == ("Title", "center")


# Themes


def test_dark_theme_is_light_on_the_page_and_dark_in_cells() -> None:
    light = read("a\n\n```\nb\n```\n\n| c |\n|---|", "dracula")
    dark = read("a\n\n```\nb\n```\n\n| c |\n|---|", "dracula", "dark")

    assert run(dark, "a") == run(light, "a")
    assert run(dark, "b")["color"] == DRACULA.dark.code_text
    assert dark.find("td")[0].style["background-color"] == DRACULA.dark.code_background
    assert dark.find("th")[0].style["background-color"] == DRACULA.dark.background


@pytest.mark.parametrize(("template", "mode"), TEMPLATE_MODES)
def test_no_text_is_light_on_the_white_page(template: str, mode: ThemeMode) -> None:
    for holder, piece in read(SPECIMEN.read_text("utf-8"), template, mode).text_parts():
        if piece.strip() and not any(node.tag in {"td", "th"} for node in holder.ancestors()):
            chain = (holder, *holder.ancestors())
            ink = next(node.style["color"] for node in chain if "color" in node.style)
            background = next(node.style["background-color"] for node in chain if "background-color" in node.style)
            if background == "transparent":
                assert sum(int(ink[ancestor : ancestor + 2], 16) for ancestor in (1, 3, 5)) < 3 * 0xA0, piece
            else:  # such as a heading's
                assert contrast(ink, background) >= 3, piece


@pytest.mark.parametrize("mode", MODES)
def test_user_stylesheet_holds(mode: ThemeMode) -> None:
    css = "h1 { color: #0F0; font-family: Georgia, serif; font-size: 20px; line-height: 30px }"
    node = read("# a\n\nb", theme_mode=mode, css=css)
    (heading,) = node.find("h1")

    assert run(heading, "a")["color"] == "#00ff00"
    assert run(heading, "a")["font-family"] == "Georgia,serif"
    assert heading.style["line-height"] == "1.5"
    assert run(node, "b")["color"] == SWISS.light.text


# Hand-built trees


def test_raw_html_is_text_with_one_notice() -> None:
    conversion = convert("<b>a</b>\n\n<div>\nb</div>", to="google-docs", raw_html="keep")

    assert [paragraph.text_content() for paragraph in read_html(conversion.html).find("p")] == [
        "<b>a</b>",
        "<div>b</div>",
    ]
    assert [notice.code for notice in conversion.notices] == ["unsupported-html"]


@pytest.mark.parametrize(
    "block",
    [
        nodes.HtmlElement("li", {}, [nodes.RawText("x")]),
        nodes.HtmlElement("h3", {}, [nodes.RawText("x")]),
        nodes.HtmlElement("td", {}, [nodes.RawText("x")]),
        nodes.HtmlElement("figcaption", {}, [nodes.RawText("x")]),
        nodes.List([], start=1),
        nodes.Quote([]),
        nodes.HtmlBlock(""),
    ],
    ids=lambda block: getattr(block, "tag", type(block).__name__),
)
def test_misplaced_blocks_are_written_all_the_same(block: nodes.HtmlElement) -> None:
    html = render(nodes.Document([block, nodes.Paragraph([nodes.RawText("y")])]), to="google-docs").html

    assert problems(html) == []
    assert html.count(">y<") == 1
