"""Destination `onenote`, construct by construct, and the Microsoft Graph linter over its output."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdpublish_core import Conversion, convert, get_template, list_templates, nodes, render
from mdpublish_core.options.limits import DEFAULT_LIMITS
from mdpublish_core.templates import ThemeMode
from mdpublish_core.testing import Sample, check_words_preserved, documents, hostile_text, samples
from mdpublish_core.writers.onenote.styles import style_factory
from tests.cases.case_files import Case, all_cases
from tests.linters import onenote
from tests.linters.tree import Node, parse_xml
from tests.sampling import sampled

PIXEL = (
    "data:image/png;base64,"
    "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAYAAAD0In+KAAAADUlEQVR42mNk+M/wHwAEBgH/A0mvgAAAAABJRU5ErkJggg=="
)
"""An image of two pixels side by side."""

SPECIMEN = (Path(__file__).parents[1] / "browser" / "specimen.md").read_text("utf-8")

STYLES: list[tuple[str, ThemeMode]] = [("swiss", "light"), ("swiss", "dark"), ("ink", "light"), ("terminal", "dark")]


DEEP: Mapping[str, Callable[[nodes.Token], nodes.Token]] = {
    "quote": lambda block: nodes.Quote([block]),
    "callout": lambda block: nodes.Callout("note", [block]),
    "element": lambda block: nodes.HtmlElement("div", {}, [block]),
    "list": lambda block: nodes.List([nodes.ListItem([block])], start=3),
    "tasks": lambda block: nodes.List([nodes.TaskItem([nodes.Paragraph([nodes.RawText("a")]), block], checked=True)]),
}


def page(markdown: str, *, template: str = "swiss", theme_mode: ThemeMode = "light", css: str | None = None) -> Node:
    """The body of a page, which must contain only what Graph accepts."""
    return body_of(convert(markdown, to="onenote", template=template, theme_mode=theme_mode, css=css))


def page_of(*tokens: nodes.Token) -> Node:
    return body_of(render(nodes.Document(tokens), to="onenote"))


def body_of(conversion: Conversion) -> Node:
    assert onenote.problems(conversion.html) == []
    (body,) = parse_xml(conversion.html).find("body")
    return body


def outline(node: Node) -> list[object]:
    """Content of a node: blocks as (tag, text), containers as (tag, outlines)."""
    rows: list[object] = []
    for child in node.children:
        if isinstance(child, str):
            rows += [child.strip()] if child.strip() else []
        elif child.find("p", "li", "table") or child.tag in {"ul", "ol"}:
            rows.append((child.tag, outline(child)))
        else:
            rows.append((child.tag, child.text_content().replace("\xa0", "·")))
    return rows


def only(node: Node, tag: str) -> Node:
    (matches,) = node.find(tag)
    return matches


def rows_of(table: Node) -> list[list[str]]:
    return [[cell.text_content() for cell in row.elements] for row in table.elements]


# Accepted by Graph


@pytest.mark.parametrize("theme_mode", ["light", "dark"])
@pytest.mark.parametrize("template", sampled([template.id for template in list_templates()], 7))
def test_specimen_is_what_graph_takes(template: str, theme_mode: ThemeMode) -> None:
    conversion = convert(SPECIMEN, to="onenote", template=template, theme_mode=theme_mode)

    assert onenote.problems(conversion.html) == []
    assert ("Destination", "What it gets", "Lines") in [row[:3] for row in onenote.header_rows(conversion.html)]


@pytest.mark.corpora
@pytest.mark.parametrize(("template", "theme_mode"), STYLES)
def test_readmes_are_what_graph_takes(template: str, theme_mode: ThemeMode, readmes: Mapping[str, str]) -> None:
    for name, readme in readmes.items():
        conversion = convert(readme, to="onenote", template=template, theme_mode=theme_mode)
        assert onenote.problems(conversion.html) == [], name


@pytest.mark.parametrize("case", all_cases(), ids=lambda case: case.name)
def test_case_is_what_graph_takes(case: Case) -> None:
    conversions = [
        convert(case.markdown, to="onenote", theme_mode="light"),
        convert(case.markdown, to="onenote", theme_mode="dark"),
    ]

    assert [onenote.problems(conversion.html) for conversion in conversions] == [[], []]


@given(samples(), st.sampled_from(STYLES))
def test_samples_are_what_graph_takes(sample: Sample, style: tuple[str, ThemeMode]) -> None:
    conversion = convert(sample.markdown, to="onenote", template=style[0], theme_mode=style[1])

    assert onenote.problems(conversion.html) == []
    check_words_preserved(sample.words, conversion)


@given(documents())
def test_trees_are_what_graph_takes(document: nodes.Document) -> None:
    assert onenote.problems(render(document, to="onenote").html) == []


@given(hostile_text())
def test_hostile_input_is_what_graph_takes(markdown: str) -> None:
    assert onenote.problems(convert(markdown, to="onenote").html) == []


@given(hostile_text())
def test_raw_html_is_text_as_a_page_must_be_well_formed(markdown: str) -> None:
    conversion = convert(markdown, to="onenote", raw_html="keep")

    # A trusted author's URLs are kept unchanged.
    assert [problem for problem in onenote.problems(conversion.html) if "has no" not in problem] == []


# Page


def test_page_has_its_title() -> None:
    assert "<title>A &amp; b</title>" in convert("# A & *b*", to="onenote").html
    assert "<title>Untitled</title>" in convert("text", to="onenote").html


def test_light_page_is_white() -> None:
    body = page("text", template="paper")

    assert outline(body) == [("p", "text")]
    assert body.style["color"] == get_template("paper").light.text


def test_dark_page_is_a_painted_cell_and_all_its_text_declares_its_color() -> None:
    dark = get_template("swiss").dark
    body = page("text\n\n- item\n\n| a |\n|-|\n| b |\n", theme_mode="dark")
    (frame,) = body.elements

    assert frame.elements[0].elements[0].style["background-color"] == dark.background
    assert "color" not in body.style
    declared = {node.style["color"] for node in frame.find("p", "li") + frame.find("table")[0].find("td")}
    assert declared == {dark.text}


def test_user_stylesheet_with_light_text_paints_the_page() -> None:
    body = page("text", css="body { background-color: #123; color: white }")

    (frame,) = body.elements
    assert only(frame, "td").style["background-color"] == "#112233"
    assert only(frame, "p").style["color"] == "#ffffff"


def test_text_too_light_for_a_white_page_declares_its_color_in_each_block() -> None:
    body = page("text", css="body { color: white }")

    assert "color" not in body.style
    assert only(body, "p").style["color"] == "#ffffff"


def test_blocks_in_aligned_elements_are_aligned() -> None:
    body = page('<p align="center">a</p>\n\n<div align="right">\n\nb\n\n</div>')

    assert [block.style.get("text-align") for block in body.find("p")] == ["center", "right"]


def test_background_of_a_heading_is_preserved() -> None:
    heading = only(page("# a", css="h1 { background-color: black; color: white }"), "h1")

    assert heading.style["background-color"] == "#000000"


def test_block_declares_what_differs_from_the_page() -> None:
    body = page("text\n\n> quote\n", css="blockquote { font-style: italic } blockquote em { font-style: normal }")

    plain, quoted = body.find("p")
    assert plain.style == {}
    assert quoted.style == {"font-style": "italic"}


def test_text_that_is_as_on_the_page_declares_it_inside_what_is_not() -> None:
    body = page("- a\n\n  > b\n", css="li { color: #ff0000 } blockquote { color: #141414 }")

    assert [node.style["color"] for node in body.find("p")] == ["#ff0000", "#141414"]


# Text


def test_stress_that_the_template_shows_otherwise_is_not_bold() -> None:
    paragraph = only(page("**b**", css="strong { font-weight: 400; color: #ff0000 }"), "p")

    (span,) = paragraph.elements
    assert span.style == {"color": "#ff0000"}


def test_code_in_a_line_keeps_its_spaces() -> None:
    assert only(page("a `b  c   d`"), "p").text_content() == "a b\xa0 c\xa0 \xa0d"


def test_white_space_is_collapsed_across_elements() -> None:
    tree = page_of(
        nodes.Paragraph(
            [nodes.RawText(" a "), nodes.HtmlElement("kbd", {}, [nodes.RawText(" b\t \n")]), nodes.RawText(" c")]
        )
    )

    assert only(tree, "p").text_content() == "a b c"


def test_character_that_xml_lacks_is_shown_as_missing() -> None:
    assert only(page("a\x01b\ufffe"), "p").text_content() == "a\ufffdb\ufffd"


# Links and images


@pytest.mark.parametrize(
    ("markdown", "shown"), [("[a](#b)", "a"), ("[a](javascript:b)", "a (javascript:b)"), ("[a]()", "a")]
)
def test_link_that_leads_nowhere_is_its_text(markdown: str, shown: str) -> None:
    assert outline(page(markdown)) == [("p", shown)]
    assert not page(markdown).find("a")


def test_link_without_text_shows_its_url() -> None:
    assert only(page("[](https://example.org/)"), "a").text_content() == "https://example.org/"


def test_linked_image_is_the_image_and_its_url() -> None:
    image, link = only(page("[![alt](https://example.org/a.png)](https://example.org/)"), "p").elements

    assert image.attributes == {"src": "https://example.org/a.png", "alt": "alt"}
    assert (link.attributes["href"], link.text_content()) == ("https://example.org/", "https://example.org/")


def test_text_next_to_a_linked_image_is_a_link() -> None:
    paragraph = only(page("[a *b* ![](https://example.org/a.png) c](https://example.org/)"), "p")

    assert [node.text_content() for node in paragraph.find("a")] == ["a ", "b", "c"]


def test_caption_begins_where_its_image_does() -> None:
    _, caption = page('![a](https://example.org/a.png "Caption")').find("p")

    assert caption.text_content() == "Caption"
    assert "text-align" not in caption.attributes["style"]


def test_remote_image_keeps_its_size_in_pixels() -> None:
    image = only(page('<img src="https://example.org/a.png" alt="a" width="50%" height="20.6">'), "img")

    assert image.attributes == {"src": "https://example.org/a.png", "alt": "a", "height": "21"}


@pytest.mark.parametrize(
    ("size", "shown"), [("", ("2", "1")), (' width="50%"', ("2", "1")), (' width="30"', ("30", "15"))]
)
def test_embedded_image_has_its_natural_size(size: str, shown: tuple[str, str]) -> None:
    image = only(page(f'<img src="{PIXEL}" alt="a"{size}>'), "img")

    assert (image.attributes["width"], image.attributes["height"]) == shown


@pytest.mark.parametrize(
    ("markdown", "content"),
    [
        ("![a *b*](c.png)", "[a b] (c.png)"),
        ("![](c.png)", "[c.png]"),
        ("![a](javascript:b)", "[a]"),
        ("![a](data:image/png;base64,AAAA)", "[a]"),
    ],
)
def test_image_that_onenote_cannot_fetch_is_its_alt_text(markdown: str, content: str) -> None:
    assert outline(page(markdown)) == [("p", content)]


# Lists


def test_paragraphs_of_a_tight_item_stay_apart() -> None:
    items = [nodes.ListItem([nodes.Paragraph([nodes.RawText("a")]), nodes.Paragraph([nodes.RawText("b")])])]

    assert outline(page_of(nodes.List(items))) == [("ul", [("li", ["a", ("p", "b")])])]


@pytest.mark.parametrize(
    ("markdown", "numbers"),
    [
        ("7. a\n8. b\n", ["7. a", "8. b"]),
        ("0. a\n", ["0. a"]),
        ('<ol start="3" type="I"><li>a</li><li value="9">b</li></ol>', ["III. a", "IX. b"]),
        ("<ol reversed><li>a</li><li>b</li></ol>", ["2. a", "1. b"]),
        ('<ol type="a" start="26"><li>a</li><li>b</li></ol>', ["z. a", "aa. b"]),
        ('<ol type="i" start="-1"><li>a</li></ol>', ["-1. a"]),
    ],
)
def test_number_that_onenote_cannot_count_is_text(markdown: str, numbers: list[str]) -> None:
    written = only(page(markdown), "ol")

    assert written.style["list-style-type"] == "none"
    assert [item.text_content() for item in written.elements] == numbers


def test_alphabetic_lists_from_one_are_native() -> None:
    written = only(page('<ol type="A"><li>a</li><li>b</li></ol>'), "ol")

    assert written.style["list-style-type"] == "upper-alpha"
    assert outline(written) == [("li", "a"), ("li", "b")]


def test_task_without_a_text_is_its_box() -> None:
    assert outline(page_of(nodes.List([nodes.TaskItem([], checked=True)]))) == [("p", "☑ ")]


# Boxes


def test_code_without_a_background_is_a_cell_all_the_same() -> None:
    cell = only(page("    a\n", template="ink"), "td")

    assert "background-color" not in cell.style
    assert outline(cell) == [("p", "a")]


def test_bar_is_a_cell_of_its_color() -> None:
    bar, cell = page("> a\n", css="blockquote { border-left: 3px solid #e2001a; padding: 0 }").find("td")

    assert bar.style == {"background-color": "#e2001a", "width": "6px"}
    assert bar.text_content() == ""
    assert outline(cell) == [("p", "a")]


def test_frame_is_a_ruled_table() -> None:
    table = only(page("> a\n", css="blockquote { border: 1px solid red }"), "table")

    assert table.attributes["border"] == "1"
    assert outline(table) == [("tr", [("td", [("p", "a")])])]


def test_tasks_in_a_box_in_a_list_are_plain_paragraphs() -> None:
    body = page("- a\n\n  > - [ ] b\n")

    (task,) = [node for node in body.find("p") if "data-tag" in node.attributes]
    assert task.parent is not None
    assert task.parent.tag == "td"


def test_rule_of_an_ornament_is_the_ornament() -> None:
    ornament = get_template("mono").ornament

    assert page("a\n\n---\n", template="mono").elements[-1].text_content() == ornament


# Tables


def test_borders_are_drawn_where_the_template_has_some() -> None:
    markdown = "| a |\n|-|\n| b |\n"

    assert only(page(markdown), "table").attributes["border"] == "1"
    bare = page(markdown, css="table, th, td { border: 0 }")
    assert only(bare, "table").attributes["border"] == "0"


def test_columns_that_are_only_spanned_are_left_out() -> None:
    table = only(page("<table><tr><td colspan=90>a</td><td>b</td></tr><tr><td colspan=90>c</td></tr></table>"), "table")

    assert rows_of(table) == [["a", "b"], ["c", ""]]


def test_stripes_are_backgrounds_of_cells() -> None:
    table = only(page("| a |\n|-|\n| b |\n| c |\n", css="tr.even > td { background-color: #eeeeee }"), "table")

    assert [cell.style.get("background-color") for cell in table.find("td")] == [None, None, "#eeeeee"]


def test_last_cell_of_a_row_is_that_of_its_last_column() -> None:
    markdown = "| a | b |\n|-|-|\n| c | d |\n| e |\n"

    table = only(page(markdown, css="td:last-child { background-color: #eeeeee }"), "table")

    backgrounds = [[cell.style.get("background-color") for cell in row.elements] for row in table.elements]
    assert backgrounds == [[None, None], [None, "#eeeeee"], [None, "#eeeeee"]]


# Other blocks


@pytest.mark.parametrize("nest", DEEP.values(), ids=DEEP)
def test_tree_is_written_however_deep_it_may_be(nest: Callable[[nodes.Token], nodes.Token]) -> None:
    deepest: nodes.Token = nodes.Paragraph([nodes.RawText("deep")])
    levels = 2 * DEFAULT_LIMITS.max_depth - 2
    while levels > 0:
        deepest = nest(deepest)
        levels -= 2 if isinstance(deepest, nodes.List) else 1

    assert page_of(deepest).text_content().strip().endswith("deep")


# Style values


def test_only_the_first_font_is_named_with_a_generic_family() -> None:
    project = style_factory(get_template("swiss").fonts)
    root = project("&", {"font-family": "Arial", "font-size": "17px", "color": "#141414"}, None)

    assert project("p", {"font-family": '"Foo Bar", serif'}, root).block_style == "font-family:Foo Bar"
    assert project("pre", {"font-family": "Consolas"}, root).block_style == "font-family:Consolas,monospace"
    assert project("p", {"font-family": "inherit"}, root).block_style == ""


def test_sizes_are_halves_of_points() -> None:
    project = style_factory(get_template("swiss").fonts)
    root = project("&", {"font-size": "16px"}, None)

    assert project("p", {"font-size": "0.9em"}, root).block_style == "font-size:11pt"
    assert project("p", {"font-size": "17.4px"}, root).block_style == "font-size:13pt"


@pytest.mark.parametrize(("declared", "is_written"), [("none", True), ("underline", False)])
def test_link_says_how_it_is_underlined_only_where_it_is_not(declared: str, is_written: bool) -> None:
    html = convert("[a](https://example.org)", to="onenote", css=f"a {{ text-decoration: {declared} }}").html

    assert ("text-decoration" in html) == is_written
