"""What `read_html` makes of each construct of HTML, whatever program wrote it."""

import re

import html5lib
import pytest

from mdpublish_core import Limits, nodes, read_html, render
from mdpublish_core.errors import InvalidHtml, LimitExceeded
from mdpublish_core.nodes import (
    AutoLink,
    Callout,
    CodeFence,
    Emphasis,
    Figure,
    FootnoteReference,
    Heading,
    HtmlElement,
    Image,
    InlineCode,
    LineBreak,
    Link,
    List,
    ListItem,
    MathBlock,
    MathSpan,
    Paragraph,
    Quote,
    RawText,
    Strikethrough,
    Strong,
    Table,
    TableCell,
    TableRow,
    TaskItem,
    ThematicBreak,
)
from tests.sampling import each_row

PNG = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

A, B, C = RawText("a"), RawText("b"), RawText("c")
BREAK = LineBreak(soft=False)


def blocks(html: str) -> list[nodes.Token]:
    return list(read_html(html, source="html").document.children)


def inlines(html: str) -> list[nodes.Token]:
    (paragraph,) = blocks(html)
    assert isinstance(paragraph, Paragraph)
    return list(paragraph.children)


def row(*cells: str, align: tuple[nodes.Alignment, ...] = ()) -> TableRow:
    aligns = align or (None,) * len(cells)
    return TableRow(
        [TableCell([RawText(cell)] if cell else [], align=each) for cell, each in zip(cells, aligns, strict=True)]
    )


INLINES: dict[str, list[tuple[str, list[nodes.Token]]]] = {
    "marks are those of elements and styles": [
        ("<b>a</b>", [Strong([A])]),
        ("<strong>a</strong>", [Strong([A])]),
        ("<i>a</i>", [Emphasis([A])]),
        ("<s>a</s>", [Strikethrough([A])]),
        ("<code>a</code>", [InlineCode("a")]),
        ("<tt>a</tt>", [InlineCode("a")]),
        ("<kbd>a</kbd>", [HtmlElement("kbd", {}, [A])]),
        ("<sub>a</sub>", [HtmlElement("sub", {}, [A])]),
        ("<mark>a</mark>", [HtmlElement("mark", {}, [A])]),
        ('<abbr title="b" class="x">a</abbr>', [HtmlElement("abbr", {"title": "b"}, [A])]),
        ('<span style="font-weight:600">a</span>', [Strong([A])]),
        ('<span style="font-weight:500">a</span>', [A]),
        ('<b style="font-weight:normal">a</b>', [A]),
        ('<b>a<span style="font-weight:400">b</span></b>', [Strong([A]), B]),
        ('<span style="font-style:italic">a</span>', [Emphasis([A])]),
        ('<span style="text-decoration:underline line-through">a</span>', [Strikethrough([A])]),
        ("<span style=\"font-family:'Roboto Mono',monospace\">a</span>", [InlineCode("a")]),
        ('<span style="background-color:#ffff00">a</span>', [HtmlElement("mark", {}, [A])]),
        ('<span style="background:none tomato">a</span>', [HtmlElement("mark", {}, [A])]),
        ('<span style="background-color:hsl(60 100% 50%)">a</span>', [HtmlElement("mark", {}, [A])]),
        ('<span style="background-color:#f4f3f1">a</span>', [A]),
        ('<span style="background:url(yellow.png)">a</span>', [A]),
        ('<span style="background-color:rgba(255,255,0,0)">a</span>', [A]),
        ('<span style="vertical-align:super">a</span>', [HtmlElement("sup", {}, [A])]),
        ("<u>a</u>", [HtmlElement("u", {}, [A])]),
        ('<span style="text-decoration:underline">a</span>', [A]),
        ("<b>a</b><b>b</b>", [Strong([RawText("ab")])]),
        ("<b>a</b> <b>b</b>", [Strong([A]), RawText(" "), Strong([B])]),
        ("<b>a </b>b", [Strong([A]), RawText(" b")]),
        ("a<b> </b>b", [RawText("a b")]),
        ("a<b></b>", [A]),
        ("<i>a<b>b</b></i><b>c</b>", [Emphasis([A, Strong([B])]), Strong([C])]),
        ("<b>a<b>b</b></b>", [Strong([RawText("ab")])]),
        ("<code>a<b>b</b></code>", [InlineCode("ab")]),
        ("<code>a  b</code>", [InlineCode("a  b")]),
        ("<code>\n  a\n  b\n</code>", [InlineCode("a b")]),
    ],
    "links and images keep safe urls": [
        ('<a href="https://a.bc" title="b">a</a>', [Link("https://a.bc", [A], title="b")]),
        ('<a href="https://a.bc">https://a.bc</a>', [AutoLink("https://a.bc")]),
        ('<a href="mailto:a@b.cd">a@b.cd</a>', [AutoLink("a@b.cd", target="mailto:a@b.cd")]),
        ('<a href="b.html#c">a</a>', [Link("b.html#c", [A])]),
        ('<a href="x">a<b>b</b></a>', [Link("x", [A, Strong([B])])]),
        ('<a href="x"><a href="y">a</a></a>', [Link("y", [A])]),
        ("<a>a</a>", [A]),
        ('<a href="x"></a>a', [A]),
        ('<a href="https://a.bc/e#fnref1">a</a>', [Link("https://a.bc/e#fnref1", [A])]),
        ('<a href="https://a.bc/wiki/B_%28c%29" title="B (c)">a</a>', [Link("https://a.bc/wiki/B_%28c%29", [A])]),
        ("a https://b.cd/e_f.", [RawText("a "), AutoLink("https://b.cd/e_f"), RawText(".")]),
        ("www.<wbr>a.bc", [AutoLink("www.a.bc", target="http://www.a.bc")]),
        ("<b>a@b.cd</b>a", [Strong([AutoLink("a@b.cd", target="mailto:a@b.cd")]), A]),
        ('<a href="x">a@b.cd</a>', [Link("x", [RawText("a@b.cd")])]),
        ('<a href="java&#9;script:alert(1)">a</a>', [A]),
        ('<img src="a.png" alt="a" width="10">', [Image("a.png", [A], width="10")]),
        ('<a href="x"><img src="a.png"></a>', [Link("x", [Image("a.png", [])])]),
        ('<img src="javascript:alert(1)" alt="a">', [A]),
        ('<img src="cid:a@b" alt="a">', [Image("a@b", [A])]),
        ('<img src="cid:javascript:alert(1)" alt="a">', [A]),
    ],
}


