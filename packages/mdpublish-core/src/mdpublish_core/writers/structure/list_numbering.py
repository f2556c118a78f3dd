"""Numbering of HTML lists, and lists that text tells apart by their markers."""

from collections.abc import Iterable, Iterator, Sequence

from mdpublish_core.nodes import HtmlElement, List, Token
from mdpublish_core.strings.list_numbers import LIST_STYLE_TYPES, format_number


def second_lists(tokens: Sequence[Token]) -> Iterable[tuple[Token, bool]]:
    """Return each block, and whether it needs other markers than the list before it, which it would else continue."""
    # Most blocks are no lists.
    has_several = list(map(type, tokens)).count(List) > 1
    return _second_lists(tokens) if has_several else [(token, False) for token in tokens]


def _second_lists(tokens: Sequence[Token]) -> Iterator[tuple[Token, bool]]:
    before = ""
    for token in tokens:
        form = "" if not isinstance(token, List) else "-" if token.start is None else token.form
        is_second = form == before != ""
        before = _OTHER_FORMS.get(form, "") if is_second else form
        yield token, is_second


_OTHER_FORMS = {"1.": "1)", "1)": "1."}


def item_mark(token: List, index: int, *, is_second: bool, bullets: tuple[str, str] = ("-", "*")) -> str:
    """Return what is before an item; of a second list, with the other sign behind the number, or the other bullet."""
    if token.start is None:
        return bullets[is_second]
    form = _OTHER_FORMS.get(token.form, "") if is_second else token.form
    return token.label(index) if token.numbering else f"{token.start + index}{form[-1:]}"


def number_items(token: HtmlElement) -> Iterator[tuple[str, HtmlElement]]:
    """Yield items with markers such as `7.`, `b.` or `-`."""
    list_style_type = LIST_STYLE_TYPES.get(token.attributes.get("type", "1"), "decimal")
    for number, item in ordinal_values(token):
        yield "-" if number is None else f"{format_number(number, list_style_type)}.", item


def ordinal_values(token: HtmlElement) -> Iterator[tuple[int | None, HtmlElement]]:
    """Yield items with their numbers, None for bullets.

    https://html.spec.whatwg.org/multipage/grouping-content.html#ordinal-value
    """
    items = [child for child in token.children if isinstance(child, HtmlElement)]
    if token.tag == "ul":
        yield from ((None, item) for item in items)
        return
    step = -1 if "reversed" in token.attributes else 1
    number = int(token.attributes.get("start", len(items) if step < 0 else 1))
    for item in items:
        number = int(item.attributes.get("value", number))
        yield number, item
        number += step
