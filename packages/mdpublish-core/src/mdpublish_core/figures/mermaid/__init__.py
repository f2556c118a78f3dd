"""Mermaid diagrams, drawn with the template's fonts and colours.

`sources` reads what a source says of itself; `palettes`, `themes` and `configuration` say how a diagram looks, `measures`
how wide its letters are. An engine makes SVG of that: `by_merman`, or `by_mmdr` where merman has no wheel. `repairs` puts
right what the engine leaves wrong, with `labels`, `titles`, `charts`, `timelines` for what stands where and `colouring`,
`stylesheets` for colours; `texts` takes the engine's drawings in letters, and `failures` its messages. What none of them
foresees is a fault of ours and comes through as it is: the worker tells that the engine failed.
"""

from functools import cache
from importlib import import_module
from types import ModuleType

from mdpublish_core.errors import MissingExtra
from mdpublish_core.figures.mermaid.sources import read
from mdpublish_core.figures.mermaid.texts import readable
from mdpublish_core.figures.request import MAX_COLUMNS, EngineOutput, FigureRequest

# The engines by preference, and the package of each: they have `drawing(source, look)` and `letters(source, look, columns)`.
_ENGINES = {"by_merman": "merman", "by_mmdr": "mmdr"}


def render(request: FigureRequest) -> EngineOutput:
    """Return what an order's source shows; raises `FigureError` and `MissingExtra`."""
    source = read(request.source)
    engine = _engine()
    svg = engine.drawing(source, request.theme) if request.forms & {"svg", "png"} else None
    text = readable(engine.letters(source, request.theme, MAX_COLUMNS)) if "text" in request.forms else None
    if svg is None and text is None:
        # There are no letters for most types, nor for what is wrong; only drawing tells the one from the other.
        engine.drawing(source, request.theme)
    return EngineOutput(svg=svg, text=text, title=source.title, description=source.description)


@cache
def _engine() -> ModuleType:
    """Return the first engine that is installed; raises `MissingExtra`."""
    for name, package in _ENGINES.items():
        try:
            return import_module(f"{__name__}.{name}")
        except ImportError as error:
            if (error.name or "").partition(".")[0] != package:
                raise
    raise MissingExtra("figures", "merman")
