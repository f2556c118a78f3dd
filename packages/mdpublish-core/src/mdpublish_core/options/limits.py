"""The bounds a conversion keeps, each with its unit and its reason.

A bound that can be served is served: the text as it stands, with a notice. Where it cannot, `LimitExceeded` is raised.
"""

from dataclasses import dataclass

MAX_LABEL_CHARACTERS = 999
"""The longest label of a link that CommonMark allows, in characters; a longer one is text."""

MAX_LINK_PARENTHESES = 32
"""How deep parentheses nest in a link's address, as in cmark; CommonMark asks for three at least. Past it, no link."""

MIN_REFERENCE_EXPANSION = 100_000
"""Characters of addresses and titles that references may stand for in any document, as in cmark."""

OUTPUT_BYTES_PER_INPUT_BYTE = 20
"""Bytes of output for each byte of input that `max_output_bytes` is added to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Bounds on one conversion; pass your own to `convert`, `parse` or `render`."""

    max_input_bytes: int = 5_000_000
    """Markdown, in bytes of UTF-8. Five times the longest README known to us; past it, `LimitExceeded`."""

    max_depth: int = 100
    """Levels of blocks inside one another, and levels of inlines inside one another in a block. Nobody writes ten;
    renderers recurse once a level, so this keeps them far from Python's own bound. Past it, the marks of further levels
    are shown as text, with a notice; a tree built by hand that is deeper than twice this raises `LimitExceeded`."""

    max_table_padding: int = 10
    """Empty cells that a table's short rows are filled up with, in cells that are written in it up to there. Ten is more
    than any table made by hand has; without a bound, 100 KB make gigabytes. Past it, the table ends, and its further rows
    are shown as text, with a notice."""

    max_reference_expansion: int = 10
    """Characters of addresses and titles that references may stand for, as multiples of the text's bytes, and 100,000 in
    any document. cmark allows one; ten lets a picture that is defined once be shown some times. Without a bound, 100 KB
    make gigabytes. Past it, references are shown as text, with a notice."""

    max_output_bytes: int = 4_000_000
    """HTML or text that a conversion makes, in bytes of UTF-8, beside 20 for each byte of the input. The most that real
    READMEs came to is thirty for each byte, in `google-docs`, where each run of letters has its style. Past it, `LimitExceeded`."""

    max_figure_seconds: float = 2.0
    """What drawing one figure may take, in seconds: a hundred times what the largest of Mermaid's own examples take. Past
    it, the figure is shown as its source, with a notice."""

    max_total_figure_seconds: float = 60.0
    """What drawing all figures of a document may take, in seconds: thousands of ordinary ones. Past it, the rest is shown as
    source, with a notice. A service that renders what strangers write allows less."""


DEFAULT_LIMITS = Limits()
"""The bounds that hold where no others are given: `Limits()`."""
