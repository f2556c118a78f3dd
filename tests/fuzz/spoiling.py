"""Spoils documents: cuts, splices, repeats and nests them, and inserts marks of every construct and character."""

from collections.abc import Callable, Sequence
from random import Random

# Most documents are as long as one section of a README; the cost of a conversion grows with its length.
MAX_CHARACTERS = 4_000
_LONG_SHARE = 0.02
_MAX_LONG = 40_000

BLOCKS = (
    *(
        "\n\n",
        "\n",
        "\r\n",
        "# ",
        "###### ",
        "\n===\n",
        "\n---\n",
        "***\n",
        "> ",
        ">>>> ",
        "> [!NOTE]\n> ",
        "> [!caution]\n",
    ),
    *("- ", "* ", "+ ", "1. ", "999999999) ", "- [ ] ", "- [x] ", "-\t- ", "    ", "\t", "      1. "),
    *(
        "```\n",
        "````",
        "~~~\n",
        "```py\n",
        "```mermaid\ngraph TD\n",
        "```dot\ndigraph { a -> b }\n",
        "```math\n",
        "```diff\n",
    ),
    *(
        '```chart\n{"type": "bar", "data": {"labels": ["a"], "datasets": [{"data": [1]}]}}\n```\n',
        "```chart\n{",
        "$$\n",
        "$$",
        "\\[\n",
        "\\]\n",
        "\\begin{align}\n",
        "\\end{align}\n",
    ),
    *(
        "\n|a|b|\n|-|-|\n|1|2|\n",
        "|",
        "\n|:-:|-:|\n",
        "\\|",
        "| | |\n",
        "[a]: /b 'c'\n",
        "[^a]: ",
        "\n: ",
        "---\ntitle: a\n---\n",
    ),
)
INLINES = (
    *(
        "*",
        "**",
        "***",
        "_",
        "__",
        "~~",
        "~",
        "`",
        "``",
        "[",
        "]",
        "](",
        "](<",
        ")",
        "![",
        "[^a]",
        "[a][b]",
        "[a]",
        "\\",
    ),
    *(
        "<http://a>",
        "http://a/",
        "https://a.b/c?d=e&f#g",
        "www.a.bc",
        "a@b.cd",
        "[a](http://a/",
        "mailto:",
        "<me@a.b>",
        "//",
    ),
    *(
        "![a](data:image/png;base64,iVBORw0KGgo=)",
        "](javascript:a)",
        "[a](<b c> 'd')",
        ":smile:",
        "  \n",
        "\\\n",
        "$",
        "$x^2$",
        "\\(",
        "\\)",
        "\\(x^2\\)",
    ),
    *(
        "\\frac{",
        "\\begin{matrix}",
        "}",
        "{",
        "&amp;",
        "&#7;",
        "&#0;",
        "&#xFFFF;",
        "&#xD800;",
        "&nbsp;",
        "&#1234567;",
        "&notit;",
    ),
)
TAGS = (
    *(
        "<table>",
        "</table>",
        "<tr>",
        "</tr>",
        "<td>",
        "</td>",
        "<th align=right>",
        "<td colspan=2>",
        "<td rowspan=100>",
    ),
    *(
        "<td colspan=1000 rowspan=0>",
        "<thead>",
        "<tbody>",
        "<tfoot>",
        "<caption>",
        "<colgroup><col span=3>",
        "<table><tr><td colspan=2>",
    ),
    *(
        "<details>",
        "<details open>",
        "<summary>",
        "</summary>",
        "</details>",
        "<div align=center>",
        "</div>",
        "<p align=right>",
        "</p>",
    ),
    *(
        "<ul>",
        "<ol start=-5 reversed>",
        "<ol type=a start=99999>",
        "<ol type=I>",
        "<li value=4000>",
        "<li>",
        "</li>",
        "</ul>",
        "</ol>",
    ),
    *(
        "<dl>",
        "<dt>",
        "<dd>",
        "</dl>",
        "<blockquote>",
        "</blockquote>",
        "<pre>",
        "</pre>",
        "<pre lang=c>",
        "<code>",
        "</code>",
        "<hr>",
    ),
    *(
        "<h1>",
        "</h1>",
        "<h6 align=center>",
        "<figure>",
        "<figcaption>",
        "<center>",
        "<picture><source srcset=a>",
        "</picture>",
    ),
    *(
        "<a>",
        "<a href=b>",
        "<a href='http://a/' title=b>",
        "<a name=a>",
        "<a id=b></a>",
        "</a>",
        "<img>",
        "<img src=a width=10%>",
    ),
    *(
        "<img src=a width=1e9 height=0 align=left>",
        "<img alt=a src='data:image/gif;base64,R0lGODlhAQABAAAAACw='>",
        "<br>",
        "<br/>",
    ),
    *(
        "<b>",
        "</b>",
        "<i>",
        "</i>",
        "<sub>",
        "</sub>",
        "<sup>",
        "<kbd>",
        "<del>",
        "<ins>",
        "<mark>",
        "<q>",
        "<abbr title=a>",
    ),
    *(
        "<bdo dir=rtl>",
        "<bdi>",
        "<ruby>a<rt>b",
        "<div dir=rtl lang=ar>",
        "<var>",
        "<samp>",
        "<tt>",
        "<font>",
        "<wbr>",
        "<span>",
    ),
    *(
        "<script>",
        "</script>",
        "<style>",
        "</style>",
        "<svg>",
        "<math>",
        "<textarea>",
        "<title>",
        "<xmp>",
        "<plaintext>",
        "<iframe src=a>",
    ),
    *(
        "<!--",
        "-->",
        "<!-->",
        "<![CDATA[",
        "]]>",
        "<?php",
        "?>",
        "<!DOCTYPE html>",
        "<",
        "</",
        '<a b="',
        "<a b='",
        "/>",
        "<input type=checkbox>",
    ),
)
CHARACTERS = (
    *map(chr, (*range(32), 0x7F, 0x80, 0x85, 0x9F, 0xA0, 0xAD, 0x300, 0x5D0, 0x627, 0x1680, 0x200B, 0x200D, 0x200F)),
    *map(chr, (0x2028, 0x2029, 0x202E, 0x2066, 0x3000, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xFDD0, 0xFE0F, 0xFEFF, 0xFFFD)),
    *map(chr, (0xFFFE, 0xFFFF, 0x1F600, 0x1F468, 0x1F1E6, 0x1FFFE, 0xE0001, 0xE0100, 0x10FFFF)),
    *("\ud83d", "\ude00", "é", "e\u0301", "ﬁ", "İ", "ß", "漢", "ก", "ا", "𝒳", "½", "①"),
)
MARKS = (BLOCKS, INLINES, TAGS, CHARACTERS)


