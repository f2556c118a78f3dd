"""`to_markdown`: how blocks look, and that they are read as what they were."""

import pytest

from mdpublish_core import ALL_EXTENSIONS, nodes, parse, to_markdown
from mdpublish_core.options.extensions import RawHtml

UNCHANGED = {
    "headings": "# One\n\n###### Six #hash\n\n#\n\nTwo\n===\n\nThree\nlines\n-----",
    "lists keep their marks": "- a\n- b\n\n* c\n\n3. d\n4. e\n\n1) f",
    "tight and loose lists": "- a\n  - b\n    - c\n- d\n\n---\n\n- d\n\n  e\n\n- f\n\n  - g\n  - h",
    "numbers as in the source": "1. a\n1. b\n1. c",
    "tasks": "- [ ] a\n- [x] b\n  - [ ] c",
    "quotes": "> a\n>\n> > b\n>\n> - c\n>   d",
    "callouts": "> [!NOTE]\n> a\n\n> [!info]- A *title*\n>\n> - b",
    "code": "```python title=x\na\n\n  b\n```\n\n    indented\n\n      more",
    "longer fences": "````\n```\na\n```\n````\n\n~~~a`b\nx\n~~~",
    "figures": "```mermaid engine=x\nflowchart LR\n```",
    "formulas": "$$\n\\frac{a}{b}\n$$\n\n\\[ x^2 \\]\n\n\\begin{align}\na &= b\n\\end{align}",
    "footnotes": "a[^1] b[^note]\n\n[^1]: One\n\n    > more\n\n[^note]:\n    - list",
    "definitions": 'a [b][c] [d] ![e][c]\n\n[c]: /c "title"\n[d]: <a b>\n[unused]: /u',
    "details": "<details>\n<summary>A <b>title</b></summary>\n\nText *here*\n\n</details>".replace(
        "<b>", "<strong>"
    ).replace("</b>", "</strong>"),
    "rules": "***\n\na\n\n---\n\n- ___",
}


@pytest.mark.parametrize("markdown", UNCHANGED.values(), ids=UNCHANGED)
def test_common_style_stays_as_it_is(markdown: str) -> None:
    assert to_markdown(parse(markdown)) == f"{markdown}\n"


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("# a #", "# a"),
        ("a\n\n\n\nb", "a\n\nb"),
        ("~~~\na\n~~~", "```\na\n```"),
        ("-   a\n-   b", "- a\n- b"),
        (">a\nlazy", "> a\n> lazy"),
        ("* * *", "***"),
        ("a\n* * *", "a\n\n---"),
        ("|a|b|\n|-|-:|\n|1|2|\n|c|", "| a   |   b |\n| --- | --: |\n| 1   |   2 |\n| c   |     |"),
        ("|漢字|\n|-|\n|a|", "| 漢字 |\n| ---- |\n| a    |"),
        ("[a]: /u\n\n[a]", "[a]\n\n[a]: /u"),
        ("1.  a\n\n    b", "1. a\n\n   b"),
        ("<h2>a<br>b</h2>", "## a<br>b"),
        ("<ul><li>a<li>b</ul>", "- a\n- b"),
        ("<table><tr><td>a<td colspan=2>b</table>", None),
        ("<p align=center>a <b>b</b></p>", '<p align="center">a <strong>b</strong></p>'),
    ],
)
def test_other_styles_become_the_common_one(written: str, expected: str | None) -> None:
    document = parse(written)

    markdown = to_markdown(document)

    assert markdown == f"{expected}\n" or expected is None
    assert parse(markdown) == document


