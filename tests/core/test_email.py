"""Destination `email`, construct by construct, and the email client linter over its output."""

import re
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdpublish_core import convert, get_template, list_templates, nodes, parse, render
from mdpublish_core.templates import THEME_MODES
from mdpublish_core.templates.style import css_variables
from mdpublish_core.testing import Sample, documents, hostile_text, samples
from mdpublish_core.testing.steps import count_steps
from mdpublish_core.writers.email.document import MAX_PREHEADER_CHARACTERS, MAX_TEXT_WIDTH, build_preheader
from mdpublish_core.writers.email.images import ImageSize, image_size
from tests.linters import email as linter
from tests.linters.conditional_comments import conditional_styles
from tests.linters.tree import Node, parse_document
from tests.sampling import sampled

SPECIMEN = (Path(__file__).parent.parent / "browser/specimen.md").read_text("utf-8")

TEMPLATES = [template.id for template in list_templates()]

SWISS = get_template("swiss")

# Gaps in px: between paragraphs, below boxes, and on both sides of a rule.
PARAGRAPH_GAP = round(SWISS.type.rhythm * SWISS.type.size)
GAP = round(float(css_variables(SWISS, "light")["gap"].removesuffix("em")) * SWISS.type.size)
RULE_GAP = round(2.2 * SWISS.type.size)

# The start of a PNG of 900 by 200 px; no more of it is read.
WIDE_PNG = b"\x89PNG\r\n\x1a\n" + b"\0\0\0\rIHDR" + (900).to_bytes(4) + (200).to_bytes(4) + b"\x08\x02\0\0\0"


def mail_of(markdown: str, *, template: str = "swiss", css: str | None = None) -> str:
    return convert(markdown, to="email", template=template, css=css).html


def parse_email(markdown: str, *, template: str = "swiss", css: str | None = None) -> Node:
    return parse_document(mail_of(markdown, template=template, css=css))[0]


def text_cell(markdown: str, *, template: str = "swiss", css: str | None = None) -> Node:
    """The cell with the content, in the table with a `max-width`."""
    root = parse_email(markdown, template=template, css=css)
    (table,) = [table for table in root.find("table") if "max-width" in table.style]
    return table.find("td")[0]


def email_html(markdown: str) -> str:
    """HTML of the blocks, without the surrounding document."""
    mail = mail_of(markdown)
    begin = mail.index("\n", mail.index(' style="max-width:')) + 1
    return mail[begin : mail.index("\n</td></tr></table>\n<!--[if mso]>")]


# Client support


@pytest.mark.parametrize("theme_mode", THEME_MODES)
@pytest.mark.parametrize("template", sampled(TEMPLATES, 7))
def test_linter_finds_nothing_in_the_specimen(template: str, theme_mode: str) -> None:
    mail = convert(SPECIMEN, to="email", template=template, theme_mode=theme_mode).html  # type: ignore[arg-type]

    assert linter.problems(mail) + linter.size_problems(mail) == []


@pytest.mark.corpora
def test_linter_finds_nothing_in_readmes(readmes: dict[str, str]) -> None:
    problems_by_name = {name: linter.problems(mail_of(markdown)) for name, markdown in readmes.items()}

    assert {name: problems for name, problems in problems_by_name.items() if problems} == {}


@given(samples(), st.sampled_from(TEMPLATES), st.sampled_from(THEME_MODES))
def test_linter_finds_nothing_in_documents(sample: Sample, template: str, theme_mode: str) -> None:
    mail = convert(sample.markdown, to="email", template=template, theme_mode=theme_mode).html  # type: ignore[arg-type]

    assert linter.problems(mail) == []


@given(hostile_text())
def test_linter_finds_nothing_in_hostile_input(markdown: str) -> None:
    assert linter.problems(mail_of(markdown)) == []


def is_ours(document: nodes.Document) -> bool:
    """Whether a tree has no raw HTML, which is the author's responsibility."""
    return not any(isinstance(token, nodes.HtmlBlock | nodes.HtmlSpan) for token in nodes.walk(document))


@given(documents(max_tokens=15).filter(is_ours), st.sampled_from(TEMPLATES))
def test_linter_finds_nothing_in_trees(document: nodes.Document, template: str) -> None:
    assert linter.problems(render(document, to="email", template=template).html) == []


