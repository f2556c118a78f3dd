"""A template's look in Mermaid's words: its settings, the theme variables of all types, and rules for what they don't reach.

https://mermaid.js.org/config/theming.html; what an author sets in a diagram itself wins over all of it.
"""

import re

from mdpublish_core.figures.colours import mixed
from mdpublish_core.figures.looks import FigureLook
from mdpublish_core.figures.mermaid.measures import line_width, wrapped
from mdpublish_core.figures.mermaid.palettes import Palette, on, palette
from mdpublish_core.figures.mermaid.sources import Source, Theming

SIZE = 14
"""Letters of a diagram, in px: a little smaller than a page's text."""

TITLE = 17
"""Letters of a diagram's own title, in px."""

_SMALL = 12

STATE_WIDTH = 200
"""Where the text of a state or a note is broken, in px; merman makes room for the lines, and `repairs` breaks them."""

# Room for the names of a plan's sections, in px.
_SECTION = re.compile(r"\s*section\s+\S")
_LEAST_SECTION = 75
_PLAN_WIDTH = 725
_MOST_SECTION = 320

# Boxes of a journey, in px.
_TASK_WIDTH = 150
_MOST_TASK_WIDTH = 450
_TASK_PADDING = 8

Settings = dict[str, object]


def settings(look: FigureLook, theming: Theming) -> Settings:
    """Return Mermaid's configuration for a look; where an author has colours of his own, ours must not stand over them."""
    if theming == "template":
        chosen = variables(look)
    elif theming == "author":
        chosen = _basic(look, palette(look))
    else:
        chosen = {"fontFamily": look.font_family, "fontSize": f"{SIZE}px", "useGradient": False, "dropShadow": "none"}
    return {
        "theme": "base",
        "look": "classic",
        "htmlLabels": False,
        "fontFamily": look.font_family,
        "fontSize": SIZE,
        "themeVariables": chosen,
        **_of_types(look),
    }


def request(source: Source, look: FigureLook) -> Settings:
    """Return what one diagram needs beside the settings of its look."""
    if source.kind == "journey":
        return {"journey": {"width": task_width(source.text, look)}}
    if source.kind == "gantt":
        beside = section_width(source.text, look)
        return {"gantt": {"leftPadding": beside, "useWidth": _PLAN_WIDTH + beside}}
    # ELK, Mermaid's own choice since version 12, hides loops and parts what belongs together; for mindmaps, `layout` must not be set.
    if source.kind.startswith(("flowchart", "graph", "classDiagram", "stateDiagram", "erDiagram", "requirement")):
        return {"layout": "dagre", "state": {"layout": "dagre"}}
    return {}


def section_width(text: str, look: FigureLook) -> int:
    """Return how much room, in px, the names of a plan's sections need beside its bars."""
    names = (line.split(None, 1)[1].strip() for line in text.split("\n") if _SECTION.match(line))
    widest = max((line_width(name, _SMALL, is_monospaced=look.is_monospaced) for name in names), default=0.0)
    return round(max(_LEAST_SECTION, min(_MOST_SECTION, widest + 25)))


def task_width(text: str, look: FigureLook) -> int:
    """Return how wide, in px, the boxes of a journey must be for each of its texts to have three lines at most."""
    width = _TASK_WIDTH
    for line in text.split("\n"):
        label = line.partition(":")[0].strip().removeprefix("section ")
        if line_width(label, SIZE, is_monospaced=look.is_monospaced) <= width - 2 * _TASK_PADDING:
            continue
        while width < _MOST_TASK_WIDTH:
            lines = wrapped(label, width - 2 * _TASK_PADDING, SIZE, is_monospaced=look.is_monospaced)
            if len(lines) <= 3 and max(each.width for each in lines) <= width - 2 * _TASK_PADDING:
                break
            width += 20
    return width


