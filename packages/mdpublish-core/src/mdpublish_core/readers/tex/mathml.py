"""Presentation MathML, as programs put it on the clipboard and into pages, to TeX."""

from lxml import etree

from mdpublish_core.readers.tex.nodes import MAX_NODES, Node
from mdpublish_core.readers.tex.writer import write_tex

_TOKENS = frozenset({"mi", "mn", "mo", "mtext", "ms"})
_RENAMED = {"none": "mrow", "mlabeledtr": "mtr", "ms": "mtext", "semantics": "mrow", "maction": "mrow"}
_TEX_ENCODINGS = frozenset({"application/x-tex", "application/x-latex", "tex", "latex", "text/x-tex"})


def tex_of_mathml(element: etree._Element) -> str:
    """Return the TeX of an element `math`, with or without namespace; its annotation if it has one.

    Raises `ValueError` for what TeX cannot say, and for a formula too large.
    """
    for each in element.iter():
        if local_name(each) == "annotation" and each.get("encoding", "").lower() in _TEX_ENCODINGS:
            annotation = "".join(each.itertext()).strip()
            if annotation:
                return annotation
    root = _read(element)
    root.is_display = "block" in {element.get("display"), element.get("mode")} or element.get("mode") == "display"
    return write_tex(root)


def local_name(element: etree._Element) -> str:
    """Return a name without its namespace, which HTML keeps as a prefix; empty for comments."""
    tag = element.tag
    return tag.rpartition("}")[2].rpartition(":")[2].lower() if isinstance(tag, str) else ""


def _read(element: etree._Element) -> Node:
    holder = Node("mrow")
    stack = [(element, holder.children)]
    count = 0
    while stack:
        source, siblings = stack.pop()
        name = local_name(source)
        if not name or name.startswith("annotation"):
            continue
        count += 1
        if count > MAX_NODES:
            raise ValueError(f"the formula must have at most {MAX_NODES:,} elements; split it")
        attributes = {str(key).rpartition("}")[2].lower(): str(value).strip() for key, value in source.items()}
        node = Node(_RENAMED.get(name, name), attributes=attributes)
        siblings.append(node)
        if name == "mrow" and "border:" in attributes.get("style", ""):
            # Of temml's box.
            node.tag, attributes["notation"] = "menclose", "box"
        inside = list(source)
        if name in _TOKENS and not any(local_name(child).startswith("m") for child in inside):
            node.text = "".join(map(str, source.itertext()))
        elif name == "mfenced":
            stack += reversed(_fenced(node, inside))
        else:
            if name in _TOKENS:
                node.tag = "mrow"
            shown = inside[:1] if name in {"semantics", "maction"} else inside
            stack += [(child, node.children) for child in reversed(shown)]
            if name == "mlabeledtr" and inside:
                inside[0].set("class", "tag")
    return holder.children[0] if holder.children else holder


def _fenced(node: Node, inside: list[etree._Element]) -> list[tuple[etree._Element, list[Node]]]:
    """Make a row of `mfenced`; return what is to be read, and where it goes."""
    node.tag = "mrow"
    separators = "".join(node.attributes.pop("separators", ",").split())
    sides = [
        Node("mo", text=node.attributes.pop(name, sign), attributes={"form": form})
        for name, sign, form in (("open", "(", "prefix"), ("close", ")", "postfix"))
    ]
    for side in sides:
        if not side.text or side.text in "|‖":
            side.attributes["fence"] = "true"
    node.children.append(sides[0])
    places = []
    for index, child in enumerate(inside):
        if index and separators:
            node.children.append(Node("mo", text=separators[min(index, len(separators)) - 1]))
        place = Node("mrow")
        node.children.append(place)
        places.append((child, place.children))
    node.children.append(sides[1])
    return places
