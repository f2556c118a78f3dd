"""Hosted fonts on pages, that of formulas too, with metric-compatible fallbacks that avoid layout shifts."""

from base64 import b64encode
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from mdpublish_core.css.cascade import ComputedValues
from mdpublish_core.errors import InvalidFontUrl
from mdpublish_core.strings.lazy_patterns import compile_lazily
from mdpublish_core.templates.hosted_fonts import (
    FONT_FOLDER,
    HostedFamily,
    HostedStyle,
    MetricOverrides,
    extended_unicode_range,
    formula_font,
    hosted_families,
)
from mdpublish_core.templates.style import elements_on_page
from mdpublish_core.templates.theme import HostedFonts, Template

# Excludes characters with a meaning in CSS or HTML.
_FONT_URL = compile_lazily(r"(?:(?:https?://[A-Za-z0-9.:\[\]-]+)?/|\.{1,2}/)(?:[A-Za-z0-9._~%-]+/)*")

_EXTENDED = compile_lazily("[\u0100-\u024f]")

# A font that arrives after the first paint is kept for the next page, so that no text moves. That of code is shown: it
# is as wide.
_DISPLAY, _SWAP = "font-display:optional", "font-display:swap"

# The measurement used bold fallbacks from this weight.
_BOLD = 600

_CODE_FALLBACK = "Menlo"

# With fonts of the same widths, of other systems.
_FALLBACKS = {
    "Arial": ("Arial", "Liberation Sans"),
    "Times New Roman": ("Times New Roman", "Liberation Serif"),
    "Courier New": ("Courier New", "Liberation Mono"),
    _CODE_FALLBACK: ("Menlo-Regular", "Lucida Console", "DejaVu Sans Mono", "Droid Sans Mono", "Liberation Mono"),
}

# One weight for all, so browsers synthesize none.
_EVERY_WEIGHT = "100 900"


@lru_cache(maxsize=256)
def with_hosted_fonts(template: Template) -> Template:
    stacks = template.fonts.web
    loaded = {
        purpose: _with_hosted_first(family, getattr(stacks, purpose))
        for purpose, family in template.fonts.hosted._asdict().items()
        if family
    }
    return replace(template, fonts=template.fonts._replace(web=stacks._replace(**loaded))) if loaded else template


@lru_cache(maxsize=256)
def font_face_css(template: Template, font_url: str) -> str:
    """Return `@font-face` rules for hosted fonts and fallbacks; raises `InvalidFontUrl`."""
    _check(font_url)
    return "\n".join(chain.from_iterable(_rules(loaded, font_url) for loaded in _loaded(template)))


def font_family_css(family: str, font_url: str) -> str:
    """Return `@font-face` rules for a hosted family, shown in its fallback until loaded; raises `InvalidFontUrl`."""
    _check(font_url)
    return "\n".join(chain.from_iterable(_rules(loaded, font_url) for loaded in _text_styles(family, _SWAP)))


class FontUse(NamedTuple):
    """Which of a template's fonts a document has text for. That of headings, and regular and bold text, it always has."""

    code: bool
    code_blocks: bool
    """Whose words are bold and italic by their kind."""

    italic: bool
    bold_italic: bool
    extended: bool
    elements: frozenset[str]
    """Of those that a theme may set in italics."""

    def has(self, loaded: "_LoadedStyle", hosted: HostedFonts) -> bool:
        style, name = loaded.style, loaded.family.name
        if name == hosted.mono != hosted.body:
            return self.code_blocks or (self.code and style == loaded.family.styles[0])
        is_bold = style.weight >= _BOLD or loaded.weights == _EVERY_WEIGHT
        return not style.is_italic or (self.bold_italic if is_bold else self.italic)


def inline_font_css(template: Template, use: FontUse) -> str:
    """Return `@font-face` rules that hold the fonts which are used."""
    if any(each.get("font-style") == "italic" for each in elements_on_page(template, *sorted(use.elements))):
        use = use._replace(italic=True, bold_italic=True)
    return "\n".join(
        _rule(loaded.family.name, _descriptors(loaded.style, loaded.weights), _data_url(name), unicode_range)
        for loaded in _loaded(template)
        if use.has(loaded, template.fonts.hosted)
        for name, unicode_range in _files(loaded.style)
        if use.extended or not unicode_range
    )


def printed_font_css(template: Template, *, is_extended: bool) -> str:
    """Return `@font-face` rules that hold a template's fonts, their extended files under names of their own.

    In a PDF, two files of one family, weight and slope would be one font with the letters of either.
    """
    return "\n".join(
        _rule(extended_name(family.name) if unicode_range else family.name, _descriptors(style), _data_url(name))
        for family, style, *_ in _loaded(template)
        for name, unicode_range in _files(style)
        if is_extended or not unicode_range
    )


def needs_extended(content: str) -> bool:
    return bool(_EXTENDED.search(content))


def extended_name(family: str) -> str:
    return f"{family} extended"


def formula_font_css(font_url: str) -> str:
    """Return `@font-face` rules for formulas; raises `InvalidFontUrl`."""
    _check(font_url)
    font = formula_font()
    (frequent, _), (rare, unicode_range) = font.parts
    # The last rule wins in its range.
    return "\n".join(
        _rule(font.name, _DISPLAY, f"{font_url}{name}", ending)
        for name, ending in ((frequent, ""), (rare, f";unicode-range:{unicode_range}"))
    )


