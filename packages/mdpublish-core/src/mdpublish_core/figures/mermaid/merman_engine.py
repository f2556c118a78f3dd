"""Engine for merman; no other module imports it.

Text is measured in DejaVu Sans: merman's own metrics truncate two of five labels. An engine with a custom measurer is
not reentrant; workers render one figure at a time.
"""

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from typing import Any

from merman import (
    MermanEngine,
    MermanEngineServices,
    MermanError,
    MermanTextMeasurer,
    MermanTextMeasureRequest,
    MermanTextMeasureResult,
)
from merman import MermanTextMeasurementOperation as Operation
from merman import MermanTextMeasurementResultKind as Kind

from mdpublish_core.figures.errors import FigureError
from mdpublish_core.figures.fonts import is_bold, line_width
from mdpublish_core.figures.mermaid.block_links import mark_two_way
from mdpublish_core.figures.mermaid.configuration import diagram_config, site_config
from mdpublish_core.figures.mermaid.errors import to_figure_error
from mdpublish_core.figures.mermaid.literals import with_plain_characters
from mdpublish_core.figures.mermaid.models import Model
from mdpublish_core.figures.mermaid.models import read_model as read_database
from mdpublish_core.figures.mermaid.postprocessing import postprocess
from mdpublish_core.figures.mermaid.sources import MermaidSource, Theming, engine_source, literal_source
from mdpublish_core.figures.mermaid.text_metrics import wrap_text
from mdpublish_core.figures.mermaid.text_output import without_entity_codes
from mdpublish_core.figures.request import MAX_COLUMNS, FigureTheme

# The layout of a flowchart with 100 nodes takes 100,000 steps; the profile allows 125,000.
_RESOURCES = {
    "profile": "constrained",
    "limits": {"max_layout_work_units": 6_000_000, "max_svg_bytes": 2_000_000},
}

_GRAPHS = frozenset({"flowchart", "graph"})

_WITHOUT_HEADING = frozenset({"mindmap", "timeline"})
"""Types for which the front matter's title is not drawn."""

_HORIZONTAL = re.compile(r"^(\s*(?:flowchart|graph)\s+)(?:LR|RL)\b", re.MULTILINE)

_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)

_KINDS = {
    **dict.fromkeys((Operation.MEASURE, Operation.WRAPPED, Operation.MERMAID_CALCULATE_TEXT_DIMENSIONS), Kind.METRICS),
    Operation.WRAPPED_WITH_RAW_WIDTH: Kind.WRAPPED_WITH_RAW_WIDTH,
    **dict.fromkeys((each for each in Operation if each.name.endswith(("B_BOX_WIDTH", "RECT_WIDTH"))), Kind.LENGTH),
    **dict.fromkeys((Operation.COMPUTED_LENGTH, Operation.CANVAS_MEASURE_TEXT_WIDTH), Kind.LENGTH),
    **dict.fromkeys((each for each in Operation if "B_BOX_X" in each.name), Kind.HORIZONTAL_EXTENTS),
}
# What a kind does not have.
_NOTHING = {"width": 0.0, "height": 0.0, "length": 0.0, "line_count": 0}
_NO_SIDES = dict.fromkeys(("bbox_left", "bbox_right", "raw_width"))


class _Measurer(MermanTextMeasurer):
    """Measures widths; heights and offsets are left to merman."""

    def __init__(self, *, is_monospaced: bool) -> None:
        self._is_monospaced = is_monospaced

    def measure(self, request: MermanTextMeasureRequest) -> MermanTextMeasureResult | None:
        """Return None to use merman's default."""
        kind = _KINDS.get(request.operation)
        if kind is None:
            return None
        # Notes of classes come with their breaks.
        content = with_plain_characters(_BREAK.sub("\n", request.text))
        size, bold = request.font_size, is_bold(request.font_weight)
        raw = line_width(content, size, is_bold=bold, is_monospaced=self._is_monospaced)
        if kind is Kind.LENGTH:
            return _result(kind, length=raw)
        lines = wrap_text(content, request.max_width, size, is_bold=bold, is_monospaced=self._is_monospaced)
        width = max(line.width for line in lines)
        if kind is Kind.HORIZONTAL_EXTENTS:
            return _result(kind, bbox_left=width / 2, bbox_right=width / 2)
        return _result(
            kind,
            width=width,
            height=len(lines) * request.line_height,
            line_count=len(lines),
            raw_width=raw if kind is Kind.WRAPPED_WITH_RAW_WIDTH else None,
        )


