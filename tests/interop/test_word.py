"""HTML of destination `word`, as LibreOffice and python-docx read `word_specimen.md`.

What only Word reads, such as its own footnotes, is tested in the HTML.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree.ElementTree import Element

import html5lib
import pytest

from mdpublish_core import convert, nodes, parse
from tests.cases.case_files import Case, all_cases
from tests.interop.word import read_all
from tests.interop.word_document import Paragraph, Run, Table, WordDocument

pytestmark = pytest.mark.interop

SPECIMEN = Path(__file__).with_name("word_specimen.md").read_text("utf-8")

SIDES = {"top", "left", "bottom", "right"}

HARD_SPACE = "\u00a0"


@pytest.fixture(scope="module")
def cases() -> dict[str, Case]:
    return {case.name: case for case in all_cases()}


@pytest.fixture(scope="module")
def html() -> str:
    return convert(SPECIMEN, destination="word").html


@pytest.fixture(scope="module")
def readings(html: str, cases: dict[str, Case]) -> dict[str, WordDocument]:
    htmls = {name: convert(case.markdown, destination="word").html for name, case in cases.items()}
    htmls["specimen"] = html
    return dict(zip(htmls, read_all(list(htmls.values())), strict=True))


@pytest.fixture(scope="module")
def specimen(readings: dict[str, WordDocument]) -> WordDocument:
    return readings["specimen"]


def run_of(document: WordDocument, content: str) -> Run:
    return next(run for run in document.runs if run.string.strip(" \u00a0") == content)


def marks_of(run: Run) -> set[str]:
    marks = {name for name in ("bold", "italic", "underline", "strike") if getattr(run, name)}
    return marks | ({run.position} if run.position else set())


def table_of(document: WordDocument, content: str) -> Table:
    return [table for table in document.tables if any(content in cell for row in table.cell_strings for cell in row)][
        -1
    ]


def level_at_the_left(document: WordDocument, content: str) -> float:
    """Return the indentation, plus one in a table cell."""
    paragraph = next(paragraph for paragraph in document.paragraphs if paragraph.plain_text == content)
    in_cell = any(content in cell for table in document.tables for row in table.cell_strings for cell in row)
    return paragraph.indentation + in_cell


def test_headings_are_native_with_their_levels(specimen: WordDocument) -> None:
    assert specimen.headings == [
        (1, "Straße & Weg"),
        (2, "Marks"),
        (3, "Lists"),
        (4, "Quotes"),
        (5, "Code"),
        (6, "Tables"),
    ]


def test_sizes_of_headings_descend_to_the_texts(specimen: WordDocument) -> None:
    headings = [paragraph for paragraph in specimen.paragraphs if paragraph.level]
    sizes = [max(run.size or 0 for run in heading.runs) for heading in headings]

    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > (run_of(specimen, "bold").size or 0)


@pytest.mark.parametrize(
    ("content", "marks"),
    [
        ("bold", {"bold"}),
        ("italic", {"italic"}),
        ("both", {"bold", "italic"}),
        ("struck", {"strike"}),
        ("low", {"subscript"}),
        ("high", {"superscript"}),
        ("Ctrl", set()),
        ("marked", set()),
        ("inserted", {"underline"}),
        ("first", {"italic"}),
        ("care", {"bold"}),
    ],
)
def test_marks_are_on_their_text_alone(specimen: WordDocument, content: str, marks: set[str]) -> None:
    assert marks_of(run_of(specimen, content)) == marks


def test_marked_text_is_shaded(specimen: WordDocument) -> None:
    assert run_of(specimen, "marked").shading is not None


def test_code_in_a_line_has_the_font_of_code_blocks(specimen: WordDocument) -> None:
    in_a_line, in_a_block, surrounding = (run_of(specimen, content) for content in ("code <b>", "indented", "bold"))

    assert in_a_line.font == in_a_block.font != surrounding.font


def test_text_has_one_font_and_size(specimen: WordDocument) -> None:
    paragraphs = [specimen.paragraph(content) for content in ("more of four", "Between the lists.", "What was folded.")]

    assert len({(run.font, run.size) for paragraph in paragraphs for run in paragraph.runs}) == 1


def test_links_keep_their_targets(specimen: WordDocument) -> None:
    outside = [link for link in specimen.links if not link[1].startswith("#")]

    assert outside == [
        ("linked text", "https://example.org/?a=1&b=2"),
        ("https://example.org/auto", "https://example.org/auto"),
    ]


def test_link_to_a_heading_leads_there(specimen: WordDocument) -> None:
    (target,) = (target for content, target in specimen.links if content == "to the tables")

    assert target.removeprefix("#") in {
        anchor for paragraph in specimen.paragraphs if paragraph.plain_text == "Tables" for anchor in paragraph.anchors
    }


def test_items_have_level_form_and_number(specimen: WordDocument) -> None:
    # White space before a nested list may become a space.
    items = [(item, content.rstrip()) for item, content in specimen.items]
    numbered = [(item.level, item.form, item.number, content) for item, content in items if item.form != "bullet"]
    bullets = [(item.level, content) for item, content in items if item.form == "bullet"]

    assert numbered == [
        (1, "decimal", 3, "three"),
        # The template's nested lists use letters.
        (3, "lowerLetter", 1, "deeper"),
        (1, "decimal", 4, "four"),
        (1, "decimal", 7, "seven again"),
        (1, "decimal", 8, "eight"),
    ]
    assert bullets[:2] == [(2, "bullet"), (2, "bullet too")]


def test_list_in_a_callout_is_a_list(specimen: WordDocument) -> None:
    (item,) = (item for item, content in specimen.items if content.strip() == "of this")

    assert (item.level, item.form) == (1, "bullet")


def test_task_shows_its_box(specimen: WordDocument) -> None:
    contents = {" ".join(paragraph.plain_text.split()) for paragraph in specimen.paragraphs}

    assert {"☐ to do", "☑ done"} <= contents


def test_second_paragraph_of_an_item_is_no_item(specimen: WordDocument) -> None:
    assert specimen.paragraph("more of four").item is None


def test_nested_quotes_are_indented_further(specimen: WordDocument) -> None:
    indents = [
        level_at_the_left(specimen, content) for content in ("Between the lists.", "Quoted once.", "Quoted twice.")
    ]

    assert indents[0] < indents[1] < indents[2]


@pytest.mark.parametrize(("content", "title"), [("Take note.", "Note"), ("Take care:", "Warning")])
def test_callout_is_a_shaded_cell_with_its_title(specimen: WordDocument, content: str, title: str) -> None:
    table = table_of(specimen, content)
    ((cell,),) = [row.cells for row in table.rows]

    assert title in cell.plain_text
    assert cell.shading is not None


def test_callouts_are_distinguished_by_color(specimen: WordDocument) -> None:
    styles = set()
    for content in ("Take note.", "Take care:"):
        cell = table_of(specimen, content).rows[0].cells[0]
        styles.add((cell.shading, *(border.color for border in cell.borders)))

    assert len(styles) == 2


def test_code_block_is_a_shaded_cell_with_a_paragraph_a_line(specimen: WordDocument) -> None:
    table = table_of(specimen, "def")
    ((cell,),) = [row.cells for row in table.rows]

    assert cell.plain_text.replace(HARD_SPACE, " ") == 'def f(x):\n    # a remark\n    return "é  ü"'
    assert cell.shading is not None


def test_indentation_in_code_is_hard_spaces(specimen: WordDocument) -> None:
    cell = table_of(specimen, "def").rows[0].cells[0]

    assert f"\n{HARD_SPACE * 4}#" in cell.plain_text


def test_code_is_highlighted(specimen: WordDocument) -> None:
    cell = table_of(specimen, "def").rows[0].cells[0]
    runs = [run for block in cell.blocks if isinstance(block, Paragraph) for run in block.runs if run.string.strip()]

    assert len({run.color for run in runs}) >= 3
    assert len({(run.font, run.size) for run in runs}) == 1


def test_lines_of_code_are_set_closely(html: str) -> None:
    code = next(cell for cell in elements(html, "td") if "remark" in "".join(cell.itertext()))

    assert all(re.search(r"margin(?:-bottom)?:\s*0", line.get("style", "")) for line in list(code.iter("p"))[:-1])


def test_table_has_header_row_cells_and_borders(specimen: WordDocument) -> None:
    table = table_of(specimen, "日本")

    assert [row.is_header for row in table.rows] == [True, False, False]
    # Word needs one in an empty paragraph.
    assert table.cell_strings == [["Left", "Centre", "Right"], ["a", "b", "1"], ["日本", HARD_SPACE, "2"]]
    # Adjacent cells share a border.
    assert {border.side for row in table.rows for cell in row.cells for border in cell.borders} == SIDES


def test_cells_are_aligned_as_their_column(specimen: WordDocument) -> None:
    contents = ("Left", "Centre", "Right", "a", "b", "1", "日本", "2")
    alignments = [specimen.paragraph(content).alignment for content in contents]

    assert alignments == ["left", "center", "right"] * 2 + ["left", "right"]


def test_table_of_the_author_keeps_its_spans(specimen: WordDocument) -> None:
    wide, tall, below = table_of(specimen, "tall").rows

    assert [cell.columns for cell in wide.cells] == [2]
    assert [(cell.plain_text, cell.merged) for cell in tall.cells] == [("tall", "restart"), ("x", None)]
    assert [(cell.plain_text, cell.merged) for cell in below.cells] == [("", "continue"), ("y", None)]


def test_rule_is_a_line(specimen: WordDocument) -> None:
    lines = [paragraph for paragraph in specimen.paragraphs if not paragraph.plain_text and paragraph.borders]

    assert len(lines) == 1


def test_images_have_their_sizes(specimen: WordDocument) -> None:
    _, sized, _ = specimen.images

    assert (sized.width, sized.height) == (72, 36)


def test_images_have_alt_text(html: str) -> None:
    *dots, diagram = [image.get("alt") or "" for image in elements(html, "img")]

    assert dots == ["a dot", "a sized dot"]
    assert diagram.startswith("Flowchart")


def test_footnotes_are_native(html: str, specimen: WordDocument) -> None:
    references = [link for link in elements(html, "a") if "mso-footnote-id" in link.get("style", "")]
    lists = [part for part in elements(html, "div") if "mso-element:footnote-list" in part.get("style", "")]

    assert len(lists) == 1
    assert len(references) >= 4
    assert [specimen.plain_text.count(content) for content in ("first note.", "The second note.")] == [1, 1]


def test_line_break_ends_a_line(specimen: WordDocument) -> None:
    assert any("Broken\nhere." in paragraph.plain_text for paragraph in specimen.paragraphs)


@pytest.mark.parametrize("content", ["3 < 4 & © 🎉, 日本語, שלום.", "Folded", "What was folded.", "Term", "Definition"])
def test_text_arrives(specimen: WordDocument, content: str) -> None:
    assert content in specimen.plain_text.replace(HARD_SPACE, " ")


def test_every_word_of_the_cases_arrives_in_sequence(readings: dict[str, WordDocument], cases: dict[str, Case]) -> None:
    for name, case in cases.items():
        content, position = readings[name].plain_text, 0
        for word in words_of(parse(case.markdown)):
            position = content.find(word, position)
            assert position >= 0, f"{word!r} is missing, or not in its place, in {name}: {content!r}"
            position += len(word)


def words_of(root: nodes.Token) -> Iterator[str]:
    if isinstance(root, nodes.RawText | nodes.InlineCode | nodes.CodeFence | nodes.BlockCode):
        yield from root.content.split()
    elif not isinstance(root, nodes.Image):
        for child in nodes.children_of(root):
            yield from words_of(child)


def test_fragment_is_marked_for_the_clipboard(html: str) -> None:
    before, start, rest = html.partition("<!--StartFragment-->")
    fragment, end, _ = rest.partition("<!--EndFragment-->")

    assert start
    assert end
    assert "<h1" in fragment
    assert "<h1" not in before


@pytest.mark.parametrize("level", range(1, 7))
def test_heading_names_its_style(html: str, level: int) -> None:
    (heading,) = elements(html, f"h{level}")

    assert f"mso-style-name:'Heading {level}'" in heading.get("style", "")


@pytest.mark.parametrize("style", ["Normal", "List Paragraph", "Quote", "Code"])
def test_styles_of_word_are_named(html: str, style: str) -> None:
    assert f"mso-style-name:'{style}'" in html.replace('"', "'").replace("&quot;", "'")


def test_nothing_that_word_misreads_is_used(html: str) -> None:
    # mso-list would double the nesting; Word ignores a div's background and `mark`.
    assert "mso-list" not in html
    assert elements(html, "mark") == []
    assert not [part for part in elements(html, "div") if "background" in part.get("style", "")]


def test_measures_are_in_points(html: str) -> None:
    styles = [element.get("style", "") for element in html5lib.parse(html, namespaceHTMLElements=False).iter()]

    assert not [style for style in styles if re.search(r"\d(?:px|rem|em|vw|ch)\b", style)]


def elements(html: str, tag: str) -> list[Element]:
    return list(html5lib.parse(html, namespaceHTMLElements=False).iter(tag))