def preload_formula_font() -> str:
    return formula_font().parts[0][0]


def font_files(template: Template) -> tuple[str, ...]:
    return tuple(name for loaded in _loaded(template) for name in loaded.style.files)


@lru_cache(maxsize=1024)
def preload_fonts(template: Template, elements: tuple[str, ...]) -> tuple[str, ...]:
    """Return the font files of the elements that are seen first, which a browser would request after the first paint."""
    seen = elements_on_page(with_hosted_fonts(template), *elements)
    return tuple(dict.fromkeys(file for each in seen if (file := _file_of(each, template))))


def _file_of(element: ComputedValues, template: Template) -> str | None:
    family = (element.get("font-family") or "").partition(",")[0].strip('"')
    weight, is_italic = int(element.get("font-weight") or 400), element.get("font-style") == "italic"
    styles = (each.style for each in _loaded(template) if each.family.name == family)
    nearest = min(styles, key=lambda style: (style.is_italic != is_italic, abs(style.weight - weight)), default=None)
    return nearest.latin if nearest else None


def _check(font_url: str) -> None:
    if not _FONT_URL.fullmatch(font_url):
        raise InvalidFontUrl(font_url)


class _LoadedStyle(NamedTuple):
    family: HostedFamily
    style: HostedStyle
    weights: str
    overrides: MetricOverrides
    display: str = _DISPLAY


def _loaded(template: Template) -> Iterator[_LoadedStyle]:
    hosted = template.fonts.hosted
    if hosted.body:
        yield from _text_styles(hosted.body)
    if hosted.heading and hosted.heading not in (hosted.body, hosted.mono):
        yield from _heading_styles(hosted.heading, template)
    if hosted.mono and hosted.mono != hosted.body:
        yield from _text_styles(hosted.mono, _SWAP)


def _text_styles(name: str, display: str = _DISPLAY) -> Iterator[_LoadedStyle]:
    family = hosted_families()[name]
    for style in family.styles:
        yield _LoadedStyle(family, style, str(style.weight), style.mixed_case, display)


def _heading_styles(name: str, template: Template) -> Iterator[_LoadedStyle]:
    family = hosted_families()[name]
    weights = {style.weight for style in family.styles}
    nearest = min(weights, key=lambda weight: (abs(weight - template.type.weight), -weight))
    in_capitals = _has_capitals(template)
    for style in family.styles:
        if style.weight == nearest:
            yield _LoadedStyle(family, style, _EVERY_WEIGHT, style.all_caps if in_capitals else style.mixed_case)


def _has_capitals(template: Template) -> bool:
    """Check h1, whose lines are the shortest."""
    (heading,) = elements_on_page(template, "h1")
    return heading.get("text-transform") == "uppercase" or heading.get("font-variant") == "small-caps"


def _rules(loaded: _LoadedStyle, font_url: str) -> Iterator[str]:
    family, style, weights, overrides, display = loaded
    descriptors = _descriptors(style, weights)
    for name, unicode_range in _files(style):
        yield _rule(family.name, f"{descriptors};{display}", f"{font_url}{name}", unicode_range)
    if _is_synthesized(family, style):
        return
    yield (
        f'@font-face{{font-family:"{_fallback_name(family.name)}";{descriptors};src:{_local(family, style)};'
        f"size-adjust:{overrides.size_adjust:g}%;ascent-override:{overrides.ascent:g}%;descent-override:{overrides.descent:g}%;"
        f"line-gap-override:{overrides.line_gap:g}%}}"
    )


def _rule(family: str, descriptors: str, url: str, unicode_range: str = "") -> str:
    return f'@font-face{{font-family:"{family}";{descriptors};src:url("{url}")format("woff2"){unicode_range}}}'


def _descriptors(style: HostedStyle, weights: object = None) -> str:
    return f"font-style:{'italic' if style.is_italic else 'normal'};font-weight:{weights or style.weight}"


def _files(style: HostedStyle) -> Iterator[tuple[str, str]]:
    """Return the files of a style, each with the end of its rule: the range of what is extended."""
    return zip(style.files, ("", f";unicode-range:{extended_unicode_range()}"), strict=False)


def _data_url(name: str) -> str:
    return f"data:font/woff2;base64,{b64encode((FONT_FOLDER / name).read_bytes()).decode()}"


def _is_synthesized(family: HostedFamily, style: HostedStyle) -> bool:
    """Whether browsers synthesize a style of a fallback: several code fonts have but one, as wide in every style."""
    return family.fallback == _CODE_FALLBACK and style != family.styles[0]


def _local(family: HostedFamily, style: HostedStyle) -> str:
    ending = " Bold" * (style.weight >= _BOLD) + " Italic" * style.is_italic
    return ",".join(f'local("{name}{ending}")' for name in _FALLBACKS[family.fallback])


def _with_hosted_first(family: str, stack: tuple[str, ...]) -> tuple[str, ...]:
    led = (family, _fallback_name(family))
    return (*led, *(name for name in stack if name not in led))


def _fallback_name(family: str) -> str:
    return f"{family} fallback"