@pytest.mark.parametrize(("html", "expected"), each_row(INLINES))
def test_paragraph_of_html_is_these_inlines(html: str, expected: list[nodes.Token]) -> None:
    assert inlines(f"<p>{html}</p>") == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>  a \n\t b  </p>", [RawText("a b")]),
        ("<p>a<br>b</p>", [A, BREAK, B]),
        ("<p>a <br> b<br></p>", [A, BREAK, B]),
        ('<p style="white-space:pre-wrap">a\nb</p>', [A, BREAK, B]),
        ("<p>a<wbr>b</p>", [RawText("ab")]),
        ("<p>a\u00a0b&nbsp;</p>", [RawText("a\u00a0b")]),
        ("a<!-- b -->c", [RawText("ac")]),
    ],
)
def test_white_space_collapses_as_in_browsers(html: str, expected: list[nodes.Token]) -> None:
    assert inlines(html) == expected


def test_two_line_breaks_divide_paragraphs() -> None:
    assert blocks("a<br><br>b") == [Paragraph([A]), Paragraph([B])]


def test_empty_blocks_are_nothing() -> None:
    assert (
        blocks("<p></p><p>&nbsp;</p><h1> </h1><ul></ul><div><br></div><blockquote></blockquote><table></table>") == []
    )


@pytest.mark.parametrize("html", ["", " \n", "<!-- a -->", "<html><head><title>a</title></head></html>"])
def test_empty_html_is_an_empty_document(html: str) -> None:
    assert blocks(html) == []


def test_image_of_another_type_is_its_alternative_text_with_a_notice() -> None:
    imported = read_html('<img src="data:image/svg+xml,<svg/>" alt="a">')

    assert imported.document.children == (Paragraph([A]),)
    assert [notice.code for notice in imported.notices] == ["unsafe-link"]


def test_unsafe_url_gives_a_notice() -> None:
    (notice,) = read_html('<a href="javascript:alert(1)">a</a>').notices

    assert (notice.code, notice.message) == (
        "unsafe-link",
        "the scheme of the URL 'javascript:alert(1)' is not allowed",
    )


