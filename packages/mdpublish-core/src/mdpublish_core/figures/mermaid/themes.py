"""Mermaid's theme variables, from the theme's colors.

https://mermaid.js.org/config/theming.html; the author's settings take precedence.
"""

from mdpublish_core.figures.mermaid.palettes import Palette, palette, text_color_on, tint
from mdpublish_core.figures.request import FigureTheme

# Of the line color in a completed task, tried in order until its text is readable.
_DONE_SHARES = (0.25, 0.2, 0.15, 0.1)

FONT_SIZE = 14  # px

TITLE_SIZE = 17  # px

SMALL_SIZE = 12  # px

Config = dict[str, object]


def theme_variables(theme: FigureTheme) -> Config:
    colors = palette(theme)
    return {
        **base_variables(theme, colors),
        **_of_nodes(theme, colors),
        **_of_sequences(theme, colors),
        **_of_gantt(theme, colors),
        **_of_scales(theme, colors),
        **_of_charts(theme, colors),
        **_of_git(theme, colors),
    }


def base_variables(theme: FigureTheme, colors: Palette) -> Config:
    """Return the variables from which Mermaid derives others."""
    return {
        "darkMode": theme.is_dark,
        "background": theme.background,
        "fontFamily": theme.font_family,
        "fontSize": f"{FONT_SIZE}px",
        "useGradient": False,
        "dropShadow": "none",
        "strokeWidth": 1,
        "primaryColor": colors.box,
        "primaryTextColor": theme.text_color,
        "primaryBorderColor": colors.line,
        "secondaryColor": colors.highlight,
        "secondaryTextColor": theme.text_color,
        "secondaryBorderColor": colors.highlight_line,
        "tertiaryColor": colors.stripe,
        "tertiaryTextColor": theme.text_color,
        "tertiaryBorderColor": colors.frame,
        "lineColor": colors.line,
        "textColor": theme.text_color,
        "titleColor": theme.text_color,
        "errorBkgColor": colors.warning,
        "errorTextColor": theme.text_color,
    }


def _of_nodes(theme: FigureTheme, colors: Palette) -> Config:
    """Return what Mermaid would derive otherwise; it takes borders and texts of nodes and states from the base variables."""
    return {
        "arrowheadColor": colors.line,
        "edgeLabelBackground": theme.background,
        "clusterBkg": theme.background,
        "labelBackgroundColor": theme.background,
        "altBackground": theme.background,
        "specialStateColor": theme.text_color,
        "innerEndBackground": theme.text_color,
        "rowOdd": theme.background,
        "rowEven": colors.box,
        "attributeBackgroundColorOdd": theme.background,
        "attributeBackgroundColorEven": colors.box,
        "requirementBackground": colors.box,
        "requirementBorderColor": colors.line,
        "requirementTextColor": theme.text_color,
        "relationColor": colors.line,
        "relationLabelBackground": theme.background,
        "relationLabelColor": theme.text_color,
        "personBkg": colors.box,
        "personBorder": colors.line,
        "archEdgeColor": colors.line,
        "archEdgeArrowColor": colors.line,
        "archEdgeWidth": "1.5",
        "archGroupBorderColor": colors.frame,
        "archGroupBorderWidth": "1px",
    }


def _of_sequences(theme: FigureTheme, colors: Palette) -> Config:
    return {
        "actorBkg": colors.box,
        "actorBorder": colors.line,
        "actorTextColor": theme.text_color,
        "actorLineColor": colors.frame,
        "signalColor": colors.line,
        "signalTextColor": theme.text_color,
        "labelBoxBkgColor": colors.box,
        "labelBoxBorderColor": colors.frame,
        "labelTextColor": theme.text_color,
        "loopTextColor": theme.text_color,
        "activationBkgColor": colors.box,
        "activationBorderColor": colors.line,
        "sequenceNumberColor": text_color_on(colors.line, theme),
        "rectBkgColor": colors.stripe,
        "noteBkgColor": colors.note,
        "noteBorderColor": colors.frame,
        "noteTextColor": theme.text_color,
    }


