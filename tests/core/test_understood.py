"""Readings of all destinations distinguish what their readers see, in one notation."""

from typing import Any

import pytest

from tests.cases.words import words_of
from tests.interop import word_tree
from tests.interop.understood import Reading, read_all, to_markdown
from tests.interop.word_document import Block, Cell, Image, Item, Paragraph, Row, Run, Table, WordDocument

# Destination, output, its reading as Markdown, and a summary.
OUTPUTS = {
    "a span's style is a mark": (
        "google-docs",
        '<p><span style="font-weight:700">a</span> <span style="font-style:italic;font-weight:400">b</span></p>',
        "**a** *b*",
        "bold, italic",
    ),
    "marks hold as far as they can": (
        "google-docs",
        '<p><span style="font-weight:700">a </span><span style="font-weight:700;font-style:italic">b </span>c</p>',
        "**a *b*** c",
        "bold, italic",
    ),
    "a fixed font is code": (
        "google-docs",
        "<p><span style=\"font-family:'Roboto Mono',monospace\">a</span></p>",
        "`a`",
        "code",
    ),
    "a cell of lines in a fixed font is a block of code": (
        "onenote",
        '<table><tr><td style="background-color:#f4f3f1"><p style="font-family:Consolas">a<br />\u00a0b</p></td></tr></table>',
        "::: {.shaded .cell}\n    a\n     b\n:::",
        "shaded cell, code",
    ),
    "code of two colors is colored": (
        "email",
        '<table><tr><td style="font:9px Menlo"><span style="color:#b00">a</span><span style="color:#000">b</span></td></tr></table>',
        "::: cell\n``` colored\nab\n```\n:::",
        "cell, colored code",
    ),
    "highlighted code is colored": (
        "generic",
        '<pre tabindex="0"><code class="language-py"><span class="keyword">if</span>\n</code></pre>',
        "``` {.py .colored}\nif\n```",
        "colored code (py)",
    ),
    "a cell with a line is told from one without": (
        "email",
        '<table><tr><td style="border-left:4px solid #b80016"><p>a</p></td></tr></table>',
        "::: {.bordered .cell}\na\n:::",
        "bordered cell",
    ),
    "a colored cell beside a cell is its line": (
        "onenote",
        '<table><tr><td style="background-color:#b80016;width:6px"></td><td style="width:618px"><p>a</p></td></tr></table>',
        "::: {.bordered .cell}\na\n:::",
        "bordered cell",
    ),
    "a cell that holds a line alone is a rule": (
        "email",
        '<table><tr><td height="9">\u00a0</td></tr><tr><td style="border-top:1px solid #d4d2ce">\u00a0</td></tr></table>',
        "-" * 72,
        "rule",
    ),
    "a picture that is a box is a box": (
        "google-docs",
        '<ul><li><img src="x" alt="unchecked" aria-roledescription="checkbox" /><p>a</p></li></ul>',
        "- [ ] a",
        "list, boxes",
    ),
    "numbers may stand in the text": (
        "onenote",
        '<ol style="list-style-type:none"><li>7. a</li><li>8. b</li></ol>',
        "- 7. a\n- 8. b",
        "list, numbered lines",
    ),
    "cells in many columns are a table": (
        "generic",
        '<table><tr><td class="center">a</td><td>b</td></tr></table>',
        "|     |     |\n|:---:|-----|\n|  a  | b   |",
        "table, aligned",
    ),
    "a footnote that nobody calls is there": (
        "generic",
        '<section class="footnotes" role="doc-endnotes"><ol><li id="md-fn-1"><p>a</p></li></ol></section>',
        "1.  a",
        "numbers",
    ),
    "signs are signs in plain text": ("plain-text", "*a* a|b <b>\n", "\\*a\\* a\\|b \\<b\\>", "text"),
    "plain text has structure": ("plain-text", "a\n=\n\n> - b\n", "# a\n\n> - b", "heading 1, quote, list"),
    "lines keep their ends in a message": (
        "slack",
        "• *a*\n    ◦ b\n",
        "| • **a**\n|     ◦ b",
        "• lines, ◦ lines, bold",
    ),
    "a quotation in a message": ("slack", "> a\n", "> a", "quote"),
    "a fence in a message": ("slack", "```\na\n  b\n```\n", "    a\n      b", "code"),
}


