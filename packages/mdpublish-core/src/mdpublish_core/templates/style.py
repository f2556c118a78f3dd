"""A template bound to a theme mode: stylesheets and rules.

Precedence: base, variants, web, page frame, theme, print.
"""

import re
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from typing import Literal, get_args

from mdpublish_core.errors import UnknownPageWidth, UnknownThemeMode
from mdpublish_core.figures.request import MONOSPACE, FigureTheme
from mdpublish_core.templates.colors import callout_backgrounds, on_accent
from mdpublish_core.templates.stylesheet import Rule, compile_css, rules, scoped_css
from mdpublish_core.templates.theme import FontStacks, Template

ThemeMode = Literal["light", "dark"]

THEME_MODES: tuple[ThemeMode, ...] = get_args(ThemeMode)

PageWidth = Literal["standard", "wide", "full"]

PAGE_WIDTHS: tuple[PageWidth, ...] = get_args(PageWidth)

Reader = Literal["web", "email", "docs", "word"]

FigureStyles = Literal["figures", "math"]

HeadingMarks = Literal["none", "hashes", "decimal", "roman", "legal"]

# Relative to the measure; wide enough for tables and code.
_WIDE = 1.6

# In text sizes, so words of a dozen letters fit.
_MAX_PHONE_H1 = 1.9

# Monospaced fonts look larger.
_CODE_SIZE = 0.88

# In paragraph gaps.
_BLOCK_GAPS = 1.5

_CLASS = re.compile(r"\.([a-z][a-z0-9-]*)")

_HEADING_MARKS: dict[str, HeadingMarks] = {"mark": "hashes", "numbered": "decimal"}


@dataclass(frozen=True, slots=True)
class Style:
    """A template in one theme mode; `css` is scoped to the class `scope`.

    `rule_text` is written for a thematic break (class `rule`), None for a plain rule.
    """

    template: Template
    theme_mode: ThemeMode
    scope: str
    heading_marks: HeadingMarks = field(compare=False)
    rule_text: str | None = field(compare=False)

    @property
    def css(self) -> str:
        return fragment_css(self.template, self.theme_mode)

    @property
    def figure_theme(self) -> FigureTheme:
        return figure_theme(self.template, self.theme_mode)

    @property
    def rules(self) -> tuple[Rule, ...]:
        return rules_for(self.template, self.theme_mode, "email")


@lru_cache(maxsize=256)
def bind(template: Template, theme_mode: ThemeMode) -> Style:
    if theme_mode not in THEME_MODES:
        raise UnknownThemeMode(theme_mode, THEME_MODES)
    return Style(
        template=template,
        theme_mode=theme_mode,
        scope=f"mdpublish-{template.id}-{theme_mode}",
        heading_marks=_heading_marks(template),
        rule_text=template.ornament if template.variants.rule == "asterism" else None,
    )


@lru_cache(maxsize=256)
def fragment_css(template: Template, theme_mode: ThemeMode) -> str:
    scope = bind(template, theme_mode).scope
    return compile_css(_web_files(template), css_variables(template, theme_mode), scope, _theme_css(template))


@lru_cache(maxsize=256)
def page_css(template: Template, theme_mode: ThemeMode, page_width: PageWidth, *, has_fittings: bool = False) -> str:
    """Return a page's stylesheet, optionally with `page-fittings.css`.

    Raises `UnknownThemeMode` and `UnknownPageWidth`.
    """
    if page_width not in PAGE_WIDTHS:
        raise UnknownPageWidth(page_width, PAGE_WIDTHS)
    style = bind(template, theme_mode)
    measure = template.type.measure
    widths = {"standard": f"{measure}em", "wide": f"{measure * _WIDE:.4g}em", "full": "none"}
    values = {**css_variables(template, theme_mode), "page_width": widths[page_width]}
    on_screen = {
        "page": True,
        "page-fittings": has_fittings,
        "page-fittings-centre": has_fittings and template.variants.h1 == "centre",
    }
    on_paper = {"page-print": True, "page-fittings-print": has_fittings, "page-dark": theme_mode == "dark"}
    files, printed = (tuple(name for name, holds in each.items() if holds) for each in (on_screen, on_paper))
    css = compile_css((*_web_files(template), *files), values, style.scope, _theme_css(template))
    return f"{css}\n{compile_css(printed, values, style.scope)}"


