"""Dates of Gantt charts without a year, which Mermaid puts into the present one and merman into 1970.

Source: https://day.js.org/docs/en/parse/string-format
"""

import re
from contextlib import suppress
from datetime import UTC, datetime

from mdpublish_core.data_files import read_pairs
from mdpublish_core.figures.mermaid.literals import Json

_FORMAT = re.compile(r"^(?P<name>[ \t]*dateFormat[ \t]+)(?P<format>\S.*?)[ \t]*$", re.MULTILINE)
_MIN_YEAR = 1000

_TOKEN = re.compile(r"[A-Za-z]+")
_DATES = re.compile(
    r"^(?P<start>[ \t]*(?:(?:ex|in)cludes\b|(?!title\b|section\b|acc)[^:\n]*:))(?P<items>.*)$", re.MULTILINE
)

# Of Python.
_DIRECTIVES = read_pairs(__file__, "date_tokens.tsv")

_NAMES = {"MMM": "[A-Za-z]+", "MMMM": "[A-Za-z]+", "Do": r"\d+[a-z]+"}


def with_years(content: str) -> str:
    """Return a source whose format and dates name the present year, if they have months, but no year."""
    written, tokens = _FORMAT.search(content), _tokens(content)
    if written is None or not any(token.startswith("M") for token in tokens) or tokens & {"YY", "YYYY", "X", "x"}:
        return content
    pattern = _TOKEN.sub(lambda token: _NAMES.get(token[0], r"\d+"), re.escape(written["format"]))
    date = re.compile(rf"(?<![^\s,:]){pattern}(?=[ \t]*(?:,|$))")
    year = datetime.now(UTC).year
    content = _DATES.sub(lambda line: line["start"] + date.sub(rf"{year}-\g<0>", line["items"]), content)
    return _FORMAT.sub(r"\g<name>YYYY-\g<format>", content, count=1)


def find_misplaced(database: Json) -> tuple[str, str] | None:
    """Return the first task whose bar begins on another day than its source says, and that day."""
    pattern = _TOKEN.sub(lambda token: _DIRECTIVES.get(token[0], "%"), database["dateFormat"].replace("%", "%%"))
    for task in database["tasks"] if "%d" in pattern else ():
        with suppress(ValueError, OverflowError):
            drawn = datetime.fromtimestamp(task["startTime"] / 1000, UTC).date()
            begins = task["raw"]["startTime"].get("startData", "")
            if drawn.year < _MIN_YEAR or datetime.strptime(begins, pattern).date() != drawn:  # noqa: DTZ007  (a day)
                return task["task"].strip(), drawn.isoformat()
    return None


def has_times_only(content: str) -> bool:
    tokens = _tokens(content)
    return bool(tokens) and tokens <= {"H", "HH", "h", "hh", "m", "mm", "s", "ss", "SSS", "A", "a"}


def _tokens(content: str) -> set[str]:
    written = _FORMAT.search(content)
    return set(_TOKEN.findall(written["format"])) if written else set()
