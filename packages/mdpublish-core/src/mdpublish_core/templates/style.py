"""A template bound to a theme mode: stylesheets and rules.

Precedence: base, variants, web, page frame, theme, print.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, NamedTuple

from mdpublish_core.css.cascade import ComputedValues, computed_values, parse_declarations
from mdpublish_core.css.rules import StyleRule, scoped_css
from mdpublish_core.data_files import read_data
from mdpublish_core.errors import UnknownThemeMode
from mdpublish_core.options.styles import (
    PAGE_THEME_MODES,
    THEME_MODES,
    PageThemeMode,
    PageWidth,
    SiteLayout,
    ThemeMode,
)
from mdpublish_core.strings.lazy_patterns import compile_lazily
from mdpublish_core.templates.colors import Colors, callout_backgrounds, on_accent
from mdpublish_core.templates.slots import document_slots, fragment_slots, page_slots
from mdpublish_core.templates.stylesheet import compile_css, rules
from mdpublish_core.templates.theme import LAYOUTS, MONOSPACE, SERIF, FontStacks, Layout, Template

if TYPE_CHECKING:
    import re
    from collections.abc import Sequence

    from mdpublish_core.figures.request import FigureTheme
    from mdpublish_core.templates.title_sizes import TitleForm

Reader = Literal["web", "email", "docs", "word"]

FigureStyles = Literal["figures", "math"]

DocumentPart = Literal["highlights", "tabs", "labels"]

HeadingMarks = Literal["none", "hashes", "decimal", "roman", "legal"]

# In px, without margins: of a common laptop.
_SCREEN_WIDTH = 1240

# In large windows, relative to the size of text in others; and in px, of templates that are not larger anyway.
_LARGE = 1.125
_MAX_LARGE_SIZE = 20

# Of media queries, in px.
_EM = 16

# Relative to the measure; wide enough for tables and code.
_WIDE = 1.6

# In text sizes, so words of a dozen letters fit.
_MAX_PHONE_H1 = 1.9

# Monospaced fonts look larger.
_CODE_SIZE = 0.88

# Width of a monospaced character, and of a code block's padding, relative to the size of code.
_CODE_CHARACTER, _CODE_PADDING = 0.602, 3.2

# Columns of code that fit on a wide screen: the line length of most formatters.
_CODE_COLUMNS = 80.5

# In paragraph gaps.
_BLOCK_GAPS = 1.5

# Documentation: text in px, its width in em, headings in text sizes.
_DOCS_SIZE, _DOCS_MEASURE, _DOCS_WIDE, _DOCS_SCALE = 16, 44, 54, (2.1, 1.55, 1.22, 1.05, 1.0, 0.9)

_HEAVY_TITLES = ("band", "bar", "box", "double")

_CLASS = compile_lazily(r"\.([a-z][a-z0-9-]*)")

COLOR = compile_lazily("#[0-9a-f]{6}")

# Of page-site.css, in em: the menu, and the window from which on it is beside the page.
_MENU_WIDTH = 17
_MENU_WINDOW = 80

# page-site.css itself has `svw` and `rem`.
_WIDTH_QUERIES = compile_lazily(r"\((m(?:in|ax)-width): ?([0-9.]+)em\)")
_WINDOW_WIDTHS = compile_lazily(r"(?<![\w.])(-?[0-9]*\.?[0-9]+)vw\b")

_VARIABLE = compile_lazily(r"var\(--([a-z_]+)\)")

# Of a theme's rules: one, four sides, selectors of cells, and sides by direction.
_RULE = compile_lazily(r"([^{}]*)\{([^{}]*)\}")
_LENGTH = r"((?:[^\s;()]|\((?:[^()]|\([^()]*\))*\))+)"
_SIDES = compile_lazily(rf"\b(margin|padding): ?{_LENGTH} {_LENGTH} {_LENGTH} {_LENGTH}(?=;|\s*$)")
_CELLS = compile_lazily(r"\bt[hd]\b")
_LOGICAL = tuple(
    (compile_lazily(physical.format(side)), logical.format(name))
    for side, name in (("left", "start"), ("right", "end"))
    for physical, logical in (
        (r"\b(border|margin|padding)-{}(?=:)", r"\1-inline-{}"),
        (r"\btext-align: ?{}\b", "text-align:{}"),
        (r"\bfloat: ?{}\b", "float:inline-{}"),
    )
)

# Stylesheets that depend on the document.
_PARTS = ("highlights", "tabs", "labels", "figures.web", "math.web", "tables.web", "pairs.web")

DARK_SCREEN = "@media screen and (prefers-color-scheme: dark)"
"""Paper is white."""

# The reader's switch is a check box of the body.
_SWITCHED, _NOT_SWITCHED = ":root:has(>body>*>.mode:checked) ", ":root:not(:has(>body>*>.mode:checked)) "

# By the mode in which a page begins: in which media, with the switch in which state, it is dark.
_DARK: dict[PageThemeMode | None, tuple[tuple[str, str], ...]] = {
    None: ((DARK_SCREEN, ""),),
    "light": (("@media screen", _SWITCHED),),
    "dark": (("@media screen", _NOT_SWITCHED),),
    "auto": ((DARK_SCREEN, _NOT_SWITCHED), ("@media screen and (prefers-color-scheme: light)", _SWITCHED)),
}

_HEADING_MARKS: dict[str, HeadingMarks] = {"mark": "hashes", "numbered": "decimal"}


class Style(NamedTuple):
    """A template in one theme mode; `css` is scoped to the class `scope`.

    With `is_adaptive`, `css` has the dark colors too, for readers who prefer them, or, with `begins`, for those who
    switch a page that begins in that mode. With `prints_light`, a dark page's figures have the light colors too, for
    paper. `rule_text` is that of a thematic break (class `rule`), if any.
    """

    template: Template
    theme_mode: ThemeMode
    scope: str
    heading_marks: HeadingMarks
    rule_text: str | None
    is_adaptive: bool = False
    prints_light: bool = False
    begins: PageThemeMode | None = None

    @property
    def page_theme_mode(self) -> PageThemeMode:
        return "auto" if self.is_adaptive else self.theme_mode

    @property
    def css(self) -> str:
        return fragment_css(self.template, self.page_theme_mode)

    @property
    def figure_theme(self) -> FigureTheme:
        return figure_theme(self.template, "light" if self.prints_light else self.theme_mode)

    @property
    def dark_figure_theme(self) -> FigureTheme | None:
        """The other theme of figures that have both."""
        return figure_theme(self.template, "dark") if self.is_adaptive or self.prints_light else None

    @property
    def rules(self) -> tuple[StyleRule, ...]:
        return rules_for(self.template, self.theme_mode, "email")


@lru_cache(maxsize=256)
def bind(template: Template, theme_mode: PageThemeMode) -> Style:
    if theme_mode not in PAGE_THEME_MODES:
        raise UnknownThemeMode(theme_mode, PAGE_THEME_MODES)
    return Style(
        template=template,
        theme_mode="light" if theme_mode == "auto" else theme_mode,
        scope=f"mdpublish-{template.id}-{theme_mode}",
        heading_marks=_heading_marks(template),
        rule_text=template.ornament if template.variants.rule == "asterism" else None,
        is_adaptive=theme_mode == "auto",
    )


@lru_cache(maxsize=256)
def fragment_css(template: Template, theme_mode: PageThemeMode) -> str:
    scope = bind(template, theme_mode).scope
    theme_css = fragment_slots(*map(_for_web, (template.css, template.web_css)))
    css = compile_css(_web_files(template), _web_variables(template, theme_mode), scope, theme_css)
    return f"{_variables_css(template, theme_mode, scope, css)}\n{css}" if theme_mode == "auto" else css


@lru_cache(maxsize=256)
def page_css(
    template: Template,
    theme_mode: PageThemeMode,
    page_width: PageWidth,
    *,
    has_fittings: bool = False,
    layout: SiteLayout | None = None,
    has_user_css: bool = False,
    is_cjk: bool = False,
    has_contents: bool = False,
    begins: PageThemeMode | None = None,
) -> str:
    """Return a page's stylesheet, optionally with `page-fittings.css`, `page-cjk.css`, and a layout's `page-site.css`.

    `has_contents`: it has a table of contents. `begins`: it is `auto`, with links beside headings, and a switch from
    that mode to the other one.

    A dark page is printed in the colors of the light one, or black on white if the user's stylesheet may set colors. A
    page that follows the reader's system has both colors on screen, and is printed in the light ones.
    Raises `UnknownThemeMode`.
    """
    if layout_of(template).full_width == 0:
        page_width = "standard"
    style = bind(template, theme_mode)
    measure = template.type.measure * (_WIDE if page_width == "wide" else 1)
    values = {
        **_page_variables(template, theme_mode),
        "page_width": "none" if page_width == "full" else f"{measure:.4g}em",
        "large_size": f"{_large_size(template)}px",
        **({"theme_mode": "inherit"} if begins else {}),
        "contents_away": f"{template.contents_away:g}px",
        "contents_window": _em(
            template.contents_window + (measure - template.type.measure) * _large_size(template) / _EM
        ),
    }
    for prefix, size in (("", template.type.size), ("large_", _large_size(template))):
        half_page, outset = _outset(template, measure, size)
        values |= {f"{prefix}half_page": half_page, f"{prefix}out": "0px" if page_width == "full" else outset}
    on_screen = {
        "page": True,
        "page-title": True,
        "page-start": not (_is_sheet(template) or _is_title_centered(template)),
        "page-large": _large_size(template) > template.type.size,
        "page-symmetrical": _is_sheet(template) or (layout_of(template).has_two_sides and _is_title_centered(template)),
        "page-sheet": _is_sheet(template),
        "parts.web": has_page_sections(template) and not template.has_sections,
        f"layout-{template.layout}": template.layout is not None,
        "page-cjk": is_cjk,
        "page-fittings": has_fittings,
        "page-copy": has_fittings and layout != "docs",
        "page-fittings-centre": has_fittings and _is_title_centered(template),
        "page-contents": has_contents and _has_room_for_contents(template) and page_width != "full",
        "page-reader": begins is not None,
    }
    on_paper = {
        "page-print": True,
        "page-fittings-print": has_fittings,
        "page-dark-print": theme_mode != "light" and not begins,
        "page-black-print": theme_mode == "dark" and has_user_css,
    }
    files, printed = (tuple(name for name, holds in each.items() if holds) for each in (on_screen, on_paper))
    css = compile_css(
        (*_web_files(template), *files),
        values,
        style.scope,
        page_slots(*map(_for_web, (template.css, template.web_css))),
    )
    framed = compile_css(("page-site", f"page-site-{layout}", "page-site-print"), values, style.scope) if layout else ""
    # Drawings have the ground of the page around words on lines; on paper it is white.
    ground = template.light.background
    whitened = (
        "" if ground == "#ffffff" else f'@media print{{.{style.scope} .drawing [fill*="{ground}"]{{fill:#ffffff}}}}'
    )
    css = "\n".join(filter(None, (css, framed, compile_css(printed, values, style.scope), whitened)))
    return css if theme_mode == "light" else f"{_variables_css(template, theme_mode, style.scope, css, begins)}\n{css}"


@lru_cache(maxsize=256)
def docs_template(template: Template) -> Template:
    """Return a template for documentation: its colors, faces and variants in common sizes, without its drawings."""
    type_ = template.type
    scale = tuple(min(size, limit) for size, limit in zip(type_.scale, _DOCS_SCALE, strict=True))
    sizes = {"size": _DOCS_SIZE, "measure": _DOCS_MEASURE, "wide_measure": _DOCS_WIDE, "full_measure": _DOCS_WIDE}
    variants = template.variants
    if variants.h1 in _HEAVY_TITLES:
        variants = variants._replace(h1="plain")
    return replace(template, web_css="", layout=None, type=type_._replace(scale=scale, **sizes), variants=variants)


def layout_of(template: Template) -> Layout:
    """Return the layout of a template's pages."""
    return LAYOUTS[template.layout] if template.layout else Layout()


