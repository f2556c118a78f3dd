"""`mdpublish arrivals`: what it writes."""

import json
import re
from email import message_from_bytes, policy
from pathlib import Path

import docx
import pytest
from click.testing import CliRunner

from mdpublish_core import convert
from mdpublish_core.cli import main
from mdpublish_core.errors import MissingExtra


def written(folder: Path) -> tuple[str, list[dict[str, str]]]:
    result = CliRunner().invoke(main, ["arrivals", str(folder)])
    assert result.exit_code == 0, result.output
    page = (folder / "index.html").read_text("utf-8")
    match = re.search(r'<script type="application/json" id="data">(.*)</script>', page)
    assert match
    data = json.loads(match[1])
    assert len(data["specimens"]) == 12
    return result.output, data["places"]


@pytest.mark.needs("mmdr", "pygraphviz", "resvg_py", "weasyprint", "ziafont", "ziamath")
def test_specimens_are_written_as_files_and_to_copy(tmp_path: Path) -> None:
    _, places = written(tmp_path / "new" / "specimens")

    folder = tmp_path / "new" / "specimens"
    names = {file.name for file in folder.iterdir()}
    assert names == {"index.html", *(f"specimens.{kind}" for kind in ("docx", "eml", "html", "md", "pdf"))}
    tables = docx.Document(str(folder / "specimens.docx")).tables
    assert "South|East" in [cell.text for table in tables for row in table.rows for cell in row.cells]
    mail = message_from_bytes((folder / "specimens.eml").read_bytes(), policy=policy.default)
    assert mail["Subject"] == "Twelve specimens"
    markdown = (folder / "specimens.md").read_text("utf-8")
    assert convert(markdown, to="email", plain_text=False).notices == ()
    pasted = {each["name"]: each for each in places if "html" in each}
    assert {"google-docs", "word", "outlook", "gmail", "onenote", "slack"} <= pasted.keys()
    assert all("South|East" in each["html"] and "South|East" in each["text"] for each in pasted.values())


def test_a_file_that_cannot_be_written_is_named_and_its_place_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise MissingExtra("pdf", "weasyprint")

    monkeypatch.setattr("mdpublish_core.writers.pdf.write", refuse)

    output, places = written(tmp_path)

    assert "left out specimens.pdf: weasyprint is not installed; run: pip install" in output
    assert "pdf" not in {each["name"] for each in places}
