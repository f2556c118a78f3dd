"""`read_docx` and files that are made to break it: every one is read or refused with one error, in bounds."""

import struct
from functools import cache, partial
from io import BytesIO

import docx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mdpublish_core import to_markdown
from mdpublish_core.errors import InvalidFile
from mdpublish_core.nodes import text_content
from mdpublish_core.readers import docx as reader
from mdpublish_core.readers.docx import docx_to_html, read_docx
from mdpublish_core.testing.steps import count_steps
from tests.core.readers.docx.word_sources import paragraph, root, run, style, with_entry, word_file

_CELL = "<w:tbl><w:tr><w:tc>", "</w:tc></w:tr></w:tbl>"


def _saved() -> bytes:
    output = BytesIO()
    document = docx.Document()
    document.add_paragraph("Text.", style="List Bullet")
    document.add_table(2, 2)
    document.save(output)
    return output.getvalue()


def test_zip_bomb_is_refused() -> None:
    content = with_entry(word_file(""), "word/document.xml", b" " * 100_000_000)

    with pytest.raises(InvalidFile, match=r"at most 10,000,000 bytes in 'word/document.xml' without compression"):
        read_docx(content)


def test_size_that_lies_does_not_matter() -> None:
    content = with_entry(word_file(""), "word/document.xml", b" " * 20_000_000)

    with pytest.raises(InvalidFile):
        read_docx(content.replace(struct.pack("<I", 20_000_000), struct.pack("<I", 10)))


def test_images_are_bounded_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "LIMITS", reader.LIMITS._replace(total_bytes=20_000))
    blips = "".join(f'<w:r><w:drawing><a:blip r:embed="i{number}"/></w:drawing></w:r>' for number in range(3))
    images = {f"i{number}": bytes([number]) * 9_000 for number in range(3)}

    with pytest.raises(InvalidFile, match="at most 20,000 bytes in the parts that are read"):
        read_docx(word_file(paragraph(blips), {}, **images))


def test_parts_and_entries_are_bounded() -> None:
    with pytest.raises(InvalidFile, match="at most 600,000 tags"):
        read_docx(word_file("<w:p/>" * 600_001))
    with pytest.raises(InvalidFile, match="at most 2,000 entries"):
        read_docx(b"PK\x01\x02" * 2_001)
    with pytest.raises(InvalidFile, match=r"at most 20,000,000 bytes .got 20,000,001"):
        read_docx(bytes(20_000_001))


def test_paragraphs_and_runs_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "MAX_ELEMENTS", 100)

    read_docx(word_file(paragraph("Text.", '<w:rPr><w:b/></w:rPr><w:spacing w:after="9"/>') * 10))
    with pytest.raises(InvalidFile, match=r"at most 100 paragraphs, runs and texts .got 122.; split it"):
        read_docx(word_file(paragraph("Text.") * 30))
    with pytest.raises(InvalidFile, match=r"at most 100 paragraphs, runs and texts .got 101.; split it"):
        read_docx(word_file(paragraph("<w:r/>" * 100)))


@pytest.mark.parametrize(
    "story", ["<w:p/>" * 100_000, paragraph('<w:r><w:footnoteReference w:id="1"/></w:r>' * 50_000)]
)
def test_what_takes_long_is_refused_before_it_is_read(story: str) -> None:
    content = word_file(story, footnotes=f'<w:footnote w:id="1">{paragraph("note")}</w:footnote>')
    assert len(content) < 12_000

    def refuse() -> None:
        with pytest.raises(InvalidFile, match=r"at most 80,000 paragraphs, runs and texts .got 100,00[0-3]"):
            read_docx(content)

    assert count_steps(refuse) < 2_000_000