@pytest.mark.corpora
def test_email_of_a_short_readme_is_not_clipped_by_gmail(readmes: dict[str, str]) -> None:
    short = {name: markdown for name, markdown in readmes.items() if len(markdown.encode()) <= 20_480}

    assert short
    for name, markdown in short.items():
        assert linter.size_problems(mail_of(markdown)) == [], name


# Document


def test_email_is_a_whole_document() -> None:
    mail = mail_of("# A \\<b>\n\ntext")

    assert mail.startswith('<!DOCTYPE html>\n<html dir="ltr" ')
    assert "<title>A &lt;b&gt;</title>" in mail
    assert mail.endswith("</body></html>\n")


def test_email_without_a_heading_is_untitled() -> None:
    assert "<title>Untitled</title>" in mail_of("text")


@pytest.mark.parametrize("theme_mode", THEME_MODES)
def test_email_declares_its_colors_to_clients(theme_mode: str) -> None:
    mail = convert("a", to="email", theme_mode=theme_mode).html  # type: ignore[arg-type]

    assert f'<meta name="color-scheme" content="{theme_mode} only" />' in mail
    assert f":root{{color-scheme:{theme_mode} only}}" in mail


@pytest.mark.parametrize(("template", "width"), [("swiss", 527), ("newsletter", 600)])
def test_text_is_as_wide_as_the_template_has_it(template: str, width: int) -> None:
    mail = mail_of("a", template=template)

    assert f"max-width:{width}px" in mail
    assert f'<!--[if mso]><table role="presentation" width="{width}" ' in mail


@pytest.mark.parametrize("template", TEMPLATES)
def test_text_is_never_wider_than_a_reading_pane(template: str) -> None:
    (width,) = re.findall(r"max-width:(\d+)px\"", mail_of("a", template=template))

    assert int(width) <= MAX_TEXT_WIDTH


def test_preheader_is_the_first_paragraph_with_a_text() -> None:
    document = parse("# Title\n\n[![badge](a.svg)](b)\n\n*First* `words`[^1]\nof all.\n\nMore.\n\n[^1]: note")

    assert build_preheader(document) == "First words of all."


def test_preheader_reads_no_further_than_that_paragraph() -> None:
    short, long = (parse("First words.\n\n" + "More.\n\n" * count) for count in (2, 200))

    steps = [count_steps(partial(build_preheader, document)) for document in (short, long)]

    assert steps[0] == steps[1]


def test_preheader_ends_at_a_word() -> None:
    preheader = build_preheader(parse("word " * 100))

    assert preheader == "word " * 18 + "word…"
    assert len(preheader) <= MAX_PREHEADER_CHARACTERS


def test_preheader_of_one_long_word_is_cut() -> None:
    assert build_preheader(parse("x" * 200)) == "x" * (MAX_PREHEADER_CHARACTERS - 1) + "…"


@pytest.mark.parametrize(
    ("markdown", "preheader"), [("# Only a heading", "Only a heading"), ("- item", "item"), ("", "")]
)
def test_preheader_without_a_paragraph_is_what_there_is(markdown: str, preheader: str) -> None:
    assert preheader in build_preheader(parse(markdown))


def test_preheader_is_hidden_and_first() -> None:
    body = parse_email("a").find("body")[0]

    assert body.elements[0].style == {"display": "none", "mso-hide": "all"}
    assert body.elements[0].text_content() == "a"


def test_email_without_text_has_no_preheader() -> None:
    assert "display:none" not in mail_of("")


# Styles


def test_text_has_the_templates_font() -> None:
    style = text_cell("a").style

    assert style == {"color": "#141414", "font": "17px/1.5 'Helvetica Neue',Helvetica,Arial,sans-serif"}


@pytest.mark.parametrize("template", TEMPLATES)
def test_fonts_of_systems_are_left_out(template: str) -> None:
    assert not re.search(r"system-ui|ui-[a-z]+|-apple-system", mail_of("# a `b`", template=template))


def test_user_stylesheet_is_applied_inline() -> None:
    cell = text_cell(
        "a *b* [c](https://example.org/)", css="p { background-color: #ffeecd } a[href^=https] { color: #fe0001 }"
    )
    (paragraph,) = cell.find("p")

    assert paragraph.parent is not None
    assert paragraph.parent.style["background"] == "#ffeecd"
    assert paragraph.find("a")[0].style["color"] == "#fe0001"