def _of_types(look: FigureLook) -> Settings:
    """Return the settings of each type: sizes and fonts."""
    family = look.font_family
    strong = list(palette(look).strong)
    return {
        "flowchart": {"htmlLabels": False, "minNodeWidth": 0, "wrappingWidth": 220},
        "class": {"htmlLabels": False, "hideEmptyMembersBox": True},
        "state": {"minNodeWidth": 0, "wrappingWidth": STATE_WIDTH},
        "sequence": {
            **{f"{part}FontFamily": family for part in ("actor", "message", "note")},
            **{f"{part}FontSize": SIZE for part in ("actor", "message", "note")},
            "labelBoxWidth": round(line_width("critical", SIZE, is_monospaced=look.is_monospaced)) + 12,
        },
        "radar": {"marginLeft": 110, "marginRight": 110},
        "er": {"fontSize": SIZE, "minEntityHeight": 50, "nodeSpacing": 80, "rankSpacing": 70},
        "pie": {"textPosition": 0.72},
        "gantt": {"fontSize": _SMALL, "sectionFontSize": _SMALL, "barHeight": 22, "numberSectionStyles": 4},
        "journey": {
            "taskFontSize": SIZE,
            "taskFontFamily": family,
            "titleFontFamily": family,
            "titleFontSize": f"{TITLE}px",
            "titleColor": look.text,
            "actorColours": strong,
            "sectionFills": list(palette(look).soft),
            "sectionColours": [look.text],
        },
        "timeline": {"taskFontSize": SIZE, "taskFontFamily": family},
        "quadrantChart": {
            "titleFontSize": TITLE,
            "quadrantLabelFontSize": SIZE,
            "xAxisLabelFontSize": SIZE,
            "yAxisLabelFontSize": SIZE,
            "pointLabelFontSize": _SMALL,
            "quadrantExternalBorderStrokeWidth": 1,
        },
        "xyChart": {
            "titleFontSize": TITLE,
            **{
                axis: {"labelFontSize": _SMALL, "titleFontSize": SIZE, "axisLineWidth": 1, "tickWidth": 1}
                for axis in ("xAxis", "yAxis")
            },
        },
        "requirement": {"fontSize": SIZE},
    }


def variables(look: FigureLook) -> Settings:
    """Return Mermaid's theme variables for a look."""
    colours = palette(look)
    return {
        **_basic(look, colours),
        **_of_nodes(look, colours),
        **_of_sequences(look, colours),
        **_of_gantt(look, colours),
        **_of_scales(look, colours),
        **_of_charts(look, colours),
        **_of_git(look, colours),
    }


def _basic(look: FigureLook, colours: Palette) -> Settings:
    return {
        "darkMode": look.is_dark,
        "background": look.background,
        "fontFamily": look.font_family,
        "fontSize": f"{SIZE}px",
        "useGradient": False,
        "dropShadow": "none",
        "strokeWidth": 1,
        "primaryColor": colours.box,
        "primaryTextColor": look.text,
        "primaryBorderColor": colours.line,
        "secondaryColor": colours.highlight,
        "secondaryTextColor": look.text,
        "secondaryBorderColor": colours.highlight_line,
        "tertiaryColor": colours.stripe,
        "tertiaryTextColor": look.text,
        "tertiaryBorderColor": colours.frame,
        "lineColor": colours.line,
        "textColor": look.text,
        "titleColor": look.text,
        "errorBkgColor": colours.warning,
        "errorTextColor": look.text,
    }


def _of_nodes(look: FigureLook, colours: Palette) -> Settings:
    return {
        "mainBkg": colours.box,
        "nodeBkg": colours.box,
        "nodeBorder": colours.line,
        "nodeTextColor": look.text,
        "arrowheadColor": colours.line,
        "defaultLinkColor": colours.line,
        "edgeLabelBackground": look.background,
        "clusterBkg": look.background,
        "clusterBorder": colours.frame,
        "classText": look.text,
        "stateBkg": colours.box,
        "stateBorder": colours.line,
        "stateLabelColor": look.text,
        "transitionColor": colours.line,
        "transitionLabelColor": look.text,
        "labelBackgroundColor": look.background,
        "labelColor": look.text,
        "compositeBackground": look.background,
        "compositeTitleBackground": colours.box,
        "compositeBorder": colours.frame,
        "altBackground": look.background,
        "specialStateColor": look.text,
        "innerEndBackground": look.text,
        "rowOdd": look.background,
        "rowEven": colours.box,
        "attributeBackgroundColorOdd": look.background,
        "attributeBackgroundColorEven": colours.box,
        "requirementBackground": colours.box,
        "requirementBorderColor": colours.line,
        "requirementTextColor": look.text,
        "relationColor": colours.line,
        "relationLabelBackground": look.background,
        "relationLabelColor": look.text,
        "personBkg": colours.box,
        "personBorder": colours.line,
        "archEdgeColor": colours.line,
        "archEdgeArrowColor": colours.line,
        "archEdgeWidth": "1.5",
        "archGroupBorderColor": colours.frame,
        "archGroupBorderWidth": "1px",
    }


def _of_sequences(look: FigureLook, colours: Palette) -> Settings:
    return {
        "actorBkg": colours.box,
        "actorBorder": colours.line,
        "actorTextColor": look.text,
        "actorLineColor": colours.frame,
        "signalColor": colours.line,
        "signalTextColor": look.text,
        "labelBoxBkgColor": colours.box,
        "labelBoxBorderColor": colours.frame,
        "labelTextColor": look.text,
        "loopTextColor": look.text,
        "activationBkgColor": colours.box,
        "activationBorderColor": colours.line,
        "sequenceNumberColor": on(colours.line, look),
        "rectBkgColor": colours.stripe,
        "noteBkgColor": colours.note,
        "noteBorderColor": colours.frame,
        "noteTextColor": look.text,
    }


