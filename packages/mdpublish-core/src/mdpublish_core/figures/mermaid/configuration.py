"""What Mermaid is told beside its colours: sizes, fonts and distances of each type, and what one diagram needs.

https://mermaid.js.org/config/schema-docs/config.html; what an author sets in a diagram itself wins over all of it.
"""

import re

from mdpublish_core.figures.mermaid.measures import line_width, wrapped
from mdpublish_core.figures.mermaid.palettes import palette
from mdpublish_core.figures.mermaid.sources import Source, Theming
from mdpublish_core.figures.mermaid.themes import SIZE, SMALL, TITLE, Settings, basic, variables
from mdpublish_core.figures.request import FigureTheme

STATE_WIDTH = 200
"""Where the text of a state or a note is broken, in px; merman makes room for the lines, and `labels` breaks them."""

# Room for a plan's bars and for the names of its sections, in px.
_PLAN_WIDTH, _MOST_PLAN_WIDTH = 520, 760
_TASK = re.compile(r"[ \t]*([^:\n]+):")
_SECTION = re.compile(r"\s*section\s+\S")
_LEAST_SECTION = 75
_MOST_SECTION = 320

# Boxes of a journey, in px.
_TASK_WIDTH = 100
_MOST_TASK_WIDTH = 450
_TASK_PADDING = 8
_TASK_GAP = 12

# The figure of a person with its name, and a participant's box where there is no such figure, in px.
_PERSON = 65
_PARTICIPANT = 44
_FIGURES = re.compile(r"^[ \t]*(?:create[ \t]+)?actor\b|@\{", re.MULTILINE)


def settings(theme: FigureTheme, theming: Theming) -> Settings:
    """Return Mermaid's configuration for a theme; where an author has colours of his own, ours must not stand over them."""
    if theming == "template":
        chosen = variables(theme)
    elif theming == "author":
        chosen = basic(theme, palette(theme))
    else:
        chosen = {"fontFamily": theme.font_family, "fontSize": f"{SIZE}px", "useGradient": False, "dropShadow": "none"}
    return {
        "theme": "base",
        "look": "classic",
        "htmlLabels": False,
        "fontFamily": theme.font_family,
        "fontSize": SIZE,
        "themeVariables": chosen,
        **_of_types(theme),
    }


def request(source: Source, theme: FigureTheme) -> Settings:
    """Return what one diagram needs beside the settings of its theme."""
    if source.kind == "journey":
        return {"journey": {"width": task_width(source.text, theme)}}
    if source.kind == "gantt":
        beside = section_width(source.text, theme)
        return {"gantt": {"leftPadding": beside, "useWidth": plan_width(source.text, theme) + beside}}
    if source.kind == "sequenceDiagram" and not _FIGURES.search(source.text):
        return {"sequence": {"height": _PARTICIPANT}}
    # ELK, Mermaid's own choice since version 12, hides loops and parts what belongs together; for mindmaps, `layout` must not be set.
    if source.kind.startswith(("flowchart", "graph", "classDiagram", "stateDiagram", "erDiagram", "requirement")):
        return {"layout": "dagre", "state": {"layout": "dagre"}}
    return {}


def section_width(text: str, theme: FigureTheme) -> int:
    """Return how much room, in px, the names of a plan's sections need beside its bars."""
    names = (line.split(None, 1)[1].strip() for line in text.split("\n") if _SECTION.match(line))
    widest = max((line_width(name, SMALL, is_monospaced=theme.is_monospaced) for name in names), default=0.0)
    return round(max(_LEAST_SECTION, min(_MOST_SECTION, widest + 25)))


def plan_width(text: str, theme: FigureTheme) -> int:
    """Return how wide, in px, a plan's bars must be for its tasks' names to have room beside the shortest of them."""
    names = (found[1].strip() for line in text.split("\n") if (found := _TASK.match(line)))
    widest = max((line_width(name, SMALL, is_monospaced=theme.is_monospaced) for name in names), default=0.0)
    return round(max(_PLAN_WIDTH, min(_MOST_PLAN_WIDTH, 2 * widest)))


def task_width(text: str, theme: FigureTheme) -> int:
    """Return how wide, in px, the boxes of a journey must be for each of its texts to have three lines at most."""
    width = _TASK_WIDTH
    for line in text.split("\n"):
        label = line.partition(":")[0].strip().removeprefix("section ")
        if line_width(label, SIZE, is_monospaced=theme.is_monospaced) <= width - 2 * _TASK_PADDING:
            continue
        while width < _MOST_TASK_WIDTH:
            lines = wrapped(label, width - 2 * _TASK_PADDING, SIZE, is_monospaced=theme.is_monospaced)
            if len(lines) <= 3 and max(each.width for each in lines) <= width - 2 * _TASK_PADDING:
                break
            width += 20
    return width


def _of_types(theme: FigureTheme) -> Settings:
    """Return the settings of each type: sizes and fonts."""
    family = theme.font_family
    strong = list(palette(theme).strong)
    return {
        "flowchart": {
            "subGraphTitleMargin": {"top": 5, "bottom": 6},
            "htmlLabels": False,
            "minNodeWidth": 0,
            "wrappingWidth": 180,
            "nodeSpacing": 40,
            "padding": 11,
        },
        "class": {"htmlLabels": False, "hideEmptyMembersBox": True},
        "state": {"minNodeWidth": 0, "wrappingWidth": STATE_WIDTH},
        "sequence": {
            **{f"{part}FontFamily": family for part in ("actor", "message", "note")},
            **{f"{part}FontSize": SIZE for part in ("actor", "message", "note")},
            # Mermaid's own distances make four participants wider than a page.
            "width": 116,
            "height": _PERSON,
            "actorMargin": 36,
            "diagramMarginX": 10,
            "labelBoxWidth": round(line_width("critical", SIZE, is_monospaced=theme.is_monospaced)) + 12,
        },
        "mindmap": {"padding": 7},
        "radar": {"marginLeft": 110, "marginRight": 110},
        "er": {"fontSize": SIZE, "minEntityHeight": 50, "nodeSpacing": 50, "rankSpacing": 64},
        "pie": {"textPosition": 0.72},
        "gantt": {
            "rightPadding": 36,
            "fontSize": SMALL,
            "sectionFontSize": SMALL,
            "barHeight": 22,
            "numberSectionStyles": 4,
        },
        "journey": {
            "taskMargin": _TASK_GAP,
            # Of a section's box, Mermaid takes this for what is between its tasks.
            "diagramMarginX": _TASK_GAP,
            "leftMargin": 60,
            "taskFontSize": SIZE,
            "taskFontFamily": family,
            "titleFontFamily": family,
            "titleFontSize": f"{TITLE}px",
            "titleColor": theme.text,
            "actorColours": strong,
            "sectionFills": list(palette(theme).soft),
            "sectionColours": [theme.text],
        },
        "timeline": {"taskFontSize": SIZE, "taskFontFamily": family},
        "quadrantChart": {
            "titleFontSize": TITLE,
            "quadrantLabelFontSize": SIZE,
            "xAxisLabelFontSize": SIZE,
            "yAxisLabelFontSize": SIZE,
            "pointLabelFontSize": SMALL,
            "quadrantExternalBorderStrokeWidth": 1,
        },
        "xyChart": {
            "titleFontSize": TITLE,
            **{
                axis: {"labelFontSize": SMALL, "titleFontSize": SIZE, "axisLineWidth": 1, "tickWidth": 1}
                for axis in ("xAxis", "yAxis")
            },
        },
        "requirement": {"fontSize": SIZE},
    }
