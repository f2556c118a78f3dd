"""Graphviz graphs, in eight layout engines; only the first graph of a fence is rendered.

source ──bindings──▶ graph ──sanitizer──▶ sanitized ──defaults──▶ placeholder colors ──bindings──▶ SVG ──coloring──▶ themed SVG
                      └──text_output──▶ text
"""

from mdpublish_core.errors import MissingExtra
from mdpublish_core.figures.request import EngineOutput, FigureRequest


def render(request: FigureRequest) -> EngineOutput:
    """Return a graph as SVG and text; raises `FigureError` and `MissingExtra`.

    Graphviz's C code can crash the process: call this only in a worker process.
    """
    try:
        from mdpublish_core.figures.graphviz import engine
    except ModuleNotFoundError as error:
        raise _missing(error) from None
    return engine.render(request)


def prepare() -> None:
    """Load the library and fonts ahead of the first request; raises `MissingExtra`."""
    try:
        from mdpublish_core.figures.graphviz import bindings
    except ModuleNotFoundError as error:
        raise _missing(error) from None
    bindings.load_fonts()


def _missing(error: ModuleNotFoundError) -> Exception:
    return MissingExtra("figures", "pygraphviz") if (error.name or "").startswith("pygraphviz") else error
