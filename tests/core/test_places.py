"""Blocks of chats and wikis: what fits where, parts of what is too long, and that no text pings."""

import json
import random
import re
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree as ET

import html5lib
import pytest

from mdpublish_core import Output, convert, nodes, parse, render
from mdpublish_core.atlassian import AdfOptions
from mdpublish_core.renderers import PlaceHtml, PlaceRenderer, RenderContext, fit
from mdpublish_core.writers.clipboard import render_for_clipboard
from mdpublish_core.writers.places.html import html_of
from tests.example_outputs import example_output

PLACES = ("teams", "jira", "confluence")

_INLINES = {"a", "br", "code", "em", "img", "s", "strong", "sub", "sup", "u"}
_BLOCKS = {"blockquote", "div", "h1", "h2", "hr", "li", "ol", "p", "pre", "table", "tbody", "td", "th", "tr", "ul"}
TEAMS_ELEMENTS = frozenset(_INLINES | _BLOCKS)

HOSTILE = (
    *(
        "@here",
        "@channel",
        "<at>Anna</at>",
        "<at id='0'>x</at>",
        "[~anna]",
        "@[Anna](1)",
        "<!channel>",
        "<@U1>",
        "&lt;at&gt;",
    ),
    *(
        "`",
        "``",
        "```",
        "~~~",
        "</code>",
        "</pre>",
        "</a>",
        "<a href='https://e.org'>",
        "[a](https://e.org",
        "](x)",
        "<https://e.org",
    ),
    *(
        "**",
        "_",
        "~~",
        "==",
        "$x",
        "$$",
        "\\",
        "|",
        "> ",
        "- ",
        "1. ",
        "- [ ] ",
        "# ",
        "\n",
        "\n\n",
        "    ",
        "<details>",
        "<summary>",
    ),
    *(
        "{code}",
        "{{",
        "]]>",
        "<!--",
        "-->",
        "\u202e",
        "\0",
        "a",
        "b c",
        "&amp;",
        '"',
        "'",
        "javascript:alert(1)",
        "<script>",
    ),
)


def adf(markdown: str) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(convert(markdown, to="adf").text)
    return content


def types_in(node: object) -> Iterator[str]:
    if isinstance(node, dict):
        if "type" in node:
            yield str(node["type"])
        for each in node.values():
            yield from types_in(each)
    elif isinstance(node, list):
        for each in node:
            yield from types_in(each)


def body(markdown: str, to: str) -> str:
    return convert(markdown, to=to).html.strip()


@pytest.mark.parametrize(
    ("markdown", "html"),
    [
        ("# a\n\n### b\n\n#### c", "<h1>a</h1>\n<h2>b</h2>\n<p><strong>c</strong></p>"),
        ("```py\n<a>\n```", '<pre><code class="language-py">&lt;a&gt;</code></pre>'),
        ("    a", '<pre><code class="language-plaintext">a</code></pre>'),
        ("- [x] a", "<ul>\n<li>☑ a\n</li>\n</ul>"),
        ("3. a", "<ul>\n<li>3. a\n</li>\n</ul>"),
        ("> [!NOTE]\n> a", "<blockquote>\n<p><strong>Note</strong></p>\n<p>a</p>\n</blockquote>"),
        ("$x_1$", "<p><code>x₁</code></p>"),
        ("==a== [b](https://c.d)", '<p><strong>a</strong> <a href="https://c.d">b</a></p>'),
        ("[a](b.md) ![c](d.png)", "<p>a (b.md) c</p>"),
        ("![a](https://b.c/d.png)", '<p><img src="https://b.c/d.png" alt="a" /></p>'),
        ("**[a`b`](https://c.d)**", '<p><strong><a href="https://c.d">a<code>b</code></a></strong></p>'),
    ],
)
def test_teams_gets_elements_that_its_editor_keeps(markdown: str, html: str) -> None:
    assert body(markdown, "teams") == html


@pytest.mark.parametrize(
    ("markdown", "html"),
    [
        ("```py\na\n```", '<pre data-language="py"><code>a</code></pre>'),
        ("> [!TIP]\n> a", '<div data-panel-type="success"><div>\n<p><strong>Tip</strong></p>\n<p>a</p>\n</div></div>'),
        (
            "<details><summary>a</summary>\n\nb\n\n</details>",
            '<div data-node-type="expand" data-title="a">\n<p>b</p>\n</div>',
        ),
        ("3. a", '<ol start="3">\n<li>a\n</li>\n</ol>'),
        ("[`a`](https://b.c)", '<p><a href="https://b.c">a</a></p>'),
        ("**`a`**", "<p><code>a</code></p>"),
    ],
)
def test_jira_gets_attributes_that_its_editor_reads(markdown: str, html: str) -> None:
    assert body(markdown, "jira") == html


