import re
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from typing import cast

import html5lib
import nh3
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdpublish_core import convert
from mdpublish_core.nodes import open_nodes as nodes
from mdpublish_core.nodes.tokens import seal
from mdpublish_core.notices import Notice
from mdpublish_core.readers.markdown.raw_html import convert_raw_html, escape_disallowed_tags, is_disallowed_tag
from mdpublish_core.readers.markdown.raw_html.tokenizer import HtmlText, Tag, tokenize
from mdpublish_core.resources.allowed_elements import BLOCK_TAGS, INLINE_TAGS, allowed_attributes
from mdpublish_core.resources.known_elements import KNOWN_TAGS, RAW_TEXT_TAGS
from mdpublish_core.resources.urls import is_safe_url
from mdpublish_core.templates import bind, get_template
from mdpublish_core.testing import check_linear
from mdpublish_core.writers import RenderContext, html
from tests.cpu_time import median_seconds
from tests.sampling import each_row

Shape = str | tuple[object, ...]

CONTEXT = RenderContext(bind(get_template("swiss"), "light"))

BREAK = ("br",)
SOFT = ("soft",)


def shape(token: nodes.Token) -> Shape:  # noqa: C901, PLR0911  (a case for each class)
    """A token in short: text as it is, others as a tuple of name, distinguishing fields and children."""
    inner = tuple(shape(child) for child in nodes.children_of(token))
    match token:
        case nodes.RawText():
            return token.content
        case nodes.LineBreak():
            return SOFT if token.soft else BREAK
        case nodes.InlineCode() | nodes.AutoLink():
            return (type(token).__name__, token.content)
        case nodes.CodeFence():
            return ("CodeFence", token.language, token.content)
        case nodes.Heading():
            return (f"Heading{token.level}", *inner)
        case nodes.Link():
            return ("Link", token.target, *inner)
        case nodes.Image():
            return ("Image", token.src, *inner)
        case nodes.List():
            return ("List", token.start, *inner)
        case nodes.TableCell():
            return ("Cell", token.align, *inner)
        case nodes.HtmlElement():
            details = (dict(token.attributes),) if token.attributes else ()
            return (token.tag, *details, *inner)
        case _:
            return (type(token).__name__, *inner)


def shapes(*blocks: nodes.Token, nesting: int = 100) -> list[Shape]:
    return [shape(token) for token in convert_raw_html(blocks, "sanitize", max_depth=nesting)[0]]


def block_shapes(*sources: str) -> list[Shape]:
    """Shapes of consecutive HTML blocks."""
    return shapes(*map(nodes.HtmlBlock, sources))


def inlines(source: str) -> list[nodes.Token]:
    """A line of text, split into tags and text like the scanner does."""
    tokens = [part for part in re.split(r"(<[^<>]*>)", source) if part]
    return [nodes.HtmlSpan(part) if part.startswith("<") else nodes.RawText(part) for part in tokens]


def line_shapes(source: str) -> Sequence[object]:
    """Shapes in the single paragraph that a line of text with tags becomes."""
    (paragraph,) = shapes(nodes.Paragraph(inlines(source)))
    assert paragraph[0] == "Paragraph"
    return paragraph[1:]


def notices(*blocks: nodes.Token) -> list[Notice]:
    return convert_raw_html(blocks, "sanitize", max_depth=100)[1]


def paragraph(content: str) -> nodes.Paragraph:
    return nodes.Paragraph([nodes.RawText(content)])


def words_of(tokens: Sequence[nodes.Token]) -> list[str]:
    strings = []
    for token in nodes.walk(nodes.Document(tokens)):
        if isinstance(token, nodes.RawText | nodes.InlineCode | nodes.CodeFence | nodes.AutoLink):
            strings.append(token.content)
        elif isinstance(token, nodes.LineBreak | nodes.Block):
            strings.append(" ")
    return "".join(strings).split()


# Mode "escape"


def test_escaped_span_is_the_text_it_is_written_as() -> None:
    tokens, inline_tokens = convert_raw_html([nodes.Paragraph(inlines("a <b>c</b>"))], "escape", max_depth=100)

    assert [shape(token) for token in tokens] == [("Paragraph", "a <b>c</b>")]
    assert inline_tokens == []


def test_escaped_html_keeps_its_lines() -> None:
    span = nodes.Paragraph([nodes.RawText("a "), nodes.HtmlSpan('<b\n  title="x">'), nodes.RawText("c")])
    block = nodes.HtmlBlock("<div>\n  <p>\n\n</div>", line=3)

    tokens, _ = convert_raw_html([nodes.Quote([span]), block], "escape", max_depth=100)

    assert [shape(token) for token in tokens] == [
        ("Quote", ("Paragraph", "a <b", SOFT, 'title="x">c')),
        ("Paragraph", "<div>", SOFT, "<p>", SOFT, "</div>"),
    ]
    assert cast("nodes.Paragraph", tokens[1]).line_number == 3


def test_escaped_html_in_tables_and_items_is_text() -> None:
    row = nodes.TableRow([nodes.TableCell(inlines("<i>a"))])
    table = nodes.Table(row, [nodes.TableRow([nodes.TableCell(inlines("<i>b"))])])

    tokens, _ = convert_raw_html(
        [table, nodes.List([nodes.ListItem([nodes.HtmlBlock("<hr>")])])], "escape", max_depth=100
    )

    assert [shape(token) for token in tokens] == [
        ("Table", ("TableRow", ("Cell", None, "<i>a")), ("TableRow", ("Cell", None, "<i>b"))),
        ("List", None, ("ListItem", ("Paragraph", "<hr>"))),
    ]


def test_filter_makes_text_of_the_tags_that_gfm_disallows() -> None:
    assert escape_disallowed_tags("<p><SCRIPT src=x></script>") == "<p>&lt;SCRIPT src=x>&lt;/script>"
    assert is_disallowed_tag("<title>")
    assert not is_disallowed_tag("<titles>")


# Inline elements


