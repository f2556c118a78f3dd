"""Presentation MathML, as programs put it on the clipboard and into pages, to TeX."""

from lxml import etree

from mdpublish_core.readers.tex.nodes import Node
from mdpublish_core.readers.tex.writer import write_tex

Element = etree._Element  # noqa: SLF001  (lxml exports no other name for it)

_TOKENS = frozenset({"mi", "mn", "mo", "mtext", "ms"})
_RENAMED = {"none": "mrow", "ms": "mtext", "semantics": "mrow", "maction": "mrow", "mfenced": "mrow"}
_TEX_ENCODINGS = frozenset({"application/x-tex", "application/x-latex", "text/x-tex", "tex", "latex"})


def tex_of_mathml(element: Element) -> str:
    """Return the TeX of an element `math`, with or without namespace; its annotation if it has one.

    Raises `ValueError` for what TeX cannot say, and for a formula too large.
    """
    if annotation := annotation_of(element):
        return annotation
    root = Node("math", is_display=element.get("display", element.get("mode", "")) in {"block", "display"})
    stack = [(child, root.children) for child in reversed(element)]
    while stack:
        stack += reversed(_read(*stack.pop()))
    return write_tex(root)


def annotation_of(element: Element) -> str:
    """Return the TeX that a program left in a formula, or nothing."""
    for each in element.iter("{*}annotation", "mml:annotation"):
        annotation = "".join(map(str, each.itertext())).strip()
        if annotation and each.get("encoding", "").lower() in _TEX_ENCODINGS:
            return annotation
    return ""


def local_name(element: Element) -> str:
    """Return a name without its namespace, which HTML keeps as a prefix; empty for comments."""
    tag: object = element.tag
    return tag.rpartition("}")[2].rpartition(":")[2].lower() if isinstance(tag, str) else ""


def _read(source: Element, siblings: list[Node]) -> list[tuple[Element, list[Node]]]:
    """Add an element's node to its siblings; return what is inside, and where it goes."""
    name = local_name(source)
    if not name or name.startswith("annotation"):
        return []
    attributes = {str(key).rpartition("}")[2].lower(): str(value).strip() for key, value in source.items()}
    node = Node(_RENAMED.get(name, name), attributes=attributes)
    siblings.append(node)
    inside = [child for child in source if local_name(child)]
    if name == "mfenced":
        return _fenced(node, inside)
    if name in _TOKENS and not any(local_name(child).startswith("m") for child in inside):
        node.content = "".join(map(str, source.itertext()))
        return []
    if name in _TOKENS:
        # KaTeX has elements in operators.
        node.tag = "mrow"
    elif name == "mrow" and "border:" in node.get("style"):
        # Of temml's box.
        node.tag, node.attributes["notation"] = "menclose", "box"
    return [(child, node.children) for child in (inside[:1] if name in {"semantics", "maction"} else inside)]


def _fenced(node: Node, inside: list[Element]) -> list[tuple[Element, list[Node]]]:
    separators = "".join(node.attributes.pop("separators", ",").split())
    signs = (node.attributes.pop("open", "("), node.attributes.pop("close", ")"))
    opening, closing = (
        Node("mo", content=sign, attributes={"form": form} | ({"fence": "true"} if sign in {"", "|", "‖"} else {}))
        for sign, form in zip(signs, ("prefix", "postfix"), strict=True)
    )
    places = [Node("mrow") for _ in inside]
    for index, place in enumerate(places):
        node.children += [Node("mo", content=separators[: index + 1][-1:]), place] if index else [opening, place]
    node.children.append(closing)
    return [(child, place.children) for child, place in zip(inside, places, strict=True)]
