"""Destination `slack`, construct by construct, and the mrkdwn reader that the property tests use.

Expected messages show a zero-width space as a middle dot.
"""

import pytest

from mdpublish_core import convert, nodes, parse
from mdpublish_core.notices import Notice
from mdpublish_core.templates import bind, get_template
from mdpublish_core.writers.context import RenderContext
from mdpublish_core.writers.plain_text.text_width import display_width
from mdpublish_core.writers.slack import render
from mdpublish_core.writers.slack.message import SlackRenderer
from tests.mrkdwn import ZERO_WIDTH_SPACE, read
from tests.sampling import each_row

RULE = "─" * 12


def dotted(message: str) -> str:
    return message.replace(ZERO_WIDTH_SPACE, "·")


def message_of(markdown: str) -> str:
    return dotted(SlackRenderer().render_document(parse(markdown)))


def line_of(*inlines: nodes.Token) -> str:
    return dotted(SlackRenderer().render_document(nodes.Document([nodes.Paragraph(inlines)]))).removesuffix("\n")


MESSAGES = {
    "three characters are escaped and no other": [
        ("a & b \\< c \\> d", "a &amp; b &lt; c &gt; d"),
        ("&lt; &amp;lt;", "&lt; &amp;lt;"),
        ("`a & b < c > d`", "`a &amp; b &lt; c &gt; d`"),
        ("```\n<!channel> & <b>\n```", "```\n&lt;!channel&gt; &amp; &lt;b&gt;\n```"),
        ("\"quotes\" 'stay' %7C", "\"quotes\" 'stay' %7C"),
    ],
    "emphasis is at the edges of words": [
        ("**bold** *em* ~~gone~~ `code`", "*bold* _em_ ~gone~ `code`"),
        ("***both***", "_*both*_"),
        ("**a *b* c**", "*a _b_ c*"),
        ("~~a **b *c* d**~~", "~a *b _c_ d*~"),
        ("**a** **b**", "*a* *b*"),
        ("un*frigging*believable", "un·_frigging_·believable"),
        ("**漢字**です", "*漢字*·です"),
        ("**bold**~~gone~~", "*bold*·~gone~"),
        ("(**a**, *b*.)", "(*a*, _b_.)"),
        ("**Note:** x", "*Note:* x"),
        ("`a`b", "`a`·b"),
        ("**`a*b`**", "*`a*b`*"),
        ("**use `a` now**", "*use `a` now*"),
        ("**a  \nb** c", "*a*\n*b* c"),
        ("**a\nb** c", "*a b* c"),
        ("**`a`  \nb**", "*`a`*\n*b*"),
        ("**a __b__**", "*a b*"),
        ("**a**__b__", "*ab*"),
        ("~~a~~ ~~b~~", "~a~ ~b~"),
        ("*a **b  \nc** d*", "_a *b*_\n_*c* d_"),
    ],
    "headings are bold lines": [
        ("# A", "*A*"),
        ("###### A **b** *c* `d` [e](http://f.gh)", "*A b _c_ `d` <http://f.gh|e>*"),
        ("A  \nb\n===", "*A b*"),
        ("#", ""),
        ("# A\nb\n\n## C", "*A*\n\nb\n\n*C*"),
        ("# `a` * b", "*`a`* * *b*"),
    ],
    "lists have signs numbers and indentation": [
        (
            "- a\n  - b\n    - c\n      - d\n- e",
            "• a\n    ◦ b\n        ▪ c\n            ▪ d\n• e",
        ),
        ("7. a\n8. b", "7. a\n8. b"),
        ("0. a\n1. b\n   - c\n     1. d", "0. a\n1. b\n    ◦ c\n        1. d"),
        ("- [ ] a\n- [x] b", "☐ a\n☑ b"),
        ("1. [x] a", "1. ☑ a"),
        ("- a\n\n  b\n- c", "• a\n\n    b\n\n• c"),
        ("- a  \n  b", "• a\n    b"),
        ("- # A\n- ***", f"• *A*\n•\n    {RULE}"),
        ("-\n- a", "•\n• a"),
        ("- - a", "•\n    ◦ a"),
        ("- ```\n  a\n  ```\n- b", "•\n```\na\n```\n• b"),
        ("- a\n  > b\n  > c\n- d", "• a\n> b c\n• d"),
        ("1. a\n   ```\n     b\n   ```\n2. c", "1. a\n```\n  b\n```\n2. c"),
    ],
    "every line of a quotation but code has its sign": [
        ("> a\n>\n> b", "> a\n>\n> b"),
        ("> a\n> > b\n> > > c", "> a\n>\n> &gt; b\n> &gt;\n> &gt; &gt; c"),
        ("> - a\n>   - b\n>\n> c", "> • a\n>     ◦ b\n>\n> c"),
        ("> a\n>\n> ```\n> b\n>\n> c\n> ```\n>\n> d", "> a\n\n```\nb\n\nc\n```\n\n> d"),
        ("> # A\n> `b` **c**", "> *A*\n>\n> `b` *c*"),
        ("> a  \n> b", "> a\n> b"),
        ("> - a\n>   > b", "> • a\n> &gt; b"),
        ("> | a |\n> |---|", "```\na\n---\n```"),
        ("> [!NOTE]\n> a\n>\n> b", "> *Note*\n> a\n>\n> b"),
        ("> [!WARNING]\n> ```\n> a\n> ```", "> *Warning*\n```\na\n```"),
    ],
    "links lead to the authors url": [
        ("[a](http://b.cd)", "<http://b.cd|a>"),
        ("[a](https://b.cd/e?f=1&g=2)", "<https://b.cd/e?f=1&amp;g=2|a>"),
        ("[a](mailto:b@c.de)", "<mailto:b@c.de|a>"),
        ("[a](HTTP://B.CD)", "<HTTP://B.CD|a>"),
        ("[a](http://b.cd/x|y)", "<http://b.cd/x%7Cy|a>"),
        ("[a](<http://b.cd/x y\\>z>)", "<http://b.cd/x%20y%3Ez|a>"),
        ("[a \\> b & c|d](http://b.cd)", "<http://b.cd|a &gt; b &amp; c|d>"),
        ("[a\nb](http://b.cd)", "<http://b.cd|a b>"),
        ("[a  \nb](http://b.cd)", "<http://b.cd|a b>"),
        ("[](http://b.cd)", "<http://b.cd>"),
        ("[http://b.cd](http://b.cd)", "<http://b.cd>"),
        ("<http://b.cd/_a_>", "<http://b.cd/_a_>"),
        ("http://b.cd/a.", "<http://b.cd/a>."),
        ("www.b.cd", "<http://www.b.cd|www.b.cd>"),
        ("a@b.cd", "<mailto:a@b.cd|a@b.cd>"),
        ("**http://b.cd/**", "*<http://b.cd/>*"),
        ("**[a](http://b.cd)**", "*<http://b.cd|a>*"),
        ("[**a**](http://b.cd)", "*<http://b.cd|a>*"),
        ("[***a** b*](http://b.cd)", "_<http://b.cd|a b>_"),
        ("[a **b** `c`](http://b.cd)", "<http://b.cd|a b c>"),
        ("[`a`](http://b.cd)", "`<http://b.cd|a>`"),
        ("[*`a`*](http://b.cd)", "_`<http://b.cd|a>`_"),
        ("[\\*a\\*](http://b.cd)", "<http://b.cd|*·a*>"),
        ("[@here](http://b.cd)", "<http://b.cd|@·here>"),
        ("x[a](http://b.cd)y", "x<http://b.cd|a>y"),
        ("[a](c/d.md)", "a (c/d.md)"),
        ("[a](#b)", "a"),
        ("[a]()", "a"),
        ("[](c.md)", "(c.md)"),
        ("[c.md](c.md)", "c.md"),
        ("[a](tel:123)", "a (tel:123)"),
        ("[a](http:b)", "a (http:b)"),
        ("[**a**](c.md)", "*a* (c.md)"),
        ("**[a](c.md)**", "*a (c.md)*"),
    ],
    "html becomes the nearest equivalent": [
        ("a\n\n***\n\nb", f"a\n\n{RULE}\n\nb"),
        ("<details><summary>S *t*</summary>\n\nB\n\n</details>", "*S* *·t*\n\nB"),
        ("<kbd>Ctrl</kbd> + <kbd>C</kbd>", "`Ctrl` + `C`"),
        ("H<sub>2</sub>O x<sup>2</sup> y<sup>*a*</sup>", "H₂O x² y·_ᵃ_"),
        ("<mark>a</mark> <q>b</q> <var>c</var> <ins>d</ins>", "==a== “b” _c_ d"),
        ("<dl><dt>T</dt><dd>D</dd></dl>", "*T*\n    D"),
        (
            "<table><tr><th>a</th><th colspan=2>b</th></tr><tr><td>c</td><td>d</td><td>e</td></tr></table>",
            "```\na   | b   |\nc   | d   | e\n```",
        ),
        ("<table><tr><td colspan=2>\n\n- a\n\n</td><td>b</td></tr></table>", "```\n- a |     | b\n```"),
        ("<ol start=5 reversed><li>a<li>b</ol>", "5. a\n4. b"),
        ("<ol reversed><li>a<li>b</ol>", "2. a\n1. b"),
        ("<ol type=a><li>a<li value=27>b<li>c</ol>", "a. a\naa. b\nab. c"),
        ("<ol type=I start=4><li>a<li value=0>b</ol>", "IV. a\n0. b"),
        ("<div align=center>\n\na\n\n</div>", "a"),
        ("<ul><li>a<p>b</ul>", "• a\n\n    b"),
    ],
}


