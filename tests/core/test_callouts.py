"""Callouts: titles, Obsidian's kinds, and the marks that are none."""

import pytest

from mdpublish_core import DEFAULT_EXTENSIONS, convert, nodes, parse, to_mistletoe

KINDS = {
    "note": ("note", "info", "abstract", "summary", "tldr", "todo", "example", "quote", "cite"),
    "tip": ("tip", "hint", "success", "check", "done"),
    "important": ("important", "question", "help", "faq"),
    "warning": ("warning", "attention"),
    "caution": ("caution", "danger", "error", "failure", "fail", "missing", "bug"),
}


def callout(markdown: str) -> nodes.Callout:
    (block,) = parse(markdown).children
    assert isinstance(block, nodes.Callout)
    return block


def generic(markdown: str) -> str:
    return convert(markdown).html.partition("</style>\n")[2].removesuffix("</div>\n")


def html(markdown: str) -> str:
    return convert(markdown, to="html").html


@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind, names in KINDS.items() for name in names])
def test_kind_is_the_nearest_of_five_in_any_case(kind: str, name: str) -> None:
    for written in (name, name.upper(), name.capitalize()):
        assert callout(f"> [!{written}]\n> text").kind == kind


@pytest.mark.parametrize(
    ("name", "label"), [("info", "Info"), ("QUESTION", "Question"), ("faq", "FAQ"), ("TLDR", "TL;DR"), ("note", "Note")]
)
def test_label_stands_for_a_missing_title(name: str, label: str) -> None:
    assert f'<p class="title">{label}</p>\n<p>text</p>' in generic(f"> [!{name}]\n> text")


@pytest.mark.parametrize(
    "line",
    [
        "[!recipe] Pancakes",
        "[!recipe]",
        "[!note](a)",
        "[!note][a]",
        "[!note]Title",
        "[! note] Title",
        "[!note]* Title",
        "[!] Title",
        r"\[!note] Title",
        "text [!note] Title",
    ],
)
def test_quote_with_another_first_line_stays_a_quote(line: str) -> None:
    (block,) = parse(f"> {line}\n> text").children

    assert isinstance(block, nodes.Quote)


def test_unknown_kind_is_shown_as_written() -> None:
    assert html("> [!recipe]- Pancakes\n> flour") == "<blockquote>\n<p>[!recipe]- Pancakes\nflour</p>\n</blockquote>\n"


@pytest.mark.parametrize(
    "markdown", ["> [!info]\n> text", "> [!FAQ]- Why?\n> text", "> [!note] *a* [b](c)\n> text", "> [!bug]+ a"]
)
def test_html_is_that_of_a_quote(markdown: str) -> None:
    plain = convert(markdown, to="html", extensions=DEFAULT_EXTENSIONS - {"callout"})

    assert html(markdown) == plain.html


def test_githubs_mark_is_written_in_capitals() -> None:
    assert html("> [!note]\n> text") == "<blockquote>\n<p>[!NOTE]\ntext</p>\n</blockquote>\n"


def test_title_ends_before_a_block() -> None:
    assert generic("> [!note] Title\n> - item") == (
        '<div class="callout note" role="note">\n<p class="title">Title</p>\n<ul>\n<li>item</li>\n</ul>\n</div>\n'
    )


def test_html_in_a_title_stays_in_it() -> None:
    assert generic("> [!note] a <b>b <div>c</div>\n> d</b> e <br>f") == (
        '<div class="callout note" role="note">\n<p class="title">a <strong>b<br />\nc</strong></p>\n'
        "<p>d e<br />\nf</p>\n</div>\n"
    )


def test_html_in_a_title_is_text_if_escaped() -> None:
    output = convert("> [!note] <b>a</b>\n> b", raw_html="escape").html

    assert '<p class="title">&lt;b&gt;a&lt;/b&gt;</p>\n<p>b</p>' in output


def test_title_has_links_images_and_footnotes_of_the_document() -> None:
    document = parse("> [!note] ![a](b.png) [c] [^d]\n\n[c]: e\n\n[^d]: f", rewrite_url=lambda url: f"/{url.url}")

    assert [image.src for image in document.images] == ["/b.png"]
    assert [token.target for token in nodes.walk(document) if isinstance(token, nodes.Link)] == ["/e"]
    assert [note.references for note in document.footnote_definitions] == [1]


def test_title_has_its_own_direction() -> None:
    assert '<p class="title" dir="rtl">שלום</p>\n<p>text</p>' in generic("> [!note] שלום\n> text")


def test_title_counts_as_words() -> None:
    assert parse("> [!note] two words\n> three more words").word_count == 5


def test_callout_built_by_hand_has_a_label() -> None:
    block = nodes.Callout("note", [], name="my-own_kind")

    assert (block.label, block.marker) == ("My own kind", "[!my-own_kind]")


def test_second_mark_in_a_quote_is_text() -> None:
    assert generic("> [!caution]\n>\n> [!note] again") == (
        '<div class="callout caution" role="note">\n<p class="title">Caution</p>\n<p>[!note] again</p>\n</div>\n'
    )


def test_title_becomes_markdown_text_in_mistletoes_tree() -> None:
    from mistletoe.markdown_renderer import MarkdownRenderer

    with MarkdownRenderer() as renderer:
        exported = renderer.render(to_mistletoe(parse("> [!info]- A *title*\n> text"), blank_lines=True))

    assert exported == "> [!info]- A *title*\n> text\n"
