"""Limits of a conversion: content past one is shown as text, with a notice, or `LimitExceeded` is raised."""

from dataclasses import dataclass

from mdpublish_core.options.budget import Budget

MAX_LABEL_CHARACTERS = 999
"""Maximum length of a link label, from the CommonMark specification."""

MAX_LINK_PARENTHESES = 32
"""Nesting of parentheses in a link destination, as in cmark; CommonMark requires at least three."""

MIN_REFERENCE_EXPANSION = 100_000
"""Characters that references may expand to in any document, as in cmark."""

OUTPUT_BYTES_PER_INPUT_BYTE = 20
"""Bytes of output allowed per byte of input, in addition to `max_output_bytes`."""

STEPS_PER_INPUT_BYTE = 20
"""Steps allowed per byte of input, in addition to `max_steps`. READMEs take one or two, lists of single words ten."""

MAX_TABLE_PADDING = 10
"""Empty cells per written cell of a table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Limits of one conversion, for `convert`, `parse` and `render`."""

    max_input_bytes: int = 5_000_000
    """Size of the Markdown in bytes of UTF-8: five times the longest README known to us. Past it, `LimitExceeded`."""

    max_depth: int = 100
    """Nesting of blocks, and of inlines within a block. Keeps recursive renderers below Python's recursion limit; real
    documents stay below ten. Deeper content is shown as text, with a notice; raw HTML adds elements down to one and a
    half times this level, and a document built by hand that is deeper than twice this raises `LimitExceeded`."""

    max_table_padding: int = MAX_TABLE_PADDING
    """Empty cells added to short rows, per cell written so far in the table. Without a limit, 100 KB of input make
    gigabytes. Past it, the table ends and the remaining rows are shown as text, with a notice."""

    max_reference_expansion: int = 10
    """Characters of URLs and titles that references expand to, as a multiple of the document's size in bytes; at least
    100,000 in any document. cmark allows 1; 10 allows an image to be defined once and used repeatedly. Without a
    limit, 100 KB of input make gigabytes. Past it, references are shown as text, with a notice."""

    max_output_bytes: int = 4_000_000
    """Size of the HTML, text or file in bytes, plus 20 bytes per byte of input. Real READMEs reach 30 bytes per byte in
    `google-docs`, which repeats styles for each text run. Past it, `LimitExceeded`."""

    max_steps: int = 500_000
    """Steps of work for the document, plus 20 steps per byte of input; a step is about a microsecond. Honest documents
    of any size take at most two thirds. Counted by `parse`; formulas and figures draw from what it left. Past it, the
    rest of the document is shown as its source, with a notice."""

    max_figure_steps: int = 5_000_000
    """Steps of work to render the figures of a document, and the images of its formulas; a step is about a microsecond,
    counted from their source, SVG and pixels: the same on every machine. Enough for emails with 100 diagrams, which
    take 40,000 each, or 1,000 formulas as images. Past it, the remaining figures are shown as source, with a notice."""

    max_figure_seconds: float = 2.0
    """CPU seconds to render one figure: 100 times Mermaid's largest example. Past it, the source is shown."""

    max_total_figure_seconds: float = 60.0
    """CPU seconds to render all figures of a document, ten times what `max_figure_steps` take: for graphs whose layout
    takes long. Past it, the remaining figures are shown as source, with a notice. Lower it in public services."""

    max_pdf_seconds: float = 60.0
    """CPU seconds to lay out a PDF without its figures, some 600 pages; then `InvalidPdf`. Lower it for strangers."""


DEFAULT_LIMITS = Limits()
"""The default limits: `Limits()`."""


def html_levels(limits: Limits) -> int:
    """Return the depth to which raw HTML adds nodes: for elements, writers need more of the stack than for others."""
    return limits.max_depth * 3 // 2


def budget_of(limits: Limits, source_bytes: int) -> Budget:
    """Return a new budget for a document of this size."""
    return Budget(limits.max_steps + STEPS_PER_INPUT_BYTE * source_bytes)
