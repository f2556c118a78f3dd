"""All words of 193 READMEs survive sanitizing, in order."""

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element

import html5lib
import pytest

from mdpublish_core import convert
from mdpublish_core.html import BLOCK_ELEMENTS

pytestmark = pytest.mark.conformance

UNSEEN = frozenset({"script", "style", "title"})

WORD = re.compile(r"\w+")


def visible_strings(element: Element) -> Iterator[str]:
    # html5lib's comments have a function as tag.
    if not callable(element.tag) and element.tag not in UNSEEN:
        if element.tag == "img":
            yield f" {element.get('alt') or ''} "
        edge = " " if element.tag in BLOCK_ELEMENTS or element.tag == "br" else ""
        yield edge
        yield element.text or ""
        for child in element:
            yield from visible_strings(child)
            yield child.tail or ""
        yield edge


def words(html: str) -> list[str]:
    return WORD.findall("".join(visible_strings(html5lib.parseFragment(html, namespaceHTMLElements=False))))


def missing(expected: list[str], shown: list[str]) -> list[str]:
    rest = iter(shown)
    lost = []
    for number, word in enumerate(expected):
        if word not in rest:
            lost.append(" ".join(expected[max(0, number - 3) : number + 3]))
            break
    return lost


def test_no_word_of_a_readme_is_lost(many_readmes: dict[str, str]) -> None:
    for name, markdown in many_readmes.items():
        visible = convert(markdown, to="html", raw_html="keep", extensions=frozenset({"table", "footnote"})).html
        lowered = convert(markdown, to="html", extensions=frozenset({"table", "footnote"})).html

        assert missing(words(visible), words(lowered)) == [], name
