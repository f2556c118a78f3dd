"""Numbers of lists as they are shown: decimal, letters or Roman numerals."""

LIST_STYLE_TYPES = {"1": "decimal", "a": "lower-alpha", "A": "upper-alpha", "i": "lower-roman", "I": "upper-roman"}
"""Values of the `type` attribute."""

NUMBERINGS = ("", "1)", "(1)", *(form.format(kind) for kind in "aAiI" for form in ("{}.", "{})", "({})")))
"""How number 1 of a list may be written; empty for `1.`."""

_ROMAN_DIGITS = (
    *((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl")),
    *((10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")),
)

_MAX_ROMAN = 3_999
"""The largest Roman numeral."""


def to_letters(number: int) -> str:
    """Return a to z, then aa; decimal if not positive."""
    if number < 1:
        return str(number)
    result = ""
    while number:
        number, digit = divmod(number - 1, 26)
        result = chr(ord("a") + digit) + result
    return result


def to_roman(number: int) -> str:
    """Return a lowercase Roman numeral; decimal if out of range."""
    if not 1 <= number <= _MAX_ROMAN:
        return str(number)
    result = ""
    for value, sign in _ROMAN_DIGITS:
        count, number = divmod(number, value)
        result += sign * count
    return result


def format_number(number: int, list_style_type: str) -> str:
    """Return a number by a `list-style-type` of CSS, decimal for others than letters and Roman numerals."""
    forms = {"alpha": to_letters, "latin": to_letters, "roman": to_roman}
    result = forms.get(list_style_type.rpartition("-")[2], str)(number)
    return result.upper() if list_style_type.startswith("upper") else result
