"""HTML for Slack's composer."""

import re
from html import unescape

import html5lib
import pytest

from mdpublish_core import convert, parse, render
from mdpublish_core.writers.clipboard import clipboard_contents

COMPOSER_ELEMENTS = {"a", "b", "blockquote", "br", "code", "i", "li", "meta", "ol", "p", "pre", "s", "ul"}


def composer_html(markdown: str) -> str:
    document = parse(markdown)
    html = clipboard_contents(document, render(document, to="slack")).html
    assert html is not None
    tree = html5lib.parseFragment(html, namespaceHTMLElements=False)
    assert {element.tag for element in tree.iter()} - {"DOCUMENT_FRAGMENT"} <= COMPOSER_ELEMENTS
    return html.removeprefix('<meta charset="utf-8" />').strip()


@pytest.mark.parametrize(
    ("markdown", "html"),
    [
        ("# A *b*", "<p><b>A </b><b><i>b</i></b></p>"),
        ("a **b** ~~c~~ `d`", "<p>a <b>b</b> <s>c</s> <code>d</code></p>"),
        ("a\\\nb", "<p>a<br />b</p>"),
        ("[a **b**](http://c.d)", '<p><a href="http://c.d">a <b>b</b></a></p>'),
        ("[a](b.md)", "<p>a (b.md)</p>"),
        ("![a](http://b/c.png)", '<p><a href="http://b/c.png">a</a></p>'),
        ("- [ ] a\n- [x] b", "<ul>\n<li>☐ a</li>\n<li>☑ b</li>\n</ul>"),
        ("3. a\n4. b", '<ol start="3">\n<li>a</li>\n<li>b</li>\n</ol>'),
        ("- a\n  1. b\n- c", "<ul>\n<li>a\n<ol>\n<li>b</li>\n</ol>\n</li>\n<li>c</li>\n</ul>"),
        ("- a\n\n  b", "<ul>\n<li>a<br />b</li>\n</ul>"),
        ("> a\n>\n> > b", "<blockquote><p>a</p>\n<p>&gt; b</p>\n</blockquote>"),
        ("- a\n\n  > b", "<ul>\n<li>a</li>\n</ul>\n<blockquote><p>b</p>\n</blockquote>"),
        ("1. a\n\n<!-- -->\n\n1. b", "<ol>\n<li>a</li>\n</ol>\n<ol>\n<li>b</li>\n</ol>"),
        ("[ ](http://c.d)", '<p><a href="http://c.d">http://c.d</a></p>'),
        ("> [!NOTE]\n> a", "<blockquote><p><b>Note</b></p>\n<p>a</p>\n</blockquote>"),
        ("```py\n<a>\n```", "<pre>&lt;a&gt;</pre>"),
        ("|a|b|\n|-|-|\n|1|2|", "<pre>a   | b\n----|----\n1   | 2</pre>"),
        ("$x_1$", "<p><code>x₁</code></p>"),
        ("---", "<p>────────────</p>"),
        ("a[^1]\n\n[^1]: b", "<p>a[1]</p>\n<p>────────────</p>\n<p>[1] b</p>"),
        ("==a== <kbd>b</kbd> H<sub>2</sub>O", "<p>==a== <code>b</code> H₂O</p>"),
        ("@here `@here`", "<p>@\u200bhere <code>@here</code></p>"),
    ],
)
def test_construct_is_written_with_elements_that_the_composer_keeps(markdown: str, html: str) -> None:
    assert composer_html(markdown) == html


def test_list_after_code_in_an_item_goes_on() -> None:
    assert composer_html("1. a\n\n       code\n2. b") == (
        '<ol>\n<li>a</li>\n</ol>\n<pre>code</pre>\n<ol start="2">\n<li>b</li>\n</ol>'
    )


def test_figures_have_the_text_of_mrkdwn() -> None:
    markdown = '```mermaid\npie\n  title Pets\n  "Dogs" : 3\n```\n\n$$\\frac{a}{b}$$'
    figures = re.findall("```\n(.*?)\n```", convert(markdown, to="slack").text, re.DOTALL)

    assert [unescape(each) for each in re.findall("<pre>(.*?)</pre>", composer_html(markdown), re.DOTALL)] == figures


@pytest.mark.parametrize("url", ["javascript:alert(1)", "data:text/html,x", "vbscript:x"])
def test_url_that_runs_scripts_is_no_link(url: str) -> None:
    assert "<a" not in composer_html(f"[a]({url})")


def test_text_for_the_markup_editor_has_no_entities() -> None:
    document = parse("a < b & c, &copy; and `x<y`")
    contents = clipboard_contents(document, render(document, to="slack"))

    assert contents.plain_text == "a < b & c, © and `x<y`\n"