@lru_cache(maxsize=256)
def figure_theme(template: Template, theme_mode: ThemeMode) -> FigureTheme:
    colors = template.light if theme_mode == "light" else template.dark
    return FigureTheme(
        background=colors.background,
        text_color=colors.text,
        muted=colors.muted,
        accent=colors.accent,
        surface=colors.surface,
        rule=colors.rule,
        series=colors.chart,
        font=template.fonts.web.body,
        is_dark=theme_mode == "dark",
    )


@lru_cache(maxsize=1024)
def figures_css(template: Template, theme_mode: ThemeMode, kind: FigureStyles, classes: frozenset[str]) -> str:
    needed = [
        Rule(selectors, rule.declarations, rule.media)
        for rule in rules((f"{kind}.web",), css_variables(template, theme_mode))
        if (selectors := tuple(each for each in rule.selectors if classes.issuperset(_CLASS.findall(each))))
    ]
    return scoped_css(needed, bind(template, theme_mode).scope)


@lru_cache(maxsize=512)
def rules_for(template: Template, theme_mode: ThemeMode, reader: Reader) -> tuple[Rule, ...]:
    base, *variants = _files(template)
    files = (base, *variants) if reader == "web" else (base, "documents", *variants)
    return rules(files, css_variables(template, theme_mode, reader), template.css)


def css_variables(template: Template, theme_mode: ThemeMode, reader: Reader = "web") -> dict[str, str]:
    colors = template.light if theme_mode == "light" else template.dark
    roles = asdict(colors)
    del roles["chart"]
    type_ = template.type
    monospaced = template.fonts.web.body[-1] == MONOSPACE
    return {
        **roles,
        **{f"{kind}_ground": ground for kind, ground in callout_backgrounds(colors, template.contrast).items()},
        "on_accent": on_accent(colors),
        **_fonts(template, reader),
        **{f"h{level}_size": _em(size) for level, size in enumerate(type_.scale, start=1)},
        "h1_small": _em(min(type_.scale[0], _MAX_PHONE_H1)),
        "code_size": _em(1 if monospaced else _CODE_SIZE),
        "size": f"{type_.size:.4g}px",
        "leading": f"{type_.leading:.4g}",
        "measure": _em(type_.measure),
        "rhythm": _em(type_.rhythm),
        "gap": _em(type_.rhythm * _BLOCK_GAPS),
        "weight": str(type_.weight),
        "tracking": _em(type_.tracking),
        "list_mark": template.list_mark,
        "theme_mode": theme_mode,
    }


def _heading_marks(template: Template) -> HeadingMarks:
    if template.numbering != "none":
        return template.numbering
    return _HEADING_MARKS.get(template.variants.h1, "none")


def _files(template: Template) -> tuple[str, ...]:
    numbering = () if template.numbering == "none" else ("numbering",)
    variants = (f"{element}-{variant}" for element, variant in template.variants.named().items())
    return ("base", *numbering, *variants)


def _web_files(template: Template) -> tuple[str, ...]:
    base, *variants = _files(template)
    parts = ("parts.web",) if template.has_sections else ()
    return (base, *variants, "web", *(f"{name}.web" for name in variants), *parts)


def _theme_css(template: Template) -> str:
    return f"{template.css}\n{template.web_css}"


def _fonts(template: Template, reader: Reader) -> dict[str, str]:
    fonts = getattr(template.fonts, reader)
    if isinstance(fonts, FontStacks):
        return {f"{purpose}_font": ",".join(map(_quoted, stack)) for purpose, stack in asdict(fonts).items()}
    return {f"{purpose}_font": _quoted(family) for purpose, family in asdict(fonts).items()}


def _quoted(family: str) -> str:
    return f'"{family}"' if " " in family else family


def _em(length: float) -> str:
    return f"{length:.4g}em" if length else "0"
