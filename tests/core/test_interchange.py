import json
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from itertools import pairwise
from typing import Any, get_args

import pytest
from hypothesis import given
from mistletoe.markdown_renderer import BlankLine
from mistletoe.span_token import RawText as MistletoeText
from mistletoe.token import Token as MistletoeToken

from mdpublish_core import interchange, to_mistletoe
from mdpublish_core.document import (
    AutoLink,
    Block,
    BlockCode,
    Callout,
    CodeFence,
    Document,
    Emphasis,
    Figure,
    FootnoteDefinition,
    FootnoteReference,
    Heading,
    HtmlBlock,
    HtmlElement,
    HtmlSpan,
    Image,
    Inline,
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
    SetextHeading,
    Strikethrough,
    Strong,
    Table,
    TableCell,
    TableRow,
    TaskItem,
    ThematicBreak,
    Token,
    walk,
)
from mdpublish_core.testing import documents, shape

# mistletoe's own renderers, by the modules that hold them.
RENDERERS = {
    "HtmlRenderer": "mistletoe.html_renderer",
    "LaTeXRenderer": "mistletoe.latex_renderer",
    "MarkdownRenderer": "mistletoe.markdown_renderer",
    "AstRenderer": "mistletoe.ast_renderer",
    "JiraRenderer": "mistletoe.contrib.jira_renderer",
    "XWiki20Renderer": "mistletoe.contrib.xwiki20_renderer",
}

WORD = [RawText("word")]

BLOCKS: Sequence[Token] = (
    Heading(2, WORD),
    SetextHeading(1, WORD),
    Paragraph(WORD),
    Quote([Paragraph(WORD)]),
    Callout("note", [Paragraph(WORD)]),
    List([ListItem([Paragraph(WORD)])]),
    List([TaskItem([Paragraph(WORD)], checked=True)], loose=True),
    CodeFence("word\n", language="python"),
    BlockCode("word\n"),
    Figure("mermaid", "word\n", language="mermaid", options={"a": "b"}),
    MathBlock("word\n"),
    Table(TableRow([TableCell(WORD, align=-1)]), [TableRow([TableCell([], align=-1)])]),
    HtmlBlock("<p>word</p>"),
    HtmlElement("div", {}, [Paragraph(WORD)]),
    HtmlElement("div", {}, [*WORD, HtmlElement("kbd", {}, WORD)]),
)

INLINES: Sequence[Token] = (
    RawText("word"),
    Emphasis(WORD),
    Strong(WORD),
    Strikethrough(WORD),
    InlineCode("word"),
    Link("/a", WORD),
    AutoLink("https://word.example"),
    AutoLink("word@example.org", target="mailto:word@example.org"),
    AutoLink("www.word.example", target="http://www.word.example"),
    Image("word.png", WORD),
    MathSpan("word"),
    FootnoteReference("word"),
    HtmlSpan("<b>word</b>"),
    HtmlElement("kbd", {}, WORD),
)

EMPTY: Sequence[Token] = (
    Paragraph([]),
    Quote([]),
    Callout("tip", []),
    List([ListItem([])]),
    List([TaskItem([], checked=False)]),
    CodeFence(""),
    BlockCode(""),
    ThematicBreak(),
    Table(TableRow([TableCell([])]), []),
    HtmlElement("div", {}, []),
    Paragraph([Emphasis([]), InlineCode(""), Image("", []), HtmlElement("kbd", {}, []), LineBreak(soft=False)]),
)


def rendered(name: str, document: Document) -> str:
    renderer_class: Any = getattr(import_module(RENDERERS[name]), name)
    with renderer_class() as renderer:
        return str(renderer.render(to_mistletoe(document, blank_lines=name == "MarkdownRenderer")))


def markdown(*blocks: Token, footnotes: Sequence[FootnoteDefinition] = ()) -> str:
    return rendered("MarkdownRenderer", Document(blocks, footnote_definitions=footnotes))


def html(*blocks: Token) -> str:
    return rendered("HtmlRenderer", Document(blocks))


