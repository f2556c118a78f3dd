"""Builds the XML of the parts. Only lxml writes markup, so no author's text can become any."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import cast

from lxml import etree

from mdpublish_core.resources.characters import replace_invalid

NAMESPACES: Mapping[str, str] = {
    "w": "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
    "r": "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
    "m": "http://schemas.openxmlformats.org/officeDocument/2006/math",
    "mc": "http://schemas.openxmlformats.org/markup-compatibility/2006",
    "w14": "http://schemas.microsoft.com/office/word/2010/wordml",
    "wp": "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing",
    "a": "http://schemas.openxmlformats.org/drawingml/2006/main",
    "asvg": "http://schemas.microsoft.com/office/drawing/2016/SVG/main",
    "pic": "http://schemas.openxmlformats.org/drawingml/2006/picture",
    "cp": "http://schemas.openxmlformats.org/package/2006/metadata/core-properties",
    "dc": "http://purl.org/dc/elements/1.1/",
    "dcterms": "http://purl.org/dc/terms/",
    "xsi": "http://www.w3.org/2001/XMLSchema-instance",
    "xml": "http://www.w3.org/XML/1998/namespace",
    "ct": "http://schemas.openxmlformats.org/package/2006/content-types",
    "rel": "http://schemas.openxmlformats.org/package/2006/relationships",
    "ep": "http://schemas.openxmlformats.org/officeDocument/2006/extended-properties",
}
"""ECMA-376-1, transitional, and Word's own for checkboxes."""

Element = etree._Element  # noqa: SLF001 (lxml exports no other name for it)

_STORY_PREFIXES = ("w", "r", "m", "mc", "w14", "wp", "a", "pic")


@lru_cache(maxsize=1024)
def qualified(name: str) -> str:
    """Return lxml's name of `prefix:name`."""
    prefix, colon, local = name.partition(":")
    return f"{{{NAMESPACES[prefix]}}}{local}" if colon else name


def root(name: str, *prefixes: str) -> Element:
    """Return the root of a part, which declares its own prefix and `prefixes`."""
    declared = {prefix: NAMESPACES[prefix] for prefix in (name.partition(":")[0], *prefixes)}
    return etree.Element(qualified(name), nsmap=declared)


def plain_root(name: str) -> Element:
    """Return a root whose namespace is the default one."""
    # The stubs do not know of the default namespace.
    declared = cast("Mapping[str, str]", {None: NAMESPACES[name.partition(":")[0]]})
    return etree.Element(qualified(name), nsmap=declared)


def story_root(name: str) -> Element:
    """Return the root of a part with text, which may hold checkboxes."""
    element = root(name, *_STORY_PREFIXES)
    element.set(qualified("mc:Ignorable"), "w14")
    return element


def add(parent: Element, name: str, /, **values: str | int | None) -> Element:
    """Append an element with attributes in its namespace `w`, without those that are None."""
    attributes = {
        qualified(f"w:{key}"): replace_invalid(value) if isinstance(value, str) else str(value)
        for key, value in values.items()
        if value is not None
    }
    return etree.SubElement(parent, qualified(name), attributes)


def add_with(parent: Element, name: str, attributes: Mapping[str, str | int]) -> Element:
    """Append an element with attributes of any namespace."""
    return etree.SubElement(
        parent, qualified(name), {qualified(key): replace_invalid(str(value)) for key, value in attributes.items()}
    )


def add_text(parent: Element, name: str, content: str) -> Element:
    """Append an element of text, whose white space counts."""
    element = etree.SubElement(parent, qualified(name))
    element.text = replace_invalid(content)
    if name.startswith("w:") and ("  " in content or content != content.strip()):
        element.set(qualified("xml:space"), "preserve")
    return element


def insert_after(parent: Element, names: Sequence[str], elements: Iterable[Element]) -> None:
    """Insert elements after the last child that has one of `names`, at the start if there is none."""
    known = set(map(qualified, names))
    place = max((number for number, child in enumerate(parent, start=1) if child.tag in known), default=0)
    parent[place:place] = list(elements)


def parse(markup: str) -> Element:
    """Parse markup of our own, such as that of a formula."""
    return etree.fromstring(markup, etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True))


def parse_foreign(content: bytes) -> Element:
    """Parse a stranger's part, without comments. Raises `ValueError` for a document type declaration, which could have entities."""
    parser = etree.XMLParser(
        resolve_entities=False, load_dtd=False, no_network=True, huge_tree=False, remove_comments=True, remove_pis=True
    )
    try:
        element = etree.fromstring(content, parser)
    except etree.XMLSyntaxError as error:
        raise ValueError(f"broken XML: {error.msg}") from None
    if element.getroottree().docinfo.doctype:  # type: ignore[union-attr]  # the stubs lack it
        raise ValueError("a document type declaration")
    return element


def relink(element: Element, ids: Mapping[str, str]) -> None:
    """Replace the ids of relationships."""
    for each in element.iter():
        for key in map(str, each.attrib):
            if key.startswith(f"{{{NAMESPACES['r']}}}"):
                each.set(key, ids.get(each.get(key, ""), each.get(key, "")))


def split_name(name: str) -> tuple[str, str]:
    """Return the namespace and the local part of lxml's name of an element or attribute."""
    namespace, _, local = name.rpartition("}")
    return namespace[1:], local


def parse_number(value: str | None, default: int) -> int:
    """Return a number of at most nine digits."""
    return int(value) if value and value.isascii() and value.isdigit() and len(value) < 10 else default


def to_bytes(element: Element) -> bytes:
    return etree.tostring(element, xml_declaration=True, encoding="UTF-8", standalone=True)