@pytest.mark.parametrize(
    ("markdown", "notice"),
    [
        ("- a\n\n  > b", "a quote in a list item is its text: none can be there"),
        ("- a\n\n  | b |\n  |---|\n  | c |", "a table in a list item is aligned text: none can be there"),
        ("> # a", "a heading in a quote is bold text: none can be there"),
        ("> a\n> > b\n>\n> c\n> > d", "a quote in a quote is its text, 2 times: none can be there"),
        ("- [ ] a\n\n  b", "a task with more than text is an item with a sign: none can be there"),
        ("- a\n  ***\n  b", "a rule in a list item is a line of signs: none can be there"),
    ],
)
def test_what_a_container_may_not_hold_is_replaced_and_named(markdown: str, notice: str) -> None:
    conversion = convert(markdown, to="adf")

    assert [each.message for each in conversion.notices if each.code == "block-replaced"] == [notice]
    assert [each.line for each in conversion.notices if each.code == "block-replaced"] != [None]


@pytest.mark.parametrize("to", ["teams", "jira"])
def test_delivery_tells_what_a_container_does_not_hold(to: str) -> None:
    blocks = ("# a", "***", "> b", "> [!TIP]\n> c", "| d |\n|---|")
    inside = "\n\n".join(block.replace("\n", "\n  ") for block in blocks).replace("\n\n", "\n\n  ")
    conversion = convert("\n\n".join((*blocks, f"- e\n\n  {inside}")), to=to)
    forms = {name: {each.form: each.lines for each in conversion.delivery if each.construct == name}
             for name in ("heading", "rule", "quote", "callout", "table")}  # fmt: skip

    usual = "quote" if to == "teams" else "as-is"
    assert forms == {
        "heading": {"as-is": (1,), "bold": (15,)},
        "rule": {"as-is": (3,), "symbol": (17,)},
        "quote": {"as-is": (5,), "text": (19,)},
        "callout": {usual: (7,), "text": (21,)},
        "table": {"as-is": (10,), "monospaced": (24,)},
    }
    replaced = [each.line for each in conversion.notices if each.code == "block-replaced"]
    assert sorted(line or 0 for line in replaced) == [15, 17, 19, 21, 24]


def test_delivery_tells_tasks_and_images_that_are_replaced() -> None:
    image = "![a](https://b.c/d.png)"
    linked = f"[{image}](https://e.f)"
    conversion = convert(f"- [ ] a\n\n  b\n- [x] c\n\n# {image}\n\n{linked} {linked}\n\ng {image} h", to="adf")
    arrived = {(each.construct, each.form, each.count) for each in conversion.delivery}

    assert arrived == {
        ("task", "symbol", 2),
        ("heading", "as-is", 1),
        ("image", "link", 1),
        ("image-link", "text", 2),
        ("image", "text", 2),
        ("image", "as-is", 1),
    }
    assert [(each.message, each.line) for each in conversion.notices] == [
        ("a task with more than text is an item with a sign: none can be there", 1),
        ("an image in a heading is a link: none can be there", 6),
        ("an image in a row of linked images is a link, 2 times: none can be there", 8),
    ]


def test_headings_below_the_levels_of_a_place_are_bold_without_a_notice() -> None:
    conversion = convert("# a\n\n## b\n\n### c", to="teams")

    assert [(each.form, each.count) for each in conversion.delivery] == [("as-is", 2), ("bold", 1)]
    assert conversion.notices == ()


def test_image_in_a_link_with_other_text_is_a_block_with_that_link() -> None:
    paragraph, media, after = adf("a [b ![c](https://d.e/f.png) g](https://h.i)")["content"]

    assert media["content"][0]["marks"] == [{"type": "link", "attrs": {"href": "https://h.i"}}]
    assert [each["content"][-1]["marks"] for each in (paragraph, after)] == [media["content"][0]["marks"]] * 2


class BareRenderer(PlaceRenderer):
    """Writes for a place that holds paragraphs alone."""

    @classmethod
    def render(cls, document: nodes.Document, context: RenderContext) -> str:
        return html_of(PlaceHtml, fit(cls.blocks_of(document, context), {"document": ""}, context), context)


