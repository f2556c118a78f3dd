"""PDFs as poppler reads them: words that a search finds."""

import subprocess

import pytest

from mdpublish_core import convert

pytestmark = [pytest.mark.interop, pytest.mark.needs("weasyprint")]


def read(program: str, content: bytes, *arguments: str) -> str:
    return subprocess.run([program, *arguments], input=content, capture_output=True, check=True).stdout.decode()


def test_words_divided_at_the_end_of_a_line_are_there() -> None:
    words = "characteristically incontrovertible internationalization misunderstandings " * 12
    content = convert(f"---\nlang: en\n---\n# A\n\nB.\n\n{words}", to="pdf", template="latex").to_bytes()
    joined = read("pdftotext", content, "-", "-")

    assert read("pdftotext", content, "-layout", "-", "-").count("-\n") > 2
    assert [joined.count(word) for word in dict.fromkeys(words.split())] == [12] * 4
