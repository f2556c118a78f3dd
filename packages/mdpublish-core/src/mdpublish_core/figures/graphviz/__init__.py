"""Graphviz graphs, in eight layout engines; only the first graph of a fence is rendered.

source ──bindings──▶ graph ──sanitizer, defaults──▶ graph with placeholder colors ──bindings──▶ SVG ──coloring──▶ SVG
                      └──text_output──▶ text
"""

from importlib.metadata import version

from mdpublish_core.errors import MissingExtra
from mdpublish_core.figures.request import EngineOutput, FigureRequest


def render(request: FigureRequest) -> EngineOutput:
    """Raise `FigureError` or `MissingExtra`.

    Graphviz's C code can crash the process: call this only in a worker.
    """
    try:
        from mdpublish_core.figures.graphviz import engine
    except ModuleNotFoundError as error:
        raise _missing(error) from None
    return engine.render(request)


def prepare() -> None:
    """Load the library and its fonts ahead of the first request; raises `MissingExtra`."""
    try:
        from mdpublish_core.figures.graphviz import bindings
    except ModuleNotFoundError as error:
        raise _missing(error) from None
    bindings.load_fonts()


def describe() -> str:
    """Return the engine in use; raises `MissingExtra`."""
    prepare()
    return f"pygraphviz {version('pygraphviz')}"


def _missing(error: ModuleNotFoundError) -> Exception:
    return MissingExtra("figures", "pygraphviz") if (error.name or "").startswith("pygraphviz") else error
