"""Numbers of list items as they are shown."""

import re

_ROMAN = (
    (1000, "m"),
    (900, "cm"),
    (500, "d"),
    (400, "cd"),
    (100, "c"),
    (90, "xc"),
    (50, "l"),
    (40, "xl"),
    (10, "x"),
    (9, "ix"),
    (5, "v"),
    (4, "iv"),
    (1, "i"),
)
_MARK = re.compile(r"\(?(.*?)[.)]*")


def written_mark(mark: str) -> str:
    """Return a mark that is written in the text as one of a list: `(1)`, `1)` and `1` are `1.`."""
    match = _MARK.fullmatch(mark.strip())
    return f"{match[1]}." if match and match[1] else ""


def shown_number(number: int, style: str) -> str:
    """Return a number by a style of CSS, with a period."""
    shown = str(number)
    if style.endswith(("alpha", "latin")) and number > 0:
        shown = ""
        while number:
            number, position = divmod(number - 1, 26)
            shown = chr(ord("a") + position) + shown
    elif style.endswith("roman") and 0 < number < 4000:
        shown = ""
        for value, digits in _ROMAN:
            shown += digits * (number // value)
            number %= value
    return f"{shown.upper() if style.startswith('upper') else shown}."