def test_user_style_that_clients_do_not_know_is_left_out() -> None:
    mail = mail_of("a", css="p { color: rgba(0, 0, 0, 0.5); display: grid; margin: -1em auto; width: 10vw }")

    assert linter.problems(mail) == []


# Space between blocks


def heights(markdown: str) -> list[str]:
    return [cell.attributes["height"] for cell in text_cell(markdown).find("td") if "height" in cell.attributes]


def test_boxes_are_separated_by_a_row() -> None:
    assert heights("> a\n\n---\n\n> b") == [str(RULE_GAP), str(RULE_GAP)]


def test_text_below_a_box_has_the_space_as_its_margin() -> None:
    (quoted, paragraph) = text_cell("> a\n\nb").find("p")

    assert quoted.style["margin"] == "0"
    assert paragraph.style["margin"] == f"{GAP}px 0 {PARAGRAPH_GAP}px"
    assert heights("> a\n\nb") == []


def test_box_below_text_is_below_its_margin() -> None:
    assert heights("a\n\n> b") == []


def test_nothing_is_below_the_last_box() -> None:
    assert heights("> a") == []


def test_box_in_an_item_adds_space_before_the_next_item() -> None:
    items = text_cell("- a\n  > b\n- c").find("li")

    assert items[1].style["margin"].startswith(f"{GAP}px ")


def test_text_below_a_box_in_a_tight_item_has_space() -> None:
    (_, paragraph) = text_cell("- a\n  > b\n  ***\n  c").find("p")

    assert paragraph.style["margin"] == f"{RULE_GAP}px 0 0"


def test_rule_may_be_an_ornament() -> None:
    assert "* * *" in text_cell("***", template="mono").text_content()


# Blocks


def test_items_that_count_on_stay_in_one_list() -> None:
    cell = text_cell('<ol><li>a</li><li value="5">b</li><li>c</li></ol>')

    assert [node.text_content().split() for node in cell.find("ol")] == [["a"], ["b", "c"]]


# Data tables


TABLE = "| a | b | c |\n|---|:-:|--:|\n| 1 | `2` | 3 |"


def test_cells_inherit_the_font_and_outlook_has_rules_for_it() -> None:
    (table,) = text_cell(TABLE).find("table")
    rules = "".join(conditional_styles(mail_of(TABLE)))

    assert table.style["font-size"] == "16px"
    assert not [cell for cell in table.find("td", "th") if cell.style.keys() - {"padding"}]
    assert re.match(
        r"td,th\{color:#141414;font-family:[^;]+;font-size:17px;line-height:1.5;mso-line-height-alt:26px}", rules
    )
    assert re.search(r"\.m1 td\{[^}]*font-size:16px;line-height:1.4;mso-line-height-alt:22px[;}]", rules)


def test_lines_and_grounds_are_those_of_rows() -> None:
    (table,) = text_cell("| a | b |\n|---|---|\n| c | d |\n| e | f |\n| g | h |", template="newsletter").find("table")
    rules = "".join(conditional_styles(mail_of(TABLE, template="newsletter")))

    assert [row.style.get("border-bottom") for row in table.find("tr")] == ["2px solid #c2410c", None, None, None]
    assert [row.attributes.get("bgcolor") for row in table.find("tr")] == [None, None, "#f7f3ee", None]
    assert {tuple(cell.style) for cell in table.find("td", "th")} == {("padding",)}
    assert re.search(r"\.m1 th\{border-bottom:2px solid #c2410c;", rules)


def test_row_without_the_lines_of_others_undoes_those_of_outlook() -> None:
    (table,) = text_cell(TABLE, css="tr:last-child td { border-bottom: none }").find("table")
    rows = table.find("tr")

    assert all("border-bottom" in row.style for row in rows[:-1])
    assert "border-bottom" not in rows[-1].style
    assert {cell.style["border-bottom"] for cell in rows[-1].find("td")} == {"0"}


def test_strong_text_is_bold_in_light_text() -> None:
    (strong,) = text_cell("**a**", css="p { font-weight: 300 }").find("strong")

    assert strong.style == {"font-weight": "700"}


