"""The drawings of a document, as its renderer asks for them: by the token that stands for each."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from mdpublish_core.document import Figure, MathBlock, MathSpan
from mdpublish_core.figures.looks import FigureLook
from mdpublish_core.notices import Notice

if TYPE_CHECKING:
    # A document without figures loads none of what draws them.
    from mdpublish_core.figures.answers import Drawing
    from mdpublish_core.figures.math.formulas import Formula

Redraw = Callable[[Figure | MathBlock | MathSpan, FigureLook, float], "Drawing | None"]
"""Draws a picture once more, in the look that its place asks for, a formula for text of so many px; None where it cannot."""

FigureForm = Literal["svg", "png", "text", "source"]
"""What a destination takes of a diagram: `source` is its text as code, for whoever draws it there."""

MathForm = Literal["mathml", "omml", "png", "text", "source"]
"""What a destination takes of a formula."""


@dataclass(frozen=True, slots=True)
class Drawings:
    """What was drawn of a document; of anything else it has None, and its source is shown."""

    notices: tuple[Notice, ...] = ()
    """What the author should know: why something is not drawn."""

    figures: dict[int, tuple[int, Figure, "Drawing"]] = field(default_factory=dict)
    """By the `id()` of its token, each diagram that was drawn: its number among them, from 1, and its token."""

    formulas: dict[int, "Formula"] = field(default_factory=dict)
    """By the `id()` of its token, each formula that could be read."""

    pictures: dict[int, "Drawing"] = field(default_factory=dict)
    """By the `id()` of its token, each formula that was made a picture."""

    math_classes: frozenset[str] = frozenset()
    """The classes that the elements of formulas have."""

    look: FigureLook | None = None
    """The look that its pictures were drawn in."""

    redraw: Redraw | None = field(default=None, repr=False, compare=False)
    """Draws a picture for a place in which the document's own look will not do."""

    def figure(self, token: Figure) -> "Drawing | None":
        """Return the drawing of a diagram."""
        found = self.figures.get(id(token))
        return found and found[2]

    def number(self, token: Figure) -> int:
        """Return the number of a diagram that was drawn."""
        return self.figures[id(token)][0]

    def formula(self, token: MathBlock | MathSpan) -> "Formula | None":
        """Return a formula."""
        return self.formulas.get(id(token))

    def defines(self, token: MathBlock | MathSpan) -> bool:
        """Tell whether a formula shows nothing, and only defines macros."""
        formula = self.formula(token)
        return formula is not None and formula.is_definition

    def picture(self, token: MathBlock | MathSpan) -> "Drawing | None":
        """Return the picture of a formula."""
        return self.pictures.get(id(token))


NO_DRAWINGS = Drawings()
"""Those of a document of which nothing was drawn."""
