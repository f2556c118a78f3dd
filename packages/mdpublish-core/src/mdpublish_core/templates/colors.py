"""The colours of a template: its roles, and what those are that a theme leaves to be derived."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from mdpublish_core.figures.colors import (
    MIN_GRAPHICS_CONTRAST,
    MIN_TEXT_CONTRAST,
    Oklch,
    contrast,
    ensure_contrast,
    from_oklch,
    is_dark,
    mix,
    to_oklch,
)

CALLOUT_KINDS = ("note", "tip", "important", "warning", "caution")
CODE_ROLES = (
    *("comment", "keyword", "string", "number", "constant", "function", "type", "attribute", "inserted", "deleted"),
)

# What the kinds of callouts, and roles in code, mean to most readers as a hue; a keyword has the template's own.
_HUES: Mapping[str, float] = {"note": 255, "tip": 150, "important": 305, "warning": 70, "caution": 25}
_CODE_HUES: Mapping[str, float] = {
    "string": 145,
    "number": 60,
    "constant": 345,
    "function": 265,
    "type": 200,
    "attribute": 85,
    "inserted": 150,
    "deleted": 25,
}

# How far a hue of code is turned towards that of the accent, so that the two look like one palette.
_HARMONY = 15.0

# Below this chroma a colour is a grey, whose hue means nothing.
_GREY = 0.03

# Lightness of a derived colour on a light ground and on a dark one: readable there, and far from the text's own.
_LIGHTNESS = {False: 0.5, True: 0.78}

# Two kinds of lightness for charts, on a light ground and on a dark one, so that neighbouring hues differ in both.
_CHART_LIGHTNESS = {False: (0.63, 0.44), True: (0.64, 0.82)}
_CHART_CHROMA = 0.14
_CHART_HUES = (0, 180, 90, 270, 45, 225, 135, 315)

# The hue and strength of a marker pen.
_MARKER_HUE = 95
_MARKER_SHARES = (0.4, 0.32, 0.24, 0.16, 0.08)

# The ground of a callout: the least chroma with which its hue is seen, and shares of the kind's colour in it, tried from
# the strongest down until all text can be read.
_TINT_CHROMA = 0.02
_TINTS = (0.11, 0.09, 0.07, 0.05, 0.02)


@dataclass(frozen=True, slots=True)
class Colors:
    """Colour roles of one theme mode, each as `#rrggbb`: what each colours, and what it is where a theme leaves it out."""

    background: str
    """The page."""

    text: str
    """The text."""

    muted: str
    """What steps back: quotes, captions, footnotes, the sixth level of headings, the boxes of tasks."""

    accent: str
    """The one thing that stands out: bars, ticked tasks, the focus outline."""

    link: str
    """Links."""

    surface: str
    """The ground of code, of boxes, of every other row."""

    rule: str
    """Lines between things."""

    heading: str
    """Headings; the text's colour where it is left out."""

    second: str
    """A second thing that stands out, in rules of a theme's own; the accent."""

    mark: str
    """The ground of marked text; a pale yellow."""

    note: str
    """The callout of this kind: its title, and its bar, line or ground; a blue."""

    tip: str
    """The callout of this kind; a green."""

    important: str
    """The callout of this kind; a purple."""

    warning: str
    """The callout of this kind; an amber."""

    caution: str
    """The callout of this kind; a red."""

    code_background: str
    """The ground of blocks of code; the surface, or what the variant of `code` needs."""

    code_text: str
    """Code that has none of the roles below."""

    comment: str
    """Comments; the muted colour."""

    keyword: str
    """Keywords and operators that are words; the hue of the accent."""

    string: str
    """Strings; a green, as all below turned a little towards the accent, and as strong as that."""

    number: str
    """Numbers; an orange."""

    constant: str
    """Constants and symbols; a pink."""

    function: str
    """Names of functions and methods; a blue."""

    type: str
    """Names of types and classes; a teal."""

    attribute: str
    """Attributes, properties and decorators; a yellow."""

    inserted: str
    """Lines that a diff adds; a green."""

    deleted: str
    """Lines that a diff takes away; a red."""

    chart: tuple[str, ...]
    """A list of eight colours for figures; the accent, and hues around it that are told apart."""


ROLES = tuple(entry.name for entry in fields(Colors))
REQUIRED_ROLES = ("background", "text", "muted", "accent", "link", "surface", "rule")
CHART_COLORS = 8


