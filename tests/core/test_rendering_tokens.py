"""The output of each token in each destination; trees are built by hand where Markdown does not make them."""

import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

import html5lib
import pytest

from mdpublish_core import convert, nodes, parse, render
from mdpublish_core.html import HtmlWriter
from mdpublish_core.options.limits import DEFAULT_LIMITS
from mdpublish_core.templates import bind, get_template
from mdpublish_core.writers import RenderContext, generic, html, plain_text
from mdpublish_core.writers.generic import GenericRenderer
from mdpublish_core.writers.outputs import DESTINATIONS

T = TypeVar("T")

CONTEXT = RenderContext(bind(get_template("swiss"), "light"))

Example = tuple[nodes.Document, str, str, str]
"""A tree and its output in `html`, `generic` and `plain-text`."""


def paragraph(content: str) -> nodes.Paragraph:
    return nodes.Paragraph([nodes.RawText(content)])


def inline(*tokens: nodes.Inline) -> nodes.Document:
    return nodes.Document([nodes.Paragraph(tokens)])


def in_html(document: nodes.Document) -> str:
    return html.render(document, CONTEXT)


def in_generic(document: nodes.Document) -> str:
    writer = HtmlWriter()
    GenericRenderer(writer, document, CONTEXT).write_document(document)
    return writer.finish()


def check_well_formed(fragment: str) -> None:
    html5lib.HTMLParser(strict=True).parseFragment(fragment)


def cell(alignment: nodes.Alignment) -> nodes.TableCell:
    return nodes.TableCell([nodes.RawText("a")], align=alignment)


CALLOUTS: dict[str, Example] = {
    "callout that begins with code": (
        nodes.Document([nodes.Callout("warning", [nodes.CodeFence("rm\n")])]),
        "<blockquote>\n<p>[!WARNING]</p>\n<pre><code>rm\n</code></pre>\n</blockquote>\n",
        (
            '<div class="callout warning" role="note">\n<p class="title">Warning</p>\n'
            '<pre tabindex="0"><code>rm\n</code></pre>\n</div>\n'
        ),
        "> WARNING:\n>     rm\n",
    ),
    "callout in a tight list": (
        parse("- > [!TIP]\n  > a"),
        "<ul>\n<li>\n<blockquote>\n<p>[!TIP]\na</p>\n</blockquote>\n</li>\n</ul>\n",
        '<ul>\n<li>\n<div class="callout tip" role="note">\n<p class="title">Tip</p>\n<p>a</p>\n</div>\n</li>\n</ul>\n',
        "- > TIP: a\n",
    ),
    "empty callout": (
        nodes.Document([nodes.Callout("caution", [])]),
        "<blockquote>\n<p>[!CAUTION]</p>\n</blockquote>\n",
        '<div class="callout caution" role="note">\n<p class="title">Caution</p>\n</div>\n',
        "> CAUTION:\n",
    ),
}

TASKS: dict[str, Example] = {
    "task without a text": (
        parse("- [x] "),
        '<ul>\n<li><input type="checkbox" checked="" disabled="" /> </li>\n</ul>\n',
        '<ul>\n<li class="task"><input type="checkbox" checked="" disabled="" aria-label="Done" /></li>\n</ul>\n',
        "- [x]\n",
    ),
}

SOURCES: dict[str, Example] = {
    "figure with a title": (
        parse('```graphviz title="A & B"\na -> b\n```'),
        '<pre><code class="language-graphviz">a -&gt; b\n</code></pre>\n',
        (
            '<figure>\n<pre tabindex="0"><code class="language-graphviz">a -&gt; b\n</code></pre>\n'
            "<figcaption>A &amp; B</figcaption>\n</figure>\n"
        ),
        "A & B\n\n    a -> b\n",
    ),
    "display math": (
        parse("$$\na < b\n\\frac12\n$$"),
        '<pre><code class="language-math">a &lt; b\n\\frac12\n</code></pre>\n',
        '<pre tabindex="0"><code class="language-math">a &lt; b\n\\frac12\n</code></pre>\n',
        "    a < b\n    \\frac12\n",
    ),
    "math in a line": (
        parse("$a < b$ $$c$$"),
        "<p>$a &lt; b$ $$c$$</p>\n",
        '<p><code class="math">a &lt; b</code> <code class="math">c</code></p>\n',
        "a < b c\n",
    ),
    "fence with options": (
        parse("```python title=x\na\n```"),
        '<pre><code class="language-python">a\n</code></pre>\n',
        '<pre tabindex="0"><code class="language-python">a\n</code></pre>\n',
        "    a\n",
    ),
}