def test_image_in_the_html_becomes_media() -> None:
    imported = read_html(f'<img src="{PNG}" alt="a"><img src="{PNG}">')

    (media,) = imported.media
    assert (media.media_type, media.width, media.height, media.alt) == ("image/png", 1, 1, "a")
    assert [image.src for image in imported.document.images] == [media.content_id] * 2


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<h2>a<br>b</h2>", [Heading(2, [A, BREAK, B])]),
        ('<h2 style="font-weight:700"><span style="font-weight:700">a</span></h2>', [Heading(2, [A])]),
        (
            "<blockquote>a<blockquote><p>b</p></blockquote></blockquote>",
            [Quote([Paragraph([A]), Quote([Paragraph([B])])])],
        ),
        ("a<hr>b", [Paragraph([A]), ThematicBreak(), Paragraph([B])]),
        ("<p>a</p><div>b<div>c</div></div>", [Paragraph([A]), Paragraph([B]), Paragraph([C])]),
        ("<b><div>a</div><div>b</div></b>", [Paragraph([Strong([A])]), Paragraph([Strong([B])])]),
        (
            "<details open><summary>a</summary><p>b</p></details>",
            [HtmlElement("details", {"open": ""}, [HtmlElement("summary", {}, [A]), Paragraph([B])])],
        ),
        (
            "<dl><dt>a</dt><dd>b</dd><dd><p>b</p><p>c</p></dd></dl>",
            [
                HtmlElement(
                    "dl",
                    {},
                    [
                        HtmlElement("dt", {}, [A]),
                        HtmlElement("dd", {}, [B]),
                        HtmlElement("dd", {}, [Paragraph([B]), Paragraph([C])]),
                    ],
                )
            ],
        ),
        (
            '<figure><img src="a.png" alt="a"><figcaption>b</figcaption></figure>',
            [Paragraph([Image("a.png", [A], title="b")])],
        ),
        ('<div style="display:none">a</div><p hidden>b</p><p>c</p>', [Paragraph([C])]),
        ("<p>a<button>Copy</button><script>b</script></p>", [Paragraph([A])]),
        ('<p style="border-top:1px solid #ccc">&nbsp;</p>', [ThematicBreak()]),
        ("<p>────────────</p>", [ThematicBreak()]),
    ],
)
def test_blocks(html: str, expected: list[nodes.Token]) -> None:
    assert blocks(html) == expected


def item(*content: nodes.Token, leader: str = "-") -> ListItem:
    return ListItem(list(content), leader=leader)


KATEX = (
    '<span class="katex"><span class="katex-mathml"><math><semantics><mi>x</mi>'
    '<annotation encoding="application/x-tex">x_1</annotation></semantics></math></span>'
    '<span class="katex-html">x1</span></span>'
)

