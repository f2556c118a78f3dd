"""The text form: a drawing if it is true, else a list of statements."""

import html
import re
from collections.abc import Iterable, Mapping

from wcwidth import wcswidth

from mdpublish_core.figures.ascii_art import is_true
from mdpublish_core.figures.mermaid.models import Model
from mdpublish_core.figures.outlines import MAX_LINES, wrap
from mdpublish_core.figures.request import MAX_COLUMNS

_MAX_DRAWN_EDGES = 30
"""Drawings of more are too large."""

_ENDS = re.compile(r"[ \t]+$", re.MULTILINE)

# Lines of styles have colors, such as `#123456;`.
_ENTITY_CODE = re.compile(
    r"^[ \t]*(?:style|classDef|linkStyle)\b.*$|(?:#|&#?)(\d{1,7}|[A-Za-z]\w{1,31});", re.MULTILINE
)

_FIRST_STAND_IN, _LAST_STAND_IN = 0xE100, 0xF8FF
"""Range of Unicode's private characters; the first ones have another use."""


def choose_text(model: Model, variants: Iterable[str]) -> str | None:
    """Return the first drawing that shows the model and nothing else, or the model's statements; None if too long."""
    graph = model.graph
    # Drawings of groups leave much space between boxes.
    if graph is not None and not graph.groups and 0 < len(graph.edges) <= _MAX_DRAWN_EDGES:
        for art in map(normalize_ascii_art, variants):
            if art is not None and is_true(art, graph):
                return "\n".join((*wrap(model.outline.title), "", art)) if model.outline.title else art
    return model.outline.plain_text()


def normalize_ascii_art(output: str) -> str | None:
    """Strip the margins; return None if empty, too long or too wide."""
    lines = _ENDS.sub("", output).strip("\n").split("\n")
    indent = min((len(line) - len(line.lstrip(" ")) for line in lines if line), default=0)
    lines = [line[indent:] for line in lines]
    if len(lines) > MAX_LINES or not any(lines) or any(not 0 <= wcswidth(line) <= MAX_COLUMNS for line in lines):
        return None
    return "\n".join(lines)


def without_entity_codes(content: str) -> tuple[str, Mapping[int, str]]:
    """Replace codes such as `#59;` and `&lt;`, which merman re-encodes; return what to replace in its output."""
    stand_ins: dict[str, str] = {}

    def replace(match: re.Match[str]) -> str:
        code = match[1]
        if code is None:
            return match[0]
        character = html.unescape(f"&#{code};" if code.isdecimal() else f"&{code};")
        free = _FIRST_STAND_IN + len(stand_ins)
        # Another character would move the lines beside it.
        if wcswidth(character) != 1 or free > _LAST_STAND_IN:
            return match[0]
        return stand_ins.setdefault(character, chr(free))

    replaced = _ENTITY_CODE.sub(replace, content)
    return replaced, {ord(stand_in): character for character, stand_in in stand_ins.items()}
