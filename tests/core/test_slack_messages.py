"""Messages of Block Kit."""

import json
from typing import Any

import pytest

from mdpublish_core import parse
from tests.core.slack_limits import problems, slack_messages, strings


def blocks_of(markdown: str) -> list[dict[str, Any]]:
    (message,) = slack_messages(parse(markdown))
    assert list(problems(message)) == []
    blocks: list[dict[str, Any]] = message["blocks"]
    return blocks


def elements_of(markdown: str) -> list[dict[str, Any]]:
    (block,) = blocks_of(markdown)
    assert block["type"] == "rich_text"
    elements: list[dict[str, Any]] = block["elements"]
    return elements


def section(*elements: dict[str, Any]) -> dict[str, Any]:
    return {"type": "rich_text_section", "elements": list(elements)}


def plain(content: str, *styles: str) -> dict[str, Any]:
    style = {"style": dict.fromkeys(styles, True)} if styles else {}
    return {"type": "text", "text": content, **style}


def test_headings_are_headers_and_deeper_ones_bold() -> None:
    assert blocks_of("# One *two*\n\n### Three") == [
        {"type": "header", "text": {"type": "plain_text", "text": "One two", "emoji": False}},
        {"type": "rich_text", "elements": [section(plain("Three", "bold"))]},
    ]


@pytest.mark.parametrize("heading", ["a" * 151, "[a link](http://a.b)"])
def test_heading_that_no_header_holds_is_bold(heading: str) -> None:
    (element,) = elements_of(f"# {heading}")

    assert element["elements"][0]["style"] == {"bold": True}


def test_styles_and_links() -> None:
    assert elements_of("a **b *c*** ~~d~~ `e` [f **g**](http://h.i) <mailto:j@k.l> [m](n.md)") == [
        section(
            plain("a "),
            plain("b ", "bold"),
            plain("c", "bold", "italic"),
            plain(" "),
            plain("d", "strike"),
            plain(" "),
            plain("e", "code"),
            plain(" "),
            {"type": "link", "url": "http://h.i", "text": "f "},
            {"type": "link", "url": "http://h.i", "text": "g", "style": {"bold": True}},
            plain(" "),
            {"type": "link", "url": "mailto:j@k.l", "text": "mailto:j@k.l"},
            plain(" m (n.md)"),
        )
    ]


def test_paragraphs_are_one_section_with_empty_lines_between() -> None:
    assert elements_of("a\\\nb\n\nc\nd") == [section(plain("a\nb\n\nc d"))]


def test_lists_have_their_depths_numbers_and_boxes() -> None:
    assert elements_of("- a\n\n  3. b\n  4. c\n- [x] d\n  1. e") == [
        {"type": "rich_text_list", "style": "bullet", "indent": 0, "elements": [section(plain("a"))]},
        {
            "type": "rich_text_list",
            "style": "ordered",
            "indent": 1,
            "offset": 2,
            "elements": [section(plain("b")), section(plain("c"))],
        },
        {"type": "rich_text_list", "style": "bullet", "indent": 0, "elements": [section(plain("☑ d"))]},
        {"type": "rich_text_list", "style": "ordered", "indent": 1, "elements": [section(plain("e"))]},
    ]


def shown_items(markdown: str) -> list[tuple[str, int, int, list[str]]]:
    """Return the style, indent, offset and items of each list."""
    return [
        (
            element["style"],
            element["indent"],
            element.get("offset", 0),
            ["".join(strings(item)) for item in element["elements"]],
        )
        for block in blocks_of(markdown)
        for element in block.get("elements", [])
        if element["type"] == "rich_text_list"
    ]


@pytest.mark.parametrize(
    ("markdown", "items"),
    [
        ('<ol start="5"><li>a</li><li>b</li></ol>', [("ordered", 0, 4, ["a", "b"])]),
        ('<ol><li>a</li><li value="7">b</li></ol>', [("ordered", 0, 0, ["a"]), ("ordered", 0, 6, ["b"])]),
        ("<ol reversed><li>a</li><li>b</li></ol>", [("ordered", 0, 1, ["a"]), ("ordered", 0, 0, ["b"])]),
        # Slack counts 1, a, i, and 1 again, from one depth to the next.
        ('<ol type="a" start="3"><li>a</li><li>b</li></ol>', [("bullet", 0, 0, ["c. a", "d. b"])]),
        ('- x\n  <ol type="a" start="3"><li>a</li></ol>', [("bullet", 0, 0, ["x"]), ("ordered", 1, 2, ["a"])]),
        ('- x\n  <ol type="1"><li>a</li></ol>', [("bullet", 0, 0, ["x"]), ("bullet", 1, 0, ["1. a"])]),
        ('<ol type="I"><li><p>a</p></li></ol>', [("bullet", 0, 0, ["I. a"])]),
        ("0. a\n1. b", [("bullet", 0, 0, ["0. a"]), ("ordered", 0, 0, ["b"])]),
        ('<ol start="-1"><li>a</li></ol>', [("bullet", 0, 0, ["-1. a"])]),
    ],
)
def test_numbers_are_the_author_s_or_text(markdown: str, items: list[tuple[str, int, int, list[str]]]) -> None:
    assert shown_items(markdown) == items


def test_lists_in_footnotes_keep_their_kind() -> None:
    markdown = "x[^1]\n\n[^1]: note\n\n    3. a\n\n       - b\n\n         1. c\n    4. d"

    assert shown_items(markdown) == [
        ("ordered", 0, 2, ["a"]),
        ("bullet", 1, 0, ["b"]),
        ("ordered", 2, 0, ["c"]),
        ("ordered", 0, 3, ["d"]),
    ]