BLOCKS: dict[str, list[tuple[str, nodes.Token]]] = {
    "lists": [
        ("<ul><li>a<li>b</ul>", List([item(Paragraph([A])), item(Paragraph([B]))])),
        ("<ul><li><p>a</p></ul>", List([item(Paragraph([A]))], loose=True)),
        ("<ol start=3><li>a</ol>", List([item(Paragraph([A]), leader="3.")], start=3)),
        ('<ol><li value="7">a</ol>', List([item(Paragraph([A]), leader="7.")], start=7)),
        ('<ol start="-2"><li>a</ol>', List([item(Paragraph([A]), leader="1.")], start=1)),
        ("<ul><li>a</li><ul><li>b</ul></ul>", List([item(Paragraph([A]), List([item(Paragraph([B]))]))])),
        ("<ul>a<li>b</ul>", List([item(Paragraph([A])), item(Paragraph([B]))])),
        ("<li>a</li><li>b</li>", List([item(Paragraph([A])), item(Paragraph([B]))])),
        ("<ul><li><input type=checkbox checked> a</ul>", List([TaskItem([Paragraph([A])], checked=True)])),
        ("<ul><li><label><input type=checkbox>a</label></ul>", List([TaskItem([Paragraph([A])], checked=False)])),
        ('<ul><li role="checkbox" aria-checked="true">a</ul>', List([TaskItem([Paragraph([A])], checked=True)])),
        ("<p><input type=checkbox checked> a", Paragraph([RawText("☑ a")])),
        ("<input type=checkbox> <ul><li>a</ul>", List([item(Paragraph([A]))])),
        ("<ul><li>☐ a</ul>", List([TaskItem([Paragraph([A])], checked=False)])),
    ],
    "code blocks keep lines and language": [
        ("<pre>a\n  b</pre>", CodeFence("a\n  b\n")),
        ("<pre>\n\na</pre>", CodeFence("\na\n")),
        ('<pre><code class="language-py">a</code></pre>', CodeFence("a\n", language="py")),
        ('<pre data-language="py"><code>a</code></pre>', CodeFence("a\n", language="py")),
        ('<pre lang="py">a</pre>', CodeFence("a\n", language="py")),
        ('<div class="highlight highlight-source-py"><pre>a</pre></div>', CodeFence("a\n", language="py")),
        (
            '<div class="highlight-py notranslate"><div class="highlight"><pre>a</pre></div></div>',
            CodeFence("a\n", language="py"),
        ),
        ('<pre class="brush: py">a</pre>', CodeFence("a\n", language="py")),
        (
            '<div class="sourceCode"><pre class="sourceCode py"><code>a</code></pre></div>',
            CodeFence("a\n", language="py"),
        ),
        ('<pre class="language-plaintext">a</pre>', CodeFence("a\n")),
        ('<pre id="source_code1-b"><a name="code-c"></a>a</pre>', CodeFence("a\n")),
        ("<pre><code><div>a</div><div>b</div></code></pre>", CodeFence("a\nb\n")),
        (
            '<div><div><span>Py</span><button>Copy</button></div><pre><code class="language-py">a</code></pre></div>',
            CodeFence("a\n", language="py"),
        ),
        (
            '<span style="white-space:pre;font-family:monospace">a\n  </span><span style="white-space:pre;font-family:monospace">b</span>',
            CodeFence("a\n  b\n"),
        ),
        ("<pre>a<br>b</pre>", CodeFence("a\nb\n")),
        ('<pre><span class="linenos">1</span>a</pre>', CodeFence("a\n")),
        ("<pre>a<button>Copy</button></pre>", CodeFence("a\n")),
        ('<p style="font-family:Consolas">a<br>b</p>', CodeFence("a\nb\n")),
        ('<pre class="language-mermaid">graph TD</pre>', Figure("mermaid", "graph TD\n", language="mermaid")),
        ('<pre class="language-math">x^2</pre>', MathBlock("x^2\n")),
    ],
    "formulas become their tex": [
        (KATEX, Paragraph([MathSpan("x_1")])),
        (f'<span class="katex-display">{KATEX}</span>', MathBlock("x_1\n")),
        ('<span class="math-inline" data-math="x_1">?</span>', Paragraph([MathSpan("x_1")])),
        ('<div class="math-block" data-math="x_1">?</div>', MathBlock("x_1\n")),
        ('<script type="math/tex; mode=display">x_1</script>', MathBlock("x_1\n")),
        ("<math-renderer>$x_1$</math-renderer>", Paragraph([MathSpan("x_1")])),
        (
            (
                '<span class="mwe-math-element"><span style="display:none"><math alttext="{\\displaystyle x_1}"><mi>x</mi></math></span>'
                '<img src="a.svg"></span>'
            ),
            Paragraph([MathSpan("x_1")]),
        ),
        (
            '<div class="mwe-math-element mwe-math-element-block"><math alttext="{\\displaystyle x_1}"><mi>x</mi></math></div>',
            MathBlock("x_1\n"),
        ),
    ],
    "callouts": [
        (
            '<div class="callout note" role="note"><p class="title">Note</p><p>a</p></div>',
            Callout("note", [Paragraph([A])]),
        ),
        (
            '<div class="markdown-alert markdown-alert-tip"><p class="markdown-alert-title">Tip</p><p>a</p></div>',
            Callout("tip", [Paragraph([A])]),
        ),
        (
            '<div class="callout warning"><p class="title">b</p><p>a</p></div>',
            Callout("warning", [Paragraph([A])], title=Paragraph([B]), name="warning"),
        ),
        ('<div class="callout" data-callout="info"><p>a</p></div>', Callout("note", [Paragraph([A])], name="info")),
        (
            '<div class="theme-admonition theme-admonition-danger admonition"><p>a</p></div>',
            Callout("caution", [Paragraph([A])]),
        ),
        ("<blockquote><p>[!TIP]<br>a</p></blockquote>", Callout("tip", [Paragraph([A])])),
        ("<blockquote>\n<p>[!TIP]\na</p></blockquote>", Callout("tip", [Paragraph([A])])),
        ("<blockquote><p>[!TIP]\n<b>a</b></p></blockquote>", Callout("tip", [Paragraph([Strong([A])])])),
        ("<blockquote><p>[!TIP] a</p></blockquote>", Quote([Paragraph([RawText("[!TIP] a")])])),
        ("<blockquote><p>[!a]\na</p></blockquote>", Quote([Paragraph([RawText("[!a] a")])])),
        ("<blockquote><p>[!info]-</p><p>a</p></blockquote>", Callout("note", [Paragraph([A])], name="info", fold="-")),
        (
            "<table><tr><td></td><td><p><b>Caution</b></p><p>a</p></table>",
            Callout("caution", [Paragraph([A])]),
        ),
    ],
}


