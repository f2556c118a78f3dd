"""What an engine is asked to draw, and what it gives back.

An engine is a module with a function `sketch(order) -> Sketch`, called in a worker's process; `engines` names them. What
an author wrote wrongly it tells by raising `Undrawable`: the figure is then shown as its source, with a notice.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from mdpublish_core.figures.looks import FigureLook

Form = Literal["svg", "png", "text"]
"""What a destination takes: a drawing in its HTML, a picture, or lines of text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """One figure to be drawn: hashable, so that the same one is drawn once."""

    kind: str
    """Which engine draws it: `mermaid`, `dot`, `chart`, `math`."""

    source: str
    """What its fence holds, each line with its end; of math, the finished MathML."""

    look: FigureLook
    """Colours and fonts."""

    forms: frozenset[Form]
    """What is wanted of it. An engine need not give a text where none reads well."""

    language: str = ""
    """The word that its fence begins with, in lower case: `neato` is Graphviz, and says by which of its engines."""

    options: tuple[tuple[str, str], ...] = ()
    """The words `key=value` behind it."""

    @property
    def option(self) -> Mapping[str, str]:
        """The options by their keys."""
        return dict(self.options)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sketch:
    """What an engine made of an order; its SVG is not cleaned yet, and need not be safe."""

    svg: str | None = None
    """A drawing, where `svg` or `png` was asked for."""

    text: str | None = None
    """Lines of at most `MOST_COLUMNS` columns that show the figure, where `text` was asked for and they read well."""

    title: str = ""
    """What the source itself calls the figure, for readers that speak: Mermaid's `accTitle`."""

    description: str = ""
    """What the source itself says of the figure: Mermaid's `accDescr`."""

    table: tuple[tuple[str, ...], ...] = ()
    """The data that it shows, row by row, the header first; () where it shows none."""

    remarks: tuple[str, ...] = ()
    """What its author should know though it is drawn: what of the source is left out."""

    depth: float = 0.0
    """How far it goes below the line of text that it stands in, in CSS pixels."""


class Undrawable(Exception):  # noqa: N818  (it names what the figure is)
    """A figure cannot be drawn as it was written; `line` and `column` are where, 1-based in its source, None where nobody knows."""

    def __init__(self, problem: str, line: int | None = None, column: int | None = None) -> None:
        super().__init__(problem, line, column)
        self.problem = problem
        self.line = line
        self.column = column


MOST_COLUMNS = 100
"""Columns of a figure that is drawn in letters: what fits into a mail, a terminal and a message of Slack."""
