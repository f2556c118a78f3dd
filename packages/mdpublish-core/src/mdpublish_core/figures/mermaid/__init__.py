"""Mermaid diagrams in the theme's fonts and colors.

source ──sources──▶ MermaidSource ──merman_engine or mmdr_engine──▶ SVG ──postprocessing──▶ themed SVG
  ▲            palettes, themes, configuration, text_metrics ──┘   │                   └── labels, xy_charts, timelines, fitting, coloring
  └─────────────── refusals: repairs ◀─────────────────────────────┘ an error
MermaidSource ──merman_engine──▶ models ──text_output──▶ text, alternative text
"""

from collections.abc import Iterator
from functools import cache, partial
from importlib import import_module
from importlib.metadata import version
from types import ModuleType

from mdpublish_core.css.colors import MIN_GRAPHICS_CONTRAST
from mdpublish_core.errors import MissingExtra
from mdpublish_core.figures.errors import EngineNotLoaded, SourceRefused
from mdpublish_core.figures.mermaid import sources
from mdpublish_core.figures.mermaid.block_links import lost_links
from mdpublish_core.figures.mermaid.links import count_links
from mdpublish_core.figures.mermaid.models import NAMES, Model
from mdpublish_core.figures.mermaid.palettes import GRID_CONTRAST, authored_colors, faint_colors
from mdpublish_core.figures.mermaid.sources import without_styles as without_styles  # for the worker
from mdpublish_core.figures.mermaid.text_output import choose_text
from mdpublish_core.figures.mermaid.words import check_dates, lost_words
from mdpublish_core.figures.platforms import explain_missing
from mdpublish_core.figures.request import EngineOutput, FigureRequest, Remark

# Most lines of a calendar are faint on purpose.
_LINE_CONTRASTS = {"gantt": GRID_CONTRAST}

# In order of preference, with their packages.
_ENGINES = {"merman_engine": "merman", "mmdr_engine": "mmdr"}


def render(request: FigureRequest) -> EngineOutput:
    """Render a request; raises `FigureError` and `MissingExtra`."""
    source = sources.parse_source(request.source)
    engine = _engine()
    try:
        misread = sources.MISREAD_LINES.get(sources.base_kind(source.kind))
        if misread is not None and misread.search(source.content):
            # Imported lazily, as below.
            from mdpublish_core.figures.mermaid.refusals import render_misread

            return render_misread(request.source, source, partial(_render, engine, request=request))
        return _render(engine, source, request)
    except SourceRefused as refusal:
        # Imported lazily: most diagrams are right.
        from mdpublish_core.figures.mermaid.refusals import render_refused

        return render_refused(request, refusal, engine, partial(_render, engine))


def _render(engine: ModuleType, source: sources.MermaidSource, request: FigureRequest) -> EngineOutput:
    if request.is_transposed:
        source = sources.transpose(source)
    svg = engine.render_svg(source, request.theme) if request.forms & {"svg", "png"} else None
    model: Model | None = engine.read_model(source, request.theme)
    if svg is None and model is None:
        # Without a model, the type has no text form or the source is invalid; the SVG tells which.
        engine.render_svg(source, request.theme)
    if model is not None and source.kind == "gantt":
        check_dates(source, model.outline, model.database)
    plain_text = None
    if model is not None and "text" in request.forms:
        plain_text = choose_text(model, engine.render_ascii_art(source, request.theme))
    return EngineOutput(
        svg=svg,
        plain_text=plain_text,
        title=source.title or (model.outline.title if model else ""),
        description=source.description or (model.outline.description() if model else ""),
        label=NAMES.get(sources.base_kind(source.kind), ""),
        can_transpose=sources.can_transpose(source),
        line_contrast=_LINE_CONTRASTS.get(source.kind, MIN_GRAPHICS_CONTRAST),
        faint=faint_colors(request.theme) - authored_colors(source.content),
        labels=model.graph.labels if model and model.graph else (),
        links=count_links(source, model.database) if model else (0, 0),
        shows_all=True,
        remarks=(*(lost_words(source, model.database) if model is not None else ()), *_lost_forms(source, svg, model)),
    )


def _lost_forms(source: sources.MermaidSource, svg: str | None, model: Model | None) -> Iterator[Remark]:
    """Yield remarks about directions, scores and links that are drawn in another way."""
    if model is not None and '"scoreIsNaN":true' in model.database:
        yield Remark("a task has no score, so its face is in no place; write `task: 3: who`")
    for edge in model.graph.edges_inward() if model is not None and model.graph else ():
        ends = f"{edge.tail} {edge.arrow} {edge.head}"
        yield Remark(f"the link {ends} is not drawn as written: a group cannot be linked with what is in it")
    if source.kind == "timeline" and sources.DOWNWARD.search(source.content):
        problem = "the direction TD is left out: the engine would draw sections upon events"
        yield Remark(problem, source.header + 1)
    if svg is not None and sources.base_kind(source.kind) == "block":
        yield from lost_links(source.content, svg)


def describe() -> str:
    """Return the engine in use and, if it is not the preferred one, why; raises `MissingExtra`."""
    package = _ENGINES[_engine().__name__.rpartition(".")[2]]
    first = _engine_or_error("merman_engine")
    if isinstance(first, ModuleType):
        reason = "the preferred engine"
    elif isinstance(first, OSError):
        reason = str(EngineNotLoaded("merman", first))
    else:
        reason = explain_missing(MissingExtra("merman", "merman"))
    return f"{package} {version(package)} ({reason})"


@cache
def _engine() -> ModuleType:
    """Return the first engine that loads; raises `MissingExtra`."""
    for name in _ENGINES:
        engine = _engine_or_error(name)
        if isinstance(engine, ModuleType):
            return engine
    raise MissingExtra("figures", "mmdr")


def _engine_or_error(name: str) -> ModuleType | Exception:
    try:
        return import_module(f"{__name__}.{name}")
    except ImportError as error:
        if (error.name or "").partition(".")[0] != _ENGINES[name]:
            raise
        return error
    except OSError as error:
        # A native library that the system cannot load, such as one for a newer glibc.
        return error
