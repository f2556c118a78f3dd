"""The table of figure kinds.

To add a kind, write an engine (see `figures.request`) and add a line here. Only worker processes import engines.
"""

from collections.abc import Mapping
from typing import Literal, NamedTuple

Form = Literal["svg", "png", "text"]
"""SVG in HTML, an image, or text."""

_ALL_FORMS: frozenset[Form] = frozenset({"svg", "png", "text"})


class FigureKind(NamedTuple):
    """A kind of figure."""

    name: str
    languages: tuple[str, ...]
    """In lower case."""

    label: str
    engine: str
    """Module name."""

    forms: frozenset[Form] = _ALL_FORMS
    """PNG is rendered from SVG."""

    has_formulas: bool = False
    """Whether labels may have formulas in `$$`, which are drawn as Unicode."""


_DOT_LANGUAGES = ("dot", "graphviz", "gv", "neato", "twopi", "circo", "fdp", "sfdp", "osage", "patchwork")

_KINDS = (
    FigureKind("mermaid", ("mermaid",), "Diagram", "mdpublish_core.figures.mermaid", has_formulas=True),
    FigureKind("dot", _DOT_LANGUAGES, "Graph", "mdpublish_core.figures.graphviz"),
    FigureKind("chart", ("chart", "chartjs", "chart.js"), "Chart", "mdpublish_core.figures.charts"),
    FigureKind(
        "math", ("math", "latex", "katex"), "Formula", "mdpublish_core.figures.math.rasterize", frozenset({"png"})
    ),
)

FIGURE_KINDS: Mapping[str, FigureKind] = {kind.name: kind for kind in _KINDS}
"""In the order of the documentation."""

MATH_KIND = FIGURE_KINDS["math"]
"""Parsed as `MathBlock`; its engine renders only images."""

_BY_LANGUAGE = {language: kind for kind in _KINDS for language in kind.languages}


def find_kind(language: str) -> FigureKind | None:
    return _BY_LANGUAGE.get(language.lower())