INLINE_SHAPES: dict[str, list[tuple[str, list[object]]]] = {
    "inline element becomes what it means": [
        ("<b>a</b> <strong>b</strong>", [("Strong", "a"), " ", ("Strong", "b")]),
        ("<i>a</i> <em>b</em>", [("Emphasis", "a"), " ", ("Emphasis", "b")]),
        ("<s>a</s><strike>b</strike><del>c</del>", [("Strikethrough", x) for x in "abc"]),
        ("<code>a</code> <tt>b</tt>", [("InlineCode", "a"), " ", ("InlineCode", "b")]),
        ("<code>a <b>c</b></code>", [("code", "a ", ("Strong", "c"))]),
        ("H<sub>2</sub>O <kbd>K</kbd>", ["H", ("sub", "2"), "O ", ("kbd", "K")]),
        ("<mark>a</mark><ins datetime=2020-01-01>b</ins>", [("mark", "a"), ("ins", {"datetime": "2020-01-01"}, "b")]),
        ("<ruby>a<rp>(</rp><rt>b</rt></ruby>", [("ruby", "a", ("rp", "("), ("rt", "b"))]),
        ("a<rt>b</rt>", ["ab"]),
        ("a<wbr>b", ["a", ("wbr",), "b"]),
        ("a<br>b<br/>c<br>", ["a", BREAK, "b", BREAK, "c"]),
        ("a</br>b", ["a", BREAK, "b"]),
        ('<a href="/x" title=t>a</a>', [("Link", "/x", "a")]),
        ("a<b> b </b>c", ["a ", ("Strong", "b"), " c"]),
        ("<b><i></i></b>a", ["a"]),
        ("a</b>c", ["ac"]),
        ("<b>a<i>b</b>c</i>", [("Strong", "a", ("Emphasis", "b")), ("Emphasis", "c")]),
        ("<q cite='javascript:x'>a</q>", [("q", "a")]),
        ("<q cite='/x'>a</q>", [("q", {"cite": "/x"}, "a")]),
        ("a <!-- b -->c<!doctype d>e", ["a ce"]),
        ("<?php d ?>e<!X f>g", ["<?php d ?>e<!X f>g"]),
        ("a <![CDATA[&amp;]]>", ["a &amp;"]),
        ("<b/>a", ["a"]),
    ],
    "element after a word is html if it ends or has attributes": [
        ("H<SUB>2</SUB>O", ["H", ("sub", "2"), "O"]),
        ("word<Br>text", ["word", BREAK, "text"]),
        ("text<b>bold</b>", ["text", ("Strong", "bold")]),
        ("text<Map>a</Map>", ["texta"]),
        ("text <Link x>", ["text"]),
        ("text<a href=x>b", ["text", ("Link", "x", "b")]),
        ("text<b/>c", ["textc"]),
        ("Vec<b> and <b>c</b>", ["Vec<b> and ", ("Strong", "c")]),
    ],
}


@pytest.mark.parametrize(("source", "expected"), each_row(INLINE_SHAPES))
def test_inlines_of_html_are_of_this_shape(source: str, expected: list[object]) -> None:
    assert list(line_shapes(source)) == expected


def test_image_has_its_text_and_sizes() -> None:
    source = '<img src=" a.png " alt="x &amp; y" title=T width=200px height=50% onerror=alert(1) style=x>'

    tokens, _ = convert_raw_html([nodes.Paragraph([nodes.HtmlSpan(source)])], "sanitize", max_depth=100)
    (image,) = nodes.children_of(tokens[0])

    assert shape(image) == ("Image", "a.png", "x & y")
    assert isinstance(image, nodes.Image)
    assert (image.title, image.width, image.height) == ("T", "200", "50%")


def test_image_without_an_url_is_its_text() -> None:
    assert line_shapes("a <img alt='b c'> d") == ("a b c d",)


def test_html_with_alternative_sources_is_its_image() -> None:
    source = '<picture>\n<source srcset="d.png">\n<img src="l.png" alt="L">\n</picture>'

    assert block_shapes(source) == [("Paragraph", ("Image", "l.png", "L"))]
    assert notices(nodes.HtmlBlock(source)) == []


def test_link_stands_in_no_link() -> None:
    outer = nodes.Paragraph(
        [
            nodes.HtmlSpan("<a href=x>"),
            nodes.Strong([nodes.Link("y", [nodes.RawText("a")])]),
            nodes.AutoLink("http://b"),
        ]
    )
    inner = nodes.Paragraph([nodes.Link("x", [*inlines("<a href=y>a</a> b")])])

    assert shapes(outer) == [("Paragraph", ("Link", "x", ("Strong", "a"), "http://b"))]
    assert shapes(inner) == [("Paragraph", ("Link", "x", "a b"))]
    assert line_shapes("<a href=x>a<a href=y>b</a>c") == (("Link", "x", "a"), ("Link", "y", "b"), "c")


def test_unsafe_url_is_text_with_a_notice() -> None:
    target = f"javascript:{'x' * 60}"
    source = f"<a href='java\nscript:{'x' * 60}'>a</a> <img src='data:image/png,x' alt=b>"

    tokens, raised = convert_raw_html([nodes.Paragraph([nodes.HtmlSpan(source)], line=7)], "sanitize", max_depth=100)

    assert [shape(token) for token in tokens] == [("Paragraph", ("span", f"a ({target})"), " b")]
    assert raised == [
        Notice("unsafe-link", f"the scheme of the URL {'javascript:' + 'x' * 28 + '…'!r} is not allowed", line=7),
        Notice("unsafe-link", "the scheme of the URL 'data:image/png,x' is not allowed", line=7),
    ]


def test_anchor_stays_as_a_target_of_links() -> None:
    assert line_shapes("a <a name=x></a>b") == ("a", ("a", {"name": "x"}), " b")
    assert line_shapes("<a id='@org/安装'></a>b") == (("a", {"name": "@org/安装"}), "b")
    assert line_shapes("<a name='x y'></a>b") == ("b",)
    assert line_shapes("<span id=x>b</span>") == (("a", {"name": "x"}), ("span", "b"))
    assert line_shapes("<a id=x href=y>b</a>") == (("a", {"name": "x"}), ("Link", "y", "b"))


def test_anchor_between_blocks_stands_in_the_next_text() -> None:
    anchor = ("a", {"name": "x"})
    html = nodes.HtmlBlock("<a name=x></a>")

    assert shapes(html, nodes.Heading(2, [nodes.RawText("T")])) == [("Heading2", anchor, "T")]
    assert shapes(html, nodes.List([nodes.ListItem([paragraph("a")])])) == [
        ("List", None, ("ListItem", ("Paragraph", anchor, "a")))
    ]
    assert shapes(html, nodes.CodeFence("a\n")) == [("Paragraph", anchor), ("CodeFence", "", "a\n")]
    assert shapes(html) == [("Paragraph", anchor)]
    assert block_shapes("<h2 id=x>T</h2>") == [("Heading2", anchor, "T")]


def test_anchor_stands_in_no_link() -> None:
    assert line_shapes("<a href=y><img id=x src=z></a>") == (("a", {"name": "x"}), ("Link", "y", ("Image", "z")))
    assert line_shapes("<a href=y>a<img id=x src=z></a>") == (("Link", "y", "a", ("Image", "z")), ("a", {"name": "x"}))


# Inline elements across blocks


def test_inline_element_formats_every_block_up_to_its_end() -> None:
    blocks = shapes(
        nodes.Paragraph(inlines("<b>a")),
        nodes.Heading(2, [nodes.RawText("b")]),
        nodes.List([nodes.ListItem([paragraph("c")])]),
        nodes.Table(nodes.TableRow([nodes.TableCell([nodes.RawText("d")])]), []),
        nodes.Paragraph(inlines("e</b> f")),
    )

    assert blocks == [
        ("Paragraph", ("Strong", "a")),
        ("Heading2", ("Strong", "b")),
        ("List", None, ("ListItem", ("Paragraph", ("Strong", "c")))),
        ("Table", ("TableRow", ("Cell", None, ("Strong", "d")))),
        ("Paragraph", ("Strong", "e"), " f"),
    ]


