"""The statements of a figure, line by line: the source of its text form and its alternative text."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, groupby
from typing import NamedTuple

from wcwidth import wcswidth

from mdpublish_core.figures.line_breaking import ELLIPSIS, split_graphemes
from mdpublish_core.figures.request import MAX_COLUMNS

MAX_LINES = 60
"""Longer texts are less readable than the source."""

MAX_DESCRIPTION_LENGTH = 300
"""In characters: half a minute of a screen reader, which cannot skip through an alternative text."""

MAX_GIST_WORDS = 60

_MAX_NAME = 40  # characters, of a name in a gist
_MIN_VALUES = 4
"""Extremes of fewer values are seen in their list."""

_INDENT = "  "
_MAX_DEPTH = 20
# Where not all statements fit, in characters.
_MAX_STATEMENT = 100
_AROUND = 24  # separators, and the number of those left out


class Line(NamedTuple):
    """A statement, such as an edge or a task."""

    words: str
    depth: int = 0
    is_heading: bool = False
    """Whether the lines below belong to it."""

    spoken: tuple[str, str] | None = None
    """How it is read aloud: subject and verb, then the object. Lines that share subject and verb are one sentence."""

    is_detail: bool = False
    """Whether a description says it only if all fits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outline:
    """The statements of a figure, in reading order."""

    lines: tuple[Line, ...] = ()
    title: str = ""
    counts: str = ""
    """Such as `3 nodes, 2 edges`."""

    gist: tuple[str, ...] = ()
    """What to say first if not all is said: beginnings and ends, what has most edges."""

    def plain_text(self) -> str | None:
        """Return a text of `MAX_COLUMNS` columns; None if it would be too long, or a word too wide."""
        if not self.lines or len(self.lines) > MAX_LINES:
            return None
        heads = [*wrap(self.title)] if self.title else []
        depth = bool(heads)
        indents = [_INDENT * min(line.depth + depth, _MAX_DEPTH) for line in self.lines]
        lines = [*heads, *chain.from_iterable(map(wrap, (line.words for line in self.lines), indents))]
        if len(lines) > MAX_LINES + len(heads) or any(display_width(line) > MAX_COLUMNS for line in lines):
            return None
        return "\n".join(lines)

    def description(self) -> str:
        """Return the statements in a sentence of up to `MAX_DESCRIPTION_LENGTH` characters, with how many are left out.

        What belongs to a heading ends with a full stop, or a parenthesis where headings are nested. If not all fit, the
        gist is before them, details are left out, and long ones are cut, so that they leave room for others.
        """
        everything = list(_spoken(line for line in self.lines if line.words))
        sentence, shown = self._sentence(everything, len(everything))
        if shown < len(everything):
            statements = list(_spoken(line for line in self.lines if line.words and not line.is_detail)) or everything
            room = max(_MAX_STATEMENT, (MAX_DESCRIPTION_LENGTH - len(self.counts) - _AROUND) // len(statements))
            cut = [line._replace(words=_cut(line.words, room)) for line in statements]
            sentence, _ = self._sentence(cut, len(everything))
            gist = within_words((self.counts, *self.gist))
            sentence = sentence.replace(self.counts, gist, 1) if self.counts and self.gist else sentence
        return sentence

    def _sentence(self, statements: Sequence[Line], total: int) -> tuple[str, int]:
        """Return a sentence, and how many statements are in it; it says how many of `total` are not."""
        sentence = f"{self.counts}: " if self.counts else ""
        shown, opened, above = 0, 0, None
        for line in statements:
            separator, inside = _separator(above, line, opened)
            left = total - shown - 1
            more = f"{')' * inside}; and {left:,} more" if left else ")" * inside
            if len(sentence) + len(separator) + len(line.words) + len(more) > MAX_DESCRIPTION_LENGTH:
                break
            sentence += separator + line.words
            shown, opened, above = shown + 1, inside, line
        if not shown:
            return self.counts, 0
        left = total - shown
        return sentence + ")" * opened + (f"; and {left:,} more" if left else ""), shown


def within_words(parts: Iterable[str]) -> str:
    """Return the first parts that have `MAX_GIST_WORDS` words and `MAX_DESCRIPTION_LENGTH` characters together."""
    shown: list[str] = []
    words = characters = 0
    for part in parts:
        words, characters = words + len(part.split()), characters + len(part) + 2
        if words > MAX_GIST_WORDS or characters > MAX_DESCRIPTION_LENGTH + 2:
            break
        shown.append(part)
    return "; ".join(shown)


def listed(names: Sequence[str], limit: int = 3) -> str:
    """Return such as `a, b and c`, with the number of those left out; long ones are cut."""
    shown = [_cut(name, _MAX_NAME) for name in names[:limit]]
    if len(names) > limit:
        shown.append(f"{len(names) - limit:,} more")
    return _joined(shown)


def _joined(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def extremes(values: Sequence[tuple[str, float, str]]) -> str:
    """Return the highest and lowest of named values, which are also given as written; empty for few or equal ones."""
    if len(values) < _MIN_VALUES:
        return ""
    ends = {"highest": max(number for _, number, _ in values), "lowest": min(number for _, number, _ in values)}
    if ends["highest"] == ends["lowest"]:
        return f"all {values[0][2]}"
    named = {what: [each for each in values if each[1] == end] for what, end in ends.items()}
    return ", ".join(
        f"{what} {each[0][2]} ({listed([name for name, _, _ in each], 2)})" for what, each in named.items()
    )


def _spoken(lines: Iterable[Line]) -> Iterator[Line]:
    """Yield lines as they are read aloud; objects of one subject are together."""
    for (spoken, _), group in groupby(lines, key=lambda line: (line.spoken and line.spoken[0], line.depth)):
        if spoken is None:
            yield from group
        else:
            sentence = list(group)
            objects = [each.spoken[1] for each in sentence if each.spoken]
            yield sentence[0]._replace(words=f"{spoken} {_joined(objects)}")


def _cut(words: str, room: int) -> str:
    """Return whole words of at most `room` characters; a long last word is cut."""
    if len(words) <= room:
        return words
    cut = "".join(split_graphemes(words[:room])[:-1])
    end = cut.rfind(" ")
    return (cut[:end] if end > room / 2 else cut).rstrip(" ,;:.") + ELLIPSIS


def _separator(above: Line | None, line: Line, opened: int) -> tuple[str, int]:
    """Return what is written before a line, and how many parentheses are open behind that."""
    if above is None:
        return "", 0
    if line.depth > above.depth:
        return (" (", opened + 1) if above.is_heading and above.depth else (": ", opened)
    # Members of headings of the first level have no parentheses.
    inside = min(opened, max(line.depth - 1, 0))
    end = "; " if line.depth or not above.depth else ". "
    return ")" * (opened - inside) + end, inside


def wrap(words: str, indent: str = "") -> Iterator[str]:
    """Break words into lines of `MAX_COLUMNS`, except longer words; continued lines are indented further."""
    line, width, continued = "", 0, f"{indent}{_INDENT}{_INDENT}"
    for word in words.split():
        needed = display_width(word)
        if line and width + 1 + needed > MAX_COLUMNS:
            yield line
            line, width, indent = "", 0, continued
        line, width = (f"{line} {word}", width + 1 + needed) if line else (indent + word, len(indent) + needed)
    if line:
        yield line


def display_width(word: str) -> int:
    """Return the width in terminal columns."""
    width = wcswidth(word)
    return width if width >= 0 else len(word)