@pytest.mark.parametrize(
    "markdown",
    [
        "- a\n\n\n[x]: y\n\n- b",
        "- a\n\n[x]: y\n\n      code",
        "    a\n\n[x]: y\n\n    b",
        "- - -a\n- - ***",
        "-\n  -\n    -",
        "- [x] \n  - a",
        "> [!NOTE]\n> \n>     code",
        "> \\[!NOTE]",
        "- \\[x] a",
        "<details>\n\n- a\n\n      code\n\n</details>\n\nb",
        "- <details><summary>a</summary>b</details>\n- c",
        "<pre lang=mermaid>\na\n</pre>",
        "<table><tr><th>a<th>b<tr><td>a<br>b<td>x\ny</table>",
        "a[^1]\n\n[^1]: see [^3]\n\nb[^2]\n\n[^2]: x\n\n[^3]: y",
        "- a\n\n  [x]: y",
        "\ufeff\ufeffa",
        "***\ntitle: x\n---",
    ],
)
@pytest.mark.parametrize("raw_html", ["sanitize", "escape", "keep"])
def test_what_would_merge_or_mean_something_else_does_not(markdown: str, raw_html: RawHtml) -> None:
    document = parse(markdown, raw_html=raw_html)

    written = to_markdown(document)

    assert parse(written, raw_html=raw_html) == document, written
    assert to_markdown(parse(written, raw_html=raw_html)) == written


@pytest.mark.parametrize(
    "markdown",
    [
        ":::note\na\n:::",
        "::: custom [a] title\n- b\n\n::: tip\nc\n:::\n:::",
        '!!! note "A title"\n    a\n\n    b',
        "???+ custom\n    a",
        "::: details Title\na\n:::",
        "a ::: b\n::::\nc",
    ],
)
@pytest.mark.parametrize("raw_html", ["sanitize", "escape", "keep"])
def test_admonitions_are_written(markdown: str, raw_html: RawHtml) -> None:
    document = parse(markdown, raw_html=raw_html, extensions=ALL_EXTENSIONS)

    written = to_markdown(document)

    assert parse(written, raw_html=raw_html, extensions=ALL_EXTENSIONS) == document, written


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("---\ntitle:   A  title\ntags: [a, b c]\n---\nText", "---\ntitle: A  title\ntags: [a, b c]\n---\n\nText\n"),
        ("---\ntitle: 'a: b'\nno: \"no\"\nempty: ''\n---", '---\ntitle: "a: b"\nno: no\nempty: ""\n---\n'),
        ("---\na: |\n  b\n  c\n---", '---\na: "b\\nc\\n"\n---\n'),
        ('---\n"a  b": ["x, y", z]\n---', '---\n"a  b": ["x, y", "z"]\n---\n'),
    ],
)
def test_front_matter_is_plain_where_it_can_be(written: str, expected: str) -> None:
    document = parse(written)

    assert to_markdown(document) == expected
    assert parse(expected) == document


def test_wide_table_is_compact() -> None:
    table = f"| {'long ' * 30}| b |\n| --- | --- |\n| c | d |\n"

    assert to_markdown(parse(table)) == table


def test_paragraphs_are_filled_to_a_width() -> None:
    markdown = (
        "one two three four [a link with words](/url) five\nsix - seven 8. nine\\\nten\n\n- item with some words more\n"
    )

    assert to_markdown(parse(markdown), wrap=20) == (
        "one two three four\n[a link with\nwords](/url) five\nsix - seven 8. nine\\\nten\n\n- item with some\n  words more\n"
    )


def test_tree_built_by_hand_is_written() -> None:
    items = [nodes.ListItem([nodes.Paragraph([nodes.RawText(each)])]) for each in ("1. a", "b")]
    document = nodes.Document([nodes.List(items, start=7), nodes.List(items), nodes.List(items)])

    assert to_markdown(document) == "7. 1\\. a\n8. b\n\n- 1\\. a\n- b\n\n<!-- -->\n\n- 1\\. a\n- b\n"


def test_deepest_document_is_written() -> None:
    for mark in ("> ", "- ", "1. ", "*a "):
        document = parse(f"{mark * 200}a")

        assert parse(to_markdown(document)) == document