def test_headings_of_a_level_share_their_line_height_for_outlook() -> None:
    mail = mail_of("## a\n\n## b\n\n### c")
    rules = "".join(conditional_styles(mail))

    assert re.search(r"h2\{mso-line-height-alt:34px\}h3\{mso-line-height-alt:28px\}", rules)
    assert not [heading for heading in parse_document(mail)[0].find("h2", "h3") if "class" in heading.attributes]


def test_lines_that_cross_are_those_of_cells() -> None:
    (table,) = text_cell(TABLE, template="solarized").find("table")

    assert not any("border-bottom" in row.style for row in table.find("tr"))
    assert all("border-bottom" in cell.style for cell in table.find("th"))


def test_long_table_keeps_its_lines_without_a_stylesheet() -> None:
    (table,) = text_cell("| a | b |\n|---|---|\n" + "| c | d |\n" * 150, template="github").find("table")

    assert {tuple(cell.style.items()) for cell in table.find("tr")[1].find("td")} == {
        (("border", "1px solid #d1d9e0"),)
    }
    assert table.attributes["cellpadding"] == "6"


def test_table_of_five_hundred_cells_has_less_than_48_kilobytes() -> None:
    rows = "".join(f"| {' | '.join(f'cell {row} {column}' for column in range(5))} |\n" for row in range(100))
    mail = mail_of(f"| {' | '.join(f'Column {each}' for each in 'ABCDE')} |\n|{'---|' * 5}\n{rows}")
    (table,) = [table for table in parse_document(mail)[0].find("table") if "class" in table.attributes]

    assert len(mail.encode()) <= 48_000
    assert table.attributes["cellpadding"] == "7"
    assert re.search(r"\n\.m1 td\{padding:7px 24px 7px 0\}", mail)


def test_cell_with_another_font_declares_it() -> None:
    markdown = "> " + TABLE.replace("\n", "\n> ")
    quote, table = text_cell(markdown, template="github").find("table")

    assert quote.find("td")[0].style["color"] == "#59636e"
    assert not any("color" in cell.style for cell in table.find("td"))
    assert re.search(
        rf"\.{table.attributes['class']} td\{{[^}}]*color:#59636e",
        "".join(conditional_styles(mail_of(markdown, template="github"))),
    )


def test_table_without_headers_is_a_layout_table() -> None:
    (table,) = text_cell("<table><tr><td>a<td>b<tr><td colspan=2>c</table>").find("table")

    assert table.attributes["role"] == "presentation"
    assert table.find("td")[2].attributes["colspan"] == "2"


def test_row_headers_have_a_scope() -> None:
    (table,) = text_cell("<table><tr><th>a<td>b<tr><th>c<td><p>d<p>e</table>").find("table")

    assert [head.attributes["scope"] for head in table.find("th")] == ["row", "row"]


# Images


def image_attributes(markdown: str) -> Node:
    (node,) = text_cell(markdown).find("img")
    return node


def test_images_in_a_line_stay_in_it() -> None:
    markdown = "![a](a.png) ![b](b.png)\n![c](c.png)"

    assert {node.style.get("display") for node in text_cell(markdown).find("img")} == {None}


def test_image_next_to_text_stays_inline() -> None:
    assert "display" not in image_attributes("see ![a](a.png)").style


def test_image_alone_on_its_line_is_a_block() -> None:
    cell = text_cell("a<br>![b](b.png)<br>c")

    assert cell.find("img")[0].style["display"] == "block"
    assert [node.text_content().strip() for node in cell.find("p")] == ["a", "c"]


def test_line_below_an_image_keeps_the_paragraphs_attributes() -> None:
    (block,) = text_cell('<p align="center" lang="de"><img src=a.png alt=a><br>b<br>c</p>').elements

    assert block.attributes["align"] == "center"
    assert [node.tag for node in block.elements] == ["img", "div"]
    assert block.elements[1].text_content().split() == ["b", "c"]


def test_line_below_an_image_in_a_cell_is_a_block_too() -> None:
    cell = text_cell("<table><tr><td align=center><img src=a.png alt=a width=60><br><b>c</b></table>").find("td")[0]

    assert [node.tag for node in cell.elements] == ["img", "div"]
    assert cell.attributes["align"] == "center"


