"""Escapes, entities and character classes. Source: CommonMark 0.31.2, "Preliminaries"."""

import unicodedata
from functools import lru_cache

from mdpublish_core.strings.lazy_patterns import compile_lazily

ASCII_PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")

ASCII_ALPHANUMERICS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
"""Not taken from `string`, which compiles its templates' expression when it is imported."""

OTHER, SPACE, PUNCTUATION = 0, 1, 2

ENTITY = compile_lazily(r"&(?:#[xX][0-9a-fA-F]{1,6}|#[0-9]{1,7}|[A-Za-z][A-Za-z0-9]{1,31});")

_ESCAPE_OR_ENTITY = compile_lazily(r"\\([!-/:-@\[-`{-~])|" + ENTITY.pattern)

_ASCII_CLASSES = {
    character: SPACE if character in " \t\n\f\r" else PUNCTUATION if character in ASCII_PUNCTUATION else OTHER
    for character in map(chr, range(128))
}


def character_class(character: str) -> int:
    kind = _ASCII_CLASSES.get(character)
    return _non_ascii_class(character) if kind is None else kind


@lru_cache(maxsize=4096)
def _non_ascii_class(character: str) -> int:
    category = unicodedata.category(character)
    if category == "Zs":
        return SPACE
    return PUNCTUATION if category[0] in "PS" else OTHER


def decode_entity(entity: str) -> str:
    if entity[1] != "#":
        from html.entities import html5

        return html5.get(entity[1:], entity)
    code = int(entity[3:-1], 16) if entity[2] in "xX" else int(entity[2:-1])
    if code == 0 or code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:
        return "\ufffd"
    return chr(code)


def unescape(source: str) -> str:
    if "\\" not in source and "&" not in source:
        return source
    return _ESCAPE_OR_ENTITY.sub(lambda match: match[1] or decode_entity(match[0]), source)
