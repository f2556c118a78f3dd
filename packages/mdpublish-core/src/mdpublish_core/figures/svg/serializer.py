"""Writes a tree as markup, split where the id prefix is inserted."""

import re
from collections.abc import Iterable

from mdpublish_core.figures.svg.allowlist import NAMESPACE
from mdpublish_core.figures.svg.references import References
from mdpublish_core.figures.svg.sanitizer import SvgNode
from mdpublish_core.html import HtmlWriter

# Not allowed in XML, so never in the input. In URLs, it is percent-encoded and only at the start, where an external
# URL has its scheme.
_CUT = "\0"
_CUTS = re.compile(r'\0|(?<="#)%00(?=-)')


def serialize_parts(root: SvgNode, references: References) -> tuple[str, ...]:
    writer = HtmlWriter()
    for child in root.children:
        _write(child, references, writer)
    return tuple(_CUTS.split(writer.finish()))


def serialize_document(attributes: Iterable[tuple[str, str]], title: str, description: str, inner: str) -> str:
    writer = HtmlWriter()
    writer.start("svg", (("xmlns", NAMESPACE), *attributes))
    for tag, content in (("title", title), ("desc", description)):
        if content:
            writer.start(tag)
            writer.write_text(content)
            writer.end()
    writer.raw(inner)
    writer.end()
    return writer.finish()


def _write(node: SvgNode | str, references: References, writer: HtmlWriter) -> None:
    if isinstance(node, str):
        writer.write_text(node)
    elif node.children:
        writer.start(node.tag, _attributes(node, references))
        for child in node.children:
            _write(child, references, writer)
        writer.end()
    else:
        writer.empty(node.tag, _attributes(node, references))


def _attributes(node: SvgNode, references: References) -> list[tuple[str, str]]:
    name = references.names.get(id(node))
    id_attribute = [("id", f"{_CUT}{name}")] if name else []
    plain = [(name, value) for name, value in node.attributes.items() if name not in node.references]
    return [*id_attribute, *plain, *((name, _reference(node, name, references)) for name in node.references)]


def _reference(node: SvgNode, attribute: str, references: References) -> str:
    target = references.target(node, attribute)
    assert target, f"{attribute} refers to nothing"
    fragment = f"#{_CUT}{references.names[id(target)]}"
    if attribute == "href":
        return fragment
    other = node.attributes[attribute]
    return f"url({fragment}) {other}" if other not in {"", "none"} else f"url({fragment})"
