"""What rules read: the lines of a source, and where its marks stand."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

from mdpublish_core.readers.markdown.document import normalize
from mdpublish_core.readers.markdown.marks import Marks, Point, read_marks
from mdpublish_core.readers.markdown.options import ReaderOptions
from mdpublish_core.strings.changes import NEWLINE, Change, line_starts

BLANKS = " \t"


class Unit(NamedTuple):
    """Changes that are made together or not at all, in order."""

    rule: str
    changes: Sequence[Change]


class MarkedSource:
    """A text without front matter, and whether there is any above it; paragraphs are filled to `width`, if given."""

    def __init__(self, markdown: str, options: ReaderOptions, *, width: int | None, is_first: bool) -> None:
        self.markdown = markdown
        self.width = width
        self.is_first = is_first
        self.lines = normalize(markdown).split("\n")
        self._starts = line_starts(markdown)
        self._options = options

    @cached_property
    def marks(self) -> Marks:
        size = len(self.markdown.encode(errors="replace"))
        lines = self.lines[:-1] if len(self.lines) > 1 and not self.lines[-1] else self.lines
        return read_marks(lines, size, self._options, has_paragraphs=self.width is not None)

    @cached_property
    def verbatim(self) -> frozenset[int]:
        """Lines in which nothing is Markdown."""
        return frozenset(line for each in self.marks.verbatim for line in range(each.first, each.last + 1))

    @cached_property
    def code(self) -> frozenset[int]:
        """Lines of code and formulas."""
        html = {line for each in self.marks.verbatim if each.is_html for line in range(each.first, each.last + 1)}
        return self.verbatim - html

    def start_of(self, line: int) -> int:
        """Return where a line starts in the text; one after the last starts at its end."""
        return self._starts[line] if line < len(self._starts) else len(self.markdown)

    def end_of(self, line: int) -> int:
        """Return where the content of a line ends."""
        return self._starts[line] + len(self.lines[line])

    def newline_after(self, offset: int) -> str:
        """Return the next line end, else the first of the text."""
        match = NEWLINE.search(self.markdown, offset) or NEWLINE.search(self.markdown)
        return match[0] if match else "\n"

    def change(self, point: Point, length: int, after: str) -> Change:
        """Return a change of characters of one line."""
        start = self._starts[point[0]] + point[1]
        return Change(start, start + length, after)

    def line_of(self, offset: int) -> int:
        """Return the index of the line with a character."""
        return bisect_right(self._starts, offset) - 1


def prevailing(characters: Iterable[str], preferred: str) -> str:
    """Return the most frequent of `preferred` characters; of several, or none, the first."""
    counts = Counter(characters)
    return max(preferred, key=lambda character: (counts[character], -preferred.index(character)))
