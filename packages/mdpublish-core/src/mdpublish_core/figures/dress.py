"""The form of figures that a theme file sets, beside colors and fonts."""

from collections.abc import Mapping
from typing import NamedTuple

from mdpublish_core.data_files import read_words


class FigureDress(NamedTuple):
    """How nodes, lines and charts are drawn; None is the form that Mermaid, Graphviz and Chart.js give them."""

    corner: float | None = None
    """Corner radius of boxes, groups and participants, in px; at most 2 for bars. `dot` boxes nodes without a shape."""

    stroke: float | None = None
    """Width of borders and edges in px; lines of charts are 1.5 px wider."""

    line: str | None = None
    """Course of edges and of lines in charts. `step` has right angles; in `dot`, straight edges if one has a label."""

    arrow: str | None = None
    """Arrowheads of flowcharts and of `dot`."""

    decision: str | None = None
    """Fill of diamonds: a tint of the accent, or the accent."""

    grid: str | None = None
    """Grid of charts and Gantt charts: `rows` has the lines of the values only."""

    gap: float | None = None
    """Space between the bars of two categories, as a share of both."""

    point: str | None = None
    """Points of lines in charts."""

    fill: str | None = None
    """Bars: `outline` has a tint of their color within a line of it. Nodes have no ground but in `solid`."""

    title: str | None = None
    """Where the title and the legend of a chart stand."""

    labels: str | None = None
    """Names of up to four lines in a chart: `direct` writes them beside the ends of the lines."""


UNDRESSED = FigureDress()

NUMBERS: Mapping[str, tuple[float, float]] = {"corner": (0, 24), "stroke": (0.5, 4), "gap": (0, 0.8)}
"""Ranges of values."""

WORDS: Mapping[str, tuple[str, ...]] = read_words(__file__, "dress.tsv")
