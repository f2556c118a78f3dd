"""Word files as other programs read them: the parts, python-docx's view, pandoc's text, and what the schemas allow."""

import subprocess
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import docx
import pypandoc  # type: ignore[import-untyped]  # it has no types, and one function is called
from lxml import etree
from openxml_audit import OpenXmlValidator  # type: ignore[import-untyped]  # it has no types, and one class is used

from mdpublish_core.resources.open_xml import NAMESPACES

NAMES = {prefix: NAMESPACES[prefix] for prefix in ("w", "r", "m", "w14", "wp", "a")}


class WordParts:
    """The parts of a file, as XML."""

    def __init__(self, content: bytes) -> None:
        with ZipFile(BytesIO(content)) as archive:
            self.files = {name: archive.read(name) for name in archive.namelist()}
        self.document = etree.fromstring(self.files["word/document.xml"])

    def part(self, name: str) -> etree._Element:
        return etree.fromstring(self.files[f"word/{name}.xml"])

    def find(self, path: str, part: str = "document") -> list[etree._Element]:
        elements = self.part(part).xpath(path, namespaces=NAMES)
        assert isinstance(elements, list)
        return [element for element in elements if isinstance(element, etree._Element)]

    def values(self, path: str, part: str = "document", name: str = "val") -> list[str]:
        """An attribute of elements."""
        return [str(element.get(f"{{{NAMES['w']}}}{name}")) for element in self.find(path, part)]


def opened(content: bytes) -> "docx.document.Document":
    """Return python-docx's view."""
    return docx.Document(BytesIO(content))


def invalid(content: bytes, folder: Path) -> list[str]:
    """Return violations of Office's schemas, except list 0, which is none by ECMA-376-1, 17.9.18."""
    file = folder / "validated.docx"
    file.write_bytes(content)
    return [
        f"{error.part_uri} {error.path}: {error.description}"
        for error in OpenXmlValidator().validate(str(file)).errors
        if error.description != "Numbering definition '0' referenced but not found"
    ]


def pandoc_reads(content: bytes, folder: Path, form: str = "plain") -> str:
    file = folder / "read.docx"
    file.write_bytes(content)
    command = [pypandoc.get_pandoc_path(), "-f", "docx", "-t", form, "--wrap=none", str(file)]
    return subprocess.run(command, capture_output=True, check=True, text=True, timeout=60).stdout


def style_names(content: bytes) -> list[str | None]:
    """Return the names of the paragraphs' styles."""
    return [paragraph.style.name if paragraph.style else None for paragraph in opened(content).paragraphs]


def visible(content: bytes) -> str:
    return "".join(map(str, WordParts(content).document.itertext()))
