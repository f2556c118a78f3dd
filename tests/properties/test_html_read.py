"""Law: for any HTML, `read_html` returns a tree that `parse` could return, without unsafe URLs, in linear time."""

from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from mdpublish_core import nodes, read_html, render, to_markdown
from mdpublish_core.errors import InvalidHtml
from mdpublish_core.readers.html.sources import SOURCES
from mdpublish_core.resources.urls import is_safe_url
from mdpublish_core.testing import check_linear
from tests.browser.vectors.composing import composed

pytestmark = pytest.mark.corpora

_TAGS = """
a abbr b blockquote br caption code dd del details div dl dt em figcaption figure font h1 h2 hr html i img input ins kbd li
mark math menu o:p ol p pre q rp rt ruby s script section span strong style sub summary sup svg table tbody td th thead tr u ul
""".split()  # noqa: SIM905  (a word a line would be a page)

_ATTRIBUTES = (
    'class="callout note" ',
    'class="footnotes" role="doc-endnotes" ',
    'class="katex" ',
    'class="language-py" ',
    'class="MsoQuote" ',
    'colspan="3" ',
    'data-math="x" ',
    'data-stringify-type="ordered-list" data-indent="2" ',
    'href="#fn1" ',
    'href="https://example.org" ',
    'href="javascript:alert(1)" ',
    'id="fn1" ',
    'role="presentation" ',
    'rowspan="2" ',
    'src="data:image/png;base64,AAAA" ',
    'start="7" ',
    'style="border-top:1px solid" ',
    'style="display:none" ',
    'style="font-family:monospace" ',
    'style="font-style:italic;text-decoration:line-through" ',
    'style="font-weight:700;background:yellow" ',
    'style="font-weight:normal" ',
    'style="margin-left:40pt" ',
    'style="mso-list:l0 level2 lfo1" ',
    'style="white-space:pre" ',
    'title="t" ',
    'type="checkbox" checked ',
)

_STRINGS = (
    "a",
    " ",
    "\n",
    "b c",
    "\xa0",
    "* [ ] _x_",
    "☐ d",
    "$x$",
    "\u200b",
    "─" * 9,
    "&lt;p&gt;",
    "<!-- c -->",
    "<![if !x]>",
)

_OPENINGS = st.builds(
    lambda tag, attributes: f"<{tag} {''.join(attributes)}>",
    st.sampled_from(_TAGS),
    st.lists(st.sampled_from(_ATTRIBUTES), max_size=2),
)
_ENDS = st.sampled_from([f"</{tag}>" for tag in _TAGS])

HTML = st.lists(st.one_of(_OPENINGS, st.sampled_from(_STRINGS), _ENDS), max_size=40).map("".join)


@given(html=HTML, source=st.sampled_from(sorted(SOURCES)))
@example(html="<b>a<p>b<ul><li>c<table><td>d", source="html")
@example(html="<td>a<td><details><details>a", source="html")
@example(html="<li>a</li>&#7;&#x1F;&#65535;b", source="html")
@example(html='<a href="#fn1" role="doc-noteref"><li id="fn1">', source="html")
def test_any_html_becomes_a_tree_that_renders(html: str, source: str) -> None:
    document = read_html(html, source=source).document

    render(document, to="html")
    to_markdown(document)
    assert list(faults(document)) == []


@given(html=st.text(max_size=200), source=st.sampled_from(sorted(SOURCES)))
def test_any_text_becomes_a_tree(html: str, source: str) -> None:
    assert list(faults(read_html(html, source=source).document)) == []


@given(html=HTML)
@example(html="<ul>☐ d")
@example(html="<li>a<table>a")
def test_what_our_html_says_is_read_as_it_was(html: str) -> None:
    assume("data-math" not in html and "$" not in html)  # the source of a formula is not in its MathML
    document = written_and_read(read_html(html, source="html").document)

    assert written_and_read(document).dump() == document.dump()


def written_and_read(document: nodes.Document) -> nodes.Document:
    return read_html(render(document, to="generic").html, source="html").document


def test_no_unsafe_url_comes_out() -> None:
    unsafe = []
    for vector in composed():
        document = read_html(vector.markdown).document
        unsafe += [url for url in urls(document) if not is_safe_url(url)]

    assert unsafe == []


