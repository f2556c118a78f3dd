"""Keys: `++ctrl+alt+del++`, in which quotes are around what has no name. Source: PyMdown Extensions, "Keys"."""

from collections.abc import Mapping

from mdpublish_core.data_files import read_table
from mdpublish_core.nodes import open_nodes as nodes
from mdpublish_core.strings.lazy_patterns import compile_lazily

_KEY = r"(?:[a-z0-9][a-z0-9-]*|\"[^\"\n]+\")"
_KEYS = compile_lazily(rf"\+\+({_KEY}(?:\+{_KEY})*)\+\+(?!\+)")
_EACH_KEY = compile_lazily(_KEY)

_LABELS: Mapping[str, str] = dict(read_table(__file__, "keys.tsv"))
"""Labels that are not their names with capitals."""


def label_of_key(name: str) -> str:
    if name[:1] == '"':
        return name.strip('"')
    return _LABELS.get(name) or " ".join(word.capitalize() for word in name.split("-"))


def name_of_key(label: str) -> str:
    name = "-".join(label.lower().split())
    return name if _EACH_KEY.fullmatch(name) and label_of_key(name) == label else f'"{label}"'


def read_keys(source: str, start: int) -> tuple[list[str | nodes.Token], int] | None:
    """Return keys with signs between them, and their end."""
    if not (match := _KEYS.match(source, start)):
        return None
    items: list[str | nodes.Token] = []
    for name in _EACH_KEY.findall(match[1]):
        items += ["+"] * bool(items)
        items.append(nodes.HtmlElement("kbd", {}, [nodes.RawText(label_of_key(name))]))
    return items, match.end()
