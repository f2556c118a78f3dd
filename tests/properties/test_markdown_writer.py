"""Law: a parsed document written as Markdown is read as the same document, and written again it is the same Markdown.

What only HTML can make is left out: `is_sayable` lists it. The first two tests write 500 documents each, with
`HYPOTHESIS_PROFILE=nightly` 10,000.
"""

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from mdpublish_core import ALL_EXTENSIONS, DEFAULT_EXTENSIONS, Document, nodes, parse, select_extensions, to_markdown
from mdpublish_core.options.extensions import RAW_HTML_MODES, Extension, RawHtml
from mdpublish_core.testing import documents, hostile_text, samples
from mdpublish_core.testing.strategies import Sample

pytestmark = pytest.mark.corpora

MANY = settings(max_examples=max(500, 2 * settings().max_examples))

BREAK = nodes.HtmlSpan("<br>")
EDGE_BREAK = nodes.Paragraph([nodes.RawText("0"), nodes.Emphasis([BREAK, nodes.InlineCode("0")])])
DOLLARS = nodes.Paragraph([nodes.RawText("$$"), nodes.Emphasis([nodes.RawText(" 0"), BREAK])])
EMPTY_LINKS: list[nodes.Token] = [
    nodes.Link("a", [BREAK]),
    nodes.Link("", [nodes.RawText("b")]),
    nodes.Link("javascript:a", [nodes.Image("", [])]),
]
STRONG_IN_STRONG = nodes.Strong([nodes.Emphasis([nodes.HtmlSpan("<b>"), nodes.RawText(":")])])
CODE_IN_IMAGE = nodes.Emphasis([nodes.HtmlSpan("<b>"), nodes.Image("https://a.example/", [nodes.InlineCode("0")])])
EMPTY_HEADING = nodes.SetextHeading(2, [nodes.Emphasis([nodes.HtmlSpan("<b>")] * 2), nodes.HtmlSpan("<!-- a -->")])
NOTE = nodes.FootnoteDefinition("a", [EMPTY_HEADING, nodes.Paragraph([nodes.RawText("b")])])
SPACED_EMAIL = nodes.Paragraph([nodes.Strikethrough([nodes.HtmlSpan("<!-- -->")]), nodes.RawText(" 0@a.example")])
STRONG_LINK = nodes.Strong([nodes.HtmlElement("kbd", {}, [nodes.Strong([nodes.Link("a", [nodes.RawText(" b")])])])])
LINE_END_IN_EMPHASIS = nodes.Paragraph(
    [nodes.RawText("0"), nodes.Emphasis([nodes.HtmlSpan("<!-- -->"), nodes.LineBreak(soft=True), nodes.RawText("0")])]
)
SUMMARY = nodes.HtmlElement("details", {}, [nodes.HtmlElement("summary", {}, EMPTY_LINKS)])

EXTENSIONS = st.sampled_from(
    (DEFAULT_EXTENSIONS, ALL_EXTENSIONS, frozenset[Extension](), *map(select_extensions, (["mkdocs"], ["obsidian"])))
)


def assert_written(markdown: str, raw_html: RawHtml, extensions: frozenset[Extension]) -> None:
    def read(source: str) -> Document:
        return parse(source, raw_html=raw_html, extensions=extensions)

    document = read(markdown)
    assume(is_sayable(document))
    written = to_markdown(document)

    assert read(written) == document, written
    assert to_markdown(read(written)) == written


def is_sayable(document: Document) -> bool:
    """Whether Markdown can say a document: see the list in `mdpublish_core.writers.markdown`."""
    is_broken = "breaks" in (document.origin.extensions or ())
    for token in nodes.walk(document):
        if isinstance(token, nodes.LineBreak) and token.soft and is_broken:
            return False
        if isinstance(token, nodes.SetextHeading | nodes.Paragraph) and (
            not token.children or isinstance(token.children[-1], nodes.LineBreak)
        ):
            return False
    return not has_url_in_emphasis(document)


def has_url_in_emphasis(document: Document) -> bool:
    """Whether emphasis of emphasis of the same kind begins or ends with a bare URL."""
    for outer in nodes.walk(document):
        for child in outer.children if isinstance(outer, nodes.Emphasis | nodes.Strong | nodes.Strikethrough) else ():
            edges = [*child.children[:1], *child.children[-1:]] if type(child) is type(outer) else []
            if any(isinstance(each, nodes.AutoLink) and each.target != each.content for each in edges):
                return True
    return False


@MANY
@given(samples(), st.sampled_from(RAW_HTML_MODES), EXTENSIONS)
def test_nested_constructs_are_read_as_what_they_were(
    sample: Sample, raw_html: RawHtml, extensions: frozenset[Extension]
) -> None:
    assert_written(sample.markdown, raw_html, extensions)