def has_page_sections(template: Template) -> bool:
    """Return whether pages have sections, for the theme's own rules or for its layout."""
    return template.has_sections or layout_of(template).has_sections


def _has_room_for_contents(template: Template) -> bool:
    return template.contents_window > 0 and layout_of(template).has_room_for_contents


def _is_sheet(template: Template) -> bool:
    """Return whether the text is on a sheet with room for wide elements on both sides."""
    return layout_of(template).has_two_sides and "--lead" not in template.web_css and "--out" in template.web_css


def _is_title_centered(template: Template) -> bool:
    alignments = [
        declared["text-align"]
        for rule in rules_for(template, "light", "web")
        if "h1" in rule.selectors and "text-align" in (declared := parse_declarations(rule.declarations))
    ]
    return alignments[-1:] == ["center"]


def beside_menu(css: str) -> str:
    """Return a page's stylesheet for what is left of the window beside a menu: its widths become those of that."""

    def widened(query: re.Match[str]) -> str:
        width = float(query[2])
        return f"({query[1]}:{width + _MENU_WIDTH:g}em)" if width > _MENU_WINDOW - _MENU_WIDTH else query[0]

    return _WIDTH_QUERIES.sub(widened, _WINDOW_WIDTHS.sub(r"calc(\1*var(--vw))", css))