def test_link_goes_around_the_images_of_several_paragraphs() -> None:
    image = nodes.Paragraph([nodes.Image("i", [])])

    assert (
        shapes(nodes.HtmlBlock("<a href=x>"), image, image, nodes.HtmlBlock("</a>"))
        == [("Paragraph", ("Link", "x", ("Image", "i")))] * 2
    )


def test_inline_element_that_nothing_closes_ends_with_its_block() -> None:
    assert shapes(nodes.Paragraph(inlines("<b>a")), paragraph("b")) == [
        ("Paragraph", ("Strong", "a")),
        ("Paragraph", "b"),
    ]


def test_no_element_crosses_a_bound_of_markdown() -> None:
    item = nodes.ListItem([nodes.Paragraph(inlines("<b>a"))])

    assert shapes(nodes.List([item]), nodes.Paragraph(inlines("b</b>c"))) == [
        ("List", None, ("ListItem", ("Paragraph", ("Strong", "a")))),
        ("Paragraph", "bc"),
    ]
    assert shapes(
        nodes.HtmlBlock("<div>"), nodes.Quote([nodes.HtmlBlock("</div>"), paragraph("a")]), paragraph("b")
    ) == [("div", ("Quote", ("Paragraph", "a")), ("Paragraph", "b"))]
    assert shapes(nodes.Paragraph([nodes.Emphasis(inlines("<b>a")), nodes.RawText("b"), *inlines("</b>c")])) == [
        ("Paragraph", ("Emphasis", ("Strong", "a")), "bc")
    ]


def test_white_space_and_breaks_before_the_text_of_an_inline_of_markdown_stand_before_it() -> None:
    before = nodes.RawText("a ")

    assert shapes(nodes.Paragraph([before, nodes.Emphasis(inlines("<b> b</b>"))])) == [
        ("Paragraph", "a ", ("Emphasis", ("Strong", "b")))
    ]
    assert shapes(nodes.Paragraph([before, nodes.Emphasis(inlines("<br>b"))])) == [
        ("Paragraph", "a", BREAK, ("Emphasis", "b"))
    ]


def test_repeated_elements_are_bounded() -> None:
    link = nodes.HtmlBlock(f"<a href='/{'x' * 50_000}'>")

    tokens, _ = convert_raw_html(
        [link, *(paragraph("a") for _ in range(100)), nodes.HtmlBlock("</a>")], "sanitize", max_depth=9
    )

    assert sum(isinstance(token, nodes.Link) for token in nodes.walk(nodes.Document(tokens))) == 2
    assert words_of(tokens) == ["a"] * 100


# Block elements


BLOCK_SHAPES: dict[str, list[tuple[str, list[object]]]] = {
    "block element becomes what it means": [
        ("<p>a\n b</p>", [("Paragraph", "a", SOFT, "b")]),
        ("<p>a<p>b", [("Paragraph", "a"), ("Paragraph", "b")]),
        ("<p align=middle>a</p>", [("p", {"align": "center"}, "a")]),
        ("<h3>a <b>b</b></h3>", [("Heading3", "a ", ("Strong", "b"))]),
        ("<h1 align=center>a</h1>", [("div", {"align": "center"}, ("Heading1", "a"))]),
        ("<h1>a\n<h2>b</h2>", [("Heading1", "a"), ("Heading2", "b")]),
        ("<h1><div>a</div><div>b</div></h1>c", [("Heading1", "a", BREAK, "b"), ("Paragraph", "c")]),
        ("<blockquote>a<p>b</blockquote>", [("Quote", ("Paragraph", "a"), ("Paragraph", "b"))]),
        ("a<hr>b", [("Paragraph", "a"), ("ThematicBreak",), ("Paragraph", "b")]),
        ("<center>a</center>", [("div", {"align": "center"}, ("Paragraph", "a"))]),
        ("<div>a</p></span>b</div>", [("div", ("Paragraph", "a"), ("Paragraph", "b"))]),
        ("<dl><dt>a<dd>b<dd>c</dl>", [("dl", ("dt", "a"), ("dd", "b"), ("dd", "c"))]),
        ("<figure><img src=a><figcaption>b</figcaption></figure>", [
            ("figure", ("Paragraph", ("Image", "a")), ("figcaption", "b")),
        ]),
        ("<details open><summary>a</summary>b</details>", [
            ("details", {"open": ""}, ("summary", "a"), ("Paragraph", "b")),
        ]),
        ("<summary>a</summary><li>b</li><td>c", [("Paragraph", x) for x in "abc"]),
        ("<section>a</section><nav>b</nav>", [("Paragraph", "a"), ("Paragraph", "b")]),
        ("<div></div><p> </p><br>&#32;", []),
        ("&lt;b&gt; &nbsp;&copy; &#99999999999; &nosuch;", [("Paragraph", "<b> \xa0© \ufffd &nosuch;")]),
        ("a < b <3 <https://c.d> <e@f>", [("Paragraph", "a < b <3 <https://c.d> <e@f>")]),
        ("<div>a <b title='", [("div", ("Paragraph", "a <b title='"))]),
    ],
    "html list is a list whatever stands between its items": [
        ("<ul>\n<li>a\n<li><b>b</b></li>\n</ul>", [
            ("List", None, ("ListItem", ("Paragraph", "a")), ("ListItem", ("Paragraph", ("Strong", "b")))),
        ]),
        ("<ol start=3><li>a</ol>", [("List", 3, ("ListItem", ("Paragraph", "a")))]),
        ("<ol><li>a<ul><li>b</ul></ol>", [
            ("List", 1, ("ListItem", ("Paragraph", "a"), ("List", None, ("ListItem", ("Paragraph", "b"))))),
        ]),
        ("<ul>a<li>b</ul>", [("List", None, ("ListItem", ("Paragraph", "a")), ("ListItem", ("Paragraph", "b")))]),
        ("<ul><li>a<p>b</p></li><p>c</p></ul>", [
            ("List", None, ("ListItem", ("Paragraph", "a"), ("Paragraph", "b"), ("Paragraph", "c"))),
        ]),
        ("<ul>a</ul>", [("Paragraph", "a")]),
        ("<ol type=a><li value=4>b</ol>", [("ol", {"type": "a"}, ("li", {"value": "4"}, ("Paragraph", "b")))]),
    ],
}  # fmt: skip


@pytest.mark.parametrize(("source", "expected"), each_row(BLOCK_SHAPES))
def test_blocks_of_html_are_of_this_shape(source: str, expected: list[object]) -> None:
    assert block_shapes(source) == expected