def test_image_in_a_centered_heading_is_centered_by_its_parent() -> None:
    cell = text_cell('<h1 align="center"><img src="a.png" alt="a"><br>b</h1>', template="paper")
    (heading,) = cell.find("h1")

    assert heading.parent is not None
    assert (heading.parent.tag, heading.parent.attributes["align"]) == ("div", "center")
    assert "align" not in heading.attributes
    assert "text-align" not in heading.style


def test_image_alone_is_spaced_where_paragraphs_are_indented() -> None:
    first, image, last = text_cell("a\n\n![b](b.png)\n\nc", template="paper").find("p")

    assert first.style["margin"] == last.style["margin"] == "0"
    assert image.style["margin"] != "0"
    assert "text-indent" not in image.style
    assert "text-indent" not in last.style


def test_formula_in_a_line_has_no_box() -> None:
    (formula,) = text_cell("$\\nosuch$").find("span")

    assert formula.text_content() == "\\nosuch"


def region_of(columns: Sequence[str], *cells: str) -> Node:
    rows = (columns, ["-"] * len(columns), cells or columns)
    (region,) = text_cell("\n".join(f"|{'|'.join(row)}|" for row in rows)).find("div")
    return region


def test_table_that_does_not_fit_a_phone_has_labels_for_it() -> None:
    narrow, wide = region_of("abcd"), region_of(("Professional", "Enterprise", "Documentation"), "1", "2", "")

    assert [node.attributes["class"] for node in (narrow, wide)] == ["wide", "wide rows"]
    assert [label.text_content() for label in wide.find("b")] == ["Professional: ", "Enterprise: "]
    assert {label.attributes["style"] for label in wide.find("b")} == {"display:none"}
    assert narrow.find("b") == []


def test_labels_for_a_phone_have_all_rows_of_the_header() -> None:
    halves = "<tr><th rowspan=2>Region<th colspan=2>First half of 2025<th colspan=2>Second half of 2025"
    quarters = "<tr><th>Quarter-1<th>Quarter-2<th>Quarter-3<th>Quarter-4"
    rows = "<tr><td>North<td>1<td>2<td>3<td>4<tr><td>South<td colspan=2>Half<td colspan=2>Other<tr><td colspan=5>All"
    (region,) = text_cell(f"<table><thead>{halves}{quarters}<tbody>{rows}</table>").find("div")

    assert region.attributes["class"] == "wide rows"
    assert [label.text_content() for label in region.find("b")] == [
        "Region: ",
        "First half of 2025, Quarter-1: ",
        "First half of 2025, Quarter-2: ",
        "Second half of 2025, Quarter-3: ",
        "Second half of 2025, Quarter-4: ",
        "Region: ",
        "First half of 2025: ",
        "Second half of 2025: ",
    ]


def test_long_table_has_no_labels() -> None:
    row = "|Professional|Enterprise|Documentation|\n"
    (region,) = text_cell(row + "|-|-|-|\n" + row * 700).find("div")

    assert region.attributes["class"] == "wide"
    assert region.find("span") == []


def test_table_of_many_columns_has_smaller_type() -> None:
    columns = ("Professional", "Enterprise", "Documentation", "Authentication", "Availability", "Configuration")
    region = region_of(columns)
    (part,) = region.find("thead")

    assert part.style["font-size"] in {"11px", "12px", "13px"}
    assert not any("font-size" in cell.style for cell in part.find("th"))
    assert sum(int(column.attributes["width"]) for column in region.find("col")) <= 560


def test_cells_of_a_table_in_another_direction_are_padded_on_their_other_side() -> None:
    left_to_right = text_cell("| a | b |\n|---|---|\n").find("th")
    right_to_left = text_cell("a\n\n| أ | ب |\n|---|---|\n").find("th")

    assert [cell.style["padding"] for cell in left_to_right] == ["7px 24px 7px 0", "7px 0"]
    assert [cell.style["padding"] for cell in right_to_left] == ["7px 0 7px 24px", "7px 0"]


@pytest.mark.parametrize("align", ["center", "right"])
def test_image_alone_is_aligned_by_what_aligns_blocks(align: str) -> None:
    (node,) = text_cell(f'<p align="{align}"><img src="a.png" alt="a"></p>').elements

    assert (node.tag, node.attributes["align"]) == ("div", align)