INLINES: dict[str, Example] = {
    "address without a scheme": (
        parse("www.example.org/a'b"),
        '<p><a href="http://www.example.org/a&#x27;b">www.example.org/a\'b</a></p>\n',
        '<p><a href="http://www.example.org/a&#x27;b">www.example.org/a\'b</a></p>\n',
        "www.example.org/a'b\n",
    ),
    "image with a size": (
        inline(nodes.Image("a.png", [nodes.RawText("A")], title="t", width="50%", height="40")),
        '<p><img src="a.png" alt="A" title="t" width="50%" height="40" /></p>\n',
        '<figure><img src="a.png" alt="A" title="t" width="50%" height="40" />\n<figcaption>t</figcaption>\n</figure>\n',
        "[A] (a.png “t”)\n",
    ),
    "image with a size that is none": (
        inline(nodes.Image("a.png", [], width="12em", height='1" onload="')),
        '<p><img src="a.png" alt="" /></p>\n',
        '<p><img src="a.png" alt="" /></p>\n',
        "[] (a.png)\n",
    ),
}

ELEMENTS: dict[str, Example] = {
    "blocks and inlines in a block": (
        nodes.Document(
            [
                nodes.HtmlElement(
                    "div",
                    {"align": "center"},
                    [nodes.RawText("a"), nodes.LineBreak(soft=False), nodes.RawText("b"), paragraph("c")],
                )
            ]
        ),
        '<div align="center">a<br />\nb\n<p>c</p>\n</div>\n',
        '<div align="center">a<br />\nb\n<p>c</p>\n</div>\n',
        "a\nb\n\nc\n",
    ),
    "block in a tight list": (
        parse("- <div>a</div>\n  b"),
        "<ul>\n<li>\n<div>\n<p>a</p>\n</div>\nb</li>\n</ul>\n",
        "<ul>\n<li>\n<div>\n<p>a</p>\n</div>\nb</li>\n</ul>\n",
        "- a\n  b\n",
    ),
    "anchor, and a link to it": (
        nodes.Document(
            [
                nodes.HtmlElement("a", {"name": "Top", "id": "x"}, []),
                nodes.Paragraph(
                    [
                        nodes.HtmlElement("a", {"name": "b"}, []),
                        nodes.Link("#Top", [nodes.RawText("up")]),
                        nodes.Link("#x", [nodes.RawText("x")]),
                    ]
                ),
            ]
        ),
        '<a name="Top" id="x"></a>\n<p><a name="b"></a><a href="#Top">up</a><a href="#x">x</a></p>\n',
        '<a name="md-Top"></a>\n<p><a name="md-b"></a><a href="#md-Top">up</a><a href="#x">x</a></p>\n',
        "upx\n",
    ),
    "address that is not safe": (
        parse("<q cite='javascript:x' title=t>a</q>"),
        '<p><q title="t">a</q></p>\n',
        '<p><q title="t">a</q></p>\n',
        "“a”\n",
    ),
    "element of one line around blocks": (
        nodes.Document(
            [
                nodes.Paragraph(
                    [
                        nodes.HtmlElement(
                            "ins", {}, [nodes.RawText("a"), nodes.HtmlElement("div", {}, [nodes.RawText("b")])]
                        )
                    ]
                )
            ]
        ),
        "<p><ins>a\n<div>b</div>\n</ins></p>\n",
        "<p><ins>a\n<div>b</div>\n</ins></p>\n",
        "a\n\nb\n",
    ),
    "raw HTML that is kept": (
        nodes.Document(
            [
                nodes.HtmlBlock("<div\n class=a>"),
                nodes.Paragraph([nodes.RawText("a"), nodes.HtmlSpan("<b >")]),
                nodes.HtmlBlock("</div>"),
            ]
        ),
        "<div\n class=a>\n<p>a<b ></p>\n</div>\n",
        "<div\n class=a>\n<p>a<b ></p>\n</div>\n",
        "<div\n class=a>\n\na<b >\n\n</div>\n",
    ),
}