def test_html_list_numbers_its_items() -> None:
    tokens, _ = convert_raw_html([nodes.HtmlBlock("<ol start=9><li>a<li>b</ol>")], "sanitize", max_depth=100)

    assert [item.leader for item in cast("nodes.List", tokens[0]).children] == ["9.", "10."]


@pytest.mark.parametrize(
    ("source", "language", "content"),
    [
        ("<pre>\n a\n  b\n</pre>", "", " a\n  b\n"),
        ('<pre><code class="x language-js">a &lt; <b>b</b><br>c</code></pre>', "js", "a < b\nc\n"),
        ('<pre lang="py">a</pre>', "py", "a\n"),
        ("<pre>a", "", "a\n"),
        ("<pre>a\r\nb</pre>", "", "a\nb\n"),
    ],
)
def test_preformatted_text_is_code(source: str, language: str, content: str) -> None:
    assert block_shapes(source, "b") == [("CodeFence", language, content), ("Paragraph", "b")]


def test_table_of_inlines_is_a_table() -> None:
    source = """<table>
<thead><tr align=center><th>a</th><th align=left>b</th></tr></thead>
<tbody><tr><td>1 <b>x</b></td><td align="right" width=50>2</td></tr>
<tr><th>3</th></tr></tbody></table>"""

    assert block_shapes(source) == [
        (
            "Table",
            ("TableRow", ("Cell", 0, "a"), ("Cell", -1, "b")),
            ("TableRow", ("Cell", None, "1 ", ("Strong", "x")), ("Cell", 1, "2")),
            ("TableRow", ("Cell", None, ("Strong", "3")), ("Cell", None)),
        )
    ]


@pytest.mark.parametrize(
    ("source", "parts"),
    [
        ("<tr><td>a", [("tbody", ("tr", ("td", "a")))]),
        ("<tr><th colspan=2>a<tr><td>b", [("tbody", ("tr", ("th", {"colspan": "2"}, "a")), ("tr", ("td", "b")))]),
        ("<tr><th rowspan=2000>a<tr><td>b", [("tbody", ("tr", ("th", {"rowspan": "1000"}, "a")), ("tr", ("td", "b")))]),
        ("<tr><th>a<tr><td>b<td>c", [("tbody", ("tr", ("th", "a")), ("tr", ("td", "b"), ("td", "c")))]),
        ("<tr><th>a<tr><td><hr>b", [
            ("tbody", ("tr", ("th", "a")), ("tr", ("td", ("ThematicBreak",), ("Paragraph", "b")))),
        ]),
        ("<caption>c</caption><tr><th>a", [("caption", "c"), ("tbody", ("tr", ("th", "a")))]),
        ("a<tr>b<td>c", [("tbody", ("tr", ("td", "a")), ("tr", ("td", "b"), ("td", "c")))]),
    ],
)  # fmt: skip
def test_other_table_keeps_its_elements(source: str, parts: list[object]) -> None:
    assert block_shapes(f"<table>{source}</table>d") == [("table", *parts), ("Paragraph", "d")]


def test_table_is_padded_within_bounds() -> None:
    source = f"<table><tr>{'<th>a' * 200}{'<tr><td>b' * 200}</table>"

    assert block_shapes(source)[0][0] == "table"


# Block elements around Markdown


def test_element_opened_in_one_block_holds_those_up_to_its_end() -> None:
    blocks = shapes(
        nodes.HtmlBlock("<details>\n<summary>T</summary>"),
        nodes.Paragraph([nodes.Strong([nodes.RawText("a")])]),
        nodes.CodeFence("b\n"),
        nodes.HtmlBlock("</details>"),
        paragraph("c"),
    )

    assert blocks == [
        ("details", ("summary", "T"), ("Paragraph", ("Strong", "a")), ("CodeFence", "", "b\n")),
        ("Paragraph", "c"),
    ]


def test_paragraph_element_aligns_what_stands_in_it() -> None:
    start, end = nodes.HtmlBlock('<p align="center">'), nodes.HtmlBlock("</p>")
    aligned = {"align": "center"}

    assert shapes(start, paragraph("a"), end) == [("p", aligned, "a")]
    assert shapes(start, paragraph("a"), paragraph("b"), end) == [
        ("div", aligned, ("Paragraph", "a"), ("Paragraph", "b"))
    ]
    assert shapes(nodes.HtmlBlock('<p align="center">a'), paragraph("b")) == [("p", aligned, "a"), ("Paragraph", "b")]


def test_heading_element_goes_on_over_empty_lines() -> None:
    assert shapes(nodes.HtmlBlock("<h1>\n<img src=a>"), paragraph("T"), nodes.HtmlBlock("</h1>"), paragraph("b")) == [
        ("Heading1", ("Image", "a"), BREAK, "T"),
        ("Paragraph", "b"),
    ]
    assert shapes(nodes.HtmlBlock("<h1>a"), paragraph("b")) == [("Heading1", "a"), ("Paragraph", "b")]


def test_cell_holds_blocks_of_markdown() -> None:
    assert shapes(
        nodes.HtmlBlock("<table><tr><td>"),
        nodes.CodeFence("a\n"),
        nodes.HtmlBlock("</td></tr></table>"),
        paragraph("b"),
    ) == [("table", ("tbody", ("tr", ("td", ("CodeFence", "", "a\n"))))), ("Paragraph", "b")]


def test_block_between_a_tables_parts_gets_a_cell() -> None:
    assert shapes(nodes.HtmlBlock("<table>"), paragraph("a"), nodes.HtmlBlock("</table>")) == [
        ("table", ("tbody", ("tr", ("td", "a"))))
    ]


def test_block_element_in_a_paragraph_parts_it() -> None:
    assert shapes(nodes.Paragraph(inlines("a <div align=right>b</div> c"))) == [
        ("Paragraph", "a"),
        ("div", {"align": "right"}, ("Paragraph", "b")),
        ("Paragraph", "c"),
    ]


def test_block_element_among_inlines_only_begins_a_line() -> None:
    cell = nodes.TableCell(inlines("<ul><li>a</li><li>b</li></ul><pre>c</pre>"))

    assert shapes(nodes.Table(nodes.TableRow([cell]), [])) == [
        ("Table", ("TableRow", ("Cell", None, "a", BREAK, "b", BREAK, ("InlineCode", "c"))))
    ]
    assert shapes(nodes.Heading(1, inlines("a<p>b"))) == [("Heading1", "a", BREAK, "b")]
    assert shapes(nodes.Paragraph([nodes.Emphasis(inlines("a<h1>b</h1>"))])) == [
        ("Paragraph", ("Emphasis", "a", BREAK, "b"))
    ]
    # Found by Hypothesis: this ended the heading, and the emphasis with it.
    assert shapes(nodes.Paragraph([nodes.HtmlSpan("<h1>"), nodes.Emphasis(inlines("a<h2>b</h2>"))])) == [
        ("Heading1", ("Emphasis", "a", BREAK, "b"))
    ]