@pytest.mark.parametrize(("html", "expected"), each_row(BLOCKS))
def test_html_is_this_block(html: str, expected: List) -> None:
    assert blocks(html) == [expected]


def test_cell_that_spans_rows_is_repeated_with_its_words_apart() -> None:
    table = read_html("<table><tr><th>a<th>b<tr><td rowspan=2><p>one</p><p>two</p><td>2<tr><td>3</table>")

    assert "| one two" in table.markdown


@pytest.mark.parametrize(
    ("html", "header", "rows"),
    [
        ("<thead><tr><th>a<th>b</thead><tr><td>1<td>2", row("a", "b"), [row("1", "2")]),
        ("<tr><td>a<td>b<tr><td>1<td>2", row("a", "b"), [row("1", "2")]),
        ("<tr><td><b>a</b><td><b>b</b><tr><td>1<td>2", row("a", "b"), [row("1", "2")]),
        ("<tr><td><b>a</b><td>b<tr><td>1<td>2", row("a", "b"), [row("1", "2")]),
        ("<tr><th>a<th>b<tr><td>1", row("a", "b"), [row("1", "")]),
        ("<tr><th>a<tr><td>1<td>2", row("a", ""), [row("1", "2")]),
        ("<tr><th colspan=2>a<tr><td>1<td>2", row("a", ""), [row("1", "2")]),
        ("<tr><th>a<th>b<tr><td rowspan=2>1<td>2<tr><td>3", row("a", "b"), [row("1", "2"), row("1", "3")]),
        (
            "<tr><th>a<th>b<th>c<tr><td>1<td>2<td rowspan=2>3<tr><td>4",
            row("a", "b", "c"),
            [row("1", "2", "3"), row("4", "", "3")],
        ),
        ("<thead><tr><th rowspan=2>a<th>b</thead><tr><td>1<td>2", row("a", "b"), [row("1", "2")]),
        (
            '<tr><th align="right">a<th style="text-align:center">b<tr><td>1<td>2',
            row("a", "b", align=(1, 0)),
            [row("1", "2", align=(1, 0))],
        ),
        (
            '<tr><td>a<td>b<tr><td>1<td><p style="text-align:right">2</p>',
            row("a", "b", align=(None, 1)),
            [row("1", "2", align=(None, 1))],
        ),
    ],
)
def test_tables(html: str, header: TableRow, rows: list[TableRow]) -> None:
    assert blocks(f"<table>{html}</table>") == [Table(header, rows)]


def test_blocks_of_a_cell_become_its_lines_with_a_notice() -> None:
    imported = read_html("<table><tr><th>a<th>b<tr><td><p>a</p><ul><li>b<li>c</ul><td><pre>x\ny</pre></table>")

    (table,) = imported.document.children
    assert isinstance(table, Table)
    assert [list(cell.children) for cell in table.children[0].children] == [
        [A, BREAK, RawText("• b"), BREAK, RawText("• c")],
        [InlineCode("x"), BREAK, InlineCode("y")],
    ]
    assert [notice.code for notice in imported.notices] == ["table-simplified"]


@pytest.mark.parametrize(
    "html",
    [
        "<table><tr>c<td>a<td>b</table>",
        "<table>c<tr><td>a<td>b</table>",
        "<table><tr><td>a<td>b</tr>c</table>",
        "<tr>c<td>a<td>b",
        "<table><tbody>c<tr><td>a<td>b</table>",
    ],
)
def test_text_between_cells_stands_before_the_table_as_in_browsers(html: str) -> None:
    assert blocks(html) == [Paragraph([C]), Table(row("a", "b"), [])]


