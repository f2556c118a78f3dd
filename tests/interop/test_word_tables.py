"""Word's tables in LibreOffice, as PDF on A4 and Letter: no column is cut off, no word of up to 16 letters is split."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from lxml import html

from mdpublish_core import convert
from tests.interop.libreoffice import PDF, save_as

pytestmark = pytest.mark.interop

PAPERS = {"A4": (595.3, 841.9), "Letter": (612.0, 792.0)}
"""Width and height in points."""

MARGIN = 72.0

COLUMNS = (5, 6, 7, 8)

ROWS = (
    ("Feature", "Starter", "Professional", "Enterprise", "Open source", "Self-hosted", "Support", "Verfügbarkeit"),
    ("Sign-in", "Email only", "SSO, SAML 2.0", "SSO, SAML", "Community", "Bring your own", "Forum", "99.5 %"),
    ("Pricing per seat", "$12.00/month", "$49.00/month", "Contact sales", "Free", "$999.00", "Telephone", "Vertrag"),
    ("Rate limiting", "1,000 requests", "100,000", "Unlimited", "`nginx.conf`", "`max_conn`", "Documents", "99.99 %"),
)

TEMPLATES = ("swiss", "executive", "press-release", "manuscript")


def table_of(columns: int) -> str:
    header, *body = (f"|{'|'.join(row[:columns])}|" for row in ROWS)
    return "\n".join((header, "|-" * columns + "|", *body))


def sources(folder: Path) -> Iterator[Path]:
    for template in TEMPLATES:
        for columns in COLUMNS:
            document = convert(table_of(columns), to="word", template=template).html
            for paper, (width, height) in PAPERS.items():
                page = f"<style>@page{{size:{width}pt {height}pt;margin:{MARGIN}pt}}</style></head>"
                file = folder / f"{template}-{columns}-{paper}.html"
                file.write_text(document.replace("</head>", page, 1), "utf-8")
                yield file


def faults_of(pdf: Path) -> list[str]:
    _, columns, paper = pdf.stem.rsplit("-", 2)
    content = subprocess.run(["pdftotext", "-bbox", str(pdf), "-"], capture_output=True, check=True).stdout
    tree = html.fromstring(content, parser=html.HTMLParser(encoding="utf-8"))
    (width,) = {float(page.get("width", "nan")) for page in tree.iter("page")}
    words = [(word.text or "", float(word.get("xmax", "nan"))) for word in tree.iter("word")]
    expected = " ".join(" ".join(row[: int(columns)]) for row in ROWS).replace("`", "").split()
    shown = {word for word, _ in words}
    return [
        *([f"the page is {width} pt wide"] if abs(width - PAPERS[paper][0]) > 1 else []),
        *(f"{word} is split or missing" for word in expected if word not in shown),
        *(f"{word} ends at {right:.0f} pt" for word, right in words if right > width - MARGIN + 1),
    ]


def test_tables_of_five_to_eight_columns_are_whole_on_paper(tmp_path: Path) -> None:
    files = save_as(PDF, list(sources(tmp_path)), tmp_path)

    assert [f"{file.stem}: {'; '.join(faults)}" for file in files if (faults := faults_of(file))] == []