def test_caption_of_an_image_is_below_it() -> None:
    (element,) = elements_of('![Roses](https://e.org/a.png "In *May*")')

    assert list(strings(element)) == ["Roses", "https://e.org/a.png", "\n\nIn *May*"]


@pytest.mark.parametrize("cells", ["<tr><td>1</td></tr>", "<tr>" + "<td>1</td>" * 30 + "</tr>"])
def test_caption_of_a_table_is_above_it(cells: str) -> None:
    shown = list(strings(blocks_of(f"<table><caption>Sales <b>2025</b></caption>{cells}</table>")))

    assert shown[:2] == ["Sales ", "2025"]
    assert "Sales" not in "".join(shown[2:])


def test_numbers_go_on_after_code_in_an_item() -> None:
    elements = elements_of("1. a\n\n   ```\n   code\n   ```\n2. b")

    assert [element["type"] for element in elements] == [
        "rich_text_list",
        "rich_text_preformatted",
        "rich_text_list",
    ]
    assert elements[2]["offset"] == 1


def test_quotes_in_quotes_have_a_sign_and_lists_in_them_have_a_border() -> None:
    first, items, second = elements_of("> a\n>\n> > b\n>\n> - c\n\n> d")

    assert first == {"type": "rich_text_quote", "elements": [plain("a\n\n> b")]}
    assert items["border"] == 1
    assert second == {"type": "rich_text_quote", "elements": [plain("d")]}


def test_quotes_next_to_each_other_stay_two() -> None:
    assert [element["type"] for element in elements_of("> a\n\n> [!TIP]\n> b")] == ["rich_text_quote"] * 2


def test_table_has_its_alignments_and_a_bold_head() -> None:
    (table,) = blocks_of("| a | b |\n|--:|:-:|\n| 1 | *x* |\n|  | y |")

    assert [each["align"] for each in table["column_settings"]] == ["right", "center"]
    cells = [[cell["elements"][0]["elements"] for cell in row] for row in table["rows"]]
    assert cells == [
        [[plain("a", "bold")], [plain("b", "bold")]],
        [[plain("1")], [plain("x", "italic")]],
        [[plain(" ")], [plain("y")]],
    ]


def test_each_table_has_a_message_of_its_own() -> None:
    messages = slack_messages(parse("| a |\n|---|\n| 1 |\n\ntext\n\n| b |\n|---|\n| 2 |"))

    assert [[block["type"] for block in message["blocks"]] for message in messages] == [
        ["table", "rich_text"],
        ["table"],
    ]


def test_long_table_goes_on_below_its_head() -> None:
    rows = "".join(f"| {number} | x |\n" for number in range(250))
    messages = slack_messages(parse(f"| n | m |\n|---|---|\n{rows}"))

    tables = [message["blocks"][0]["rows"] for message in messages]
    assert [len(table) for table in tables] == [100, 100, 53]
    assert all(table[0] == tables[0][0] for table in tables)
    numbers = [shown for table in tables for row in table[1:] for shown in list(strings(row))[:1]]
    assert numbers == [str(number) for number in range(250)]


def test_table_of_more_columns_than_slack_has_is_labelled_pairs() -> None:
    elements = elements_of(f"|{'a|' * 21}\n|{'-|' * 21}\n|{'b|' * 21}")

    assert {element["type"] for element in elements} == {"rich_text_section"}
    assert str(elements).count("a:") == str(elements).count(" b") == 21


def test_rule_is_a_divider() -> None:
    assert [block["type"] for block in blocks_of("a\n\n---\n\nb")] == ["rich_text", "divider", "rich_text"]


def test_footnotes_stand_below_a_divider() -> None:
    *_, divider, notes = blocks_of("a[^1] b[^2]\n\n[^1]: one\n[^2]: two")

    assert divider == {"type": "divider"}
    assert notes["elements"] == [section(plain("[1] one\n\n[2] two"))]


def test_mentions_are_text_and_the_notification_escapes_them() -> None:
    (message,) = slack_messages(parse("<!channel> <@U123> @here & more"))

    assert message["text"] == "&lt;!channel&gt; &lt;@U123&gt; @\u200bhere &amp; more"
    assert message["blocks"][0]["elements"] == [section(plain("<!channel> <@U123> @here & more"))]


@pytest.mark.parametrize(
    "markdown",
    [
        "word " * 20_000,
        "a" * 100_000,
        "- item\n" * 8_000,
        "# H\n\ntext\n\n" * 200,
        "---\n\n" * 120,
        "```\n" + "line of code\n" * 5_000 + "```",
        "> " + "quoted words " * 5_000,
        "|a|b|\n|-|-|\n" + f"|{'x' * 300}|y|\n" * 300,
        f"|a|b|\n|-|-|\n|{'x ' * 8_000}|y|\n",
        "".join(f"[a](http://a.b/{'c' * 500}) " for _ in range(100)),
        "1. a\n   " + "\n   ".join(f"{' ' * depth * 2}- b" for depth in range(12)),
    ],
    ids=["words", "one word", "items", "headings", "rules", "code", "quote", "rows", "cell", "links", "depths"],
)
def test_long_documents_are_divided_and_nothing_is_lost(markdown: str) -> None:
    document = parse(markdown)
    messages = slack_messages(document)

    assert [problem for message in messages for problem in problems(message)] == []
    shown = "".join("".join(strings(message["blocks"])) for message in messages)
    characters = sum(map(str.isalnum, markdown)) - (3 if markdown.startswith("1.") else 0)
    assert sum(map(str.isalnum, shown)) >= characters - 1
    json.dumps(messages)


def test_figures_are_text() -> None:
    (element,) = elements_of("$$\\frac{1}{x}$$")

    assert element["type"] == "rich_text_preformatted"


def test_empty_document_has_no_message() -> None:
    assert slack_messages(parse("")) == []
