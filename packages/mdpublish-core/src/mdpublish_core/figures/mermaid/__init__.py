"""Mermaid diagrams, drawn with the template's fonts and colours.

`sources` reads what a source says of itself; `palettes`, `themes` and `configuration` say how a diagram looks, `text_metrics`
how wide its letters are. An engine makes SVG of that: `merman_engine`, or `mmdr_engine` where merman has no wheel. `postprocessing` puts
right what the engine leaves wrong, with `labels`, `titles`, `charts`, `timelines` for what stands where and `coloring`,
`stylesheets` for colours; `text_output` takes the engine's drawings in letters, and `errors` its messages. What none of them
foresees is a fault of ours and comes through as it is: the worker tells that the engine failed.
"""

from functools import cache
from importlib import import_module
from types import ModuleType

from mdpublish_core.errors import MissingExtra
from mdpublish_core.figures.mermaid.sources import parse_source
from mdpublish_core.figures.mermaid.text_output import normalize_text
from mdpublish_core.figures.request import MAX_COLUMNS, EngineOutput, FigureRequest

# The engines by preference, and the package of each: they have `render_svg(source, theme)` and `render_text(source, theme, columns)`.
_ENGINES = {"merman_engine": "merman", "mmdr_engine": "mmdr"}


def render(request: FigureRequest) -> EngineOutput:
    """Return what an order's source shows; raises `FigureError` and `MissingExtra`."""
    source = parse_source(request.source)
    engine = _engine()
    svg = engine.render_svg(source, request.theme) if request.forms & {"svg", "png"} else None
    text_element = (
        normalize_text(engine.render_text(source, request.theme, MAX_COLUMNS)) if "text" in request.forms else None
    )
    if svg is None and text_element is None:
        # There are no letters for most types, nor for what is wrong; only drawing tells the one from the other.
        engine.render_svg(source, request.theme)
    return EngineOutput(svg=svg, plain_text=text_element, title=source.title, description=source.description)


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
