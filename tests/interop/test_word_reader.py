"""What the reader of Word's HTML sees beyond the readings of the matrix."""

from base64 import b64decode
from io import BytesIO
from pathlib import Path

import docx
import pytest
from docx.shared import Pt

from tests.interop.word import read, read_file
from tests.interop.word_document import Border, FootnoteReference, Image, Run, Table

pytestmark = pytest.mark.interop

DOT = (
    "data:image/png;base64,"
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)

PARAGRAPH = """\
<p style="margin-left:36pt;background:#eeeeee;border-left:3pt solid #0000ff;text-align:center">shaded
<span style="font-family:'Cascadia Mono',Consolas,monospace;font-size:9.5pt;color:#a31515;background:#f4f4f4">code()</span></p>
"""

# It reads Word's (mso-footnote-id) as links.
FOOTNOTES = """\
<p>called<a class="sdfootnoteanc" name="sdfootnote1anc" href="#sdfootnote1sym"><sup>1</sup></a></p>
<div id="sdfootnote1"><p><a class="sdfootnotesym" name="sdfootnote1sym" href="#sdfootnote1anc">1</a>the note</p></div>
"""


def test_paragraph_and_its_text_are_read_with_their_looks() -> None:
    document = read(PARAGRAPH)
    (paragraph,) = document.paragraphs

    assert (paragraph.indentation, paragraph.shading, paragraph.alignment) == (36, "EEEEEE", "center")
    assert paragraph.borders == (Border("left", 3, "0000FF"),)
    assert document.run("code()") == Run("code()", font="Cascadia Mono", size=9.5, color="A31515", shading="F4F4F4")


def test_footnote_has_a_reference_and_content() -> None:
    document = read(FOOTNOTES)
    (reference,) = (
        piece
        for paragraph in document.paragraphs
        for piece in paragraph.content
        if isinstance(piece, FootnoteReference)
    )
    (note,) = document.footnotes[reference.number]

    assert not isinstance(note, Table)
    assert note.plain_text.strip() == "the note"


def test_alternative_text_is_read_where_the_file_has_it(tmp_path: Path) -> None:
    written = docx.Document()
    shape = written.add_picture(BytesIO(b64decode(DOT.partition(",")[2])), width=Pt(30), height=Pt(20))
    shape._inline.docPr.set("descr", "a dot")
    written.save(str(tmp_path / "dot.docx"))

    (image,) = read_file(tmp_path / "dot.docx").images

    assert image == Image("media/image1.png", 30, 20, "a dot")
