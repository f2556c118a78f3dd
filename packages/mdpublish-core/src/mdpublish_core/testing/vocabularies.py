"""Allow-lists for each destination's HTML. Anything else was injected by an author."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from xml.etree.ElementTree import Element

import html5lib

from mdpublish_core.data_files import read_names
from mdpublish_core.resources.known_elements import VOID_TAGS
from mdpublish_core.resources.urls import is_image_data_url, is_safe_url

_URL_ATTRIBUTES = frozenset({"cite", "href", "src"})

_AROUND = frozenset({"html", "head", "body"})
"""What a parser adds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Vocabulary:
    """An allow-list for a destination's HTML.

    `prefixes` and `property_prefixes` allow classes and properties by prefix. `cid` allows `cid:` URLs of images,
    used in email and on the clipboard.
    """

    elements: frozenset[str]
    attributes: frozenset[str]
    properties: frozenset[str] = frozenset()
    classes: frozenset[str] = frozenset()
    prefixes: tuple[str, ...] = ()
    property_prefixes: tuple[str, ...] = ()
    cid: bool = False

    def violations(self, html: str) -> Iterator[str]:
        """Yield everything in `html`, as parsed by a browser, that is not allowed."""
        for element in html5lib.parse(html, namespaceHTMLElements=False).iter():
            if isinstance(element.tag, str):
                yield from self._element_violations(element)

    def _element_violations(self, element: Element) -> Iterator[str]:
        # html5lib adds a namespace to SVG and MathML only.
        namespace, _, tag = str(element.tag).rpartition("}")
        known = self.elements & _FOREIGN.get(namespace, frozenset()) if namespace else self.elements | _AROUND
        if tag not in known:
            yield f"<{element.tag}>"
        if element.tag in VOID_TAGS and len(element):
            yield f"<{element.tag}> with content"
        for name, value in element.attrib.items():
            yield from self._attribute_violations(element.tag, str(name), value)

    def _attribute_violations(self, tag: str, name: str, value: str) -> Iterator[str]:
        if name not in self.attributes:
            yield f"<{tag} {name}>"
        elif name in _URL_ATTRIBUTES:
            is_image = name == "src" and (is_image_data_url(value) or (self.cid and value.startswith("cid:")))
            if not (is_safe_url(value) or is_image):
                yield f"<{tag} {name}={value!r}>"
        elif name == "class":
            unknown = [
                word
                for word in re.split(r"[ \t\n\f\r]+", value)
                if word and word not in self.classes and not word.startswith(self.prefixes)
            ]
            yield from (f"<{tag} class={word!r}>" for word in unknown)
        elif name == "style":
            yield from (f"<{tag} style={problem!r}>" for problem in self._style_violations(value))

    def _style_violations(self, style: str) -> Iterator[str]:
        for declaration in style.split(";"):
            name, colon, value = (part.strip().lower() for part in declaration.partition(":"))
            if colon and name not in self.properties and not name.startswith(self.property_prefixes):
                yield name
            if any(word in value for word in ("url(", "expression(", "javascript:", "<", "\\")):
                yield declaration


def _vocabulary(fields: Mapping[str, str]) -> Vocabulary:
    elements, attributes, properties, classes, prefixes, property_prefixes = (
        fields.get(name, "").split()
        for name in ("elements", "attributes", "properties", "classes", "prefixes", "property_prefixes")
    )
    return Vocabulary(
        elements=frozenset(elements),
        attributes=frozenset(attributes),
        properties=frozenset(properties),
        classes=frozenset(classes),
        prefixes=tuple(prefixes),
        property_prefixes=tuple(property_prefixes),
        cid="cid" in fields,
    )


_TABLES = read_names(__file__, "vocabularies.tsv")

_FOREIGN = {namespace: frozenset(names.split()) for namespace, names in _TABLES["foreign"].items()}

VOCABULARIES = {name: _vocabulary(fields) for name, fields in _TABLES.items() if name != "foreign"}
"""Allow-lists of the destinations whose output is HTML."""
