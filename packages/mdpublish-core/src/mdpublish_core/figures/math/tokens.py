"""TeX tokenizer, and lengths in the units of TeX."""

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from mdpublish_core.figures.math.symbols import signs

# 1 em = 10 pt.
_POINTS = {unit: float(Fraction(points)) for unit, points in signs("unit in points").items()}
_EMS = {**{unit: points / 10 for unit, points in _POINTS.items()}, "em": 1.0, "ex": 0.431, "mu": 1 / 18}

_MAX_EMS = 100.0  # in em

LENGTH = re.compile(rf"\s*([+-]?)\s*(\d{{0,9}}(?:[.,]\d{{0,9}})?)\s*({'|'.join(_EMS)})\s*")


def parse_ems(string: str) -> float | None:
    """Return a length in em, at most 100; None if invalid."""
    match = LENGTH.fullmatch(string)
    if match is None or not any(each.isdecimal() for each in match[2]):
        return None
    length = float(match[2].replace(",", ".")) * _EMS[match[3]]
    return min(length, _MAX_EMS) * (-1 if match[1] == "-" else 1)


def format_ems(length: float) -> str:
    return f"{round(length, 4):g}em" if round(length, 4) else "0"


MAX_CHARACTERS = 10_000
"""Characters of a formula; a page of display math has 2,000."""


class MathToken(NamedTuple):
    """A command, a space, or a character with its combining marks; macros expand at the position of their call."""

    value: str
    position: int
    is_fixed: bool = False  # not expanded

    @property
    def is_command(self) -> bool:
        return len(self.value) > 1 and self.value[0] == "\\"


END = "\0"
"""The end of the stream; never in the source."""

# A command includes the spaces after it; a comment extends to the next line's indentation.
_TOKEN = re.compile(
    r"(?P<comment>%[^\n]*(?:\n[ \t]*)?)"
    r"|(?P<space>[ \t\r\n\f\v\u00a0]+)"
    r"|(?P<verb>\\verb\*?(?P<bar>[^A-Za-z*\s]).*?(?P=bar))"
    r"|(?P<word>\\[A-Za-z@]+)[ \t\r\n]*"
    r"|(?P<sign>\\[\s\S]|[\s\S](?:[\u0300-\u036f\ufe0e\ufe0f\u200d\u20d0-\u20ff]|(?<=\u200d).)*)"
)


# Not allowed in XML.
_UNWRITABLE = re.compile("[\\x00-\\x08\\x0e-\\x1f\\x7f-\\x9f\\ud800-\\udfff\\ufdd0-\\ufdef\\ufffe\\uffff]")


def tokenize(tex: str) -> list[MathToken]:
    """Return the tokens in reverse order."""
    tokens = list(scan_tokens(tex))
    tokens.reverse()
    return tokens


def scan_tokens(tex: str) -> Iterator[MathToken]:
    for match in _TOKEN.finditer(_UNWRITABLE.sub("\ufffd", tex)):
        kind = match.lastgroup
        if kind == "sign":
            value = match[0]
            if value in {"\\\n", "\\\t"}:
                value = "\\ "
        elif kind == "word":
            value = match["word"]
        elif kind == "space":
            value = " "
        elif kind == "comment":
            continue
        else:
            value = match["verb"]
        yield MathToken(value, match.start())
