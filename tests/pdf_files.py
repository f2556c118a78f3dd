"""What a reader of PDFs finds: text, tags with their alternatives, links and bookmarks, by pypdf."""

from collections.abc import Iterator
from io import BytesIO
from typing import Any, NamedTuple

from pypdf import PdfReader


class Tag(NamedTuple):
    """An element of the structure tree, in the order of reading, with its attributes by name."""

    kind: str
    alt: str | None
    attributes: dict[str, Any]
    path: tuple[str, ...]


def reader_of(content: bytes) -> PdfReader:
    return PdfReader(BytesIO(content), strict=True)


def text_of(content: bytes) -> str:
    return "\n".join(page.extract_text() for page in reader_of(content).pages)


def tags_of(content: bytes) -> list[Tag]:
    root: Any = reader_of(content).trailer["/Root"]
    return list(_tags(root["/StructTreeRoot"]["/K"], ()))


def links_of(content: bytes) -> list[str]:
    """Return the targets of links: URLs, and names in the document."""
    annotations = [each.get_object() for page in reader_of(content).pages for each in page.get("/Annots", ())]
    return [str(each["/A"]["/URI"] if "/A" in each else each["/Dest"]) for each in annotations]


def bookmarks_of(content: bytes) -> list[str]:
    return list(_titles(reader_of(content).outline))


def _tags(kids: Any, path: tuple[str, ...]) -> Iterator[Tag]:
    pending = [(kids, path)]
    while pending:
        kid, path = pending.pop()
        if isinstance(kid, list):
            pending += ((each, path) for each in reversed(kid))
            continue
        element = kid.get_object() if not isinstance(kid, int) else {}
        if isinstance(element, list):
            pending.append((element, path))
        elif "/S" in element:
            attributes = {key[1:]: value for key, value in element.get("/A", {}).items()}
            yield Tag(element["/S"][1:], element.get("/Alt"), attributes, path)
            pending.append((element.get("/K", []), (*path, element["/S"][1:])))


def _titles(entries: Any) -> Iterator[str]:
    for entry in entries:
        if isinstance(entry, list):
            yield from _titles(entry)
        else:
            yield entry.title
