"""A template bound to a theme mode: the stylesheet that a fragment or a page carries."""

from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Literal, get_args

from mdpublish_core.errors import UnknownPageWidth, UnknownThemeMode
from mdpublish_core.templates.stylesheet import compiled
from mdpublish_core.templates.theme import Template

ThemeMode = Literal["light", "dark"]

THEME_MODES: tuple[ThemeMode, ...] = get_args(ThemeMode)

PageWidth = Literal["standard", "wide", "full"]

PAGE_WIDTHS: tuple[PageWidth, ...] = get_args(PageWidth)

# How much wider than the template's measure a wide page is: room for tables and code, yet text that can be read.
_WIDE = 1.6


@dataclass(frozen=True, slots=True)
class Style:
    """The rules of one template in one theme mode; each is under the class `scope`."""

    template: Template
    theme_mode: ThemeMode
    scope: str
    css: str


@lru_cache(maxsize=256)
def bind(template: Template, theme_mode: ThemeMode) -> Style:
    """Return the style of a fragment; raises `UnknownThemeMode`."""
    if theme_mode not in THEME_MODES:
        raise UnknownThemeMode(theme_mode, THEME_MODES)
    scope = f"mdpublish-{template.id}-{theme_mode}"
    return Style(template, theme_mode, scope, compiled(_files(template), _values(template, theme_mode), scope))


@lru_cache(maxsize=256)
def page_css(template: Template, theme_mode: ThemeMode, page_width: PageWidth) -> str:
    """Return the rules of a whole page, its frame included; raises `UnknownThemeMode` and `UnknownPageWidth`."""
    if page_width not in PAGE_WIDTHS:
        raise UnknownPageWidth(page_width, PAGE_WIDTHS)
    style = bind(template, theme_mode)
    measure = template.type.measure
    widths = {"standard": f"{measure}em", "wide": f"{measure * _WIDE:.4g}em", "full": "none"}
    values = {**_values(template, theme_mode), "page_width": widths[page_width]}
    return f"{style.css}\n{compiled(('page',), values, style.scope)}"


def _files(template: Template) -> tuple[str, ...]:
    return ("base", *(f"{element}-{variant}" for element, variant in asdict(template.variants).items()))


def _values(template: Template, theme_mode: ThemeMode) -> dict[str, str]:
    """Return what the `$names` of the stylesheets stand for."""
    colours = template.light if theme_mode == "light" else template.dark
    fonts = asdict(template.fonts)
    sizes = {f"h{level}_size": f"{size:.4g}em" for level, size in enumerate(template.type.scale, start=1)}
    return {
        **asdict(colours),
        **sizes,
        **{f"{role}_font": ",".join(_quoted(family) for family in families) for role, families in fonts.items()},
        "size": f"{template.type.size:.4g}px",
        "leading": f"{template.type.leading:.4g}",
        "theme_mode": theme_mode,
    }


def _quoted(family: str) -> str:
    return f'"{family}"' if " " in family else family
