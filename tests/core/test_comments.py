"""Comments of HTML in a tree: written at the end of their block, and shown by no output."""

import pytest

from mdpublish_core import parse, render, to_markdown
from mdpublish_core.nodes import (
    Document,
    Heading,
    HtmlElement,
    HtmlSpan,
    List,
    ListItem,
    Paragraph,
    RawText,
    Strong,
    Table,
    TableCell,
    TableRow,
    Token,
)
from mdpublish_core.nodes.comments import comment_of, is_comment, without_comments
from mdpublish_core.writers.outputs import output_names

_COMMENT = comment_of('Ann on "x": zebra $6 ` | --> <!-- *b*')


def _document(*comments: HtmlSpan) -> Document:
    def words(content: str) -> list[Token]:
        return [RawText(content), *comments]

    row = [TableRow([TableCell(words("cell")), TableCell([RawText("`y | z")])]) for _ in range(2)]
    return Document(
        [
            Heading(1, words("Head")),
            Paragraph(words("a $5 * b _c ` d [ < &")),
            Paragraph([Strong([RawText("bold")]), *comments]),
            List([ListItem([Paragraph(words("item"))]), ListItem([Paragraph(words("next"))])]),
            Table(row[0], row[1:]),
            HtmlElement("dl", {}, [HtmlElement("dt", {}, words("term"))]),
        ]
    )


@pytest.mark.parametrize("wrap", [None, 20])
def test_comments_are_written_and_read_as_nothing(wrap: int | None) -> None:
    written = to_markdown(_document(_COMMENT), wrap=wrap)

    assert written.count("zebra") == 8
    assert to_markdown(parse(written), wrap=wrap) == to_markdown(_document(), wrap=wrap)
    assert to_markdown(parse(written, raw_html="keep"), wrap=wrap) == written


def test_output_shows_no_comment() -> None:
    for to in sorted({*output_names()} - {"json", "markdown", "tree"}):
        shown, expected = (render(document, to=to, plain_text=True) for document in (_document(_COMMENT), _document()))
        assert shown.plain_text == expected.plain_text
        if isinstance(shown.content, str):
            assert shown.content == expected.content, to


def test_comment_of_a_trusted_author_is_in_html_alone() -> None:
    document = parse("# Head <!-- zebra -->\n\n<!-- zebra -->\n\nText", raw_html="keep")
    conversions = {to: render(document, to=to) for to in ("generic", "plain-text", "google-docs", "slack", "blocks")}

    assert [to for to, shown in conversions.items() if "zebra" in str(shown.content)] == ["generic"]
    assert [to for to, shown in conversions.items() if "zebra" in shown.plain_text or shown.notices] == []
    assert document.title == "Head "


@pytest.mark.parametrize(
    "remark",
    ["", ">", "->", "-->", "--!>", "<!--", "a--", "-", "a\n\nb", "`", "$", "[if mso]>", "</script>", "\\", "|"],
)
def test_remark_ends_no_comment(remark: str) -> None:
    comment = comment_of(remark)

    assert is_comment(comment)
    for content in ("a ", "- a ", "| a ", "# a "):
        assert parse(f"{content}{comment.content.replace('|', chr(92) + '|')}") == parse(content.rstrip())
    assert without_comments(Paragraph([comment])) == Paragraph([])


@pytest.mark.parametrize("html", ["<b>", "<!-- a --> b -->", "<!-- a"])
def test_other_html_is_no_comment(html: str) -> None:
    assert not is_comment(HtmlSpan(html))
