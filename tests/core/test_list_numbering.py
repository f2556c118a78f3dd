import pytest

from mdpublish_core import Document, convert, render
from mdpublish_core.nodes import HtmlElement, List, ListItem, Paragraph, RawText
from mdpublish_core.strings.list_numbers import to_letters, to_roman
from mdpublish_core.writers.structure.list_numbering import number_items


def markers(tag: str, attributes: dict[str, str], *values: str) -> list[str]:
    items = [HtmlElement("li", {"value": value} if value else {}, []) for value in values]
    return [marker for marker, _ in number_items(HtmlElement(tag, attributes, items))]


@pytest.mark.parametrize(
    ("attributes", "values", "expected"),
    [
        ({}, ("", ""), ["1.", "2."]),
        ({"start": "-1"}, ("", "", ""), ["-1.", "0.", "1."]),
        ({}, ("9", "", "3", ""), ["9.", "10.", "3.", "4."]),
        ({"reversed": ""}, ("", "", ""), ["3.", "2.", "1."]),
        ({"reversed": "", "start": "10"}, ("", "4", ""), ["10.", "4.", "3."]),
        ({"type": "a", "start": "26"}, ("", ""), ["z.", "aa."]),
        ({"type": "I"}, ("4", ""), ["IV.", "V."]),
    ],
)
def test_items_are_numbered_as_in_html(
    attributes: dict[str, str], values: tuple[str, ...], expected: list[str]
) -> None:
    assert markers("ol", attributes, *values) == expected


def test_unordered_items_have_a_dash() -> None:
    assert markers("ul", {}, "", "") == ["-", "-"]


@pytest.mark.parametrize(("number", "expected"), [(1, "a"), (26, "z"), (27, "aa"), (703, "aaa"), (0, "0"), (-1, "-1")])
def test_alphabetic_numbers(number: int, expected: str) -> None:
    assert to_letters(number) == expected


@pytest.mark.parametrize(
    ("number", "expected"), [(1, "i"), (4, "iv"), (1994, "mcmxciv"), (3999, "mmmcmxcix"), (4000, "4000"), (0, "0")]
)
def test_roman_numbers(number: int, expected: str) -> None:
    assert to_roman(number) == expected


@pytest.mark.parametrize(
    ("markdown", "expected"),
    [
        ("10) a\n11) b", "10) a\n11) b"),
        ("1. a\n   1) b", "1. a\n   1) b"),
        ("1. a\n\n1) b\n\n1. c", "1. a\n\n1) b\n\n1. c"),
        # HTML has no sign behind numbers.
        ("1) a\n\n<ol><li>b</li></ol>", "1) a\n\n1. b"),
    ],
)
def test_text_has_the_sign_behind_numbers_as_written(markdown: str, expected: str) -> None:
    assert convert(markdown, to="plain-text").plain_text.strip() == expected


def test_list_that_follows_another_has_the_other_sign() -> None:
    lists = [
        List([ListItem([Paragraph([RawText(each)])], leader=f"1{sign}")], start=1)
        for each, sign in zip("abcd", "..))", strict=True)
    ]

    assert render(Document(lists), to="plain-text").plain_text.split() == ["1.", "a", "1)", "b", "1.", "c", "1)", "d"]
