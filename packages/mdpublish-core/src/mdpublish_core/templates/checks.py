"""What makes a template a good one, as far as it can be told without a browser: each finding with its key and a remedy.

The format is `theme`'s affair: what is checked here is a template that could be read. Every built-in one passes.
"""

import gzip
import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from typing import NamedTuple

from mdpublish_core.figures.colors import MIN_GRAPHICS_CONTRAST, contrast, ensure_contrast
from mdpublish_core.templates.cascade import Computed
from mdpublish_core.templates.colours import CALLOUT_KINDS, CODE_ROLES, Colors, callout_grounds, on_accent
from mdpublish_core.templates.families import DOCS_FAMILIES, LETTER_WIDTHS, WORD_FAMILIES, font_class
from mdpublish_core.templates.matcher import Sheet
from mdpublish_core.templates.overlay import alone_with_cssutils
from mdpublish_core.templates.style import THEME_MODES, ThemeMode, bind, page_css, rules_for, values_of
from mdpublish_core.templates.stylesheet import rules, scoped_css
from mdpublish_core.templates.theme import Template

MOST_CSS_BYTES = 3 * 1024
"""The most that the stylesheet of a page comes to when it is sent, compressed by gzip."""

CHARACTERS = (60, 75)
"""How many characters of a line the eye finds back from."""

# An estimate from mean widths of letters is off by a tenth or so; a browser measures those of the fonts that are there.
_SLACK = 0.12

LEADINGS = (1.45, 1.7)
SCALES = (1.6, 2.8)
LEAST_SIZE = 16
SPACE_RATIO = 1.5
"""How much more space there is above a heading than below."""

# Checks of which a browser has the last word: on pages a title may be larger, and a heading stand beside its text.
_SEEN = {"measure", "phone", "scale", "space"}

_TEXT_ROLES = ("text", "heading", "muted", "link")


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is not well with a template."""

    key: str
    """The key of the theme file that it is about, such as `light.muted`."""

    problem: str
    """What is not well, with the figure and the bound."""

    remedy: str
    """What to do about it."""

    def __str__(self) -> str:
        return f"{self.key}: {self.problem}; {self.remedy}"


class _Ground(NamedTuple):
    """What something is seen on, and the contrast that it has to that at least."""

    name: str
    color: str
    least: float


def findings(template: Template) -> list[Finding]:
    """Return what is not well with a template, in the order of a theme file's keys; none for a good one."""
    return [found for check in _CHECKS for found in check(template)]


def broken_rules(template: Template) -> Iterator[Finding]:
    """Yield the rules of typography that a template breaks, by the keys of `exceptions`, whether it says so or not.

    Those of lines, `measure` and `phone`, are left to who knows the fonts.
    """
    type_ = template.type
    sizes = [heading.font_size / type_.size for heading in _computed(template, *(f"h{level}" for level in range(1, 7)))]
    if type_.size < LEAST_SIZE:
        yield Finding("size", f"text has {type_.size:g} px; at least {LEAST_SIZE}", "make type.size larger")
    if not LEADINGS[0] <= type_.leading <= LEADINGS[1]:
        bounds = f"{LEADINGS[0]} to {LEADINGS[1]}"
        yield Finding("leading", f"is {type_.leading:g}; {bounds} is read best", "change type.leading")
    least, most = type_.leading / 2, type_.leading
    if template.variants.paragraph != "indent" and not least <= type_.rhythm <= most:
        problem = f"paragraphs are {type_.rhythm:g} em apart; half a line to one line is {least:.3g} to {most:.3g}"
        yield Finding("gap", problem, "change type.rhythm, or indent paragraphs")
    if not SCALES[0] <= sizes[0] <= SCALES[1]:
        problem = f"h1 has {sizes[0]:.3g} text sizes; {SCALES[0]} to {SCALES[1]} are told apart and fit"
        yield Finding("scale", problem, "change the first number of type.scale")
    if sizes != sorted(set(sizes), reverse=True):
        yield Finding(
            "scale", f"{sizes} do not fall with every level", "make each number of type.scale less than the last"
        )
    for level, (above, below) in enumerate(_heading_spaces(template), start=1):
        if above < SPACE_RATIO * below:
            problem = (
                f"h{level} has {above:.3g} px above and {below:.3g} below; at least {SPACE_RATIO} times as much above"
            )
            yield Finding("space", problem, f"set the margins of h{level} in css")


def characters_a_line(template: Template) -> float | None:
    """Return about how many characters a line of a standard page holds; None where the letters' width is not known."""
    look = font_class(template.fonts.web.body[0])
    return template.type.measure / LETTER_WIDTHS[look] if look else None


def _typography(template: Template) -> Iterator[Finding]:
    declared = dict(template.exceptions)
    broken = list(broken_rules(template))
    for found in broken:
        if found.key not in declared:
            key = {"gap": "type.rhythm", "space": "css"}.get(found.key, f"type.{found.key}")
            remedy = f"{found.remedy}, or give the reason as exceptions.{found.key}"
            yield Finding(key, found.problem, remedy)
    for name in declared.keys() - {found.key for found in broken} - _SEEN:
        yield Finding(f"exceptions.{name}", "the design does not break this", "take the line out")


def _measure(template: Template) -> Iterator[Finding]:
    characters = characters_a_line(template)
    least, most = CHARACTERS[0] * (1 - _SLACK), CHARACTERS[1] * (1 + _SLACK)
    if characters is None or least <= characters <= most or "measure" in dict(template.exceptions):
        return
    width = template.type.measure / characters
    wanted = f"{CHARACTERS[0] * width:.0f} to {CHARACTERS[1] * width:.0f}"
    yield Finding(
        "type.measure",
        f"a line holds about {characters:.0f} characters; {CHARACTERS[0]} to {CHARACTERS[1]} are read best",
        f"about {wanted} suits {template.fonts.web.body[0]}, or give the reason as exceptions.measure",
    )


