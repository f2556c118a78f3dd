"""Reads HTML for Word: LibreOffice saves .docx, python-docx opens it.

This covers structure: headings, lists, tables, links, colors, fonts, sizes, but not what only Word reads (`mso-…`,
conditional comments). LibreOffice 7.4 loses:

- alternative text of images;
- `vertical-align` on spans (but not `sub` and `sup`), and the strike of `del` (but not of `s`);
- the font of leading spaces;
- that an item's second paragraph belongs to it.

Style names are LibreOffice's: `Text body` for Word's `Normal`.
"""

import re
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal
from xml.etree import ElementTree as ET

import docx
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.opc.part import Part

from tests.interop.libreoffice import WORD, save_as
from tests.interop.word_document import (
    Block,
    Border,
    Cell,
    FootnoteReference,
    Image,
    Item,
    Paragraph,
    Row,
    Run,
    Table,
    WordDocument,
)

# https://learn.microsoft.com/openspecs/office_standards/ms-docx; ECMA-376 part 1, sections 17 and 20.
NAMES = {
    "a": "http://schemas.openxmlformats.org/drawingml/2006/main",
    "mc": "http://schemas.openxmlformats.org/markup-compatibility/2006",
    "r": "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
    "w": "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
    "wp": "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing",
}

# Units per point of font sizes, borders, indentation, images.
HALVES, EIGHTHS, TWENTIETHS, EMUS = 2, 8, 20, 12_700

_HEADING = re.compile(r"heading ([1-6])", re.IGNORECASE)
_SIDES = ("top", "left", "bottom", "right")
_SIGNS = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "\u2011", "softHyphen": "\u00ad"}


def read(html: str) -> WordDocument:
    (document,) = read_all([html])
    return document


def read_all(htmls: Sequence[str]) -> list[WordDocument]:
    """Start LibreOffice once."""
    with tempfile.TemporaryDirectory() as folder:
        return [read_file(file) for file in save_as(WORD, _written(htmls, Path(folder)), Path(folder))]


def _written(htmls: Sequence[str], folder: Path) -> list[Path]:
    """Without a BOM LibreOffice may not detect UTF-8."""
    files = [folder / f"{number}.html" for number in range(len(htmls))]
    for file, html in zip(files, htmls, strict=True):
        file.write_text(html, "utf-8-sig")
    return files


def read_file(path: Path) -> WordDocument:
    return _Reading(docx.Document(str(path)).part).document()


def name(prefixed: str) -> str:
    """Expand a prefix as ElementTree does."""
    prefix, _, local = prefixed.partition(":")
    return f"{{{NAMES[prefix]}}}{local}"


def value(parent: ET.Element | None, path: str, attribute: str = "w:val") -> str | None:
    element = None if parent is None else parent.find(path, NAMES)
    return None if element is None else element.get(name(attribute))


def is_set(element: ET.Element | None) -> bool:
    """Presence alone turns a property on."""
    return element is not None and element.get(name("w:val"), "true") not in {"false", "0", "none", "off"}


def color(written: str | None) -> str | None:
    return None if written in {None, "auto"} else written


def borders(parent: ET.Element | None, path: str) -> tuple[Border, ...]:
    sides = None if parent is None else parent.find(path, NAMES)
    border = []
    for side in _SIDES:
        line = None if sides is None else sides.find(f"w:{side}", NAMES)
        if line is None or line.get(name("w:val")) in {"none", "nil"}:
            continue
        width = int(line.get(name("w:sz"), "0")) / EIGHTHS
        border.append(Border(side, width, color(line.get(name("w:color"))), line.get(name("w:val"), "")))
    return tuple(border)


class _Styles:
    def __init__(self, root: ET.Element | None) -> None:
        styles = [] if root is None else root.findall("w:style", NAMES)
        self._styles = {style.get(name("w:styleId"), ""): style for style in styles}
        self._defaults = None if root is None else root.find("w:docDefaults/w:rPrDefault/w:rPr", NAMES)

    def chain(self, style_id: str | None) -> Iterator[ET.Element]:
        style = self._styles.get(style_id or "")
        while style is not None:
            yield style
            style = self._styles.get(value(style, "w:basedOn") or "")

    def names(self, style_id: str | None) -> list[str]:
        return [value(style, "w:name") or "" for style in self.chain(style_id)]

    def run_property(self, run: ET.Element, paragraph_style: str | None, path: str) -> ET.Element | None:
        """Look up the run, its style, paragraph and document."""
        direct = run.find("w:rPr", NAMES)
        styles = [*self.chain(value(direct, "w:rStyle")), *self.chain(paragraph_style)]
        for properties in (direct, *(style.find("w:rPr", NAMES) for style in styles), self._defaults):
            property_value = None if properties is None else properties.find(path, NAMES)
            if property_value is not None:
                return property_value
        return None