@pytest.mark.parametrize(("markdown", "expected"), each_row(MESSAGES))
def test_message_of_markdown_says_it_as_slack_does(markdown: str, expected: str) -> None:
    assert message_of(markdown) == f"{expected}\n"


@pytest.mark.parametrize(
    "sequence",
    [
        "<!channel>",
        "<!here>",
        "<!everyone>",
        "<!channel|channel>",
        "<@U024BE7LH>",
        "<@U024BE7LH|bob>",
        "<#C024BE7LR>",
        "<!subteam^SAZ94GDB8>",
        "<!date^1392734382^{date}^https://a.example/|x>",
        "<http://a.example|b>",
    ],
)
@pytest.mark.parametrize(
    "form", ["{}", "`{}`", "```\n{}\n```", "# {}", "| {} |\n|---|", "[x](a '{}')", "**{}**", "> {}"]
)
def test_control_sequences_of_an_author_are_inert(form: str, sequence: str) -> None:
    markdown = form.format(sequence.replace("<", "&lt;") if "`" not in form else sequence)

    for raw in (markdown, form.format(sequence)):
        for strict in (True, False):
            reading = read(SlackRenderer().render_document(parse(raw, raw_html="escape")), strict=strict)

            assert reading.mentions == ()
            assert reading.strays == ()


