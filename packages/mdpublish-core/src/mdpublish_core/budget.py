"""The budget of a document: how many steps its conversion may take.

A step is about a microsecond of the slowest destination. What is parsed pays at once for all that will be done with it,
writing included, so that a document is cut at the same place in every destination, and on every machine. Macros and
figures draw from what is left.
"""

FORMULA_STEPS = 20
"""To parse and write a formula, besides its tokens."""

TOKEN_STEPS = 15
"""For each token of a formula, and each one of a built-in macro."""

EXPANSION_STEPS = 40
"""For each expansion of an author's macro, and each token that it adds: they cost no bytes of input."""

FIGURE_STEPS = 300
"""To prepare and place a figure, or the image of a formula; workers that render them have limits of their own."""


class BudgetExhausted(Exception):  # noqa: N818  (named after the fault)
    """Past the budget: the rest is shown as its source, with a notice."""


class Budget:
    """A limit of steps, and a count of those spent; one for each document."""

    __slots__ = ("limit", "spent")

    def __init__(self, limit: int, spent: int = 0) -> None:
        self.limit = limit
        self.spent = spent

    @property
    def left(self) -> int:
        return max(0, self.limit - self.spent)

    @property
    def is_exhausted(self) -> bool:
        return self.spent > self.limit

    def try_spend(self, steps: int) -> bool:
        """Count steps; return whether they are within the limit."""
        self.spent += steps
        return self.spent <= self.limit

    def spend(self, steps: int) -> None:
        """Count steps; raises `BudgetExhausted` past the limit."""
        self.spent += steps
        if self.spent > self.limit:
            raise BudgetExhausted