def test_place_that_holds_paragraphs_alone_gets_all_as_paragraphs() -> None:
    markdown = "# a\n\n- b\n\n  ```\n  c\n\n  d\n  ```\n  3. e\n- [x] f\n\n> g\n\n***\n\n| h |\n|---|"
    conversion = convert(markdown, to=Output("bare", "paragraphs", renderer=BareRenderer))
    tree = html5lib.parseFragment(conversion.html, namespaceHTMLElements=False)

    assert {each.tag for each in tree} == {"p"}
    assert [" ".join("".join(each.itertext()).split()) for each in tree] == [
        "a", "• b", "cd", "3. e", "• ☑ f", "g", "───", "h ---"
    ]  # fmt: skip
    assert {(each.construct, each.form) for each in conversion.delivery} == {
        ("heading", "bold"),
        ("list", "symbol"),
        ("code-block", "monospaced"),
        ("continued-list", "symbol"),
        ("task", "symbol"),
        ("quote", "text"),
        ("rule", "symbol"),
        ("table", "monospaced"),
    }


def test_title_of_folded_text_may_have_blocks() -> None:
    content = adf("<details><summary><h3>a</h3>\n\n- b\n\n</summary>\n\nc\n\n</details>")["content"]

    assert [each["attrs"]["title"] for each in content] == ["a - b"]


def test_folded_text_in_folded_text_is_nested() -> None:
    inner = "<details><summary>b</summary>\n\nc\n\n</details>"
    kinds = list(types_in(adf(f"<details><summary>a</summary>\n\n{inner}\n\n</details>")))

    assert kinds == ["doc", "expand", "nestedExpand", "paragraph", "text"]


def test_subtasks_are_beside_their_task() -> None:
    (tasks,) = adf("- [x] a\n  - [ ] b\n- [ ] c")["content"]

    assert [each["type"] for each in tasks["content"]] == ["taskItem", "taskList", "taskItem"]
    assert [each["attrs"].get("state") for each in tasks["content"]] == ["DONE", None, "TODO"]


def test_image_among_text_is_a_block_between_its_halves_and_a_badge_is_a_link() -> None:
    kinds = [each["type"] for each in adf("a ![b](https://c.d/e.png) f")["content"]]

    assert kinds == ["paragraph", "mediaSingle", "paragraph"]
    badge = "[![b](https://c.d/e.png)](https://f.g)"
    assert body(f"{badge} {badge}", "jira") == '<p><a href="https://f.g">b</a> <a href="https://f.g">b</a></p>'


@pytest.mark.parametrize("markdown", ["", "\n", "> ", "- ", "| a |\n|---|", "<details></details>", "[](x)"])
def test_documents_without_text_have_a_paragraph_at_least(markdown: str) -> None:
    assert adf(markdown)["content"]


# Parts


def test_long_message_is_in_numbered_parts_of_its_limit() -> None:
    markdown = "\n\n".join(f"Paragraph {n} " + "word " * 150 for n in range(100))
    conversion = convert(markdown, to="teams")
    parts = [each.strip() for each in re.split(r"</?div>", conversion.html) if each.strip()]

    assert [each.code for each in conversion.notices] == ["message-too-long"]
    assert len(parts) == 3
    assert all(len(part.encode()) <= 28_000 for part in parts)
    assert [re.findall(r"^<p><strong>\((\d/\d)\)", part) for part in parts] == [["1/3"], ["2/3"], ["3/3"]]
    assert "it is in 3 parts" in conversion.notices[0].message


@pytest.mark.parametrize("to", ["teams", "jira"])
def test_parts_never_end_in_code(to: str) -> None:
    code = "```\n" + "line of code\n" * 700 + "```"
    html = convert("\n\n".join(["a", code, "b"] * 6), to=to).html
    parts = [each for each in re.split(r"</?div>", html) if each.strip()]

    assert len(parts) > 1
    assert all(part.count("<pre") == part.count("</pre>") for part in parts)
    assert html.count("<pre") == 6


