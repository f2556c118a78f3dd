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

from mdpublish_core import nodes, parse, to_mistletoe
from mdpublish_core.testing import documents, shape
from mdpublish_core.writers.mistletoe_export import MistletoeExporter

# mistletoe's own renderers, with their modules.
RENDERERS = {
    "HtmlRenderer": "mistletoe.html_renderer",
    "LaTeXRenderer": "mistletoe.latex_renderer",
    "MarkdownRenderer": "mistletoe.markdown_renderer",
    "AstRenderer": "mistletoe.ast_renderer",
    "JiraRenderer": "mistletoe.contrib.jira_renderer",
    "XWiki20Renderer": "mistletoe.contrib.xwiki20_renderer",
}

WORD = [nodes.RawText("word")]

BLOCKS: Sequence[nodes.Token] = (
    nodes.Heading(2, WORD),
    nodes.SetextHeading(1, WORD),
    nodes.Paragraph(WORD),
    nodes.Quote([nodes.Paragraph(WORD)]),
    nodes.Callout("note", [nodes.Paragraph(WORD)]),
    nodes.List([nodes.ListItem([nodes.Paragraph(WORD)])]),
    nodes.List([nodes.TaskItem([nodes.Paragraph(WORD)], checked=True)], loose=True),
    nodes.CodeFence("word\n", language="python"),
    nodes.BlockCode("word\n"),
    nodes.Figure("mermaid", "word\n", language="mermaid", options={"a": "b"}),
    nodes.MathBlock("word\n"),
    nodes.Table(nodes.TableRow([nodes.TableCell(WORD, align=-1)]), [nodes.TableRow([nodes.TableCell([], align=-1)])]),
    nodes.HtmlBlock("<p>word</p>"),
    nodes.HtmlElement("div", {}, [nodes.Paragraph(WORD)]),
    nodes.HtmlElement("div", {}, [*WORD, nodes.HtmlElement("kbd", {}, WORD)]),
)

INLINES: Sequence[nodes.Token] = (
    nodes.RawText("word"),
    nodes.Emphasis(WORD),
    nodes.Strong(WORD),
    nodes.Strikethrough(WORD),
    nodes.InlineCode("word"),
    nodes.Link("/a", WORD),
    nodes.AutoLink("https://word.example"),
    nodes.AutoLink("word@example.org", target="mailto:word@example.org"),
    nodes.AutoLink("www.word.example", target="http://www.word.example"),
    nodes.Image("word.png", WORD),
    nodes.MathSpan("word"),
    nodes.FootnoteReference("word"),
    nodes.HtmlSpan("<b>word</b>"),
    nodes.HtmlElement("kbd", {}, WORD),
)

EMPTY: Sequence[nodes.Token] = (
    nodes.Paragraph([]),
    nodes.Quote([]),
    nodes.Callout("tip", []),
    nodes.List([nodes.ListItem([])]),
    nodes.List([nodes.TaskItem([], checked=False)]),
    nodes.CodeFence(""),
    nodes.BlockCode(""),
    nodes.ThematicBreak(),
    nodes.Table(nodes.TableRow([nodes.TableCell([])]), []),
    nodes.HtmlElement("div", {}, []),
    nodes.Paragraph(
        [
            nodes.Emphasis([]),
            nodes.InlineCode(""),
            nodes.Image("", []),
            nodes.HtmlElement("kbd", {}, []),
            nodes.LineBreak(soft=False),
        ]
    ),
)


def rendered(name: str, document: nodes.Document) -> str:
    renderer_class: Any = getattr(import_module(RENDERERS[name]), name)
    with renderer_class() as renderer:
        return str(renderer.render(to_mistletoe(document, blank_lines=name == "MarkdownRenderer")))


def markdown(*blocks: nodes.Token, footnotes: Sequence[nodes.FootnoteDefinition] = ()) -> str:
    return rendered("MarkdownRenderer", nodes.Document(blocks, footnote_definitions=footnotes))


