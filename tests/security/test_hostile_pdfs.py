"""Hostile texts as PDFs: each of 100 KB is printed, or refused with the bound that it met."""

from base64 import b64encode
from struct import pack
from zlib import compress, crc32

import pytest

from mdpublish_core import Limits, PdfOptions, convert
from mdpublish_core.errors import InvalidPdf, LimitExceeded

pytestmark = pytest.mark.security

SECONDS = 8.0


def fill(pattern: str) -> str:
    return (pattern * (100_000 // len(pattern) + 1))[:100_000]


def _chunk(kind: bytes, data: bytes) -> bytes:
    return pack(">I", len(data)) + kind + data + pack(">I", crc32(kind + data))


def png_bomb() -> str:
    side = 60_000
    header = pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0)
    pixels = compress(bytes(side * (side // 8 + 1)), 9)
    png = b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"IDAT", pixels) + _chunk(b"IEND", b"")
    return f"![a](data:image/png;base64,{b64encode(png).decode()})"


def svg_bomb() -> str:
    """Ten groups, each of which uses the one before ten times."""
    groups = "".join(f'<g id="g{number + 1}">' + f'<use href="#g{number}"/>' * 10 + "</g>" for number in range(10))
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><g id="g0"><path d="M0 0h9"/></g>{groups}<use href="#g10"/></svg>'
    return f"{svg}\n\n![a](data:image/svg+xml;base64,{b64encode(svg.encode()).decode()})"


NOTES = "".join(f"a[^{number}] " for number in range(3_000)) + "".join(f"\n\n[^{number}]: n" for number in range(3_000))

# One pixel.
DOT = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"

NESTED = "<div>" * 60 + "x" + "</div>" * 60

DOCUMENTS = {
    "rows": "| a | b |\n|---|---|\n" + fill("| 1 | 2 |\n"),
    "columns": "|" + "a|" * 99 + "\n|" + "-|" * 99 + "\n" + fill("|" + "b|" * 99 + "\n"),
    "spans": '<table><tr><td colspan="1000000000" rowspan="1000000000">a</td></tr></table>',
    "many spans": "<table>" + fill('<tr><td colspan="1000">a</td></tr>') + "</table>",
    "tables in tables": "<table><tr><td>" * 30 + "x",
    "quotes": fill("> " * 90 + "a\n\n"),
    "lists": fill("- " * 90 + "a\n\n"),
    "word": fill("a"),
    "links": fill("[a](#b) "),
    "headings": fill("## abc\n\n"),
    "notes": NOTES,
    "formulas": fill("$x^2+y$ "),
    "landscapes": fill("|" + "a|" * 9 + "\n|" + "-|" * 9 + "\n\nb\n\n"),
    "marks": fill("a\u0301\u0302\u0303\u0304"),
    "image": png_bomb(),
    "images": fill(f"![a](data:image/gif;base64,{DOT}) "),
    "drawing": svg_bomb(),
    "rows beyond 100 KB": "| a | b | c |\n|---|---|---|\n" + "| row | of a | table |\n" * 10_000,
    "quotes in lists": "".join("  " * depth + "- > " * 2 + "a\n" for depth in range(400)),
    "notes of sentences": "".join(f"A[^{number}] " for number in range(2_000))
    + "".join(f"\n\n[^{number}]: A note with *words* and a [link](https://example.org/)." for number in range(2_000)),
    "headings of all levels": "".join(f"{'#' * (number % 6 + 1)} Heading {number}\n\n" for number in range(5_000)),
    "images in paragraphs": f"![a](data:image/gif;base64,{DOT})\n\n" * 1_000,
    "line of code": "```python\n" + fill("f(x, 'y') + ") + "\n```",
    "line of code without spaces": "```\n" + fill("a") + "\n```",
    "links to sites": "".join(f"[link {number}](https://example.org/{number}) " for number in range(3_000)),
    "styled elements": fill('<div style="display:flex"><p style="display:grid;columns:9">x</p></div>'),
}

STYLES = {
    "flex in flex": "div { display: flex }",
    "grid in grid": "div { display: grid }",
    "lengths": "div { margin: 1e9px; height: 1e9px; columns: 1000 }",
    "floats": "div { float: left; width: 30% }",
}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_text_is_printed_or_refused_with_its_bound(name: str) -> None:
    print_or_refuse(DOCUMENTS[name], None)


@pytest.mark.parametrize("name", STYLES)
def test_stylesheet_is_printed_or_refused_with_its_bound(name: str) -> None:
    print_or_refuse(NESTED, STYLES[name])


def print_or_refuse(markdown: str, css: str | None) -> None:
    options = PdfOptions(toc=True, footnotes="page")
    try:
        content = convert(
            markdown, to="pdf", css=css, options=options, limits=Limits(max_pdf_seconds=SECONDS)
        ).to_bytes()
    except InvalidPdf as error:
        assert "s of CPU time allowed" in str(error) or "MiB of memory allowed" in str(error)  # noqa: PT017
    except LimitExceeded as error:
        assert error.limit == "max_output_bytes"  # noqa: PT017
    else:
        assert content.startswith(b"%PDF-")
