"""Law: what is edited in a Word file that LibreOffice saves is read, and merged into its source, or a notice names it."""

from itertools import count, islice
from pathlib import Path

import pytest

from tests.edit_accounts import edited, losses
from tests.edited_documents import case_of
from tests.interop.libreoffice import FileFormat, save_as

pytestmark = pytest.mark.interop

CASES = 12


def test_edits_of_files_saved_by_libreoffice_are_accounted_for(tmp_path: Path) -> None:
    words = (case for number in count() if (case := case_of(f"LibreOffice {number}")).output == "docx")
    cases = {tmp_path / f"{number}.docx": case for number, case in enumerate(islice(words, CASES))}
    for path, case in cases.items():
        document = edited(case)
        assert isinstance(document, bytes)
        path.write_bytes(document)
    (tmp_path / "saved").mkdir()

    saved = save_as(FileFormat("docx", "MS Word 2007 XML"), list(cases), tmp_path / "saved")

    lost = {path.name: list(losses(case, path.read_bytes())) for path, case in zip(saved, cases.values(), strict=True)}
    assert {name: each for name, each in lost.items() if each} == {}
