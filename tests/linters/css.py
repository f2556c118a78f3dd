"""A minimal parser of `style` attributes."""

import re
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Declaration:
    """`value` excludes `!important`."""

    name: str
    value: str
    important: bool = False


@dataclass(frozen=True, slots=True)
class Length:
    number: float
    unit: str


_IMPORTANT = re.compile(r"\s*!\s*important\s*\Z", re.IGNORECASE)
_STRING = re.compile(r"\"[^\"]*\"|'[^']*'")
_FUNCTION = re.compile(r"(-?[a-z][a-z0-9-]*)\(", re.IGNORECASE)
# Excludes digits in colors and in names such as `h1`.
_LENGTH = re.compile(r"(?<![\w#.-])([+-]?(?:\d+\.?\d*|\.\d+))(%|[a-z]+)?(?![\w-])", re.IGNORECASE)
_COLOR = re.compile(r"#[0-9a-z]+", re.IGNORECASE)
_WORD = re.compile(r"(?<![\w#.(-])-?[a-z][a-z0-9-]*(?![\w(-])", re.IGNORECASE)


def declarations(style: str) -> list[Declaration]:
    """Without a colon the value is empty."""
    result = []
    for part in split(style, ";"):
        if not part.strip():
            continue
        name, _, value = part.partition(":")
        bare = _IMPORTANT.sub("", value)
        result.append(Declaration(name.strip().lower(), bare.strip(), bare != value))
    return result


def split(source: str, separator: str) -> Iterator[str]:
    start = depth = 0
    quote = ""
    for position, character in enumerate(source):
        if quote:
            quote = "" if character == quote else quote
        elif character in "\"'":
            quote = character
        elif character == "(":
            depth += 1
        elif character == ")":
            depth = max(0, depth - 1)
        elif character == separator and not depth:
            yield source[start:position]
            start = position + 1
    yield source[start:]


def without_strings(value: str) -> str:
    return _STRING.sub('""', value)


def lengths(value: str) -> list[Length]:
    return [Length(float(number), (unit or "").lower()) for number, unit in _LENGTH.findall(_COLOR.sub("", value))]


def functions(value: str) -> list[str]:
    return [name.lower() for name in _FUNCTION.findall(value)]


def colors(value: str) -> list[str]:
    return _COLOR.findall(value)


def words(value: str) -> list[str]:
    """Omit functions, units and colors."""
    return [word.lower() for word in _WORD.findall(_COLOR.sub("", value))]
