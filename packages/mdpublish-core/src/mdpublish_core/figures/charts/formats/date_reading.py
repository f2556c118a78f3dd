"""Dates as authors give them to charts: in English, in UTC, by the patterns of date-fns 4, or in the forms of ISO 8601.

By a pattern, each token's value is found in the text, then put into the moment, the larger parts first, as `date_fields`
has it: https://date-fns.org/docs/parse. A pattern is compiled once.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from mdpublish_core.figures.charts.formats.calendars import is_moment, moment_of
from mdpublish_core.figures.charts.formats.date_fields import BLANK, FIELDS, Find, Put, put_short_year
from mdpublish_core.figures.charts.formats.date_patterns import MOST_KEPT, Token, tokens_of
from mdpublish_core.figures.charts.formats.iso_dates import read_iso_date

LONGEST_DATE = 200
"""In characters; those that people write have 40."""

TODAY = moment_of(2000)
"""The day from which a date has what it leaves open: always one, so that a chart is always drawn the same.

By it, two digits of a year are of 1950 to 2049.
"""

_REST = re.compile(f"{BLANK}*", re.ASCII)


def read_date(value: str, pattern: str | None = None, *, today: int = TODAY) -> int | None:
    """Return the moment that a text names, None where it names none.

    Without a pattern, the text is a date of ISO 8601, with or without a time. With one, it is as the pattern says, and
    what the pattern leaves open is as it is `today`; two digits of a year tell one from 50 years before it to 49 after.
    Raises ValueError for a pattern that means nothing.
    """
    if pattern is None:
        return read_iso_date(value) if len(value) <= LONGEST_DATE else None
    if not pattern:
        return None if value else today
    reading = _reading(pattern)
    return reading.read(value, today) if len(value) <= LONGEST_DATE else None


class _Reading(NamedTuple):
    """A pattern to read by: what is to be found one after the other, and the fields in the order in which they are put."""

    pieces: tuple[str | Find, ...]
    puts: tuple[tuple[int, Put], ...]
    """Which of the values found a field takes."""

    def read(self, text: str, today: int) -> int | None:
        """Return the moment that a text names."""
        values = self._values(text)
        if values is None:
            return None
        moment = today
        for place, put in self.puts:
            value = put(moment, values[place])
            if value is None or not is_moment(value):
                return None
            moment = int(value)
        return moment

    def _values(self, text: str) -> list[int] | None:
        values: list[int] = []
        position = 0
        for piece in self.pieces:
            if isinstance(piece, str):
                if not text.startswith(piece, position):
                    return None
                position += len(piece)
            elif found := piece(text, position):
                values.append(found[0])
                position = found[1]
            else:
                return None
        return values if _REST.fullmatch(text, position) else None


@lru_cache(maxsize=MOST_KEPT)
def _reading(pattern: str) -> _Reading:
    """Return a pattern to read by."""
    pieces: list[str | Find] = []
    tokens: list[Token] = []
    puts: list[Put] = []
    for token in tokens_of(pattern, FIELDS):
        if isinstance(token, str):
            pieces.append(token)
            continue
        field = FIELDS[token.letter]
        for other in tokens:
            if field.refused == "*" or other.letter in field.refused or other.letter == token.letter:
                raise ValueError(
                    f"the date pattern {pattern!r} has {other.letter!r} and {token.letter!r}; keep one of them"
                )
        tokens.append(token)
        pieces.append(field.find(token.repeats))
        puts.append(put_short_year if token == ("y", 2) else field.put)
    # Of a weekday and a day of the month, which are of one size, the latter counts.
    order = sorted(
        range(len(tokens)), key=lambda place: (-FIELDS[tokens[place].letter].size, tokens[place].letter != "d")
    )
    sizes = {FIELDS[tokens[place].letter].size: place for place in reversed(order)}
    return _Reading(tuple(pieces), tuple((place, puts[place]) for place in order if place in sizes.values()))
