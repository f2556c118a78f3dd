"""Graphviz graphs, in eight layout engines; only the first graph of a fence is rendered.

source ──bindings──▶ graph ──sanitizer, defaults──▶ graph in the theme's colors ──bindings──▶ SVG ──postprocessing──▶ SVG
  ▲                   └──text_output──▶ text
  └── repairs, of a source that Graphviz refuses
"""

from importlib.metadata import version

from mdpublish_core.errors import MissingExtra
from mdpublish_core.figures.errors import EngineNotLoaded
from mdpublish_core.figures.request import EngineOutput, FigureRequest


def render(request: FigureRequest) -> EngineOutput:
    """Raise `FigureError`, `MissingExtra` or `EngineNotLoaded`.

    Graphviz's C code can crash the process: call this only in a worker.
    """
    try:
        from mdpublish_core.figures.graphviz import engine
    except ImportError as error:
        raise _missing(error) from None
    return engine.render(request)


def prepare() -> None:
    """Load the library and its fonts ahead of the first request; raises `MissingExtra` and `EngineNotLoaded`."""
    try:
        from mdpublish_core.figures.graphviz import bindings
    except ImportError as error:
        raise _missing(error) from None
    bindings.load_fonts()


def describe() -> str:
    """Return the engine in use; raises `MissingExtra` and `EngineNotLoaded`."""
    prepare()
    return f"pygraphviz {version('pygraphviz')}"


def _missing(error: ImportError) -> Exception:
    if not isinstance(error, ModuleNotFoundError):
        # Its wheel does not contain the libraries of X11.
        return EngineNotLoaded("pygraphviz", error)
    return MissingExtra("graphviz", "pygraphviz") if (error.name or "").startswith("pygraphviz") else error
