"""PDFs beside those that Chromium prints of the same page, and those of md-to-pdf and of pandoc with the engines that are installed."""

import json
import re
import shutil
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
from tests.npm_programs import Program

SPECIMEN = Path(__file__).parents[1] / "tests/browser/specimen.md"
TEMPLATES = (
    *("swiss", "paper", "executive", "tufte", "newspaper", "cheatsheet"),
    *("github", "journal", "slide", "large-print", "dyslexia-friendly", "meeting-notes"),
)
ENGINES = ("weasyprint", "wkhtmltopdf", "groff", "typst", "tectonic", "xelatex")
"""Of pandoc, each used if it is installed."""

MD_TO_PDF = Program("md-to-pdf", "5.2.5", "dist/cli.js", "2026-10-01")

REPETITIONS = 8
"""Of the specimen, so that starting a program is not all that is measured."""

PAPER = "<style>@page { size: A4; margin: 20mm }</style></head>"

# Prints the CPU seconds of all processes, and the memory of the largest in KB.
_MEASURE = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
print(usage.ru_utime + usage.ru_stime, usage.ru_maxrss)
"""


@dataclass(frozen=True, slots=True)
class Printed:
    """A PDF, and what it took."""

    words: frozenset[str]
    characters: str
    """Without white space, which readers of PDFs guess from gaps."""
    pages: int
    size: int
    seconds: float
    megabytes: float
    features: str

    @property
    def figures(self) -> str:
        each = self.pages
        return (
            f"{self.pages} | {1_000 * self.seconds / each:.0f} | {self.megabytes:.0f} | {self.size / each / 1_000:.1f}"
        )


def print_pdfs() -> None:
    """Print a table: pages, milliseconds of CPU time and kilobytes a page, and the words that one PDF has and another has not."""
    markdown = "\n\n".join([SPECIMEN.read_text("utf-8")] * REPETITIONS)
    print(
        "| template | program | pages | CPU ms/page | MB | KB/page | words that ours lacks | the file has |\n"
        "|---|---|--:|--:|--:|--:|--:|---|"
    )
    for template in TEMPLATES:
        with tempfile.TemporaryDirectory() as folder:
            ours = _ours(Path(folder), markdown, template)
            print(f"| {template} | mdpublish | {ours.figures} | | {ours.features} |", flush=True)
            theirs = [("Chromium", _chromium(Path(folder), markdown, template))]
            if template == TEMPLATES[0]:
                theirs.append(("md-to-pdf", _md_to_pdf(Path(folder))))
                theirs += [(f"pandoc, {each}", _pandoc(Path(folder), path)) for each, path in _engines().items()]
            for name, printed in theirs:
                lacking = sum(word not in ours.characters for word in printed.words)
                print(f"| | {name} | {printed.figures} | {lacking} | {printed.features} |", flush=True)


def _ours(folder: Path, markdown: str, template: str) -> Printed:
    (folder / "a.md").write_text(markdown, "utf-8")
    command = [sys.executable, "-m", "mdpublish_core", "convert", "a.md", "-o", "ours.pdf", "--template", template]
    return _measured(folder, "ours.pdf", command)


def _chromium(folder: Path, markdown: str, template: str) -> Printed:
    page = convert(markdown, to="page", template=template, options=PageOptions(page_width="full")).html
    (folder / "a.html").write_text(page.replace("</head>", PAPER), "utf-8")
    options = ("--headless", "--no-sandbox", "--no-pdf-header-footer", "--generate-pdf-document-outline")
    return _measured(folder, "b.pdf", ["chromium", *options, "--print-to-pdf=b.pdf", "a.html"])


def _engines() -> dict[str, str]:
    beside = str(Path(sys.executable).parent)
    present = {each: shutil.which(each) or shutil.which(each, path=beside) for each in ENGINES}
    return {each: path for each, path in present.items() if path}


def _pandoc(folder: Path, engine: str) -> Printed:
    command = [pypandoc.get_pandoc_path(), "-f", "gfm", "a.md", "-o", "c.pdf", f"--pdf-engine={engine}"]
    return _measured(folder, "c.pdf", command)


def _md_to_pdf(folder: Path) -> Printed:
    launched = {"executablePath": shutil.which("chromium"), "args": ["--no-sandbox"]}
    # It writes the PDF beside the text.
    return _measured(folder, "a.pdf", MD_TO_PDF.command("a.md", "--launch-options", json.dumps(launched)))


def _measured(folder: Path, name: str, command: Sequence[str]) -> Printed:
    run = subprocess.run(
        [sys.executable, "-c", _MEASURE, *command], cwd=folder, check=True, capture_output=True, text=True
    )
    seconds, kilobytes = map(float, run.stdout.split())
    content = (folder / name).read_bytes()
    reader = PdfReader(BytesIO(content))
    pages = [page.extract_text() for page in reader.pages]
    # Both hyphenate.
    dehyphenated = re.sub(r"[-\u00ad\u2010]\n", "", "\n".join(pages).lower())
    words = frozenset(re.findall(r"[a-z]{3,}", dehyphenated))
    characters, megabytes = "".join(dehyphenated.split()), kilobytes / 1_000
    return Printed(words, characters, len(pages), len(content), seconds, megabytes, _features(reader, pages))


def _features(reader: PdfReader, pages: Sequence[str]) -> str:
    root = reader.trailer["/Root"]
    links = [
        each for page in reader.pages for each in page.get("/Annots", ()) if each.get_object()["/Subtype"] == "/Link"
    ]
    numbered = [page for number, page in enumerate(pages, 1) if re.search(rf"(?m)^{number}( /|$)", page)]
    present = {
        "tags": "/StructTreeRoot" in root,  # type: ignore[operator]
        "bookmarks": bool(reader.outline),
        "links": bool(links),
        "a title": bool(reader.metadata and reader.metadata.title),
        "a language": "/Lang" in root,  # type: ignore[operator]
        "page numbers": len(numbered) > len(pages) // 2,
    }
    return ", ".join(name for name, is_there in present.items() if is_there) or "none of these"
