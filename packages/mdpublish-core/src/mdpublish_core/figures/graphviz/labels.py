"""Labels as plain text.

https://graphviz.org/docs/attr-types/escString/, https://graphviz.org/doc/info/shapes.html
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from html import unescape
from typing import NamedTuple

from mdpublish_core.figures.graphviz.bindings import EDGE, NODE, Graph, Item, endpoints

MAX_CHARACTERS = 1_000  # of a label
_MAX_HTML = 10_000  # with its markup
_MAX_ROWS = 60  # longer texts are not shown

RECORDS = frozenset({"record", "Mrecord"})

_HTML = re.compile(r"<!--.*?(?:-->|\Z)|<(?P<tag>/?\w+)(?P<attributes>[^<>]*)>|[^<]+|<", re.DOTALL)
_HTML_PORT = re.compile(r"""\bport\s*=\s*["']([^"']*)""", re.IGNORECASE)
_HTML_BREAKS = frozenset({"br", "hr", "vr", "td", "/td", "/tr"})
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_RECORD = re.compile(r"<(?P<port>(?:[^>\\]|\\.)*)>|(?P<sign>[{}|])|(?P<words>(?:[^{}|<\\]|\\.)+|.)", re.DOTALL)
_LINE_END = re.compile(r"\\[nlr]|\n")


class Content(NamedTuple):
    """What a node shows: its lines (rows of cells in a record or table), and the words of cells by their port."""

    rows: tuple[str, ...]
    ports: Mapping[str, str]


class _Cell:
    """A cell of a table, or a field of a record, which may have fields of its own."""

    __slots__ = ("fields", "port", "words")

    def __init__(self, port: str = "") -> None:
        self.words, self.port = "", port
        self.fields: list[_Cell] = []

    def leaves(self) -> "Iterator[_Cell]":
        waiting = [self]
        while waiting:
            cell = waiting.pop()
            waiting += reversed(cell.fields)
            if not cell.fields:
                yield cell


def label_text(item: Item, name: str, *, html_labels: frozenset[str], with_html: bool = True) -> str:
    """Return one line; empty if the label is HTML and `with_html` is false."""
    value = item.get(name)
    if value in html_labels:
        return " ".join(_table(value[:_MAX_HTML]).rows)[:MAX_CHARACTERS] if with_html else ""
    return _plain(item, value[:MAX_CHARACTERS])


def node_content(node: Item, *, html_labels: frozenset[str]) -> Content:
    value = node.get("label")
    if value in html_labels:
        return _table(value[:_MAX_HTML])
    if node.get("shape") in RECORDS:
        return _record(node, value[:MAX_CHARACTERS])
    return _content([[_plain(node, value[:MAX_CHARACTERS])]], ())


def node_text(node: Item, *, html_labels: frozenset[str]) -> str:
    """Return all words on one line, or the name of a node without any."""
    return " ".join(node_content(node, html_labels=html_labels).rows) or node.name


def _content(rows: Iterable[Iterable[str]], ports: Iterable[tuple[str, str]]) -> Content:
    lines = (" | ".join(filter(None, row))[:MAX_CHARACTERS] for row in rows)
    return Content(tuple(filter(None, lines))[:_MAX_ROWS], dict(ports))


def _record(node: Item, value: str) -> Content:
    root = _Cell()
    root.fields.append(_Cell())
    opened = [root]
    for token in _RECORD.finditer(value):
        field = opened[-1].fields[-1]
        if token["sign"] == "{":
            field.fields.append(_Cell())
            opened.append(field)
        elif token["sign"] == "}":
            del opened[max(len(opened) - 1, 1) :]
        elif token["sign"]:
            opened[-1].fields.append(_Cell())
        elif token["words"]:
            field.words += token["words"]
        else:
            field.port = token["port"].strip()
    # Braces around all fields stack them.
    fields = root.fields if len(root.fields) > 1 else root.fields[0].fields
    leaves = [leaf for leaf in root.leaves() if leaf.words or leaf.port]
    rows: list[list[str]] = []
    for field in fields or root.fields:
        if field.fields:
            rows.append([_plain(node, leaf.words) for leaf in field.leaves()])
        else:
            rows += ([_plain(node, line)] for line in _LINE_END.split(field.words))
    if fields is root.fields and len(rows) == len(fields) and not any(field.fields for field in fields):
        rows = [[cell for row in rows for cell in row]]
    return _content(rows, ((leaf.port, _plain(node, leaf.words)) for leaf in leaves if leaf.port))


@lru_cache(maxsize=256)
def _table(value: str) -> Content:
    """Read HTML; a table within a cell is part of the cell."""
    rows: list[list[_Cell]] = [[_Cell()]]
    cells: list[_Cell] = []
    opened: list[_Cell] = []
    for token in _HTML.finditer(value):
        tag = (token["tag"] or "").lower()
        if tag == "tr" and not opened:
            rows.append([])
        elif tag == "td":
            port = _HTML_PORT.search(token["attributes"])
            cells.append(_Cell(unescape(port[1]) if port else ""))
            if not opened:
                rows[-1].append(cells[-1])
            opened.append(cells[-1])
        for cell in opened or rows[0]:
            cell.words += token[0] if not tag and not token[0].startswith("<!--") else " " * (tag in _HTML_BREAKS)
        if tag == "/td" and opened:
            opened.pop()
    shown = ([_one_line(cell.words) for cell in row] for row in rows)
    return _content(shown, ((cell.port, _one_line(cell.words)) for cell in cells if cell.port))


def _plain(item: Item, value: str) -> str:
    return _one_line(_ESCAPE.sub(lambda match: _escaped(item, match[1]), value))


def _one_line(words: str) -> str:
    return " ".join(unescape(words).split())


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