@MANY
@given(hostile_text(), st.sampled_from(RAW_HTML_MODES), EXTENSIONS)
@example("\ufeff\ufeff_\\\\_", "sanitize", DEFAULT_EXTENSIONS)
@example("- [x] \n\n  a\n  ===", "sanitize", DEFAULT_EXTENSIONS)
@example('<img src="/a" alt=" 0" title=" 0">', "sanitize", DEFAULT_EXTENSIONS)
@example("- [x] \n\n  -", "sanitize", DEFAULT_EXTENSIONS)
@example("~~&#x20;~a~<!-->~~", "sanitize", DEFAULT_EXTENSIONS)
@example("~~&#x20;~&#x20;~<!-->~~", "sanitize", DEFAULT_EXTENSIONS)
@example("` `<!-->` `", "sanitize", DEFAULT_EXTENSIONS)
@example('- [ ] \n\n  <img src="a">\n  \\!', "sanitize", DEFAULT_EXTENSIONS)
@example("+ [ ] \n  <!-->\n  7. a", "sanitize", DEFAULT_EXTENSIONS)
@example("<b><kbd>~**<br>a**", "sanitize", DEFAULT_EXTENSIONS)
@example("<kbd>a ~~<!-->~~", "sanitize", DEFAULT_EXTENSIONS)
@example("~<sub>*<br>*<", "sanitize", DEFAULT_EXTENSIONS)
@example("- [x] \n  <!-->\n      a", "sanitize", DEFAULT_EXTENSIONS)
@example("http://0\x1f<![CDATA[", "sanitize", DEFAULT_EXTENSIONS)
@example("> [!note] ><kbd>*ß<b>0*</kbd>\n> x", "sanitize", DEFAULT_EXTENSIONS)
@example("<div>a</div>\n\n# www.example.org/x<b&#x20;", "sanitize", DEFAULT_EXTENSIONS)
@example("<div>\n<b>a</b>\n</div>\n\n# www.example.org$`a<b`$0&#x20;", "sanitize", ALL_EXTENSIONS)
@example("&#x2f;**~~b~~  \n/**~~&#x30; ~c&#x20;  \nd~e~~", "sanitize", DEFAULT_EXTENSIONS)
@example("**&#x20;__<br>\\`__<b>~**", "sanitize", DEFAULT_EXTENSIONS)
def test_hostile_text_is_read_as_what_it_was(
    markdown: str, raw_html: RawHtml, extensions: frozenset[Extension]
) -> None:
    assert_written(markdown, raw_html, extensions)


@given(st.text(alphabet="\\`*_{}[]()#+-.!|~<>&:\"'=$^/ \n\tw1ab漢", min_size=1, max_size=20))
def test_text_is_read_as_text(content: str) -> None:
    document = nodes.Document([nodes.Paragraph([nodes.RawText(content)])])

    assert parse(to_markdown(document)) == document


@given(documents())
@example(nodes.Document([EDGE_BREAK]))
@example(nodes.Document([nodes.Paragraph([nodes.RawText("0"), BREAK, nodes.Emphasis([BREAK])])]))
@example(nodes.Document([nodes.Heading(1, [nodes.Emphasis([BREAK]), nodes.InlineCode("0")])]))
@example(nodes.Document([SUMMARY]))
@example(nodes.Document([nodes.Paragraph([nodes.Link("javascript:a", [STRONG_IN_STRONG])])]))
@example(nodes.Document([nodes.Paragraph([nodes.RawText("a")]), nodes.SetextHeading(1, [nodes.HtmlSpan("<br>")] * 2)]))
@example(nodes.Document([nodes.Paragraph([nodes.HtmlSpan("<b>"), nodes.RawText("0"), CODE_IN_IMAGE])]))
@example(nodes.Document([nodes.Callout("note", [DOLLARS, nodes.CodeFence(""), nodes.MathBlock("0\n")])]))
@example(nodes.Document([nodes.Paragraph([STRONG_LINK])]))
@example(nodes.Document([SPACED_EMAIL]))
@example(nodes.Document([LINE_END_IN_EMPHASIS]))
@example(nodes.Document([nodes.Paragraph([nodes.FootnoteReference("a")])], footnote_definitions=[NOTE]))
def test_tree_built_by_hand_is_written_in_the_same_way_again(document: Document) -> None:
    written = to_markdown(document)
    assume(not has_url_in_emphasis(parse(written)))

    assert to_markdown(parse(to_markdown(parse(written)))) == to_markdown(parse(written))


@given(samples(), st.integers(20, 100))
def test_filled_paragraphs_have_the_same_words(sample: Sample, columns: int) -> None:
    document = parse(sample.markdown)

    filled = to_markdown(document, wrap=columns)

    assert to_markdown(parse(filled), wrap=columns) == filled
    assert parse(filled).word_count == document.word_count