NEVER_EMPTY = (
    nodes.Emphasis,
    nodes.Strong,
    nodes.Strikethrough,
    nodes.Link,
    nodes.Heading,
    nodes.Paragraph,
    nodes.List,
)


def faults(document: nodes.Document) -> Iterator[str]:
    """Yield what no parser returns: empty marks, links in links, texts side by side."""
    for token in nodes.walk(document):
        if isinstance(token, NEVER_EMPTY) and not token.children:
            yield f"empty {type(token).__name__}"
        for left, right in pairwise(token.children):
            if isinstance(left, nodes.RawText) and isinstance(right, nodes.RawText):
                yield f"{left.content!r} beside {right.content!r}"
        if isinstance(token, nodes.Link) and any(isinstance(each, nodes.Link) for each in list(nodes.walk(token))[1:]):
            yield "a link in a link"
        if isinstance(token, nodes.RawText) and not token.content:
            yield "an empty text"


def urls(document: nodes.Document) -> Iterator[str]:
    for token in nodes.walk(document):
        if isinstance(token, nodes.Link | nodes.AutoLink):
            yield token.target
        elif isinstance(token, nodes.Image):
            yield token.src


PAGES: dict[str, Callable[[int], str]] = {
    "paragraphs": lambda size: "<p>a <b>b</b></p>\n" * (size // 18),
    "text": lambda size: "a b\n" * (size // 4),
    "addresses": lambda size: "http://a_ www.b_ a@c.d_ " * (size // 24),
    "an address": lambda size: "http://a_" * (size // 9),
    "line breaks": lambda size: "a<br><br>" * (size // 9),
    "marks": lambda size: "<b>a</b> <i>b</i>" * (size // 17),
    "links": lambda size: '<a href="#fn1">1</a><p id="fn1">a</p>' * (size // 37),
    "footnotes": lambda size: "".join(f'<a href="#fn{n}">1</a><p id="fn{n}">a</p>' for n in range(size // 40)),
    "rows": lambda size: "<table>" + "<tr><td>a<td>b" * (size // 14),
    "cells": lambda size: "<table><tr>" + "<td>a" * (size // 5),
    "a wide row below": lambda size: "<table>" + "<tr><td>a" * (size // 18) + "<tr>" + "<td>a" * (size // 10),
    "spans": lambda size: "<table>" + "<tr><td rowspan=1000 colspan=1000>a" * (size // 36),
    "items": lambda size: "<ul>" + "<li>a" * (size // 5),
    "bare items": lambda size: "<li>a</li>" * (size // 10),
    "bare rows": lambda size: "<tr><td>a</td></tr>" * (size // 19),
    "Word's items": lambda size: '<p class="MsoNormal" style="mso-list:l0 level1 lfo1">a</p>' * (size // 58),
    "code of lines": lambda size: "<pre>" + "<div>a</div>" * (size // 12),
    "code paragraphs": lambda size: '<p style="font-family:Courier">docs-internal-guid</p>' * (size // 54),
    "code blocks": lambda size: "<pre><code>a</code></pre>" * (size // 24),
    "an attribute": lambda size: f'<p style="{"a:b;" * (size // 4)}">a',
    "equations": lambda size: "<p class=MsoNormal>" + "<!--[if gte msEquation 12]>" * (size // 27),
    "citations": lambda size: "utm_source=chatgpt" + "citeturn0search" * (size // 15),
    "marks of citations": lambda size: "utm_source=chatgpt" + "\ue200cite\ue202" * (size // 14),
    "deep marks": lambda size: "<i><b>" * 60 + "<br>a" * (size // 5),
    "Gmail's lines": lambda size: '<div class="gmail_default"></div>' + "<div>a</div>" * (size // 12),
}


@pytest.mark.parametrize("name", PAGES)
def test_work_grows_linearly_with_the_html(name: str) -> None:
    check_linear(PAGES[name], read_html)


def test_deep_html_is_an_error_that_names_the_limit() -> None:
    with pytest.raises(InvalidHtml, match="elements must nest at most 255 deep"):
        read_html("<div>" * 300 + "a")


def test_deepest_html_renders() -> None:
    for tag in ("div", "blockquote", "b", "span style=font-weight:700", "ul><li", "details", "table><tr><td"):
        document = read_html(f"<{tag}>" * (250 // (1 + tag.count("<"))) + "a").document

        assert "a" in render(document, to="html").html
