"""Word files edited by python-docx, and saved once more by LibreOffice, merge into the lines of their source."""

from collections.abc import Callable, Mapping
from copy import deepcopy
from io import BytesIO
from pathlib import Path
from typing import Any

import docx
import pytest
from docx.text.paragraph import Paragraph
from docx.text.run import Run

from mdpublish_core import Converter, convert, read_file
from mdpublish_core.merging import merge
from tests.interop.libreoffice import FileFormat, save_as

pytestmark = pytest.mark.interop

SOURCE = Path(__file__).with_name("merge_specimen.md").read_text("utf-8")
LAST = "We expect a calm summer. ~~No~~ Some risks remain, ==watch them==.\n"

_WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"

Edit = Callable[[Any], None]


def paragraph(document: Any, plain_text: str) -> Paragraph:
    """Return the first paragraph with a text, those in tables included."""
    paragraphs = (Paragraph(each, document) for each in document.element.body.iter(f"{_WORD}p"))
    return next(each for each in paragraphs if plain_text in each.text)


def _remove(element: Any) -> None:
    element.getparent().remove(element)


def word(old: str, new: str) -> Edit:
    def edit(document: Any) -> None:
        runs: Any = paragraph(document, old)._p.iter(f"{_WORD}t")
        run = next(each for each in runs if old in each.text)
        run.text = run.text.replace(old, new)

    return edit


def copied(beside: str, plain_text: str) -> Edit:
    """Add a paragraph as another one, below it."""

    def edit(document: Any) -> None:
        original = paragraph(document, beside)
        copy = Paragraph(deepcopy(original._p), original._parent)
        original._p.addnext(copy._p)
        for run in copy.runs[1:]:
            _remove(run._r)
        copy.runs[0].text = plain_text

    return edit


def deleted(plain_text: str) -> Edit:
    def edit(document: Any) -> None:
        element = paragraph(document, plain_text)._p
        _remove(element)

    return edit


def inserted(before: str, plain_text: str, style: str | None = None) -> Edit:
    def edit(document: Any) -> None:
        place = paragraph(document, before)
        place.insert_paragraph_before(plain_text, style=document.styles[style] if style else place.style)

    return edit


def table(document: Any) -> Any:
    return next(each for each in document.tables if each.cell(0, 0).text == "Region")


def add_row(document: Any) -> None:
    row = table(document).rows[2]
    copy = deepcopy(row._tr)
    row._tr.addprevious(copy)
    for cell, plain_text in zip(table(document).rows[2].cells, ("West", "90", "7 %"), strict=True):
        cell.paragraphs[0].runs[0].text = plain_text


def delete_row(document: Any) -> None:
    row = table(document).rows[2]._tr
    _remove(row)


def make_bold(document: Any) -> None:
    first = paragraph(document, "calm summer").runs[0]
    first.text = "We expect a "
    for plain_text, is_bold in ((" summer. ", None), ("calm", True)):
        copy = Run(deepcopy(first._r), first._parent)
        copy.text, copy.bold = plain_text, is_bold
        first._r.addnext(copy._r)


def raise_level(document: Any) -> None:
    paragraph(document, "Outlook").style = document.styles["Heading 2"]


def move(document: Any) -> None:
    paragraph(document, "Outlook")._p.addprevious(paragraph(document, "The last words")._p)


CHANGES: Mapping[str, tuple[Edit, str, str]] = {
    "word between marks": (word("good", "excellent"), "__good__", "__excellent__"),
    "text of a link": (word("customers", "buyers"), "[customers]", "[buyers]"),
    "word behind a formula": (word("as always", "as ever"), "as always", "as ever"),
    "underlined heading": (word("Numbers", "Figures"), "Numbers\n", "Figures\n"),
    "cell": (word("700", "710"), "|700|", "|710|"),
    "new row": (add_row, "South|", "| West   |    90 |  7 %  |\nSouth|"),
    "deleted row": (delete_row, "South|500|42 %\n", ""),
    "item": (word("Lisbon", "Porto"), "Lisbon", "Porto"),
    "new item": (copied("Berlin", "Rome"), "    * Lisbon", "    * Rome\n    * Lisbon"),
    "new item above": (copied("Write the plan", "Buy chairs"), "the plan\n", "the plan\n* Buy chairs\n"),
    "deleted item": (deleted("Review"), "2) Review\n", ""),
    "quote": (word("simply", "just"), "simply", "just"),
    "callout": (word("May", "June"), "May", "June"),
    "new task": (copied("Pay the rent", "Feed the cat"), "the rent\n", "the rent\n- [x] Feed the cat\n"),
    "code": (word("price, cost", "amount, cost"), "price, cost", "amount, cost"),
    "bold word": (make_bold, "calm", "**calm**"),
    "level of a heading": (raise_level, "### Outlook ###", "## Outlook ###"),
    "new heading": (inserted("calm summer", "Risks", "Heading 3"), LAST, f"### Risks\n\n{LAST}"),
    "new paragraph": (inserted("The last words", "One more."), "The last", "One more.\n\nThe last"),
    "deleted paragraph": (deleted("calm summer"), f"{LAST}\n", ""),
    "moved paragraph": (
        move,
        f"### Outlook ###\n\n{LAST}\n***\n\nThe last words.\n",
        f"The last words.\n\n### Outlook ###\n\n{LAST}\n***\n",
    ),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Edited files and, in `saved`, what LibreOffice makes of them."""
    folder = tmp_path_factory.mktemp("merging")
    sent = convert(SOURCE, to="docx").content
    assert isinstance(sent, bytes)
    files = []
    for name, (edit, _, _) in CHANGES.items():
        document = docx.Document(BytesIO(sent))
        edit(document)
        files.append(folder / f"{name}.docx")
        document.save(str(files[-1]))
    (folder / "saved").mkdir()
    save_as(FileFormat("docx", "MS Word 2007 XML"), files, folder / "saved")
    return folder


@pytest.mark.parametrize("place", ["", "saved"])
@pytest.mark.parametrize("name", CHANGES)
def test_only_what_was_edited_changes(folder: Path, name: str, place: str) -> None:
    _, old, new = CHANGES[name]
    edited = read_file((folder / place / f"{name}.docx").read_bytes(), ".docx")

    result = merge(SOURCE, edited, Converter(to="docx"))

    assert old in SOURCE
    assert result.markdown == SOURCE.replace(old, new)
    assert {notice.code for notice in result.notices} <= {"merge-kept"}  # this LibreOffice may know no formulas


def test_conflict_is_only_where_both_sides_changed(folder: Path) -> None:
    ours = SOURCE.replace("Lisbon", "Madrid").replace("Berlin", "Vienna").replace("700", "750")
    edited = read_file((folder / "item.docx").read_bytes(), ".docx")

    result = merge(SOURCE, edited, Converter(to="docx"), ours=ours)

    assert result.conflicts == 1
    assert result.markdown == ours.replace(
        "    * Madrid\n", "<<<<<<< ours\n    * Madrid\n=======\n    * Porto\n>>>>>>> edited\n"
    )
