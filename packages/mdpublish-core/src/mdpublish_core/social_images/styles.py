"""A template's style on a card, from its rules for emails, which have only plain values."""

import re
from dataclasses import dataclass
from functools import lru_cache

from mdpublish_core.css.cascade import SIDES, Border, ComputedValues, computed_values
from mdpublish_core.css.matcher import CompiledStylesheet
from mdpublish_core.errors import UnknownThemeMode
from mdpublish_core.figures.fonts import FaceStyle
from mdpublish_core.social_images.faces import name_face, title_faces
from mdpublish_core.templates import THEME_MODES, Template, ThemeMode, bind
from mdpublish_core.templates.colors import Colors, callout_backgrounds
from mdpublish_core.templates.theme import Variants

_COLOR = re.compile("#[0-9a-f]{6}")

_MAX_GROWTH = 2.6

_BOLD = 600


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadingStyle:
    """Computed style of h1; lengths in px on the page."""

    color: str
    ground: str | None
    font_size: float
    leading: float
    tracking: float
    """Letter spacing in em."""

    weight: int
    is_centred: bool
    is_italic: bool
    caps: str
    """`upper`, `lower`, `small` or empty."""

    mark: str
    mark_color: str
    borders: tuple[Border | None, ...]
    """Top, right, bottom, left."""

    padding: tuple[float, ...]
    """Top, right, bottom, left."""

    @property
    def is_bold(self) -> bool:
        return self.weight >= _BOLD

    def growth(self, size: float) -> float:
        return min(size / self.font_size, _MAX_GROWTH)


@dataclass(frozen=True, slots=True, kw_only=True)
class CardStyle:
    """A template's style on a card."""

    heading: HeadingStyle
    faces: tuple[FaceStyle, ...]
    """Of titles: the first that has a title's letters is used."""

    name_face: FaceStyle
    colors: Colors
    tint: str
    """Background of a note callout."""

    emblem: tuple[tuple[str, str], ...]
    """Colors and paths."""

    variants: Variants
    ornament: str
    """Empty for variants that draw a line or dots."""

    ornament_color: str


@lru_cache(maxsize=256)
def card_style(template: Template, theme_mode: ThemeMode) -> CardStyle:
    if theme_mode not in THEME_MODES:
        raise UnknownThemeMode(theme_mode, THEME_MODES)
    style = bind(template, theme_mode)
    colors = template.light if theme_mode == "light" else template.dark
    cursor = CompiledStylesheet(style.rules, computed_values).cursor()
    document = cursor.enter("&")
    if template.emblem:
        # Not the first element: its rules for the title of mails stand in for an ornament.
        cursor.enter("p")
        cursor.leave()
    heading = cursor.enter("h1")
    mark_color = cursor.enter("span.heading-mark").get("color")
    cursor.leave()
    cursor.leave()
    fonts = template.fonts.email
    is_text = fonts.body != fonts.heading and heading.get("font-family") == document.get("font-family")
    ornament_color = cursor.enter("p.rule").get("color")
    return CardStyle(
        heading=(heading_style := _heading_style(heading, style.heading_marks, mark_color, colors)),
        faces=title_faces(template, heading_style.weight, is_text=is_text),
        name_face=name_face(template),
        colors=colors,
        tint=callout_backgrounds(colors)["note"],
        emblem=tuple((_emblem_color(color, colors), path) for color, path in template.emblem),
        variants=template.variants,
        ornament=style.rule_text or "",
        ornament_color=_color_or(ornament_color, colors.muted),
    )


def _emblem_color(color: str, colors: Colors) -> str:
    return str(getattr(colors, color[1:])) if color.startswith("$") else color


def _heading_style(heading: ComputedValues, marks: str, mark_color: str, colors: Colors) -> HeadingStyle:
    ground = heading.get("background-color")
    return HeadingStyle(
        color=_color_or(heading.get("color"), colors.heading),
        ground=ground if _COLOR.fullmatch(ground) else None,
        font_size=heading.font_size,
        leading=float(heading.get("line-height")),
        tracking=heading.px("letter-spacing") / heading.font_size,
        weight=int(heading.get("font-weight")),
        is_centred=heading.get("text-align") == "center",
        is_italic=heading.get("font-style") == "italic",
        caps=_caps(heading),
        mark="#" if marks == "hashes" else "",  # titles have no section number
        mark_color=_color_or(mark_color, colors.muted),
        borders=tuple(map(heading.border, SIDES)),
        padding=tuple(heading.px(f"padding-{side}") for side in SIDES),
    )


def _caps(heading: ComputedValues) -> str:
    case = {"uppercase": "upper", "lowercase": "lower"}.get(heading.get("text-transform"), "")
    return case or ("small" if heading.get("font-variant") == "small-caps" else "")


def _color_or(value: str, otherwise: str) -> str:
    return value if _COLOR.fullmatch(value) else otherwise