def test_trusted_raw_html_is_shown_as_text() -> None:
    tree = nodes.Document(
        [nodes.HtmlBlock("<!channel>\n<b>"), nodes.Paragraph([nodes.HtmlSpan("<!here>"), nodes.RawText("x")])]
    )

    assert SlackRenderer().render_document(tree) == "&lt;!channel&gt;\n&lt;b&gt;\n\n&lt;!here&gt;x\n"


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("@here, all", "@·here, all"),
        ("@Channel @everyone @group", "@·Channel @·everyone @·group"),
        ("mail@here.example @hereafter @bob #general", "mail@here.example @hereafter @bob #general"),
    ],
)
def test_broadcast_mentions_are_inert(content: str, expected: str) -> None:
    assert line_of(nodes.RawText(content)) == expected


LINES: dict[str, list[tuple[list[nodes.Token], str]]] = {
    "white space is outside of emphasis": [
        ([nodes.RawText("x"), nodes.Strong([nodes.RawText(" a ")]), nodes.RawText("y")], "x *a* y"),
        ([nodes.RawText("x"), nodes.Strong([nodes.RawText("\u00a0a")])], "x\u00a0*a*"),
        ([nodes.RawText("x"), nodes.Strong([nodes.RawText("  ")]), nodes.RawText("y")], "x  y"),
        ([nodes.RawText("x"), nodes.Strong([]), nodes.Emphasis([nodes.RawText("")]), nodes.RawText("y")], "xy"),
        (
            [
                nodes.Strong([nodes.RawText("a "), nodes.Emphasis([nodes.RawText("b")])]),
                nodes.Emphasis([nodes.RawText(" c")]),
            ],
            "*a _b_* _c_",
        ),
    ],
    "literal marks keep out of the way of others": [
        ([nodes.RawText("5 *stars, "), nodes.Strong([nodes.RawText("b")])], "5 *·stars, *b*"),
        ([nodes.RawText("a `b "), nodes.InlineCode("-c")], "a `·b `-c`"),
        ([nodes.RawText("``"), nodes.InlineCode("c")], "``·`c`"),
        ([nodes.Strong([nodes.RawText("use *args here")])], "*use* *·args *here*"),
        ([nodes.Emphasis([nodes.RawText("snake_case")])], "snake_case"),
        ([nodes.Strong([nodes.RawText("a * b")])], "*a* * *b*"),
        ([nodes.Emphasis([nodes.RawText("C*")]), nodes.RawText(" and *")], "_C_·* and *"),
    ],
}


