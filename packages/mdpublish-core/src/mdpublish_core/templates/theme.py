"""What a theme file may say, and its reading: TOML in, a checked `Template` out.

Every value ends up in a stylesheet, so each is held to a narrow form here; nothing else may reach the CSS.
"""

import re
import tomllib
from dataclasses import dataclass, field, fields
from typing import Any, Literal, cast, get_args

from mdpublish_core.errors import InvalidTheme
from mdpublish_core.templates.stylesheet import variants_of

Category = Literal["free", "business", "academic", "developer", "creative", "dark", "productivity", "special"]

CATEGORIES: tuple[Category, ...] = get_args(Category)

_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_FONT = re.compile(r"[A-Za-z][A-Za-z0-9 -]*")
_COLOUR = re.compile(r"#[0-9a-f]{6}")


@dataclass(frozen=True, slots=True)
class Fonts:
    """Font families by what they are for, each a list in the order of preference that ends in a generic family."""

    body: tuple[str, ...]
    heading: tuple[str, ...]
    mono: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Type:
    """Sizes: `size` in px, `leading` in sizes, `measure` in em, `scale` h1 to h6 in sizes."""

    size: float
    leading: float
    measure: float
    scale: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Variants:
    """Which of its variants each element has; the variants that there are stand in `stylesheets`."""

    h1: str
    paragraph: str
    quote: str
    code: str
    table: str
    rule: str


@dataclass(frozen=True, slots=True)
class Colours:
    """Colour roles of one theme mode, each as `#rrggbb`."""

    background: str
    text: str
    muted: str
    accent: str
    link: str
    surface: str
    rule: str


@dataclass(frozen=True, slots=True)
class Template:
    """A style for documents: who it is, and what its theme file says."""

    id: str
    name: str
    category: Category
    description: str
    fonts: Fonts = field(repr=False)
    type: Type = field(repr=False)
    variants: Variants = field(repr=False)
    light: Colours = field(repr=False)
    dark: Colours = field(repr=False)


# Least and greatest value of each number, which keep a slip of the pen from making an unreadable page.
_RANGES = {"size": (9, 40), "leading": (1.0, 2.5), "measure": (15, 80), "scale": (0.5, 8.0)}


def read_theme(text: str, source: str) -> Template:
    """Read a theme file's text; `source` names it in errors.

    Raises `InvalidTheme` with the key, what is wrong with it, and what is allowed.
    """
    try:
        theme = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InvalidTheme(source, "file", f"not TOML: {error}") from None
    return _ThemeReader(source).template(theme)


class _ThemeReader:
    """Checks the values of one theme file, key by key."""

    def __init__(self, source: str) -> None:
        self._source = source

    def template(self, theme: dict[str, Any]) -> Template:
        tables = ("font", "type", "variants", "light", "dark")
        self._check_keys("", theme, ("id", "name", "category", "description", *tables))
        return Template(
            id=self._matching("id", theme["id"], _ID, "lower-case letters and digits, joined by hyphens"),
            name=self._text("name", theme["name"], 40),
            category=cast("Category", self._one_of("category", theme["category"], CATEGORIES)),
            description=self._text("description", theme["description"], 120),
            fonts=self._fonts(theme["font"]),
            type=self._type(theme["type"]),
            variants=self._variants(theme["variants"]),
            light=self._colours("light", theme["light"]),
            dark=self._colours("dark", theme["dark"]),
        )

    def _fonts(self, table: object) -> Fonts:
        families = self._table("font", table, Fonts)
        return Fonts(**{key: self._font(f"font.{key}", value) for key, value in families.items()})

    def _font(self, key: str, value: object) -> tuple[str, ...]:
        if not isinstance(value, list) or not value:
            raise self._invalid(key, "must be a list of font families")
        return tuple(self._matching(key, family, _FONT, "letters, digits, spaces and hyphens") for family in value)

    def _type(self, table: object) -> Type:
        values = self._table("type", table, Type)
        scale = values.pop("scale")
        if not isinstance(scale, list) or len(scale) != 6:
            raise self._invalid("type.scale", "must be a list of six numbers, for h1 to h6")
        sizes = tuple(self._number("type.scale", "scale", size) for size in scale)
        return Type(scale=sizes, **{key: self._number(f"type.{key}", key, value) for key, value in values.items()})

    def _variants(self, table: object) -> Variants:
        values = self._table("variants", table, Variants)
        return Variants(
            **{key: self._one_of(f"variants.{key}", value, variants_of(key)) for key, value in values.items()}
        )

    def _colours(self, mode: str, table: object) -> Colours:
        values = self._table(mode, table, Colours)
        return Colours(
            **{key: self._matching(f"{mode}.{key}", value, _COLOUR, "#rrggbb") for key, value in values.items()}
        )

    def _table(self, key: str, table: object, form: type[Fonts | Type | Variants | Colours]) -> dict[str, Any]:
        if not isinstance(table, dict):
            raise self._invalid(key, "must be a table")
        self._check_keys(f"{key}.", table, tuple(entry.name for entry in fields(form)))
        return dict(table)

    def _check_keys(self, prefix: str, table: dict[str, Any], keys: tuple[str, ...]) -> None:
        for key in table:
            if key not in keys:
                raise self._invalid(f"{prefix}{key}", f"unknown key; known are: {', '.join(keys)}")
        for key in keys:
            if key not in table:
                raise self._invalid(f"{prefix}{key}", "missing")

    def _text(self, key: str, value: object, longest: int) -> str:
        if not isinstance(value, str) or not 1 <= len(value) <= longest or not value.isprintable():
            raise self._invalid(key, f"must be a line of 1 to {longest} characters")
        return value

    def _matching(self, key: str, value: object, pattern: re.Pattern[str], allowed: str) -> str:
        if not isinstance(value, str) or not pattern.fullmatch(value):
            raise self._invalid(key, f"is {value!r}; allowed: {allowed}")
        return value

    def _one_of(self, key: str, value: object, allowed: tuple[str, ...]) -> str:
        if not isinstance(value, str) or value not in allowed:
            raise self._invalid(key, f"is {value!r}; allowed: {', '.join(allowed)}")
        return value

    def _number(self, key: str, kind: str, value: object) -> float:
        least, greatest = _RANGES[kind]
        if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= greatest:
            raise self._invalid(key, f"is {value!r}; allowed: a number from {least} to {greatest}")
        return value

    def _invalid(self, key: str, problem: str) -> InvalidTheme:
        return InvalidTheme(self._source, key, problem)
