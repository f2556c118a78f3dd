"""Numbered lists of HTML keep the `type` that their author chose, in lists within lists too."""

import re
from collections.abc import Iterator

import lxml.html
import pytest
from lxml.cssselect import CSSSelector

from mdpublish_core import PageOptions, convert, list_templates, parse, render_page
from mdpublish_core.writers.structure.list_numbering import LIST_STYLE_TYPES

NESTED = (
    '<ol>\n<li><ol type="{0}"><li>x</li></ol></li>\n</ol>\n\n'
    '<ol type="{0}">\n<li><ol><li>y<ol type="{0}"><li>z</li></ol></li></ol></li>\n</ol>\n'
)

_RULE = re.compile(r"([^{}@]+)\{[^{}]*list-style(?:-type)?:[^{}]*\}")


def lists_with_a_marker(html: str) -> Iterator[lxml.html.HtmlElement]:
    """Yield the numbered lists for which a stylesheet chooses a marker, so that an attribute has no effect."""
    root = lxml.html.fromstring(html)
    for style in root.iter("style"):
        for selectors in _RULE.findall(style.text or ""):
            # Which `cssselect` does not know.
            known = selectors.replace(":where(:not([type]))", ":not([type])")
            yield from (each for each in CSSSelector(known)(root) if each.tag == "ol")


@pytest.mark.parametrize("template", [template.id for template in list_templates()])
def test_rules_of_pages_and_generic_html_leave_types_alone(template: str) -> None:
    markdown = NESTED.format("A")
    fragment = convert(markdown, destination="generic", template=template).html
    page = render_page(parse(markdown), PageOptions(title="T"), template=template)
    for html in (fragment, page):
        with_marker = [each.get("type") for each in lists_with_a_marker(html)]

        assert with_marker
        assert not any(with_marker)


@pytest.mark.parametrize("list_type", LIST_STYLE_TYPES)
@pytest.mark.parametrize("destination", ["word", "onenote", "email"])
def test_type_is_written_as_the_marker(destination: str, list_type: str) -> None:
    root = lxml.html.fromstring(convert(NESTED.format(list_type), destination=destination).html)
    styles = [each.get("style") or "" for each in root.iter("ol")]
    markers = [re.findall("list-style-type:([a-z-]+)", style) or ["decimal"] for style in styles]

    chosen = [LIST_STYLE_TYPES[list_type]]
    assert [markers[index] for index in (1, 2, 4)] == [chosen] * 3