def test_new_tokens_know_their_lines() -> None:
    tokens, _ = convert_raw_html(
        [nodes.HtmlBlock("<div>\n\n<h2>a</h2>\n\n b\n</div>", line=5)], "sanitize", max_depth=100
    )
    (division,) = tokens
    heading, markdown = nodes.children_of(division)

    assert isinstance(division, nodes.HtmlElement)
    assert isinstance(heading, nodes.Heading)
    assert isinstance(markdown, nodes.Paragraph)
    assert (division.line_number, heading.line_number, markdown.line_number) == (5, 7, 9)


def test_tasks_stay_tasks() -> None:
    (tasks,), _ = convert_raw_html(
        [nodes.List([nodes.TaskItem([nodes.Paragraph(inlines("<b>a</b>"))], checked=True)])], "sanitize", max_depth=100
    )

    assert shape(tasks) == ("List", None, ("TaskItem", ("Paragraph", ("Strong", "a"))))


# Removed elements


def test_unsupported_element_goes_and_its_text_stays() -> None:
    raised = notices(nodes.HtmlBlock("<font>a</font>\n<font>\n<Clip-x><clipPath/>", line=2))

    assert line_shapes("<font>a <b>b</b></font>") == ("a ", ("Strong", "b"))
    assert raised == [
        Notice("unsupported-html", "the element <font> is not supported; only its text is kept", line=2),
        Notice("unsupported-html", "the element <clippath> is not supported; only its text is kept", line=4),
    ]


def test_unknown_tag_is_text() -> None:
    assert line_shapes("<foo>a <b>b</b></foo>") == ("<foo>a ", ("Strong", "b"), "</foo>")
    assert block_shapes("<div><Foo x='&amp;'>\na</Foo><v:p/></div>") == [
        ("div", ("Paragraph", "<Foo x='&amp;'>", SOFT, "a</Foo><v:p/>"))
    ]
    assert block_shapes("<pre>Vec<u8> <a\n>b</pre>") == [("CodeFence", "", "Vec<u8> b\n")]
    assert notices(nodes.HtmlBlock("<foo>")) == []


@pytest.mark.parametrize(
    "source", ["Vec<Title>", "Array<object>", "List<Option>", "Box<P>", "Set<a>", "x_1<b>", "A<Link>"]
)
def test_element_without_an_end_tag_is_a_type_argument_after_a_word(source: str) -> None:
    assert line_shapes(f"{source} c") == (f"{source} c",)
    assert block_shapes(f"<div>{source}</div>") == [("div", ("Paragraph", source))]
    assert block_shapes(f"<pre>{source}</pre>") == [("CodeFence", "", f"{source}\n")]


@pytest.mark.parametrize(
    "source", ["cd <path>", "cp <source> <text>", "a <Link>", "#include <set>", "<none>:<none>", "<Map>"]
)
def test_element_that_needs_attributes_or_an_end_tag_is_a_placeholder_without(source: str) -> None:
    assert line_shapes(source) == (source,)
    assert block_shapes(f"<div>{source}</div>") == [("div", ("Paragraph", source))]
    assert notices(nodes.Paragraph(inlines(source))) == []


@pytest.mark.parametrize(
    "source", ["<path d='x'>", "<path/>", "<g></g>", "<source src=x>", "<map>b</map>", "<section class=x>", "<u>"]
)
def test_other_unsupported_element_is_no_placeholder(source: str) -> None:
    assert "<" not in str(shapes(nodes.Paragraph(inlines(f"a {source} b"))))


@pytest.mark.parametrize(
    "source",
    [
        "use <div> here",
        "the <span> and the <a>",
        "the <table>, the <h1>",
        "one <address>",
        "a<h2>",
        "in <details>",
        "an <img>",
    ],
)
def test_name_of_an_element_in_a_line_is_text(source: str) -> None:
    assert line_shapes(source) == (source,)
    assert notices(nodes.Paragraph(inlines(source))) == []


@pytest.mark.parametrize("source", ["a <div>b</div>", "<span>a", "a <div id=x>b", "a <p>b", "a <center>b</center>"])
def test_element_that_ends_or_begins_a_line_is_no_name(source: str) -> None:
    assert "<" not in str(shapes(nodes.Paragraph(inlines(source))))


@pytest.mark.parametrize("source", ["a<b and c>d", "if x<i or j>0", "x<p and q>y", "a1<s or t>b"])
def test_comparison_is_text(source: str) -> None:
    assert line_shapes(source) == (source,)


@pytest.mark.parametrize("source", ["a<br clear>b", "x<li hidden>y", "x<a id>y", "x<i y=z>", "a<b and c>d</b>"])
def test_valueless_attribute_is_no_comparison(source: str) -> None:
    assert "<" not in str(shapes(nodes.Paragraph(inlines(source))))


def test_end_of_an_empty_element_is_text_like_its_start() -> None:
    assert line_shapes("<input>2+2</input> c") == ("<input>2+2</input> c",)
    assert block_shapes("<div><source>a</source></div>") == [("div", ("Paragraph", "<source>a</source>"))]
    assert line_shapes("a <input type=text></input> b</input>") == ("a b",)


def test_lines_and_items_need_no_end_tag_after_a_word() -> None:
    assert block_shapes("<ul><li>a<li>b<LI>c</ul>") == [
        ("List", None, *(("ListItem", ("Paragraph", word)) for word in "abc"))
    ]
    assert block_shapes("<div>a<p>b<hr>c</div>") == [
        ("div", ("Paragraph", "a"), ("Paragraph", "b"), ("ThematicBreak",), ("Paragraph", "c"))
    ]


def test_programs_and_stylesheets_go_with_their_content() -> None:
    assert block_shapes("a<script>b < c</SCRIPT >d<style>e</style>") == [("Paragraph", "ad")]
    assert line_shapes("a<script>b</script>c") == ("ac",)
    assert notices(nodes.HtmlBlock("<script>a</script>", line=1)) == [
        Notice("unsupported-html", "the element <script> is removed with its content", line=1)
    ]


def test_number_of_notices_is_bounded() -> None:
    unsupported = "".join(f"<{name} a>" for name in sorted(KNOWN_TAGS - RAW_TEXT_TAGS))

    assert len(notices(nodes.HtmlBlock(unsupported))) == 20
    assert len(notices(nodes.HtmlBlock("<script>" * 1_000))) == 20


@pytest.mark.parametrize(
    "opening", ["<!--", "<![CDATA[", "<?", "<script>", "<STYLE x>", "<title>", "<textarea a=b>", "<xmp>"]
)
def test_what_never_ends_is_text_with_a_notice(opening: str) -> None:
    notice = Notice("unclosed-html", f"{opening!r} has no end and is shown as text", line=2)
    block = nodes.HtmlBlock(f"<b>a</b>\n{opening} b <i>c</i>", line=1)

    assert shapes(block, paragraph("d")) == [
        ("Paragraph", ("Strong", "a"), SOFT, f"{opening} b ", ("Emphasis", "c")),
        ("Paragraph", "d"),
    ]
    assert notices(block) == [notice]


