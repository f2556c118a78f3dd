"""Word files in LibreOffice, printed as PDF; and the table of constructs beside pandoc's files."""

import re
import subprocess
from pathlib import Path

import pytest

from mdpublish_core import DocxOptions, convert
from mdpublish_core.templates import THEME_MODES
from tests.core.docx.word_files import invalid, pandoc_reads
from tests.interop import docx_constructs
from tests.interop.libreoffice import FileFormat, save_as
from tests.interop.test_word_tables import COLUMNS, ROWS, table_of

pytestmark = pytest.mark.interop

PDF = FileFormat("pdf", "writer_pdf_Export")

TEMPLATES = ("swiss", "executive", "github", "dracula", "letterpress", "manuscript")

MARKDOWN = f"""\
# Report

See [the table](#table).[^1]

> [!NOTE]
> Remarkable.

- [x] Finished

עברית בשורה.

## Table

{table_of(max(COLUMNS))}

[^1]: Footnoted.
"""


def lines(pdf: Path) -> str:
    command = ["pdftotext", "-layout", str(pdf), "-"]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout


def test_libreoffice_prints_the_whole_document_in_all_of_six_templates(tmp_path: Path) -> None:
    files = []
    for template in TEMPLATES:
        for mode in THEME_MODES:
            file = tmp_path / f"{template}-{mode}.docx"
            file.write_bytes(
                convert(
                    MARKDOWN, to="docx", options=DocxOptions(toc=True), template=template, theme_mode=mode
                ).to_bytes()
            )
            files.append(file)

    printed = {pdf.stem: set(re.findall(r"\w+", lines(pdf).casefold())) for pdf in save_as(PDF, files, tmp_path)}

    cells = " ".join(cell for row in ROWS[1:] for cell in row)
    words = {"report", "table", "remarkable", "finished", "footnoted", *re.findall(r"\w+", cells.casefold())}
    assert {name: lost for name, shown in printed.items() if (lost := words - shown)} == {}


DOCUMENTS = Path(__file__).parent / "word_documents"
"""Lists in callouts, tables with code, footnotes of several blocks, right-to-left text, nesting, control characters."""


def test_libreoffice_prints_embedded_fonts(tmp_path: Path) -> None:
    file = tmp_path / "fonts.docx"
    options = DocxOptions(embed_fonts=True)
    file.write_bytes(convert("# Title\n\nText, **bold**", to="docx", template="poster", options=options).to_bytes())

    (pdf,) = save_as(PDF, [file], tmp_path)

    command = ["pdffonts", str(pdf)]
    listed = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout
    assert set(re.findall(r"\+(\w+)-\w+", listed)) == {"Anton", "LibreFranklin"}


def test_libreoffice_numbers_captions_and_sets_dates_at_the_edge(tmp_path: Path) -> None:
    captioned, dated = tmp_path / "captions.docx", tmp_path / "dates.docx"
    table = "<table><caption>{}</caption><tr><td>a</td></tr></table>\n\n"
    captioned.write_bytes(convert(table.format("One") + table.format("Two"), to="docx", template="thesis").to_bytes())
    dated.write_bytes(convert("### Port *2021*\n\n### A longer name *2015*", to="docx", template="resume").to_bytes())

    captions, dates = map(lines, save_as(PDF, [captioned, dated], tmp_path))

    assert re.findall("Table .*", captions) == ["Table 1. One", "Table 2. Two"]
    ends = [len(line) for line in dates.splitlines() if re.search(r"  20\d\d$", line)]
    assert len(ends) == 2
    assert max(ends) - min(ends) <= 2


_NOT_TEXT = re.compile(r"https?://\S+|mailto:\S+|\S+\.(?:md|png|html)\S*|data:\S+|\\\S+")
_FORMULA = re.compile(r"\$\$.*?\$\$|\$[^$\n]*\$|```math.*?```", re.DOTALL)
_ALT_TEXT = re.compile(r"!\[([^\]]*)\]|alt='?([^'> ]*)")


def words_to_print(markdown: str) -> set[str]:
    """Return the words of the plain text, without URLs and alternative texts, for which Word shows links and images.

    Formulas are tested elsewhere: LibreOffice shows them only with its package Math.
    """
    markdown = _FORMULA.sub("", markdown)
    alt_texts = {
        word for alt in _ALT_TEXT.findall(markdown) for word in re.findall("[a-z]{4,}", "".join(alt).casefold())
    }
    plain = _NOT_TEXT.sub("", convert(markdown, to="plain-text").text)
    return set(re.findall(r"\b[a-z]{4,40}\b", plain.casefold())) - alt_texts


def test_signs_and_words_in_formulas_are_no_commands_in_libreoffice(tmp_path: Path) -> None:
    formulas = ("|x|", "P(A|B)", r"\#A", r"A \& B", "V_{in}", "x_{left}", r"\mathrm{div}A", "]0,1[")
    file = tmp_path / "formulas.docx"
    file.write_bytes(convert("\n\n".join(f"${formula}$" for formula in formulas), to="docx").to_bytes())

    (pdf,) = save_as(PDF, [file], tmp_path)

    assert "".join(lines(pdf).split())[:-1] == "|x|P(A|B)#AA&BVinxleftdivA]0,1["


def test_difficult_documents_lose_no_word_in_libreoffice_and_pandoc(tmp_path: Path) -> None:
    documents = {path.stem: path.read_bytes().decode() for path in sorted(DOCUMENTS.glob("*.md"))}
    contents = {name: convert(markdown, to="docx").to_bytes() for name, markdown in documents.items()}
    files = [tmp_path / f"{name}.docx" for name in documents]
    for file in files:
        file.write_bytes(contents[file.stem])

    # A word may be divided between lines.
    printed = {pdf.stem: "".join(lines(pdf).casefold().split()) for pdf in save_as(PDF, files, tmp_path)}
    problems = {}
    for name, markdown in documents.items():
        read = "".join(pandoc_reads(contents[name], tmp_path, "html").casefold().split())
        lost = {word for word in words_to_print(markdown) if word not in printed[name] or word not in read}
        if errors := [*sorted(lost), *invalid(contents[name], tmp_path)]:
            problems[name] = errors

    assert len(documents) == 27
    assert problems == {}


def test_table_beside_pandoc_is_measured(tmp_path: Path) -> None:
    documented = docx_constructs.PAGE.read_text("utf-8").partition(docx_constructs.START)[2]

    assert documented.partition(docx_constructs.END)[0] == docx_constructs.table(tmp_path)
