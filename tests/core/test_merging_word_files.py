"""Pictures, formulas and comments of a Word file are known when it comes back, moved or not."""

from base64 import b64encode
from collections.abc import Callable
from copy import deepcopy
from io import BytesIO
from typing import Any

import docx
import pytest

from mdpublish_core import Converter, read_file
from mdpublish_core.importing import Imported
from mdpublish_core.merging import Merged, merge

TO_WORD = Converter(to="docx")

_WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_FORMULA = "{http://schemas.openxmlformats.org/officeDocument/2006/math}oMath"
_PROPERTIES = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}docPr"


def image_url(number: int) -> str:
    """Return the data URL of a picture that no other number has."""
    content = bytes.fromhex(f"47494638396101000100000000002c0000000001000100000200{number:02x}3b")
    return f"data:image/gif;base64,{b64encode(content).decode()}"


DIAGRAM = "```mermaid\nflowchart LR\n  A --> B\n```\n"
FIRST = f"# First\n\n![]({image_url(1)})\n\nA ![plan]({image_url(2)}) of it.\n"
SECOND = f"# Second\n\n{DIAGRAM}\nSee ![plan]({image_url(3)}) and $a^2$.[^1]\n\n$$\nE = mc^2\n$$\n"
NOTE = "[^1]: Of *Ada*.\n"
SOURCE = f"{FIRST}\n{SECOND}\n{NOTE}"

Edit = Callable[[Any], None]


def edited(edit: Edit, source: str = SOURCE, *, comments: bool = False) -> Imported:
    document = docx.Document(BytesIO(TO_WORD.convert(source).to_bytes()))
    edit(document)
    file = BytesIO()
    document.save(file)
    return read_file(file.getvalue(), ".docx", comments=comments)


def merged(edit: Edit, source: str = SOURCE) -> Merged:
    return merge(source, edited(edit, source), TO_WORD)


def body(document: Any) -> list[Any]:
    return [each for each in document.element.body if each.tag != f"{_WORD}sectPr"]


def messages(result: Merged) -> list[str]:
    return [notice.message for notice in result.notices]


def test_section_that_moved_has_the_sources_of_its_figures_and_images() -> None:
    def move(document: Any) -> None:
        blocks = body(document)
        for block in blocks[3:]:
            blocks[0].addprevious(block)

    assert merged(move) == Merged(f"{SECOND}\n{FIRST}\n{NOTE}", 0, ())


def test_paragraph_that_moved_and_was_edited_is_the_same_one() -> None:
    source = "One line of words.\n\n---\n\nAnother line, with a half, $\\dfrac12$, of words.\n\nLast line.\n"

    def move(document: Any) -> None:
        blocks = body(document)
        blocks[0].addprevious(blocks[2])
        run = next(each for each in blocks[2].iter(f"{_WORD}t") if "Another" in each.text)
        run.text = run.text.replace("Another", "Other")

    assert merged(move, source).markdown.startswith("Other line, with a half, $\\dfrac12$, of words.\n")


def test_copies_are_of_the_sources() -> None:
    def copy(document: Any) -> None:
        blocks = body(document)
        blocks[0].addprevious(deepcopy(blocks[4]))
        blocks[0].addprevious(deepcopy(blocks[2]))

    assert merged(copy).markdown == f"{DIAGRAM}\nA ![plan]({image_url(2)}) of it.\n\n{SOURCE}"


def test_alternative_texts_are_edited_in_the_source() -> None:
    def describe(document: Any) -> None:
        for number, properties in enumerate(document.element.body.iter(_PROPERTIES)):
            properties.set("descr", f"number {number}")

    result = merged(describe)

    assert result.markdown == SOURCE.replace("![]", "![number 0]").replace("![plan]", "![number 1]", 1).replace(
        "![plan]", "![number 3]"
    )
    assert messages(result) == [
        "a figure stays as the source has it: its alternative text is made of that, not 'number 2'"
    ]


def test_images_that_are_stored_again_are_those_of_the_source() -> None:
    def store(document: Any) -> None:
        for part in document.part.package.iter_parts():
            if part.content_type == "image/gif":
                part._blob = part.blob.replace(b"\x02\x00", b"\x02\x01")

    result = merged(store)

    assert result.markdown == SOURCE
    assert messages(result) == [
        "an image without alternative text has another content than was sent; the source's stays",
        "the image 'plan' has another content than was sent; the source's stays",
        "the image 'plan' has another content than was sent; the source's stays",
    ]


