"""Word files of hostile and strange texts: valid, bounded, and with all of the text."""

from pathlib import Path

import pytest
from hypothesis import example, given, settings

from mdpublish_core import convert, list_templates, nodes, parse, render
from mdpublish_core.errors import InvalidArgument
from mdpublish_core.templates import THEME_MODES
from mdpublish_core.testing import documents, hostile_text
from mdpublish_core.writers.docx.renderer import DocxRenderer
from mdpublish_core.writers.renderer import BLOCK_METHODS, INLINE_METHODS
from tests.cases.case_files import case_files, cases_of
from tests.core.docx.word_files import invalid, opened, visible

SPECIMEN = (Path(__file__).parents[2] / "browser/specimen.md").read_text("utf-8")


def test_there_is_a_method_for_each_class_of_nodes() -> None:
    assert set(DocxRenderer.block_methods) == set(BLOCK_METHODS)
    assert set(DocxRenderer.inline_methods) == set(INLINE_METHODS)


@pytest.mark.corpora
def test_all_cases_are_valid(tmp_path: Path) -> None:
    problems = {
        path.stem: errors
        for path in case_files()
        if (
            errors := invalid(
                convert("\n\n".join(case.markdown for case in cases_of(path)), to="docx").to_bytes(), tmp_path
            )
        )
    }

    assert problems == {}


@pytest.mark.nightly
def test_all_templates_are_valid(tmp_path: Path) -> None:
    problems = {
        (template.id, mode): errors
        for template in list_templates()
        for mode in THEME_MODES
        if (errors := invalid(convert(SPECIMEN, to="docx", template=template, theme_mode=mode).to_bytes(), tmp_path))
    }

    assert problems == {}


@pytest.mark.corpora
@given(hostile_text() | documents())
@example("\x01\x0b\ufffe\uffff`\x02`[\x03](https://e.org/\x04 '\x05')![\x06](a)")
@example("<table><tr></tr></table>")
@example("<table><tr><td rowspan=3>a<td colspan=200>b</table>")
@example("|a|\n|-|\n|b|\n" * 2)
@example("- \n- - - a\n\n1. # b")
@example("> > > [!NOTE]\n> > > - | a |\n> > >   |---|")
@settings(max_examples=12)
def test_any_document_is_a_valid_file(tmp_path_factory: pytest.TempPathFactory, document: str | nodes.Document) -> None:
    content = render(parse(document) if isinstance(document, str) else document, to="docx").to_bytes()

    assert invalid(content, tmp_path_factory.getbasetemp()) == []
    opened(content)


def test_nesting_past_what_word_opens_keeps_the_text(tmp_path: Path) -> None:
    content = convert(
        "\n".join(f"{'> ' * depth}- level{depth}\n{'> ' * depth}" for depth in range(1, 40)), to="docx"
    ).to_bytes()

    assert all(f"level{depth}" in visible(content) for depth in range(1, 40))
    assert invalid(content, tmp_path) == []


def test_table_with_more_columns_than_word_has_keeps_its_text(tmp_path: Path) -> None:
    row = "|".join(f"cell{number}" for number in range(90))
    content = convert(f"|{row}|\n|{'-|' * 90}\n|{row}|", to="docx").to_bytes()

    assert all(f"cell{number}" in visible(content) for number in range(90))
    assert invalid(content, tmp_path) == []


def test_tree_built_by_hand_is_written() -> None:
    item = nodes.ListItem([nodes.Paragraph([nodes.RawText("item")])])
    document = nodes.Document([nodes.List([item]), nodes.HtmlBlock("<b>")])

    assert [paragraph.text for paragraph in opened(render(document, to="docx").to_bytes()).paragraphs] == [
        "item",
        "<b>",
    ]


def test_tree_with_nodes_in_wrong_places_is_refused() -> None:
    row = nodes.TableRow([nodes.TableCell([nodes.RawText("cell")])])

    with pytest.raises(InvalidArgument, match="children must be blocks"):
        nodes.Document([row])


def test_raw_html_of_trusted_authors_is_text() -> None:
    assert parse("<b>a</b>", raw_html="keep").trusted
    assert (
        opened(convert("<b>a</b>\n\nb <i>c</i>", to="docx", raw_html="keep").to_bytes()).paragraphs[1].text
        == "b <i>c</i>"
    )