def test_comment_that_ends_in_a_later_block_goes() -> None:
    tokens, raised = convert_raw_html(
        [nodes.HtmlBlock("a <!-- b", line=1), nodes.HtmlBlock("c <script>d", line=3)],
        "sanitize",
        max_depth=9,
        ends_later=lambda opening, line: (opening, line) in {("<!--", 1), ("<script>", 3)},
    )

    assert [shape(token) for token in tokens] == [("Paragraph", "a"), ("Paragraph", "c")]
    assert [notice.code for notice in raised] == ["unsupported-html"]


# Limits


def depth(tokens: Sequence[nodes.Token]) -> int:
    generation, levels = list(tokens), 0
    while generation:
        generation = [child for token in generation for child in nodes.children_of(token)]
        levels += 1
    return levels


@pytest.mark.parametrize("tag", ["div", "b", "blockquote", "ul><li", "table><tr><td", "details", "h1 align=left", "ol"])
def test_elements_stand_no_deeper_than_the_bound(tag: str) -> None:
    source = f"<{tag}>" * 200 + "a" + "<p>b" * 3

    tokens, raised = convert_raw_html([nodes.Quote([nodes.HtmlBlock(source, line=1)])], "sanitize", max_depth=20)

    assert depth(tokens) <= 20
    assert words_of(tokens) == ["a", "b", "b", "b"]
    assert [notice.code for notice in raised] == ["nesting-too-deep"][: 0 if tag.startswith("h1") else 1]


