"""Mermaid's configuration and stylesheets in the theme's colors, from the files of `styles`.

In these, `$line` is a color of the palette, and `$n` the number of one of its `strong` colors.
https://mermaid.js.org/config/theming.html; the author's settings take precedence.
"""

import re
from collections.abc import Mapping
from dataclasses import asdict
from functools import cache, lru_cache
from pathlib import Path
from string import Template
from typing import Any

from mdpublish_core.data_files import filled, read_data
from mdpublish_core.figures.mermaid.palettes import palette, text_color_on, tint
from mdpublish_core.figures.mermaid.text_metrics import measure_in
from mdpublish_core.figures.request import FigureTheme

# Of the line color in a completed task, tried in order until its text is readable.
_DONE_SHARES = (0.25, 0.2, 0.15, 0.1)

FONT_SIZE = 14  # px

TITLE_SIZE = 17  # px

SMALL_SIZE = 12  # px

STATE_WIDTH = 200
"""In px; merman reserves the space, `labels` wraps the text."""

_BRANCH_WIDTHS = (3, 3, 2.5, 2, 1.5)
"""Widths in px of a mindmap's branches, by depth."""

Config = dict[str, Any]

_STYLES = Path(__file__).parent / "styles"
_RULE = re.compile(r"^([^{}\n]+?) *\{ *([^{}]*?) *\}$", re.MULTILINE)


def base_variables(theme: FigureTheme) -> Config:
    """Return the variables from which Mermaid derives others."""
    return {"darkMode": theme.is_dark, **filled(read_data(__file__, "styles/variables.json")["base"], _values(theme))}


def theme_variables(theme: FigureTheme) -> Config:
    values, variables = _values(theme), read_data(__file__, "styles/variables.json")
    config: Config = base_variables(theme) | filled(variables["template"], values)
    for numbered in variables["numbered"]:
        for number in range(numbered["count"]):
            config |= filled(numbered["variables"], values | _numbered_values(theme, number))
    return config


def type_options(theme: FigureTheme) -> Config:
    """Return the options of types of diagrams."""
    return dict(filled(read_data(__file__, "styles/types.json"), _values(theme)))


def rules(name: str, theme: FigureTheme) -> str:
    """Return the rules of a stylesheet, for the one diagram."""
    return _written(name, _values(theme))


def numbered_rules(theme: FigureTheme) -> str:
    numbers = range(len(palette(theme).strong))
    return "".join(_written("numbered.css", _values(theme) | _numbered_values(theme, number)) for number in numbers)


def _written(name: str, values: Mapping[str, Any]) -> str:
    matches = _RULE.findall(Template(_stylesheet(name)).substitute(values))
    return "".join(
        f"#fig {selectors.replace(', ', ',#fig ')}{{{body.replace(': ', ':').replace('; ', ';')}}}"
        for selectors, body in matches
    )


@lru_cache(maxsize=32)
def _values(theme: FigureTheme) -> dict[str, Any]:
    colors = palette(theme)
    return {
        **asdict(colors),
        "background": theme.background,
        "text": theme.text_color,
        "font": theme.font_family,
        "on_line": text_color_on(colors.line, theme),
        "on_warning_line": text_color_on(colors.warning_line, theme),
        "done": tint(colors.line, theme, _DONE_SHARES),
        "first": colors.strong[0],
        "strongs": list(colors.strong),
        "softs": list(colors.soft),
        "palette": ",".join(colors.strong),
        "font_size": FONT_SIZE,
        "title_size": TITLE_SIZE,
        "small_size": SMALL_SIZE,
        "state_width": STATE_WIDTH,
        "stroke": f"{theme.dress.stroke or 1:g}",
        "thick": f"{2 * (theme.dress.stroke or 1):g}",
        "label_box_width": round(measure_in(theme, FONT_SIZE)("critical")) + 12,
    }


def _numbered_values(theme: FigureTheme, number: int) -> dict[str, Any]:
    colors = palette(theme)
    return {
        "n": number,
        "next": number + 1,
        "section": number - 1,
        "strong": colors.strong[number],
        "soft": colors.soft[number],
        "on_strong": text_color_on(colors.strong[number], theme),
        "width": _BRANCH_WIDTHS[min(number, len(_BRANCH_WIDTHS) - 1)],
    }


@cache
def _stylesheet(name: str) -> str:
    return (_STYLES / name).read_text("utf-8")
