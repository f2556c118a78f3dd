"""Figures rendered as in conversions, once for all tests."""

from collections.abc import Mapping, Sequence
from functools import cache
from math import ceil

from mdpublish_core import get_template
from mdpublish_core.figures.allowance import FigureBudget
from mdpublish_core.figures.costs import MAX_LAYOUT_STEPS
from mdpublish_core.figures.pool import render
from mdpublish_core.figures.request import FailedFigure, FigureRequest, FigureTheme, RenderedFigure
from mdpublish_core.options.styles import ThemeMode
from mdpublish_core.resources.figure_kinds import Form
from mdpublish_core.templates.style import figure_theme

SECONDS: Mapping[str, float] = {"mermaid": 2, "dot": 8, "math": 2}
"""Graphviz's own graphs are among the hardest."""

THEMES = ("swiss", "terminal", "newsletter")
"""Sans, monospace, serif."""

WEB: frozenset[Form] = frozenset({"svg", "text"})


@cache
def theme_of(template_id: str, mode: ThemeMode = "light") -> FigureTheme:
    return figure_theme(get_template(template_id), mode)


def figure_request(
    kind: str, source: str, theme: FigureTheme, forms: frozenset[Form] = WEB, language: str = ""
) -> FigureRequest:
    return FigureRequest(kind=kind, source=source, theme=theme, forms=forms, language=language)


@cache
def render_timed(request: FigureRequest) -> tuple[RenderedFigure | FailedFigure, float]:
    """Return the result and milliseconds of CPU time, without loading the engine."""
    _warm_up(request.kind, request.theme)
    budget = FigureBudget(SECONDS[request.kind], MAX_LAYOUT_STEPS)
    result = render(request, seconds=budget.seconds, budget=budget)
    return result, (budget.seconds - budget.left) * 1000


@cache
def _warm_up(kind: str, theme: FigureTheme) -> None:
    small = {
        "mermaid": "flowchart\n    warm --> up\n",
        "dot": "digraph { warm -> up }\n",
        "math": "<math><mi>x</mi></math>",
    }
    render(figure_request(kind, small[kind], theme), seconds=60)


def median(values: Sequence[float]) -> float:
    return quantile(values, 0.5)


def quantile(values: Sequence[float], share: float) -> float:
    """Return the smallest value with this share at or below it."""
    sorted_values = sorted(values)
    return sorted_values[max(0, ceil(share * len(sorted_values)) - 1)]
