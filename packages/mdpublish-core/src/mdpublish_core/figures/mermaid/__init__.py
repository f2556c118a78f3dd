"""Mermaid diagrams in the theme's fonts and colors.

source ──sources──▶ Source ──merman_engine or mmdr_engine──▶ SVG ──postprocessing──▶ themed SVG
    palettes, themes, configuration, text_metrics ──┘                └── labels, titles, charts, timelines, coloring
"""

from functools import cache
from importlib import import_module
from types import ModuleType

from mdpublish_core.errors import MissingExtra
from mdpublish_core.figures.mermaid.sources import parse_source
from mdpublish_core.figures.mermaid.text_output import normalize_text
from mdpublish_core.figures.request import MAX_COLUMNS, EngineOutput, FigureRequest

# In order of preference, with their packages.
_ENGINES = {"merman_engine": "merman", "mmdr_engine": "mmdr"}


def render(request: FigureRequest) -> EngineOutput:
    """Render a request; raises `FigureError` and `MissingExtra`."""
    source = parse_source(request.source)
    engine = _engine()
    svg = engine.render_svg(source, request.theme) if request.forms & {"svg", "png"} else None
    text_element = (
        normalize_text(engine.render_text(source, request.theme, MAX_COLUMNS)) if "text" in request.forms else None
    )
    if svg is None and text_element is None:
        # Without text, the type has no text form or the source is invalid; the SVG tells which.
        engine.render_svg(source, request.theme)
    return EngineOutput(svg=svg, plain_text=text_element, title=source.title, description=source.description)


@cache
def _engine() -> ModuleType:
    """Return the first installed engine; raises `MissingExtra`."""
    for name, package in _ENGINES.items():
        try:
            return import_module(f"{__name__}.{name}")
        except ImportError as error:
            if (error.name or "").partition(".")[0] != package:
                raise
    raise MissingExtra("figures", "merman")
