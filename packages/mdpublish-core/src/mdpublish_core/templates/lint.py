"""Theme lint: quality checks that need no browser. Every built-in template passes."""

import gzip
import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from mdpublish_core.css.colors import MIN_GRAPHICS_CONTRAST, contrast, ensure_contrast
from mdpublish_core.css.rules import scoped_css
from mdpublish_core.options.styles import THEME_MODES
from mdpublish_core.templates.chart_colors import (
    MAX_ROLE_DISTANCE,
    MIN_DISTANCE,
    MIN_NEIGHBOR_DISTANCE,
    close_neighbors,
    equal_series,
    role_distance,
)
from mdpublish_core.templates.colors import CALLOUT_KINDS, CODE_ROLES, ROLES, Colors, callout_backgrounds, on_accent
from mdpublish_core.templates.cssutils_log import exclusive_cssutils
from mdpublish_core.templates.font_families import DOCS_FAMILIES, MEAN_CHARACTER_WIDTHS, WORD_FAMILIES, font_class
from mdpublish_core.templates.slot_lint import slot_findings
from mdpublish_core.templates.style import bind, css_variables, elements_on_page, page_css, rules_for
from mdpublish_core.templates.stylesheet import rules
from mdpublish_core.templates.theme import SLOT_RULES, TYPOGRAPHY_RULES, Template

MAX_CSS_BYTES = 6000
"""Size of a page's stylesheet with gzip. A dark one has the colors for paper, too."""

LINE_CHARACTERS = (62, 68)

# Estimated from mean character widths.
_TOLERANCE = 0.12

LEADING_RANGE = (1.45, 1.7)
SCALE_RANGE = (1.6, 2.8)
MIN_FONT_SIZE = 16
MIN_SPACE_RATIO = 1.5
"""Space above headings relative to that below."""

# Checks that need a browser on pages.
_BROWSER_RULES = {"measure", "phone", "scale", "space"}

_TEXT_ROLES = ("text", "heading", "muted", "link")


@dataclass(frozen=True, slots=True)
class Finding:
    """A problem of a template."""

    key: str

    problem: str

    remedy: str

    def __str__(self) -> str:
        return f"{self.key}: {self.problem}; {self.remedy}"


class _Background(NamedTuple):
    name: str
    color: str
    min_contrast: float


def lint_template(template: Template, source: str | None = None) -> list[Finding]:
    """Return all findings; with the file's content, `source`, those about CSS rules have its lines."""
    findings = [finding for check in _CHECKS for finding in check(template)]
    return [*findings, *_slots(template, source)]


def inlining_findings(template: Template) -> Iterator[Finding]:
    """Yield a finding if premailer, which takes a fifth of a second, applies the rules to emails in another way."""
    from mdpublish_core.templates.independent_inlining import differences

    if elements := differences(rules_for(template, "light", "email")):
        problem = f"premailer finds other styles for {', '.join(elements)}"
        yield Finding("css", problem, "write each property once for an element, without !important")


def typography_violations(template: Template) -> Iterator[Finding]:
    """Yield violated rules, declared or not; `measure` and `phone` need the fonts."""
    type_ = template.type
    sizes = [
        heading.font_size / type_.size
        for heading in elements_on_page(template, *(f"h{level}" for level in range(1, 7)))
    ]
    if type_.size < MIN_FONT_SIZE:
        yield Finding("size", f"text has {type_.size:g} px; at least {MIN_FONT_SIZE}", "increase type.size")
    if not LEADING_RANGE[0] <= type_.leading <= LEADING_RANGE[1]:
        bounds = f"{LEADING_RANGE[0]} to {LEADING_RANGE[1]}"
        yield Finding("leading", f"is {type_.leading:g}; recommended: {bounds}", "change type.leading")
    low, high = type_.leading / 2, type_.leading
    if template.variants.paragraph != "indent" and not low <= type_.rhythm <= high:
        problem = (
            f"paragraphs are {type_.rhythm:g} em apart; recommended: {low:.3g} to {high:.3g} (half a line to a line)"
        )
        yield Finding("gap", problem, "change type.rhythm, or indent paragraphs")
    if not SCALE_RANGE[0] <= sizes[0] <= SCALE_RANGE[1]:
        problem = f"h1 has {sizes[0]:.3g} text sizes; recommended: {SCALE_RANGE[0]} to {SCALE_RANGE[1]}"
        yield Finding("scale", problem, "change the first number of type.scale")
    if sizes != sorted(set(sizes), reverse=True):
        yield Finding(
            "scale",
            f"{sizes} do not decrease with every level",
            "make each number of type.scale less than the one before",
        )
    for level, (above, below) in enumerate(_heading_spaces(template), start=1):
        if above < MIN_SPACE_RATIO * below:
            problem = f"h{level} has {above:.3g} px above and {below:.3g} px below; at least {MIN_SPACE_RATIO} times as much above"
            yield Finding("space", problem, f"set the margins of h{level} in css")


