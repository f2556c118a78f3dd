"""Date parsing in English and UTC, as in date-fns 4: https://date-fns.org/docs/parse.

Values of all tokens are applied to the reference date, larger units first (see `date_fields`).
"""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from mdpublish_core.figures.charts.formatting.date_arithmetic import is_valid_timestamp, to_timestamp
from mdpublish_core.figures.charts.formatting.date_fields import FIELDS, WHITESPACE, Setter, set_two_digit_year
from mdpublish_core.figures.charts.formatting.date_patterns import CACHE_SIZE, DateToken, tokenize_pattern
from mdpublish_core.figures.charts.formatting.iso_dates import parse_iso_date

MAX_DATE_LENGTH = 200  # characters; real ones have 40

REFERENCE_DATE = to_timestamp(2000)
"""Default for missing parts, constant for reproducible output. Two-digit years are 1950 to 2049."""


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
    """`values` are in order of the pattern, `setters` in order of application."""

    expression: re.Pattern[str]
    values: tuple[Callable[[str], int], ...]
    setters: tuple[tuple[int, Setter], ...]  # index of the value

    def parse(self, string: str, reference: int) -> int | None:
        match = self.expression.fullmatch(string)
        if match is None:
            return None
        values = [value(part) for value, part in zip(self.values, match.groups(), strict=True)]
        timestamp = reference
        for index, setter in self.setters:
            moved = setter(timestamp, values[index])
            if moved is None or not is_valid_timestamp(moved):
                return None
            timestamp = int(moved)
        return timestamp


@lru_cache(maxsize=CACHE_SIZE)
def _compile(pattern: str) -> _CompiledPattern:
    pieces: list[str] = []
    values: list[Callable[[str], int]] = []
    tokens: list[DateToken] = []
    setters: list[Setter] = []
    for token in tokenize_pattern(pattern, FIELDS):
        if isinstance(token, str):
            pieces.append(re.escape(token))
            continue
        field = FIELDS[token.symbol]
        for other in tokens:
            if field.incompatible == "*" or other.symbol in field.incompatible or other.symbol == token.symbol:
                raise ValueError(
                    f"date pattern {pattern!r} has both {other.symbol!r} and {token.symbol!r}; keep one of them"
                )
        tokens.append(token)
        expression, value = field.reader(token.repeats)
        pieces.append(expression)
        values.append(value)
        setters.append(set_two_digit_year if token == ("y", 2) else field.setter)
    # A day of the month takes precedence over a weekday.
    indexes = sorted(
        range(len(tokens)), key=lambda index: (-FIELDS[tokens[index].symbol].priority, tokens[index].symbol != "d")
    )
    by_priority = {FIELDS[tokens[index].symbol].priority: index for index in reversed(indexes)}
    return _CompiledPattern(
        re.compile(f"{''.join(pieces)}{WHITESPACE}*", re.ASCII),
        tuple(values),
        tuple((index, setters[index]) for index in indexes if index in by_priority.values()),
    )
