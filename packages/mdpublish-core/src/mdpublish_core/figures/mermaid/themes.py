"""A template's colours in Mermaid's words: the theme variables of all types.

https://mermaid.js.org/config/theming.html; what an author sets in a diagram itself wins over all of it.
"""

from mdpublish_core.figures.colours import mixed
from mdpublish_core.figures.mermaid.palettes import Palette, on, palette
from mdpublish_core.figures.request import FigureTheme

SIZE = 14
"""Letters of a diagram, in px: a little smaller than a page's text."""

TITLE = 17
"""Letters of a diagram's own title, in px."""

SMALL = 12
"""Letters that step back, in px."""

Settings = dict[str, object]


def variables(theme: FigureTheme) -> Settings:
    """Return Mermaid's theme variables for a theme."""
    colours = palette(theme)
    return {
        **basic(theme, colours),
        **_of_nodes(theme, colours),
        **_of_sequences(theme, colours),
        **_of_gantt(theme, colours),
        **_of_scales(theme, colours),
        **_of_charts(theme, colours),
        **_of_git(theme, colours),
    }


def basic(theme: FigureTheme, colours: Palette) -> Settings:
    """Return the variables that Mermaid makes the others of: enough where an author has colours of his own."""
    return {
        "darkMode": theme.is_dark,
        "background": theme.background,
        "fontFamily": theme.font_family,
        "fontSize": f"{SIZE}px",
        "useGradient": False,
        "dropShadow": "none",
        "strokeWidth": 1,
        "primaryColor": colours.box,
        "primaryTextColor": theme.text,
        "primaryBorderColor": colours.line,
        "secondaryColor": colours.highlight,
        "secondaryTextColor": theme.text,
        "secondaryBorderColor": colours.highlight_line,
        "tertiaryColor": colours.stripe,
        "tertiaryTextColor": theme.text,
        "tertiaryBorderColor": colours.frame,
        "lineColor": colours.line,
        "textColor": theme.text,
        "titleColor": theme.text,
        "errorBkgColor": colours.warning,
        "errorTextColor": theme.text,
    }


def _of_nodes(theme: FigureTheme, colours: Palette) -> Settings:
    return {
        "mainBkg": colours.box,
        "nodeBkg": colours.box,
        "nodeBorder": colours.line,
        "nodeTextColor": theme.text,
        "arrowheadColor": colours.line,
        "defaultLinkColor": colours.line,
        "edgeLabelBackground": theme.background,
        "clusterBkg": theme.background,
        "clusterBorder": colours.frame,
        "classText": theme.text,
        "stateBkg": colours.box,
        "stateBorder": colours.line,
        "stateLabelColor": theme.text,
        "transitionColor": colours.line,
        "transitionLabelColor": theme.text,
        "labelBackgroundColor": theme.background,
        "labelColor": theme.text,
        "compositeBackground": theme.background,
        "compositeTitleBackground": colours.box,
        "compositeBorder": colours.frame,
        "altBackground": theme.background,
        "specialStateColor": theme.text,
        "innerEndBackground": theme.text,
        "rowOdd": theme.background,
        "rowEven": colours.box,
        "attributeBackgroundColorOdd": theme.background,
        "attributeBackgroundColorEven": colours.box,
        "requirementBackground": colours.box,
        "requirementBorderColor": colours.line,
        "requirementTextColor": theme.text,
        "relationColor": colours.line,
        "relationLabelBackground": theme.background,
        "relationLabelColor": theme.text,
        "personBkg": colours.box,
        "personBorder": colours.line,
        "archEdgeColor": colours.line,
        "archEdgeArrowColor": colours.line,
        "archEdgeWidth": "1.5",
        "archGroupBorderColor": colours.frame,
        "archGroupBorderWidth": "1px",
    }


def _of_sequences(theme: FigureTheme, colours: Palette) -> Settings:
    return {
        "actorBkg": colours.box,
        "actorBorder": colours.line,
        "actorTextColor": theme.text,
        "actorLineColor": colours.frame,
        "signalColor": colours.line,
        "signalTextColor": theme.text,
        "labelBoxBkgColor": colours.box,
        "labelBoxBorderColor": colours.frame,
        "labelTextColor": theme.text,
        "loopTextColor": theme.text,
        "activationBkgColor": colours.box,
        "activationBorderColor": colours.line,
        "sequenceNumberColor": on(colours.line, theme),
        "rectBkgColor": colours.stripe,
        "noteBkgColor": colours.note,
        "noteBorderColor": colours.frame,
        "noteTextColor": theme.text,
    }


