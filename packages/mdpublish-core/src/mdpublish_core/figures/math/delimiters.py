"""Delimiters: stretchy ones and those of fixed sizes."""

from functools import partial

from mdpublish_core.figures.math.mathml_builder import Atom, build_element, build_fence, build_leaf, build_row
from mdpublish_core.figures.math.parser import Command, Parser
from mdpublish_core.figures.math.symbols import AtomKind, delimiter_characters
from mdpublish_core.figures.math.tokens import END, MathToken

SIZES = {"big": "1.2em", "Big": "1.8em", "bigg": "2.4em", "Bigg": "3em"}
_KINDS: dict[str, AtomKind] = {"": "ord", "l": "open", "r": "close", "m": "rel"}
_FORMS = {"open": "prefix", "close": "postfix"}
_INNER_ENDS = frozenset({"\\right", "\\middle"})


def _delimiter(parser: Parser, command: MathToken) -> str:
    token = parser.stream.skip_spaces()
    if token.value == "{":
        inner = parser.stream.string_argument(command)
        token = MathToken(inner, token.position)
    elif token.value != END:
        parser.stream.take()
    character = delimiter_characters().get(token.value)
    if character is None:
        given = f" (got {token.value[:40]})" if token.value != END else ""
        raise parser.error(f"{command.value} needs a delimiter such as ( or \\{{ after it{given}", token)
    return character


def _growing(parser: Parser, command: MathToken) -> Atom:
    r"""Parse `\left( … \middle| … \right)`."""
    row = build_element("mrow")
    opening = _delimiter(parser, command)
    if opening:
        row.append(build_fence(opening, "prefix"))
    while True:
        parser.stream.begin_group()
        row.extend(build_row(parser.parse_row(_INNER_ENDS)))
        parser.stream.end_group()
        token = parser.stream.take()
        if token.value == END:
            raise parser.error(
                "a \\left is never closed: \\right is missing; \\right. closes it without a delimiter", command
            )
        character = _delimiter(parser, token)
        if token.value == "\\right":
            break
        if character:
            row.append(build_fence(character, "infix", lspace="0.05em", rspace="0.05em"))
    if character:
        row.append(build_fence(character, "postfix"))
    return Atom(row, "inner")


def _sized(size: str, kind: AtomKind, parser: Parser, command: MathToken) -> Atom:
    character = _delimiter(parser, command)
    element = build_leaf("mo", character, fence="true", stretchy="true", symmetric="true", minsize=size, maxsize=size)
    if kind in _FORMS:
        element.set("form", _FORMS[kind])
    elif kind == "ord":
        element.set("lspace", "0")
        element.set("rspace", "0")
    return Atom(element, kind)


DELIMITER_COMMANDS: dict[str, Command] = {
    "\\left": _growing,
    **{f"\\{name}{side}": partial(_sized, size, kind) for name, size in SIZES.items() for side, kind in _KINDS.items()},
}
