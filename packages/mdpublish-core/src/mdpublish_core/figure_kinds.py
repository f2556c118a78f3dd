"""The kinds of figures: their fences, their labels, their engines and the forms that these give.

To add a kind, write its engine and a line here. An engine is a module with a function `render(request) -> EngineOutput` (see
`figures.request`); a worker process imports it by its dotted name, so that nothing else loads it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Form = Literal["svg", "png", "text"]
"""What a destination takes: SVG inside its HTML, an image, or lines of text."""

_ALL_FORMS: frozenset[Form] = frozenset({"svg", "png", "text"})


@dataclass(frozen=True, slots=True)
class FigureKind:
    """One kind of figure."""

    name: str
    """What a `Figure` and a request call it."""

    languages: tuple[str, ...]
    """The languages of its fences, in lower case."""

    label: str
    """What it is called where neither its author nor its source names it."""

    engine: str
    """The dotted name of its engine."""

    forms: frozenset[Form] = _ALL_FORMS
    """The forms that the engine can give; a PNG is made of its SVG."""


_DOT_LANGUAGES = ("dot", "graphviz", "gv", "neato", "twopi", "circo", "fdp", "sfdp", "osage", "patchwork")

_KINDS = (
    FigureKind("mermaid", ("mermaid",), "Diagram", "mdpublish_core.figures.mermaid"),
    FigureKind("dot", _DOT_LANGUAGES, "Graph", "mdpublish_core.figures.graphviz"),
    FigureKind("chart", ("chart", "chartjs", "chart.js"), "Chart", "mdpublish_core.figures.charts"),
    FigureKind(
        "math", ("math", "latex", "katex"), "Formula", "mdpublish_core.figures.math.rasterize", frozenset({"png"})
    ),
)

FIGURE_KINDS: Mapping[str, FigureKind] = {kind.name: kind for kind in _KINDS}
"""Each kind by its name, in the order of the documentation."""

MATH_KIND = FIGURE_KINDS["math"]
"""The kind that is parsed as `MathBlock`: its engine renders images of formulas, the other forms need none."""

_BY_LANGUAGE = {language: kind for kind in _KINDS for language in kind.languages}


def find_kind(language: str) -> FigureKind | None:
    """Return the kind of figure that a fence of this language holds, if any."""
    return _BY_LANGUAGE.get(language.lower())
