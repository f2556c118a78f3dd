"""Hostile inputs: functions from a size in characters to a document.

From the lists of cmark and commonmark.js, plus a flood of each special character, token and construct.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple


class HostileCase(NamedTuple):
    name: str
    generate: Callable[[int], str]


def repeated(unit: str, *, before: str = "", after: str = "") -> Callable[[int], str]:
    return lambda size: before + unit * max(1, (size - len(before) - len(after)) // len(unit)) + after


def halves(first: str, second: str, *, middle: str = "a") -> Callable[[int], str]:
    return lambda size: (
        first * (size // (len(first) + len(second))) + middle + second * (size // (len(first) + len(second)))
    )


def counted(form: str, *, before: str = "", after: str = "") -> Callable[[int], str]:
    def generate(size: int) -> str:
        pieces = [before]
        length = number = 0
        while length < size:
            piece = form.format(number)
            pieces.append(piece)
            length += len(piece)
            number += 1
        return "".join([*pieces, after])

    return generate


NESTED = {
    "quotes": repeated(">", after="a"),
    "quotes with spaces": repeated("> ", after="a"),
    "quotes, a line each deeper": lambda size: "".join(f"{'>' * depth}a\n" for depth in range(int((2 * size) ** 0.5))),
    "bullets on one line": repeated("- ", after="a"),
    "ordered on one line": repeated("1. ", after="a"),
    "stars on one line": repeated("* ", after="a"),
    "bullets, a line each deeper": lambda size: "".join(f"{'  ' * depth}- a\n" for depth in range(int(size**0.5))),
    "quotes and bullets": repeated("> - ", after="a"),
    "bullets and quotes, lazy lines": lambda size: "> - " * 60 + "a\n" + "b\n" * (size // 2),
    "deep bullets, then many lines": lambda size: "- " * 60 + "a\n" + "x\n" * (size // 2),
    "deep bullets, then many empty lines": lambda size: "- " * 60 + "a\n" + "\n" * size,
    "deep quotes, each line": lambda size: (">" * 90 + "a\n") * (size // 92),
    "deep quotes, each empty": lambda size: (">" * 90 + "\n") * (size // 91),
    "emphasis": halves("*a ", "b*"),
    "strong": halves("**a ", "b**"),
    "underscores": halves("_a ", "b_"),
    "strikethrough": halves("~~a ", "b~~"),
    "emphasis of two kinds": halves("*a _b ", "c_ d*"),
    "emphasis without a pause": halves("*", "*"),
    "links": halves("[", "](a)"),
    "images": halves("![", "](a)"),
    "brackets": halves("[", "]"),
    "image brackets": halves("![", "]"),
    "parentheses in a destination": lambda size: "[a](" + "(" * (size // 2) + ")" * (size // 2) + ")",
    "reference brackets": halves("[", "][]"),
    "html elements": halves("<b>", "</b>"),
    "html blocks": halves("<div>\n", "</div>\n"),
    "html lists": halves("<ul><li>", "</li></ul>"),
    "html tables": halves("<table><tr><td>", "</td></tr></table>"),
    "html quotes in blocks": halves("<blockquote>\n\n", "\n\n</blockquote>\n\n"),
    "footnotes in footnotes": counted("[^{0}]: a [^{0}1]\n\n    b\n\n"),
    "math in text": halves("$a ", "b$"),
    "callouts": repeated("> [!NOTE]\n"),
    "callouts in callouts": lambda size: "".join(
        f"{'> ' * depth}[!NOTE]\n{'> ' * depth}\n" for depth in range(1, int(size**0.5) // 2)
    ),
    "tasks in tasks": repeated("- [ ] ", after="a"),
}

FLOODS = {
    f"flood of {name}": repeated(unit)
    for name, unit in {
        "backticks": "`",
        "spaced backticks": "` ",
        "stars": "*",
        "spaced stars": "* ",
        "words with stars": "a*",
        "opening stars": "*a ",
        "closing stars": "a* ",
        "double stars": "**a ",
        "triple stars": "***a ",
        "alternating marks": "*a_ ",
        "stars of many lengths": "*a **b ***c ",
        "underscores": "_",
        "spaced underscores": "_ ",
        "words with underscores": "a_b",
        "tildes": "~",
        "spaced tildes": "~ ",
        "opening tildes": "~a ",
        "opening double tildes": "~~a ",
        "opening brackets": "[",
        "closing brackets": "]",
        "closing brackets behind words": "a]",
        "opening brackets before words": "[a",
        "bracket pairs": "[]",
        "bracket pairs with words": "[a]",
        "double pairs": "[a][b]",
        "pairs before colons": "[a]: ",
        "bangs": "!",
        "image openings": "![",
        "image openings with words": "![a",
        "links": "[a](b) ",
        "unclosed links": "[a](b ",
        "unclosed links in angles": "[a](<b",
        "unclosed links without text": "[](",
        "links whose title never ends": '[a](b "',
        "links whose title never ends, single": "[a](b '",
        "links whose title never ends, parentheses": "[a](b (",
        "links of parentheses": "[a](((",
        "links with escapes": r"[a](\(",
        "images": "![a](b) ",
        "angle brackets": "<",
        "closing angle brackets": ">",
        "angle pairs": "<>",
        "tag openings": "<a ",
        "closing tag openings": "</a ",
        "tags with attributes that never end": "<a b='",
        "tags with double quotes that never end": '<a b="',
        "tags with attributes": "<a b=c d=e ",
        "open elements": "<b>",
        "open elements of many kinds": "<b><i><sub><kbd>",
        "closing elements": "</b>",
        "wrong nesting": "<b></i>",
        "open blocks": "<div>\n",
        "open details": "<details><summary>a",
        "comments": "<!-- a -->",
        "comments that never end": "<!--",
        "comments that never end, with text": "<!-- a\n",
        "instructions that never end": "<?",
        "declarations that never end": "<!A",
        "cdata that never ends": "<![CDATA[",
        "autolinks": "<http://a.b>",
        "autolinks that never end": "<http://a.b",
        "mail autolinks that never end": "<a@b.c",
        "mail autolinks with long hosts": "<a@" + "b" * 63 + ".",
        "addresses": "http://a.b ",
        "addresses without a pause": "http://a.b",
        "hosts": "www.a.b ",
        "hosts without a pause": "www.",
        "schemes": "://",
        "letters and colons": "http:",
        "closing parentheses behind addresses": "http://a.b)",
        "mail addresses": "a@b.c ",
        "at signs": "@",
        "mail users": "a.b@",
        "mail users without a pause": "a@b",
        "ampersands": "&",
        "entities": "&amp;",
        "entities that never end": "&a",
        "unknown entities": "&nosuch;",
        "numeric entities": "&#35;",
        "entities behind addresses": "&amp;",
        "backslashes": "\\",
        "escapes": "\\*",
        "backslashes at line ends": "a\\\n",
        "dollars": "$",
        "double dollars": "$$",
        "spaced dollars": "$ ",
        "opening dollars": "$a ",
        "dollars before digits": "$a$1 ",
        "dollar backticks": "$`",
        "display math that never ends": "$$a\n",
        "display math": "$$\na\n$$\n",
        "newlines": "\n",
        "lines": "a\n",
        "hard breaks": "a  \n",
        "spaces": " ",
        "tabs": "\t",
        "tabs and marks": "\t- ",
        "form feeds": "\f",
        "line separators": "\u2028",
        "headings": "# a\n",
        "headings of marks": "# #\n",
        "hashes": "#",
        "spaced hashes": "# ",
        "setext headings": "a\n=\n",
        "underlines": "=\n",
        "thematic breaks": "***\n",
        "spaced dashes": "- - ",
        "bullets": "- a\n",
        "bullets of changing kinds": "- a\n* b\n",
        "empty bullets": "-\n",
        "loose bullets": "- a\n\n",
        "ordered items": "1. a\n",
        "large numbers": "123456789. a\n",
        "tasks": "- [ ] a\n",
        "indented code": "    a\n\n",
        "fences": "```\na\n```\n",
        "fences that never end": "````\n```\n",
        "tilde fences": "~~~ `\n",
        "fences with options": "```a b=c d=e\n```\n",
        "quotes": "> a\n",
        "quotes with empty lines": "> a\n\n",
        "table rows": "| a | b |\n",
        "delimiter rows": "|-|\n",
        "headers and delimiters": "|a|\n|-|\n",
        "bars": "|",
        "escaped bars": "\\|",
        "definitions": "[a]: b\n",
        "definitions with titles that never end": "[a]: b 'c\n",
        "definitions that never end": "[a]:\n",
        "footnotes": "[^a]: b\n",
        "footnote calls": "[^a] ",
        "html blocks": "<p>\n\n",
        "images in html": "<img src=a>",
        "unknown elements": "<x-y>",
        "scripts": "<script>a</script>",
        "scripts that never end": "<script>",
        "nulls": "\0",
        "surrogates": "\ud800",
        "byte-order marks": "\ufeff",
        "combining marks": "a\u0301",
        "right-to-left overrides": "\u202e",
        "zero-width joiners": "\U0001f469\u200d",
        "ideographs": "漢",
        "punctuation beyond ascii": "«*»",
    }.items()
}

SHAPED = {
    "one long word": repeated("a"),
    "backticks of every length": lambda size: " ".join("`" * length for length in range(1, int((2 * size) ** 0.5))),
    "opening backticks, then one long run": lambda size: "` " * (size // 4) + "`" * (size // 2),
    "escaped backticks": repeated("\\`"),
    "stars and letters, as commonmark.js has them": repeated("*a_ "),
    "closing marks without opening ones": repeated("a_ "),
    "opening marks, then closing brackets": lambda size: "*a " * (size // 6) + "]" * (size // 2),
    "opening brackets, then marks": lambda size: "[" * (size // 2) + "*a " * (size // 6),
    "opening brackets, then many links": lambda size: "[" * (size // 2) + "[a](b) " * (size // 14),
    "image openings, then many links": lambda size: "![" * (size // 4) + "[a](b) " * (size // 14),
    "a label of a hundred thousand": lambda size: f"[{'a' * size}]",
    "labels just too long": repeated(f"[{'a' * 1_000}]"),
    "labels just short enough": repeated(f"[{'a' * 999}]"),
    "one definition, many references": repeated("[a] ", after="\n\n[a]: b"),
    "a long definition, many references": lambda size: "[a] " * (size // 8) + "\n\n[a]: /" + "b" * (size // 2),
    "a long title, many references": lambda size: "[a] " * (size // 8) + '\n\n[a]: / "' + "b" * (size // 2) + '"',
    "a picture defined once, shown often": lambda size: (
        "![a] " * (size // 10) + "\n\n[a]: data:image/gif;base64,R0lGODlh" + "AAAA" * (size // 8)
    ),
    "many definitions": counted("[{0}]: a\n"),
    "many definitions, many references": lambda size: (
        counted("[{0}]: a\n")(size // 2) + "\n" + counted("[{0}] ")(size // 2)
    ),
    "a definition with a long address, used often": lambda size: repeated("[a]")(size // 2) + f"\n\n[a]: {'b' * 1_000}",
    "many footnotes, each called": lambda size: (
        counted("[^{0}] ")(size // 2) + "\n\n" + counted("[^{0}]: a\n\n")(size // 2)
    ),
    "one footnote, called often": repeated("[^a] ", after="\n\n[^a]: b"),
    "wide table, short rows": lambda size: (
        "|" + "a|" * (size // 8) + "\n|" + "-|" * (size // 8) + "\n" + "|\n" * (size // 4)
    ),
    "narrow table, long rows": lambda size: "|a|\n|-|\n" + ("|" + "b|" * 50 + "\n") * (size // 102),
    "table of one long row": lambda size: (
        "|" + "a|" * (size // 6) + "\n|" + "-|" * (size // 6) + "\n|" + "b|" * (size // 6)
    ),
    "table header that is no table": lambda size: "a|" * (size // 2) + "\n|-|",
    "paragraph of rows without a delimiter": repeated("a | b\n"),
    "delimiter row of colons": lambda size: "a\n" + ":" * size,
    "delimiter row with spaces": lambda size: "a\n|" + " " * size + "-",
    "heading with spaces before its end": lambda size: "# a" + " " * size + "b",
    "heading with hashes inside": lambda size: "# " + "# " * (size // 2) + "a",
    "setext underline with spaces": lambda size: "a\n=" + " " * size + "b",
    "thematic break that is none": lambda size: "* " * (size // 2) + "a",
    "fence with a long info string": lambda size: "```" + "a" * size + "\nb\n```",
    "fence with many options": lambda size: "```a " + "b=c " * (size // 4) + "\n```",
    "fence with quotes that never end": lambda size: "```a " + 'b="' * (size // 3) + "\n```",
    "unclosed fence": lambda size: "```\n" + "a\n" * (size // 2),
    "tag with a hundred thousand attributes": lambda size: "<a" + " b" * (size // 2) + ">",
    "tag with attributes and no end": lambda size: "<a" + " b" * (size // 2),
    "tag with a long name": lambda size: f"<{'a' * size}>",
    "tag with spaces and no end": lambda size: "<a" + " " * size,
    "tag with newlines and no end": lambda size: "x <a" + "\n" * 1 + " b\n" * (size // 3),
    "attribute with a long value": lambda size: f"<img alt='{'a' * size}'>",
    "comment with many dashes": lambda size: "<!--" + "-" * size,
    "address with many dots": lambda size: "http://a" + ".a" * (size // 2),
    "address with many underscores": lambda size: "http://" + "_" * size + ".a",
    "address with much punctuation behind it": lambda size: "http://a.b" + "." * size,
    "address with many parentheses": lambda size: "http://a.b" + "(" * (size // 2) + ")" * (size // 2),
    "address with many semicolons": lambda size: "http://a.b" + "&a;" * (size // 3),
    "mail user of a hundred thousand": lambda size: "a" * size + "@b.c",
    "mail host of a hundred thousand": lambda size: "a@" + "b." * (size // 2),
    "mail signs in one word": lambda size: "a@b.c" * (size // 5),
    "link with a long address": lambda size: f"[a]({'b' * size})",
    "link with a long title": lambda size: f'[a](b "{"c" * size}")',
    "link whose title holds escapes": lambda size: '[a](b "' + '\\"' * (size // 2) + '")',
    "link with spaces and no end": lambda size: "[a](" + " " * size,
    "line breaks in a link": lambda size: "[" + "a\n" * (size // 2) + "](b)",
    "emphasis over many lines": lambda size: "*" + "a\n" * (size // 2) + "*",
    "code over many lines": lambda size: "`" + "a\n" * (size // 2) + "`",
    "display math over many lines": lambda size: "$$\n" + "a\n" * (size // 2) + "$$",
    "tabs in front of a word": lambda size: "\t" * size + "a",
    "tabs in an item": lambda size: "-" + "\t" * size + "a",
    "spaces in front of each line": lambda size: ("   a\n") * (size // 5),
    "mixed line ends": repeated("a\r\nb\rc\n"),
    "headings of one text": repeated("# a\n\n"),
    "headings with numbers as github adds them": counted("# a\n\n# a-{0}\n\n"),
    "items that begin deeper each": lambda size: "".join(f"{' ' * (number % 90)}- a\n" for number in range(size // 50)),
    "everything": repeated(
        "# a *b* [c](d) `e` <f> &amp; g@h.i http://j.k $l$ ~~m~~ [^n]\n\n- o\n\n> p\n\n|q|\n|-|\n\n"
    ),
}


def hostile_cases() -> Iterator[HostileCase]:
    for group in (NESTED, FLOODS, SHAPED):
        for name, generate in group.items():
            yield HostileCase(name, generate)
