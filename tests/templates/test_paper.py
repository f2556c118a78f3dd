"""Printed pages, on A4 and Letter: nothing is cut off, headings stay with their text, black on white."""

import re
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest
from lxml import html

from mdpublish_core import PageOptions, list_templates, parse, render
from mdpublish_core.templates import Template

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.templates

Paper = Literal["A4", "Letter"]

LONG_LINE = (
    "result = combine(" + ", ".join(f"argument_{number}=value_{number}" for number in range(14)) + ")  # lastword"
)

WIDE = "\n".join(
    (
        "| " + " | ".join(f"Column{number}" for number in range(6)) + " |",
        "|---" * 6 + "|",
        *("| " + " | ".join(f"cell{row}x{column} with words" for column in range(6)) + " |" for row in range(3)),
    )
)

MARKDOWN = "Words that fill a line or two of a page, so that the sections end here and there on it and not all at the same place. "

DOCUMENT = parse(
    "\n\n".join(
        [
            "# Title",
            "With [a link](https://example.org/somewhere) in it.",
            f"```python\n{LONG_LINE}\n```",
            WIDE,
            *(
                f"{'#' * (2 + number % 3)} Heading{number}\n\n{MARKDOWN * (1 + number * 7 % 5)}\n\n```\ncode {number}\nsecond line\n```"
                for number in range(24)
            ),
        ]
    )
)

every_template = pytest.mark.parametrize("template", list_templates(), ids=lambda template: template.id)


def printed(window: "Page", template: Template, paper: Paper, folder: Path) -> Path:
    file = folder / "page.pdf"
    window.set_content(render(DOCUMENT, to="page", options=PageOptions(title="Paper"), template=template).html)
    window.pdf(
        path=file,
        format=paper,
        margin={"top": "18mm", "right": "18mm", "bottom": "18mm", "left": "18mm"},
        prefer_css_page_size=True,
    )
    return file


def words_of(file: Path) -> list[list[tuple[str, float, float, float]]]:
    """Return words with left, right and bottom edges, relative to the page."""
    content = subprocess.run(["pdftotext", "-bbox", str(file), "-"], capture_output=True, check=True).stdout
    pages = []
    for page in html.fromstring(content).iter("page"):
        width, height = (float(page.get(name, "nan")) for name in ("width", "height"))
        words = []
        for word in page.iter("word"):
            left, right, bottom = (float(word.get(name, "nan")) for name in ("xmin", "xmax", "ymax"))
            words.append((word.text or "", left / width, right / width, bottom / height))
        pages.append(words)
    return pages


@pytest.mark.parametrize("paper", ["A4", "Letter"])
@every_template
def test_page_prints_whole(window: "Page", template: Template, paper: Paper, tmp_path: Path) -> None:
    pages = words_of(printed(window, template, paper, tmp_path))

    words = [word for page in pages for word in page]
    printed_words = "".join(word for word, *_ in words).lower()
    # Printers' margins are about four millimeters.
    assert [word for word, left, right, _ in words if left < 0.02 or right > 0.98] == []
    assert all(pages), "a page is empty"
    for expected in (*(f"argument_{number}=value_{number}" for number in range(14)), "lastword", "cell2x5"):
        assert expected in printed_words, expected
    for page in pages:
        lowest = max(bottom for *_, bottom in page)
        last = " ".join(word for word, _, _, bottom in page if bottom > lowest - 0.002)
        assert not re.search(r"heading\d", last.lower()), last


@every_template
def test_url_of_a_link_is_printed_where_the_template_says_so(
    window: "Page", template: Template, tmp_path: Path
) -> None:
    words = " ".join(word for page in words_of(printed(window, template, "A4", tmp_path)) for word, *_ in page)

    assert ("https://example.org/somewhere" in words) == ("attr(href)" in template.web_css)