class _Numbering:
    def __init__(self, root: ET.Element | None) -> None:
        kinds = [] if root is None else root.findall("w:abstractNum", NAMES)
        self._kinds = {kind.get(name("w:abstractNumId"), ""): kind for kind in kinds}
        self._lists = (
            {} if root is None else {each.get(name("w:numId"), ""): each for each in root.findall("w:num", NAMES)}
        )
        self._counted: dict[tuple[str, int], int] = {}
        self._started: set[tuple[str, int]] = set()

    def item(self, paragraph: ET.Element) -> Item | None:
        """Count an item; call in document order."""
        list_id = value(paragraph, "w:pPr/w:numPr/w:numId")
        numbered = self._lists.get(list_id or "")
        if list_id is None or numbered is None:
            return None
        level = int(value(paragraph, "w:pPr/w:numPr/w:ilvl") or "0")
        kind_id = value(numbered, "w:abstractNumId") or ""
        kind = self._kinds[kind_id].find(f"w:lvl[@{name('w:ilvl')}='{level}']", NAMES)
        override = value(numbered, f"w:lvlOverride[@{name('w:ilvl')}='{level}']/w:startOverride")
        start = int(override or value(kind, "w:start") or "1")
        if override and (list_id, level) not in self._started:
            self._counted.pop((kind_id, level), None)
            self._started.add((list_id, level))
        number = self._counted[kind_id, level] = self._counted.get((kind_id, level), start - 1) + 1
        for key in [key for key in self._counted if key[0] == kind_id and key[1] > level]:
            del self._counted[key]
        return Item(level + 1, value(kind, "w:numFmt") or "decimal", start, number)


