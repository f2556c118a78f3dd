"""What a source shows and a tree has not is noticed, and nothing else."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from lxml import etree

from mdpublish_core import ledger, nodes, parse, read_file, read_html
from mdpublish_core.options.limits import DEFAULT_LIMITS
from mdpublish_core.readers.html import read_elements
from mdpublish_core.readers.html.parse import parse_html
from tests.core.readers.docx.word_sources import item, paragraph, run, word_file
from tests.core.readers.docx.word_sources import root as word_xml

FIXTURES = Path(__file__).parents[1] / "readers/html/fixtures"
NAMES = sorted(path.stem for path in FIXTURES.glob("*.html"))


def lost_of(html: str) -> list[str]:
    return [notice.message for notice in read_html(html).notices if notice.code == "lost-on-import"]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ('<p>Steps:</p><ol style="list-style:lower-alpha"><li>one<li>two</ol>', "2 numbers of list items: 'a.', 'b.' (the first after 'Steps:')"),
        ('<ol style="list-style-type: upper-roman"><li>one</ol>', "1 number of a list item: 'I.'"),
        ("<p>a<img src='https://e.org/x.png' alt='words'></p><svg><text>words</text></svg>", "1 passage: 'words' (the first after 'a')"),
        ("<ol reversed><li>x<li>y</ol>", "2 numbers of list items: '2.', '1.'"),
        ("<p>before</p><svg><text>drawn words</text></svg><p>after</p>", "1 passage: 'drawn words' (the first after 'before')"),
        ('<p><a href="https://example.org/a"><img src="file:///a.png"></a></p>', "1 link: 'https://example.org/a'"),
    ],
)  # fmt: skip
def test_what_does_not_arrive_is_named_with_its_place(html: str, expected: str) -> None:
    assert lost_of(html) == [f"lost: {expected}"]


def test_first_losses_of_a_kind_are_listed_and_the_others_counted() -> None:
    items = "<li>" * 8

    assert lost_of(f'<ol style="list-style:upper-alpha">{items}</ol>') == [
        "lost: 8 numbers of list items: 'A.', 'B.', 'C.', 'D.', 'E.' and 3 more"
    ]


@pytest.mark.parametrize(
    "html",
    [
        pytest.param("<p>H<sub>2</sub>O is <b>wat</b>er, co\u00adoperate\u200b!</p>", id="a word in several elements"),
        pytest.param("<p>ﬁne １２ ½</p>", id="compatibility characters"),
        pytest.param("<p>a<sup><a href='#n1' id='r1'>[1]</a></sup></p><p id='n1'><a href='#r1'>[1]</a> b</p>", id="note"),
        pytest.param("<ul><li><input type=checkbox checked> a<li><input type=checkbox> b</ul>", id="boxes"),
        pytest.param("<p>☑ a ☐ b ✅</p>", id="boxes as characters"),
        pytest.param("<p>x <math><mi>a</mi><mo>+</mo><mi>b</mi></math></p>", id="formula"),
        pytest.param("<p>x <span hidden>y</span><span style='DISPLAY: none'>z</span></p><script>w</script>", id="hidden"),
        pytest.param("<h2>Title <a href='#title'>¶</a></h2>", id="permalink"),
        pytest.param("<h2>Title <span class=mw-editsection>[<a href='https://e.org/e'>edit</a>]</span></h2>", id="edit link"),
        pytest.param("<table><tr>before<td>a<td>b<tr><td>c<td>d</table>", id="text between cells"),
        pytest.param("<p><a href='https://www.google.com/url?q=https://example.org/&sa=D'>x</a></p>", id="redirect"),
        pytest.param("<a href='http://e.org'>a</a><br><a href='http://e.org'>b</a>", id="links to one address"),
        pytest.param("<ol start='3'><li>c<li>d</ol>", id="numbers from 3"),
        pytest.param("<pre><code>if a:\n    b</code></pre><p><code>c d</code></p>", id="code"),
        pytest.param("<table><tr><th>a<th>b<tr><td>c<td><img src='https://example.org/x.png' alt='d'></table>", id="table"),
    ],
)  # fmt: skip
def test_what_arrives_in_another_form_is_no_loss(html: str) -> None:
    assert lost_of(html) == []


@pytest.mark.parametrize("name", NAMES)
def test_pastes_of_programs_lose_nothing_unnamed(name: str) -> None:
    assert lost_of(FIXTURES.joinpath(f"{name}.html").read_text("utf-8")) == []


@pytest.mark.parametrize("name", NAMES)
def test_block_that_a_reader_forgets_is_noticed(name: str) -> None:
    reading = read_elements(FIXTURES.joinpath(f"{name}.html").read_text("utf-8"), "auto", DEFAULT_LIMITS)

    def is_noticed(position: int) -> bool:
        blocks = [*reading.blocks[:position], *reading.blocks[position + 1 :]]
        return any(ledger.loss_notices(reading.seen, reading._replace(blocks=blocks).entries()))

    forgotten = [each for each in range(len(reading.blocks)) if shows_words(reading.blocks[each : each + 1])]

    assert forgotten
    assert [reading.blocks[each] for each in forgotten if not is_noticed(each)] == []


def shows_words(blocks: Sequence[nodes.Token]) -> bool:
    return any(entry.kind == "words" and entry.value.strip() for entry in ledger.tree.entries_of(blocks))


@pytest.mark.parametrize(
    "html",
    [
        pytest.param("<p><b>a.</b><code><img src='file:///x'></code><b>.b</b></p>", id="code without a text"),
        pytest.param(f"<a href='{'https://www.google.com/url?q=' * 4_000}x'>a</a>", id="redirects in redirects"),
        pytest.param("<ul><li><i class='checkbox-on checkbox-off'></i>a</ul>", id="a box of two states"),
    ],
)
def test_hostile_source_is_read(html: str) -> None:
    assert "a" in read_html(html).markdown


def test_number_of_word_is_cut() -> None:
    numbering = (
        f'<w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:lvlText w:val="{"x" * 5_000}%1"/></w:lvl>'
        '</w:abstractNum><w:num w:numId="7"><w:abstractNumId w:val="1"/></w:num>'
    )
    root, part = (
        etree.fromstring(word_xml(name, content))
        for name, content in (("document", item("a", 7)), ("numbering", numbering))
    )

    entries = list(ledger.docx.entries_of(iter([ledger.docx.Story(root, {})]), part, None))

    assert [(entry.kind, len(entry.value)) for entry in entries] == [("number", 51), ("words", 1)]


_ROWS = "<table><tr><th>h<th>k<tr><td>a<td>b<tr><td>c<td>d<tr><td>e<td>f</table>"


@pytest.mark.parametrize(
    ("rows", "rest", "lost"),
    [
        ("| a | b |\n| c | d |\n| e | f |", "", []),
        ("| a | b x |\n| c | d |\n| e | f |", "", []),
        ("| **a** | `b` |\n| [c](d) | d |\n| e | f |", "", []),
        ("| a | d |\n| c | b |\n| e | f |", "", ["lost: 2 rows of tables: 'a | b', 'c | d'"]),
        ("| b | a |\n| c | d |\n| e | f |", "", ["lost: 1 row of a table: 'a | b'"]),
        ("| a | b |\n| c | d |\n| e |   |\n| f |   |", "", ["lost: 1 row of a table: 'e | f'"]),
        ("| a | b |\n| e | f |", "c d", ["lost: 1 row of a table: 'c | d'"]),
    ],
)
def test_cells_in_other_rows_and_columns_are_named(rows: str, rest: str, lost: list[str]) -> None:
    written = parse_html(_ROWS)
    assert written is not None
    tree = parse(f"| h | k |\n|---|---|\n{rows}\n\n{rest}\n")

    notices = ledger.loss_notices(ledger.html.entries_of(written), ledger.tree.entries_of(tree.children))

    assert [notice.message for notice in notices] == lost


@pytest.mark.parametrize(
    "html",
    [
        pytest.param("<table><tr><td rowspan=2>a<td>b<tr><td>c</table>", id="spanned rows"),
        pytest.param("<table><tr><td colspan=2>a b<td>c<tr><td>d<td>e<td>f</table>", id="spanned columns"),
        pytest.param("<table><tr><td>a<td><table><tr><td>b<td>c</table></table>", id="a table in a cell"),
        pytest.param("<table role=presentation><tr><td>a<td>b<tr><td>c<td>d</table>", id="layout"),
        pytest.param("<table><tr><td><ul><li>a<li>b</ul><td>c<tr><td>d<td>x<sub>2</sub></table>", id="blocks in cells"),
    ],
)
def test_tables_that_are_written_in_another_form_lose_no_rows(html: str) -> None:
    assert lost_of(html) == []


def test_numbers_that_word_shows_and_markdown_cannot_are_named() -> None:
    numbering = (
        '<w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:start w:val="3"/><w:numFmt w:val="lowerLetter"/>'
        '<w:lvlText w:val="§ %1"/></w:lvl></w:abstractNum><w:num w:numId="7"><w:abstractNumId w:val="1"/></w:num>'
    )
    properties = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="7"/></w:numPr>'
    body = "".join(paragraph(run(content), properties) for content in "xy")

    imported = read_file(word_file(body, numbering=numbering), ".docx")

    assert [notice.message for notice in imported.notices] == ["lost: 2 numbers of list items: '§ c.', '§ d.'"]


def test_deleted_and_hidden_text_of_word_is_no_loss() -> None:
    deleted = '<w:del w:id="1"><w:r><w:delText>gone</w:delText></w:r></w:del>'
    body = paragraph(run("a") + deleted + run("secret", "<w:vanish/>"))

    assert [notice.code for notice in read_file(word_file(body), ".docx").notices] == ["content-left-out"] * 2
