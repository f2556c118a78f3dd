"""A template's colours in Mermaid's words: the theme variables of all types.

https://mermaid.js.org/config/theming.html; what an author sets in a diagram itself wins over all of it.
"""

from mdpublish_core.figures.colours import mixed
from mdpublish_core.figures.looks import FigureLook
from mdpublish_core.figures.mermaid.palettes import Palette, on, palette

SIZE = 14
"""Letters of a diagram, in px: a little smaller than a page's text."""

TITLE = 17
"""Letters of a diagram's own title, in px."""

SMALL = 12
"""Letters that step back, in px."""

Settings = dict[str, object]


def variables(look: FigureLook) -> Settings:
    """Return Mermaid's theme variables for a look."""
    colours = palette(look)
    return {
        **basic(look, colours),
        **_of_nodes(look, colours),
        **_of_sequences(look, colours),
        **_of_gantt(look, colours),
        **_of_scales(look, colours),
        **_of_charts(look, colours),
        **_of_git(look, colours),
    }


def basic(look: FigureLook, colours: Palette) -> Settings:
    """Return the variables that Mermaid makes the others of: enough where an author has colours of his own."""
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
        "commitLabelFontSize": f"{SMALL}px",
        "tagLabelColor": look.text,
        "tagLabelBackground": colours.box,
        "tagLabelBorder": colours.line,
        "tagLabelFontSize": f"{SMALL}px",
    }