def _page_variables(template: Template, theme_mode: PageThemeMode) -> dict[str, str]:
    """Return the values of a page's stylesheet.

    In dark ones, colors are CSS variables, light on paper; in those that follow the reader's system, either on screen.
    """
    if theme_mode == "light":
        return css_variables(template, theme_mode)
    light, dark = (css_variables(template, mode) for mode in THEME_MODES)
    # Roles of equal colors share a variable, in both modes.
    first = {(light[name], dark[name]): name for name in reversed(light)}
    values = {
        name: f"var(--{first[value, dark[name]]})" if COLOR.fullmatch(value) else value for name, value in light.items()
    }
    return {**values, "theme_mode": "light dark" if theme_mode == "auto" else theme_mode}


def _web_variables(template: Template, theme_mode: PageThemeMode, *, is_page: bool = False) -> dict[str, str]:
    """Return the values of a stylesheet, which only on pages is printed in other colors."""
    if is_page or theme_mode == "auto":
        return _page_variables(template, theme_mode)
    return css_variables(template, theme_mode)


def dark_css(rules: Sequence[str], begins: PageThemeMode | None = None) -> str:
    """Return rules of an adaptive style for where it is dark, which is a matter of the switch if a page `begins` so."""
    return "\n".join(
        "\n".join((f"{media}{{", *(f"{state}{rule}" for rule in rules), "}")) for media, state in _DARK[begins]
    )


