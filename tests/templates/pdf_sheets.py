# ruff: noqa: T201  (prints its findings)
"""Sheets of PDFs: `python -m tests.templates.pdf_sheets OUT [ID ...]` prints the specimen in all templates and modes.

Shows the first pages, each PDF a row, and prints of each how many pages it has and how many Chromium prints, the words
that are not in it, and those beyond its margins.
"""

import re
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from pypdf import PdfReader

from mdpublish_core import PageOptions, list_templates, parse, render
from mdpublish_core.nodes import RawText, walk
from mdpublish_core.templates import THEME_MODES, Template
from tests.chromium import launched
from tests.templates.sheets import parts, sheet
from tests.templates.test_paper import words_of

if TYPE_CHECKING:
    from PIL.Image import Image
    from playwright.sync_api import Page

BROWSER = Path(__file__).parent.parent / "browser"
SPECIMEN = parse((BROWSER / "specimen.md").read_text("utf-8"))
WORDS = set(re.findall(r"[A-Za-z]{3,}", " ".join(each.content for each in walk(SPECIMEN) if isinstance(each, RawText))))
PAGES = 4
"""On a sheet; a row has the first ones."""

ROWS = 8
_DOTS_PER_INCH = 40


def main(out: Path, ids: Sequence[str]) -> None:
    out.mkdir(parents=True, exist_ok=True)
    templates = [each for each in list_templates() if not ids or each.id in ids]
    images: dict[str, Image] = {}
    # Pages more than Chromium prints, with how many PDFs have so many more.
    differences: Counter[int] = Counter()
    with launched() as browser:
        window = browser.new_page()
        # Of dark pages as many: they print as the light ones.
        printed = {template.id: _printed(window, template) for template in templates}
        for mode in THEME_MODES:
            for template in templates:
                name = f"{template.id}-{mode}"
                content = render(SPECIMEN, to="pdf", template=template, theme_mode=mode, plain_text=False).to_bytes()
                (out / f"{name}.pdf").write_bytes(content)
                count = len(PdfReader(BytesIO(content)).pages)
                missing = sorted(word for word in WORDS if word.lower() not in _characters_of(out / f"{name}.pdf"))
                differences[count - printed[template.id]] += 1
                outside = [
                    word for page in words_of(out / f"{name}.pdf") for word, *edges in page if not _is_inside(*edges)
                ]
                print(
                    f"{name}: {count} pages, Chromium {printed[template.id]}; without {missing or 'nothing'}; "
                    f"beyond the margins {outside or 'nothing'}",
                    flush=True,
                )
                images |= _first_pages(out / f"{name}.pdf")
    for number, part in enumerate(parts(images, PAGES * ROWS), 1):
        sheet(part, PAGES).save(out / f"sheet-{number}.png")
    print(
        ", ".join(f"{count} PDFs have {more:+} pages" for more, count in sorted(differences.items())), "of Chromium's"
    )


def _is_inside(left: float, right: float, _bottom: float) -> bool:
    margin = 20 / 210
    return margin - 0.001 < left and right < 1 - margin + 0.001


def _printed(window: "Page", template: Template) -> int:
    """Return how many pages Chromium prints."""
    window.set_content(render(SPECIMEN, to="page", options=PageOptions(page_width="full"), template=template).html)
    margin = dict.fromkeys(("top", "right", "bottom", "left"), "20mm")
    return len(PdfReader(BytesIO(window.pdf(format="A4", margin=margin))).pages)  # type: ignore[arg-type]


def _characters_of(file: Path) -> str:
    output = subprocess.run(["pdftotext", file, "-"], capture_output=True, text=True, check=True).stdout
    return "".join(re.sub(r"[-\u00ad\u2010]\n", "", output).lower().split())


def _first_pages(file: Path) -> "dict[str, Image]":
    from PIL import Image

    command = ["pdftoppm", "-png", "-r", str(_DOTS_PER_INCH), "-l", str(PAGES), str(file), str(file.with_suffix(""))]
    subprocess.run(command, check=True)
    shown = {}
    for page in sorted(file.parent.glob(f"{file.stem}-*.png")):
        with Image.open(page) as image:
            shown[page.stem] = image.convert("RGB").copy()
        page.unlink()
    blank = Image.new("RGB", next(iter(shown.values())).size, "#808080")
    return shown | {f"{file.stem}-no-{number}": blank for number in range(len(shown), PAGES)}


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
