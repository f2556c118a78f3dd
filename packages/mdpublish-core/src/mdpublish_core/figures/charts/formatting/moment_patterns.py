"""Date patterns of Moment as those of date-fns: https://momentjs.com/docs/#/displaying/format/.

Chart.js 2 used Moment, and its patterns (`YYYY-MM-DD`) are still what most charts have. Those of Luxon (`yyyy-MM-dd`) are
also date-fns's.
"""

import re
from collections.abc import Mapping
from pathlib import Path

from mdpublish_core.figures.charts.formatting.date_patterns import MAX_PATTERN_LENGTH
from mdpublish_core.figures.data_files import read_data

_TOKENS: Mapping[str, str] = read_data(Path(__file__).with_name("moment_tokens.json"))

_SAME = "Mo|MMMM|MMM|MM|M|Qo|Q|wo|ww|w|HH|H|hh|h|kk|k|mm|m|ss|s|S{1,3}"
_PIECES = re.compile(
    rf"\[([^\[\]]*)\]|('[^']*')|(?:{'|'.join(sorted(_TOKENS, key=len, reverse=True))}|{_SAME})|([a-zA-Z])|."
)

# What only Moment's patterns have; date-fns refuses most of it.
_QUOTED = re.compile(r"'[^']*'")
_ONLY_IN_MOMENT = re.compile(r"Y{2}|(?<!D)D{1,2}(?!D)|A|ddd|\[[^\[\]]*[a-zA-Z][^\[\]]*\]|L(?:T|TS)\b")


def as_date_fns(pattern: str) -> str:
    """Return a pattern of Moment as one of date-fns; others are unchanged."""
    if len(pattern) > MAX_PATTERN_LENGTH or not _ONLY_IN_MOMENT.search(_QUOTED.sub("", pattern)):
        return pattern
    return _PIECES.sub(_converted, pattern)


def _converted(match: "re.Match[str]") -> str:
    escaped, quoted, literal = match.groups()
    if escaped is not None:
        return _quote(escaped)
    if quoted is not None:
        return quoted
    return _quote(literal) if literal else _TOKENS.get(match[0], match[0])


def _quote(words: str) -> str:
    doubled = words.replace("'", "''")
    return f"'{doubled}'" if doubled else ""