@pytest.mark.parametrize(("inlines", "expected"), each_row(LINES))
def test_line_of_inlines_says_it_as_slack_does(inlines: list[nodes.Token], expected: str) -> None:
    assert line_of(*inlines) == expected


@pytest.mark.parametrize(
    "content",
    [
        "2 * 3 * 4",
        "snake_case_name and __init__",
        "a*b*c 5*3",
        "**doubled** ~~doubled~~ *** ___",
        "*args",
        "5 stars* of 6 *",
        "~5 to ~10",
        "cd ~",
        "a ` b",
        ":smile: :white_check_mark:",
        "😀 שלום مرحبا",
        "-- _ -- _",
    ],
)
def test_marks_that_do_nothing_are_left_alone(content: str) -> None:
    message = SlackRenderer().render_document(nodes.Document([nodes.Paragraph([nodes.RawText(content)])]))

    assert message == f"{content}\n"
    assert all(not each.marks and not each.is_code for each in read(message, strict=False).shown)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("*lit* _lit_ ~lit~ `lit`", "*·lit* _·lit_ ~·lit~ `·lit`"),
        ("*a *b c*", "*·a *·b c*"),
        ("~$58.5k … ~$16.5k", "~·$58.5k … ~$16.5k"),
        ("a ``` b ``` c", "a ``·`· b ``·` c"),
        ("````", "``·``"),
        ("a ` b ` c", "a `· b ` c"),
        ("\uff0a注意\uff0a です", "\uff0a·注意\uff0a です"),
        ("*a", "*a"),
    ],
)
def test_literal_marks_that_would_act_do_not(content: str, expected: str) -> None:
    message = SlackRenderer().render_document(nodes.Document([nodes.Paragraph([nodes.RawText(content)])]))

    assert dotted(message) == f"{expected}\n"
    for strict in (True, False):
        reading = read(message, strict=strict)
        assert all(not each.marks and not each.is_code for each in reading.shown)
        assert reading.content == f"{content}\n"


def test_literal_quote_at_a_line_s_beginning_is_none() -> None:
    message = SlackRenderer().render_document(parse("\\> a  \n&gt; b \\> c\n\n- \\> d\n\n\uff1e e"))

    assert dotted(message) == "·&gt; a\n·&gt; b &gt; c\n\n• &gt; d\n\n·\uff1e e\n"
    assert read(message).quoted == ""


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("a`b", "```a`b```"),
        ("`a`", "```·`a`·```"),
        ("a```b", "```a``·`b```"),
        ("a\nb", "`a b`"),
        (" a ", "` a `"),
        ("", ""),
        ("*a* _b_ \\", "`*a* _b_ \\`"),
    ],
)
def test_code_in_a_line_is_exact(code: str, expected: str) -> None:
    message = SlackRenderer().render_document(
        nodes.Document([nodes.Paragraph([nodes.RawText("x "), nodes.InlineCode(code), nodes.RawText(" y")])])
    )

    assert dotted(message) == f"x {expected} y\n"


def test_code_that_needs_a_fence_is_not_emphasized() -> None:
    assert (
        line_of(nodes.Strong([nodes.RawText("a "), nodes.InlineCode("b`c"), nodes.RawText(" d")]))
        == "*a* ```b`c``` *d*"
    )


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("a\n", "```\na\n```"),
        ("  a\n\n\tb \n", "```\n  a\n\n\tb \n```"),
        ("```\na\n```\n", "```\n``·`\na\n``·`\n```"),
        ("````\n", "```\n``·``\n```"),
        ("`a`\n", "```\n`a`\n```"),
        ("\n \n", ""),
        ("> a\n*b* @here\n", "```\n&gt; a\n*b* @here\n```"),
    ],
)
def test_blocks_of_code_are_exact(code: str, expected: str) -> None:
    for token in (nodes.CodeFence(code, language="python"), nodes.BlockCode(code)):
        assert dotted(SlackRenderer().render_document(nodes.Document([token]))) == f"{expected}\n"