def _variables_css(
    template: Template, theme_mode: PageThemeMode, scope: str, css: str, begins: PageThemeMode | None = None
) -> str:
    """Define the variables that a stylesheet uses, and those that a document's figures may need."""
    parts = compile_css(_PARTS, _page_variables(template, theme_mode), scope)
    used = {*_VARIABLE.findall(css), *_VARIABLE.findall(parts)}
    light, dark = (
        ";".join(f"--{name}:{value}" for name, value in css_variables(template, mode).items() if name in used)
        for mode in THEME_MODES
    )
    if begins:
        scheme = f":root{{color-scheme:light;{light}}}"
        return f"{scheme}\n{dark_css([f'{{color-scheme:dark;{dark}}}'], begins)}"
    if theme_mode == "auto":
        return f".{scope}{{{light}}}\n{dark_css([f'.{scope}{{{dark}}}'])}"
    return f".{scope}{{{dark}}}\n@media print{{\n.{scope}{{{light}}}\n}}"


def code_columns(template: Template) -> int:
    """Return how many columns of code fit into a standard page's text width."""
    return int((template.type.measure / _code_size(template) - _CODE_PADDING) / _CODE_CHARACTER)


def _large_size(template: Template) -> int:
    """Return the size of text in large windows, in px."""
    size = round(template.type.size)
    return max(size, min(round(size * _LARGE), _MAX_LARGE_SIZE))


def _outset(template: Template, measure: float, size: float) -> tuple[str, str]:
    """Return half a page's width, and how far wide elements extend on each side of it for `_CODE_COLUMNS`."""
    outset = max(0.0, _wide_width(template) - measure) / 2
    # In px: an em is another length in code.
    half_page, outset = (length * size for length in (measure / 2, outset))
    return f"{half_page:.0f}px", f"{outset:.0f}px"


def _wide_width(template: Template) -> float:
    return _code_size(template) * (_CODE_COLUMNS * _CODE_CHARACTER + _CODE_PADDING)


