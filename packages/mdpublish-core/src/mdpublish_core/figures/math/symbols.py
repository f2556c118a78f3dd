"""Symbols by command, latex2mathml's tables corrected by `symbols.tsv`, and mathematical alphabets in Unicode.

MathML Core supports only `mathvariant="normal"`.
"""

import json
from collections.abc import Callable
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias, cast, get_args
from unicodedata import lookup, name

from mdpublish_core.data_files import read_names

AtomKind = Literal["ord", "op", "name", "bin", "rel", "open", "close", "punct", "inner", "space", "none"]
"""TeX's atom types; `name` is a function such as `sin`."""


class Symbol(NamedTuple):
    """A character and its atom type."""

    character: str
    kind: AtomKind


LIMIT_OPERATORS = frozenset("∑∏∐⋁⋀⨄⋂⋃⨂⨁⨀⨆⨉")
"""With limits in display style."""

_STANDARD_PACKAGES = frozenset({"", "amsfonts", "amsmath", "amssymb"})


def signs(kind: str) -> dict[str, str]:
    """Return the signs of a kind by command: those of an atom type, or what commands that are no symbols set."""
    return read_names(__file__, "symbols.tsv").get(kind, {})


def commands_of(kind: str, *functions: Callable[..., Any]) -> dict[str, Any]:
    """Return the commands of a kind with their functions, and what these get before other arguments."""
    by_name = {function.__name__.strip("_"): function for function in functions}
    rows = read_names(__file__, "commands.tsv")[kind].items()
    named = {command: meaning.partition(" ") for command, meaning in rows}
    return {each: partial(by_name[name], *json.loads(f"[{first}]")) for each, (name, _, first) in named.items()}


@cache
def atom_kinds() -> dict[str, AtomKind]:
    """Return kinds by command, and by unicode-math's categories, which have no backslash in latex2mathml's table."""
    return cast("dict[str, AtomKind]", signs("kind of atom"))


@cache
def _symbol_table() -> dict[str, Symbol]:
    kinds: tuple[AtomKind, ...] = get_args(AtomKind)
    return {command: Symbol(sign, kind) for kind in kinds for command, sign in signs(kind).items()}


@cache
def delimiter_characters() -> dict[str, str]:
    """Return the character of each token; `.` is an empty delimiter."""
    return {".": "", **signs("delimiter")}


@lru_cache(maxsize=4096)
def find_symbol(command: str) -> Symbol | None:
    """Return a command's or character's symbol."""
    symbol = _symbol_table().get(command)
    if symbol is not None or command[0] != "\\":
        return symbol
    from latex2mathml.symbols_parser import convert_symbol

    codes = convert_symbol(command)
    if codes is None:
        return None
    character = "".join(chr(int(code, 16)) for code in codes.split("-"))
    return Symbol(character, character_kind(character))


@cache
def standard_commands() -> tuple[str, ...]:
    """Return the commands of single characters that LaTeX and AMS's packages have."""
    listed = [command for kind in get_args(AtomKind) for command in signs(kind)]
    rows = (line.split("^") for line in _unicode_math() if not line.startswith("#"))
    return (*listed, *(row[2] for row in rows if row[2] and row[6].lstrip("=").split(" ")[0] in _STANDARD_PACKAGES))


def character_kind(character: str) -> AtomKind:
    """Return the kind by unicode-math."""
    symbol = _symbol_table().get(character)
    return _kinds().get(character, "ord") if symbol is None else symbol.kind


@cache
def _kinds() -> dict[str, AtomKind]:
    """Return the kind of each character that is not `ord`."""
    kinds: dict[str, AtomKind] = {}
    for line in _unicode_math():
        columns = line.split("^")
        if len(columns) > 5 and not line.startswith("#") and (kind := atom_kinds().get(f"\\{columns[5]}")):
            kinds.setdefault(chr(int(columns[0], 16)), kind)
    return kinds


def _unicode_math() -> list[str]:
    """Return the lines of latex2mathml's table."""
    from latex2mathml.symbols_parser import SYMBOLS_FILE

    return Path(SYMBOLS_FILE).read_text("utf-8").splitlines()


Font: TypeAlias = str
"""An alphabet of `symbols.tsv`, or `normal`; with an empty font, browsers set single letters in italics."""

# Letters encoded before the mathematical alphabets.
_LETTERLIKE_NAMES = {"script": "SCRIPT", "fraktur": "BLACK-LETTER", "double-struck": "DOUBLE-STRUCK"}


@lru_cache(maxsize=2048)
def styled_character(character: str, font: Font) -> str:
    if font in {"", "normal"} or len(character) != 1:
        return character
    if (font, character) == ("italic", "h"):
        return "ℎ"
    base_name = _base_name(character)
    if base_name is None:
        return character
    for full in (f"MATHEMATICAL {font.upper()} {base_name}", f"{_LETTERLIKE_NAMES.get(font, '')} {base_name}"):
        try:
            return lookup(full)
        except KeyError:
            continue
    return character


def _base_name(character: str) -> str | None:
    # Exceptions to the alphabets' naming scheme.
    if character in signs("letter"):
        return signs("letter")[character]
    unicode_name = name(character, "")
    for script in ("LATIN ", "GREEK "):
        if unicode_name.startswith(script):
            return unicode_name.removeprefix(script).replace("LETTER ", "")
    return unicode_name if unicode_name.startswith("DIGIT ") else None