def test_book_of_500_pages_is_within_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hundredth of one: Word parts its texts at each misspelt word, and a fifth of the paragraphs have bold words."""
    monkeypatch.setattr(reader, "MAX_ELEMENTS", reader.MAX_ELEMENTS // 100)
    plain = paragraph(run("Some text, "), "") + paragraph(run("one ") + run("mispelt") + run(" word"))
    bold = paragraph(run("one ") + run("bold", "<w:b/>") + run(" word"))

    assert len(read_docx(word_file((plain + bold + plain) * 30)).document.children) == 150


def test_texts_that_look_alike_are_one() -> None:
    runs = run("a ") + run("b", "<w:b/>") + run("c", '<w:b w:val="1"/>') + run("d", "<w:i/>") + run(" e") + run("f")

    assert docx_to_html(word_file(paragraph(runs)))[0].count("<strong>") == 1
    assert to_markdown(read_docx(word_file(paragraph(runs))).document) == "a **bc***d* ef\n"


def test_entities_are_refused() -> None:
    laughs = (
        b'<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>' + root("document", "<w:body>&b;</w:body>").encode()
    )

    with pytest.raises(InvalidFile, match="a document type declaration"):
        read_docx(with_entry(word_file(""), "word/document.xml", laughs))


@pytest.mark.parametrize("depth", [60, 300, 10_000])
def test_tables_in_tables_are_refused(depth: int) -> None:
    body = _CELL[0] * depth + paragraph("inner") + _CELL[1] * depth

    with pytest.raises(InvalidFile, match=r"nested less deeply|Excessive depth"):
        read_docx(word_file(body))


@pytest.mark.parametrize(
    "body",
    [
        f'<w:tbl><w:tr><w:tc><w:tcPr><w:gridSpan w:val="many"/></w:tcPr>{paragraph("kept")}</w:tc></w:tr></w:tbl>',
        f'<w:tbl><w:tr><w:tc><w:tcPr><w:gridSpan w:val="99999"/></w:tcPr>{paragraph("kept")}</w:tc></w:tr></w:tbl>',
        paragraph('<w:r><w:sym w:font="Symbol" w:char="?"/></w:r><w:r><w:sym/></w:r>' + run("kept")),
        paragraph('<w:r><w:footnoteReference w:id="9"/></w:r><w:r><w:endnoteReference/></w:r>' + run("kept")),
        paragraph('<w:r><w:drawing><a:blip r:embed="none"/></w:drawing></w:r>' + run("kept")),
        paragraph('<w:r><w:pict><v:shape><v:imagedata r:id="none"/></v:shape></w:pict></w:r>' + run("kept")),
        paragraph(
            "kept",
            '<w:pStyle w:val="A"/><w:numPr><w:ilvl w:val="x"/><w:numId w:val="²"/></w:numPr><w:ind w:left="1e9"/>',
        ),
        paragraph('<w:r><w:fldChar w:fldCharType="end"/></w:r><w:r><w:fldChar/></w:r>' + run("kept")),
        "<w:p/><w:sdt/><w:bookmarkStart/><m:oMath/><w:tbl/><w:hyperlink/><mc:AlternateContent/><w:txbxContent/>"
        + paragraph("kept"),
    ],
)
def test_invalid_value_loses_no_text(body: str) -> None:
    cycle = style("paragraph", "A", "a", '<w:basedOn w:val="B"/>') + style(
        "paragraph", "B", "b", '<w:basedOn w:val="A"/>'
    )
    content = word_file(body, styles=f"<w:style/>{cycle}", numbering="<w:num/><w:abstractNum><w:lvl/></w:abstractNum>")

    assert text_content(read_docx(content).document) == "kept"


def test_what_mammoth_cannot_read_is_one_error() -> None:
    note = "<w:footnote w:id='1'><w:p><w:r><w:commentReference/></w:r></w:p></w:footnote>"

    with pytest.raises(InvalidFile, match=r"^the file has content that cannot be read \(KeyError: 'w:id'\); save"):
        read_docx(word_file("", footnotes=note))


def test_name_that_only_one_parser_takes_is_one_error() -> None:
    with pytest.raises(InvalidFile, match="ExpatError"):
        read_docx(word_file("<\U000e0001/>"))


def test_unsafe_links_and_raw_html_are_text() -> None:
    link = f'<w:hyperlink r:id="bad">{run("click &lt;script&gt;alert(1)&lt;/script&gt;")}</w:hyperlink>'
    imported = read_docx(word_file(paragraph(link), {"bad": "javascript:alert(1)"}))

    assert text_content(imported.document) == "click <script>alert(1)</script>"
    assert [notice.code for notice in imported.notices] == ["unsafe-link"]
    assert "<script" not in docx_to_html(word_file(paragraph(link), {"bad": "javascript:alert(1)"}))[0]


@pytest.mark.parametrize("name", ["image", "formula-inline"])
def test_style_named_as_ours_is_none_of_ours(name: str) -> None:
    content = word_file(
        paragraph(run("1234", f'<w:rStyle w:val="{name}"/>')), styles=style("character", name, "Heading Number")
    )

    assert text_content(read_docx(content).document) == "1234"


@cache
def _many(count: int) -> dict[str, bytes]:
    note = f'<w:footnote w:id="1">{paragraph("note") * 50}</w:footnote>'
    code = style("paragraph", "C", "Source Code")
    note_mark = '<w:r><w:footnoteReference w:id="1"/></w:r>'
    mark = '<w:bookmarkStart w:name="n"/><w:r><w:footnoteReference w:id="1"/></w:r>'
    field = '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> NOTEREF n </w:instrText></w:r>'
    table = f"<w:tbl><w:tr><w:tc>{paragraph('x')}</w:tc></w:tr></w:tbl>"
    comment = '<w:r><w:commentReference w:id="{0}"/></w:r>'
    said = f'<w:comment w:id="{{0}}" w:author="A">{paragraph("x")}</w:comment>'
    separate = '<w:r><w:fldChar w:fldCharType="separate"/></w:r>'
    end = '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    reference = field.replace("NOTEREF n", "REF n") + separate + run("x") + end
    return {
        "comments": word_file(
            paragraph("".join(map(comment.format, range(count)))), comments="".join(map(said.format, range(count)))
        ),
        "changes": word_file(paragraph(f'<w:ins w:author="A">{run("x")}</w:ins>' * count)),
        "changes of several": word_file(
            "".join(paragraph(f'<w:ins w:author="{number}">{run("x")}</w:ins>') for number in range(count))
        ),
        "references": word_file(paragraph('<w:bookmarkStart w:name="n"/>' + reference * count)),
        "parts of a field": word_file(paragraph("<w:r><w:instrText>x</w:instrText></w:r>" * count)),
        "symbols": word_file(paragraph('<w:r><w:sym w:font="F" w:char="F0FC"/></w:r>' * count)),
        "symbols of a text": word_file(paragraph(run("x" * count, '<w:rFonts w:ascii="Wingdings"/>'))),
        "tables in a cell": word_file(f"<w:tbl><w:tr><w:tc>{table * count}</w:tc><w:tc/></w:tr></w:tbl>"),
        "one note": word_file(paragraph(note_mark * count), footnotes=note),
        "fields": word_file(paragraph(mark + field * count), footnotes=note),
        "lines of code": word_file(paragraph("x", '<w:pStyle w:val="C"/>') * count, styles=code),
        "bookmarks": word_file(paragraph('<w:bookmarkStart w:name="n"/>' * count + run("x"))),
        "text boxes": word_file(
            paragraph(f"<w:r><w:pict><w:txbxContent>{paragraph('x')}</w:txbxContent></w:pict></w:r>" * count)
        ),
        "deeper items": word_file(
            "".join(
                paragraph("x", f'<w:numPr><w:numId w:val="1"/></w:numPr><w:ind w:left="{100 * number}"/>')
                for number in range(count)
            )
        ),
    }


@pytest.mark.parametrize("name", list(_many(1)))
def test_work_grows_as_the_file_does(name: str) -> None:
    read_docx(_many(1)[name])

    few, many = (count_steps(partial(read_docx, _many(count)[name], comments=True)) for count in (30, 300))

    assert many < 14 * few


@given(st.data())
@settings(max_examples=25)
def test_spoiled_bytes_are_read_or_refused(data: st.DataObject) -> None:
    content = bytearray(_saved())
    for place in data.draw(st.lists(st.integers(0, len(content) - 1), min_size=1, max_size=30)):
        content[place] ^= data.draw(st.integers(1, 255))

    try:
        read_docx(bytes(content))
    except InvalidFile:
        return


_NAMES = (
    "p",
    "r",
    "t",
    "tbl",
    "tr",
    "tc",
    "sdt",
    "sdtContent",
    "hyperlink",
    "ins",
    "del",
    "pict",
    "txbxContent",
    "drawing",
    "pPr",
)


@given(st.recursive(st.just("x"), lambda inner: st.lists(st.tuples(st.sampled_from(_NAMES), inner), max_size=4)))
@settings(max_examples=100)
def test_elements_in_any_order_are_read_or_refused(tree: object) -> None:
    def xml(node: object) -> str:
        return "".join(f"<w:{name}>{xml(inner)}</w:{name}>" for name, inner in node) if isinstance(node, list) else "x"

    try:
        read_docx(word_file(xml(tree)))
    except InvalidFile:
        return
