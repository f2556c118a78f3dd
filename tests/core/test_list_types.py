"""Numbered HTML lists keep the `type` that their author chose, in nested lists too; in footnotes they count from 1."""

import re
from collections.abc import Iterator
from typing import Any

import lxml.html
import pytest
from lxml.cssselect import CSSSelector

from mdpublish_core import PageOptions, convert, list_templates, parse, render
from mdpublish_core.strings.list_numbers import LIST_STYLE_TYPES

NESTED = (
    '<ol>\n<li><ol type="{0}"><li>x</li></ol></li>\n</ol>\n\n'
    '<ol type="{0}">\n<li><ol><li>y<ol type="{0}"><li>z</li></ol></li></ol></li>\n</ol>\n'
)

FOOTNOTE = "1. a\n   1. b\n\nx[^1]\n\n[^1]: note\n\n    1. c\n       1. d\n"
FOOTNOTE_MARKERS = ["decimal", "lower-alpha", "decimal", "decimal", "lower-alpha"]

_RULE = re.compile(r"([^{}@]+)\{[^{}]*list-style(?:-type)?:([^{};]*)[^{}]*\}")


def matches(html: str) -> Iterator[tuple[lxml.html.HtmlElement, str]]:
    """Yield the numbered lists for which a rule chooses a marker, and the marker."""
    root = lxml.html.fromstring(html)
    for each in root.iter("ol"):
        # `cssselect` does not know the conditions of our rules, and no pseudo-elements, which are no lists.
        outer = (each.getparent().get("class") or "").split()  # type: ignore[union-attr]
        each.set("class", " ".join(["footnotes"] if "footnotes" in outer else ["of-author"]))
    for style in root.iter("style"):
        for selectors, marker in _RULE.findall(style.text or ""):
            known = selectors.replace(":where(:not([type]))", ":not([type])")
            known = known.replace(":where(:not(.footnotes>ol))", ".of-author")
            if "::" in known:
                continue
            selected: Any = CSSSelector(known)(root)
            yield from ((each, marker) for each in selected if each.tag == "ol")


def markers_of(html: str) -> list[str]:
    """Return the marker of each list; later rules are not weaker."""
    chosen = dict(matches(html))
    return [chosen[each] for each in next(iter(chosen)).getroottree().iter("ol")]


@pytest.mark.parametrize("template", [template.id for template in list_templates()])
def test_rules_of_pages_and_generic_html_leave_types_alone(template: str) -> None:
    markdown = NESTED.format("A")
    fragment = convert(markdown, to="generic", template=template).html
    page = render(parse(markdown), to="page", options=PageOptions(title="T"), template=template).html
    for html in (fragment, page):
        with_marker = [each.get("type") for each, _ in matches(html)]

        assert with_marker
        assert not any(with_marker)


@pytest.mark.parametrize("list_type", LIST_STYLE_TYPES)
@pytest.mark.parametrize("destination", ["word", "onenote", "email"])
def test_type_is_written_as_the_marker(destination: str, list_type: str) -> None:
    markers = inline_markers(convert(NESTED.format(list_type), to=destination).text)

    assert [markers[index] for index in (1, 2, 4)] == [LIST_STYLE_TYPES[list_type]] * 3


def inline_markers(html: str) -> list[str]:
    styles = [each.get("style") or "" for each in lxml.html.fromstring(html).iter("ol")]
    return [(re.findall("list-style-type:([a-z-]+)", style) or ["decimal"])[0] for style in styles]


def test_lists_in_footnotes_are_in_no_other_list() -> None:
    assert markers_of(convert(FOOTNOTE, to="generic").html) == FOOTNOTE_MARKERS
    for destination in ("onenote", "email"):
        assert inline_markers(convert(FOOTNOTE, to=destination).text) == FOOTNOTE_MARKERS
    # Its footnotes are no list.
    word = inline_markers(convert(FOOTNOTE, to="word").html)
    assert sorted(word) == ["decimal", "decimal", "lower-alpha", "lower-alpha"]


def test_author_s_type_holds_in_footnotes() -> None:
    markdown = 'x[^1]\n\n[^1]: note\n\n    <ol type="A"><li>c</li></ol>\n'

    assert inline_markers(convert(markdown, to="email").html) == ["decimal", "upper-alpha"]