@pytest.fixture(scope="module")
def readings() -> dict[str, Reading]:
    destinations = dict.fromkeys(destination for destination, *_ in OUTPUTS.values())
    names = {each: [name for name, output in OUTPUTS.items() if output[0] == each] for each in destinations}
    read = read_all({each: [OUTPUTS[name][1] for name in names[each]] for each in destinations})
    return {name: reading for each in destinations for name, reading in zip(names[each], read[each], strict=True)}


@pytest.mark.parametrize("name", OUTPUTS)
def test_reading_says_what_is_there(name: str, readings: dict[str, Reading]) -> None:
    _, _, markdown, words = OUTPUTS[name]

    assert readings[name].markdown.rstrip("\n") == markdown
    assert words_of(readings[name].blocks) == words


def item(content: str, level: int, number: int = 0, form: str = "bullet") -> Paragraph:
    return Paragraph("", (Run(content),), item=Item(level, form, number, number))


def cell(content: str, **named: Any) -> Cell:
    return Cell((Paragraph("", (Run(content),)),), **named)


# Content of a Word document, and its Markdown.
WORD: dict[str, tuple[tuple[Block, ...], str]] = {
    "runs have marks": (
        (Paragraph("", (Run("a ", bold=True), Run("b", bold=True, strike=True), Run("c", position="superscript"))),),
        "**a ~~b~~**^c^",
    ),
    "a link is no underlined text": (
        (Paragraph("", (Run("a", underline=True, link="https://example.org"), Run("b", underline=True))),),
        "[a](https://example.org)[b]{.underline}",
    ),
    "a fixed font is code": ((Paragraph("", (Run("a", font="Consolas"),)),), "`a`"),
    "a heading has a level": ((Paragraph("Heading 2", (Run("a", bold=True),), level=2, anchors=("b",)),), "## a {#b}"),
    "a paragraph may be set in": ((Paragraph("", (Run("a"),), indentation=17),), "[a]{.indented}"),
    "lists stand in lists": (
        (item("a", 1), item("b", 2, 3, "decimal"), item("c", 2, 4, "decimal"), item("d", 1)),
        "- a\n\n  3.  b\n\n  4.  c\n\n- d",
    ),
    "another count is another list": (
        (item("a", 1, 1, "decimal"), item("b", 1, 5, "decimal")),
        "1.  a\n\n<!-- -->\n\n5.  b",
    ),
    "a picture has the size that it has": (
        (Paragraph("", (Image("file:///x/a.png", 48, word_tree.UNKNOWN_SIZE[1], "", "https://example.org"),)),),
        '[![](a.png){width="48pt"}](https://example.org)',
    ),
    "a cell alone is a cell": (
        (Table((Row((cell("a", shading="F4F3F1"),)),)),),
        "::: {.shaded .cell}\na\n:::",
    ),
    "cells may span others": (
        (
            Table(
                (
                    Row((cell("a", columns=2),), is_header=True),
                    Row((cell("b", merged="restart"), cell("c"))),
                    Row((cell("", merged="continue"), cell("d"))),
                )
            ),
        ),
        "+-------+\n| a     |\n+===+===+\n| b | c |\n|   +---+\n|   | d |\n+---+---+",
    ),
}


@pytest.fixture(scope="module")
def word_readings() -> dict[str, str]:
    trees = [word_tree.tree(WordDocument(blocks, {})) for blocks, _ in WORD.values()]
    return dict(zip(WORD, to_markdown(trees), strict=True))


@pytest.mark.parametrize("name", WORD)
def test_reading_of_a_word_document_says_what_is_there(name: str, word_readings: dict[str, str]) -> None:
    assert word_readings[name].rstrip("\n") == WORD[name][1]
