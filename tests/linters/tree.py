"""An HTML tree with parents."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from xml.etree import ElementTree as ET

import html5lib

from tests.linters.css import Declaration, declarations

COMMENT = "#comment"

# For control characters and noncharacters, which are harmless.
_CHARACTER_ERRORS = frozenset({"invalid-codepoint"})


@dataclass(eq=False)
class Node:
    tag: str
    attributes: dict[str, str]
    parent: "Node | None"
    children: list["Node | str"] = field(default_factory=list)

    @cached_property
    def declarations(self) -> list[Declaration]:
        return declarations(self.attributes.get("style", ""))

    @cached_property
    def style(self) -> dict[str, str]:
        return {declaration.name: declaration.value for declaration in self.declarations}

    @property
    def elements(self) -> list["Node"]:
        return [child for child in self.children if isinstance(child, Node) and child.tag != COMMENT]

    def ancestors(self) -> Iterator["Node"]:
        node = self.parent
        while node is not None:
            yield node
            node = node.parent

    def walk(self) -> Iterator["Node"]:
        pending: list[Node] = [self]
        while pending:
            node = pending.pop()
            yield node
            pending.extend(child for child in reversed(node.children) if isinstance(child, Node))

    def find(self, *tags: str) -> list["Node"]:
        return [node for node in self.walk() if node.tag in tags and node is not self]

    def text_parts(self) -> Iterator[tuple["Node", str]]:
        """Skip comments."""
        pending: list[tuple[Node, Node | str]] = [(self, self)]
        while pending:
            holder, child = pending.pop()
            if isinstance(child, str):
                yield holder, child
            elif child.tag != COMMENT:
                pending.extend((child, grandchild) for grandchild in reversed(child.children))

    def text_content(self) -> str:
        return "".join(piece for _, piece in self.text_parts())

    def __str__(self) -> str:
        return f"<{self.tag}>"


def parse_document(html: str) -> tuple[Node, list[str]]:
    """Return `html` and html5lib's errors."""
    parser = html5lib.HTMLParser(namespaceHTMLElements=False)
    return _node(parser.parse(html)), _errors(parser)


def parse_fragment(html: str) -> tuple[Node, list[str]]:
    """Return a `div` around the content, and html5lib's errors."""
    parser = html5lib.HTMLParser(namespaceHTMLElements=False)
    root = _node(parser.parseFragment(html))
    root.tag = "div"
    return root, _errors(parser)


def parse_xml(source: str) -> Node:
    builder = ET.TreeBuilder(insert_comments=True)
    return _node(ET.fromstring(source, parser=ET.XMLParser(target=builder)))


def _errors(parser: html5lib.HTMLParser) -> list[str]:
    return [
        f"not well-formed: {code} at line {line}, column {column}"
        for (line, column), code, _ in parser.errors
        if code not in _CHARACTER_ERRORS
    ]


def _node(root: ET.Element) -> Node:
    """Iterate, because the tree may be deep."""
    top = _empty_node(root, None)
    pending = [(root, top)]
    while pending:
        element, node = pending.pop()
        _append_text(node, element.text)
        for child in element:
            below = _empty_node(child, node)
            node.children.append(below)
            pending.append((child, below))
            _append_text(node, child.tail)
    return top


def _empty_node(element: ET.Element, parent: Node | None) -> Node:
    # A comment's tag is a function, which the types omit.
    name: object = element.tag
    tag = name if isinstance(name, str) else COMMENT
    return Node(tag.rpartition("}")[2], {str(name): str(value) for name, value in element.attrib.items()}, parent)


def _append_text(node: Node, content: str | None) -> None:
    if content:
        node.children.append(content)