def test_empty_callout_keeps_its_title() -> None:
    assert SlackRenderer().render_document(nodes.Document([nodes.Callout("tip", [])])) == "> *Tip*\n"


def test_tables_are_aligned_by_the_width_that_is_seen() -> None:
    message = message_of("| 漢字 | n | c |\n|:--|--:|:-:|\n| 😀 `x` | 1 | **b** |\n| [l](http://a.bc) | 100 | mid |")

    assert message == (
        "```\n"
        "漢字            |   n |  c\n"
        "----------------|-----|----\n"
        "😀 x            |   1 |  b\n"
        "l (http://a.bc) | 100 | mid\n"
        "```\n"
    )
    assert {display_width(row.split("|")[0]) for row in message.splitlines()[1:-1]} == {16}


@pytest.mark.parametrize(
    "target",
    [
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "java\nscript:x",
        "data:text/html,x",
        "!channel",
        "@U1",
        "#C1|x",
        "slack://x",
    ],
)
def test_no_other_url_is_linked(target: str) -> None:
    reading = read(
        SlackRenderer().render_document(nodes.Document([nodes.Paragraph([nodes.Link(target, [nodes.RawText("a")])])])),
        strict=False,
    )

    assert reading.links == ()
    assert reading.mentions == ()
    assert reading.content.startswith("a")


@pytest.mark.parametrize(
    ("image", "expected"),
    [
        (nodes.Image("http://a.bc/d.png", [nodes.RawText("A")]), "<http://a.bc/d.png|A>"),
        (nodes.Image("http://a.bc/d.png", []), "<http://a.bc/d.png>"),
        (nodes.Image("d.png", [nodes.RawText("A")]), "A"),
        (nodes.Image("d.png", []), "(d.png)"),
        (nodes.Image("data:image/png;base64,AAAA", [nodes.RawText("A")]), "A"),
        (nodes.Image("data:image/png;base64,AAAA", []), ""),
        (nodes.Image("", []), ""),
        (nodes.Link("http://b.cd", [nodes.Image("http://a.bc/d.png", [nodes.RawText("A")])]), "<http://b.cd|A>"),
        (nodes.Link("http://b.cd", [nodes.Image("http://a.bc/d.png", [])]), "<http://b.cd>"),
        (nodes.Link("b.md", [nodes.Image("http://a.bc/d.png", [nodes.RawText("A")])]), "<http://a.bc/d.png|A> (b.md)"),
    ],
)
def test_images_are_links_or_their_text(image: nodes.Token, expected: str) -> None:
    assert line_of(image) == expected


def test_footnotes_are_a_list_at_the_end() -> None:
    assert message_of("a[^x] b[^y]\n\n[^x]: One.\n[^y]: Two.") == "a[1] b[2]\n\n[1] One.\n[2] Two.\n"
    assert (
        message_of("a[^x]\n\n[^x]: One.\n\n    ```\n    c\n    ```\n    d")
        == "a[1]\n\n[1] One.\n```\nc\n```\n\n    d\n"
    )


def test_math_and_figures_are_shown_as_their_source() -> None:
    assert line_of(nodes.MathSpan("a_b < c")) == "`a_b &lt; c`"
    assert message_of("$$\na < b\n$$") == "```\na &lt; b\n```\n"
    figure = nodes.Figure("dot", "a -> b\n", language="dot", options={"title": "A *b*"})
    assert dotted(SlackRenderer().render_document(nodes.Document([figure]))) == "A *·b*\n\n```\na -&gt; b\n```\n"


def test_blocks_in_an_inline_element_are_preserved() -> None:
    quotation = nodes.Quote([nodes.Heading(1, [nodes.RawText("*a*")])])

    assert line_of(nodes.HtmlElement("sub", {}, [quotation, nodes.RawText("b")])) == "_(&gt; *·a*\n·&gt; ===b)"


def test_line_ends_that_an_author_hid_are_spaces() -> None:
    assert message_of("a&#13;&gt; b&#10;\\> c") == "a &gt; b\n·&gt; c\n"


def test_empty_document_is_one_newline() -> None:
    assert SlackRenderer().render_document(nodes.Document([])) == "\n"