class _Reading:
    def __init__(self, part: Part) -> None:
        self._part = part
        self._body = ET.fromstring(part.blob)
        self._styles = _Styles(self._related(RELATIONSHIP_TYPE.STYLES))
        self._numbering = _Numbering(self._related(RELATIONSHIP_TYPE.NUMBERING))
        self._links: Mapping[str, str] = {key: footnotes_part.target_ref for key, footnotes_part in part.rels.items()}

    def _related(self, kind: str) -> ET.Element | None:
        parts = (related.target_part for related in self._part.rels.values() if related.reltype == kind)
        return next((ET.fromstring(part.blob) for part in parts), None)

    def document(self) -> WordDocument:
        body = self._body.find("w:body", NAMES)
        assert body is not None
        return WordDocument(tuple(self._blocks(body)), self._footnotes())

    def _footnotes(self) -> dict[int, tuple[Block, ...]]:
        root = self._related(RELATIONSHIP_TYPE.FOOTNOTES)
        notes = [] if root is None else root.findall("w:footnote", NAMES)
        # Typed footnotes are separators.
        return {
            int(note.get(name("w:id"), "0")): tuple(self._blocks(note))
            for note in notes
            if not note.get(name("w:type"))
        }

    def _blocks(self, parent: ET.Element) -> Iterator[Block]:
        for child in parent:
            if child.tag == name("w:p"):
                yield self._paragraph(child)
            elif child.tag == name("w:tbl"):
                yield Table(tuple(map(self._row, child.findall("w:tr", NAMES))))
            elif child.tag in {name("w:sdt"), name("w:sdtContent")}:
                yield from self._blocks(child)

    def _row(self, row: ET.Element) -> Row:
        return Row(tuple(map(self._cell, row.findall("w:tc", NAMES))), is_set(row.find("w:trPr/w:tblHeader", NAMES)))

    def _cell(self, cell: ET.Element) -> Cell:
        merge = cell.find("w:tcPr/w:vMerge", NAMES)
        merged: Literal["restart", "continue"] | None = None
        if merge is not None:
            merged = "restart" if merge.get(name("w:val")) == "restart" else "continue"
        return Cell(
            tuple(self._blocks(cell)),
            color(value(cell, "w:tcPr/w:shd", "w:fill")),
            borders(cell, "w:tcPr/w:tcBorders"),
            int(value(cell, "w:tcPr/w:gridSpan") or "1"),
            merged,
        )

    def _paragraph(self, paragraph: ET.Element) -> Paragraph:
        style = value(paragraph, "w:pPr/w:pStyle")
        names = self._styles.names(style)
        levels = (int(match[1]) for match in map(_HEADING.fullmatch, names) if match)
        return Paragraph(
            style=names[0] if names else "",
            content=tuple(self._content(paragraph, style, None)),
            level=next(levels, None),
            item=self._numbering.item(paragraph),
            alignment=value(paragraph, "w:pPr/w:jc"),
            indentation=int(value(paragraph, "w:pPr/w:ind", "w:left") or "0") / TWENTIETHS,
            shading=color(value(paragraph, "w:pPr/w:shd", "w:fill")),
            borders=borders(paragraph, "w:pPr/w:pBdr"),
            anchors=tuple(mark.get(name("w:name"), "") for mark in paragraph.iter(name("w:bookmarkStart"))),
        )

    def _content(
        self, parent: ET.Element, style: str | None, link: str | None
    ) -> Iterator[Run | Image | FootnoteReference]:
        for child in parent:
            if child.tag == name("w:r"):
                yield from self._run(child, style, link)
            elif child.tag == name("w:hyperlink"):
                yield from self._content(child, style, self._target(child))
            elif child.tag not in {name("w:pPr"), name("mc:Fallback")}:
                yield from self._content(child, style, link)

    def _target(self, hyperlink: ET.Element) -> str:
        url = self._links.get(hyperlink.get(name("r:id"), ""), "")
        anchor = hyperlink.get(name("w:anchor"))
        return f"{url}#{anchor}" if anchor else url

    def _run(self, run: ET.Element, style: str | None, link: str | None) -> Iterator[Run | Image | FootnoteReference]:
        characters = ""
        for child in run:
            local = child.tag.rpartition("}")[2]
            if local == "t":
                characters += child.text or ""
            elif local in _SIGNS:
                characters += _SIGNS[local]
            elif local == "footnoteReference":
                yield FootnoteReference(int(child.get(name("w:id"), "0")))
            elif local in {"drawing", "AlternateContent"}:
                yield from (self._image(shape, link) for shape in _images(child))
        if characters:
            yield self._run_text(characters, run, style, link)

    def _run_text(self, characters: str, run: ET.Element, style: str | None, link: str | None) -> Run:
        def get(path: str) -> ET.Element | None:
            return self._styles.run_property(run, style, path)

        def attribute(path: str, attribute_name: str = "w:val") -> str | None:
            attribute_value = get(path)
            return None if attribute_value is None else attribute_value.get(name(attribute_name))

        size, font = attribute("w:sz"), attribute("w:rFonts", "w:ascii")
        return Run(
            characters,
            bold=is_set(get("w:b")),
            italic=is_set(get("w:i")),
            underline=is_set(get("w:u")),
            strike=is_set(get("w:strike")),
            position=_position(attribute),
            font=font.partition(";")[0] if font else None,
            size=int(size) / HALVES if size else None,
            color=color(attribute("w:color")),
            shading=color(attribute("w:shd", "w:fill")) or attribute("w:highlight"),
            link=link,
        )

    def _image(self, inline: ET.Element, link: str | None) -> Image:
        blip = inline.find(".//a:blip", NAMES)
        extent, properties = inline.find("wp:extent", NAMES), inline.find("wp:docPr", NAMES)
        assert blip is not None
        assert extent is not None
        assert properties is not None
        click = properties.find("a:hlinkClick", NAMES)
        return Image(
            source=self._links.get(blip.get(name("r:link")) or blip.get(name("r:embed")) or "", ""),
            width=int(extent.get("cx", "0")) / EMUS,
            height=int(extent.get("cy", "0")) / EMUS,
            alt=properties.get("descr") or properties.get("title") or "",
            link=link if click is None else self._links[click.get(name("r:id"), "")],
        )


def _images(parent: ET.Element) -> list[ET.Element]:
    shapes = [*parent.iter(name("wp:inline")), *parent.iter(name("wp:anchor"))]
    return [shape for shape in shapes if shape.find(".//a:blip", NAMES) is not None]


def _position(attribute: Callable[[str], str | None]) -> Literal["subscript", "superscript"] | None:
    """LibreOffice writes an offset, Word a keyword."""
    signs = {"subscript": -1, "superscript": 1}
    raised = signs.get(attribute("w:vertAlign") or "") or int(attribute("w:position") or "0")
    return "superscript" if raised > 0 else "subscript" if raised < 0 else None
