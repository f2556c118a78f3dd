"""Builds the XML of the parts. Only lxml writes markup, so no author's text can become any."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from copy import copy
from typing import cast

from lxml import etree

from mdpublish_core.resources.characters import replace_invalid
from mdpublish_core.resources.open_xml import NAMESPACES, Element, qualified

_STORY_PREFIXES = ("w", "r", "m", "mc", "w14", "wp", "a", "pic")


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


class Copies:
    """Elements that a part has again and again: the first of a key is written, which takes six times as long as a copy."""

    def __init__(self) -> None:
        self._first: dict[Hashable, Element | None] = {}

    def append(self, parent: Element, key: Hashable, write: Callable[[Element], object]) -> Element | None:
        """Append what `write` does, an element or nothing, and return it."""
        if key in self._first:
            first = self._first[key]
            if first is None:
                return None
            element = copy(first)
            parent.append(element)
            return element
        before = len(parent)
        write(parent)
        written = parent[-1] if len(parent) > before else None
        self._first[key] = None if written is None else copy(written)
        return written


def add_with(parent: Element, name: str, attributes: Mapping[str, str | int]) -> Element:
    """Append an element with attributes of any namespace."""
    return etree.SubElement(
        parent, qualified(name), {qualified(key): replace_invalid(str(value)) for key, value in attributes.items()}
    )


def add_text(parent: Element, name: str, content: str) -> Element:
    """Append an element of text, whose white space counts."""
    element = etree.SubElement(parent, qualified(name))
    element.text = replace_invalid(content)
    if name.startswith("w:") and keeps_space(content):
        element.set(qualified("xml:space"), "preserve")
    return element


def keeps_space(content: str) -> bool:
    """Whether programs would drop white space of a text."""
    return "  " in content or content != content.strip()


def insert_after(parent: Element, names: Sequence[str], elements: Iterable[Element]) -> None:
    """Insert elements after the last child that has one of `names`, at the start if there is none."""
    known = set(map(qualified, names))
    place = max((number for number, child in enumerate(parent, start=1) if child.tag in known), default=0)
    parent[place:place] = list(elements)


def parse(markup: str) -> Element:
    """Parse markup of our own, such as that of a formula."""
    return etree.fromstring(markup, etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True))


def relink(element: Element, ids: Mapping[str, str]) -> None:
    """Replace the ids of relationships."""
    for each in element.iter():
        for key in map(str, each.attrib):
            if key.startswith(f"{{{NAMESPACES['r']}}}"):
                each.set(key, ids.get(each.get(key, ""), each.get(key, "")))


def to_bytes(element: Element) -> bytes:
    return etree.tostring(element, xml_declaration=True, encoding="UTF-8", standalone=True)