TABLES: dict[str, Example] = {
    "alignments": (
        nodes.Document(
            [
                nodes.Table(
                    nodes.TableRow([cell(None), cell(-1), cell(0), cell(1)]),
                    [nodes.TableRow([cell(None), cell(-1), cell(0), cell(1)])],
                )
            ]
        ),
        (
            '<table>\n<thead>\n<tr>\n<th>a</th>\n<th align="left">a</th>\n<th align="center">a</th>\n'
            '<th align="right">a</th>\n</tr>\n</thead>\n'
            '<tbody>\n<tr>\n<td>a</td>\n<td align="left">a</td>\n<td align="center">a</td>\n<td align="right">a</td>\n</tr>\n</tbody>\n</table>\n'
        ),
        (
            '<div class="table" role="group" aria-label="Table" tabindex="0">\n'
            '<table>\n<thead>\n<tr>\n<th scope="col">a</th>\n<th scope="col" class="left">a</th>\n'
            '<th scope="col" class="center">a</th>\n<th scope="col" class="right">a</th>\n</tr>\n</thead>\n'
            '<tbody>\n<tr class="odd">\n<td>a</td>\n<td class="left">a</td>\n<td class="center">a</td>\n<td class="right">a</td>\n</tr>\n</tbody>\n</table>\n</div>\n'
        ),
        "",
    ),
}

EXAMPLES = {**CALLOUTS, **TASKS, **SOURCES, **INLINES, **ELEMENTS, **TABLES}

# Rows with fewer cells than the header, which parsing never produces.
NOT_IN_PLAIN_TEXT = {"alignments"}

# Parsing puts no block into a line. Raw HTML that is kept is the author's responsibility.
NOT_WELL_FORMED = {"element of one line around blocks", "raw HTML that is kept"}


@pytest.mark.parametrize("name", EXAMPLES)
def test_html_prints(name: str) -> None:
    document, expected, _, _ = EXAMPLES[name]

    assert in_html(document) == expected


@pytest.mark.parametrize("name", EXAMPLES)
def test_generic_prints(name: str) -> None:
    document, _, expected, _ = EXAMPLES[name]

    assert in_generic(document) == expected


@pytest.mark.parametrize("name", sorted(EXAMPLES.keys() - NOT_WELL_FORMED))
def test_output_parses_without_an_error(name: str) -> None:
    document = EXAMPLES[name][0]

    check_well_formed(in_html(document))
    check_well_formed(generic.render(document, CONTEXT))


@pytest.mark.parametrize("name", sorted(EXAMPLES.keys() - NOT_IN_PLAIN_TEXT))
def test_plain_text_prints(name: str) -> None:
    document, _, _, expected = EXAMPLES[name]

    assert plain_text.plain_text_of(document) == expected


def test_plain_text_aligns_an_explicit_left() -> None:
    header = nodes.TableRow([nodes.TableCell([nodes.RawText("left")], align=-1), nodes.TableCell([nodes.RawText("b")])])
    document = nodes.Document([nodes.Table(header, [nodes.TableRow([cell(-1), cell(None)])])])

    assert plain_text.plain_text_of(document) == "left | b\n-----|----\na    | a\n"


def with_footnotes(*definitions: nodes.FootnoteDefinition, inlines: Sequence[nodes.Inline]) -> nodes.Document:
    return nodes.Document([nodes.Paragraph(inlines)], footnote_definitions=definitions)


