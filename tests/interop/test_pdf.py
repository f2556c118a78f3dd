"""PDFs as poppler reads them: the faces of their template and no others, and words that a search finds."""

import re
import subprocess

import pytest

from mdpublish_core import convert, get_template

pytestmark = [pytest.mark.interop, pytest.mark.needs("weasyprint")]

WRITTEN = "# A title\n\nText *and* **both**, `code`, [a link](https://example.org/) and $x + y$.\n\n> Quoted.\n\n- An item\n\n| One | Two |\n|---|---|\n| Three | Four |"

OF_SYSTEM = {"DejaVu-Sans"}
"""For signs that templates draw, such as those of lists."""


def read(program: str, content: bytes, *arguments: str) -> str:
    return subprocess.run([program, *arguments], input=content, capture_output=True, check=True).stdout.decode()


@pytest.mark.parametrize("name", ["latex", "swiss", "tufte", "typewriter"])
def test_template_prints_in_its_faces_and_all_its_words_are_there(name: str) -> None:
    template = get_template(name)
    content = convert(WRITTEN, to="pdf", template=template).to_bytes()
    named = re.findall(r"^[A-Z]{6}\+(\S+)", read("pdffonts", content, "-"), re.MULTILINE)
    families = {name.replace(" ", "-") for name in (*filter(None, template.fonts.hosted), "STIX Two Math")}
    words_read = read("pdftotext", content, "-", "-").lower().split()
    glued = "".join(words_read)

    assert [name for name in named if not name.startswith(tuple(families)) and name not in OF_SYSTEM] == []
    assert [
        word for word in re.findall(r"[a-z]{2,}|[xy+]", WRITTEN.lower()) if word not in glued + "httpsexample.org"
    ] == []


def test_words_divided_at_the_end_of_a_line_are_there() -> None:
    words = "characteristically incontrovertible internationalization misunderstandings " * 12
    content = convert(f"---\nlang: en\n---\n# A\n\nB.\n\n{words}", to="pdf", template="latex").to_bytes()
    joined = read("pdftotext", content, "-", "-")

    assert read("pdftotext", content, "-layout", "-", "-").count("-\n") > 2
    assert [joined.count(word) for word in dict.fromkeys(words.split())] == [12] * 4
