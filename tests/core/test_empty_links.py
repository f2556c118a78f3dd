"""A link without a text shows its URL where readers would see nothing."""

from io import BytesIO

import docx
import lxml.html
import pytest

from mdpublish_core import convert

URL = "https://example.org/x"

EMPTY = (f"[]({URL})", f"[ ]({URL})", f"a **[]({URL})** b", f"[*&#32;*]({URL} 'Title')")

# As CommonMark's examples want it, `html` has an empty element.
STYLED = ("google-docs", "word", "onenote", "email", "generic")


def link_texts(markdown: str, destination: str) -> list[str]:
    root = lxml.html.fromstring(convert(markdown, to=destination).text or "")
    return ["".join(map(str, link.itertext())) for link in root.iter("a")]


@pytest.mark.parametrize("markdown", EMPTY)
@pytest.mark.parametrize("destination", STYLED)
def test_empty_link_shows_its_url(markdown: str, destination: str) -> None:
    assert link_texts(markdown, destination) == [URL]


@pytest.mark.parametrize("markdown", EMPTY)
@pytest.mark.parametrize("destination", ["slack", "plain-text"])
def test_empty_link_is_its_url(markdown: str, destination: str) -> None:
    assert URL in convert(markdown, to=destination).text


@pytest.mark.parametrize("markdown", [*EMPTY, f"[![](a.png)]({URL})", f"[![](https://example.org/a.png)]({URL})"])
def test_empty_link_shows_its_url_in_word_files(markdown: str) -> None:
    paragraphs = docx.Document(BytesIO(convert(markdown, to="docx").to_bytes())).paragraphs
    assert any(URL in paragraph.text for paragraph in paragraphs)


# OneNote links no images, and shows the URL beside.
@pytest.mark.parametrize("destination", ["google-docs", "word", "email"])
def test_link_around_an_image_shows_no_url(destination: str) -> None:
    assert URL not in link_texts(f"[![Roses](https://example.org/a.png)]({URL})", destination)
