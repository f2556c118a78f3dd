"""HTML of destination `word`, as LibreOffice and python-docx read `word_specimen.md`.

What the matrix compares, such as headings, lists, tables, links and pictures, is in `test_matrix.py`; HTML is in
`tests/cases`.
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


@pytest.fixture(scope="module")
def cases() -> dict[str, Case]:
    return {case.name: case for case in all_cases()}


@pytest.fixture(scope="module")
def html() -> str:
    return convert(SPECIMEN, to="word").html


@pytest.fixture(scope="module")
def readings(html: str, cases: dict[str, Case]) -> dict[str, WordDocument]:
    htmls = {name: convert(case.markdown, to="word").html for name, case in cases.items()}
    htmls["specimen"] = html
    return dict(zip(htmls, read_all(list(htmls.values())), strict=True))


@pytest.fixture(scope="module")
def specimen(readings: dict[str, WordDocument]) -> WordDocument:
    return readings["specimen"]


def run_of(document: WordDocument, content: str) -> Run:
    return next(run for run in document.runs if run.string.strip(" \u00a0") == content)


def table_of(document: WordDocument, content: str) -> Table:
    return [table for table in document.tables if any(content in cell for row in table.cell_strings for cell in row)][
        -1
    ]


def level_at_the_left(document: WordDocument, content: str) -> float:
    """Return the indentation, plus one in a table cell."""
    paragraph = next(paragraph for paragraph in document.paragraphs if paragraph.plain_text == content)
    in_cell = any(content in cell for table in document.tables for row in table.cell_strings for cell in row)
    return paragraph.indentation + in_cell


def test_sizes_of_headings_descend_to_the_texts(specimen: WordDocument) -> None:
    headings = [paragraph for paragraph in specimen.paragraphs if paragraph.level]
    sizes = [max(run.size or 0 for run in heading.runs) for heading in headings]

    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > (run_of(specimen, "bold").size or 0)


def test_code_in_a_line_has_the_font_of_code_blocks(specimen: WordDocument) -> None:
    in_a_line, in_a_block, surrounding = (run_of(specimen, content) for content in ("code <b>", "indented", "bold"))

    assert in_a_line.font == in_a_block.font != surrounding.font


def test_text_has_one_font_and_size(specimen: WordDocument) -> None:
    paragraphs = [specimen.paragraph(content) for content in ("more of four", "Between the lists.", "What was folded.")]

    assert len({(run.font, run.size) for paragraph in paragraphs for run in paragraph.runs}) == 1


def test_nested_quotes_are_indented_further(specimen: WordDocument) -> None:
    indents = [
        level_at_the_left(specimen, content) for content in ("Between the lists.", "Quoted once.", "Quoted twice.")
    ]

    assert indents[0] < indents[1] < indents[2]


def test_callouts_are_distinguished_by_color(specimen: WordDocument) -> None:
    styles = set()
    for content in ("Take note.", "Take care:"):
        cell = table_of(specimen, content).rows[0].cells[0]
        styles.add((cell.shading, *(border.color for border in cell.borders)))

    assert len(styles) == 2


def test_code_is_highlighted(specimen: WordDocument) -> None:
    cell = table_of(specimen, "def").rows[0].cells[0]
    runs = [run for block in cell.blocks if isinstance(block, Paragraph) for run in block.runs if run.string.strip()]

    assert len({run.color for run in runs}) >= 3
    assert len({(run.font, run.size) for run in runs}) == 1


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
