"""Graphviz: diagrams out of graphs, by eight engines; of several graphs in one fence, the first is drawn.

source ──bindings──▶ graph ──sanitizer──▶ what it may say ──defaults──▶ with the template's colours ──bindings──▶ SVG
                      └──text_output──▶ text                                                   ──coloring──▶ readable
"""

from mdpublish_core.errors import MissingExtra
from mdpublish_core.figures.request import EngineOutput, FigureRequest


def render(request: FigureRequest) -> EngineOutput:
    """Return a graph's drawing, and its text; raises `FigureError`, and `MissingExtra`.

    It runs Graphviz's C code, which a source can end: call it in a worker's process.
    """
    try:
        from mdpublish_core.figures.graphviz import engine
    except ModuleNotFoundError as error:
        raise _missing(error) from None
    return engine.render(request)


def prepare() -> None:
    """Load what the first drawing needs; raises `MissingExtra`."""
    try:
        from mdpublish_core.figures.graphviz import bindings
    except ModuleNotFoundError as error:
        raise _missing(error) from None
    bindings.load_fonts()


def _missing(error: ModuleNotFoundError) -> Exception:
    return MissingExtra("figures", "pygraphviz") if (error.name or "").startswith("pygraphviz") else error