@pytest.mark.parametrize(
    ("width", "height", "size"),
    [
        ("120", "60", ImageSize(120, 60, "120px")),
        ("120", None, ImageSize(120, None, "120px")),
        ("1000", "500", ImageSize(400, 200, "400px")),
        ("50%", "10", ImageSize(200, None, "50%")),
        ("200%", None, ImageSize(400, None, "100%")),
        (None, "20", ImageSize(None, 20, None)),
        (None, None, ImageSize(None, None, None)),
        ("12.5", "6.5", ImageSize(12, 6, "12px")),
        ("0", "0", ImageSize(1, 1, "1px")),
        ("wide", "high", ImageSize(None, None, None)),
    ],
)
def test_size_of_an_image(width: str | None, height: str | None, size: ImageSize) -> None:
    assert image_size(width, height, 400) == size


def test_image_is_no_wider_than_the_text_around_it() -> None:
    widths = [
        image_attributes(markdown).attributes["width"]
        for markdown in ('<img src=a width="900">', '- <img src=a width="900">')
    ]

    assert widths == ["527", "487"]


def test_embedded_image_is_attached_to_the_email() -> None:
    url = f"data:image/png;base64,{b64encode(WIDE_PNG).decode()}"

    conversion = convert(f"![a]({url})\n\n![b]({url})", to="email")

    (media,) = conversion.media
    assert media.data == WIDE_PNG
    assert conversion.html.count(f'src="cid:{media.content_id}" alt="a" width="527" height="117"') == 1
    assert "data:" not in conversion.html


def test_image_that_cannot_be_shown_is_its_alt_text() -> None:
    assert email_html("![a *b*](javascript:c)") == f'<p style="margin:0 0 {PARAGRAPH_GAP}px">a b</p>'


# Links and anchors


def test_anchor_is_written_once() -> None:
    links = text_cell('[b](#b)\n\n<a name="b"></a>\n\n## b\n\n<a id="b"></a>\n\n## c').find("a")

    assert [link.attributes.get("name") for link in links] == [None, "md-b"]


@pytest.mark.parametrize("url", ["javascript:alert(1)", "#", "", "#none"])
def test_link_to_nowhere_is_its_text(url: str) -> None:
    document = nodes.Document([nodes.Paragraph([nodes.Link(url, [nodes.RawText("text")])])])

    assert "<a" not in render(document, to="email").html


def test_link_in_a_link_is_its_text() -> None:
    assert (
        convert('[a <a href="https://example.org/b">b</a>](https://example.org/a)', to="email").html.count("<a ") == 1
    )


# Text direction


def test_document_in_arabic_is_read_from_right_to_left() -> None:
    root = parse_email("# مرحبا\n\n> نص\n\n- بند\n\n`code`", template="github")
    quote = next(cell for cell in root.find("td") if "border-right" in cell.style)

    assert root.attributes["dir"] == "rtl"
    assert quote.text_content().strip() == "نص"
    assert not any("border-left" in cell.style for cell in root.find("td"))


def test_paragraph_in_another_direction_has_a_dir() -> None:
    cell = text_cell("text\n\nمرحبا\n\n- بند\n\n| اسم |\n|---|\n| a |")

    assert [node.attributes.get("dir") for node in cell.find("p", "ul", "table")] == [None, "rtl", "rtl", "rtl"]


@pytest.mark.parametrize(("columns", "size"), [(40, "15px"), (60, "13px"), (74, "11px"), (120, "11px")])
def test_code_with_long_lines_has_smaller_type(columns: int, size: str) -> None:
    (cell,) = [
        cell for cell in text_cell(f"    {'x' * columns}\n    y").find("td") if "Consolas" in cell.style.get("font", "")
    ]

    assert cell.style["font"].startswith(f"{size}/1.5 ")
    assert bool(cell.find("div")) == (columns == 120)


def test_code_that_does_not_fit_scrolls_where_clients_can() -> None:
    wide, narrow = mail_of(f"    {'x' * 120}"), mail_of("    x")

    assert "@media (hover:hover){.scroll{overflow-x:auto;white-space:nowrap}}" in wide
    assert ".code{font-size:15px !important}" in wide
    assert "scroll{" not in narrow
    assert ".code{" not in narrow


@pytest.mark.parametrize("mark", ["> ", "- "])
@pytest.mark.parametrize("code", ["", "long " * 40])
def test_code_is_written_where_no_width_is_left(mark: str, code: str) -> None:
    within = "> " if mark == "> " else "  "
    html = convert(f"{mark * 30}```\n{within * 30}{code}\n{within * 30}```\n", to="email").html
    assert "<td" in html
    assert code.strip() in html


