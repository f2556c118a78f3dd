"""Reference documents as companies have them, and means to spoil one."""

from collections.abc import Callable, Mapping
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile

import docx
from docx.document import Document
from docx.enum.section import WD_ORIENT
from docx.enum.style import WD_STYLE_TYPE
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls, qn
from docx.shared import Cm, Pt, RGBColor

from tests.core.png_images import blank_png

_MAIN = b"wordprocessingml.document.main+xml"
_TEMPLATE = b"wordprocessingml.template.main+xml"


def german_letterhead() -> bytes:
    """Made by a German Word: ids are translated, names are not. It has a logo, and the page's number in the footer."""
    document = docx.Document()
    section = document.sections[0]
    section.page_width, section.page_height = Cm(21), Cm(29.7)
    section.left_margin, section.right_margin = Cm(2.5), Cm(2)
    heading = document.styles["Heading 1"]
    heading.font.name, heading.font.size, heading.font.color.rgb = "Georgia", Pt(22), RGBColor(0x8B, 0, 0x1A)
    document.styles["Normal"].font.name = "Cambria"
    header = section.header.paragraphs[0]
    header.text = "Muster GmbH"
    header.add_run().add_picture(BytesIO(blank_png(40, 20)))
    section.footer.paragraphs[0]._p.append(_field(" PAGE ", "1"))
    for style in document.styles.element.findall(qn("w:style")):
        old = style.get(qn("w:styleId"))
        new = {"Normal": "Standard", "Heading1": "berschrift1", "Heading2": "berschrift2"}.get(old, old)
        style.set(qn("w:styleId"), new)
        for name in ("w:basedOn", "w:next", "w:link"):
            for each in style.findall(qn(name)):
                value = each.get(qn("w:val"))
                each.set(qn("w:val"), {"Normal": "Standard", "Heading1": "berschrift1"}.get(value, value))
    return saved(document)


def annual_report() -> bytes:
    """US Letter on its side, two columns, other headers on even and first pages, and numbered headings."""
    document = docx.Document()
    document.settings.odd_and_even_pages_header_footer = True
    section = document.sections[0]
    section.orientation = WD_ORIENT.LANDSCAPE
    section.page_width, section.page_height = Cm(27.94), Cm(21.59)
    section.different_first_page_header_footer = True
    section.header.paragraphs[0].text = "Annual report"
    section.even_page_header.paragraphs[0].text = "ACME Inc."
    section.first_page_header.paragraphs[0].text = "Confidential"
    (columns,) = section._sectPr.findall(qn("w:cols"))
    columns.set(qn("w:num"), "2")
    numbering = document.part.numbering_part.element
    numbering.insert(
        0,
        parse_xml(
            f'<w:abstractNum {nsdecls("w")} w:abstractNumId="77"><w:multiLevelType w:val="multilevel"/>'
            '<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="upperRoman"/><w:pStyle w:val="Heading1"/>'
            '<w:lvlText w:val="%1"/><w:lvlJc w:val="left"/></w:lvl></w:abstractNum>'
        ),
    )
    numbering.append(parse_xml(f'<w:num {nsdecls("w")} w:numId="88"><w:abstractNumId w:val="77"/></w:num>'))
    properties = document.styles["Heading 1"].element.get_or_add_pPr()
    properties.insert_element_before(
        parse_xml(f'<w:numPr {nsdecls("w")}><w:numId w:val="88"/></w:numPr>'), "w:spacing", "w:outlineLvl"
    )
    document.add_paragraph("What the template says is not taken.")
    return saved(document)


def memo_template() -> bytes:
    """A .dotx with few styles and no header."""
    document = docx.Document()
    for style in list(document.styles):
        if style.name not in {"Normal", "Heading 1", "Default Paragraph Font", "Title"}:
            style.delete()
    document.styles["Normal"].font.name = "Verdana"
    return changed(saved(document), {"[Content_Types].xml": lambda content: content.replace(_MAIN, _TEMPLATE)})


def cooperative() -> bytes:
    """On B5, as LibreOffice writes files whose source has no default style."""
    document = docx.Document()
    section = document.sections[0]
    section.page_width, section.page_height = Cm(17.6), Cm(25)
    section.header.paragraphs[0].text = "Cooperative"
    normal = document.styles["Normal"]
    normal.font.name, normal.font.color.rgb = "Liberation Serif", RGBColor(0x20, 0x30, 0x40)
    del normal.element.attrib[qn("w:default")]
    return saved(document)


def thesis() -> bytes:
    """With styles of its own for what other templates leave to Word: quotes, captions, code, contents and footnotes."""
    document = docx.Document()
    for name, size in (("Quote", 10), ("Caption", 9), ("Source Code", 8), ("toc 1", 12), ("footnote text", 7)):
        names = {style.name for style in document.styles}
        style = document.styles[name] if name in names else document.styles.add_style(name, WD_STYLE_TYPE.PARAGRAPH)
        style.font.name, style.font.size = "Palatino", Pt(size)
    return saved(document)


CORPORATE: Mapping[str, Callable[[], bytes]] = {
    "letterhead": german_letterhead,
    "report": annual_report,
    "memo": memo_template,
    "cooperative": cooperative,
    "thesis": thesis,
}


def with_header(markup: str, relationships: str = "") -> bytes:
    """Return a reference document with this content in the paragraph of its header."""
    document = docx.Document()
    document.sections[0].header.paragraphs[0].text = "HERE"
    return changed(
        saved(document),
        {
            "word/header1.xml": lambda content: content.replace(b"<w:r><w:t>HERE</w:t></w:r>", markup.encode()),
            "word/_rels/header1.xml.rels": lambda _: (
                '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
                f"{relationships}</Relationships>"
            ).encode(),
        },
    )


def changed(content: bytes, changes: Mapping[str, Callable[[bytes], bytes]]) -> bytes:
    """Return a zip with other parts, of which new ones are made of `b""`."""
    with ZipFile(BytesIO(content)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    parts |= {name: change(parts.get(name, b"")) for name, change in changes.items()}
    output = BytesIO()
    with ZipFile(output, "w", ZIP_DEFLATED) as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return output.getvalue()


def field(instruction: str, result: str) -> str:
    """Return runs of a field."""
    return "".join(
        f"<w:r>{part}</w:r>"
        for part in (
            '<w:fldChar w:fldCharType="begin"/>',
            f"<w:instrText>{instruction}</w:instrText>",
            '<w:fldChar w:fldCharType="separate"/>',
            f"<w:t>{result}</w:t>",
            '<w:fldChar w:fldCharType="end"/>',
        )
    )


def _field(instruction: str, result: str) -> object:
    return parse_xml(
        f'<w:fldSimple {nsdecls("w")} w:instr="{instruction}"><w:r><w:t>{result}</w:t></w:r></w:fldSimple>'
    )


def saved(document: Document) -> bytes:
    output = BytesIO()
    document.save(output)
    return output.getvalue()