def test_plain_text_lists_short_footnotes_without_empty_lines() -> None:
    document = with_footnotes(
        nodes.FootnoteDefinition("a", [paragraph("one")]),
        nodes.FootnoteDefinition(
            "b", [nodes.Paragraph([nodes.RawText("two"), nodes.LineBreak(soft=True), nodes.RawText("lines")])], number=2
        ),
        nodes.FootnoteDefinition("c", [], number=3),
        inlines=[nodes.FootnoteReference("a")],
    )

    assert plain_text.plain_text_of(document) == "[1]\n\n[1] one\n[2] two\n    lines\n[3]\n"


def test_footnote_without_a_reference_has_no_way_back() -> None:
    document = with_footnotes(
        nodes.FootnoteDefinition("a", [paragraph("one")], references=0), inlines=[nodes.RawText("x")]
    )

    assert '<li id="fn-a">\n<p>one</p>\n</li>' in in_html(document)
    assert '<li id="md-fn-1">\n<p>one</p>\n</li>' in in_generic(document)


def test_empty_footnote_has_its_way_back() -> None:
    document = with_footnotes(nodes.FootnoteDefinition("a", []), inlines=[nodes.FootnoteReference("a")])

    assert '<li id="fn-a">\n<a href="#fnref-a" ' in in_html(document)
    check_well_formed(in_generic(document))


def test_footnotes_paragraphs_are_apart_below_a_tight_list() -> None:
    document = nodes.Document(
        [nodes.List([nodes.ListItem([nodes.Paragraph([nodes.FootnoteReference("a")])])])],
        footnote_definitions=[nodes.FootnoteDefinition("a", [paragraph("one")])],
    )

    assert "<p>one <a " in in_html(document)


def test_label_that_means_harm_stays_in_its_attribute() -> None:
    label = "\"><script>'&"
    document = with_footnotes(
        nodes.FootnoteDefinition(label, [paragraph("one")]), inlines=[nodes.FootnoteReference(label)]
    )
    fragment = in_html(document)

    assert "<script>" not in fragment
    assert 'href="#fn-%22%3E%3Cscript%3E&#x27;&amp;"' in fragment


def test_heading_never_shares_its_anchor_with_a_footnote() -> None:
    document = nodes.Document(
        [
            nodes.Heading(1, [nodes.RawText("fn 1")]),
            nodes.Paragraph([nodes.Link("#fn-1", [nodes.RawText("a")]), nodes.FootnoteReference("a")]),
        ],
        footnote_definitions=[nodes.FootnoteDefinition("a", [paragraph("one")])],
    )
    fragment = in_generic(document)

    assert '<h1 id="md-fn-1-1"' in fragment
    assert '<a href="#md-fn-1-1">a</a>' in fragment
    assert fragment.count('id="md-fn-1"') == 1


@pytest.mark.parametrize(
    ("title", "anchor"),
    [
        ("fnref 1", "fnref-1-1"),
        ("fnref 1 2", "fnref-1-2-1"),
        ("fnref 1 3", "fnref-1-3"),
        ("fnref 2", "fnref-2"),
        ("fn 01", "fn-01"),
        ("fn 1 2", "fn-1-2"),
        ("fn " + "9" * 5_000, "fn-" + "9" * 5_000),
    ],
)
def test_only_anchors_of_real_references_are_reserved(title: str, anchor: str) -> None:
    fragment = convert(f"# {title}\n\nOne[^a] two[^a].\n\n[^a]: note", to="generic").html

    assert f'<h1 id="md-{anchor}"' in fragment


def test_generic_puts_no_link_into_another() -> None:
    inner = [
        nodes.Link("/b", [nodes.RawText("b")]),
        nodes.AutoLink("https://c.example"),
        nodes.HtmlElement("a", {"name": "d"}, [nodes.RawText("d")]),
        nodes.FootnoteReference("n"),
    ]
    document = with_footnotes(
        nodes.FootnoteDefinition("n", [paragraph("one")]),
        inlines=[nodes.Link("/a", inner), nodes.Link("/e", [nodes.RawText("e")])],
    )
    fragment = in_generic(document)

    check_well_formed(fragment)
    assert fragment.startswith(
        '<p><a href="/a">bhttps://c.exampled<sup class="footnote-ref" id="md-fnref-1">1</sup></a><a href="/e">e</a></p>'
    )


