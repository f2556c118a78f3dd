"""Patterns of dates, as date-fns 4 has them, in their tokens.

A pattern's letters each stand for a part of a date, and how many there are tells how it is written; what is text stands
between single quotes. What a letter stands for, `date_writing` knows where dates are written, and `date_fields` where they
are read. https://date-fns.org/docs/format
"""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

DISPLAY_FORMATS: Mapping[str, str] = {
    "datetime": "MMM d, yyyy, h:mm:ss aaaa",
    "millisecond": "h:mm:ss.SSS aaaa",
    "second": "h:mm:ss aaaa",
    "minute": "h:mm aaaa",
    "hour": "ha",
    "day": "MMM d",
    "week": "PP",
    "month": "MMM yyyy",
    "quarter": "qqq - yyyy",
    "year": "yyyy",
}
"""The pattern for a unit's labels where the author gives none.

https://github.com/chartjs/chartjs-adapter-date-fns
"""

LONGEST_PATTERN = 200
"""In characters; those that people write have 40."""

MOST_KEPT = 128
"""Compiled patterns; a chart has a handful."""


class Token(NamedTuple):
    """A letter of a pattern, and how often it stands there; 0 tells of an ordinal, such as `do`."""

    letter: str
    repeats: int


_DATES = ("MM/dd/yyyy", "MMM d, y", "MMMM do, y", "EEEE, MMMM do, y")
_TIMES = ("h:mm a", "h:mm:ss a", "h:mm:ss a z", "h:mm:ss a zzzz")
_QUOTED = r"''|'(?:''|[^'])+(?:'|\Z)"
# A pattern that breaks its line reads as if it did not.
_CHARACTER = r"[^\n\r\u2028\u2029]"
_LONG_FORMS = re.compile(rf"P+p*|p+|{_QUOTED}|{_CHARACTER}")
_TOKENS = re.compile(rf"[yYQqMLwIdDecihHKkms]o|([a-zA-Z])\1*|{_QUOTED}|{_CHARACTER}")

# People who write these mean the lower-case letters, which is why date-fns refuses them.
_MISTAKEN = {("D", 1), ("D", 2), ("Y", 2), ("Y", 4)}


def tokens_of(pattern: str, letters: Mapping[str, object]) -> Iterator[Token | str]:
    """Yield a pattern's tokens and texts; raises ValueError for a letter that is none of `letters`."""
    if len(pattern) > LONGEST_PATTERN:
        raise ValueError(
            f"the date pattern {pattern[:20]!r}… has {len(pattern)} characters; allowed are {LONGEST_PATTERN}"
        )
    for found in _TOKENS.finditer(_spelled_out(pattern)):
        run = found[0]
        letter = run[0]
        if letter == "'":
            yield "'" if run == "''" else run[1:].removesuffix("'").replace("''", "'")
        elif letter in letters:
            token = Token(letter, 0 if run[-1] == "o" else len(run))
            if token in _MISTAKEN:
                raise ValueError(f"the date pattern {pattern!r} has {run!r}; write {run.lower()!r}")
            yield token
        elif letter.isascii() and letter.isalpha():
            raise ValueError(
                f"the date pattern {pattern!r} has {letter!r}, which stands for nothing; write text between single quotes"
            )
        else:
            yield run


def _spelled_out(pattern: str) -> str:
    """Return a pattern with what `P` and `p` stand for in their place, a date and a time."""
    return "".join(
        _long_form(run.count("P"), run.count("p")) if run[0] in "Pp" else run for run in _LONG_FORMS.findall(pattern)
    )


def _long_form(date_letters: int, time_letters: int) -> str:
    date = _DATES[min(date_letters, 4) - 1] if date_letters else ""
    time = _TIMES[min(time_letters, 4) - 1] if time_letters else ""
    if not (date and time):
        return date or time
    return f"{date}, {time}" if date_letters < 3 else f"{date} 'at' {time}"
