"""Figures and formulas in light and dark, by the reader's theme mode or on paper: their colors in each."""

from collections.abc import Iterator

from mdpublish_core.css.colors import MIN_TEXT_CONTRAST, ensure_contrast
from mdpublish_core.figures.request import FigureTheme
from mdpublish_core.figures.results import RenderedFigures
from mdpublish_core.strings.lazy_patterns import compile_lazily
from mdpublish_core.templates import Style, dark_css

_COLOR = compile_lazily("#[0-9a-f]{6}")

# Colors of formulas are an author's. Those on a background of their own are readable in any mode.
_FORMULA = 'math [mathcolor="{}"]:not(.ground,.ground *)'


def figure_modes_css(figures: RenderedFigures, style: Style) -> str:
    """Return the rules of figures that are light or dark; none if the style has one theme mode."""
    dark, scope = style.dark_figure_theme, style.scope
    if dark is None:
        return ""
    # Sanitizing SVG needs lxml.
    from mdpublish_core.figures.svg import DARK_ONLY, LIGHT_ONLY, mode_variables

    markup = list(_markup(figures))
    variables = sorted(mode_variables(markup).items())
    written, on_screen = (
        [f".{scope} {rule}" for rule in rules] for rules in _formula_rules(figures, style.figure_theme, dark)
    )
    if variables:
        in_light, in_dark = (";".join(f"{name}:{values[mode]}" for name, values in variables) for mode in (0, 1))
        written.append(f".{scope}{{{in_light}}}")
        on_screen.append(f".{scope}{{{in_dark}}}")
    if any(DARK_ONLY in part for part in markup):
        on_screen.append(f".{scope}{{{LIGHT_ONLY}:none;{DARK_ONLY}:inline}}")
    if on_screen and style.is_adaptive:
        written.append(dark_css(on_screen, style.begins))
    elif on_screen:
        written += ["@media screen{", *on_screen, "}"]
    return "\n".join(written)


def _markup(figures: RenderedFigures) -> Iterator[str]:
    for rendered in (*(each for _, _, each in figures.figures.values()), *figures.narrow.values()):
        if rendered.svg:
            yield from (value for _, value in rendered.svg.attributes)
            yield from rendered.svg.parts


def _formula_rules(figures: RenderedFigures, light: FigureTheme, dark: FigureTheme) -> tuple[list[str], list[str]]:
    """Return the rules of both modes; those of the dark one outrank the others."""
    formulas = {id(formula): formula for formula in figures.formulas.values()}.values()
    written = {element.get("mathcolor") or "" for formula in formulas for element in formula.root.iter()}
    both: tuple[list[str], list[str]] = ([], [])
    for color in sorted(filter(_COLOR.fullmatch, written)):
        shown = color
        for rules, theme in zip(both, (light, dark), strict=True):
            readable = ensure_contrast(color, theme.background, MIN_TEXT_CONTRAST)
            if readable != shown:
                rules.append(f"{_FORMULA.format(color)}{{color:{readable}}}")
                shown = readable
    return both