def _code_size(template: Template) -> float:
    return 1 if template.fonts.web.body[-1] == MONOSPACE else _CODE_SIZE


def text_width(template: Template, page_width: PageWidth) -> float:
    """Return the width of a page's text in px, in a window of 1280 px, where tables are no larger than in others."""
    type_ = template.type
    measure = type_.measure * type_.size
    widest = type_.full_measure * type_.size if type_.full_measure else max(measure, layout_of(template).full_width)
    share = {"standard": 1.0, "wide": _WIDE}.get(page_width)
    return widest if share is None else min(widest, measure * share)


def wide_width(template: Template, page_width: PageWidth) -> float:
    """Return the width of tables that are wider than the text, in px, in a window of 1280 px."""
    type_ = template.type
    widest = type_.wide_measure or _wide_width(template)
    return max(text_width(template, page_width), widest * type_.size)


@lru_cache(maxsize=256)
def figure_theme(template: Template, theme_mode: ThemeMode) -> FigureTheme:
    # Late: most documents have no figure.
    from mdpublish_core.figures.dress import FigureDress
    from mdpublish_core.figures.request import FigureTheme

    colors = colors_of(template, theme_mode)
    form = read_data(__file__, "dresses.json")[template.variants.dress]
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
        patterns=template.patterns or tuple(form["patterns"]),
        dress=FigureDress(**{**form["figures"], **dict(template.figures)}),
    )


@lru_cache(maxsize=1024)
def figures_css(
    template: Template, theme_mode: PageThemeMode, kind: FigureStyles, classes: frozenset[str], *, is_page: bool = False
) -> str:
    needed = [
        StyleRule(selectors, rule.declarations, rule.media)
        for rule in rules((f"{kind}.web",), _web_variables(template, theme_mode, is_page=is_page))
        if (selectors := tuple(each for each in rule.selectors if classes.issuperset(_CLASS.findall(each))))
    ]
    return scoped_css(needed, bind(template, theme_mode).scope)


@lru_cache(maxsize=1024)
def table_sizes_css(
    template: Template, theme_mode: PageThemeMode, sizes: frozenset[int], phone_forms: frozenset[str]
) -> str:
    """Return the rules of wide tables, those of smaller type, and those of the forms that tables have on phones."""
    from mdpublish_core.templates.table_sizes import phone_size_rules, size_rules

    values = _web_variables(template, theme_mode)
    theme_css = page_slots(*map(_for_web, (template.css, template.web_css)))
    written = rules(_web_files(template), values, theme_css)
    pairs = ("pairs.web",) if "pairs" in phone_forms else ()
    return scoped_css(
        (
            *size_rules(written, sorted(sizes), min_type_size="12px"),
            *rules(("tables.web", *pairs), values),
            *phone_size_rules(written, phone_forms, "12px"),
        ),
        bind(template, theme_mode).scope,
    )


@lru_cache(maxsize=256)
def title_css(template: Template, theme_mode: PageThemeMode, form: TitleForm) -> str:
    """Return the rules of a page whose title is long."""
    from mdpublish_core.templates.title_sizes import title_rules

    values = _page_variables(template, theme_mode)
    theme_css = page_slots(*map(_for_web, (template.css, template.web_css)))
    written = rules((*_web_files(template), "page-title"), values, theme_css)
    return scoped_css(title_rules(written, form, values["h2_size"]), bind(template, theme_mode).scope)


@lru_cache(maxsize=256)
def part_css(part: DocumentPart, template: Template, theme_mode: PageThemeMode, *, is_page: bool = False) -> str:
    """Return the rules of links on highlights, or of tabs, which few documents have."""
    values = _web_variables(template, theme_mode, is_page=is_page)
    return compile_css((part,), values, bind(template, theme_mode).scope)


@lru_cache(maxsize=256)
def right_to_left_css(template: Template, theme_mode: PageThemeMode) -> str:
    """Return the rules of a page with tables from right to left."""
    return compile_css(("page-rtl",), _web_variables(template, theme_mode), bind(template, theme_mode).scope)


