"""The extension `admonitions`: fences of colons, and indented blocks."""

import pytest

from mdpublish_core import Limits, convert, nodes, parse, select_extensions
from mdpublish_core.nodes import Callout

EXTENSIONS = select_extensions(["admonitions"])


def blocks(markdown: str) -> list[nodes.Token]:
    return list(parse(markdown, extensions=EXTENSIONS).children)


def html(markdown: str) -> str:
    return convert(markdown, to="html", extensions=EXTENSIONS).html


def summary(token: nodes.Token) -> object:
    """Reduce callouts to tuples of kind, title and content, and other blocks to their text."""
    if isinstance(token, Callout):
        title = nodes.text_content(token.title) if token.title else None
        return (token.kind, title, *map(summary, token.children))
    return nodes.text_content(token)


@pytest.mark.parametrize(
    ("opening", "kind", "title"),
    [
        (":::note", "note", None),
        ("::: warning", "warning", None),
        (":::TIP", "tip", None),
        (":::note A title", "note", "A title"),
        (":::note[A title]", "note", "A title"),
        (":::note[A [link](b) title]{.x #y}", "note", "A link title"),
        (":::danger A *title*", "caution", "A title"),
        (":::{.note}", "note", None),
        ("::: {.callout-tip title='A title'}", "tip", "A title"),
        (':::info{title="A title"}', "note", "A title"),
        (":::{tip} A title", "tip", "A title"),
        ("::: note :::::", "note", None),
        (":::recipe", "note", None),
        ("   :::note", "note", None),
    ],
)
def test_fence_has_a_kind_and_a_title(opening: str, kind: str, title: str | None) -> None:
    assert list(map(summary, blocks(f"{opening}\ntext\n:::\nafter"))) == [(kind, title, "text"), "after"]


@pytest.mark.parametrize(
    ("opening", "kind", "title"),
    [
        ("!!! note", "note", None),
        ('!!! danger "A title"', "caution", "A title"),
        ('!!! tip inline end "A *title*"', "tip", "A title"),
        ("!!! tip inline end", "tip", None),
        ('!!! note ""', "note", None),
        ("!!! warning a title: here", "warning", "a title: here"),
        ("??? bug", "caution", None),
        ('???+ question "A title"', "important", "A title"),
        ("!!! recipe", "note", None),
        ('!!! recipe "Pancakes"', "note", "Pancakes"),
    ],
)
def test_indented_body_has_a_kind_and_a_title(opening: str, kind: str, title: str | None) -> None:
    assert list(map(summary, blocks(f"{opening}\n    text\n\n    more\nafter"))) == [
        (kind, title, "text", "more"),
        "after",
    ]


@pytest.mark.parametrize(
    "line",
    [":::", "::: ", "::note", ":: note", ":::[a]", ":::{#id}", "::: 1", "    :::note", "!!! 1", "!! note", "! note",
     "!!!", "!!! wow what", "!!! wow, what", "?? note", "!!!note's", "\\:::note", "a :::note"],
)  # fmt: skip
def test_other_lines_are_no_admonitions(line: str) -> None:
    assert not any(isinstance(token, Callout) for block in blocks(f"{line}\n    text") for token in nodes.walk(block))


def test_unknown_kind_is_the_title_of_a_note() -> None:
    assert [block.label for block in blocks(":::recipe\ntext") if isinstance(block, Callout)] == ["Recipe"]


def test_title_of_an_unknown_kind_is_kept() -> None:
    assert "<p>[!recipe] Pancakes\nflour</p>" in html(":::recipe Pancakes\nflour\n:::")


@pytest.mark.parametrize(
    ("markdown", "expected"),
    [
        ("::::note\n:::tip\na\n:::\nb\n::::\nc", [("note", None, ("tip", None, "a"), "b"), "c"]),
        (":::note\n:::tip\na\n:::\nb\n:::\nc", [("note", None, ("tip", None, "a"), "b"), "c"]),
        ("::::note\n:::tip\na\n::::\nb", [("note", None, ("tip", None, "a")), "b"]),
        (":::note\na\n:::::\nb", [("note", None, "a"), "b"]),
        ("::::note\na\n:::\nb", [("note", None, "a ::: b")]),
        (":::note\n- a\n:::\nb", [("note", None, "a"), "b"]),
        (":::note\n> a\n:::\nb", [("note", None, "a"), "b"]),
        (":::note\n<div>\na\n:::\nb", [("note", None, "a"), "b"]),
        (":::note\n| a |\n|---|\n:::\nb", [("note", None, "a"), "b"]),
        (":::note\na", [("note", None, "a")]),
        (":::note", [("note", None)]),
        ("text\n:::note\na\n:::", ["text", ("note", None, "a")]),
        (":::note\n!!! tip\n    a\n:::\nb", [("note", None, ("tip", None, "a")), "b"]),
        ("!!! note\n    :::tip\n    a\n    :::\n    b\nc", [("note", None, ("tip", None, "a"), "b"), "c"]),
        ("!!! note\n\n    a\n\n\n    b", [("note", None, "a", "b")]),
        ("!!! note\na", [("note", None), "a"]),
        ("!!! note\n    > a\nb", [("note", None, "a"), "b"]),
        ("text\n!!! note\n    a", ["text", ("note", None, "a")]),
        ("- x\n\n  :::note\n  a\n  :::\n\ny", ["xa", "y"]),
    ],
)
def test_admonitions_end_and_nest(markdown: str, expected: list[object]) -> None:
    assert list(map(summary, blocks(markdown))) == expected