def _of_gantt(theme: FigureTheme, colours: Palette) -> Settings:
    return {
        "sectionBkgColor": colours.box,
        "sectionBkgColor2": colours.box,
        "altSectionBkgColor": theme.background,
        "excludeBkgColor": colours.box,
        "gridColor": colours.grid,
        "taskBkgColor": colours.box,
        "taskBorderColor": colours.line,
        "taskTextColor": theme.text,
        "taskTextOutsideColor": theme.text,
        "taskTextLightColor": theme.text,
        "taskTextDarkColor": theme.text,
        "taskTextClickableColor": theme.text,
        "activeTaskBkgColor": colours.highlight,
        "activeTaskBorderColor": colours.highlight_line,
        "doneTaskBkgColor": mixed(theme.background, colours.line, 0.25),
        "doneTaskBorderColor": colours.line,
        "critBkgColor": colours.warning_line,
        "critBorderColor": colours.warning_line,
        "todayLineColor": colours.warning_line,
        "vertLineColor": colours.line,
    }


def _of_scales(theme: FigureTheme, colours: Palette) -> Settings:
    """Return the colours of sections: of mindmaps, timelines, journeys and boards."""
    scales: Settings = {"scaleLabelColor": theme.text}
    for number, (soft, strong) in enumerate(zip(colours.soft, colours.strong, strict=True)):
        scales |= {
            f"cScale{number}": soft,
            f"cScalePeer{number}": strong,
            f"cScaleInv{number}": strong,
            f"cScaleLabel{number}": theme.text,
        }
    for number in range(8):
        scales[f"fillType{number}"] = colours.soft[number]
    for number in range(5):
        scales |= {f"surface{number}": colours.box, f"surfacePeer{number}": colours.line}
    return scales


def _of_charts(theme: FigureTheme, colours: Palette) -> Settings:
    charts: Settings = {f"pie{number + 1}": colour for number, colour in enumerate(colours.strong)}
    charts |= {f"venn{number + 1}": colour for number, colour in enumerate(colours.strong[:8])}
    for number, ground in enumerate((colours.box, theme.background, colours.box, theme.background)):
        charts |= {f"quadrant{number + 1}Fill": ground, f"quadrant{number + 1}TextFill": colours.quiet}
    return charts | {
        "pieOpacity": "1",
        "pieStrokeColor": theme.background,
        "pieStrokeWidth": "1.5px",
        "pieOuterStrokeWidth": "0px",
        "pieOuterStrokeColor": theme.background,
        "pieTitleTextSize": f"{TITLE}px",
        "pieTitleTextColor": theme.text,
        "pieSectionTextSize": f"{SIZE}px",
        "pieSectionTextColor": theme.text,
        "pieLegendTextSize": f"{SIZE}px",
        "pieLegendTextColor": theme.text,
        "vennTitleTextColor": theme.text,
        "vennSetTextColor": theme.text,
        "quadrantPointFill": colours.strong[0],
        "quadrantPointTextFill": theme.text,
        "quadrantTitleFill": theme.text,
        "quadrantXAxisTextFill": theme.text,
        "quadrantYAxisTextFill": theme.text,
        "quadrantInternalBorderStrokeFill": colours.frame,
        "quadrantExternalBorderStrokeFill": colours.frame,
        "xyChart": {
            "backgroundColor": theme.background,
            "plotColorPalette": ",".join(colours.strong),
            "titleColor": theme.text,
            "dataLabelColor": theme.text,
            "legendTextColor": theme.text,
            **{
                f"{axis}Axis{part}Color": colour
                for axis in "xy"
                for part, colour in (
                    ("Title", theme.text),
                    ("Label", theme.text),
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


def _of_git(theme: FigureTheme, colours: Palette) -> Settings:
    git: Settings = {}
    for number, colour in enumerate(colours.strong[:8]):
        git |= {f"git{number}": colour, f"gitInv{number}": theme.text, f"gitBranchLabel{number}": on(colour, theme)}
    return git | {
        "branchLabelColor": theme.text,
        "commitLabelColor": theme.text,
        "commitLabelBackground": theme.background,
        "commitLabelFontSize": f"{SMALL}px",
        "tagLabelColor": theme.text,
        "tagLabelBackground": colours.box,
        "tagLabelBorder": colours.line,
        "tagLabelFontSize": f"{SMALL}px",
    }
