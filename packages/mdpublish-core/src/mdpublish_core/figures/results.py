"""Results of rendering a document's figures, apart from the renderer: most documents have no figure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from mdpublish_core import nodes

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from mdpublish_core.figures.math import Formula, TextRun
    from mdpublish_core.figures.request import FailedFigure, FigureTheme, RenderedFigure
    from mdpublish_core.notices import Notice

FigureForm = Literal["svg", "png", "text", "source"]
"""`source` keeps the code, for pages that render it themselves."""

MathForm = Literal["mathml", "omml", "svg", "png", "styled", "text", "source"]
"""`styled` is text with superscripts, and PNG for what it can't show."""

Appearance: TypeAlias = tuple["FigureTheme", float]
"""Theme, and size of the text around a formula, in px."""

Renderable = nodes.Figure | nodes.MathBlock | nodes.MathSpan


class RenderedFigures(NamedTuple):
    """Figures and formulas by the `id()` of their tokens; failed ones are missing."""

    notices: tuple[Notice, ...] = ()
    figures: Mapping[int, tuple[int, nodes.Figure, RenderedFigure]] = {}
    """Number from 1, token and result."""

    formulas: Mapping[int, Formula] = {}

    formula_images: Mapping[int, RenderedFigure] = {}

    math_classes: frozenset[str] = frozenset()
    drawn: Mapping[int, Appearance] = {}
    """Appearance of the images."""

    rerender: Callable[[Renderable, FigureTheme, float], RenderedFigure | FailedFigure | None] | None = None
    """Renders an image in another theme, for a text size in px; None if no image is needed."""

    transpose: Callable[[nodes.Figure, FigureTheme], RenderedFigure | FailedFigure] | None = None
    """Renders a figure in the other direction."""

    references: Mapping[int, nodes.Link | nodes.RawText] = {}
    """What is shown in place of formulas that are only a reference to another."""

    narrow: Mapping[int, RenderedFigure] = {}
    """Forms for phones, by the `id()` of their tokens."""

    def figure(self, token: nodes.Figure) -> RenderedFigure | None:
        entry = self.figures.get(id(token))
        return entry and entry[2]

    def number(self, token: nodes.Figure) -> int:
        return self.figures[id(token)][0]

    def formula(self, token: nodes.MathBlock | nodes.MathSpan) -> Formula | None:
        return self.formulas.get(id(token))

    def text_runs(self, token: nodes.MathSpan) -> tuple[TextRun, ...]:
        """Return a formula as a line of styled text; nothing if it needs an image."""
        formula = self.formula(token)
        return () if formula is None else formula.text_runs()

    def defines(self, token: nodes.MathBlock | nodes.MathSpan) -> bool:
        formula = self.formula(token)
        return formula is not None and formula.is_definition

    def formula_image(self, token: nodes.MathBlock | nodes.MathSpan) -> RenderedFigure | None:
        return self.formula_images.get(id(token))


NO_FIGURES = RenderedFigures()
