"""Highlights, subscripts, superscripts and emoji, as comrak reads them.

Decisions of ours are left out: `a==b` and `==>` are operators, a subscript has no white space, and `*` sees `=`, `^`
and a single `~` next to it as punctuation, as in CommonMark.
"""

from random import Random

import pytest
from emoji import EMOJI_DATA

from tests.conformance.reference_parsers import comrak_html, html_of

pytestmark = pytest.mark.conformance

DOCUMENTS = 5_000

HIGHLIGHTS = (
    *("==a==", "==a", "a==", "==a.", "a.==", "(==a==)", "==**a**==", "**==a==**", "*==a", "a==*", "==`a`==", "`==`"),
    *("==[a](b)==", "[==a](b==)", "==", "===a===", "a", "*a*", "~~==a==~~", "~~a", "a~~", "\\==a==", "==a==,"),
)

SCRIPTS = (
    *("H~2~O", "x^2^", "10^-3^", "SO~4~^2-^", "a~b", "a^b", "^a^", "~a~", "^a", "a^", "~~a~~", "x^*b*^", "*x^b^*"),
    *("a^`b`^", "a~b~c~d~", "a^b^c^", "x^a~b~^", "x~a^b^~", "a^b~c^", "**x~2~**", "a\\^b^c^"),
)


def test_highlights_are_read_as_comrak_reads_them() -> None:
    random = Random("highlight")
    documents = [" ".join(random.choices(HIGHLIGHTS, k=random.randint(1, 8))) for _ in range(DOCUMENTS)]

    assert [
        markdown
        for markdown in documents
        if html_of(markdown, frozenset({"highlight", "strikethrough"}))
        != comrak_html(markdown, "highlight", "strikethrough")
    ] == []


@pytest.mark.parametrize("markdown", SCRIPTS)
def test_subscripts_and_superscripts_are_read_as_comrak_reads_them(markdown: str) -> None:
    ours = html_of(f"a {markdown} b", frozenset({"sub-superscript", "strikethrough"}))

    assert ours == comrak_html(f"a {markdown} b", "subscript", "superscript", "strikethrough")


def test_every_name_of_comrak_is_the_same_emoji() -> None:
    names = {name.strip(":") for each in EMOJI_DATA.values() for name in (each["en"], *each.get("alias", ()))}
    theirs = {
        name: comrak_html(f":{name}:", "shortcodes") for name in sorted(names) if name.isascii() and "&" not in name
    }
    known = {name: html for name, html in theirs.items() if ":" not in html}

    assert len(known) > 1_900
    assert {
        name: html
        for name, html in known.items()
        if html_of(f":{name}:", frozenset({"emoji"})).replace("\ufe0f", "") != html.replace("\ufe0f", "")
    } == {}