def below(root: MistletoeToken) -> Iterator[MistletoeToken]:
    """Yield a token of mistletoe's and all below it."""
    yield root
    for child in [*filter(None, [getattr(root, "header", None)]), *(root.children or ())]:
        yield from below(child)


def class_names(tokens: Iterable[Token]) -> list[str]:
    return [type(token).__name__ for token in tokens]


def names(classes: Iterable[type]) -> list[str]:
    return sorted(cls.__name__ for cls in classes)


def test_every_token_is_lowered() -> None:
    # These are lowered by the block that they stand in; an element is lowered where it stands.
    inside = {ListItem, TaskItem, TableRow, TableCell}

    assert names(interchange.BLOCKS) == names(set(get_args(Block)) - inside)
    assert names(interchange.INLINES) == names(set(get_args(Inline)) - {HtmlElement})


@pytest.mark.parametrize("name", RENDERERS)
@pytest.mark.parametrize("block", BLOCKS, ids=class_names(BLOCKS))
def test_blocks_are_rendered(name: str, block: Token) -> None:
    assert "word" in rendered(name, Document([block]))


@pytest.mark.parametrize("name", RENDERERS)
@pytest.mark.parametrize("inline", INLINES, ids=class_names(INLINES))
def test_inlines_are_rendered(name: str, inline: Token) -> None:
    assert "word" in rendered(name, Document([Paragraph([inline])]))


@pytest.mark.parametrize("name", RENDERERS)
@pytest.mark.parametrize("block", EMPTY, ids=class_names(EMPTY))
def test_empty_tokens_are_rendered(name: str, block: Token) -> None:
    assert isinstance(rendered(name, Document([block])), str)


@pytest.mark.parametrize("name", RENDERERS)
def test_footnotes_are_rendered_at_the_end(name: str) -> None:
    called = Paragraph([RawText("call"), FootnoteReference("a")])
    output = rendered(name, Document([called], footnote_definitions=[FootnoteDefinition("a", [Paragraph(WORD)])]))

    assert output.index("call") < output.index("word")


@pytest.mark.parametrize("name", RENDERERS)
@given(document=documents())
def test_every_tree_is_rendered(name: str, document: Document) -> None:
    assert isinstance(rendered(name, document), str)


@given(documents())
def test_given_tree_is_left_as_it_was(document: Document) -> None:
    before = shape(document)
    ids = {id(token) for token in walk(document)}

    for blank_lines in (False, True):
        lowered = to_mistletoe(document, blank_lines=blank_lines)
        assert not ids & {id(token) for token in below(lowered)}
        assert {type(token).__module__.partition(".")[0] for token in below(lowered)} == {"mistletoe"}
    assert shape(document) == before


@given(documents())
def test_lowered_tree_holds_neighbouring_texts_as_one(document: Document) -> None:
    for token in below(to_mistletoe(document)):
        texts = [isinstance(child, MistletoeText) for child in token.children or ()]
        assert (True, True) not in set(pairwise(texts))


def test_empty_lines_are_for_markdown_alone() -> None:
    document = Document([Paragraph(WORD), Paragraph(WORD)])

    assert not any(isinstance(token, BlankLine) for token in below(to_mistletoe(document)))
    assert markdown(*document.children) == "word\n\nword\n"


