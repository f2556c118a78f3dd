"""Date parsing in English and UTC, as in date-fns 4: https://date-fns.org/docs/parse.

Values of all tokens are applied to the reference date, larger units first (see `date_fields`).
"""

import re
from functools import lru_cache
from typing import NamedTuple

from mdpublish_core.figures.charts.formatting.date_arithmetic import is_valid_timestamp, to_timestamp
from mdpublish_core.figures.charts.formatting.date_fields import FIELDS, WHITESPACE, Parser, Setter, set_two_digit_year
from mdpublish_core.figures.charts.formatting.date_patterns import CACHE_SIZE, DateToken, tokenize_pattern
from mdpublish_core.figures.charts.formatting.iso_dates import parse_iso_date

MAX_DATE_LENGTH = 200  # characters; real ones have 40

REFERENCE_DATE = to_timestamp(2000)
"""Default for missing parts, constant for reproducible output. Two-digit years are 1950 to 2049."""

_TRAILING_WHITESPACE = re.compile(f"{WHITESPACE}*", re.ASCII)


def parse_date(value: str, pattern: str | None = None, *, reference: int = REFERENCE_DATE) -> int | None:
    """Parse a date; None if it does not match.

    Without a pattern, the date is ISO 8601. With one, missing parts are taken from `reference`, and two-digit
    years are from 50 years before it to 49 after. Raises ValueError for an invalid pattern.
    """
    if pattern is None:
        return parse_iso_date(value) if len(value) <= MAX_DATE_LENGTH else None
    if not pattern:
        return None if value else reference
    compiled = _compile(pattern)
    return compiled.parse(value, reference) if len(value) <= MAX_DATE_LENGTH else None


class _CompiledPattern(NamedTuple):
    """`parsers` are in order of the pattern, `setters` in order of application."""

    pieces: tuple[str | Parser, ...]
    setters: tuple[tuple[int, Setter], ...]  # index of the parsed value

    def parse(self, string: str, reference: int) -> int | None:
        values = self._values(string)
        if values is None:
            return None
        timestamp = reference
        for index, setter in self.setters:
            value = setter(timestamp, values[index])
            if value is None or not is_valid_timestamp(value):
                return None
            timestamp = int(value)
        return timestamp

    def _values(self, string: str) -> list[int] | None:
        values: list[int] = []
        position = 0
        for piece in self.pieces:
            if isinstance(piece, str):
                if not string.startswith(piece, position):
                    return None
                position += len(piece)
            elif parsed := piece(string, position):
                values.append(parsed[0])
                position = parsed[1]
            else:
                return None
        return values if _TRAILING_WHITESPACE.fullmatch(string, position) else None


@lru_cache(maxsize=CACHE_SIZE)
def _compile(pattern: str) -> _CompiledPattern:
    pieces: list[str | Parser] = []
    tokens: list[DateToken] = []
    setters: list[Setter] = []
    for token in tokenize_pattern(pattern, FIELDS):
        if isinstance(token, str):
            pieces.append(token)
            continue
        field = FIELDS[token.symbol]
        for other in tokens:
            if field.incompatible == "*" or other.symbol in field.incompatible or other.symbol == token.symbol:
                raise ValueError(
                    f"date pattern {pattern!r} has both {other.symbol!r} and {token.symbol!r}; keep one of them"
                )
        tokens.append(token)
        pieces.append(field.parser(token.repeats))
        setters.append(set_two_digit_year if token == ("y", 2) else field.setter)
    # A day of the month takes precedence over a weekday.
    indexes = sorted(
        range(len(tokens)), key=lambda index: (-FIELDS[tokens[index].symbol].priority, tokens[index].symbol != "d")
    )
    by_priority = {FIELDS[tokens[index].symbol].priority: index for index in reversed(indexes)}
    return _CompiledPattern(
        tuple(pieces), tuple((index, setters[index]) for index in indexes if index in by_priority.values())
    )