def test_generic_ends_an_anchor_before_the_link_in_it() -> None:
    fragment = in_generic(inline(nodes.HtmlElement("a", {"name": "x"}, [nodes.Link("/a", [nodes.RawText("a")])])))

    assert fragment == '<p><a name="md-x"></a><a href="/a">a</a></p>\n'


def nested(
    levels: int,
    wrap: Callable[[nodes.Block | nodes.Inline], nodes.Block | nodes.Inline],
    innermost: nodes.Block | nodes.Inline,
) -> nodes.Block | nodes.Inline:
    for _ in range(levels):
        innermost = wrap(innermost)
    return innermost


def from_depth(depth: int, function: Callable[[], T]) -> T:
    """Call a function with this many more frames on the stack."""
    if depth:
        return from_depth(depth - 1, function)
    try:
        return function()
    except RecursionError as error:
        message = str(error)
    # Of the error itself, pytest would compare the trees of all frames, for minutes.
    pytest.fail(message, pytrace=False)


DEEP = {
    "100 quotes": nested(100, lambda inner: nodes.Quote([inner]), paragraph("x")),
    "100 callouts": nested(100, lambda inner: nodes.Callout("note", [inner]), paragraph("x")),
    "50 lists": nested(50, lambda inner: nodes.List([nodes.ListItem([inner])]), paragraph("x")),
    "50 lists of tasks": nested(
        50, lambda inner: nodes.List([nodes.TaskItem([inner], checked=True)], loose=True), paragraph("x")
    ),
    "100 elements": nested(100, lambda inner: nodes.HtmlElement("div", {}, [inner]), nodes.RawText("x")),
    "100 quotes with 100 emphases": nested(
        100,
        lambda inner: nodes.Quote([inner]),
        nodes.Paragraph([nested(100, lambda inner: nodes.Emphasis([inner]), nodes.RawText("x"))]),
    ),
    "100 quotes with 100 elements": nested(
        100,
        lambda inner: nodes.Quote([inner]),
        nodes.Paragraph([nested(100, lambda inner: nodes.HtmlElement("kbd", {}, [inner]), nodes.RawText("x"))]),
    ),
}


@pytest.mark.parametrize("destination", DESTINATIONS)
@pytest.mark.parametrize("name", DEEP)
def test_deep_tree_is_rendered(destination: str, name: str) -> None:
    document = nodes.Document([DEEP[name]], footnote_definitions=[nodes.FootnoteDefinition("a", [DEEP[name]])])
    depth = 150
    assert sys.getrecursionlimit() <= 1000

    rendered = from_depth(depth, lambda: DESTINATIONS[destination].render(document, CONTEXT))

    assert "x" in rendered


NESTING_TAGS = ("abbr title=a", "q", "ruby", "kbd", "details", "dl><dd", "div", "blockquote", "ul><li")


@pytest.mark.parametrize("to", [*DESTINATIONS, "docx"])
def test_deepest_html_of_markdown_is_rendered(to: str) -> None:
    for tag in NESTING_TAGS:
        conversion = from_depth(150, partial(convert, f"<{tag}>" * 300 + "x", to=to))

        assert "x" in (conversion.plain_text or "")
        assert "nesting-too-deep" in {notice.code for notice in conversion.notices}


@pytest.mark.parametrize("to", [*DESTINATIONS, "docx"])
def test_deepest_elements_of_a_tree_are_rendered(to: str) -> None:
    levels = 2 * DEFAULT_LIMITS.max_depth - 2
    for tag in ("abbr", "details", "p"):
        element: nodes.HtmlElement | nodes.RawText = nodes.RawText("x")
        for _ in range(levels):
            element = nodes.HtmlElement(tag, {}, [element])
        document = nodes.Document([nodes.Paragraph([element]) if tag == "abbr" else element])

        rendered = from_depth(50, partial(render, document, to=to))

        assert (rendered.plain_text or "").strip() == "x"
