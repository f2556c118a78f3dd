"""What a reader of PDFs finds: text, tags with their alternatives, links and bookmarks, by pypdf."""

import re
from collections.abc import Iterator, Sequence
from io import BytesIO
from typing import Any, NamedTuple

from pypdf import PageObject, PdfReader


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


def accessibility_problems(content: bytes) -> list[str]:
    """Return where a file breaks rules of PDF/UA-1 (ISO 14289-1) that a program can test; clauses are in parentheses."""
    root: Any = reader_of(content).trailer["/Root"]
    catalog = {
        "not marked as tagged (5, 7.1)": root.get("/MarkInfo", {}).get("/Marked") != True,  # noqa: E712  (a PDF's boolean)
        "no structure (7.1)": "/StructTreeRoot" not in root,
        "no language (7.2)": not root.get("/Lang"),
        "title not shown (7.1)": root.get("/ViewerPreferences", {}).get("/DisplayDocTitle") != True,  # noqa: E712
        "no title (7.1)": b"<dc:title>" not in root["/Metadata"].get_object().get_data(),
        "not declared (5)": b'pdfuaid:part="1"' not in root["/Metadata"].get_object().get_data(),
    }
    return [problem for problem, holds in catalog.items() if holds] + [
        *_problems_of_tags(tags_of(content)),
        *_problems_of_pages(reader_of(content)),
    ]


_PARENTS = {"LI": {"L"}, "Lbl": {"LI"}, "LBody": {"LI"}, "TR": {"THead", "TBody", "TFoot", "Table"}, "TH": {"TR"}, "TD": {"TR"}}  # fmt: skip


def _problems_of_tags(tags: list[Tag]) -> Iterator[str]:
    level = 0
    for tag in tags:
        if tag.kind in {"Figure", "Formula"} and not tag.alt:
            yield f"{tag.kind} without an alternative (7.3, 7.7)"
        if tag.kind == "TH" and not tag.attributes.get("Scope"):
            yield "TH without a scope (7.5)"
        if tag.kind in _PARENTS and tag.path[-1] not in _PARENTS[tag.kind]:
            yield f"{tag.kind} in {tag.path[-1]} (7.2)"
        if re.fullmatch(r"H\d", tag.kind):
            if int(tag.kind[1]) > level + 1:
                yield f"{tag.kind} after level {level} (7.4.2)"
            level = int(tag.kind[1])


def _problems_of_pages(reader: PdfReader) -> Iterator[str]:
    structure: Any = reader.trailer["/Root"]["/StructTreeRoot"]  # type: ignore[index]
    numbers = structure["/ParentTree"]["/Nums"]
    parents = dict(zip(numbers[::2], (each.get_object() for each in numbers[1::2]), strict=True))
    for number, page in enumerate(reader.pages, 1):
        annotations = [each.get_object() for each in page.get("/Annots", ())]
        if annotations and page.get("/Tabs") != "/S":
            yield f"page {number}: tabs not in the order of the structure (7.18.3)"
        for each in annotations:
            if not each.get("/Contents"):
                yield f"page {number}: link without a description (7.18.5)"
            if parents.get(each.get("/StructParent"), {}).get("/S") != "/Link":
                yield f"page {number}: link outside of the structure (7.18.1)"
        tagged = parents.get(page.get("/StructParents"), ())
        yield from (f"page {number}: {each}" for each in set(_unmarked(page, tagged)))


def _unmarked(page: PageObject, tagged: Sequence[Any]) -> Iterator[str]:
    """Yield what is painted outside of tags and artifacts, for which readers have no place."""
    depth: list[bool] = []
    for arguments, operator in page.get_contents().operations:  # type: ignore[union-attr]
        if operator in {b"BDC", b"BMC"}:
            properties = arguments[1] if len(arguments) > 1 else {}
            number = properties.get("/MCID") if isinstance(properties, dict) else None
            if number is not None and number >= len(tagged):
                yield f"content {number} without a tag (7.1)"
            depth.append(number is not None or arguments[0] == "/Artifact" or any(depth))
        elif operator == b"EMC":
            depth.pop()
        elif operator in {b"Tj", b"TJ"} and not any(depth):
            yield "text that is neither tagged nor an artifact (7.1)"
    resources: Any = page["/Resources"]
    fonts = (each.get_object() for each in resources.get("/Font", {}).values())
    yield from (f"{font['/BaseFont']} without characters (7.21.7)" for font in fonts if "/ToUnicode" not in font)
