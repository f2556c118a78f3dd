"""Below a page's title: reading time, and a table of contents in long documents."""

import re
from urllib.parse import unquote

import pytest

from mdpublish_core import Document, PageOptions, convert, nodes, parse, render
from mdpublish_core.writers.page.toc import MIN_HEADINGS, MIN_WORDS, reading_minutes

WORDS = "word " * MIN_WORDS
PROSE = "word " * 700


def page_info(markdown: str, *, reading_time: bool = False, contents: bool = False) -> str:
    page = render(
        parse(markdown), to="page", options=PageOptions(title="t", reading_time=reading_time, toc=contents)
    ).html
    return page.partition('<div class="meta">')[2].partition("</div>")[0]


def entries(markdown: str) -> list[tuple[int, str, str]]:
    """The table of contents as (depth, URL, text)."""
    matches, depth = [], 0
    for piece in re.findall(r"<ol>|</ol>|<a [^>]*>[^<]*", page_info(markdown, contents=True)):
        depth += {"<ol>": 1, "</ol>": -1}.get(piece, 0)
        if link := re.fullmatch(r'<a href="([^"]*)">(.*)', piece):
            matches.append((depth, link[1], link[2]))
    return matches


@pytest.mark.parametrize(("words", "minutes"), [(200, 1), (201, 2), (400, 2), (100_000, 500)])
def test_reading_takes_a_minute_for_each_two_hundred_words_begun(words: int, minutes: int) -> None:
    assert reading_minutes(words) == minutes
    assert f"<p>{minutes} min read</p>" in page_info("word " * words, reading_time=True)


def test_reading_time_of_short_texts_is_left_out() -> None:
    assert reading_minutes(0) == 1
    assert page_info("word " * 199, reading_time=True) == ""


def test_paragraph_right_after_the_title_is_the_lead() -> None:
    extras = PageOptions(reading_time=True)
    for markdown in (f"# Title\n\nFirst.\n\n{WORDS}", f"Title\n===\n\nFirst.\n\n{WORDS}"):
        for options in (PageOptions(), extras):
            assert render(parse(markdown), to="page", options=options).html.count('<p class="lead">First.</p>') == 1
    for markdown in ("First.", "## Part\n\nFirst.", "# Title\n\n> First.", "> # Title\n>\n> First.", ""):
        assert 'class="lead"' not in render(parse(markdown), to="page", options=extras).html


def test_fragments_have_a_lead_of_the_same_style() -> None:
    html = convert("# Title\n\nFirst.", template="letterpress").html
    assert '<p class="lead">First.</p>' in html
    assert ".lead.initial::first-letter" in html


@pytest.mark.parametrize("title", ["# Title", "Title\n=====", "# Title\n\n## Part"])
def test_page_info_is_below_a_title(title: str) -> None:
    page = render(parse(f"{title}\n\n{PROSE}"), to="page", options=PageOptions(title="t", reading_time=True)).html
    assert re.search(
        r'<main>\n<h1 id="md-title" class="title">Title</h1>\n<div class="meta"><p>4 min read</p></div>\n<[hp]', page
    )


@pytest.mark.parametrize("beginning", ["text\n\n# Title", "## Part", "> # Title", "---\n\n# Title", ""])
def test_page_info_is_on_top_without_a_title(beginning: str) -> None:
    page = render(parse(f"{beginning}\n\n{PROSE}"), to="page", options=PageOptions(title="t", reading_time=True)).html
    assert '<main>\n<div class="meta"><p>4 min read</p></div>\n' in page


def test_toc_is_nested_by_level_and_links_to_the_headings() -> None:
    markdown = f"# Title\n\n### Early\n\n## One\n\n### *Under* `one` & [more](https://example.org)\n\n#### Deep\n\n## One\n\n{WORDS}"
    assert entries(markdown) == [
        (1, "#md-early", "Early"),
        (1, "#md-one", "One"),
        (2, "#md-under-one--more", "Under one &amp; more"),
        (1, "#md-one-1", "One"),
    ]


def test_every_entry_leads_to_an_id_on_the_page() -> None:
    markdown = "## A\n\n## a\n\n## Größe 中\n\n## 😀\n\n## fn-1\n\nx[^1]\n\n[^1]: y\n\n## A-1\n\n" + WORDS
    page = render(parse(markdown), to="page", options=PageOptions(title="t", toc=True)).html

    targets = [target for _, target, _ in entries(markdown)]
    assert len(set(targets)) == len(targets) == 5
    for target in targets:
        assert page.count(f' id="{unquote(target[1:])}"') == 1


def test_headings_within_other_blocks_are_not_in_the_toc() -> None:
    parts = "\n\n## Part\n\n" * MIN_HEADINGS
    markdown = f"> ## Quoted\n\n- ## Item\n\n> [!NOTE]\n> ## Called\n\n<div>\n\n## In HTML\n\n</div>\n{parts}{WORDS}"

    assert [document_markdown for _, _, document_markdown in entries(markdown)] == ["In HTML", *["Part"] * MIN_HEADINGS]


@pytest.mark.parametrize(
    ("headings", "words", "shown"),
    [
        (MIN_HEADINGS, MIN_WORDS, True),
        (MIN_HEADINGS - 1, MIN_WORDS, False),
        (MIN_HEADINGS, MIN_WORDS - 1, False),
    ],
)
def test_toc_is_for_long_documents(headings: int, words: int, shown: bool) -> None:
    markdown = "## Part\n\n" * headings + "word " * (words - headings)
    assert parse(markdown).word_count == words
    assert bool(page_info(markdown, contents=True)) is shown


def test_toc_of_hostile_headings_is_text() -> None:
    markdown = "## <script>alert(1)</script>x\n\n## `<b onclick=a>`\n\n## &lt;i&gt;\n\n## ![a](b)\n\n" + WORDS
    written = page_info(markdown, contents=True)

    assert set(re.findall(r"<(\w+)", written)) == {"nav", "details", "summary", "ol", "li", "a"}
    assert "&lt;b onclick=a&gt;" in written


def test_entry_has_the_direction_of_its_heading() -> None:
    markdown = "## שלום\n\n" + "## Part\n\n" * MIN_HEADINGS + WORDS
    written = page_info(markdown, contents=True)
    assert '<li dir="rtl"><a' in written
    assert written.count("dir=") == 1


def test_document_built_by_hand_has_a_toc() -> None:
    blocks = [nodes.Heading(2, [nodes.RawText(name)]) for name in "abcd"]
    document = Document([*blocks, nodes.Paragraph([nodes.RawText(WORDS)])])
    assert '<a href="#md-d">d</a>' in render(document, to="page", options=PageOptions(title="t", toc=True)).html


def test_toc_is_collapsed() -> None:
    written = page_info("## Part\n\n" * MIN_HEADINGS + WORDS, contents=True)
    assert written.startswith('<nav aria-label="Contents"><details><summary>Contents</summary><ol>')