def characters_per_line(template: Template) -> float | None:
    family_class = font_class(template.fonts.web.body[0])
    return template.type.measure / MEAN_CHARACTER_WIDTHS[family_class] if family_class else None


def _typography(template: Template) -> Iterator[Finding]:
    declared = dict(template.exceptions)
    broken = list(typography_violations(template))
    for finding in broken:
        if finding.key not in declared:
            key = {"gap": "type.rhythm", "space": "css"}.get(finding.key, f"type.{finding.key}")
            remedy = f"{finding.remedy}, or give the reason as exceptions.{finding.key}"
            yield Finding(key, finding.problem, remedy)
    for name in (declared.keys() & TYPOGRAPHY_RULES.keys()) - {finding.key for finding in broken} - _BROWSER_RULES:
        yield Finding(f"exceptions.{name}", "the template passes this check", "remove the line")


def _slots(template: Template, source: str | None) -> Iterator[Finding]:
    declared = dict(template.exceptions)
    broken = list(slot_findings(template, source))
    for finding in broken:
        if finding.check not in declared:
            key = finding.key if finding.line is None else f"{finding.key}, line {finding.line}"
            yield Finding(key, finding.problem, f"{finding.remedy}, or give the reason as exceptions.{finding.check}")
    for name in (declared.keys() & SLOT_RULES.keys()) - {finding.check for finding in broken}:
        yield Finding(f"exceptions.{name}", "the template passes this check", "remove the line")


def _measure(template: Template) -> Iterator[Finding]:
    characters = characters_per_line(template)
    low, high = LINE_CHARACTERS[0] * (1 - _TOLERANCE), LINE_CHARACTERS[1] * (1 + _TOLERANCE)
    if characters is None or low <= characters <= high or "measure" in dict(template.exceptions):
        return
    width = template.type.measure / characters
    suggested = f"{LINE_CHARACTERS[0] * width:.0f} to {LINE_CHARACTERS[1] * width:.0f}"
    yield Finding(
        "type.measure",
        f"a line holds about {characters:.0f} characters; recommended: {LINE_CHARACTERS[0]} to {LINE_CHARACTERS[1]}",
        f"use about {suggested} with {template.fonts.web.body[0]}, or give the reason as exceptions.measure",
    )


def _colors(template: Template) -> Iterator[Finding]:
    for theme_mode in THEME_MODES:
        colors = template.light if theme_mode == "light" else template.dark
        for role, backgrounds in _backgrounds(colors, template.contrast).items():
            if fault := _low_contrast(getattr(colors, role), backgrounds):
                yield Finding(f"{theme_mode}.{role}", *fault)
        if (ratio := contrast(on_accent(colors), colors.accent)) < MIN_GRAPHICS_CONTRAST:
            problem = f"has a contrast of {ratio:.2f} to both text and background; at least {MIN_GRAPHICS_CONTRAST:g}"
            yield Finding(f"{theme_mode}.accent", problem, "make it lighter or darker")


def _chart(template: Template) -> Iterator[Finding]:
    for theme_mode in THEME_MODES:
        colors, key = (template.light if theme_mode == "light" else template.dark), f"{theme_mode}.chart"
        roles = [getattr(colors, role) for role in ROLES if role != "chart"]
        chart, patterns = colors.chart, template.patterns
        for number, color in enumerate(chart, start=1):
            if (ratio := contrast(color, colors.background)) < MIN_GRAPHICS_CONTRAST:
                problem = f"color {number}, {color}, has a contrast of {ratio:.2f} to the background; at least {MIN_GRAPHICS_CONTRAST:g}"
                better = ensure_contrast(color, colors.background, MIN_GRAPHICS_CONTRAST)
                yield Finding(key, problem, f"the nearest that passes is {better}")
        for number, distance in close_neighbors(chart, patterns):
            problem = (
                f"colors {number} and {number + 1}, {chart[number - 1]} and {chart[number]}, are {distance:.3f} apart "
                f"in OKLab, for the color blind if not for all; at least {MIN_NEIGHBOR_DISTANCE:g}"
            )
            yield Finding(key, problem, "make one of them lighter or darker, change the order, or set patterns")
        for first, second in equal_series(chart, patterns):
            problem = f"colors {first} and {second}, {chart[first - 1]} and {chart[second - 1]}, look alike"
            yield Finding(key, problem, f"use colors at least {MIN_DISTANCE:g} apart in OKLab, or set patterns")
        if (distance := role_distance(chart, roles)) > MAX_ROLE_DISTANCE:
            problem = (
                f"colors are {distance:.3f} from the nearest of the theme's other colors, on average, in OKLab; "
                f"at most {MAX_ROLE_DISTANCE:g}"
            )
            yield Finding(key, problem, "use hues of the other roles, or omit chart to have them derived")