HOSTILE: dict[str, Callable[[int], str]] = {
    "b": lambda size: "<b>" * (size // 3),
    "closing b": lambda size: "</b>" * (size // 4),
    "closing p": lambda size: "<div>" * 90 + "</p>" * (size // 4),
    "overlapping": lambda size: "<b></i>" * (size // 7),
    "overlapping texts": lambda size: "<b>x<i>x</b>x<u>x<sub>x</i>x</sub>" * (size // 35),
    "rotating": lambda size: "<b><i><sub><sup><kbd>" + "x</b><b>x</i><i>x</sub><sub>x</sup><sup>" * (size // 40),
    "div": lambda size: "<div>" * (size // 5),
    "div and text": lambda size: "<div>x" * (size // 6),
    "li": lambda size: "<div>" * 90 + "<li>" * (size // 4),
    "ul": lambda size: "<ul><li>x" * (size // 9),
    "td": lambda size: "<table>" + "<td>x" * (size // 5),
    "tables": lambda size: "<table><tr><td>" * (size // 15),
    "padding": lambda size: "<table>" + "<th>" * (size // 8) + "<tr><td>" * (size // 16),
    "unended a": lambda size: "<a " * (size // 3),
    "unended quotes": lambda size: "<a b='" * (size // 6),
    "mixed quotes": lambda size: "<a b='>\" c=" * (size // 11),
    "comments": lambda size: "<!--" * (size // 4),
    "instructions": lambda size: "<?a>" * (size // 4),
    "declarations": lambda size: "<!a" * (size // 3),
    "CDATA": lambda size: "<![CDATA[" * (size // 9),
    "script": lambda size: "<script>" * (size // 8),
    "scripts": lambda size: "<script></scrip>" * (size // 16),
    "angles": lambda size: "<" * size,
    "attributes": lambda size: f"<p {'a=b ' * (size // 4)}>",
    "distinct attributes": lambda size: f"<p {' '.join(f'a{n}' for n in range(size // 6))}>",
    "spaces": lambda size: f"<p a{' ' * size}>",
    "long value": lambda size: f"<a href='{'&amp;' * (size // 5)}'>x</a>",
    "entities": lambda size: "&#" * (size // 2) + "9" * 5_000,
    "anchors": lambda size: "<a name=x></a>" * (size // 14),
    "links": lambda size: "<a href=x>y" * (size // 11),
    "names": lambda size: "".join(f"<x{number}>" for number in range(size // 8)),
    "lines": lambda size: "<b>\n\n" * (size // 5),
    "rt": lambda size: "<ruby>" * 50 + "<rt>" * (size // 4),
    "pre": lambda size: "<pre>" * (size // 5),
    "h1": lambda size: "<h1>" * (size // 4),
    "br": lambda size: "x" + "<br>" * (size // 4) + "x",
}


def as_block(source: str) -> list[nodes.Token]:
    return [nodes.HtmlBlock(source)]


def as_spans(source: str) -> list[nodes.Token]:
    return [nodes.Paragraph(inlines(source))]


def as_paragraphs(source: str) -> list[nodes.Token]:
    return [nodes.Paragraph([token]) for token in inlines(source)]


def as_blocks(source: str) -> list[nodes.Token]:
    return [nodes.HtmlBlock(line) for line in re.findall("[^>]*>?", source) if line]


@pytest.mark.security
@pytest.mark.parametrize("make", [as_block, as_paragraphs])
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_html_takes_no_quadratic_time(name: str, make: Callable[[str], list[nodes.Token]]) -> None:
    """Ten times the input takes ten times as long; quadratic would be 100."""
    small, large = (
        median_seconds(partial(convert_raw_html, make(HOSTILE[name](size)), "sanitize", max_depth=100))
        for size in (10_000, 100_000)
    )

    # Below a millisecond, timing is inaccurate.
    assert large <= 40 * max(0.001, small)


@pytest.mark.security
@pytest.mark.short
@pytest.mark.parametrize("make", [as_block, as_paragraphs])
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_html_takes_no_quadratic_work(name: str, make: Callable[[str], list[nodes.Token]]) -> None:
    """Ten times the input takes ten times the steps; quadratic would be 100."""
    check_linear(
        lambda size: make(HOSTILE[name](size)),
        lambda tokens: convert_raw_html(tokens, "sanitize", max_depth=100),
        characters=1_000,
    )


@pytest.mark.parametrize(
    ("markdown", "html"),
    [
        ("<code>${a}/${b}</code>", "<p><code>${a}/${b}</code></p>\n"),
        ("<code>${a}</code> <code>${b}</code>", "<p><code>${a}</code> <code>${b}</code></p>\n"),
        ("<tt>$$x$$</tt> $x$", "<p><code>$$x$$</code> $x$</p>\n"),
    ],
)
def test_dollars_in_code_are_no_math(markdown: str, html: str) -> None:
    assert convert(markdown, to="html").html == html


# Independent parsers

ATTACKS = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg/onload=alert(1)>",
    "<svg><script>alert(1)</script></svg>",
    "<a href='jav&#x09;ascript:alert(1)'>x</a>",
    "<a href='&#1;javascript:alert(1)'>x</a>",
    "<a href=' javascript:alert(1)'>x</a>",
    "<a href=java&Tab;script&colon;alert(1)>x</a>",
    "<a href='vbscript:x'>x</a>",
    "<a href='data:text/html,<script>'>x</a>",
    "<iframe src='javascript:alert(1)'></iframe>",
    "<object data=x></object><embed src=x>",
    "<p style='background:url(javascript:x)' class=a onclick=x>y</p>",
    "<table background='javascript:x'><tr><td style=x onmouseover=y>z",
    "<form action=x><input autofocus onfocus=alert(1)><button formaction=x>y",
    "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
    '"><img src=x onerror=alert(1)//',
    "<img src='x' alt='\"><script>alert(1)</script>'>",
    "<base href='javascript:x'><meta http-equiv=refresh content='0;javascript:x'>",
    "<q cite='javascript:x'>y</q><ins cite='vbscript:x'>z</ins>",
    "<a name='x\" onclick=\"y'>z</a><div id='javascript:x y'>w</div>",
    "<ScRiPt\n>alert(1)</ScRiPt\n><STYLE>@import 'x'</STYLE>",
    "<details open ontoggle=alert(1)><summary>x",
    "<a\x0chref=javascript:x>y</a><a/href=javascript:x>z</a>",
    "<<script>alert(1)//<</script>",
    "<img src=`x` lowsrc=javascript:x longdesc=javascript:y usemap=#z>",
)


def check_allowed(tokens: Sequence[nodes.Token]) -> None:
    """A tree has only allow-listed elements, and attribute values that pass unchanged."""
    for token in nodes.walk(nodes.Document(tokens)):
        assert isinstance(token, nodes.Block | nodes.Inline | nodes.Document)
        assert not isinstance(token, nodes.HtmlBlock | nodes.HtmlSpan)
        if isinstance(token, nodes.Link | nodes.Image):
            assert is_safe_url(token.target if isinstance(token, nodes.Link) else token.src)
        if isinstance(token, nodes.HtmlElement):
            assert token.tag in BLOCK_TAGS | INLINE_TAGS
            attributes = dict(token.attributes)
            assert is_safe_url(attributes.pop("cite", ""))
            if token.tag == "a":
                assert re.fullmatch(r"[A-Za-z0-9_.:\-]{1,100}", attributes.pop("name"))
                assert not attributes
            assert allowed_attributes(token.tag, attributes) == attributes


@pytest.mark.parametrize("make", [as_block, as_spans, as_blocks])
@pytest.mark.parametrize("attack", ATTACKS)
def test_attack_leaves_nothing_outside_the_allow_lists(attack: str, make: Callable[[str], list[nodes.Token]]) -> None:
    tokens, _ = convert_raw_html(make(f"{attack} <b>a</b>"), "sanitize", max_depth=100)

    check_allowed(tokens)


def written(tokens: Sequence[nodes.Token]) -> str:
    document = nodes.Document(tokens)
    seal(document)
    return html.render(document, CONTEXT)


# The renderer writes `input` for a task.
JUDGED_TAGS = BLOCK_TAGS | INLINE_TAGS | {"input"}
_LAYOUT_ATTRIBUTES = {"align", "border", "cellpadding", "cellspacing", "height", "rules", "valign", "width"}
_CONTENT_ATTRIBUTES = {"abbr", "cite", "datetime", "dir", "href", "lang", "name", "src", "summary", "title"}
JUDGED_ATTRIBUTES = (
    _LAYOUT_ATTRIBUTES
    | _CONTENT_ATTRIBUTES
    | {"colspan", "headers", "open", "reversed", "rowspan", "scope", "start", "type"}
    | {"value", "alt", "checked", "disabled"}
)


def judge(html: str) -> None:
    """As browsers parse it, HTML has only allow-listed elements, attributes and schemes."""
    parser = html5lib.HTMLParser(namespaceHTMLElements=False)
    for element in parser.parseFragment(html).iter():
        if element.tag != "DOCUMENT_FRAGMENT":
            assert element.tag in JUDGED_TAGS
            assert set(element.keys()) <= JUDGED_ATTRIBUTES
            assert all(is_safe_url(element.get(name, "")) for name in ("href", "src", "cite"))
    allowed = dict.fromkeys(JUDGED_TAGS, JUDGED_ATTRIBUTES)
    schemes = {"http", "https", "mailto", "tel"}
    cleaned = nh3.clean(html, tags=set(JUDGED_TAGS), attributes=allowed, link_rel=None, url_schemes=schemes)
    assert cleaned.count("=") == nh3.clean(html, tags=set(JUDGED_TAGS), attributes=allowed, link_rel=None).count("=")
    # After a parse error, elements move.
    assert not parser.errors, (html, parser.errors)


@given(st.lists(st.sampled_from([*ATTACKS, "<p>", "</p>", "'", '"', ">", "<!--", "a", "\n"]), max_size=6).map("".join))
def test_judges_find_nothing_outside_the_allow_lists(source: str) -> None:
    tokens, _ = convert_raw_html([nodes.HtmlBlock(source)], "sanitize", max_depth=100)

    check_allowed(tokens)
    judge(written(tokens))


TAGS = (
    *(f"<{tag}>" for tag in sorted((BLOCK_TAGS | INLINE_TAGS) - {"a", "img"})),
    *(f"</{tag}>" for tag in sorted((BLOCK_TAGS | INLINE_TAGS) - {"br", "hr", "img", "wbr"})),
    "<a href=x>",
    "<a name=x>",
    "<a/>",
    "<img src=x>",
    "<p align=center>",
    "<h2 id=y>",
    "<td colspan=2>",
    "<foo>",
    "<section>",
    "<picture>",
    "<!-- -->",
)
WORD = "\ue000"
READ = nodes.RawText | nodes.InlineCode | nodes.AutoLink | nodes.CodeFence


@st.composite
def inline_trees(draw: st.DrawFn, levels: int = 2) -> list[nodes.Token]:
    leaves: list[Callable[[], nodes.Token]] = [
        lambda: nodes.RawText(f" {WORD} "),
        lambda: nodes.RawText(WORD),
        lambda: nodes.HtmlSpan(draw(st.sampled_from(TAGS))),
        lambda: nodes.HtmlSpan(draw(st.sampled_from(TAGS))),
        lambda: nodes.LineBreak(soft=draw(st.booleans())),
        lambda: nodes.InlineCode(WORD),
        lambda: nodes.Image("x", [nodes.RawText(WORD)]),
        lambda: nodes.AutoLink(WORD),
    ]
    parents: list[Callable[[], nodes.Token]] = [
        lambda: nodes.Strong(draw(inline_trees(levels - 1))),
        lambda: nodes.Link("x", draw(inline_trees(levels - 1))),
        lambda: nodes.Strikethrough(draw(inline_trees(levels - 1))),
    ]
    tokens = [draw(st.sampled_from(leaves + parents if levels else leaves))() for _ in range(draw(st.integers(0, 6)))]
    is_raw_text = [isinstance(token, nodes.RawText) for token in tokens]
    return [token for token, *two in zip(tokens, is_raw_text, [False, *is_raw_text], strict=False) if not all(two)]


@st.composite
def block_trees(draw: st.DrawFn, levels: int = 2) -> list[nodes.Token]:
    def html() -> nodes.Token:
        return nodes.HtmlBlock("".join(draw(st.lists(st.sampled_from([*TAGS, WORD, f" {WORD}\n"]), max_size=8))))

    def table() -> nodes.Token:
        return nodes.Table(nodes.TableRow([nodes.TableCell(draw(inline_trees())), nodes.TableCell([])]), [])

    leaves: list[Callable[[], nodes.Token]] = [
        html,
        html,
        lambda: nodes.Paragraph(draw(inline_trees())),
        lambda: nodes.Heading(1, draw(inline_trees())),
        lambda: nodes.CodeFence(f"{WORD}\n"),
        nodes.ThematicBreak,
        table,
    ]
    parents: list[Callable[[], nodes.Token]] = [
        lambda: nodes.Quote(draw(block_trees(levels - 1))),
        lambda: nodes.List(
            [nodes.ListItem(draw(block_trees(levels - 1))), nodes.TaskItem(draw(block_trees(levels - 1)), checked=True)]
        ),
    ]
    return [draw(st.sampled_from(leaves + parents if levels else leaves))() for _ in range(draw(st.integers(0, 5)))]


def numbered(tokens: Sequence[nodes.Token]) -> list[str]:
    """Make each word of a tree unique; return them in order."""
    words: list[str] = []

    def next_word(_: re.Match[str]) -> str:
        words.append(f"w{len(words)}.")
        return words[-1]

    def number(content: str) -> str:
        return re.sub(WORD, next_word, content)

    for token in nodes.walk(nodes.Document(tokens)):
        if isinstance(
            token,
            nodes.RawText | nodes.InlineCode | nodes.AutoLink | nodes.HtmlSpan | nodes.HtmlBlock | nodes.CodeFence,
        ):
            token.content = number(token.content)
    return words


def check_placement(token: nodes.Token) -> None:
    """Blocks are among blocks, inlines among inlines, and parts of tables and lists in their parents."""
    children = nodes.children_of(token)
    if isinstance(token, nodes.HtmlElement):
        inline = all(map(is_inline, children))
        assert inline or (token.tag in BLOCK_TAGS and all(map(is_block, children)))
        parts = {"table": {"caption", "thead", "tbody", "tfoot"}, "tr": {"td", "th"}}.get(
            token.tag, {"tr"} if token.tag in {"thead", "tbody", "tfoot"} else None
        )
        if parts:
            assert {child.tag if isinstance(child, nodes.HtmlElement) else "" for child in children} <= parts
    elif isinstance(token, nodes.Document | nodes.Quote | nodes.ListItem):
        assert all(map(is_block, children))
    elif isinstance(token, nodes.List):
        assert all(isinstance(child, nodes.ListItem) for child in children)
    elif not isinstance(token, nodes.Table | nodes.TableRow):
        assert all(map(is_inline, children))
    assert not any(
        isinstance(one, nodes.RawText) and isinstance(other, nodes.RawText) for one, other in pairwise(children)
    )


def is_inline(token: nodes.Token) -> bool:
    return token.tag in INLINE_TAGS if isinstance(token, nodes.HtmlElement) else isinstance(token, nodes.Inline)


def is_block(token: nodes.Token) -> bool:
    return token.tag in BLOCK_TAGS if isinstance(token, nodes.HtmlElement) else isinstance(token, nodes.Block)


def linked_twice(token: nodes.Token, *, linked: bool = False) -> bool:
    is_link = isinstance(token, nodes.Link | nodes.AutoLink) or (
        isinstance(token, nodes.HtmlElement) and token.tag == "a"
    )
    return (is_link and linked) or any(
        linked_twice(child, linked=linked or is_link) for child in nodes.children_of(token)
    )


@given(block_trees(), st.sampled_from([0, 5, 12, 100]))
def test_any_tree_becomes_a_valid_one_with_all_its_words(tree: list[nodes.Token], nesting: int) -> None:
    words = numbered(tree)
    # Text in an HTML block becomes a paragraph: one more level.
    bound = max(nesting, depth(tree) + 1)
    raw_links = linked_twice(nodes.Document(tree))

    tokens, _ = convert_raw_html(tree, "sanitize", max_depth=nesting)

    shown = [token.content for token in nodes.walk(nodes.Document(tokens)) if isinstance(token, READ)]
    assert re.findall(r"w\d+\.", "".join(shown)) == words
    assert depth(tokens) <= bound
    check_allowed(tokens)
    for token in nodes.walk(nodes.Document(tokens)):
        check_placement(token)
    assert raw_links or not linked_twice(nodes.Document(tokens))
    if not raw_links:
        judge(written(tokens))


@given(block_trees())
def test_any_tree_can_be_escaped(tree: list[nodes.Token]) -> None:
    tokens, _ = convert_raw_html(tree, "escape", max_depth=100)

    for token in nodes.walk(nodes.Document(tokens)):
        assert not isinstance(token, nodes.HtmlBlock | nodes.HtmlSpan)
        check_placement(token)


@given(
    st.lists(st.sampled_from([*"<>/!?-='\" \nab&#;", "<!--", "-->", "<a ", "</a>", "]]>", "<![CDATA["])).map("".join)
)
def test_any_text_can_be_cut(source: str) -> None:
    for piece in tokenize(source):
        assert isinstance(piece, HtmlText | Tag)
        if isinstance(piece, Tag):
            assert all("<" not in name for name in piece.attributes)


@pytest.mark.parametrize("name", ["script", "style"])
@pytest.mark.parametrize("end", [">", " >", ">\n", "\n>"])
def test_text_after_an_element_that_is_removed_stays(name: str, end: str) -> None:
    assert block_shapes(f"<{name}>a</{name}{end}b\n")[-1] == ("Paragraph", "b")
    assert line_shapes(f"a<{name}>b</{name}>c > d") == ("ac > d",)


@pytest.mark.parametrize(
    ("item", "html"),
    [
        ("<p>a</p><p>b</p>", "<li>\n<p>a</p>\n<p>b</p>\n</li>"),
        ("a<p>b</p>", "<li>\n<p>a</p>\n<p>b</p>\n</li>"),
        ("<p>a</p>", "<li>a</li>"),
        ("a<ul><li>b</li></ul>", "<li>a\n<ul>\n<li>b</li>\n</ul>\n</li>"),
    ],
)
def test_item_of_several_paragraphs_makes_its_list_loose(item: str, html: str) -> None:
    assert html in convert(f"<ul><li>{item}</li></ul>", to="html").html


def test_markdown_list_with_paragraphs_of_html_is_loose() -> None:
    tight, loose = (convert(source, to="html").html for source in ("- a <b>b</b>\n", "- a\n  <p>b</p>\n  c\n"))

    assert tight == "<ul>\n<li>a <strong>b</strong></li>\n</ul>\n"
    assert "<p>b</p>" in loose
