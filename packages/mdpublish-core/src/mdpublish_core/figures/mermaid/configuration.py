"""Mermaid's configuration except colors; the author's settings take precedence.

https://mermaid.js.org/config/schema-docs/config.html
"""

import re

from mdpublish_core.figures.fonts import line_width
from mdpublish_core.figures.mermaid.block_links import link_gap
from mdpublish_core.figures.mermaid.gantt_dates import has_times_only
from mdpublish_core.figures.mermaid.sources import MermaidSource, Theming
from mdpublish_core.figures.mermaid.text_metrics import wrap_text
from mdpublish_core.figures.mermaid.themes import (
    FONT_SIZE,
    SMALL_SIZE,
    Config,
    base_variables,
    theme_variables,
    type_options,
)
from mdpublish_core.figures.request import FigureTheme

# Gantt charts, in px.
_PLAN_WIDTH, _MAX_PLAN_WIDTH = 520, 760
_TASK = re.compile(r"[ \t]*([^:\n]+):")
_SECTION = re.compile(r"\s*section\s+\S")
_MIN_SECTION_WIDTH = 75
_MAX_SECTION_WIDTH = 320

# Journeys, in px.
_TASK_WIDTH = 100
_MAX_TASK_WIDTH = 450
_TASK_PADDING = 8

# Heights in px.
_PARTICIPANT_HEIGHT = 44
_ACTOR_FIGURES = re.compile(r"^[ \t]*(?:create[ \t]+)?actor\b|@\{", re.MULTILINE)


def site_config(theme: FigureTheme, theming: Theming) -> Config:
    if theming == "template":
        chosen = theme_variables(theme)
    elif theming == "author":
        chosen = base_variables(theme)
    else:
        chosen = {
            "fontFamily": theme.font_family,
            "fontSize": f"{FONT_SIZE}px",
            "useGradient": False,
            "dropShadow": "none",
        }
    return {
        "theme": "base",
        "look": "classic",
        "htmlLabels": False,
        "fontFamily": theme.font_family,
        "fontSize": FONT_SIZE,
        "themeVariables": chosen,
        **type_options(theme),
    }


def diagram_config(source: MermaidSource, theme: FigureTheme) -> Config:
    if source.kind == "journey":
        return {"journey": {"width": task_width(source.content, theme)}}
    if source.kind == "gantt":
        padding = section_width(source.content, theme)
        axis = {"axisFormat": "%H:%M"} if has_times_only(source.content) else {}
        return {"gantt": {"leftPadding": padding, "useWidth": plan_width(source.content, theme) + padding, **axis}}
    if source.kind == "sequenceDiagram" and not _ACTOR_FIGURES.search(source.content):
        return {"sequence": {"height": _PARTICIPANT_HEIGHT}}
    if source.kind.startswith("block"):
        return {"block": {"padding": link_gap(source.content)}}
    # ELK, the default since Mermaid 12, hides self-loops and separates related nodes. Mindmaps fail if `layout` is set.
    if source.kind.startswith(("flowchart", "graph", "classDiagram", "stateDiagram", "erDiagram", "requirement")):
        return {"layout": "dagre", "state": {"layout": "dagre"}}
    return {}


def section_width(source: str, theme: FigureTheme) -> int:
    """Return the width of section names, in px."""
    names = (line.split(None, 1)[1].strip() for line in source.split("\n") if _SECTION.match(line))
    widest = max((line_width(name, SMALL_SIZE, is_monospaced=theme.is_monospaced) for name in names), default=0.0)
    return round(max(_MIN_SECTION_WIDTH, min(_MAX_SECTION_WIDTH, widest + 25)))


def plan_width(source: str, theme: FigureTheme) -> int:
    """Return the width of the bars, in px; task names must fit beside the shortest."""
    names = (match[1].strip() for line in source.split("\n") if (match := _TASK.match(line)))
    widest = max((line_width(name, SMALL_SIZE, is_monospaced=theme.is_monospaced) for name in names), default=0.0)
    return round(max(_PLAN_WIDTH, min(_MAX_PLAN_WIDTH, 2 * widest)))


def task_width(source: str, theme: FigureTheme) -> int:
    """Return the width of the boxes, in px; no text may take more than three lines."""
    width = _TASK_WIDTH
    for line in source.split("\n"):
        label = line.partition(":")[0].strip().removeprefix("section ")
        if line_width(label, FONT_SIZE, is_monospaced=theme.is_monospaced) <= width - 2 * _TASK_PADDING:
            continue
        while width < _MAX_TASK_WIDTH:
            lines = wrap_text(label, width - 2 * _TASK_PADDING, FONT_SIZE, is_monospaced=theme.is_monospaced)
            if len(lines) <= 3 and max(each.width for each in lines) <= width - 2 * _TASK_PADDING:
                break
            width += 20
    return width
