"""Hypothesis strategies for Markdown and for valid themes, whose colors are random, regardless of contrast."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from mdpublish_core.css.colors import CHART_COLORS
from mdpublish_core.figures.patterns import PATTERNS
from mdpublish_core.templates import CATEGORIES, Template
from mdpublish_core.templates.colors import REQUIRED_ROLES, ROLES
from mdpublish_core.templates.loader import parse_theme
from mdpublish_core.templates.stylesheet import variants_of
from mdpublish_core.templates.theme import GENERIC_FAMILIES, LAYOUTS, NUMBERINGS, THEME_VERSION, Variants

_DEPTH = 3

_WORD_CHARACTERS = "abcXYZäßжяאבあン漢字"

_HOSTILE_PIECES = (
    *"\\`*_{}[]()#+-.!|~>&<:\"'=$ \t\n\r\f\v",
    *("\0", "\ufeff", "\u2028", "\u202e", "\u200b", "\ud800", "\U0001f469\u200d\U0001f4bb"),
    *("&amp;", "&#0;", "&#xD800;", "&nosuch;"),
    *("<!--", "-->", "<script>", "</div>", "<a href='", "<![CDATA[", "<?"),
    *("javascript:", "data:text/html,", "http://"),
    *("```", "~~~", "    ", "\n\n", "\r\n", "- ", "1. ", "> ", "|-|"),
    *("![", "](", "]: ", "[^1]", "[ ] ", "$$", "---\n", "===\n", "==", "^", ":tada:"),
    *("a", "é", "0"),
)


_BlockWriter = Callable[[int], list[str]]


@dataclass(frozen=True, slots=True)
class Sample:
    """A Markdown document and the words that must be visible, in order."""

    markdown: str
    words: tuple[str, ...]


def hostile_text(max_pieces: int = 40) -> SearchStrategy[str]:
    """Generate text of up to `max_pieces` pieces that may break parsers, browsers or decoders."""
    pieces = st.one_of(st.sampled_from(_HOSTILE_PIECES), st.text(max_size=4))
    return st.lists(pieces, max_size=max_pieces).map("".join)


@st.composite
def samples(draw: DrawFn) -> Sample:
    """Generate documents of nested constructs, with known words."""
    writer = _SampleWriter(draw)
    lines = writer.blocks(0)
    return Sample("\n".join(lines) + "\n", tuple(writer.words))


class _SampleWriter:
    def __init__(self, draw: DrawFn) -> None:
        self.words: list[str] = []
        self._draw = draw
        self._numbers = count()

    def blocks(self, depth: int) -> list[str]:
        lines: list[str] = []
        for _ in range(self._draw(st.integers(1, 3))):
            if lines:
                lines.append("")
            lines.extend(self._block(depth))
        return lines

    def _block(self, depth: int) -> list[str]:
        leaves: tuple[_BlockWriter, ...] = (
            self._paragraph,
            self._heading,
            self._setext_heading,
            self._fence,
            self._table,
            self._rule,
        )
        containers: tuple[_BlockWriter, ...] = (self._quote, self._bullet_list, self._ordered_list)
        write = self._draw(st.sampled_from(leaves + containers if depth < _DEPTH else leaves))
        return write(depth)

    def _paragraph(self, _depth: int) -> list[str]:
        return [self._inlines() + self._draw(st.sampled_from(["", "  ", "\\"])), self._inlines()]

    def _heading(self, _depth: int) -> list[str]:
        return [f"{'#' * self._draw(st.integers(1, 6))} {self._inlines()}"]

    def _setext_heading(self, _depth: int) -> list[str]:
        return [self._inlines(), self._draw(st.sampled_from(["===", "---"]))]

    def _fence(self, _depth: int) -> list[str]:
        mark = self._draw(st.sampled_from(["```", "~~~~"]))
        return [
            f"{mark}{self._draw(st.sampled_from(['', 'python', 'a b=c']))}",
            self._word(),
            f"  {self._word()}",
            mark,
        ]

    def _table(self, _depth: int) -> list[str]:
        columns = self._draw(st.integers(1, 3))
        rows = [" | ".join(self._inline() for _ in range(columns)) for _ in range(self._draw(st.integers(1, 3)))]
        marks = " | ".join(self._draw(st.sampled_from(["---", ":--", "--:", ":-:"])) for _ in range(columns))
        header, *body = (f"| {row} |" for row in rows)
        return [header, f"| {marks} |", *body]

    def _rule(self, _depth: int) -> list[str]:
        return [self._draw(st.sampled_from(["***", "___"]))]

    def _quote(self, depth: int) -> list[str]:
        return [f"> {line}".rstrip() for line in self.blocks(depth + 1)]

    def _bullet_list(self, depth: int) -> list[str]:
        return self._list(depth, [self._draw(st.sampled_from("-+*")) + " "] * 2)

    def _ordered_list(self, depth: int) -> list[str]:
        start = self._draw(st.integers(0, 12))
        return self._list(depth, [f"{start}. ", f"{start + 1}. "])

    def _list(self, depth: int, marks: list[str]) -> list[str]:
        lines = []
        for mark in marks:
            first, *others = [self._inlines(), "", *self.blocks(depth + 1)]
            lines.append(mark + first)
            lines.extend(" " * len(mark) + line if line else "" for line in others)
        return lines

    def _inlines(self) -> str:
        return " ".join(self._inline() for _ in range(self._draw(st.integers(1, 3))))

    def _inline(self) -> str:
        forms = (
            "{}",
            "*{}*",
            "**{}**",
            "***{}***",
            "~~{}~~",
            "=={}==",
            "`{}`",
            "[{}](https://example.org/a_b)",
            '[{}](/path "title")',
            "![{}](picture.png)",
            "\\*{}\\*",
            "&lt;{}&gt;",
        )
        return self._draw(st.sampled_from(forms)).format(self._word())

    def _word(self) -> str:
        """Return a word that no other contains: its number stands between two `q`."""
        word = self._draw(st.text(_WORD_CHARACTERS, max_size=4)) + f"q{next(self._numbers)}q"
        self.words.append(word)
        return word


_PURPOSES = ("body", "heading", "mono")

_THEME_CSS = (
    "",
    "h1 { color: $accent; }",
    "blockquote > p { padding-left: 1em; border-left: 2px solid $rule; }",
    ".callout.note > .title { text-transform: uppercase; }",
    "h2 + p, li ~ li { margin-top: 0.5em; }",
    "th:first-child { font-style: italic; }",
)

_colors = st.integers(0, 0xFFFFFF).map("#{:06x}".format)
_families = st.sampled_from(("Georgia", "Helvetica Neue", "Courier New", "Inter", "-apple-system"))
_stacks = st.builds(
    lambda names, last: [*names, last], st.lists(_families, max_size=3), st.sampled_from(GENERIC_FAMILIES)
)


@st.composite
def theme_files(draw: DrawFn) -> str:
    """Generate valid theme files."""
    font = {purpose: draw(_stacks) for purpose in _PURPOSES}
    names = {program: {purpose: draw(_families) for purpose in _PURPOSES} for program in ("docs", "word")}
    theme = {
        "version": THEME_VERSION,
        "id": draw(st.from_regex(r"[a-z]{1,8}(-[a-z0-9]{1,4})?", fullmatch=True)),
        "name": "A theme",
        "category": draw(st.sampled_from(CATEGORIES)),
        "description": "Drawn by chance.",
        "keywords": ["report", "calm"],
        "numbering": draw(st.sampled_from(NUMBERINGS)),
        "sections": draw(st.booleans()),
        "dates": draw(st.booleans()),
        "layout": draw(st.sampled_from(tuple(LAYOUTS))),
        "list_mark": draw(st.sampled_from(("•", "❧", "»"))),
        "contrast": draw(st.sampled_from((4.5, 7))),
        "css": draw(st.sampled_from(_THEME_CSS)),
        "font": {**font, **names},
        "type": draw(_types()),
        "variants": draw(_variants()),
        "light": draw(_roles()),
        "dark": draw(_roles()),
    }
    if draw(st.booleans()):
        theme["patterns"] = [draw(st.sampled_from(PATTERNS)) for _ in range(CHART_COLORS)]
    return _toml(theme)


def themes() -> SearchStrategy[Template]:
    """Generate templates with any combination of variants, sizes and colors."""
    return theme_files().map(lambda content: parse_theme(content, "theme"))


@st.composite
def _variants(draw: DrawFn) -> dict[str, str]:
    chosen = {name: draw(st.sampled_from(variants_of(name))) for name in Variants._fields}
    if draw(st.booleans()):
        del chosen["h2"]
    return chosen


@st.composite
def _types(draw: DrawFn) -> dict[str, Any]:
    def number(minimum: float, maximum: float) -> float:
        return round(draw(st.floats(minimum, maximum)), 2)

    return {
        "size": number(9, 40),
        "leading": number(1, 2.5),
        "measure": number(15, 80),
        "rhythm": number(0.3, 2),
        "scale": [number(0.5, 8) for _ in range(6)],
        "weight": 100 * draw(st.integers(1, 9)),
        "tracking": number(-0.1, 0.5),
    }


@st.composite
def _roles(draw: DrawFn) -> dict[str, Any]:
    optional = [role for role in ROLES if role not in REQUIRED_ROLES and role != "chart"]
    named = [*REQUIRED_ROLES, *draw(st.lists(st.sampled_from(optional), unique=True, max_size=4))]
    roles: dict[str, Any] = {role: draw(_colors) for role in named}
    if draw(st.booleans()):
        roles["chart"] = [draw(_colors) for _ in range(CHART_COLORS)]
    return roles


def _toml(table: dict[str, Any], name: str = "") -> str:
    """Serialize as TOML, whose strings, numbers and lists are written as in JSON."""
    lines = [f"{key} = {json.dumps(value)}" for key, value in table.items() if not isinstance(value, dict)]
    for key, value in table.items():
        if isinstance(value, dict):
            full = f"{name}.{key}" if name else key
            lines += ["", f"[{full}]", _toml(value, full)]
    return "\n".join(lines)