def test_code_is_read_from_left_to_right() -> None:
    (code,) = [
        cell
        for cell in parse_email("# مرحبا\n\n    a = 1").find("td")
        if cell.text_content() == "a\xa0=\xa01" or cell.text_content() == "a = 1"
    ]

    assert code.attributes["dir"] == "ltr"


# Length


def test_author_is_notified_of_an_email_that_gmail_clips() -> None:
    table = "| a | b |\n|---|---|\n" + "| c | d |\n" * 500
    conversion = convert(f"{table}\n" + "é " * 40_000 + "\n\n    code", to="email")

    (notice,) = conversion.notices
    assert notice.code == "message-too-long"
    assert f"the email has {len(conversion.html.encode()):,} bytes (text 120," in notice.message
    assert re.search(r", tables 4\d,\d{3}, code \d{3}\); Gmail clips it near 100,000", notice.message)


@pytest.mark.parametrize(("size", "notices"), [(98_999, 0), (99_000, 1)])
def test_author_is_notified_from_99_000_bytes_on(size: int, notices: int) -> None:
    frame = len(convert("a\n\nb", to="email").html.encode())
    # The preheader has the first paragraph only.
    conversion = convert("a\n\nb" + "b" * (size - frame), to="email")

    assert len(conversion.html.encode()) == size
    assert len(conversion.notices) == notices


def test_heading_in_a_cell_keeps_its_line() -> None:
    swiss = get_template("swiss")
    lined = replace(swiss, css="h1 { border-bottom: 2px solid $accent; text-decoration: underline; }")

    html = convert("# a", to="email", template=lined).html

    assert re.search(r'<h1 style="[^"]*text-decoration:underline', html)


@pytest.mark.parametrize("markdown", ["> ```\n> code\n> ```", "> | a |\n> |---|\n> | b |", "> > quote"])
def test_box_with_margins_at_its_sides_is_in_a_padded_cell(markdown: str) -> None:
    swiss = get_template("swiss")
    headed = replace(swiss, css="", variants=swiss.variants._replace(callout="head", quote="box"))

    html = convert(f"> [!NOTE]\n{markdown}", to="email", template=headed).html

    # The callout's padding, which depends on the font size of the content.
    assert re.search(r'<td style="padding:0 1[69]px 0 1[69]px">', html)


@pytest.mark.parametrize("columns", [2, 6])
def test_only_the_first_cells_are_bold_where_a_template_says_so(columns: int) -> None:
    row = "|".join(["Professional"] * columns)
    html = convert(f"|{row}|\n|{'---|' * columns}\n|{row}|", to="email", template="wiki").html
    cells = re.findall(r"<td (?!class=.frame)[^>]*padding:[^>]*>(?:<b .*?</b>)?Professional", html)

    assert not re.search(r" td\{[^}]*font-weight:700", html)
    assert ["font-weight:700" in cell for cell in cells] == [True] + [False] * (columns - 1)


def test_boxes_that_follow_each_other_are_rows_of_one_table() -> None:
    boxes = ["> quote", "```\ncode\n```", "***", "> [!NOTE]\n> note"]
    tables = [convert("\n\n".join(parts), to="email").html.count("<table") for parts in (boxes[:1], boxes)]

    assert tables[0] == tables[1]
    assert convert("> quote\n\ntext\n\n> quote", to="email").html.count("<table") == tables[0] + 1


def test_code_has_only_another_font_than_the_heads() -> None:
    css = "blockquote code { font-family: Courier }"
    html = convert("`a`\n\n> `b`", to="email", template="github", css=css).html
    families = re.findall(r'<code style="[^"]*?(?:font:[^;"]*|font-size:[^;"]*)', html)

    assert re.search(r"\ncode\{font-family:[^}]*monospace\}", html)
    assert ["Courier" in each for each in families] == [False, True]
    assert all("font" in each for each in families)


def test_linked_image_has_no_border() -> None:
    linked, other = parse_email(
        "[![a](https://example.org/a.png)](https://example.org) ![b](https://example.org/b.png)"
    ).find("img")

    assert linked.attributes["border"] == "0"
    assert "border" not in other.attributes