def _colors(template: Template) -> Iterator[Finding]:
    for theme_mode in THEME_MODES:
        colors = template.light if theme_mode == "light" else template.dark
        for role, grounds in _grounds(colors, template.contrast).items():
            if pale := _pale(getattr(colors, role), grounds):
                yield Finding(f"{theme_mode}.{role}", *pale)
        for number, color in enumerate(colors.chart, start=1):
            if (found := contrast(color, colors.background)) < MIN_GRAPHICS_CONTRAST:
                problem = f"colour {number}, {color}, has a contrast of {found:.2f} to the background; at least {MIN_GRAPHICS_CONTRAST:g}"
                yield Finding(f"{theme_mode}.chart", problem, "change it, or leave chart out")
        if (found := contrast(on_accent(colors), colors.accent)) < MIN_GRAPHICS_CONTRAST:
            problem = f"neither text nor background can be seen on it: a contrast of {found:.2f}; at least {MIN_GRAPHICS_CONTRAST:g}"
            yield Finding(f"{theme_mode}.accent", problem, "make it lighter or darker")


def _pale(ink: str, grounds: list[_Ground]) -> tuple[str, str] | None:
    """Return where a colour is read worst, and the nearest one that is not; None where it can be read everywhere."""
    worst = min(grounds, key=lambda ground: contrast(ink, ground.color) - ground.least)
    if (found := contrast(ink, worst.color)) >= worst.least:
        return None
    better = ink
    for ground in grounds:
        better = ensure_contrast(better, ground.color, ground.least)
    problem = f"{ink} has a contrast of {found:.2f} to {worst.name} {worst.color}; at least {worst.least:g}"
    return problem, f"{better} is the nearest that does"


def _grounds(colors: Colors, least: float) -> dict[str, list[_Ground]]:
    """Return what each role is seen on."""
    grounds: dict[str, list[_Ground]] = {}
    for role, ground in _pairs(colors, least):
        grounds.setdefault(role, []).append(ground)
    return grounds


def _pairs(colors: Colors, least: float) -> Iterator[tuple[str, _Ground]]:
    """Yield each role with each ground that it is seen on."""
    grounds = {"background": colors.background, "surface": colors.surface}
    tints = callout_grounds(colors, least)
    for name, ground in (*grounds.items(), *((f"the ground of {kind}", tint) for kind, tint in tints.items())):
        for role in _TEXT_ROLES:
            yield role, _Ground(name, ground, least)
    for kind in CALLOUT_KINDS:
        for name, ground in (*grounds.items(), ("its ground", tints[kind])):
            yield kind, _Ground(name, ground, least)
    for role in (*CODE_ROLES, "code_text"):
        yield role, _Ground("code_background", colors.code_background, least)
    yield "text", _Ground("mark", colors.mark, least)
    for role in ("accent", "muted"):  # the muted colour draws the boxes of tasks
        yield role, _Ground("background", colors.background, MIN_GRAPHICS_CONTRAST)


def _fonts(template: Template) -> Iterator[Finding]:
    for program, key, known in (("Google Docs", "docs", DOCS_FAMILIES), ("Word", "word", WORD_FAMILIES)):
        names = getattr(template.fonts, key)
        for entry in fields(names):
            family = getattr(names, entry.name)
            if family not in known:
                problem = f"{family!r} is none of the families that are known to come with {program}"
                yield Finding(f"font.{key}.{entry.name}", problem, "readers without it see another; choose one that is")


def _stylesheet(template: Template) -> Iterator[Finding]:
    size = max(
        len(gzip.compress(page_css(template, theme_mode, "standard", has_fittings=True).encode()))
        for theme_mode in THEME_MODES
    )
    if size > MOST_CSS_BYTES:
        problem = f"a page's stylesheet has {size} bytes when sent; at most {MOST_CSS_BYTES}"
        yield Finding("web_css", problem, "take rules out")


def _dropped(template: Template) -> Iterator[Finding]:
    """Yield what cssutils, a parser of CSS by the book, cannot read of a theme's rules for every destination."""
    import cssutils

    own = scoped_css(rules((), values_of(template, "light"), template.css), bind(template, "light").scope)
    with alone_with_cssutils() as dropped:
        cssutils.CSSParser(fetcher=lambda _url: (None, b""), validate=False, loglevel=logging.WARNING).parseString(own)
    if dropped.first:
        yield Finding("css", f"cannot be read: {dropped.first}", "write it as CSS 2.1 has it")


def _heading_spaces(template: Template) -> Iterator[tuple[float, float]]:
    """Yield the space above and below each level of headings between paragraphs, in px, where margins collapse."""
    for level in range(1, 7):
        before, heading, after = _computed(template, "p", f"h{level}", "p")
        above = max(before.px("margin-bottom"), heading.px("margin-top"))
        yield above, max(heading.px("margin-bottom"), after.px("margin-top"))


def _computed(template: Template, *elements: str, theme_mode: ThemeMode = "light") -> list[Computed]:
    """Return what elements come to that stand one after the other in a document."""
    written = rules_for(template, theme_mode, "web")
    sheet: Sheet[Computed] = Sheet(written, lambda _, declared, parent: Computed.of(declared, parent))
    cursor = sheet.cursor()
    cursor.enter("&")
    found = []
    for element in elements:
        found.append(cursor.enter(element))
        cursor.leave()
    return found


_CHECKS: tuple[Callable[[Template], Iterator[Finding]], ...] = (
    _stylesheet,
    _dropped,
    _fonts,
    _typography,
    _measure,
    _colors,
)
