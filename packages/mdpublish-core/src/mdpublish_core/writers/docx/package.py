"""The file: parts, relationships between them, and a zip of the same bytes each time."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256
from io import BytesIO
from typing import TYPE_CHECKING
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from mdpublish_core.errors import LimitExceeded
from mdpublish_core.resources.media import Media
from mdpublish_core.resources.open_xml import Element, qualified
from mdpublish_core.writers.docx.numbering import Numbering
from mdpublish_core.writers.docx.reference import IMAGE_TYPES, CopiedPart, rename_styles
from mdpublish_core.writers.docx.sections import section_copy
from mdpublish_core.writers.docx.styles import StyleSheet
from mdpublish_core.writers.docx.xml import Copies, add, add_with, plain_root, relink, story_root, to_bytes

if TYPE_CHECKING:
    from mdpublish_core.writers.docx.embedded_fonts import EmbeddedFace

_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
_WORD_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml"

_CORE = "docProps/core.xml"
_APP = "docProps/app.xml"

# Of other parts, the last word is the name.
_CONTENT_TYPES: Mapping[str, str] = {
    "word/document.xml": f"{_WORD_TYPE}.document.main+xml",
    "word/theme1.xml": "application/vnd.openxmlformats-officedocument.theme+xml",
    _CORE: "application/vnd.openxmlformats-package.core-properties+xml",
    _APP: "application/vnd.openxmlformats-officedocument.extended-properties+xml",
}

MEDIA_TYPES = {"image/png": "png", "image/jpeg": "jpeg", "image/gif": "gif"}
"""What all versions of Word show."""

_OTHER_TYPES = {"svg": "image/svg+xml", "odttf": "application/vnd.openxmlformats-officedocument.obfuscatedFont"}

# The earliest that a zip can have.
_DATE = (1980, 1, 1, 0, 0, 0)


class Relationships:
    """The relationships of a part: to images and other parts, and to URLs."""

    def __init__(self) -> None:
        self._ids: dict[tuple[str, str, bool], str] = {}

    def add(self, kind: str, target: str, *, is_external: bool = False) -> str:
        return self._ids.setdefault((kind, target, is_external), f"rId{len(self._ids) + 1}")

    def __len__(self) -> int:
        return len(self._ids)

    def part(self) -> Element:
        element = plain_root("rel:Relationships")
        for (kind, target, is_external), name in self._ids.items():
            attributes = {"Id": name, "Type": kind if ":" in kind else f"{_OFFICE}/{kind}", "Target": target}
            if is_external:
                attributes["TargetMode"] = "External"
            add_with(element, "rel:Relationship", attributes)
        return element


class Package:
    """Collects the parts of a file; `body` is that of the document. Counts bytes, about, while they are written."""

    def __init__(self, sheet: StyleSheet, max_bytes: int | None) -> None:
        self.sheet = sheet
        self.numbering = Numbering(sheet.reference)
        self.document = story_root("w:document")
        self.body = add_with(self.document, "w:body", {})
        self.copies = Copies()
        self.relationships = Relationships()
        self.footnote_relationships = Relationships()
        self._section_ends: list[tuple[Element, bool]] = []
        self._copied: set[str] = set()
        self._related = {"document": self.relationships, "footnotes": self.footnote_relationships}
        self.parts: dict[str, Element] = {}
        self._media: dict[str, tuple[str, bytes]] = {}
        self._image_count = 0
        self._max_bytes = max_bytes
        self._bytes = 0

    def end_section(self, paragraph: Element, *, is_landscape: bool) -> None:
        """End a section with a paragraph of the body."""
        self._section_ends.append((paragraph, is_landscape))

    def resume_landscape(self, paragraph: Element) -> bool:
        """Go on with the section that ends with a paragraph, if it is in landscape."""
        is_end = bool(self._section_ends) and self._section_ends[-1] == (paragraph, True)
        if is_end:
            self._section_ends.pop()
        return is_end

    def is_in_landscape(self, story: Element) -> bool:
        """Return whether a story ends in landscape."""
        return len(story) > 0 and self._section_ends[-1:] == [(story[-1], True)]

    def write_sections(self, section: Element) -> None:
        """Write the properties of the last section, and the same ones for the others, some of them in landscape."""
        is_landscape = self.is_in_landscape(self.body) and self._section_ends.pop()[1]
        for number, (paragraph, turned) in enumerate(self._section_ends):
            properties = paragraph.find(qualified("w:pPr"))
            if properties is None:
                properties = add(paragraph, "w:pPr")
                paragraph.insert(0, properties)
            properties.append(section_copy(section, is_landscape=turned, is_first=number == 0))
        is_first = not self._section_ends
        self.body.append(section_copy(section, is_landscape=is_landscape, is_first=is_first))

    def spend(self, count: int) -> None:
        """Count bytes, so that a hostile document does not fill the memory. Raises `LimitExceeded`."""
        self._bytes += count
        self._require(self._bytes)

    def _require(self, size: int) -> None:
        if self._max_bytes is not None and size > self._max_bytes:
            raise LimitExceeded("max_output_bytes", self._max_bytes, size)

    def add_part(self, kind: str, element: Element) -> str:
        """Add a part that the document refers to, such as `styles`, and return the id of the relationship."""
        return self._add_part(kind, f"{kind}1" if kind in {"footer", "theme"} else kind, element)

    def add_copied(self, kind: str, part: CopiedPart) -> str:
        """Add a part of a reference document with its images; there may be several headers."""
        number = 1 + sum(name.startswith(f"word/{kind}") for name in self.parts)
        name = f"{kind}{number}" if kind in {"footer", "header", "theme"} else kind
        relationships = self._related[name] = Relationships()
        ids = {}
        for key, (suffix, content) in part.images.items():
            image = f"media/reference{sha256(content).hexdigest()[:16]}.{suffix}"
            self._media[image] = image, content
            ids[key] = relationships.add("image", image)
        relink(part.element, ids)
        self._copied.add(f"word/{name}.xml")
        return self._add_part(kind, name, part.element)

    def add_styles(self, ours: Element, lang: str | None) -> None:
        """Add the styles after those of a reference document; other parts must be there. `lang` is the author's."""
        if self.sheet.reference:
            ours, ids = self.sheet.reference.merge_styles(ours, lang)
            for name, element in {"": self.document, **self.parts}.items():
                if name not in self._copied:
                    rename_styles(element, ids)
        self.add_part("styles", ours)

    def add_numbering(self) -> None:
        """Add the lists, after those of a reference document."""
        reference = self.sheet.reference
        copied = reference.parts.get("numbering") if reference else None
        if copied:
            self.add_copied("numbering", CopiedPart(self.numbering.part(), copied.images))
        elif self.numbering.is_used:
            self.add_part("numbering", self.numbering.part())

    def _add_part(self, kind: str, name: str, element: Element) -> str:
        self.parts[f"word/{name}.xml"] = element
        return self.relationships.add(kind, f"{name}.xml")

    def add_image(self, media: Media, relationships: Relationships) -> tuple[int, str]:
        """Add an image of one of `MEDIA_TYPES`; return its number and relationship id. Equal images are one part."""
        self._image_count += 1
        suffix = MEDIA_TYPES[media.media_type]
        if media.content_id not in self._media:
            self._media[media.content_id] = f"media/image{len(self._media) + 1}.{suffix}", media.data
        return self._image_count, relationships.add("image", self._media[media.content_id][0])

    def add_svg(self, content: bytes, relationships: Relationships) -> str:
        """Add what a picture shows in Word 2016 and later; return the relationship's id."""
        name = f"media/image{sha256(content).hexdigest()[:16]}.svg"
        self.spend(len(content))
        self._media[name] = name, content
        return relationships.add("image", name)

    def has(self, matches: Callable[[str], bool]) -> bool:
        """Return whether the text of any part does."""
        return any(matches("".join(map(str, part.itertext()))) for part in (self.document, *self.parts.values()))

    def embed_fonts(self, faces: Mapping[str, "Sequence[EmbeddedFace]"]) -> None:
        """Add fonts to the table of fonts, in place of those of their names."""
        relationships = self._related.setdefault("fontTable", Relationships())
        table = self.parts["word/fontTable.xml"]
        known = {font.get(qualified("w:name")): font for font in table.findall(qualified("w:font"))}
        for family, of_family in faces.items():
            font = known[family] if family in known else add(table, "w:font", name=family)
            for face in of_family:
                name = f"fonts/font{len(relationships) + 1}.odttf"
                self.spend(len(face.content))
                self._media[name] = name, face.content
                attributes = {"r:id": relationships.add("font", name), "w:fontKey": face.key}
                add_with(font, f"w:embed{face.slot}", attributes)

    def to_bytes(self, core: Element, app: Element) -> bytes:
        """Return the file; raise `LimitExceeded` if its text is longer than `max_bytes` without compression."""
        parts = {"word/document.xml": self.document, **self.parts, _CORE: core, _APP: app}
        suffixes = sorted({name.rpartition(".")[2] for name, _ in self._media.values()})
        files = {"[Content_Types].xml": _content_types(parts, suffixes), "_rels/.rels": _package_relationships()}
        files |= {name: to_bytes(element) for name, element in parts.items()}
        for name, relationships in self._related.items():
            if len(relationships):
                files[f"word/_rels/{name}.xml.rels"] = to_bytes(relationships.part())
        self._require(sum(map(len, files.values())))
        output = BytesIO()
        with ZipFile(output, "w") as archive:
            for name, content in files.items():
                archive.writestr(_entry(name, ZIP_DEFLATED), content)
            for name, data in self._media.values():
                compression = ZIP_DEFLATED if name.endswith((".svg", ".odttf")) else ZIP_STORED
                archive.writestr(_entry(f"word/{name}", compression), data)
        return output.getvalue()


