"""Parts of links: labels, destinations, titles, and reference definitions.

Each function returns the end of its part, or None. All are linear: labels and parentheses are bounded, and each
pattern stops at the first invalid character. Source: CommonMark 0.31.2, "Links".
"""

import re
from typing import NamedTuple

from mdpublish_core.options.limits import MAX_LABEL_CHARACTERS, MAX_LINK_PARENTHESES
from mdpublish_core.readers.markdown.characters import unescape
from mdpublish_core.strings.lazy_patterns import compile_lazily

_LABEL = compile_lazily(rf"\[((?:[^\\\[\]]|\\.){{1,{MAX_LABEL_CHARACTERS}}})\]", re.DOTALL)
_ANGLE_DESTINATION = compile_lazily(r"<((?:[^<>\n\\]|\\.)*)>")
_DESTINATION_PIECE = compile_lazily(r"(?:[^\x00-\x20\x7f()\\]|\\[!-/:-@\[-`{-~]|\\)*+([()]?)")
_TITLE = compile_lazily(r'"((?:[^"\\]|\\.)*)"|\'((?:[^\'\\]|\\.)*)\'|\(((?:[^()\\]|\\.)*)\)', re.DOTALL)
PLAIN_INLINE = re.compile(r"\(([^\x00-\x20\x7f()<>\\&]*)\)")
"""Fast path: a bare destination without escapes."""

_SPACES = compile_lazily(r"[ \t]*(?:\n[ \t]*)?")
_LINE_END = compile_lazily(r"[ \t]*(?:\n|$)")
_WHITE_SPACE = compile_lazily(r"[ \t\n]+")


class Definition(NamedTuple):
    """A reference's destination and title, and its label as written."""

    target: str
    title: str
    label: str = ""


class LinkPart(NamedTuple):
    """An unescaped part and its end."""

    value: str
    end: int


References = dict[str, Definition]


def normalize_label(label: str) -> str:
    if " " in label or "\n" in label or "\t" in label:
        label = _WHITE_SPACE.sub(" ", label.strip(" \t\n"))
    return label.casefold()


def read_label(source: str, position: int) -> LinkPart | None:
    """Read `[label]`, not unescaped: labels match as written."""
    match = _LABEL.match(source, position)
    return LinkPart(match[1], match.end()) if match else None


def read_destination(source: str, position: int) -> LinkPart | None:
    if source.startswith("<", position):
        match = _ANGLE_DESTINATION.match(source, position)
        return LinkPart(unescape(match[1]), match.end()) if match else None
    depth = 0
    end = position
    while piece := _DESTINATION_PIECE.match(source, end):
        parenthesis = piece[1]
        end = piece.end()
        if not parenthesis:
            break
        depth += 1 if parenthesis == "(" else -1
        if depth < 0:
            end -= 1
            break
        if depth > MAX_LINK_PARENTHESES:
            return None
    return LinkPart(unescape(source[position:end]), end) if depth <= 0 else None


def read_title(source: str, position: int) -> LinkPart | None:
    if not (match := _TITLE.match(source, position)):
        return None
    return LinkPart(unescape(match[match.lastindex or 0]), match.end())


def read_inline(source: str, position: int) -> tuple[str, str, int] | None:
    position = _SPACES.match(source, position + 1).end()  # type: ignore[union-attr]
    if (destination := read_destination(source, position)) is None:
        return None
    spaces = _SPACES.match(source, destination.end).end()  # type: ignore[union-attr]
    title = read_title(source, spaces) if spaces > destination.end else None
    end = _SPACES.match(source, title.end).end() if title else spaces  # type: ignore[union-attr]
    if not source.startswith(")", end):
        return None
    return destination.value, title.value if title else "", end + 1


def read_definitions(source: str, references: References, position: int = 0) -> int:
    while source.startswith("[", position):
        if (end := _read_definition(source, position, references)) is None:
            break
        position = end
    return position


def _read_definition(source: str, position: int, references: References) -> int | None:
    label = read_label(source, position)
    if label is None or not source.startswith(":", label.end):
        return None
    start = _SPACES.match(source, label.end + 1).end()  # type: ignore[union-attr]
    destination = read_destination(source, start)
    if destination is None or destination.end == start:
        return None
    spaces = _SPACES.match(source, destination.end).end()  # type: ignore[union-attr]
    title = read_title(source, spaces) if spaces > destination.end else None
    line_end = _LINE_END.match(source, title.end) if title else None
    if line_end is None:
        # A title must end its line; without it, the definition may be valid.
        title = None
        line_end = _LINE_END.match(source, destination.end)
    name = normalize_label(label.value)
    if line_end is None or not name:
        return None
    definition = Definition(destination.value, title.value if title else "", label.value)
    if references.setdefault(name, definition).target != definition.target:
        # No label has this key.
        references[f" {name}"] = definition
    return line_end.end()