def test_captions_of_images_are_named_once() -> None:
    figures = "".join(f"<figure><img src=a.png><figcaption>{each}</figcaption></figure>" for each in "ab")

    assert [each.message for each in read_html(figures).notices] == [
        "captions are titles of their images, which some programs do not show: 2 passages: 'a', 'b'"
    ]


def test_caption_stands_before_its_table() -> None:
    assert blocks("<table><caption>c</caption><tr><td>a<td>b</table>") == [Paragraph([C]), Table(row("a", "b"), [])]


@pytest.mark.parametrize("table", ['<table role="presentation"><tr><td>a<td>b', "<table><tr><td><p>a</p><p>b</p>"])
def test_table_that_only_places_things_is_what_is_in_it(table: str) -> None:
    assert blocks(f"{table}</table>") == [Paragraph([A]), Paragraph([B])]


CHAT = '<div data-message-author-role="assistant">{}<pre><code>a = 1</code></pre></div>'


@pytest.mark.parametrize(
    ("above", "language"),
    [
        ("<div><span>Python</span><button>Copy</button></div>", "python"),
        ("<div>mermaid</div>", "mermaid"),
        ('<div class="code-block-decoration">Pinescript</div>', "pinescript"),
        ('<div><div data-testid="code-language-indicator">Pinescript</div></div>', "pinescript"),
        ('<div class="code-block-decoration">Code snippet</div>', ""),
    ],
)
def test_label_above_code_of_a_chat_is_its_language(above: str, language: str) -> None:
    (block,) = read_html(CHAT.format(above)).document.children

    assert isinstance(block, nodes.CodeFence | nodes.Figure)
    assert block.language == language


@pytest.mark.parametrize(
    "above",
    [
        "<div>Example</div>",
        "<div>See <b>Note</b> below:</div>",
        '<div><img src="a.png" alt=""></div>',
        "<div><table><tr><th>Name<th>Age<tr><td>a<td>1</table></div>",
    ],
)
def test_content_above_code_of_a_chat_stays(above: str) -> None:
    *before, block = read_html(CHAT.format(above)).document.children

    assert tuple(before) == read_html(above).document.children
    assert block == nodes.CodeFence("a = 1\n", language="")


def test_style_of_an_element_stays_beside_that_of_its_class() -> None:
    styles = "<meta name=Generator content='Cocoa HTML Writer'><style>span.s1 {font-weight: bold}</style>"

    (paragraph,) = read_html(
        f'{styles}<p><span class="s1" style="font-style: italic">a</span> <span class="s2" style="font-style: italic">b</span></p>'
    ).document.children

    assert paragraph.children == (Strong([Emphasis([A])]), RawText(" "), Emphasis([RawText("b")]))


def office_math(content: str) -> str:
    """Return a formula on Word's clipboard, with the picture-less text that other programs show."""
    equation = f"<!--[if gte msEquation 12]><m:oMath>{content}</m:oMath><![endif]-->"
    return f"<p class=MsoNormal>{equation}<![if !msEquation]><span>shown</span><![endif]></p>"


_SHAPE = '<v:shape style="width:1in"><v:imagedata src="clip_image001.png" o:title="a"/></v:shape>'
_WORD_IMAGE = '<img width=96 height=64 src="clip_image002.png" v:shapes="Picture_x0020_1">'


@pytest.mark.parametrize(
    "image",
    [
        f"<!--[if gte vml 1]>{_SHAPE}<![endif]--><![if !vml]>{_WORD_IMAGE}<![endif]>",
        f"<!--[if gte vml 1]>{_SHAPE}<![endif]-->\n<![if !vml]>\n{_WORD_IMAGE}\n<![endif]>",
        f"<!--[if mso]>{_SHAPE}<![endif]--><!--[if !mso]><!-->{_WORD_IMAGE}<!--<![endif]-->",
        f"<!--[if (gte mso 9)|(IE)]>{_SHAPE}<![endif]--><!--[if !mso]> <!-- -->{_WORD_IMAGE}<!-- <![endif]-->",
        f"<![if !vml]><!-->{_WORD_IMAGE}<!--><![endif]>",
        f"<!--[if gte vml 1]>{_SHAPE}<![endif]--><!--[if !vml]-->{_WORD_IMAGE}<!--[endif]-->",
        f"<![if gte mso 9]>{_WORD_IMAGE}<![endif]><!---><!-- {_SHAPE} --!>",
    ],
)
def test_text_around_an_image_of_word_is_what_a_browser_shows(image: str) -> None:
    html = (
        f"<html><style><!-- p.MsoNormal {{margin:0}} --></style>"
        f"<p class=MsoNormal>one</p><p class=MsoNormal>{image}two</p><table><tr><td>three</td></tr></table>"
        "<!--[if gte mso 9]><xml></xml><![endif]--><p class=MsoNormal>four</p><!--EndFragment-->"
    )
    body = html5lib.parse(html, namespaceHTMLElements=False).find("body")
    assert body is not None
    # The tag of a comment is a function.
    shown = (("" if callable(each.tag) else each.text, each.tail) for each in body.iter())
    in_browser = " ".join(filter(None, (content for pair in shown for content in pair)))

    document = read_html(html).document

    words = re.findall(r"\w+", render(document, to="plain-text").plain_text.replace("clip_image002.png", ""))
    assert words == in_browser.split()
    assert b"clip_image002.png" in render(document, to="markdown").to_bytes()


