"""PDFs beside those that Chromium prints of the same page, and those that pandoc makes with WeasyPrint."""

import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import pypandoc  # type: ignore[import-untyped]  # it has no types, and one function is called
from pypdf import PdfReader

from mdpublish_core import PageOptions, convert

SPECIMEN = Path(__file__).parents[1] / "tests/browser/specimen.md"
TEMPLATES = ("swiss", "paper", "executive", "tufte", "newspaper", "cheatsheet")
REPETITIONS = 8
"""Of the specimen, so that starting a program is not all that is measured."""

PAPER = "<style>@page { size: A4; margin: 20mm }</style></head>"

# Prints the seconds and the memory of the largest process in KB.
_MEASURE = """
import resource, subprocess, sys, time
began = time.monotonic()
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
print(time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


@dataclass(frozen=True, slots=True)
class Printed:
    """A PDF, and what it took."""

    words: frozenset[str]
    pages: int
    size: int
    seconds: float
    megabytes: float

    @property
    def figures(self) -> str:
        each = self.pages
        return (
            f"{self.pages} | {1_000 * self.seconds / each:.0f} | {self.megabytes:.0f} | {self.size / each / 1_000:.1f}"
        )


def print_pdfs() -> None:
    """Print a table: pages, milliseconds and kilobytes a page, and the words that one PDF has and another has not."""
    markdown = "\n\n".join([SPECIMEN.read_text("utf-8")] * REPETITIONS)
    print(
        "| template | program | pages | ms/page | MB | KB/page | words that ours lacks |\n|---|---|--:|--:|--:|--:|--:|"
    )
    for template in TEMPLATES:
        with tempfile.TemporaryDirectory() as folder:
            ours = _ours(Path(folder), markdown, template)
            print(f"| {template} | mdpublish | {ours.figures} | |")
            theirs = [("Chromium", _chromium(Path(folder), markdown, template))]
            if template == TEMPLATES[0]:
                theirs.append(("pandoc", _pandoc(Path(folder))))
            for name, printed in theirs:
                print(f"| | {name} | {printed.figures} | {len(printed.words - ours.words)} |", flush=True)


def _ours(folder: Path, markdown: str, template: str) -> Printed:
    (folder / "a.md").write_text(markdown, "utf-8")
    command = [sys.executable, "-m", "mdpublish_core", "convert", "a.md", "-o", "ours.pdf", "--template", template]
    return _measured(folder, "ours.pdf", command)


def _chromium(folder: Path, markdown: str, template: str) -> Printed:
    page = convert(markdown, to="page", template=template, options=PageOptions(page_width="full")).html
    (folder / "a.html").write_text(page.replace("</head>", PAPER), "utf-8")
    options = ("--headless", "--no-sandbox", "--no-pdf-header-footer", "--generate-pdf-document-outline")
    return _measured(folder, "b.pdf", ["chromium", *options, "--print-to-pdf=b.pdf", "a.html"])


def _pandoc(folder: Path) -> Printed:
    engine = str(Path(sys.executable).with_name("weasyprint"))
    command = [pypandoc.get_pandoc_path(), "-f", "gfm", "a.md", "-o", "c.pdf", f"--pdf-engine={engine}"]
    return _measured(folder, "c.pdf", command)


def _measured(folder: Path, name: str, command: Sequence[str]) -> Printed:
    run = subprocess.run(
        [sys.executable, "-c", _MEASURE, *command], cwd=folder, check=True, capture_output=True, text=True
    )
    seconds, kilobytes = map(float, run.stdout.split())
    content = (folder / name).read_bytes()
    reader = PdfReader(BytesIO(content))
    words = frozenset(re.findall(r"[a-z]{3,}", " ".join(page.extract_text() for page in reader.pages).lower()))
    return Printed(words, len(reader.pages), len(content), seconds, kilobytes / 1_000)