@pytest.mark.parametrize("fence", ["```", "~~~", "$$"])
def test_colons_in_code_and_math_close_nothing(fence: str) -> None:
    (block,) = blocks(f":::note\n{fence}\n:::\n{fence}\n:::")

    assert isinstance(block, Callout)
    assert getattr(block.children[0], "content", None) == ":::\n"


def test_fence_in_a_quote_ends_with_it() -> None:
    assert html("> :::note\n> a\n\n:::") == (
        "<blockquote>\n<blockquote>\n<p>[!note]\na</p>\n</blockquote>\n</blockquote>\n<p>:::</p>\n"
    )


def test_colons_in_an_item_do_not_end_the_fence_around_it() -> None:
    assert html(":::note\n- a\n  :::\n- b\n:::") == (
        "<blockquote>\n<p>[!note]</p>\n<ul>\n<li>a\n:::</li>\n<li>b</li>\n</ul>\n</blockquote>\n"
    )


def test_details_are_an_element_with_a_summary() -> None:
    assert html(":::details *More* <b>here\ntext <i>x\n:::\nafter") == (
        "<details>\n<summary><em>More</em> <strong>here</strong></summary>\n<p>text <em>x</em></p>\n</details>\n"
        "<p>after</p>\n"
    )
    assert html(":::details\ntext\n:::") == "<details>\n<summary>Details</summary>\n<p>text</p>\n</details>\n"


@pytest.mark.parametrize("mode", ["sanitize", "escape"])
def test_html_inside_passes_the_allow_list(mode: str) -> None:
    markdown = "\n\n".join(
        f":::{kind} <script>a</script>\n<img src=a onerror=b>\n\n<iframe>\n:::" for kind in ("details", "note")
    )

    output = convert(markdown, extensions=EXTENSIONS, raw_html=mode).html  # type: ignore[arg-type]

    assert not any(f"<{name}" in output for name in ("script", "iframe", "img src=a onerror"))


def test_nesting_is_limited() -> None:
    document = parse(":::note\n" * 50 + "text", extensions=EXTENSIONS, limits=Limits(max_depth=10))

    assert [notice.code for notice in document.notices] == ["nesting-too-deep"]
    assert "text" in nodes.text_content(document)


def test_marks_are_text_without_the_extension() -> None:
    assert convert(":::note\na\n:::\n\n!!! note\n    b", to="html").html == (
        "<p>:::note\na\n:::</p>\n<p>!!! note\nb</p>\n"
    )


def test_short_lines_in_deep_fences_spend_the_budget() -> None:
    deep = parse(":::a\n" * 90 + "b\n" * 50_000, extensions=EXTENSIONS, limits=Limits(max_steps=10_000))
    flat = parse(":::a\n" + "b\n" * 50_000, extensions=EXTENSIONS, limits=Limits(max_steps=10_000))

    assert [notice.code for notice in deep.notices] == ["document-too-complex"]
    assert not flat.notices
    assert sum(map(nodes.text_content(deep).count, "b")) + deep.children[-1].content.count("b") == 50_000  # type: ignore[attr-defined]


def sets_of_tabs(markdown: str) -> list[list[tuple[object, ...]]]:
    """Return the name, the title, whether it is open, and the text of each tab of each set."""
    return [
        [
            (tab.attributes["name"], nodes.text_content(tab.children[0]), "open" in tab.attributes, *contents_of(tab))
            for tab in block.children
            if isinstance(tab, nodes.HtmlElement)
        ]
        for block in blocks(markdown)
        if isinstance(block, nodes.HtmlElement) and block.tag == "div"
    ]


def contents_of(tab: nodes.HtmlElement) -> list[str]:
    return [nodes.text_content(child) for child in tab.children[1:]]


def test_tabs_in_a_row_are_a_set_of_which_the_first_is_open() -> None:
    assert sets_of_tabs('text\n=== "A *b*"\n    a\n=== "B"\n\n    b\n\n===+ "C"\n    c\n\ntext\n\n=== "D"') == [
        [("tabs-1", "A b", True, "a"), ("tabs-1", "B", False, "b"), ("tabs-1", "C", False, "c")],
        [("tabs-2", "D", True)],
    ]
    assert sets_of_tabs('=== "A"\n===! "B"\n=== "C"') == [
        [("tabs-1", "A", True)],
        [("tabs-2", "B", True), ("tabs-2", "C", False)],
    ]


def test_tabs_are_in_other_blocks_and_have_others() -> None:
    html_of_list = html('- a\n\n    === "B"\n\n        !!! tip\n            c')

    assert [html_of_list.count(part) for part in ("<li>", "<div>", "<details", "<blockquote>")] == [1, 1, 1, 1]


@pytest.mark.parametrize(
    "line", ["===", '=== ""', "=== A", '== "A"', '===="A"', 'a === "b"', '    === "A"', '=== "A" b']
)
def test_other_lines_are_no_tabs(line: str) -> None:
    assert sets_of_tabs(f"{line}\n\n    text") == []


def test_tabs_nest_to_the_limit() -> None:
    source = "".join(f'{"    " * level}=== "{level}"\n' for level in range(200))
    document = parse(source, extensions=EXTENSIONS)

    assert "nesting-too-deep" in {notice.code for notice in document.notices}
    assert convert(source, to="page", extensions=EXTENSIONS).html.count("<details") <= 50


def test_tabs_written_as_markdown_are_read_again() -> None:
    source = '=== "A"\n\n    a\n\n=== "B"\n\n    b\n'
    written = convert(source, to="markdown", extensions=EXTENSIONS).text

    assert html(written) == html(source)