@pytest.mark.parametrize(
    ("length", "message"),
    [
        (3_000, None),
        (3_001, "3,001 characters: a text object holds at most 3,000; send it as message text"),
        (4_000, "4,000 characters: a text object holds at most 3,000; send it as message text"),
        (4_001, "4,001 characters: Slack recommends at most 4,000 per message; send it in parts"),
        (40_001, "40,001 characters: Slack truncates messages after 40,000; send it in parts"),
    ],
)
def test_a_notice_names_the_highest_bound_that_is_passed(length: int, message: str | None) -> None:
    context = RenderContext(bind(get_template("swiss"), "light"))

    content = render(nodes.Document([nodes.Paragraph([nodes.RawText("a" * (length - 1))])]), context)

    assert len(content) == length
    assert context.notices == ([Notice("message-too-long", message)] if message else [])


@pytest.mark.parametrize(
    ("message", "mentions"),
    [
        ("<!channel>", ("<!channel>",)),
        ("`<@U1>` ```<!here|x>```", ("<@U1>", "<!here|x>")),
        ("<#C1> <!subteam^S1> <!date^1^{date}|x>", ("<#C1>", "<!subteam^S1>", "<!date^1^{date}|x>")),
        ("(@here) @Everyone!", ("@here", "@Everyone")),
        ("&lt;!channel&gt; @\u200bhere a@here.example", ()),
    ],
)
def test_reader_sees_mentions(message: str, mentions: tuple[str, ...]) -> None:
    assert sorted(read(message).mentions) == sorted(mentions)


def test_reader_sees_links_wherever_they_are() -> None:
    reading = read("<http://a.bc|x> *<https://d.ef?g&amp;h>* `<mailto:i@j.kl|m>` http://n.op/q")

    assert sorted(reading.links) == ["http://a.bc", "https://d.ef?g&h", "mailto:i@j.kl"]
    assert reading.bare_urls == ("http://n.op/q",)
    assert reading.content == "x https://d.ef?g&h m http://n.op/q"


def test_reader_reports_what_was_not_escaped() -> None:
    assert [stray[0] for stray in read("a > b `c > d` ```&``` e < f").strays] == ["&", ">", ">", "<"]


@pytest.mark.parametrize(
    ("message", "bold"),
    [
        ("*a* b", "a"),
        ("(*a*)", "a"),
        ("*a _b_ c*", "a b c"),
        ("x\u200b*a*\u200by", "a"),
        ("*`a`*", "a"),
        ("*a\nb*", ""),
        ("x*a*y", ""),
        ("* a *", ""),
        ("*\u200ba*", ""),
        ("**a**", ""),
        ("`*a*`", ""),
        ("```\n*a*\n```", ""),
    ],
)
def test_reader_sees_emphasis_at_the_edges_of_words(message: str, bold: str) -> None:
    assert read(message, strict=True).with_mark("*") == read(message, strict=False).with_mark("*") == bold


def test_lenient_reader_sees_more() -> None:
    for message in ("*a*。", "→*a*", "*a *$b", "x)*a*"):
        assert read(message, strict=True).with_mark("*") == ""
        assert read(message, strict=False).with_mark("*") != ""


def test_reader_sees_code_and_fences() -> None:
    reading = read("a `b &lt; c` ```d`e``` x\n```\n  f\n\n*g*\n```\n`h")

    assert reading.code == ("b < c", "d`e", "  f\n\n*g*")
    assert reading.content == "a b < c d`e x\n  f\n\n*g*\n`h"


def test_reader_sees_quotations() -> None:
    assert read("> a\n&gt; b\nc > d\n \uff1ee").quoted == "abe"


def test_wide_table_of_a_header_alone_is_its_cells() -> None:
    header = " | ".join(f"column {number} with several words" for number in range(8))

    conversion = convert(f"| {header} |\n|{'---|' * 8}\n", to="slack")

    assert all(f"column {number} with" in conversion.text for number in range(8))


def test_table_that_is_too_wide_is_labelled_pairs() -> None:
    cells = "".join(f"<td>{'long ' * 12}{number}</td>" for number in range(3))
    table = (
        "<table><caption><p>Sizes</p></caption><tr><th><p>First</p><ul><li>one</ul></th><th>Second</th><th></th></tr>"
        f"<tr>{cells}</tr><tr><td>x</td><td><p>y</p><pre>code</pre></td><td>z</td></tr></table>"
    )

    conversion = convert(table, to="slack")

    assert [notice.code for notice in conversion.notices] == ["table-stacked"]
    assert all(words in conversion.text for words in ("Sizes", "*First one:* long", "*Second:* long", "```\ncode\n```"))
