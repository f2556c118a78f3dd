"""The bounds a conversion keeps, each with its unit and its reason.

A bound that can be served is served: the text as it stands, with a notice. Where it cannot, `LimitExceeded` is raised.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Bounds on one conversion; pass your own to `convert`, `parse` or `render`."""

    input_bytes: int = 5_000_000
    """Markdown, in bytes of UTF-8. Five times the longest README known to us; past it, `LimitExceeded`."""

    nesting: int = 100
    """Levels of blocks or of inlines inside one another, the document being level 0. Nobody writes ten; renderers
    recurse once a level, so this keeps them far from Python's own bound. Past it, the text is shown as it stands."""

    padding: int = 10
    """Empty cells that a table's short rows are filled up with, in cells that are written in it up to there. Ten is more
    than any table made by hand has; without a bound, 100 KB make gigabytes. Past it, the table ends, and its further rows
    are shown as text, with a notice."""


DEFAULT_LIMITS = Limits()