def test_document_for_the_interfaces_is_in_parts_if_that_is_asked_for() -> None:
    code, formula = "```\n" + "line of code\n" * 700 + "```", "$$\n" + r"\frac{a}{b} + " * 40 + "c\n$$"
    markdown = "\n\n".join(["a\u2028b", code, formula] * 6)
    whole, divided = convert(markdown, to="adf"), convert(markdown, to="adf", options=AdfOptions(in_parts=True))
    parts = [json.loads(line) for line in divided.text.splitlines()]

    assert [each.code for each in whole.notices] == [each.code for each in divided.notices] == ["message-too-long"]
    assert len(whole.text.splitlines()) == 1
    assert len(parts) > 1
    assert all(len(line) <= 32_767 for line in divided.text.splitlines())
    assert [part["content"].pop(0)["content"][0]["text"] for part in parts] == [
        f"({number}/{len(parts)})" for number in range(1, len(parts) + 1)
    ]
    assert [block for part in parts for block in part["content"]] == json.loads(whole.text)["content"]


def test_short_document_for_the_interfaces_is_one_that_asks_for_parts() -> None:
    conversion = convert("a", to="adf", options=AdfOptions(in_parts=True))

    assert conversion.text == convert("a", to="adf").text
    assert conversion.notices == ()


def test_long_list_goes_on_counting_and_a_long_table_repeats_its_header() -> None:
    items = "\n".join(f"1. {'word ' * 40}" for _ in range(200))
    rows = "\n".join(f"| {n} | {'word ' * 40} |" for n in range(200))

    assert re.findall(r'<ol start="(\d+)"', convert(items, to="jira").html)
    html = convert(f"| head | b |\n|---|---|\n{rows}", to="teams").html
    assert html.count("<th>head") == html.count("<table>") == len(re.findall(r"\(\d/\d\)", html)) == 2


def test_block_longer_than_a_message_is_whole_and_named() -> None:
    conversion = convert("a\n\n```\n" + "x" * 30_000 + "\n```", to="teams")

    assert "part 2 has a block that is longer" in conversion.notices[0].message
    assert "x" * 30_000 in conversion.html


def test_confluence_has_no_limit() -> None:
    assert convert("word " * 20_000, to="confluence").notices == ()


# Clipboard


@pytest.mark.parametrize("to", PLACES)
def test_clipboard_has_html_and_text(to: str) -> None:
    contents, conversion = render_for_clipboard(parse("# a\n\n**b**"), to)

    assert contents.html == f'<meta charset="utf-8" />{conversion.html}'
    assert contents.plain_text == "a\n===\n\nb\n"


def test_jira_and_confluence_are_pasted_alike() -> None:
    document = parse("# a\n\n> [!NOTE]\n> b\n\n- [ ] c")

    assert render(document, to="jira").html == render(document, to="confluence").html


# Hostile text


@pytest.mark.parametrize(
    ("seed", "count"), [(0, 100), *(pytest.param(seed, 1_000, marks=pytest.mark.nightly) for seed in range(1, 7))]
)
def test_no_text_pings_or_leaves_code_or_a_link_open(seed: int, count: int) -> None:
    choose = random.Random(seed)
    for _ in range(count):
        markdown = "".join(choose.choices(HOSTILE, k=choose.randint(1, 12)))
        document = parse(markdown)
        for to in PLACES:
            html = render(document, to=to, plain_text=False).html
            parser = html5lib.HTMLParser(namespaceHTMLElements=False)
            tree = parser.parseFragment(f"{html}<p>after</p>")
            assert (tree[-1].tag, tree[-1].text, len(tree[-1])) == ("p", "after", 0), (markdown, html)
            tags = {element.tag for element in tree.iter()} - {"DOCUMENT_FRAGMENT"}
            assert not tags - TEAMS_ELEMENTS - ({"span", "h3", "h4", "h5", "h6"} if to != "teams" else set()), markdown
            assert all(re.match(r"https?:|mailto:|tel:", a.get("href", "")) for a in tree.iter("a")), markdown
            # Neither closed by the parser, nor opened by a text.
            errors = {error for _, error, _ in parser.errors} - {"non-void-element-with-trailing-solidus"}
            assert not errors, (markdown, errors)
        storage = render(document, to=example_output("confluence"), plain_text=False).html
        page = ET.fromstring(f'<page xmlns:ac="ac" xmlns:ri="ri">{storage}<p>after</p></page>')
        assert (page[-1].tag, page[-1].text) == ("p", "after"), (markdown, storage)
        assert not {"{ri}user", "{ac}link"} & {each.tag for each in page.iter()}, markdown
        kinds = set(types_in(json.loads(render(document, to="adf", plain_text=False).text)))
        assert not kinds & {"mention", "inlineCard", "blockCard", "embedCard", "extension"}, markdown