def derive_colors(given: Mapping[str, Any], code_variant: str, min_contrast: float = MIN_TEXT_CONTRAST) -> Colors:
    """Return all roles of a theme mode from those that its file gives.

    `given` holds at least the required roles, `chart` as a tuple; `code_variant` says what blocks of code stand on, and
    `min_contrast` which contrast text has to what it stands on.
    """
    roles = {
        "heading": given["text"],
        "second": given["accent"],
        **_code_background(given, code_variant, min_contrast),
        **given,
    }
    grounds = (roles["background"], roles["surface"])
    accent = to_oklch(roles["accent"])
    for kind, hue in _HUES.items():
        if kind not in roles:
            roles[kind] = _readable((_lightness(grounds[0]), 0.13, hue), grounds, min_contrast)
    for role, hue in {"keyword": accent[2], **_CODE_HUES}.items():
        if role not in roles:
            roles[role] = _code_color(hue, accent, roles["code_background"], min_contrast)
    roles.setdefault("comment", ensure_contrast(roles["muted"], roles["code_background"], min_contrast))
    roles.setdefault("mark", _marker(roles, min_contrast))
    roles.setdefault("chart", _chart(roles["accent"], roles["background"]))
    return Colors(**roles)


def callout_backgrounds(colors: Colors, min_contrast: float = MIN_TEXT_CONTRAST) -> dict[str, str]:
    """Return the tinted ground of each kind of callout, on which its own colour, text, muted text and links can be read.

    `min_contrast` is the contrast that they have to it.
    """
    grounds = {}
    for kind in CALLOUT_KINDS:
        ink: str = getattr(colors, kind)
        tints = (_tinted(colors.background, ink, share) for share in _TINTS)
        inks = (ink, colors.text, colors.heading, colors.muted, colors.link)
        grounds[kind] = next((tint for tint in tints if _is_readable_on(tint, inks, min_contrast)), colors.background)
    return grounds


def on_accent(colors: Colors) -> str:
    """Return which of the background and the text is read better on the accent."""
    return max((colors.background, colors.text), key=lambda color: contrast(color, colors.accent))


def _code_background(given: Mapping[str, Any], code_variant: str, min_contrast: float) -> dict[str, str]:
    """Return the ground and the text of blocks of code, where the theme gives neither."""
    if "code_background" in given:
        ground = given["code_background"]
    elif code_variant == "inverse" and not is_dark(given["background"]):
        ground = given["text"]
    elif code_variant == "inverse":
        ground = mix(given["background"], "#000000", 0.5)
    else:
        ground = given["background" if code_variant == "bare" else "surface"]
    fits = contrast(given["text"], ground) >= min_contrast
    return {"code_background": ground, "code_text": given["text"] if fits else given["background"]}


def _code_color(hue: float, accent: Oklch, ground: str, min_contrast: float) -> str:
    _, chroma, towards = accent
    if chroma >= _GREY:
        rotation = (towards - hue + 180) % 360 - 180
        hue += max(-_HARMONY, min(_HARMONY, rotation))
    # The quieter the accent, the quieter the code.
    return _readable((_lightness(ground), max(0.04, min(0.13, chroma)), hue), (ground,), min_contrast)


def _chart(accent: str, background: str) -> tuple[str, ...]:
    lightness, chroma, hue = to_oklch(accent)
    if chroma < _GREY:
        hue = _HUES["note"]
    first, second = _CHART_LIGHTNESS[is_dark(background)]
    # The accent itself comes first; its neighbours in hue get the lightness that is further from its own.
    odd, even = (first, second) if abs(lightness - first) > abs(lightness - second) else (second, first)
    others = (
        (odd if rotation % 90 else even, max(_CHART_CHROMA, chroma * 0.8), hue + rotation)
        for rotation in _CHART_HUES
        if rotation
    )
    return tuple(
        ensure_contrast(color, background, MIN_GRAPHICS_CONTRAST) for color in (accent, *map(from_oklch, others))
    )


def _marker(roles: Mapping[str, str], min_contrast: float) -> str:
    pen = from_oklch((0.9 if not is_dark(roles["background"]) else 0.6, 0.17, _MARKER_HUE))
    tints = (mix(roles["background"], pen, share) for share in _MARKER_SHARES)
    return next((tint for tint in tints if _is_readable_on(tint, (roles["text"],), min_contrast)), roles["surface"])


def _tinted(ground: str, ink: str, share: float) -> str:
    """Return a ground with the hue of `ink`; mixed with it, a blue ground and a yellow ink would make grey."""
    (lightness, background_chroma, _), (ink_lightness, chroma, hue) = to_oklch(ground), to_oklch(ink)
    if chroma < _GREY:
        return mix(ground, ink, share)
    return from_oklch(
        (
            lightness + (ink_lightness - lightness) * share,
            max(background_chroma, _TINT_CHROMA, 1.8 * chroma * share),
            hue,
        )
    )


def _readable(color: Oklch, grounds: Iterable[str], min_contrast: float) -> str:
    result = from_oklch(color)
    for ground in grounds:
        result = ensure_contrast(result, ground, min_contrast)
    return result


def _is_readable_on(ground: str, written: Iterable[str], min_contrast: float) -> bool:
    return all(contrast(color, ground) >= min_contrast for color in written)


def _lightness(ground: str) -> float:
    return _LIGHTNESS[is_dark(ground)]
