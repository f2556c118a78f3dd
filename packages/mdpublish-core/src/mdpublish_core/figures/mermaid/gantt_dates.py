"""Dates of Gantt charts without a year, which Mermaid puts into the present one and merman into 1970.

Source: https://day.js.org/docs/en/parse/string-format
"""

import re
from datetime import UTC, datetime

_FORMAT = re.compile(r"^(?P<name>[ \t]*dateFormat[ \t]+)(?P<format>\S.*?)[ \t]*$", re.MULTILINE)
_TOKEN = re.compile(r"[A-Za-z]+")
_DATES = re.compile(
    r"^(?P<start>[ \t]*(?:(?:ex|in)cludes\b|(?!title\b|section\b|acc)[^:\n]*:))(?P<items>.*)$", re.MULTILINE
)

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


def has_times_only(content: str) -> bool:
    tokens = _tokens(content)
    return bool(tokens) and tokens <= {"H", "HH", "h", "hh", "m", "mm", "s", "ss", "SSS", "A", "a"}


def _tokens(content: str) -> set[str]:
    written = _FORMAT.search(content)
    return set(_TOKEN.findall(written["format"])) if written else set()
