"""`mdpublish copy` hands HTML to a real xclip; another xclip pastes it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from mdpublish_core import convert
from tests.desktop import Environment, clipboard, copy, desktop

pytestmark = pytest.mark.interop

MARKDOWN = "# Größe 中 😀\n\n- *a*\n- b\n\n| x | y |\n|---|---|\n| 1 | 2 |\n\n```python\nprint('é')\n```\n"


@pytest.fixture(scope="module")
def environment() -> Iterator[Environment]:
    with desktop() as environment:
        yield environment


def pasted(environment: Environment, kind: str) -> bytes:
    content = clipboard(environment, kind)
    assert content is not None, f"the clipboard has nothing as {kind}"
    return content


@pytest.mark.parametrize("destination", ["google-docs", "word", "onenote"])
def test_html_arrives_byte_for_byte(environment: Environment, destination: str) -> None:
    output = copy(environment, "-", "--to", destination, markdown=MARKDOWN)

    assert pasted(environment, "text/html").decode() == convert(MARKDOWN, to=destination).text
    assert pasted(environment, "TARGETS").split() == [b"TARGETS", b"text/html"]
    assert output.startswith(f"Copied for {destination}: HTML, ")


def test_text_arrives_byte_for_byte(environment: Environment) -> None:
    copy(environment, "-", "--to", "slack", "--plain", markdown=MARKDOWN)

    assert pasted(environment, "UTF8_STRING").decode() == convert(MARKDOWN, to="slack").text


def test_what_is_larger_than_a_property_of_the_x_server_arrives(environment: Environment, tmp_path: Path) -> None:
    # Incremental: Inter-Client Communication Conventions Manual, 2.7.2.
    (tmp_path / "large.gif").write_bytes(b"GIF89a\1\0\1\0\0\0\0;" + bytes(4_000_000))
    (tmp_path / "a.md").write_text("![large](large.gif)\n\nbehind it 中\n", "utf-8")

    copy(environment, str(tmp_path / "a.md"), "--to", "word")

    html = pasted(environment, "text/html").decode()
    assert len(html) > 5_000_000
    assert "behind it 中" in html