def _of_gantt(look: FigureLook, colours: Palette) -> Settings:
    return {
        "sectionBkgColor": colours.box,
        "sectionBkgColor2": colours.box,
        "altSectionBkgColor": look.background,
        "excludeBkgColor": colours.box,
        "gridColor": colours.grid,
        "taskBkgColor": colours.box,
        "taskBorderColor": colours.line,
        "taskTextColor": look.text,
        "taskTextOutsideColor": look.text,
        "taskTextLightColor": look.text,
        "taskTextDarkColor": look.text,
        "taskTextClickableColor": look.text,
        "activeTaskBkgColor": colours.highlight,
        "activeTaskBorderColor": colours.highlight_line,
        "doneTaskBkgColor": mixed(look.background, colours.line, 0.25),
        "doneTaskBorderColor": colours.line,
        "critBkgColor": colours.warning_line,
        "critBorderColor": colours.warning_line,
        "todayLineColor": colours.warning_line,
        "vertLineColor": colours.line,
    }


def _of_scales(look: FigureLook, colours: Palette) -> Settings:
    """Return the colours of sections: of mindmaps, timelines, journeys and boards."""
    scales: Settings = {"scaleLabelColor": look.text}
    for number, (soft, strong) in enumerate(zip(colours.soft, colours.strong, strict=True)):
        scales |= {
            f"cScale{number}": soft,
            f"cScalePeer{number}": strong,
            f"cScaleInv{number}": strong,
            f"cScaleLabel{number}": look.text,
        }
    for number in range(8):
        scales[f"fillType{number}"] = colours.soft[number]
    for number in range(5):
        scales |= {f"surface{number}": colours.box, f"surfacePeer{number}": colours.line}
    return scales


def _of_charts(look: FigureLook, colours: Palette) -> Settings:
    charts: Settings = {f"pie{number + 1}": colour for number, colour in enumerate(colours.strong)}
    charts |= {f"venn{number + 1}": colour for number, colour in enumerate(colours.strong[:8])}
    for number, ground in enumerate((colours.box, look.background, colours.box, look.background)):
        charts |= {f"quadrant{number + 1}Fill": ground, f"quadrant{number + 1}TextFill": colours.quiet}
    return charts | {
        "pieOpacity": "1",
        "pieStrokeColor": look.background,
        "pieStrokeWidth": "1.5px",
        "pieOuterStrokeWidth": "0px",
        "pieOuterStrokeColor": look.background,
        "pieTitleTextSize": f"{TITLE}px",
        "pieTitleTextColor": look.text,
        "pieSectionTextSize": f"{SIZE}px",
        "pieSectionTextColor": look.text,
        "pieLegendTextSize": f"{SIZE}px",
        "pieLegendTextColor": look.text,
        "vennTitleTextColor": look.text,
        "vennSetTextColor": look.text,
        "quadrantPointFill": colours.strong[0],
        "quadrantPointTextFill": look.text,
        "quadrantTitleFill": look.text,
        "quadrantXAxisTextFill": look.text,
        "quadrantYAxisTextFill": look.text,
        "quadrantInternalBorderStrokeFill": colours.frame,
        "quadrantExternalBorderStrokeFill": colours.frame,
        "xyChart": {
            "backgroundColor": look.background,
            "plotColorPalette": ",".join(colours.strong),
            "titleColor": look.text,
            "dataLabelColor": look.text,
            "legendTextColor": look.text,
            **{
                f"{axis}Axis{part}Color": colour
                for axis in "xy"
                for part, colour in (
                    ("Title", look.text),
                    ("Label", look.text),
                    ("Tick", colours.line),
                    ("Line", colours.line),
                )
            },
        },
        "radar": {
            "axisColor": colours.line,
            "graticuleColor": colours.frame,
            "graticuleOpacity": 0.15,
            "curveOpacity": 0.25,
        },
    }


def _of_git(look: FigureLook, colours: Palette) -> Settings:
    git: Settings = {}
    for number, colour in enumerate(colours.strong[:8]):
        git |= {f"git{number}": colour, f"gitInv{number}": look.text, f"gitBranchLabel{number}": on(colour, look)}
    return git | {
        "branchLabelColor": look.text,
        "commitLabelColor": look.text,
        "commitLabelBackground": look.background,
        "commitLabelFontSize": f"{_SMALL}px",
        "tagLabelColor": look.text,
        "tagLabelBackground": colours.box,
        "tagLabelBorder": colours.line,
        "tagLabelFontSize": f"{_SMALL}px",
    }
