"""The PDF how-to's commands make PDFs with page numbers, links, bookmarks and all of the text."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.docs.examples import blocks_of
from tests.docs.pages import ROOT
from tests.running import BIN

pytestmark = pytest.mark.browser

PARAGRAPHS = 60

REPORT = (
    "---\ntitle: Year report\n---\n\n# Year report\n\nSee [methods](#methods) and [a site](https://example.org/).\n\n"
    + "".join(f"Paragraph{number} has some words.\n\n" for number in range(PARAGRAPHS))
    + "## Methods\n\nThe end.[^1]\n\n[^1]: Footnoted.\n"
)


def printed(pdf: Path, *options: str) -> str:
    command = ["pdftotext", "-layout", *options, str(pdf), "-"]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout


def test_browser_prints_numbered_pages_with_links_and_bookmarks(tmp_path: Path) -> None:
    (tmp_path / "report.md").write_text(REPORT, "utf-8")
    (block,) = (each for each in blocks_of(ROOT / "docs/how-to/make-a-pdf.md") if each.session == "browser")
    path = os.pathsep.join((str(BIN), str(ROOT / "tests/docs/programs"), os.environ["PATH"]))

    subprocess.run(
        ["/bin/sh", "-ec", block.code],
        cwd=tmp_path,
        env={**os.environ, "PATH": path},
        check=True,
        capture_output=True,
        timeout=120,
    )

    pdf = tmp_path / "report.pdf"
    content = pdf.read_bytes()
    pages = [page for page in printed(pdf).split("\f") if page]
    assert len(pages) >= 2
    # Spaces of a small size are lost to pdftotext.
    numbers = ["".join(page.rstrip().splitlines()[-1].split()) for page in pages]
    assert numbers == [f"{number}/{len(pages)}" for number in range(1, len(pages) + 1)]
    words = set(printed(pdf).split())
    assert {f"Paragraph{number}" for number in range(PARAGRAPHS)} | {"Footnoted."} <= words
    assert b"/URI (https://example.org/)" in content
    assert re.search(rb"/Dest /?md-methods", content)
    assert b"/Outlines" in content
    assert b"Year report" in content
