"""Random documents of Markdown's markers, reproducible from a seed."""

from collections.abc import Callable, Iterator
from random import Random

DEFAULT_NUMBER = 2_000
"""Takes ten seconds."""

_INDENTATION: tuple[str, ...] = (
    *("", "", "", "", " ", "  ", "   ", "    ", "     ", "\t", " \t", "  \t", "\t\t", "      "),
)
_CONTAINERS: tuple[str, ...] = (
    *("> ", "> ", "> ", ">", ">\t", ">  ", ">     ", "- ", "- ", "- ", "-", "-\t", "-   ", "-     ", "* ", "+ "),
    *("+\t", "1. ", "1. ", "1)", "2) ", "3. ", "10. ", "1.\t", "007. ", "1.     ", "1234567890. ", "0. "),
)
_LINES: tuple[str, ...] = (
    *("", "", "", "", " ", "\t", "    ", "a", "a", "a", "b c", "a  ", "a\\", "d\te", "`a", "b`", "*b*", "**c"),
    *("\\> a", "# h", "#", "## h ##", "# h \\#", "####### h", "#h", "#\th", "---", "--- -", "***", "_ _ _", "==="),
    *("=", "-", "--", "- - -", "* * *", "+", "*", "1.", "2)", "```", "```", "~~~", "~~~", "````", "``` x y", "```a`"),
    *("~~~ ~", "~~~~\t", "<div>", "</div>", "<div", "<a>", "</a>", "<a href='b'>", "<x y=z/>", "<p>c</p>", "<pre>"),
    *("</pre>", "<textarea>", "<!--", "-->", "<!-- c -->", "<?x", "?>", "<!X", ">", "<![CDATA[", "]]>", "<style>"),
    *("</style>", "<script>c", "[a]: /u", "[a]:", "/u", "[a]: <b> 't'", "'t'", "'t", "[a]: /u 't' x", "[a]: <"),
    *('[a\\]]: /u "', '"', "[a]", "[a", "]: /v", "[b]: /w (t)", "![a]", "[a][b]", "[A]", "(t)", "[a]: /u\\"),
    *("\\[a]: /u", "    c", "\td", "\\", "&amp;"),
)
_GFM_LINES: tuple[str, ...] = (
    *("| a | b |", "|---|:-:|", "a | b", "--- | ---", "-|-", "|-|", "| - |", ":-:", ":-", "| a |", "|a|b|c|", "| c"),
    *("|", "c | `d|` | \\|", "\\| a | b", "[ ] t", "[x] t", "[X]", "[ ]  t", "[^1]: n", "[^1]", "[^1]:", "[^n]: m"),
    *("[^n]", "~a~", "www.a.bc", "http://a.bc/d", "e@f.gh", "~~a~~", "|---|---|", "|---|", "||", "| | |", "<title>"),
    "<xmp>",
)
_SIGNS: tuple[str, ...] = (
    *("*", "*", "*", "**", "**", "***", "_", "_", "__", "___", "`", "`", "``", "```", "[", "[", "[", "]", "]", "]("),
    *("(", ")", "](/u)", "](/u)", '](/u "t")', "](<v w>)", "]( /u\n't' )", "]()", "](u(v)w)", "![", "![", "[a]"),
    *("[a]", "[b]", "[]", "[A]", "<", ">", "<a>", "</a>", '<a href="x">', "<b c=d/>", "<b\n'", '"', "'"),
    *("<http://a.b>", "<x@y.z>", "<m:a b>", "<m+1:>", "&amp;", "&", "&#35;", "&#0;", "&copy;", "&x;", "&#X22;"),
    *("&#1234567;", "\\", "\\\\", "\\*", "\\`", "\\[", "\\]", "\\<", "\\a", "\\\n", "  \n", " \n", "\n", "\n", " "),
    *(" ", " ", "  ", "\t", "a", "a", "a", "b", "c", "d", "1", "é", ".", "!", "-", ",", ":", ";", "=", "{", "<!--"),
    *("-->", "<!-- c -->", "<!-->", "<?p?>", "<!D e>", "<![CDATA[c]]>", "<?", "\u00a0", "“", "€", "漢", "，", "😀"),
    "ß",
    *("%20", "#", "/", "?", "\u3000", "ẞ"),
)
_GFM_SIGNS: tuple[str, ...] = (
    *("~", "~", "~~", "~~", "~~~", "|", "http://a.bc", "https://a.b/c_(d)", "www.a.bc", "www.", "a@b.cd"),
    *("ftp://e.fg", "mailto:a@b.cd", "[^1]", "[^1]", "[^", "&copy;)", "a_b.c", "@", "xmpp:a@b.cd", "<title>"),
    *("<XMP>", "://"),
)


def block_documents(number: int, seed: str) -> list[str]:
    """Every second one has GitHub's extensions."""
    return list(_documents(number, f"blocks {seed}", _block_document))


def inline_documents(number: int, seed: str) -> list[str]:
    """Each is a paragraph; every second one has GitHub's extensions."""
    return list(_documents(number, f"inlines {seed}", _inline_document))


def _documents(number: int, seed: str, make: Callable[[Random, int], str]) -> Iterator[str]:
    random = Random(seed)
    for index in range(number):
        yield make(random, index)


def _block_document(random: Random, index: int) -> str:
    lines = _LINES + _GFM_LINES * 2 if index % 2 else _LINES
    # Few distinct lines, so that fences close and tables get a delimiter row.
    lines = tuple(random.choices(lines, k=random.choice((4, 8, 20, 200))))
    return "".join(_line(random, lines) for _ in range(random.randint(1, 10)))


def _line(random: Random, lines: tuple[str, ...]) -> str:
    pieces = [random.choice(_INDENTATION)]
    for _ in range(random.choice((0, 0, 0, 1, 1, 2, 3))):
        pieces += (random.choice(_CONTAINERS), random.choice(_INDENTATION[:8]))
    return "".join([*pieces, random.choice(lines), "\n"])


def _inline_document(random: Random, index: int) -> str:
    signs = _SIGNS + _GFM_SIGNS * 3 if index % 2 else _SIGNS
    signs = tuple(random.choices(signs, k=random.choice((4, 8, 20, 200))))
    inlines = "".join(random.choices(signs, k=random.randint(2, 24)))
    definitions = "\n\n[a]: /a\n[b]: /b 't'\n"
    return inlines + definitions + ("\n[^1]: n\n" if index % 2 else "")