def test_ast_is_json() -> None:
    ast = json.loads(rendered("AstRenderer", Document([Table(TableRow([TableCell(WORD, align=-1)]), [])])))

    assert ast["children"][0]["header"]["row_align"] == [None]


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        (Callout("warning", [Paragraph(WORD), Paragraph(WORD)]), "> [!WARNING]\n> word\n> \n> word\n"),
        (Callout("tip", [CodeFence("a\n")]), "> [!TIP]\n> \n> ```\n> a\n> ```\n"),
        (List([TaskItem([Paragraph(WORD)], checked=True), TaskItem([], checked=False)]), "- [x] word\n- [ ]\n"),
        (Figure("dot", "a\n", language="dot", options={"engine": "neato"}), "```dot engine=neato\na\n```\n"),
        (MathBlock("x"), "```math\nx\n```\n"),
        (Paragraph([RawText("a "), MathSpan("x"), RawText(" b")]), "a $x$ b\n"),
        (Paragraph([MathSpan("x", display=True)]), "$$x$$\n"),
        (Paragraph([RawText("a"), FootnoteReference("b")]), "a[^b]\n"),
        (HtmlBlock("<div>\n\na</div>"), "<div>\n\na</div>\n"),
        (Quote([]), "> \n"),
        (CodeFence("```\n"), "````\n```\n````\n"),
        (CodeFence("a\n", info_string="a`"), "~~~a`\na\n~~~\n"),
        (Paragraph([InlineCode("`a")]), "`` `a ``\n"),
        (Paragraph([Strong([Emphasis(WORD)])]), "__*word*__\n"),
        (Paragraph([Emphasis([RawText("a "), Strong(WORD), RawText(" b")])]), "*a **word** b*\n"),
        (Paragraph([Link("/a b", WORD, title='"')]), "[word](</a b> '\"')\n"),
        (Paragraph([AutoLink("www.a.org", target="http://www.a.org")]), "[www.a.org](http://www.a.org)\n"),
        (Paragraph([AutoLink("a@b.org", target="mailto:a@b.org")]), "<a@b.org>\n"),
        (Heading(1, [RawText("a"), LineBreak(soft=False), RawText("b")]), "# a<br>b\n"),
        (List([ListItem([Paragraph(WORD)]), ListItem([Paragraph(WORD)])], start=9), "9. word\n10. word\n"),
        (List([ListItem([Paragraph(WORD), Paragraph(WORD)])]), "- word\n\n  word\n"),
        (List([ListItem([Paragraph(WORD), Quote([Paragraph(WORD)])])]), "- word\n  > word\n"),
        (List([ListItem([ThematicBreak()])]), "- ___\n"),
    ],
)
def test_markdown_says_what_the_token_means(block: Token, expected: str) -> None:
    assert markdown(block) == expected


def test_footnotes_become_paragraphs_that_begin_with_their_label() -> None:
    footnote = FootnoteDefinition("b", [Paragraph(WORD), BlockCode("a\n")])

    assert markdown(Paragraph(WORD), footnotes=[footnote]) == "word\n\n[^b]: word\n\n    a\n"


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        (HtmlBlock("<hr>\n<b>"), "<p>&lt;hr&gt;\n&lt;b&gt;</p>\n"),
        (Paragraph([HtmlSpan("<b>")]), "<p>&lt;b&gt;</p>\n"),
        (Paragraph([AutoLink("a@b.org", target="mailto:a@b.org")]), '<p><a href="mailto:a@b.org">a@b.org</a></p>\n'),
        (HtmlElement("div", {}, [RawText("a"), Heading(1, WORD)]), "<p>a</p>\n<h1>word</h1>\n"),
        (HtmlElement("div", {}, [RawText("H"), HtmlElement("sub", {}, [RawText("2")])]), "<p>H2</p>\n"),
        (
            Paragraph(
                [HtmlElement("ul", {}, [HtmlElement("li", {}, WORD), RawText("\n"), HtmlElement("li", {}, WORD)])]
            ),
            "<p>word<br />\nword</p>\n",
        ),
        (
            Paragraph([RawText("a"), HtmlElement("td", {}, [CodeFence("b\nc\n"), Paragraph(WORD)])]),
            "<p>a<br />\n<code>b c</code><br />\nword</p>\n",
        ),
        (
            Paragraph([Image("a", [RawText("b"), LineBreak(soft=False), RawText("c")])]),
            '<p><img src="a" alt="b c" /></p>\n',
        ),
    ],
)
def test_elements_and_raw_html_keep_their_text(block: Token, expected: str) -> None:
    assert html(block) == expected


def test_code_that_latex_cannot_quote_is_text() -> None:
    content = "".join(map(chr, range(33, 127)))

    assert "\\verb" not in rendered("LaTeXRenderer", Document([Paragraph([InlineCode(content)])]))
