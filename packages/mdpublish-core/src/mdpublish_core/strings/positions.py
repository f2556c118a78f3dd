"""Positions in the source of a document, for notices."""

from typing import NamedTuple

MAX_SOURCE_CHARACTERS = 500
"""Characters of `source` and `fix`: a long line of a diagram or table. Responses repeat them for each notice."""


class SourcePosition(NamedTuple):
    """Where a notice applies, in the order of `Notice`'s fields."""

    line: int | None = None
    column: int | None = None
    source: str | None = None


Span = tuple[int, int]
"""Range of an inline's characters, counted through the texts of a document's blocks."""


class Positions:
    """Finds positions in a document's text. These are of a document built by hand, of which only lines are known."""

    def of_span(self, span: Span | None, line: int | None) -> SourcePosition:  # noqa: ARG002
        """Return the position of an inline; `line` is its block's first."""
        return SourcePosition(line)

    def of_span_line(self, span: Span | None, line: int | None, content: str, number: int) -> SourcePosition:  # noqa: ARG002
        """Return the position of the `number`-th line, from 1, of the content of an inline, with its delimiters."""
        return SourcePosition(line and line + number - 1)

    def of_content(
        self,
        line: int | None,
        content: str,  # noqa: ARG002
        number: int | None,
        column: int | None = None,  # noqa: ARG002
        *,
        content_line: int | None = None,
    ) -> SourcePosition:
        """Return the position of the `number`-th line, from 1, of the content of the block that begins on `line`.

        It begins at `column` of the content's line, or at its first character. `content_line` is that of the content's
        first line, if it does not follow from a fence.
        """
        return SourcePosition((content_line or line + 1) + number - 1 if line and number else line)

    def of_fence(self, line: int | None) -> SourcePosition:
        """Return the position of an opening code fence."""
        return SourcePosition(line)


NO_POSITIONS = Positions()
