"""The numbers of items in lists that an author wrote as HTML: letters and Roman numbers, backwards, or by leaps."""

from collections.abc import Iterator

from mdpublish_core.nodes import HtmlElement

LIST_STYLE_TYPES = {"1": "decimal", "a": "lower-alpha", "A": "upper-alpha", "i": "lower-roman", "I": "upper-roman"}
"""The forms of numbers that HTML's attribute may ask for, by CSS's names."""

_ROMAN_DIGITS = (
    *((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl")),
    *((10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")),
)

_MAX_ROMAN = 3_999
"""The greatest number that Roman numerals have a word for."""


def number_items(token: HtmlElement) -> Iterator[tuple[str, HtmlElement]]:
    """Yield each child of an `ol` or `ul` with what stands before it, such as `7.`, `b.` or `-`: HTML's ordinal values.

    https://html.spec.whatwg.org/multipage/grouping-content.html#ordinal-value
    """
    if token.tag == "ul":
        yield from (("-", item) for item in token.children if isinstance(item, HtmlElement))
        return
    items = [child for child in token.children if isinstance(child, HtmlElement)]
    step = -1 if "reversed" in token.attributes else 1
    number = int(token.attributes.get("start", len(items) if step < 0 else 1))
    list_style_type = LIST_STYLE_TYPES.get(token.attributes.get("type", "1"), "decimal")
    for item in items:
        number = int(item.attributes.get("value", number))
        yield f"{format_number(number, list_style_type)}.", item
        number += step


def to_letters(number: int) -> str:
    """Return a number as letters: a to z, then aa; one that is not positive has none."""
    if number < 1:
        return str(number)
    result = ""
    while number:
        number, digit = divmod(number - 1, 26)
        result = chr(ord("a") + digit) + result
    return result


def to_roman(number: int) -> str:
    """Return a number as a small Roman one; one that has none as it is."""
    if not 1 <= number <= _MAX_ROMAN:
        return str(number)
    result = ""
    for value, sign in _ROMAN_DIGITS:
        count, number = divmod(number, value)
        result += sign * count
    return result


def format_number(number: int, list_style_type: str) -> str:
    """Return a number in a form of CSS's `list-style-type`, such as `lower-roman`; in any other as it is."""
    result = {"alpha": to_letters, "roman": to_roman}.get(list_style_type.rpartition("-")[2], str)(number)
    return result.upper() if list_style_type.startswith("upper") else result
