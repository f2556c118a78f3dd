"""Labels as plain text.

https://graphviz.org/docs/attr-types/escString/, https://graphviz.org/doc/info/shapes.html
"""

import re
from html import unescape

from mdpublish_core.figures.graphviz.bindings import EDGE, NODE, Graph, Item, endpoints

MAX_CHARACTERS = 1_000  # of a label

_RECORDS = frozenset({"record", "Mrecord"})

_HTML_END = re.compile(r"<(?:br|/td|/tr|hr|vr)\b[^>]*>", re.IGNORECASE)
_HTML_TAG = re.compile(r"<[^>]*>")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_PORT = re.compile(r"<(?:[^>\\]|\\.)*>")
_FIELD_END = re.compile(r"(?<!\\)[{}|]")


def label_text(item: Item, name: str, *, html_labels: frozenset[str], with_html: bool = True) -> str:
    """Return one line; empty if the label is HTML and `with_html` is false."""
    value = item.get(name)
    if value in html_labels:
        return _html_text(value[:MAX_CHARACTERS]) if with_html else ""
    value = value[:MAX_CHARACTERS]
    if item.kind == NODE and name == "label" and item.get("shape") in _RECORDS:
        value = _FIELD_END.sub(" ", _PORT.sub(" ", value))
    return " ".join(unescape(_ESCAPE.sub(lambda match: _escaped(item, match[1]), value)).split())


def node_text(node: Item, *, html_labels: frozenset[str]) -> str:
    return label_text(node, "label", html_labels=html_labels) or node.name


def _html_text(value: str) -> str:
    return " ".join(unescape(_HTML_TAG.sub("", _HTML_END.sub(" ", value))).split())


def _escaped(item: Item, escape: str) -> str:
    if escape in "nlr":
        return " "
    if escape == "N" and item.kind == NODE:
        return item.name
    if escape == "G" and isinstance(item, Graph):
        return item.name
    if escape in "ETH" and item.kind == EDGE:
        tail, head = endpoints(item)
        return {"T": tail.name, "H": head.name}.get(escape, f"{tail.name} {head.name}")
    return "" if escape in "NGETHL" else escape
