"""The example for Telegram: its messages by their HTML, in parts of a size that can be sent, and no mentions."""

import json
import random
import re

import html5lib
import pytest

from mdpublish_core import convert, parse, render
from tests.core.test_places import HOSTILE
from tests.example_outputs import example_output

TELEGRAM = example_output("telegram")

ELEMENTS = {"a", "b", "blockquote", "code", "i", "pre", "s", "u"}


def messages(markdown: str) -> list[str]:
    return [json.loads(line)["text"] for line in convert(markdown, to=TELEGRAM).text.splitlines()]


@pytest.mark.parametrize(
    ("markdown", "html"),
    [
        ("# a\n\n~~b~~ <u>c</u>", "<b>a</b>\n\n<s>b</s> <u>c</u>"),
        ("- a\n  1. b", "• a\n   1. b"),
        ("3. a\n4. b", "3. a\n4. b"),
        ("- [x] a", "• ☑ a"),
        ("```py\na < b\n```", '<pre><code class="language-py">a &lt; b</code></pre>'),
        ("> a\n>\n> > b", "<blockquote>a\nb</blockquote>"),
        ("<details><summary>a</summary>\n\nb\n\n</details>", "<blockquote expandable><b>a</b>\nb</blockquote>"),
        ("![a](https://b.c/d.png)", '<a href="https://b.c/d.png">a</a>'),
        ("[a](https://b.c) [d](mailto:e@f.g)", '<a href="https://b.c">a</a> d (mailto:e@f.g)'),
        ("x<sup>2</sup> y<sub>n</sub>", "x² y_(n)"),
        ("@anna (@bob) `@carl` d@e.org", "@\u2060anna (@\u2060bob) <code>@carl</code> d@e.org"),
    ],
)
def test_messages_have_elements_that_telegram_has(markdown: str, html: str) -> None:
    assert messages(markdown) == [html]


def test_table_in_a_list_is_aligned_text() -> None:
    (message,) = messages("- a\n\n  | b | c |\n  |---|---|\n  | d | e |")

    assert message.count("<pre>") == 1


@pytest.mark.parametrize(
    "markdown",
    [
        "\n\n".join("Paragraph " + "word " * 40 for _ in range(60)),
        "\n\n".join("ab" for _ in range(3_000)),
        "- item\n" * 2_000,
        "```\n" + "line of code\n" * 2_000 + "```",
        "word " * 4_000,
        "**a** b " * 2_000,
        "𝒙" * 9_000,
    ],
    ids=["paragraphs", "short-paragraphs", "items", "code", "paragraph", "marks", "astral"],
)
def test_long_text_is_in_messages_that_can_be_sent(markdown: str) -> None:
    written = messages(markdown)
    contents = [re.sub(r"<[^>]*>", "", each) for each in written]

    assert len(written) > 1
    assert all(each.startswith(f"({number}/{len(written)})") for number, each in enumerate(contents, 1))
    assert max(len(each.encode("utf-16-le")) // 2 for each in contents) <= 4_096
    assert max(each.count("</") for each in written) <= 100
    assert all(each.count("<pre>") == each.count("</pre>") for each in written)


@pytest.mark.parametrize(
    ("seed", "count"), [(0, 100), *(pytest.param(seed, 1_000, marks=pytest.mark.nightly) for seed in range(1, 7))]
)
def test_no_text_pings_or_leaves_code_or_a_link_open(seed: int, count: int) -> None:
    choose = random.Random(seed)
    for _ in range(count):
        markdown = "".join(choose.choices((*HOSTILE, "@alice_b", "tg://user?id=1"), k=choose.randint(1, 12)))
        content = json.loads(render(parse(markdown), to=TELEGRAM, plain_text=False).text)["text"]
        parser = html5lib.HTMLParser(namespaceHTMLElements=False)
        tree = parser.parseFragment(content)
        assert {element.tag for element in tree.iter()} <= {*ELEMENTS, "DOCUMENT_FRAGMENT"}, markdown
        assert all(re.match(r"https?://", a.get("href", "")) for a in tree.iter("a")), markdown
        assert not parser.errors, (markdown, parser.errors)
        for code in [*tree.iter("code"), *tree.iter("pre")]:
            code.clear()
        assert not re.search(r"(?<!\w)@\w", "".join(tree.itertext())), markdown