def _formulas(document: Any) -> list[Any]:
    return list(document.element.body.iter(_FORMULA))


def _delete(element: Any) -> None:
    parent = element.getparent()
    parent.remove(element)
    if parent.tag.endswith("}oMathPara"):
        _delete(parent)


def test_formula_that_a_program_lost_stays() -> None:
    def lose(document: Any) -> None:
        for formula in _formulas(document):
            _delete(formula)

    result = merged(lose)

    assert result.markdown == SOURCE
    assert messages(result) == ["2 of the formulas were lost by the editing program; those of the source stay"]


def test_formula_that_was_deleted_with_its_bookmark_is_deleted() -> None:
    def delete(document: Any) -> None:
        for formula in _formulas(document):
            bookmark = formula.xpath(
                "preceding::w:bookmarkStart[starts-with(@w:name, '_formula')][1]", namespaces={"w": _WORD[1:-1]}
            )[0]
            _delete(bookmark)
            _delete(formula)

    result = merged(delete)

    assert result == Merged(SOURCE.replace(" and $a^2$.", " and .").replace("\n$$\nE = mc^2\n$$\n", ""), 0, ())


@pytest.mark.parametrize("number", [1, 2])
def test_one_formula_is_deleted_and_another_lost(number: int) -> None:
    source = "Of $x$ and $y$.\n"

    def change(document: Any) -> None:
        for formula in _formulas(document):
            _delete(formula)
        bookmarks = document.element.body.iter(f"{_WORD}bookmarkStart")
        _delete(next(each for each in bookmarks if each.get(f"{_WORD}name") == f"_formula{number}"))

    assert merged(change, source).markdown == source.replace("$x$" if number == 1 else "$y$", "").replace("  ", " ")


def test_comments_are_listed() -> None:
    def comment(document: Any) -> None:
        paragraph = document.paragraphs[2]
        document.add_comment(paragraph.runs, text="Which plan?", author="Ann")

    result = merged(comment)

    assert (result.markdown, result.is_incomplete) == (SOURCE, False)
    assert messages(result) == ["a comment of Ann on 'A  of it.': Which plan?"]


def test_comments_are_beside_their_block_on_request() -> None:
    source = "Title\n=====\n\n* one\n* two words\n\na|b\n-|-\nc|d\n\nLast __one__.\n"

    def comment(document: Any) -> None:
        for paragraph in (*document.paragraphs[:3], document.tables[0].cell(1, 0).paragraphs[0]):
            document.add_comment(paragraph.runs, text=f"About {paragraph.text.strip()} | all", author="Ann")

    result = merge(source, edited(comment, source, comments=True), TO_WORD)

    assert result.markdown.startswith(
        "Title <!-- Ann on 'Title': About Title | all -->\n"
        "================================================\n\n"
        "* one <!-- Ann on 'one': About one | all -->\n"
        "* two words <!-- Ann on 'two words': About two words | all -->\n\n"
        "a|b\n-|-\n"
    )
    assert "c <!-- Ann on 'c': About c \\| all --> |" in result.markdown
    assert result.markdown.endswith("\n\nLast __one__.\n")
    assert result.notices == ()


def test_comment_on_a_figure_is_named() -> None:
    def comment(document: Any) -> None:
        document.add_comment(document.paragraphs[0].runs, text="Which?", author="Ann")

    result = merge(DIAGRAM, edited(comment, DIAGRAM, comments=True), TO_WORD)

    assert result.markdown == DIAGRAM
    assert messages(result) == ["a comment has no place beside a figure or formula: Ann: Which?"]


def test_sign_in_the_middle_of_a_cell_is_replaced() -> None:
    source = "| Task | Done |\n| ---- | :--: |\n| Build | ✅ |\n"

    def replace(document: Any) -> None:
        document.tables[0].cell(1, 1).paragraphs[0].runs[0].text = "❌"

    assert merged(replace, source).markdown == source.replace("✅", "❌")
