"""`to_markdown`: inlines, with the escapes that they need and no others."""

from itertools import pairwise

import pytest

from mdpublish_core import ALL_EXTENSIONS, nodes, parse, to_markdown


@pytest.mark.parametrize(
    "content",
    [
        "snake_case, 2*3*4, 2 * 3 and a * b",
        "1.5, $5 and $HOME, a < b > c & d",
        "[1] and [ ] and (see) [x]: no",
        "see http://example.org/a_b_c, www.example.org and a@example.org.",
        "C# #hashtag + - = | ~ ^ a~b x^2",
        "C:\\path \\alpha a\\b",
        "a <b, x<y and 1 < 2, &nbsp and AT&T!",
        "2024. A year. - a dash",
        "a == b and `code with spaces`",
        "`` ` `` and ``a`b``",
        "*a* **b** ***c*** ~~d~~ ==e== **_f_**",
        "[a](/b) [c](</d e> \"t\") ![g](h.png 't\"u') [i](/j_(k))",
        "<https://example.org>1 [x](y)",
        "$x^2$ \\(y\\) $$z$$",
        'H<sub>2</sub>O <kbd>Ctrl</kbd> <span title="a &quot;b&quot;">c</span>',
        '<a name="x"></a>text <img src="a.png" width="30">',
        "**中文。**中文",
        "a\\\nb\nc",
    ],
)  # fmt: skip
def test_text_is_written_as_people_write_it(content: str) -> None:
    assert to_markdown(parse(content)) == f"{content}\n"


@pytest.mark.parametrize(
    ("content", "written"),
    [
        ("*a*", "\\*a\\*"),
        ("_a_ snake_case", "\\_a\\_ snake_case"),
        ("# a", "\\# a"),
        ("- a", "\\- a"),
        ("1. a", "1\\. a"),
        ("> a", "\\> a"),
        ("[a](b)", "\\[a](b)"),
        ("`a`", "\\`a\\`"),
        ("&amp;", "\\&amp;"),
        ("<b>a</b>", "\\<b>a\\</b>"),
        ("<!-- a -->", "\\<!-- a -->"),
        ("List<string>, <path>", "List\\<string>, \\<path>"),
        ("a</p>, <?b?> and <!C>", "a\\</p>, \\<?b?> and \\<!C>"),
        ("a <b title='<c'> x <d", "a \\<b title='\\<c'> x <d"),
        ("<div a", "\\<div a"),
        ("$x$", "\\$x\\$"),
        ("a\\*b", "a\\\\*b"),
        (" a ", "&#x20;a&#x20;"),
        ("a\nb", "a&#xa;b"),
        ("---", "\\---"),
        ("|-|", "|-|"),
        ("==a==", "\\==a\\=="),
    ],
)
def test_text_that_would_mean_something_is_escaped(content: str, written: str) -> None:
    document = nodes.Document([nodes.Paragraph([nodes.RawText(content)])])

    assert parse(to_markdown(document)) == document
    assert to_markdown(document) == f"{written}\n"


@pytest.mark.parametrize(
    "written",
    [
        'say **"yes"**&#x6e;ow and *then* * 2*',
        "**A:** *(b)*<del>c</del>`d` e",
        "&#x61;**(b)**&#x63; and **d**",
    ],
)
def test_references_and_tags_stand_only_where_marks_are_not_read(written: str) -> None:
    assert to_markdown(parse(written)) == f"{written}\n"


@pytest.mark.parametrize(
    "markdown",
    [
        "a**(b)**c",
        "a<b>(b)</b>c <i>d</i>e",
        "*a **b***c <em><em>d</em></em>",
        "<b>a <b>b</b></b>",
        "ä<b>~~^a & **` b`c**~~</b>",
        "<code>a&#96;</code> <code>``</code>",
        "a&#32;\n&#32;b",
        "![a*b*](c) [![d](e)](f)",
        "\\![a](b)",
        "www.a.b<br>c",
        "| `a\\|b` | \\| |\n|-|-|\n| <code>\\\\|</code> | [\\|](\\|) |",
        "[a](<b\\>c> 'd&quot;e')",
        "[a](\\\\) [](<>)",
        "*a*\\* b",
        "<mark>a</mark>b <sub>a b</sub>",
        "<img src=a width=3>\n**b**",
        "x<br><br>y",
        "http\\://a.b [http://a.b](c) <div>a@b.co",
        "<a@b.co> <mailto:a@b.co> mailto:a@b.co",
    ],
)
@pytest.mark.parametrize("extensions", [None, frozenset(), ALL_EXTENSIONS], ids=["default", "none", "all"])
def test_inlines_are_read_as_what_they_were(markdown: str, extensions: frozenset[str] | None) -> None:
    document = parse(markdown, extensions=extensions)  # type: ignore[arg-type]

    written = to_markdown(document)

    assert parse(written, extensions=extensions) == document, written  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "markdown",
    ["[[Page]] [[Page#A Heading]] [[a|b]] ![[c.png|300]] ![[c.png|d|3x4]]", "H~2~O and x^2^", "| [[a\\|b]] |\n| --- |"],
)
def test_marks_of_optional_extensions_stay(markdown: str) -> None:
    document = parse(markdown, extensions=ALL_EXTENSIONS)

    written = to_markdown(document)

    assert parse(written, extensions=ALL_EXTENSIONS) == document
    assert written.split() == f"{markdown}\n".replace("| --- |", "| ------ |").split() or "|" in markdown


@pytest.mark.parametrize(
    ("tokens", "written"),
    [
        ([nodes.RawText(" b "), nodes.Strong([nodes.RawText(" c ")])], "x *&#x20;b __&#x20;c&#x20;__* y"),
        ([nodes.Strong([nodes.RawText("a")]), nodes.Emphasis([nodes.RawText("b")])], "x ***a**_b_* y"),
    ],
)
def test_mark_at_the_end_of_another_is_the_other_one(tokens: list[nodes.Token], written: str) -> None:
    document = nodes.Document([nodes.Paragraph([nodes.RawText("x "), nodes.Emphasis(tokens), nodes.RawText(" y")])])

    assert to_markdown(document) == f"{written}\n"
    assert parse(written) == document


def test_texts_of_a_parsed_document_are_never_adjacent() -> None:
    for markdown in ("*a** b", "o __m_", "x <foo a@b.co> y", "*a****b*"):
        kinds = [type(each) for each in parse(markdown).children[0].children]

        assert (nodes.RawText, nodes.RawText) not in pairwise(kinds), markdown


def test_link_by_name_of_a_tree_built_by_hand_stays_one_and_text_like_one_stays_text() -> None:
    linked = nodes.Document([nodes.Paragraph([nodes.Link("Page", [nodes.RawText("Page")], by_name=True)])])
    unlinked = nodes.Document([nodes.Paragraph([nodes.RawText("[[Page]]")])])

    assert to_markdown(linked) == "[[Page]]\n"
    assert to_markdown(unlinked) == "[[Page]]\n"