def html(*blocks: nodes.Token) -> str:
    return rendered("HtmlRenderer", nodes.Document(blocks))


def below(root: MistletoeToken) -> Iterator[MistletoeToken]:
    """Yield a mistletoe token and its descendants."""
    yield root
    for child in [*filter(None, [getattr(root, "header", None)]), *(root.children or ())]:
        yield from below(child)


def class_names(tokens: Iterable[nodes.Token]) -> list[str]:
    return [type(token).__name__ for token in tokens]


def names(classes: Iterable[type]) -> list[str]:
    return sorted(cls.__name__ for cls in classes)


def test_every_token_is_lowered() -> None:
    # Converted by their parents. An HTML element is converted in place.
    inside = {nodes.ListItem, nodes.TaskItem, nodes.TableRow, nodes.TableCell}

    assert names(MistletoeExporter.block_methods) == names(set(get_args(nodes.Block)) - inside)
    assert names(MistletoeExporter.inline_methods) == names(set(get_args(nodes.Inline)) - {nodes.HtmlElement})


@pytest.mark.parametrize("name", RENDERERS)
@pytest.mark.parametrize("block", BLOCKS, ids=class_names(BLOCKS))
def test_blocks_are_rendered(name: str, block: nodes.Token) -> None:
    assert "word" in rendered(name, nodes.Document([block]))


@pytest.mark.parametrize("name", RENDERERS)
@pytest.mark.parametrize("inline", INLINES, ids=class_names(INLINES))
def test_inlines_are_rendered(name: str, inline: nodes.Token) -> None:
    assert "word" in rendered(name, nodes.Document([nodes.Paragraph([inline])]))


@pytest.mark.parametrize("name", RENDERERS)
@pytest.mark.parametrize("block", EMPTY, ids=class_names(EMPTY))
def test_empty_tokens_are_rendered(name: str, block: nodes.Token) -> None:
    assert isinstance(rendered(name, nodes.Document([block])), str)


@pytest.mark.parametrize("name", RENDERERS)
def test_footnotes_are_rendered_at_the_end(name: str) -> None:
    referenced = nodes.Paragraph([nodes.RawText("call"), nodes.FootnoteReference("a")])
    output = rendered(
        name,
        nodes.Document([referenced], footnote_definitions=[nodes.FootnoteDefinition("a", [nodes.Paragraph(WORD)])]),
    )

    assert output.index("call") < output.index("word")


@pytest.mark.parametrize("name", RENDERERS)
@given(document=documents())
def test_every_tree_is_rendered(name: str, document: nodes.Document) -> None:
    assert isinstance(rendered(name, document), str)


@given(documents())
def test_given_tree_is_left_as_it_was(document: nodes.Document) -> None:
    before = shape(document)
    ids = {id(token) for token in nodes.walk(document)}

    for blank_lines in (False, True):
        lowered = to_mistletoe(document, blank_lines=blank_lines)
        assert not ids & {id(token) for token in below(lowered)}
        assert {type(token).__module__.partition(".")[0] for token in below(lowered)} == {"mistletoe"}
    assert shape(document) == before


@given(documents())
def test_exported_tree_holds_neighbouring_texts_as_one(document: nodes.Document) -> None:
    for token in below(to_mistletoe(document)):
        contents = [isinstance(child, MistletoeText) for child in token.children or ()]
        assert (True, True) not in set(pairwise(contents))


def test_empty_lines_are_for_markdown_alone() -> None:
    document = nodes.Document([nodes.Paragraph(WORD), nodes.Paragraph(WORD)])

    assert not any(isinstance(token, BlankLine) for token in below(to_mistletoe(document)))
    assert markdown(*document.children) == "word\n\nword\n"


def test_ast_is_json() -> None:
    ast = json.loads(
        rendered("AstRenderer", nodes.Document([nodes.Table(nodes.TableRow([nodes.TableCell(WORD, align=-1)]), [])]))
    )

    assert ast["children"][0]["header"]["row_align"] == [None]