@lru_cache(maxsize=512)
def rules_for(
    template: Template, theme_mode: ThemeMode, reader: Reader, *, has_tables: bool = True
) -> tuple[StyleRule, ...]:
    """Return the rules for a reader. Half of those for emails and documents are of smaller tables."""
    base, *variants = _files(template)
    values = css_variables(template, theme_mode, reader)
    if reader == "web":
        return rules((base, *variants), values, document_slots(template.css))
    written = rules((base, "documents", "highlights", *variants), values, document_slots(template.css))
    if not has_tables:
        return written
    from mdpublish_core.templates.table_sizes import size_rules

    return (*written, *size_rules(written))


def elements_on_page(template: Template, *elements: str) -> list[ComputedValues]:
    """Return the computed values of elements that follow each other on a light page."""
    # Late: output with a stylesheet has no use for selectors.
    from mdpublish_core.css.matcher import CompiledStylesheet

    cursor = CompiledStylesheet(rules_for(template, "light", "web"), computed_values).cursor()
    cursor.enter("&")
    return [cursor.visit(element) for element in elements]


def colors_of(template: Template, theme_mode: ThemeMode) -> Colors:
    return template.light if theme_mode == "light" else template.dark


def h1_size_on_phones(template: Template) -> str:
    return _em(min(template.type.scale[0], _MAX_PHONE_H1))


def css_variables(template: Template, theme_mode: ThemeMode, reader: Reader = "web") -> dict[str, str]:
    colors = colors_of(template, theme_mode)
    roles = colors._asdict()
    del roles["chart"]
    type_ = template.type
    return {
        **roles,
        **{f"{kind}_ground": ground for kind, ground in callout_backgrounds(colors, template.contrast).items()},
        "on_accent": on_accent(colors),
        **_fonts(template, reader),
        **{f"h{level}_size": _em(size) for level, size in enumerate(type_.scale, start=1)},
        "h1_small": h1_size_on_phones(template),
        "code_size": _em(_code_size(template)),
        "size": f"{type_.size:.4g}px",
        "print_size": f"{type_.print_size:.4g}pt",
        "larger": f"{_large_size(template) / type_.size:.4g}",
        "leading": f"{type_.leading:.4g}",
        "measure": _em(type_.measure),
        "rhythm": _em(type_.rhythm),
        "gap": _em(type_.rhythm * _BLOCK_GAPS),
        "weight": str(type_.weight),
        "tracking": _em(type_.tracking),
        "list_mark": template.list_mark,
        "theme_mode": theme_mode,
    }


def figure_width(template: Template, page_width: PageWidth) -> float:
    """Return the width that a page has for a figure on a large screen, in px."""
    measure = template.type.measure * (_WIDE if page_width == "wide" else 1)
    width = max(measure, _wide_width(template)) * template.type.size
    return _SCREEN_WIDTH if page_width == "full" else min(_SCREEN_WIDTH, width)


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
    serif = ("serif.web",) if template.fonts.web.body[-1] == SERIF else ()
    parts = ("parts.web",) if template.has_sections else ()
    return (base, *variants, *serif, "web", *(f"{name}.web" for name in variants), *parts)


def _for_web(css: str) -> str:
    """Return a theme's rules in either direction, with small capitals that keep the figures of their text."""
    # The shorthand resets these.
    return _RULE.sub(_logical, css.replace("font-variant:", "font-variant-caps:"))


def _logical(rule: re.Match[str]) -> str:
    """Return a rule with sides that follow the direction of the text; cells have rules of their own for that."""
    if _CELLS.search(rule[1]):
        return rule[0]
    declarations = _SIDES.sub(r"\1-block:\2 \4;\1-inline:\5 \3", rule[2])
    for pattern, replacement in _LOGICAL:
        declarations = pattern.sub(replacement, declarations)
    return f"{rule[1]}{{{declarations}}}"


def _fonts(template: Template, reader: Reader) -> dict[str, str]:
    fonts = getattr(template.fonts, reader)
    if isinstance(fonts, FontStacks):
        return {f"{purpose}_font": ",".join(map(_quoted, stack)) for purpose, stack in fonts._asdict().items()}
    return {f"{purpose}_font": _quoted(family) for purpose, family in fonts._asdict().items()}


def _quoted(family: str) -> str:
    return f'"{family}"' if " " in family else family


def _em(length: float) -> str:
    return f"{length:.4g}em" if length else "0"