def test_formula_of_word_is_its_tex_unless_tex_cannot_say_it() -> None:
    known = read_html(office_math("<m:f><m:num><i><m:r>a</m:r></i></m:num><m:den><i><m:r>b</m:r></i></m:den></m:f>"))
    deep = read_html(office_math("<m:e>" * 300 + "<m:r>a</m:r>"))

    assert (known.document.children, known.notices) == ((Paragraph([MathSpan("\\frac{a}{b}")]),), ())
    assert deep.document.children == (Paragraph([RawText("shown")]),)
    assert [notice.code for notice in deep.notices] == ["formula-as-text"]


MATHJAX = '<script src="https://cdn.example/npm/mathjax@3/es5/tex-mml-chtml.js"></script>'
KATEX = """<link rel="stylesheet" href="katex.min.css">
<script>renderMathInElement(document.body, {delimiters: [{left: "$", right: "$", display: false}]})</script>"""


@pytest.mark.parametrize(
    ("head", "html", "markdown"),
    [
        (
            MATHJAX,
            "<p>Let \\(n\\) be <b>odd</b> and \\(m\\) even, for $5 to $6.",
            "Let $n$ be **odd** and $m$ even, for $5 to $6.",
        ),
        (
            MATHJAX,
            "<p>\\[\na \\text{ if so}\n\\]</p><pre>\\(x\\)</pre>",
            "$$\na \\text{ if so}\n$$\n\n```\n\\(x\\)\n```",
        ),
        (MATHJAX, "<li>$$some words$$ <code>$x^2$</code>", "- $$some words$$ `$x^2$`"),
        (
            "<script>window.MathJax = {tex: {inlineMath: [['$', '$']]}}</script>",
            "<table><tr><td>$n$<td>$m$ b</table>",
            "| $n$ | $m$ b |\n| --- | ----- |",
        ),
        (KATEX, "<p>Let $n$ be $5-$10 or US$1.<p>$m$", "Let $n$ be $5-$10 or US$1.\n\n$m$"),
        (
            "",
            "<p>Energy $E = mc^2$, \\(a+b\\), <i>\\(\\alpha\\)</i> and $n$.",
            "Energy $E = mc^2$, $a+b$, *$\\alpha$* and $n$.",
        ),
        ("", "<p>\\[ x = \\sqrt{2} \\]", "$$\nx = \\sqrt{2}\n$$"),
        (
            "",
            "<p>It is $5 and $6, \\(see below\\) or \\[1\\]; a $HOME and $PATH.",
            "It is $5 and $6, \\\\(see below\\\\) or \\\\[1\\\\]; a $HOME and $PATH.",
        ),
        ("", "<p data-stringify-type='p'>In Slack $x^2$.", "In Slack \\$x^2\\$."),
    ],
)
def test_tex_in_a_text_is_a_formula_where_a_script_reads_it_or_it_cannot_be_else(
    head: str, html: str, markdown: str
) -> None:
    imported = read_html(f"<html><head>{head}</head><body>{html}</body></html>")

    assert (imported.markdown, imported.notices) == (f"{markdown}\n", ())


def test_formula_without_mathml_is_its_text_with_a_notice() -> None:
    imported = read_html('<span class="katex"><span class="katex-html">x\u200b1</span></span>')

    assert imported.document.children == (Paragraph([RawText("x1")]),)
    assert [notice.code for notice in imported.notices] == ["formula-as-text"]


