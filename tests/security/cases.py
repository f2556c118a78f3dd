"""Hostile inputs: functions from a size in characters to a document.

From the lists of cmark and commonmark.js, plus a flood of each special character, token and construct.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from mdpublish_core import ALL_EXTENSIONS, DEFAULT_EXTENSIONS, select_extensions
from mdpublish_core.options.extensions import Extension


class HostileCase(NamedTuple):
    name: str
    generate: Callable[[int], str]
    extensions: frozenset[Extension] = DEFAULT_EXTENSIONS


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
    "highlights": halves("==a ", "b=="),
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
    "unclosed html tables in quotes": lambda size: "> " * 20 + "$\\a$ <tr><table>" * (size // 16),
    "html quotes in blocks": halves("<blockquote>\n\n", "\n\n</blockquote>\n\n"),
    "footnotes in footnotes": counted("[^{0}]: a [^{0}1]\n\n    b\n\n"),
    "math in text": halves("$a ", "b$"),
    "math in math": halves("\\(a ", "b\\)"),
    "display math in display math": halves("\\[\na_1\n", "\\]\n"),
    "environments in environments": halves("\\begin{align}\n", "\\end{align}\n"),
    "environments in environments on one line": halves("\\begin{cases}", "\\end{cases}"),
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
        "equals signs": "=",
        "spaced double equals signs": "== ",
        "operators": "a==b ",
        "opening highlights": "==a ",
        "closing highlights": "a== ",
        "highlights": "==a==",
        "ideographs with double equals signs": "漢==",
        "named operators": '"==" ',
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
        "escaped opening parentheses": "\\(",
        "escaped closing parentheses": "\\)",
        "escaped parentheses": "\\(\\)",
        "formulas of one letter": "\\(a\\) ",
        "formulas in parentheses": "\\(a_1 = \\pi\\) ",
        "escaped brackets": "\\[a\\]\\(b\\) ",
        "opening brackets of display math": "\\[\n",
        "display math in brackets that never ends": "\\[\na_1\n",
        "display math in brackets": "\\[ a_1 \\]\n",
        "display math in brackets, in quotes": "> \\[\n> a_1\n> \\]\n",
        "display math in brackets, in items": "- \\[\n  a_1\n",
        "display math in brackets, indented": "a\n     \\[\n",
        "environments that never end": "\\begin{align}\n",
        "environments that never end, on one line": "\\begin{align}",
        "environments of two kinds that never end": "\\begin{align}\n\\begin{cases}\n\\[\n",
        "environments": "\\begin{align}\na\n\\end{align}\n",
        "environments with the wrong end": "\\begin{align}\n\\end{cases}\n",
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
        "unknown elements with attributes": "<x y='z' w> ",
        "unknown elements that never end": "<x-",
        "unknown elements with an address": "<x y='a@b.c'>",
        "unknown elements at line starts": "<x>\n",
        "tags in tags": "<a<",
        "type arguments": "Vec<a>",
        "types in types": "Vec<Map<a",
        "capitalized type arguments": "Vec<Title> ",
        "mentions": "<!a> ",
        "instructions": "<?a?>",
        "comments that never end, in blocks": "<!--\n\n",
        "comments that never end, in quotes": "> <!--\n\n",
        "instructions that never end, in blocks": "<?php\n\n",
        "document types that never end": "<!doctype\n",
        "scripts that never end, in blocks": "<script>\n\n",
        "scripts that never end, in a line": "a <script> ",
        "scripts that never end, in elements": "<div>\n<script>\n\n",
        "titles that never end": "<title>\n\n",
        "titles that never end, in a line": "a<title>",
        "distinct raw text that never ends": "<title><textarea><xmp>\n",
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
    "unsafe links on one line": repeated("[](x:y) "),
    "unsafe links in a cell": lambda size: "|" + "[](x:y) \\|" * (size // 10) + "|\n|-|\n",
    "unsafe links in html blocks": repeated('<p>\n<a href="x:y">\n\n'),
    "refused formulas on one line": repeated("$\\x$ "),
    "refused formulas, a line each": repeated("$\\x$\n"),
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
    "display math in brackets over many lines": lambda size: "\\[\n\\pi\n" + "a\n" * (size // 2) + "\\]",
    "deep quotes with display math that never ends": lambda size: (">" * 60 + "\\begin{align}\n") * (size // 74),
    "an environment over many lines": lambda size: "\\begin{align}\n" + "a\n" * (size // 2) + "\\end{align}",
    "many environments in one that never ends": repeated(
        "\\begin{cases}\na\n\\end{cases}\n", before="\\begin{align}\n"
    ),
    "formula of many words": lambda size: "\\(" + "a " * (size // 2) + "\\)",
    "formula of many words after a command": lambda size: "\\(\\pi " + "abc " * (size // 4) + "\\)",
    "formula of groups": lambda size: "\\(a" + "_{b}" * (size // 4) + "\\)",
    "formula of groups that never end": lambda size: "\\(\\pi" + "\\text{a" * (size // 7) + "\\)",
    "formula of options that never end": lambda size: "\\(\\pi" + "\\a[" * (size // 3) + "\\)",
    "formula of backslashes": lambda size: "\\(" + "\\\\" * (size // 2) + "\\)",
    "formula of closing parentheses": lambda size: "\\(a" + ")" * size + "\\)",
    "formula of letters and parentheses": lambda size: "\\(" + "a) " * (size // 3) + "\\)",
    "formula of digits": lambda size: "\\(-" + "1" * size + "\\)",
    "formula of plus signs": lambda size: "\\(" + "a+" * (size // 2) + "\\)",
    "formula of bars": lambda size: "\\(P(a" + "|" * size + "b)\\)",
    "formula of conditions": lambda size: "\\(" + "(a|" * (size // 3) + "\\)",
    "formula of spaces": lambda size: "\\(\\pi a" + " " * size + "b\\)",
    "formula of a path": lambda size: "\\(c:" + "\\to" * (size // 3) + "{\\)",
    "tabs in front of a word": lambda size: "\t" * size + "a",
    "tabs in an item": lambda size: "-" + "\t" * size + "a",
    "spaces in front of each line": lambda size: ("   a\n") * (size // 5),
    "mixed line ends": repeated("a\r\nb\rc\n"),
    "headings of one text": repeated("# a\n\n"),
    "headings with numbers as github adds them": counted("# a\n\n# a-{0}\n\n"),
    "items that begin deeper each": lambda size: "".join(f"{' ' * (number % 90)}- a\n" for number in range(size // 50)),
    "scripts whose end is far": repeated("a <script> ", after="</script>"),
    "titles whose end is far": repeated("<title>\n\n", after="</title>"),
    "titles whose end is far, in a quote": repeated("> <title>\n>\n", after="> </title>"),
    "comments whose end is far, in elements": repeated("<div>\n<!--\n\n", after="-->"),
    "comments that do not end in their item": repeated("- <!--\n", after="\n-->"),
    "titles in deeper and deeper quotes, whose end is far": lambda size: "\n".join(
        [
            *(f"{'> ' * depth}<title>" for depth in range(1, 90)),
            *["> " * 90 + "a"] * (size // 182),
            "> " * 90 + "</title>",
        ]
    ),
    "comments in deeper and deeper quotes, that do not end there": lambda size: "\n".join(
        [*(f"{'> ' * depth}<!--" for depth in range(1, 90)), *["> " * 90 + "a"] * (size // 182), "", "-->"]
    ),
    "a tag of one unknown name, over many lines": lambda size: "<x" + "\na" * (size // 2) + ">",
    "everything": repeated(
        "# a *b* [c](d) `e` <f> &amp; g@h.i http://j.k $l$ ~~m~~ [^n]\n\n- o\n\n> p\n\n|q|\n|-|\n\n"
    ),
}


CALLOUTS = {
    "callouts with titles": repeated("> [!info]- *a* [b](c)\n\n"),
    "titles in titles": repeated("[!note] ", before="> "),
    "marks of callouts": repeated("> [!"),
    "marks of callouts, a quote each": repeated("> [!\n\n"),
    "a callout with a long title": lambda size: "> [!note] " + "*a " * (size // 3),
    "a callout with a long kind": lambda size: f"> [!{'a' * size}] b",
    "a callout with spaces before its title": lambda size: "> [!note]" + " " * size + "a",
    "callouts with titles in callouts": lambda size: "".join(
        f"{'> ' * depth}[!info] a\n{'> ' * depth}\n" for depth in range(1, int(size**0.5) // 2)
    ),
}

WIKILINKS = {
    "openings of wiki links": repeated("[["),
    "openings of wiki links with words": repeated("[[a"),
    "openings of embeds": repeated("![["),
    "wiki links": repeated("[[a]]"),
    "wiki links with labels": repeated("[[a|b]] "),
    "wiki links with bars": repeated("[[a|"),
    "wiki links of headings": repeated("[[#a#b#c]]"),
    "a wiki link of many headings": lambda size: f"[[{'#a' * (size // 2)}]]",
    "wiki links of many headings": repeated(f"[[{'#a' * 400}]]"),
    "embedded images": repeated("![[a.png|1]]"),
    "embeds with bars": repeated(f"![[a.png{'|1' * 400}]]"),
    "wiki links with escaped bars": repeated("[[a\\|"),
    "wiki links before parentheses": repeated("[[a]]("),
    "wiki links of percent signs": repeated(f"[[{'%' * 900}]]"),
    "a wiki link with a long name": lambda size: f"[[{'a' * size}]]",
    "wiki links with names just too long": repeated(f"[[{'a' * 1_000}]]"),
    "brackets around wiki links": halves("[", "]", middle="[[a]]"),
    "opening brackets, then many wiki links": lambda size: "[" * (size // 2) + "a [[b]] " * (size // 16),
}

ADMONITIONS = {
    "fences of colons in fences": repeated(":::a\n"),
    "fences of colons, each longer": lambda size: "".join(
        f"{':' * length}a\n" for length in range(int((2 * size) ** 0.5), 3, -1)
    ),
    "fences of colons and their ends": repeated(":::a\n:::\n"),
    "ends of fences of colons": repeated(":::\n", before=":::a\n"),
    "ends that close no fence": repeated(":::\n", before="::::a\n" * 90),
    "deep fences of colons, then many lines": lambda size: ":::a\n" * 90 + "b\n" * (size // 2),
    "deep fences of colons, then many empty lines": lambda size: ":::a\n" * 90 + "\n" * size,
    "deep fences of colons, then paragraphs": lambda size: ":::a\n" * 90 + "b\n\n" * (size // 3),
    "deep fences of colons, then code": lambda size: ":::a\n" * 90 + "```\n" + "b\n" * (size // 2),
    "deep fences of colons, opened and closed": lambda size: ":::a\n" * 90 + ":::a\n:::\n" * (size // 9),
    "fences of colons in quotes": repeated("> :::a\n"),
    "fences of colons in items": repeated("- :::a\n"),
    "colons": repeated(":"),
    "spaced colons": repeated("::: "),
    "fences of colons with titles": repeated(":::note *a* [b](c)\n:::\n"),
    "fences of colons with attributes": repeated(":::{.a title='b'}\n:::\n"),
    "a fence of colons with many attributes": lambda size: ":::{" + ".a title=" * (size // 10) + "}",
    "a fence of colons with titles that never end": lambda size: ":::{.a " + "title='\" " * (size // 9),
    "a fence of colons with many brackets": lambda size: ":::a" + "[" * (size // 2) + "]" * (size // 2),
    "a fence of colons with a long title": lambda size: ":::a " + "*b " * (size // 3),
    "indented admonitions": repeated("!!! a\n"),
    "indented admonitions with bodies": repeated("!!! a\n    b\n"),
    "indented admonitions in themselves": lambda size: "".join(
        f"{'    ' * depth}!!! a\n" for depth in range(int((size / 2) ** 0.5))
    ),
    "indented admonitions with many classes": lambda size: "!!! note " + "a " * (size // 2),
    "indented admonitions with many quotes": lambda size: "!!! note " + '"' * size + "a",
    "indented admonitions with spaces": lambda size: "!!! note" + " " * size + "a",
    "folded admonitions": repeated("???+ a\n    b\n"),
    "exclamation marks at line starts": repeated("!\n"),
    "question marks at line starts": repeated("?\n"),
    "details of colons": repeated(":::details a\n"),
    "details of colons with html": repeated(":::details <b>a\n<i>b\n"),
}

LONGEST_CHEMISTRY = 9_900
"""Characters, of the 10,000 that a formula may have."""


def chemistry(unit: str, *, command: str = "ce", after: str = "") -> Callable[[int], str]:
    """As many formulas as fit, each a flood of the unit."""

    def generate(size: int) -> str:
        length = min(size, LONGEST_CHEMISTRY)
        flood = unit * max(1, length // (len(unit) + len(after)))
        formula = f"$\\{command}{{{flood}{after * (len(flood) // len(unit))}}}$\n\n"
        return formula * max(1, size // len(formula))

    return generate


def below_front_matter(unit: str, *, before: str = "") -> Callable[[int], str]:
    """Half front matter, up to its limit, and half text."""

    def generate(size: int) -> str:
        block = repeated(unit, before=f"---\n{before}", after="\n---\n")(min(size // 2, 16_000))
        return block + "a\n" * (size // 4)

    return generate


CHEMISTRY = {
    f"chemistry of {name}": chemistry(unit)
    for name, unit in {
        "atoms": "H2",
        "entities": "(NH4)2",
        "charges": "Hg^2+",
        "arrows": "->",
        "arrows whose labels never end": "->[",
        "arrows with labels": "<=>[a][b]",
        "states of aggregation that go on": "(aq,",
        "states of aggregation": "_{(aq)}",
        "scripts without an entity": "{}_{a}",
        "scripts before nothing": "^1_2",
        "raised marks": "^",
        "lowered marks": "_",
        "dollars": "$",
        "math": "$x$",
        "hyphens": "n-",
        "bonds": "A=",
        "bonds by name": "\\bond{~=}",
        "fractions": "1/2",
        "orbitals": "1s",
        "opening parentheses": "(",
        "opening brackets": "[",
        "commands": "\\alpha ",
        "commas": "A, ",
        "sites": "i,",
        "text": "{a}",
        "columns": "&",
        "colors": "\\color{red}{a}",
        "ideographs": "漢",
    }.items()
} | {
    "chemistry in chemistry": chemistry("\\ce{", after="}"),
    "chemistry in math in chemistry": chemistry("$\\ce{", after="}$"),
    "chemistry in labels": chemistry("->[\\ce{", after="}]"),
    "quantities": chemistry("1 kJ", command="pu"),
    "quantities of dots": chemistry(".", command="pu"),
    "quantities of exponents": chemistry("m2", command="pu"),
    "quantities of fractions": chemistry("m/", command="pu"),
    "quantities in quantities": chemistry("{", command="pu", after="}"),
    "a digit of a quantity": chemistry("1", command="pu"),
}

OPTIONAL = {
    **{
        f"flood of {name}, with all extensions": repeated(unit)
        for name, unit in {
            "tildes before letters": "~a",
            "carets before letters": "^a",
            "carets before words": "^a ",
            "carets behind words": "a^ ",
            "carets": "^",
            "spaced carets": "^ ",
            "carets and tildes": "^a~b",
            "superscripts": "a^b^",
            "superscripts and strikethrough": "^~~a",
            "tildes of many lengths": "~a~~b~~~c",
            "footnotes beside footnotes": "[^a]",
            "colons": ":",
            "colons before letters": ":a",
            "emoji": ":tada:",
            "unknown names": ":nosuch:",
            "names just too long": f":{'a' * 77}:",
            "addresses with names": "http://a.b:tada:",
            "lines": "a\n",
        }.items()
    },
    "one name of a hundred thousand, with all extensions": lambda size: f":{'a' * size}:",
    "one superscript of a hundred thousand, with all extensions": lambda size: f"^{'a' * size}^",
    "scripts in scripts, with all extensions": halves("^a~b", "b~a^"),
    "opening carets, then closing ones, with all extensions": halves("^a ", " a^"),
    "scripts with marks, with all extensions": halves("^*_~", "a^*_~"),
}
"""Syntax that is off by default."""

FRONT_MATTER = {
    f"front matter: {name}": below_front_matter(unit, before=before)
    for name, (before, unit) in {
        "keys": ("", "a: b\n"),
        "blank lines": ("a: b\n", "\n"),
        "comments": ("a: b\n", "#\n"),
        "items": ("a:\n", "- b\n"),
        "items in items": ("a: ", "- "),
        "explicit keys": ("a: ", "? "),
        "brackets": ("a: ", "["),
        "braces": ("a: ", "{a: "),
        "anchors": ("a: ", "&a "),
        "aliases": ("a:\n", "- *a\n"),
        "tags": ("a: ", "!a "),
        "quotes": ("a: ", "'"),
        "escapes": ('a: "', "\\u0041"),
        "folded lines": ("a: >\n", " b\n\n"),
        "lines that are not YAML": ("", "a: b: c\n"),
        "spaces behind a key": ("a", " "),
        "words of a key": ("", "a "),
        "colons": ("a: ", ": "),
    }.items()
}


# Marks that are looked for in all documents: spaces behind some took cubic time.
UNREAD: dict[str, Callable[[int], str]] = {
    "spaces behind an admonition": lambda size: "!!! note" + " " * size + "!",
    "spaces behind a folded admonition": lambda size: "???+ a" + " " * size + "!",
    "spaced words behind an admonition": lambda size: "!!! note" + " a" * (size // 2) + "!",
    "spaced quotes behind an admonition": lambda size: '!!! note "' + '" ' * (size // 2) + "!",
    "spaces in a shortcode": lambda size: "{{<" + " " * size + "!",
    "a long id of a heading": lambda size: "# a {#" + "a" * size + "!",
}


def hostile_cases() -> Iterator[HostileCase]:
    for group in (NESTED, FLOODS, SHAPED, CALLOUTS, CHEMISTRY, FRONT_MATTER, UNREAD):
        for name, generate in group.items():
            yield HostileCase(name, generate)
    for extension, group in (("wikilinks", WIKILINKS), ("admonitions", ADMONITIONS)):
        for name, generate in group.items():
            yield HostileCase(name, generate, select_extensions([extension]))
    for dialect, group in (("mkdocs", ADMONITIONS), ("obsidian", CALLOUTS)):
        for name, generate in group.items():
            yield HostileCase(f"{name} of {dialect}", generate, select_extensions([dialect]))
    for name, generate in OPTIONAL.items():
        yield HostileCase(name, generate, ALL_EXTENSIONS)
