"""The numbers of items in lists that an author wrote as HTML: letters and Roman numbers, backwards, or by leaps."""

from collections.abc import Iterator

from mdpublish_core.nodes import HtmlElement

TYPES = {"1": "decimal", "a": "lower-alpha", "A": "upper-alpha", "i": "lower-roman", "I": "upper-roman"}
"""The forms of numbers that HTML's attribute may ask for, by CSS's names."""

_ROMANS = (
    *((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl")),
    *((10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")),
)

_MOST_ROMAN = 3_999
"""The greatest number that Roman numerals have a word for."""


def numbered_items(token: HtmlElement) -> Iterator[tuple[str, HtmlElement]]:
    """Yield each child of an `ol` or `ul` with what stands before it, such as `7.`, `b.` or `-`: HTML's ordinal values.

    https://html.spec.whatwg.org/multipage/grouping-content.html#ordinal-value
    """
    if token.tag == "ul":
        yield from (("-", item) for item in token.children if isinstance(item, HtmlElement))
        return
    items = [child for child in token.children if isinstance(child, HtmlElement)]
    step = -1 if "reversed" in token.attributes else 1
    number = int(token.attributes.get("start", len(items) if step < 0 else 1))
    form = TYPES.get(token.attributes.get("type", "1"), "decimal")
    for item in items:
        number = int(item.attributes.get("value", number))
        yield f"{numeral(number, form)}.", item
        number += step


def letters(number: int) -> str:
    """Return a number as letters: a to z, then aa; one that is not positive has none."""
    if number < 1:
        return str(number)
    written = ""
    while number:
        number, digit = divmod(number - 1, 26)
        written = chr(ord("a") + digit) + written
    return written


def roman(number: int) -> str:
    """Return a number as a small Roman one; one that has none as it is."""
    if not 1 <= number <= _MOST_ROMAN:
        return str(number)
    written = ""
    for value, sign in _ROMANS:
        count, number = divmod(number, value)
        written += sign * count
    return written


def numeral(number: int, form: str) -> str:
    """Return a number in a form of CSS's `list-style-type`, such as `lower-roman`; in any other as it is."""
    written = {"alpha": letters, "roman": roman}.get(form.rpartition("-")[2], str)(number)
    return written.upper() if form.startswith("upper") else written
