"""Colors and fonts of ZenUML, which knows no theme variables: white panels in a stylesheet of its own."""

from collections.abc import Mapping

from mdpublish_core.figures.mermaid.palettes import palette
from mdpublish_core.figures.request import FigureTheme

_LABELS = (
    *("frame-title", "participant-label", "stereotype-label", "message-label", "return-label", "divider-label"),
    *("fragment-label", "fragment-condition", "fragment-section-label"),
)


def zenuml_rules(theme: FigureTheme) -> Mapping[str, str]:
    """Return declarations by selector."""
    colors = palette(theme)
    font = f"font-family:{theme.font_family}"
    outline = f"stroke:{theme.background};stroke-width:3px;stroke-linejoin:round;paint-order:stroke"
    return {
        ".frame-border-outer,.frame-header-bg,.group-title-bg": f"fill:{theme.background}",
        ".frame-border-inner": f"fill:{theme.background};stroke:{colors.frame};stroke-width:1px",
        ".frame-header-line,.fragment-separator,.divider-line": f"stroke:{colors.frame}",
        ",".join(f".{name}" for name in _LABELS): f"fill:{theme.text_color};{font}",
        ".message-label,.return-label": outline,
        ".participant-box": f"fill:{colors.box};stroke:{colors.line};stroke-width:1px",
        ".participant-icon": f"color:{colors.line}",
        ".lifeline": f"stroke:{colors.frame}",
        ".message-line,.return-line": f"stroke:{colors.line};stroke-width:1.2px",
        ".arrow-head,.arrow-head path": f"fill:{colors.line};stroke:{colors.line}",
        ".return-arrow": f"stroke:{colors.line}",
        ".return-icon": f"fill:{colors.line}",
        ".occurrence": f"fill:{colors.box};stroke:{colors.line};stroke-width:1px",
        ".fragment-border,.group-outline": f"stroke:{colors.frame}",
        ".fragment-header": f"fill:{colors.box}",
        ".divider-bg": f"fill:{colors.note};stroke:{colors.frame}",
        ".comment-text": f"fill:{colors.quiet};opacity:1;{font}",
        ".seq-number": f"fill:{colors.quiet};font-weight:normal;{outline};{font}",
        ".group-title-text": f"fill:{colors.quiet};{font}",
    }
