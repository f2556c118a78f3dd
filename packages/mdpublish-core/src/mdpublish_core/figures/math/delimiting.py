"""Delimiters: those that grow with what stands between them, and those of a size of their own."""

from functools import partial

from mdpublish_core.figures.math.building import Atom, holding, leaf, lined
from mdpublish_core.figures.math.reading import Command, Reader
from mdpublish_core.figures.math.symbols import Kind, delimiters
from mdpublish_core.figures.math.tokens import END, Token

_SIZES = {"big": "1.2em", "Big": "1.8em", "bigg": "2.4em", "Bigg": "3em"}
_KINDS: dict[str, Kind] = {"": "ord", "l": "open", "r": "close", "m": "rel"}
_FORMS = {"open": "prefix", "close": "postfix"}
_INNER_ENDS = frozenset({"\\right", "\\middle"})


def _delimiter(reader: Reader, command: Token) -> str:
    """Read a delimiter, and return its character; the dot is none."""
    token = reader.stream.skip_spaces()
    if token.text == "{":
        inner = reader.stream.words(command)
        token = Token(inner, token.place)
    elif token.text != END:
        reader.stream.take()
    found = delimiters().get(token.text)
    if found is None:
        given = f", but has {token.text[:40]}" if token.text != END else ""
        raise reader.error(f"{command.text} needs a delimiter such as ( or \\{{ behind it{given}", token)
    return found


def _growing(reader: Reader, command: Token) -> Atom:
    r"""`\left( … \middle| … \right)`."""
    row = holding("mrow")
    opening = _delimiter(reader, command)
    if opening:
        row.append(leaf("mo", opening, fence="true", form="prefix", stretchy="true"))
    while True:
        reader.stream.begin()
        row.extend(lined(reader.row(_INNER_ENDS)))
        reader.stream.end()
        token = reader.stream.take()
        if token.text == END:
            raise reader.error("a \\left is never closed: \\right is missing; \\right. closes it with nothing", command)
        character = _delimiter(reader, token)
        if token.text == "\\right":
            break
        if character:
            row.append(
                leaf("mo", character, fence="true", form="infix", stretchy="true", lspace="0.05em", rspace="0.05em")
            )
    if character:
        row.append(leaf("mo", character, fence="true", form="postfix", stretchy="true"))
    return Atom(row, "inner")


def _sized(size: str, kind: Kind, reader: Reader, command: Token) -> Atom:
    character = _delimiter(reader, command)
    element = leaf("mo", character, fence="true", stretchy="true", symmetric="true", minsize=size, maxsize=size)
    if kind in _FORMS:
        element.set("form", _FORMS[kind])
    elif kind == "ord":
        element.set("lspace", "0")
        element.set("rspace", "0")
    return Atom(element, kind)


DELIMITING: dict[str, Command] = {
    "\\left": _growing,
    **{
        f"\\{name}{side}": partial(_sized, size, kind) for name, size in _SIZES.items() for side, kind in _KINDS.items()
    },
}
"""The commands of delimiters."""
