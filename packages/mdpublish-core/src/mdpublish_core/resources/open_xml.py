"""Office Open XML (ECMA-376): names of elements, and bounded reading of the parts of a stranger's file."""

import re
import zlib
from collections.abc import Mapping
from functools import lru_cache
from io import BytesIO
from posixpath import dirname, join, normpath
from typing import NamedTuple
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile

from lxml import etree

from mdpublish_core.data_files import read_table
from mdpublish_core.errors import InvalidFile, InvalidReferenceDoc

NAMESPACES: Mapping[str, str] = dict(read_table(__file__, "open_xml.tsv"))

PREFIXES = {"w": NAMESPACES["w"]}
"""For searches."""

Element = etree._Element  # noqa: SLF001 (lxml exports no other name for it)

FORMULA_MARK = re.compile("_formula([0-9]{1,9})")
"""The name of a bookmark around a formula: it comes back empty if a program lost the formula."""

FORMULAS_MARK = "_formulas"
"""The name of the bookmark of a file whose formulas have bookmarks, so that one without is deleted."""

LINK_FIELD = re.compile(r'\s*HYPERLINK\s+"([^"]*)"(?:\s+\\l\s+"([^"]*)")?')
"""A field that is a link: switches that follow, such as that of a tooltip, are not used."""

_CENTRAL_ENTRY = b"PK\x01\x02"
_OLE = b"\xd0\xcf\x11\xe0"
_IS_ENCRYPTED = 0x1

# ECMA-376-1, strict; its elements are those of the transitional form.
_STRICT_NAMESPACE = re.compile(rb"http://purl\.oclc\.org/ooxml/(\w+)/(\w+)")


@lru_cache(maxsize=1024)
def qualified(name: str) -> str:
    """Return lxml's name of `prefix:name`."""
    prefix, colon, local = name.partition(":")
    return f"{{{NAMESPACES[prefix]}}}{local}" if colon else name


def split_name(name: str) -> tuple[str, str]:
    """Return the namespace and the local part of lxml's name of an element or attribute."""
    namespace, _, local = name.rpartition("}")
    return namespace[1:], local


def parse_number(value: str | None, default: int) -> int:
    """Return a number of at most nine digits."""
    return int(value) if value and value.isascii() and value.isdigit() and len(value) < 10 else default


def value_of(parent: Element | None, path: str) -> str | None:
    """Return `w:val` of an element below `parent`, None without one."""
    element = None if parent is None else parent.find(path, PREFIXES)
    return None if element is None else element.get(qualified("w:val"), "")


def parse_foreign(content: bytes) -> Element:
    """Parse a stranger's part without comments. Raises `ValueError` for a document type, which could have entities."""
    parser = etree.XMLParser(
        resolve_entities=False, load_dtd=False, no_network=True, huge_tree=False, remove_comments=True, remove_pis=True
    )
    try:
        element = etree.fromstring(content, parser)
    except etree.XMLSyntaxError as error:
        if error.code == etree.ErrorTypes.ERR_NO_MEMORY:  # type: ignore[attr-defined]  # the stubs lack it
            raise MemoryError from None
        raise ValueError(f"broken XML: {error.msg}") from None
    if element.getroottree().docinfo.doctype:  # type: ignore[union-attr]  # the stubs lack it
        raise ValueError("a document type declaration")
    return element


class Target(NamedTuple):
    """What a relationship leads to: its kind, such as `image`, and the part's name, or a URL if it is in no file."""

    kind: str
    name: str
    is_external: bool = False


class ArchiveLimits(NamedTuple):
    """Bounds of a file: `file_bytes` as zipped, other sizes uncompressed, for the XML of a part and of all read."""

    file_bytes: int
    part_bytes: int
    total_bytes: int
    tags: int
    entries: int = 2_000


class Archive:
    """A zip of bounded size; names are those of parts. Methods raise `error`, and so does the constructor."""

    def __init__(
        self, content: bytes, limits: ArchiveLimits, error: type[InvalidReferenceDoc] | type[InvalidFile]
    ) -> None:
        self._limits = limits
        self._error = error
        self._total = self._tags = 0
        if len(content) > limits.file_bytes:
            raise error(f"must be at most {limits.file_bytes:,} bytes (got {len(content):,})")
        if content.startswith(_OLE):
            raise error("must be a .docx or .dotx without a password (got an encrypted file, or a .doc)")
        # Before Python makes an object for each.
        if (entries := content.count(_CENTRAL_ENTRY)) > limits.entries:
            raise error(f"must have at most {limits.entries:,} entries in its zip (got {entries:,})")
        try:
            self._zip = ZipFile(BytesIO(content))
        except (BadZipFile, ValueError, NotImplementedError) as problem:
            raise error(f"must be a Word document (.docx or .dotx): {problem}") from None
        self._names = set(self._zip.namelist())

    def read(self, name: str, limit: int = 0) -> bytes | None:
        """Return a part, None if there is none; `limit` is its own, in bytes."""
        if name not in self._names:
            return None
        limit = limit or self._limits.total_bytes
        entry = self._zip.getinfo(name)
        if entry.compress_type not in {ZIP_STORED, ZIP_DEFLATED} or entry.flag_bits & _IS_ENCRYPTED:
            raise self._error(f"has a part that is encrypted or not compressed as usual: {name[:100]!r}")
        try:
            with self._zip.open(entry) as part:
                content = part.read(limit + 1)
        except (BadZipFile, EOFError, NotImplementedError, ValueError, zlib.error) as error:
            raise self._error(f"has a broken part, {name[:100]!r}: {error}") from None
        self._total += len(content)
        for size, allowed, what in (
            (len(content), limit, f"in {name[:100]!r}"),
            (self._total, self._limits.total_bytes, "in the parts that are read"),
        ):
            if size > allowed:
                raise self._error(f"must have at most {allowed:,} bytes {what} without compression; remove its text")
        return content

    def xml(self, name: str, *, takes_strict: bool = False) -> Element | None:
        """Return a part's root, None if there is none; `takes_strict` reads the strict form as the transitional one."""
        if (content := self.read(name, self._limits.part_bytes)) is None:
            return None
        self._tags += content.count(b"<")
        if self._tags > self._limits.tags:
            raise self._error(
                f"must have at most {self._limits.tags:,} tags in the parts that are read; remove its text"
            )
        if takes_strict:
            content = _STRICT_NAMESPACE.sub(rb"http://schemas.openxmlformats.org/\1/2006/\2", content)
        try:
            return parse_foreign(content)
        except ValueError as error:
            raise self._error(f"has in {name[:100]!r} {error}") from None

    def targets(self, name: str, *, takes_external: bool = False) -> dict[str, Target]:
        """Return the relationships of a part to other parts, by id; `""` is the file."""
        folder = dirname(name)
        relationships = self.xml(join(folder, "_rels", f"{name.rpartition('/')[2]}.rels"))
        targets = {}
        for each in [] if relationships is None else relationships:
            is_external = each.get("TargetMode") == "External"
            if not is_external or takes_external:
                target = each.get("Target", "")
                path = target if is_external else normpath(join("/", folder, target)).lstrip("/")
                targets[each.get("Id", "")] = Target(each.get("Type", "").rpartition("/")[2], path, is_external)
        return targets