@pytest.mark.parametrize(
    "source",
    [
        "> [!WARNING]\n> word\n> \n> word\n",
        "> [!TIP]\n> \n> ```\n> a\n> ```\n",
        "- [x] word\n- [ ]\n",
        "```dot engine=neato\na\n```\n",
        "a $x$ b\n",
        "> \n",
        "````\n```\n````\n",
        "~~~a`\na\n~~~\n",
        "`` `a ``\n",
        "__*word*__\n",
        "*a **word** b*\n",
        "[word](</a b> '\"')\n",
        "<a@b.org>\n",
        "# a<br>b\n",
        "9. word\n10. word\n",
        "- word\n\n  word\n",
        "- word\n  > word\n",
        "- ___\n",
    ],
)
def test_markdown_comes_back(source: str) -> None:
    assert markdown(*parse(source).children) == source


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        (nodes.MathBlock("x"), "```math\nx\n```\n"),
        (nodes.Paragraph([nodes.MathSpan("x", display=True)]), "$$x$$\n"),
        (nodes.Paragraph([nodes.RawText("a"), nodes.FootnoteReference("b")]), "a[^b]\n"),
        (nodes.HtmlBlock("<div>\n\na</div>"), "<div>\n\na</div>\n"),
        (nodes.Paragraph([nodes.AutoLink("www.a.org", target="http://www.a.org")]), "[www.a.org](http://www.a.org)\n"),
    ],
)
def test_markdown_says_what_the_token_means(block: nodes.Token, expected: str) -> None:
    assert markdown(block) == expected


def test_footnotes_become_paragraphs_that_begin_with_their_label() -> None:
    footnote = nodes.FootnoteDefinition("b", [nodes.Paragraph(WORD), nodes.BlockCode("a\n")])

    assert markdown(nodes.Paragraph(WORD), footnotes=[footnote]) == "word\n\n[^b]: word\n\n    a\n"


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        (nodes.HtmlBlock("<hr>\n<b>"), "<p>&lt;hr&gt;\n&lt;b&gt;</p>\n"),
        (nodes.Paragraph([nodes.HtmlSpan("<b>")]), "<p>&lt;b&gt;</p>\n"),
        (
            nodes.Paragraph([nodes.AutoLink("a@b.org", target="mailto:a@b.org")]),
            '<p><a href="mailto:a@b.org">a@b.org</a></p>\n',
        ),
        (nodes.HtmlElement("div", {}, [nodes.RawText("a"), nodes.Heading(1, WORD)]), "<p>a</p>\n<h1>word</h1>\n"),
        (
            nodes.HtmlElement("div", {}, [nodes.RawText("H"), nodes.HtmlElement("sub", {}, [nodes.RawText("2")])]),
            "<p>H2</p>\n",
        ),
        (
            nodes.Paragraph(
                [
                    nodes.HtmlElement(
                        "ul",
                        {},
                        [nodes.HtmlElement("li", {}, WORD), nodes.RawText("\n"), nodes.HtmlElement("li", {}, WORD)],
                    )
                ]
            ),
            "<p>word<br />\nword</p>\n",
        ),
        (
            nodes.Paragraph(
                [nodes.RawText("a"), nodes.HtmlElement("td", {}, [nodes.CodeFence("b\nc\n"), nodes.Paragraph(WORD)])]
            ),
            "<p>a<br />\n<code>b c</code><br />\nword</p>\n",
        ),
        (
            nodes.Paragraph([nodes.Image("a", [nodes.RawText("b"), nodes.LineBreak(soft=False), nodes.RawText("c")])]),
            '<p><img src="a" alt="b c" /></p>\n',
        ),
    ],
)
def test_elements_and_raw_html_keep_their_text(block: nodes.Token, expected: str) -> None:
    assert html(block) == expected


def test_code_that_latex_cannot_quote_is_text() -> None:
    content = "".join(map(chr, range(33, 127)))

    assert "\\verb" not in rendered("LaTeXRenderer", nodes.Document([nodes.Paragraph([nodes.InlineCode(content)])]))