def _entry(name: str, compression: int) -> ZipInfo:
    entry = ZipInfo(name, _DATE)
    entry.compress_type = compression
    # As on Unix, whatever the system.
    entry.create_system = 3
    entry.external_attr = 0o644 << 16
    return entry


def _content_types(parts: Mapping[str, Element], suffixes: Iterable[str]) -> bytes:
    element = plain_root("ct:Types")
    defaults = {"rels": "application/vnd.openxmlformats-package.relationships+xml", "xml": "application/xml"}
    defaults |= {suffix: media_type for media_type, suffix in MEDIA_TYPES.items()}
    defaults |= {suffix: {**IMAGE_TYPES, **_OTHER_TYPES}[suffix] for suffix in suffixes}
    for suffix, media_type in defaults.items():
        add_with(element, "ct:Default", {"Extension": suffix, "ContentType": media_type})
    for name in parts:
        add_with(element, "ct:Override", {"PartName": f"/{name}", "ContentType": _content_type(name)})
    return to_bytes(element)


def _content_type(name: str) -> str:
    kind = name.rpartition("/")[2].removesuffix(".xml").rstrip("0123456789")
    return _CONTENT_TYPES.get(name) or f"{_WORD_TYPE}.{kind}+xml"


def _package_relationships() -> bytes:
    relationships = Relationships()
    relationships.add("officeDocument", "word/document.xml")
    relationships.add(f"{_PACKAGE}/metadata/core-properties", _CORE)
    relationships.add("extended-properties", _APP)
    return to_bytes(relationships.part())