@pytest.mark.parametrize(
    "html",
    [
        (
            'a<sup><a href="#md-fn-1" id="md-fnref-1" role="doc-noteref">1</a></sup>'
            '<section role="doc-endnotes"><ol><li id="md-fn-1"><p>b <a href="#md-fnref-1" role="doc-backlink">↩︎</a></p></ol></section>'
        ),
        (
            'a<sup><a href="#user-content-fn-1" data-footnote-ref>1</a></sup><section data-footnotes><h2 class="sr-only">Footnotes</h2>'
            '<ol><li id="user-content-fn-1"><p>b <a href="#user-content-fnref-1" data-footnote-backref>↩</a></p></ol></section>'
        ),
        (
            'a<a href="#fn1" class="footnote-ref" id="fnref1" role="doc-noteref"><sup>1</sup></a>'
            '<section class="footnotes" role="doc-endnotes"><hr><ol><li id="fn1"><p>b<a href="#fnref1" role="doc-backlink">↩︎</a></p></ol></section>'
        ),
        (
            'a<a name="md-fnref-1"></a><sup><a href="#md-fn-1">1</a></sup>'
            '<ol><li><a name="md-fn-1"></a><p>b&nbsp;<a href="#md-fnref-1">↩︎</a></p></ol>'
        ),
        'a<sup><a href="#cite_note-1">[1]</a></sup><ol><li id="cite_note-1"><span class="mw-cite-backlink">^</span> b</ol>',
        (
            'a<sup id="cite_ref-1"><a href="https://a.bc/d#cite_note-1">[1]</a></sup>'
            '<ol><li id="cite_note-1"><a href="https://a.bc/d#cite_ref-1">^</a> b</ol>'
        ),
    ],
)
def test_footnotes_are_found_by_their_links(html: str) -> None:
    document = read_html(html, source="html").document

    assert document.children[0] == Paragraph([A, FootnoteReference("1")])
    assert document.footnote_definitions == (nodes.FootnoteDefinition("1", [Paragraph([B])]),)


def test_element_that_is_left_out_gives_one_notice() -> None:
    imported = read_html("<p>a</p><video src=b></video><video></video>")

    assert imported.document.children == (Paragraph([A]),)
    assert [notice.message for notice in imported.notices] == [
        "the element <video> is left out: Markdown has nothing like it"
    ]


def test_blocks_past_the_limit_of_depth_keep_their_text() -> None:
    imported = read_html("<blockquote>" * 9 + "a", limits=Limits(max_depth=3))

    assert imported.document.children == (Quote([Quote([Quote([Paragraph([A])])])]),)
    assert [notice.code for notice in imported.notices] == ["nesting-too-deep"]


def test_long_link_around_many_blocks_is_not_repeated_for_ever() -> None:
    imported = read_html(f'<a href="{"x" * 10_000}">{"<div>a</div>" * 1_000}</a>')

    links = [token for token in nodes.walk(imported.document) if isinstance(token, Link)]
    assert len(links) == 11
    assert len(imported.document.children) == 1_000
    assert [notice.code for notice in imported.notices] == ["too-many-references"]


def test_too_much_html_is_the_error_of_too_much_markdown() -> None:
    with pytest.raises(LimitExceeded, match="max_input_bytes exceeded: got 11, limit 10"):
        read_html("<p>abcd</p>", limits=Limits(max_input_bytes=10))


def test_long_attribute_is_an_error_that_names_the_limit() -> None:
    html = f'<p title="{"x" * 10_000_001}">a'

    with pytest.raises(InvalidHtml, match="a text or attribute must have at most 10,000,000 bytes"):
        read_html(html, limits=Limits(max_input_bytes=20_000_000))


@pytest.mark.parametrize("first", ["", 'a=b" ', "a='>' ", 'a="<" '])
def test_too_many_attributes_are_an_error_that_names_the_limit(first: str) -> None:
    with pytest.raises(InvalidHtml, match="an element must have at most 1,000 attributes"):
        read_html(f"<p {first}{' '.join(f'a{number}=b' for number in range(1_001))}>a")


def test_entities_are_not_expanded() -> None:
    html = '<!DOCTYPE html [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]><p>&b;&c;</p>'

    assert "aaaa" not in nodes.text_content(read_html(html).document)
    assert "root:" not in nodes.text_content(read_html(html).document)