def _of_gantt(theme: FigureTheme, colors: Palette) -> Config:
    return {
        "sectionBkgColor": colors.box,
        "sectionBkgColor2": colors.box,
        "altSectionBkgColor": theme.background,
        "excludeBkgColor": colors.box,
        "gridColor": colors.grid,
        "taskBkgColor": colors.box,
        "taskBorderColor": colors.line,
        "taskTextColor": theme.text_color,
        "taskTextOutsideColor": theme.text_color,
        "taskTextLightColor": theme.text_color,
        "taskTextDarkColor": theme.text_color,
        "taskTextClickableColor": theme.text_color,
        "activeTaskBkgColor": colors.highlight,
        "activeTaskBorderColor": colors.highlight_line,
        "doneTaskBkgColor": tint(colors.line, theme, _DONE_SHARES),
        "doneTaskBorderColor": colors.line,
        "critBkgColor": colors.warning_line,
        "critBorderColor": colors.warning_line,
        "todayLineColor": colors.warning_line,
        "vertLineColor": colors.line,
    }


def _of_scales(theme: FigureTheme, colors: Palette) -> Config:
    """Return the colors of mindmaps, timelines, journeys and kanban boards."""
    scales: Config = {"scaleLabelColor": theme.text_color}
    for number, (soft, strong) in enumerate(zip(colors.soft, colors.strong, strict=True)):
        scales |= {
            f"cScale{number}": soft,
            f"cScalePeer{number}": strong,
            f"cScaleInv{number}": strong,
            f"cScaleLabel{number}": theme.text_color,
        }
    for number in range(8):
        scales[f"fillType{number}"] = colors.soft[number]
    for number in range(5):
        scales |= {f"surface{number}": colors.box, f"surfacePeer{number}": colors.line}
    return scales


def _of_charts(theme: FigureTheme, colors: Palette) -> Config:
    charts: Config = {f"pie{number + 1}": color for number, color in enumerate(colors.strong)}
    charts |= {f"venn{number + 1}": color for number, color in enumerate(colors.strong[:8])}
    for number, background in enumerate((colors.box, theme.background, colors.box, theme.background)):
        charts |= {f"quadrant{number + 1}Fill": background, f"quadrant{number + 1}TextFill": colors.quiet}
    return charts | {
        "pieOpacity": "1",
        "pieStrokeColor": theme.background,
        "pieStrokeWidth": "1.5px",
        "pieOuterStrokeWidth": "0px",
        "pieOuterStrokeColor": theme.background,
        "pieTitleTextSize": f"{TITLE_SIZE}px",
        "pieTitleTextColor": theme.text_color,
        "pieSectionTextSize": f"{FONT_SIZE}px",
        "pieSectionTextColor": theme.text_color,
        "pieLegendTextSize": f"{FONT_SIZE}px",
        "pieLegendTextColor": theme.text_color,
        "vennTitleTextColor": theme.text_color,
        "vennSetTextColor": theme.text_color,
        "quadrantPointFill": colors.strong[0],
        "quadrantPointTextFill": theme.text_color,
        "quadrantTitleFill": theme.text_color,
        "quadrantXAxisTextFill": theme.text_color,
        "quadrantYAxisTextFill": theme.text_color,
        "quadrantInternalBorderStrokeFill": colors.frame,
        "quadrantExternalBorderStrokeFill": colors.frame,
        "xyChart": {
            "backgroundColor": theme.background,
            "plotColorPalette": ",".join(colors.strong),
            "titleColor": theme.text_color,
            "dataLabelColor": theme.text_color,
            "legendTextColor": theme.text_color,
            **{
                f"{axis}Axis{part}Color": color
                for axis in "xy"
                for part, color in (
                    ("Title", theme.text_color),
                    ("Label", theme.text_color),
                    ("Tick", colors.line),
                    ("Line", colors.line),
                )
            },
        },
        "radar": {
            "axisColor": colors.line,
            "graticuleColor": colors.frame,
            "graticuleOpacity": 0.15,
            "curveOpacity": 0.25,
        },
    }


def _of_git(theme: FigureTheme, colors: Palette) -> Config:
    git: Config = {}
    for number, color in enumerate(colors.strong[:8]):
        git |= {
            f"git{number}": color,
            f"gitInv{number}": theme.text_color,
            f"gitBranchLabel{number}": text_color_on(color, theme),
        }
    return git | {
        "branchLabelColor": theme.text_color,
        "commitLabelColor": theme.text_color,
        "commitLabelBackground": theme.background,
        "commitLabelFontSize": f"{SMALL_SIZE}px",
        "tagLabelColor": theme.text_color,
        "tagLabelBackground": colors.box,
        "tagLabelBorder": colors.line,
        "tagLabelFontSize": f"{SMALL_SIZE}px",
    }