def _low_contrast(ink: str, backgrounds: list[_Background]) -> tuple[str, str] | None:
    """Return the worst contrast and the nearest readable color, or None."""
    worst = min(backgrounds, key=lambda ground: contrast(ink, ground.color) - ground.min_contrast)
    if (ratio := contrast(ink, worst.color)) >= worst.min_contrast:
        return None
    better = ink
    for ground in backgrounds:
        better = ensure_contrast(better, ground.color, ground.min_contrast)
    problem = f"{ink} has a contrast of {ratio:.2f} to {worst.name} {worst.color}; at least {worst.min_contrast:g}"
    return problem, f"the nearest that passes is {better}"


def _backgrounds(colors: Colors, min_contrast: float) -> dict[str, list[_Background]]:
    backgrounds: dict[str, list[_Background]] = {}
    for role, ground in _role_backgrounds(colors, min_contrast):
        backgrounds.setdefault(role, []).append(ground)
    return backgrounds


def _role_backgrounds(colors: Colors, min_contrast: float) -> Iterator[tuple[str, _Background]]:
    grounds = {"background": colors.background, "surface": colors.surface}
    tints = callout_backgrounds(colors, min_contrast)
    for name, ground in (*grounds.items(), *((f"the background of {kind}", tint) for kind, tint in tints.items())):
        for role in _TEXT_ROLES:
            yield role, _Background(name, ground, min_contrast)
    for kind in CALLOUT_KINDS:
        for name, ground in (*grounds.items(), ("its background", tints[kind])):
            yield kind, _Background(name, ground, min_contrast)
    for role in (*CODE_ROLES, "code_text"):
        yield role, _Background("code_background", colors.code_background, min_contrast)
    yield "text", _Background("mark", colors.mark, min_contrast)
    for role in ("accent", "muted"):  # also draws task boxes
        yield role, _Background("background", colors.background, MIN_GRAPHICS_CONTRAST)


def _fonts(template: Template) -> Iterator[Finding]:
    for program, key, known in (("Google Docs", "docs", DOCS_FAMILIES), ("Word", "word", WORD_FAMILIES)):
        names = getattr(template.fonts, key)
        for purpose, family in names._asdict().items():
            if family not in known:
                problem = f"{family!r} is not known to come with {program}"
                yield Finding(f"font.{key}.{purpose}", problem, "choose one that is; readers without it see another")


def _stylesheet(template: Template) -> Iterator[Finding]:
    size = max(
        len(gzip.compress(page_css(template, theme_mode, "standard", has_fittings=True).encode()))
        for theme_mode in THEME_MODES
    )
    if size > MAX_CSS_BYTES:
        problem = f"a page's stylesheet has {size} bytes after gzip; at most {MAX_CSS_BYTES}"
        yield Finding("web_css", problem, "remove rules")


def _unreadable_css(template: Template) -> Iterator[Finding]:
    css = scoped_css(rules((), css_variables(template, "light"), template.css), bind(template, "light").scope)
    with exclusive_cssutils() as errors:
        import cssutils

        cssutils.CSSParser(fetcher=lambda _url: (None, b""), validate=False, loglevel=logging.WARNING).parseString(css)
    if errors:
        yield Finding("css", f"cannot be parsed: {errors[0].getMessage()}", "use the syntax of CSS 2.1")


def _heading_spaces(template: Template) -> Iterator[tuple[float, float]]:
    for level in range(1, 7):
        before, heading, after = elements_on_page(template, "p", f"h{level}", "p")
        above = max(before.px("margin-bottom"), heading.px("margin-top"))
        yield above, max(heading.px("margin-bottom"), after.px("margin-top"))


_CHECKS: tuple[Callable[[Template], Iterator[Finding]], ...] = (
    _stylesheet,
    _unreadable_css,
    _fonts,
    _typography,
    _measure,
    _colors,
    _chart,
)
