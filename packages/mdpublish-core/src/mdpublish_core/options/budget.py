"""The budget of a document: how many steps its conversion may take.

A step is about a microsecond of the slowest destination. What is parsed pays at once for all that will be done with it,
so that a document is cut at the same place in all destinations and on all machines. Macros and figures get the rest.
"""

CONTAINER_STEPS = 15
"""Steps of a quote, a list item or a footnote, in the first ten levels of nesting."""

LEAF_STEPS = 15
"""Steps of a paragraph, a heading, a code block or another block without blocks."""

ROW_STEPS = 25
"""Steps of a table row."""

CELL_STEPS = 15
"""Steps of a cell, also an empty one that pads a row."""

ELEMENT_STEPS = 15
"""Steps of a tag in a block of raw HTML."""

INLINE_STEPS = 6
"""Steps of an inline, or of the text between two."""

FORMULA_STEPS = 20
"""Steps to parse and write a formula, besides its tokens."""

TOKEN_STEPS = 15
"""Steps of each token of a formula or of a built-in macro."""

CHEMISTRY_STEPS = 15
"""Steps of each character of a chemical formula, besides the tokens that it becomes."""

EXPANSION_STEPS = 40
"""Steps of each expansion of an author's macro, and of each token that it adds: they cost no bytes of input."""

FIGURE_STEPS = 100
"""Steps to prepare and place a figure or the image of a formula; the workers that render them have their own limits."""


def container_steps(depth: int) -> int:
    """Return the steps of a container at a level: its style, indent and direction depend on those around it."""
    return CONTAINER_STEPS * (1 + (depth // 10) ** 2)


class BudgetExhausted(Exception):  # noqa: N818  (named after the fault)
    """The budget is exhausted: the rest is shown as its source, with a notice."""


class Budget:
    """A limit of steps, and a count of those spent; one for each document."""

    __slots__ = ("limit", "spent")

    def __init__(self, limit: int, spent: int = 0) -> None:
        self.limit = limit
        self.spent = spent

    @property
    def left(self) -> int:
        """The remaining steps; negative once the limit is exceeded."""
        return self.limit - self.spent

    def try_spend(self, steps: int) -> bool:
        """Count steps; return whether they are within the limit."""
        self.spent += steps
        return self.spent <= self.limit

    def spend(self, steps: int) -> None:
        """Count steps; raises `BudgetExhausted` past the limit."""
        self.spent += steps
        if self.spent > self.limit:
            raise BudgetExhausted
