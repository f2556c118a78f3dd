"""Law: any text becomes a PDF, twice the same, that reads no file, runs nothing, and names all of its pictures."""

import pytest
from hypothesis import given, settings

from mdpublish_core import convert
from mdpublish_core.testing import hostile_text
from tests.pdf_files import reader_of, tags_of

pytestmark = pytest.mark.needs("weasyprint")

ACTIVE = (b"/JavaScript", b"/JS", b"/Launch", b"/EmbeddedFile", b"/GoToR", b"/SubmitForm", b"/OpenAction")


# A PDF takes as long as ten other outputs.
@settings(max_examples=6)
@given(hostile_text())
def test_any_text_is_printed_alike_and_tagged(markdown: str) -> None:
    content = convert(markdown, to="pdf", plain_text=False).to_bytes()

    assert convert(markdown, to="pdf", plain_text=False).content == content
    assert len(reader_of(content).pages) > 0
    assert [tag for tag in tags_of(content) if tag.kind == "Figure" and not tag.alt] == []
    assert [name for name in ACTIVE if name in content] == []
