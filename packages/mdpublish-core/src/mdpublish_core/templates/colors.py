"""Color roles of a template, and defaults for omitted ones."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from mdpublish_core.css.colors import (
    MIN_CHROMA,
    MIN_TEXT_CONTRAST,
    Oklch,
    contrast,
    ensure_contrast,
    from_oklch,
    is_dark,
    mix,
    to_oklch,
)
from mdpublish_core.data_files import read_names

_HUES, _CODE_HUES = (
    {role: float(hue) for role, hue in hues.items()} for hues in read_names(__file__, "hues.tsv").values()
)
CALLOUT_KINDS = tuple(_HUES)
CODE_ROLES = ("comment", "keyword", *_CODE_HUES)

# Maximum shift of code hues towards the accent's, in degrees.
_HARMONY = 15.0

_LIGHTNESS = {False: 0.5, True: 0.78}

# A highlighter.
_MARKER_HUE = 95
_MARKER_SHARES = (0.4, 0.32, 0.24, 0.16, 0.08)

# Minimum chroma, and shares of the callout's color, tried in order until all text is readable.
_TINT_CHROMA = 0.02
_TINTS = (0.11, 0.09, 0.07, 0.05, 0.02)


class Colors(NamedTuple):
    """Color roles of one theme mode, as `#rrggbb`."""

    background: str
    """Page background."""

    text: str
    """Text."""

    muted: str
    """De-emphasized text: quotes, captions, footnotes, level 6 headings, task boxes."""

    accent: str
    """Accents: bars, checked tasks, the focus outline."""

    link: str
    """Links."""

    surface: str
    """Background of code, boxes and alternating rows."""

    rule: str
    """Lines and borders."""

    heading: str
    """Headings (default: `text`)."""

    second: str
    """A second accent, for the theme's own rules (default: `accent`)."""

    mark: str
    """Background of marked text (default: pale yellow)."""

    note: str
    """Note callouts: title, and bar, line or background (default: blue)."""

    tip: str
    """Tip callouts (default: green)."""

    important: str
    """Important callouts (default: purple)."""

    warning: str
    """Warning callouts (default: amber)."""

    caution: str
    """Caution callouts (default: red)."""

    code_background: str
    """Background of code blocks (default: `surface`, or as the `code` variant requires)."""

    code_text: str
    """Code without one of the roles below."""

    comment: str
    """Comments (default: `muted`)."""

    keyword: str
    """Keywords and word operators (default: the accent's hue)."""

    string: str
    """Strings (default: green; like those below, shifted towards the accent)."""

    number: str
    """Numbers (default: orange)."""

    constant: str
    """Constants and symbols (default: pink)."""

    function: str
    """Functions and methods (default: blue)."""

    type: str
    """Types and classes (default: teal)."""

    attribute: str
    """Attributes, properties and decorators (default: yellow)."""

    inserted: str
    """Lines added in diffs (default: green)."""

    deleted: str
    """Lines deleted in diffs (default: red)."""

    chart: tuple[str, ...]
    """List of eight colors for figures (default: the accent, then hues of the other roles)."""


ROLES = Colors._fields
REQUIRED_ROLES = ("background", "text", "muted", "accent", "link", "surface", "rule")


def derive_colors(given: Mapping[str, Any], code_variant: str, min_contrast: float = MIN_TEXT_CONTRAST) -> Colors:
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
    if "chart" not in roles:
        from mdpublish_core.templates.chart_colors import derive_chart_colors

        roles["chart"] = derive_chart_colors(roles)
    return Colors(**roles)


def callout_backgrounds(colors: Colors, min_contrast: float = MIN_TEXT_CONTRAST) -> dict[str, str]:
    """Return backgrounds on which the callouts' text, titles and links are readable."""
    grounds = {}
    for kind in CALLOUT_KINDS:
        ink: str = getattr(colors, kind)
        tints = (_tinted(colors.background, ink, share) for share in _TINTS)
        inks = (ink, colors.text, colors.heading, colors.muted, colors.link)
        grounds[kind] = next((tint for tint in tints if _is_readable_on(tint, inks, min_contrast)), colors.background)
    return grounds


def on_accent(colors: Colors) -> str:
    """Return the background or the text color, whichever is more readable."""
    return max((colors.background, colors.text), key=lambda color: contrast(color, colors.accent))


def _code_background(given: Mapping[str, Any], code_variant: str, min_contrast: float) -> dict[str, str]:
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
    if chroma >= MIN_CHROMA:
        rotation = (towards - hue + 180) % 360 - 180
        hue += max(-_HARMONY, min(_HARMONY, rotation))
    # A muted accent gives muted code.
    return _readable((_lightness(ground), max(0.04, min(0.13, chroma)), hue), (ground,), min_contrast)


def _marker(roles: Mapping[str, str], min_contrast: float) -> str:
    pen = from_oklch((0.9 if not is_dark(roles["background"]) else 0.6, 0.17, _MARKER_HUE))
    tints = (mix(roles["background"], pen, share) for share in _MARKER_SHARES)
    return next((tint for tint in tints if _is_readable_on(tint, (roles["text"],), min_contrast)), roles["surface"])


def _tinted(ground: str, ink: str, share: float) -> str:
    """Tint by hue; plain mixing of blue and yellow would give gray."""
    (lightness, background_chroma, _), (ink_lightness, chroma, hue) = to_oklch(ground), to_oklch(ink)
    if chroma < MIN_CHROMA:
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
