"""Hypothesis strategies for Markdown."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import count

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

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