def spoiled(random: Random, sources: Sequence[str]) -> str:
    """Return parts of `sources`, spoiled."""
    source = _part(random, random.choice(sources))
    for _ in range(random.choice((0, 1, 1, 2, 3, 5, 8))):
        source = random.choice(_SPOILERS)(random, source, sources)
    return source[:_MAX_LONG]


def _part(random: Random, source: str) -> str:
    """Cut anywhere, even within a character reference, a tag or a line end."""
    longest = _MAX_LONG if random.random() < _LONG_SHARE else MAX_CHARACTERS
    length = round(longest * random.random() ** 2)
    start = random.randrange(max(1, len(source) - length // 2))
    return source[start : start + length]


def _slice(random: Random, source: str) -> tuple[int, int]:
    start = random.randrange(len(source) + 1)
    return start, min(len(source), start + round(200 * random.random() ** 3))


def _spliced(random: Random, source: str, sources: Sequence[str]) -> str:
    position, other = random.randrange(len(source) + 1), _part(random, random.choice(sources))
    return source[:position] + other + random.choice((source[position:], ""))


def _marked(random: Random, source: str, _sources: Sequence[str]) -> str:
    marks = random.choice(MARKS)
    for _ in range(random.choice((1, 1, 2, 4, 16))):
        position = random.randrange(len(source) + 1)
        source = source[:position] + random.choice(marks) * random.choice((1, 1, 1, 1, 2, 30)) + source[position:]
    return source


def _of_marks(random: Random, source: str, _sources: Sequence[str]) -> str:
    marks = [random.choice(random.choice(MARKS[:3])) for _ in range(random.choice((3, 10, 40)))]
    return random.choice(("", source)) + random.choice(("", " ", "a", "\n", "\n\n")).join(marks)


def _shortened(random: Random, source: str, _sources: Sequence[str]) -> str:
    for _ in range(random.choice((1, 3, 10))):
        start, end = _slice(random, source)
        source = source[:start] + source[end:]
    return source


def _repeated(random: Random, source: str, _sources: Sequence[str]) -> str:
    start, end = _slice(random, source)
    return source[:end] + source[start:end] * random.choice((1, 2, 20)) + source[end:]


def _shuffled(random: Random, source: str, _sources: Sequence[str]) -> str:
    lines = source.splitlines(keepends=True)
    random.shuffle(lines)
    return "".join(lines)


def _nested(random: Random, source: str, _sources: Sequence[str]) -> str:
    prefix = "".join(
        random.choice(("> ", "- ", "1. ", "    ", "   ", "\t", "# ", "| ")) for _ in range(random.choice((1, 2, 12)))
    )
    return "".join(prefix + line for line in source.splitlines(keepends=True))


def _replaced(random: Random, source: str, _sources: Sequence[str]) -> str:
    """Replace a character everywhere."""
    return source.replace(random.choice(source), random.choice(random.choice(MARKS))) if source else source


_SPOILERS: tuple[Callable[[Random, str, Sequence[str]], str], ...] = (
    *(_spliced, _spliced, _marked, _marked, _marked, _marked, _of_marks, _shortened, _shortened, _repeated),
    *(_shuffled, _nested, _replaced),
)
