"""The words of a Markdown document that its reader should see, without our parser.

Everything is visible but what the table of markup below removes. It is no parser: where a construct could be read in
two ways, its words count as visible, or, if they are visible either way, as whichever is simpler.
"""

import html
import re
import unicodedata
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field

from tests.cases.figure_labels import FIGURE_LANGUAGES, label_lines

_INLINE_TAGS = (
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr q s samp small span strike "
    "strong time tt u var wbr"
)
_BLOCK_TAGS = (
    "address area article aside audio base blink blockquote body br button canvas caption center col colgroup datalist "
    "dd details dialog dir div dl dt embed fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 "
    "head header hgroup hr html iframe input legend li link main map marquee menu meta meter nav noscript object ol "
    "optgroup option output p param picture pre progress rp rt ruby search section select slot source sub summary sup "
    "table tbody td template tfoot th thead title tr track ul video"
)
"""HTML's elements, obsolete ones too. A word ends at a block's tag. Other tags are text."""

_MARKUP = re.compile(
    rf"""
    (?P<escape> \\[!-'*-/:-@\]-`{{-~] )
    | (?P<code> (?<!`)(?P<ticks>`+)(?!`)(?P<coded>(?:(?!\n[ \t>]*\n)[\s\S])+?)(?<!`)(?P=ticks)(?!`) )
    | (?P<hidden> <!--[\s\S]*?--> | (?i:<(?P<raw>script|style)\b[\s\S]*?</(?P=raw)>) )
    | \$\$(?P<display>[^$]+)\$\$ | \\\[(?P<bracketed>[\s\S]+?)\\\] | \\\((?P<parenthesized>[^\n]+?)\\\)
    | (?P<environment>\\begin\{{(?P<name>[a-z]+\*?)\}}[\s\S]+?\\end\{{(?P=name)\}})
    | (?<![\\$\w])\$(?P<inline>(?![\s$])[^$\n]*(?<![\s\\]))\$(?![\w$])
    | <(?P<autolink>(?:https?:|mailto:)[^\s<>]*|[\w.+-]+@[\w.-]+)>
    | (?i:<img\b(?P<image>(?:[^<>"']|"[^"]*"|'[^']*')*)>)
    | (?P<block> (?i:</?(?:{"|".join(_BLOCK_TAGS.split())})(?:\s(?:[^<>"']|"[^"]*"|'[^']*')*)?/?>) )
    | (?i:</?(?:{"|".join(_INLINE_TAGS.split())})(?:\s(?:[^<>"']|"[^"]*"|'[^']*')*)?/?>)
    | (?P<target> (?<=\])\(\s*(?:<[^<>\n]*>|(?:[^\s()<>]|\([^\s()]*\))*)(?:\s+(?:"[^"]*"|'[^']*'))?\s*\) )
    | (?<=\])\[(?P<reference>[^\[\]^\n]*)\]
    | \[\^(?P<footnote>[^\[\]\s]+)\]
    | (?P<entity> &(?:[A-Za-z][A-Za-z0-9]*|\#\d+|\#[xX][0-9A-Fa-f]+); )
    """,
    re.VERBOSE,
)

_FORMULAS = ("display", "bracketed", "parenthesized", "environment", "inline")

