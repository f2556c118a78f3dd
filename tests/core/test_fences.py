"""Fences read by the caller's functions: what they return is part of the document, in all destinations."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import get_args

import pytest

from mdpublish_core import ALL_EXTENSIONS, Conversion, Fence, Limits, convert, nodes, parse, render
from mdpublish_core.errors import FenceError
from mdpublish_core.nodes import rules as node_rules
from mdpublish_core.nodes.tokens import slots_of
from mdpublish_core.resources.urls import TrustedUrl
from mdpublish_core.testing.trees import shape
from mdpublish_core.writers.outputs import DESTINATIONS

CASES = Path(__file__).parents[1] / "cases"

Result = nodes.Token | Sequence[nodes.Token]


def paragraph(content: str) -> nodes.Paragraph:
    return nodes.Paragraph([nodes.RawText(content)])


def messages(fence: Fence) -> nodes.List:
    lines = [line.partition("->") for line in fence.content.splitlines() if "->" in line]
    items = [
        [nodes.Strong([nodes.RawText(sender.strip())]), nodes.RawText(f" to {rest.strip()}")]
        for sender, _, rest in lines
    ]
    return nodes.List([nodes.ListItem([nodes.Paragraph(item)]) for item in items])


def converted(
    function: Callable[[Fence], object], markdown: str = "```p\na\nb\n```\n", **options: object
) -> Conversion:
    return convert(markdown, to="html", fences={"p": function}, **options)  # type: ignore[dict-item, arg-type]


SOURCE = '<pre><code class="language-p">a\nb\n</code></pre>\n'


@pytest.mark.parametrize("destination", DESTINATIONS)
def test_function_s_nodes_are_written_in_every_destination(destination: str) -> None:
    markdown = "# Login\n\n> ```plantuml\n> Ann -> Bob: hello\n> ```\n\nEnd\n"

    conversion = convert(markdown, to=destination, fences={"PlantUML": messages})

    for output in (conversion.text, conversion.plain_text):
        assert "Ann" in output
        assert "to Bob: hello" in output
        assert "->" not in output.replace("-->", "")
    assert conversion.notices == ()


def test_function_s_nodes_are_on_a_page() -> None:
    page = render(parse("```plantuml\nAnn -> Bob: hello\n```", fences={"plantuml": messages}), to="page").html

    assert "<strong>Ann</strong> to Bob: hello" in page


def test_function_gets_what_the_author_wrote() -> None:
    seen = []

    def remember(fence: Fence) -> nodes.Paragraph:
        seen.append(fence)
        return paragraph("x")

    markdown = '---\nauthor: Ann\n---\n\n- ~~~P title="a b" x=1 y\n  one\n   two\n  ~~~\n'
    convert(markdown, fences={"p": remember})

    (fence,) = seen
    assert fence.content == "one\n two\n"
    assert fence.language == "P"
    assert fence.options == {"title": "a b", "x": "1"}
    assert fence.info_string == 'P title="a b" x=1 y'
    assert fence.line == 5
    assert fence.front_matter["author"] == "Ann"


def test_caller_s_function_replaces_a_figure_that_is_built_in() -> None:
    conversion = convert("```mermaid\ngraph LR\n```", to="html", fences={"mermaid": lambda _: paragraph("x")})

    assert conversion.html == "<p>x</p>\n"


def test_function_is_called_without_extensions() -> None:
    assert converted(lambda _: paragraph("x"), extensions=frozenset()).html == "<p>x</p>\n"


def test_other_fences_stay_code() -> None:
    assert (
        converted(lambda _: paragraph("x"), "```q\n1\n```").html == '<pre><code class="language-q">1\n</code></pre>\n'
    )


def test_function_may_return_a_figure() -> None:
    figure = nodes.Figure("mermaid", "graph LR\nAnn --> Bob\n", language="mermaid")

    conversion = convert("```p\n```", fences={"p": lambda _: figure})

    assert "<svg" in conversion.html
    assert conversion.notices == ()


def test_function_may_return_nothing_to_show() -> None:
    assert converted(lambda _: [], "a\n\n```p\n```\n\nb").html == "<p>a</p>\n<p>b</p>\n"


def test_function_s_image_becomes_media() -> None:
    pixel = "data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA="

    conversion = convert("```p\n```", to="email", fences={"p": lambda _: nodes.Paragraph([nodes.Image(pixel, [])])})

    assert [media.media_type for media in conversion.media] == ["image/gif"]


def test_rewrite_url_is_called_for_a_function_s_links() -> None:
    def link(_: Fence) -> nodes.Paragraph:
        return nodes.Paragraph([nodes.Link("a.md", [nodes.RawText("a")])])

    assert 'href="/a.md"' in converted(link, rewrite_url=lambda url: f"/{url.url}").html


def deep() -> nodes.Quote:
    quote = nodes.Quote([])
    for _ in range(200):
        quote = nodes.Quote([quote])
    return quote


RUBBISH: dict[str, tuple[object, str]] = {
    "None": (None, "its function must return a block of mdpublish_core.nodes, or a list of them (got None)"),
    "str": ("<p>x</p>", "its function must return a block of mdpublish_core.nodes, or a list of them (got str)"),
    "list of str": (["x"], "what its function returns must be a block, such as nodes.Paragraph (got 'x')"),
    "inline": (nodes.RawText("x"), "what its function returns must be a block, such as nodes.Paragraph (got nodes.RawText)"),
    "item alone": (nodes.ListItem([]), "what its function returns must be a block, such as nodes.Paragraph (got nodes.ListItem)"),
    "footnote": (nodes.Paragraph([nodes.FootnoteReference("a")]), "a nodes.FootnoteReference must be to a footnote of the document (got 'a')"),
    "depth": (deep(), "nodes must nest at most 200 levels deep"),
    "nested links": (
        nodes.Paragraph([nodes.Link("a", [nodes.Link("b", [])])]),
        "a link must not contain another",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", RUBBISH)
def test_rubbish_is_named_and_the_source_shown(case: str) -> None:
    returned, problem = RUBBISH[case]

    conversion = converted(lambda _: returned, "# T\n\n```p\na\nb\n```\n\nend\n")

    assert conversion.html == f"<h1>T</h1>\n{SOURCE}<p>end</p>\n"
    assert [(notice.code, notice.message, notice.line) for notice in conversion.notices] == [
        ("plugin-failed", f"the p fence is shown as its source: {problem}", 3)
    ]


def test_exception_is_named_and_the_source_shown() -> None:
    def fail(fence: Fence) -> nodes.Paragraph:
        fence.notice("half done")
        return nodes.Paragraph([nodes.RawText(fence.options["missing"])])

    conversion = converted(fail)

    assert conversion.html == SOURCE
    assert [notice.message for notice in conversion.notices if notice.code == "plugin-failed"] == [
        "the p fence is shown as its source: its function raised KeyError: 'missing'"
    ]


def test_mistake_of_the_author_has_its_place() -> None:
    def refuse(_: Fence) -> nodes.Paragraph:
        raise FenceError("expected an arrow", line=2)

    conversion = converted(refuse, "> ```p\n> a\n> b c\n> ```\n")

    (notice,) = conversion.notices
    assert (notice.code, notice.message) == ("fence-failed", "the p fence is shown as its source: expected an arrow")
    assert (notice.line, notice.column, notice.source) == (3, 3, "b c")


def test_remark_has_its_place() -> None:
    def remark(fence: Fence) -> nodes.Paragraph:
        fence.notice("no\nend", line=1)
        return paragraph("x")

    (notice,) = converted(remark).notices

    assert (notice.code, notice.message, notice.line, notice.source) == ("plugin-notice", "no end", 2, "a")


@pytest.mark.parametrize(
    ("html", "written"),
    [
        ("<script>alert(1)</script><b>x</b>", "<p><strong>x</strong></p>\n"),
        ('<p onclick="x()">y</p>', "<p>y</p>\n"),
        ("<div><p>open", "<div>\n<p>open</p>\n</div>\n"),
        ('<a href="javascript:x">z</a>', "<p><span>z (javascript:x)</span></p>\n"),
    ],
)
def test_function_s_raw_html_is_sanitized(html: str, written: str) -> None:
    assert converted(lambda _: nodes.HtmlBlock(html)).html == written


def test_function_s_raw_html_is_kept_for_trusted_authors() -> None:
    assert converted(lambda _: nodes.HtmlBlock("<nav>x</nav>"), raw_html="keep").html == "<nav>x</nav>\n"


@pytest.mark.parametrize("url", ["javascript:alert(1)", TrustedUrl("javascript:alert(1)")])
def test_function_s_unsafe_link_is_removed(url: str) -> None:
    conversion = converted(lambda _: nodes.Paragraph([nodes.Link(url, [nodes.RawText("x")])]))

    assert conversion.html == "<p><a>x</a></p>\n"
    assert [notice.code for notice in conversion.notices] == ["unsafe-link"]


def test_fence_parses_markdown() -> None:
    conversion = converted(lambda fence: nodes.Quote(fence.parse(fence.content)), "```p\n*a* <b>b</b>\n\n- c\n```\n")

    assert conversion.html == (
        "<blockquote>\n<p><em>a</em> <strong>b</strong></p>\n<ul>\n<li>c</li>\n</ul>\n</blockquote>\n"
    )


def test_notices_of_parsed_markdown_have_the_document_s_lines() -> None:
    conversion = converted(lambda fence: fence.parse(fence.content), "# T\n\n```p\na\n\n[b](javascript:x)\n```\n")

    assert [(notice.code, notice.line) for notice in conversion.notices] == [("unsafe-link", 6)]


def test_endless_parsing_ends() -> None:
    markdown = "```p\n```\n"

    assert converted(lambda fence: [paragraph("x"), *fence.parse(markdown)], markdown).html.count("<p>x</p>") == 10


def test_result_is_a_copy() -> None:
    shared = paragraph("x")

    conversion = converted(lambda _: [shared, shared], "```p\n```\n\n```p\n```\n")

    assert conversion.html == "<p>x</p>\n" * 4
    assert shared.line_number is None


def test_result_past_the_budget_is_shown_as_source() -> None:
    conversion = converted(lambda _: [paragraph("x")] * 1000, limits=Limits(max_steps=10_000))

    assert conversion.html == SOURCE
    assert [notice.code for notice in conversion.notices] == ["document-too-complex"]


def test_exponential_sharing_ends_at_the_budget() -> None:
    quote = nodes.Quote([paragraph("x")])
    for _ in range(60):
        quote = nodes.Quote([quote, quote])

    assert converted(lambda _: quote).html == SOURCE


def test_parsed_markdown_counts_towards_the_budget() -> None:
    markdown = "*a* " * 1000

    conversion = converted(lambda fence: [block for _ in range(50) for block in fence.parse(markdown)])

    assert conversion.html == SOURCE
    assert [notice.code for notice in conversion.notices] == ["document-too-complex"]


def test_function_can_be_tested_alone() -> None:
    assert messages(Fence("a -> b: c\n")).children
    assert [type(block) for block in Fence("").parse("# x\n\ny")] == [nodes.Heading, nodes.Paragraph]


PARTS = {"ListItem", "TaskItem", "TableRow", "TableCell", "FootnoteDefinition"}

PLACES = {"line_number", "content_line", "span", "reference", "origin"}


def test_rules_of_nodes_cover_the_unions_and_all_attributes() -> None:
    assert {kind.__name__ for kind in get_args(nodes.Block)} == node_rules.BLOCKS | PARTS
    assert {kind.__name__ for kind in get_args(nodes.Inline)} == node_rules.INLINES
    for kind in (*get_args(nodes.Block | nodes.Inline), nodes.Document):
        assert {name for name, _ in node_rules.rules_of(kind.__name__, slots_of(kind))} == {*slots_of(kind)} - PLACES


def test_what_the_parser_returns_is_accepted() -> None:
    """The check of a plug-in's nodes refuses nothing that the parser makes, nor changes it."""
    offenders = []
    for file in sorted(CASES.rglob("*.md")):
        markdown = file.read_text("utf-8")
        plain = parse(markdown, extensions=ALL_EXTENSIONS)
        copied = parse(markdown, extensions=ALL_EXTENSIONS, transform=lambda document: document)
        if (
            shape(copied) != shape(plain)
            or copied.notices != plain.notices
            or copied.origin.steps_left != plain.origin.steps_left
        ):
            offenders.append(file.name)

    assert offenders == []