def _result(kind: Kind, **values: Any) -> MermanTextMeasureResult:
    return MermanTextMeasureResult(result_kind=kind, **{**_NOTHING, **_NO_SIDES, **values})


def render_svg(source: MermaidSource, theme: FigureTheme) -> str:
    """Render SVG; raises `FigureError`."""
    engine = _engine(theme, source.theming)
    site_overrides = diagram_config(source, theme)
    try:
        svg = engine.render_svg(
            engine_source(source), json.dumps({"version": 2, "site_config": site_overrides}) if site_overrides else None
        )
    except MermanError as error:
        raise _figure_error(error, source) from None
    return postprocess(svg, source, theme)


def read_model(source: MermaidSource, theme: FigureTheme) -> Model | None:
    """Return what a diagram says; None for types without a model and invalid sources."""
    try:
        content = _engine(theme, source.theming).parse_json(engine_source(source), None)
        database = json.loads(content)
    except (MermanError, RecursionError):
        return None
    if database["type"] == "block":
        mark_two_way(database.get("edges") or (), source.content)
    model = read_database(database)
    if model is None:
        return None
    heading = "" if source.kind in _WITHOUT_HEADING else source.heading
    outline = replace(model.outline, title=model.outline.title or heading)
    return replace(model, outline=outline, database=content)


def render_ascii_art(source: MermaidSource, theme: FigureTheme) -> Iterator[str]:
    """Yield text drawings of a flowchart or state diagram, which may be wrong; nothing for other types."""
    if source.kind not in _GRAPHS and not source.kind.startswith("stateDiagram"):
        return
    options = json.dumps(
        {
            "version": 2,
            "ascii": {
                "charset": "unicode",
                "color_mode": "plain",
                "max_width": MAX_COLUMNS,
                "overflow": "error",
                "graph_padding_y": 2,
                **({"graph_padding_x": 3, "layout_profile": "auto"} if source.kind in _GRAPHS else {}),
            },
        }
    )
    engine = _engine(theme, source.theming)
    content, characters = without_entity_codes(literal_source(source))
    # If too wide or wrong, retry from top to bottom.
    for candidate in dict.fromkeys((content, _HORIZONTAL.sub(r"\1TB", content, count=1))):
        with suppress(MermanError):
            yield with_plain_characters(engine.render_ascii(candidate, options)).translate(characters)


def _check(source: MermaidSource, theme: FigureTheme) -> None:
    """Parse a source without rendering it; raises `FigureError`."""
    try:
        _engine(theme, source.theming).parse_json(engine_source(source), None)
    except MermanError as error:
        raise _figure_error(error, source) from None


CHECKS = ((_check, 600_000), (render_svg, 100_000))
"""Ways to find an error and, in bytes, how much may be checked with each: 0.5 s."""


def _figure_error(error: MermanError, source: MermaidSource) -> FigureError:
    return to_figure_error(getattr(error, "message", "") or str(error), source)


@lru_cache(maxsize=16)
def _engine(theme: FigureTheme, theming: Theming) -> MermanEngine:
    options = {
        "version": 2,
        "svg": {"pipeline": "resvg-safe", "diagram_id": "fig"},
        "site_config": site_config(theme, theming),
        "resources": _RESOURCES,
    }
    services = MermanEngineServices().with_text_measurer(_Measurer(is_monospaced=theme.is_monospaced))
    return MermanEngine(json.dumps(options), services)