_LINE_STARTS = re.compile(
    r"^[ \t>]*(?:\[![\w-]+\][-+]?|(?:[-*+]|\d+[.)])[ \t]+\[[ xX]\](?=\s)|\d{1,9}[.)](?=\s))", re.MULTILINE
)
_FRONT_MATTER = re.compile(
    r"\A\ufeff?---[ \t]*\n(?:[A-Za-z][\w-]*[ \t]*:.*\n(?:[ \t]+.*\n)*)+---[ \t]*(?:\n|\Z)"
    r"|\A\ufeff?\+\+\+[ \t]*\n(?:(?:[A-Za-z][\w-]*[ \t]*=.*|\[[\w.-]+\]|)\n)+\+\+\+[ \t]*(?:\n|\Z)"
)
_DEFINITION = re.compile(r"^ {0,3}\[(?P<label>[^\[\]^\n][^\[\]\n]*)\]:[ \t]*\S+.*$", re.MULTILINE)
_FOOTNOTE = re.compile(r"^[ >]*\[\^(?P<label>[^\[\]\s]+)\]:", re.MULTILINE)
_FENCE = re.compile(r"(?P<before>[ \t>]*(?:(?:[-*+•]|\d+[.)])[ \t]+)*)(?P<marks>`{3,}|~{3,})(?P<info>[^`\n]*)$")
_ALTERNATIVE = re.compile(r"""\balt=(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")

# Each ideograph and emoji is a word. Digits are words of their own, as in H₂O.
_SINGLE = r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\U0001f300-\U0001faff\u2600-\u26ff]"
_WORD = re.compile(rf"{_SINGLE}|(?:(?!{_SINGLE})[^\W\d])+|\d+")
_SCRIPTS = re.compile(r"[⁰¹²³⁴-ⁿᴬ-ᶿʰ-ʸˡ-ˣ]+|[₀-ₜ]+")

# These may stand in a word: characters that are not visible, and marks of emphasis.
_WITHIN_WORDS = dict.fromkeys(map(ord, "\u00ad\u200b\u2060\ufeff*_="))

_TEX_IGNORED = re.compile(
    r"\\(?:begin|end)\{[^{}]*\}(?:\{[lcr|]*\})?|\\(?:label|color|hspace|vspace)\{[^{}]*\}|\\\\\[[^\]]*\]"
)
_NUMBERED = re.compile(r"\\begin\{(?:align|alignat|eqnarray|flalign|gather)\}")
_TEX_NAMED = re.compile(
    r"\\(p?mod|sin|cos|tan|log|ln|exp|lim|max|min|sup|inf|det|gcd|deg|dim|ker|arg|Pr|sinh|cosh|tanh)(?![A-Za-z])"
)
_TEX_COMMAND = re.compile(r"\\(?:[A-Za-z]+|.)")
# In a chemical equation, it is an arrow.
_TEX_ARROW = re.compile(r"(?<=\s)v(?=[\s}])")
_GREEK = re.compile(r"[\u0370-\u03ff]")


@dataclass(frozen=True, slots=True)
class Formula:
    line: int
    tex: str

    @property
    def characters(self) -> str:
        """Letters and digits that are visible when it is rendered."""
        tex = _TEX_ARROW.sub(" ", self.tex) if r"\ce{" in self.tex else self.tex
        named = _TEX_NAMED.sub(lambda match: match[1].removeprefix("p"), _TEX_IGNORED.sub(" ", tex))
        return formula_characters(_TEX_COMMAND.sub(" ", named))


@dataclass(slots=True)
class Expected:
    words: list[tuple[str, int]] = field(default_factory=list)
    """With their lines."""

    labels: list[tuple[str, int]] = field(default_factory=list)
    """Words of figures that are rendered."""

    sources: list[tuple[str, int]] = field(default_factory=list)
    """Words of their sources."""

    formulas: list[Formula] = field(default_factory=list)
    figures: int = 0


def words(visible: str) -> list[str]:
    """Split into words, whatever their case, width and script."""
    separated = _SCRIPTS.sub(lambda match: f" {match[0]} ", visible.replace("~~", "").translate(_WITHIN_WORDS))
    return _WORD.findall(unicodedata.normalize("NFKC", separated).casefold())


def formula_characters(visible: str) -> str:
    """Return letters and digits, but Greek ones, which TeX spells."""
    normal = unicodedata.normalize("NFKC", visible).casefold()
    return "".join(each for each in _GREEK.sub("", normal) if each.isalnum())


def expected_words(markdown: str, *, unseen: Collection[str] = (), failed_figures: Collection[int] = ()) -> Expected:
    """Read a document; figures that have one of the lines `failed_figures` are shown as their source."""
    reader = _Reader(failed_figures)
    source = markdown.replace("\r\n", "\n")
    for passage in unseen:
        assert passage in source, f"{passage!r} is not in the document"
        source = source.replace(passage, _blank(passage))
    reader.read(_FRONT_MATTER.sub(lambda match: _blank(match[0]), source))
    return reader.expected


class _Reader:
    def __init__(self, failed_figures: Collection[int]) -> None:
        self.expected = Expected()
        self._failed_figures = failed_figures
        self._references: set[str] = set()
        self._footnotes: set[str] = set()

    def read(self, source: str) -> None:
        """Separate fenced code from prose."""
        lines = source.split("\n")
        prose = list(lines)
        number = 0
        while number < len(lines):
            fence = _FENCE.match(lines[number])
            end = number + 1
            if fence:
                while end < len(lines) and not _closes(lines[end], fence["marks"]):
                    end += 1
                self._read_code(fence["info"].strip(), "\n".join(lines[number + 1 : end]), number + 1)
                prose[number : end + 1] = [""] * len(prose[number : end + 1])
                end += 1
            number = end
        self._read_prose("\n".join(prose))

    def _read_code(self, info: str, code: str, line: int) -> None:
        language = re.split(r"[\s{]", info, maxsplit=1)[0]
        if language == "math":
            self._add_formula(line, code)
        elif language in FIGURE_LANGUAGES and not self._has_failed(line, code):
            self.expected.figures += 1
            self.expected.sources += _words_by_line(code, line + 1)
            lines = {word: offset for offset, label in label_lines(language, code) for word in words(label)}
            # A figure may show a name once that its source has often.
            self.expected.labels += [(word, line + 1 + offset) for word, offset in lines.items()]
        else:
            self._add(code, line + 1)

    def _add_formula(self, line: int, tex: str) -> None:
        # Between lines of these stand their numbers.
        rows = re.split(r"\\\\", tex) if _NUMBERED.search(tex) else [tex]
        self.expected.formulas += [Formula(line, row) for row in rows]

    def _has_failed(self, line: int, code: str) -> bool:
        return any(line <= failed <= line + code.count("\n") + 2 for failed in self._failed_figures)

    def _read_prose(self, prose: str) -> None:
        self._references = {_folded(match["label"]) for match in _DEFINITION.finditer(prose)}
        self._footnotes = {match["label"] for match in _FOOTNOTE.finditer(prose)}
        for pattern in (_FOOTNOTE, _DEFINITION, _LINE_STARTS):
            prose = pattern.sub(lambda match: _blank(match[0]), prose)
        self._add("".join(self._visible(prose)), 1)

    def _visible(self, prose: str) -> Iterator[str]:
        position = 0
        for match in _MARKUP.finditer(prose):
            yield prose[position : match.start()]
            yield self._replacement(match, prose)
            position = match.end()
        yield prose[position:]

    def _replacement(self, match: re.Match[str], prose: str) -> str:
        formula = next((match[name] for name in _FORMULAS if match[name]), None)
        if formula:
            self._add_formula(prose.count("\n", 0, match.start()) + 1, formula)
            return f" {_blank(formula)} "
        for name, replace in _REPLACEMENTS.items():
            if match[name] is not None:
                return replace(match[name])
        if match["reference"] is not None:
            is_defined = not match["reference"] or _folded(match["reference"]) in self._references
            return " " if is_defined else match[0]
        if match["footnote"] is not None:
            return " " if match["footnote"] in self._footnotes else match[0]
        # An inline tag does not end a word.
        return _newlines(match[0])

    def _add(self, visible: str, first_line: int) -> None:
        self.expected.words += _words_by_line(visible, first_line)


def _words_by_line(visible: str, first_line: int) -> list[tuple[str, int]]:
    return [(word, number) for number, line in enumerate(visible.split("\n"), first_line) for word in words(line)]


def _alternative(attributes: str) -> str:
    match = _ALTERNATIVE.search(attributes)
    return f" {html.unescape(match[1] or match[2] or match[3] or '')} {_newlines(attributes)}" if match else " "


def _newlines(source: str) -> str:
    return "\n" * source.count("\n")


def _blank(source: str) -> str:
    """Keep words where they are in their lines."""
    return re.sub(r"[^\n]", " ", source)


_REPLACEMENTS: dict[str, Callable[[str], str]] = {
    "escape": lambda escape: escape[1:],
    "coded": lambda coded: coded,
    "hidden": _newlines,
    "block": lambda block: f" {_newlines(block)}",
    "autolink": lambda autolink: f" {autolink} ",
    "image": _alternative,
    "target": lambda target: f" {_newlines(target)}",
    "entity": html.unescape,
}
"""What a reader sees of each kind of markup."""


def _closes(line: str, marks: str) -> bool:
    stripped = line.lstrip(" \t>").rstrip()
    return len(stripped) >= len(marks) and set(stripped) == {marks[0]}


def _folded(label: str) -> str:
    return " ".join(label.split()).casefold()
