"""Tables too wide for upright paper are on pages of their own in landscape."""

from pathlib import Path

import pytest

from mdpublish_core import DocxOptions, convert, list_templates
from mdpublish_core.errors import InvalidArgument
from tests.core.docx.reference_documents import annual_report, german_letterhead
from tests.core.docx.word_files import NAMES, WordParts, invalid, opened

_W = f"{{{NAMES['w']}}}"


def wide(columns: int = 9, word: str = "a cell with a few more words than fit") -> str:
    return "\n".join("|" + f"{content}|" * columns for content in (word, "-", word)) + "\n\n"


def sections(markdown: str, options: DocxOptions | None = None, template: str = "swiss") -> list[tuple[str, list[str]]]:
    """Return the orientation of each section, and what it has."""
    body = WordParts(convert(markdown, to="docx", options=options, template=template).to_bytes()).find("//w:body")[0]
    result: list[tuple[str, list[str]]] = []
    content: list[str] = []
    for block in body:
        shown = "".join(map(str, block.itertext()))
        content += ["table"] if block.tag == f"{_W}tbl" else [shown] if shown else []
        size = block.find(f".//{_W}pgSz")
        if size is not None:
            result.append((str(size.get(f"{_W}orient", "portrait")), content))
            content = []
    assert content == []
    return result


@pytest.mark.parametrize(
    ("markdown", "expected"),
    [
        (
            "Before\n\n" + wide() + "After",
            [("portrait", ["Before"]), ("landscape", ["table"]), ("portrait", ["After"])],
        ),
        (wide() + "After", [("landscape", ["table"]), ("portrait", ["After"])]),
        ("Before\n\n" + wide(), [("portrait", ["Before"]), ("landscape", ["table"])]),
        (wide(), [("landscape", ["table"])]),
        (wide(8), [("portrait", ["table"])]),
        (wide(9, "1,234"), [("portrait", ["table"])]),
        (wide() + "## Next\n\n" + wide(), [("landscape", ["table", "Next", "table"])]),
        (wide() + wide() + wide(), [("landscape", ["table"] * 3)]),
        ("a\n\n# B\n\n## C\n\n" + wide(), [("portrait", ["a"]), ("landscape", ["B", "C", "table"])]),
        (wide(2) + "# B\n\n" + wide(), [("portrait", ["table"]), ("landscape", ["B", "table"])]),
        (wide(2) + wide() + wide(2), [("portrait", ["table"]), ("landscape", ["table"]), ("portrait", ["table"])]),
        (wide(8, "responsibilities"), [("landscape", ["table"])]),
        ("- a\n\n  " + wide().replace("\n", "\n  "), [("portrait", ["a", "table"])]),
        (wide(30, "several words"), [("portrait", ["table"])]),
    ],
)
def test_wide_table_is_in_landscape_with_its_headings(
    markdown: str, expected: list[tuple[str, list[str]]], tmp_path: Path
) -> None:
    assert sections(markdown) == expected
    assert invalid(convert(markdown, to="docx").to_bytes(), tmp_path) == []


def test_table_is_as_wide_as_its_page() -> None:
    word = WordParts(convert(wide(9, "sentences of more words than three lines hold"), to="docx").to_bytes())

    width = sum(int(each.get(f"{_W}w", "0")) for each in word.find("//w:gridCol"))
    assert 11_906 - 2_880 < width <= 16_838 - 2_880


def test_table_stays_where_it_is_if_the_author_wants_that() -> None:
    assert [name for name, _ in sections(wide(), DocxOptions(landscape="never"))] == ["portrait"]


def test_other_choice_is_refused() -> None:
    with pytest.raises(InvalidArgument, match=r"landscape of DocxOptions must be one of auto, never \(got 'always'\)"):
        convert("", to="docx", options=DocxOptions(landscape="always"))  # type: ignore[arg-type]


def test_page_number_is_on_all_pages() -> None:
    word = WordParts(convert("Before\n\n" + wide() + "After", to="docx").to_bytes())

    assert len(word.find("//w:sectPr/w:footerReference")) == 3
    assert len(word.find("//w:sectPr")) == 3


def test_pages_of_a_reference_document_are_turned(tmp_path: Path) -> None:
    content = convert(
        "Before\n\n" + wide() + "After", to="docx", options=DocxOptions(reference_doc=german_letterhead())
    ).to_bytes()

    first, second, third = opened(content).sections
    assert (first.page_width, first.page_height) == (second.page_height, second.page_width)
    assert [each.header.paragraphs[0].text for each in (first, second, third)] == ["Muster GmbH"] * 3
    assert invalid(content, tmp_path) == []


def test_first_page_and_page_numbers_are_of_the_first_section_alone() -> None:
    section = "//w:sectPr[w:titlePg or w:pgNumType]"
    content = convert("a\n\n" + wide(), to="docx", options=DocxOptions(reference_doc=annual_report())).to_bytes()

    assert len(WordParts(content).find(section)) == 1
    # It is in landscape already.
    assert len(opened(content).sections) == 1


@pytest.mark.corpora
def test_no_type_of_a_table_is_smaller_than_8_points() -> None:
    sizes = {
        each.id: min(
            map(
                int,
                WordParts(convert(wide(columns, "several words"), to="docx", template=each.id).to_bytes()).values(
                    "//w:tbl//w:sz"
                )
                or ["16"],
            )
        )
        for each in list_templates()
        for columns in (6, 20)
    }

    assert {name: size for name, size in sizes.items() if size < 16} == {}
