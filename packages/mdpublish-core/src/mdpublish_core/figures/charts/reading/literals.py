"""Strings and numbers as JavaScript writes them."""

import re

from mdpublish_core.figures.charts.values import MAX_NUMBER

_RADIXES = {"0x": 16, "0o": 8, "0b": 2}
# Longer ones are beyond `MAX_NUMBER`.
_MAX_RADIX_DIGITS = 1000
# A float keeps fewer digits.
_MAX_INTEGER_DIGITS = 17

# A pair of surrogates is one character.
_PAIR = r"u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
_ESCAPE = re.compile(rf"\\({_PAIR}|u[0-9a-fA-F]{{4}}|u\{{[0-9a-fA-F]{{1,6}}\}}|x[0-9a-fA-F]{{2}}|\r\n|[\s\S])")
_CONTROLS = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0"}
_LINE_BREAKS = frozenset({"\n", "\r", "\r\n", "\u2028", "\u2029"})


class NumberTooLarge(ValueError):  # noqa: N818  (named after the fault)
    """A number beyond `MAX_NUMBER`."""


def unescape(content: str) -> str:
    """Return the value of a string. Raises ValueError for an escape that JavaScript does not know."""
    return _ESCAPE.sub(_unescaped, content) if "\\" in content else content


def _unescaped(match: "re.Match[str]") -> str:
    escape = match[1]
    if escape in _LINE_BREAKS:
        return ""
    if escape[0] == "u" and len(escape) > 1:
        digits = escape[1:].strip("{}")
        if "\\" in digits:
            high, low = (int(part, 16) for part in digits.split("\\u"))
            return chr(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))
        code = int(digits, 16)
        if code > 0x10FFFF:
            raise ValueError(escape)
        return chr(code)
    if escape[0] == "x" and len(escape) > 1:
        return chr(int(escape[1:], 16))
    if escape in {"u", "x"}:
        raise ValueError(escape)
    return _CONTROLS.get(escape, escape)


def integer_of(digits: str) -> int | float:
    return int(digits) if len(digits) < _MAX_INTEGER_DIGITS else decimal_of(digits)


def decimal_of(digits: str) -> float:
    """Return a number; raises `NumberTooLarge`."""
    number = float(digits)
    if abs(number) > MAX_NUMBER:
        raise NumberTooLarge(digits)
    return number if abs(number) > 1 / MAX_NUMBER else 0.0


def number_of(literal: str) -> int | float:
    """Return a number, also a hexadecimal one. Raises `NumberTooLarge`, and ValueError if there are no digits."""
    digits = literal.replace("_", "")
    radix = _RADIXES.get(digits[:2].lower())
    if radix is None:
        return integer_of(digits) if digits.isdecimal() else decimal_of(digits)
    if len(digits) > _MAX_RADIX_DIGITS:
        raise NumberTooLarge(literal)
    number = int(digits[2:], radix)
    if number > MAX_NUMBER:
        raise NumberTooLarge(literal)
    return number if number < 10**_MAX_INTEGER_DIGITS else float(number)
