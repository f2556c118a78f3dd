"""Word files in LibreOffice, printed as PDF; and the table of constructs beside pandoc's files."""

import re
import subprocess
from pathlib import Path

import pytest

from mdpublish_core import DocxOptions, to_docx
from mdpublish_core.templates import THEME_MODES
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
            file.write_bytes(to_docx(MARKDOWN, DocxOptions(contents=True), template=template, theme_mode=mode))
            files.append(file)

    printed = {pdf.stem: set(re.findall(r"\w+", lines(pdf).casefold())) for pdf in save_as(PDF, files, tmp_path)}

    cells = " ".join(cell for row in ROWS[1:] for cell in row)
    words = {"report", "table", "remarkable", "finished", "footnoted", *re.findall(r"\w+", cells.casefold())}
    assert {name: lost for name, shown in printed.items() if (lost := words - shown)} == {}


def test_table_beside_pandoc_is_measured(tmp_path: Path) -> None:
    documented = docx_constructs.PAGE.read_text("utf-8").partition(docx_constructs.START)[2]

    assert documented.partition(docx_constructs.END)[0] == docx_constructs.table(tmp_path)
