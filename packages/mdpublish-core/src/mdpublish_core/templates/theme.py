"""What a theme file may say, and its reading: TOML in, a checked `Template` out.

Every value ends up in a stylesheet, so each is held to a narrow form here; nothing else may reach the CSS. What colours
it leaves out `colours` derives, and its own rules `own_rules` checks.
"""

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from typing import Any, Literal, cast, get_args

from mdpublish_core.errors import InvalidTheme
from mdpublish_core.templates.colours import CHART_COLOURS, REQUIRED_ROLES, ROLES, Colours, derived
from mdpublish_core.templates.own_rules import MOST_BYTES, problem_of_css, problem_of_web_css
from mdpublish_core.templates.stylesheet import variants_of

__all__ = ["CATEGORIES", "CHECKS", "Category", "Colours", "Fonts", "Names", "Stacks", "Template", "Type", "Variants"]

Category = Literal["free", "business", "academic", "developer", "creative", "dark", "productivity", "special"]

CATEGORIES: tuple[Category, ...] = get_args(Category)

CHECKS = {
    "size": "text of 16 px or more",
    "leading": "a leading of 1.45 to 1.7",
    "measure": "60 to 75 characters on a line of a standard page",
    "phone": "30 characters or more on a line of a telephone 320 px wide",
    "gap": "half a line to one line between paragraphs, or an indent",
    "scale": "h1 of 1.6 to 2.8 text sizes, and every level smaller than the one before",
    "space": "more space above a heading than below, half as much again or more",
}
"""The checks of good typography that a theme may say it breaks, and why."""

MOST_FILE_BYTES = 4096
"""The most that a theme file has: what needs more is a stylesheet."""

GENERIC_FAMILIES = ("serif", "sans-serif", "monospace", "cursive", "fantasy", "system-ui")

_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_FONT = re.compile(r"-?[A-Za-z][A-Za-z0-9 -]*")
_COLOUR = re.compile(r"#[0-9a-f]{6}")
_ORNAMENT = re.compile(r"[^<>&\x00-\x1f]{1,12}")


@dataclass(frozen=True, slots=True)
class Stacks:
    """Font families by what they are for, each a list in the order of preference that ends in a generic family."""

    body: tuple[str, ...]
    heading: tuple[str, ...]
    mono: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Names:
    """One font family for each purpose, by the name that it has in a certain program."""

    body: str
    heading: str
    mono: str


@dataclass(frozen=True, slots=True)
class Fonts:
    """The fonts of web pages, and those to ask for in mails, Google Docs and Word."""

    web: Stacks
    email: Stacks
    docs: Names
    word: Names


@dataclass(frozen=True, slots=True)
class Type:
    """Sizes and distances; each number is within its `RANGES`."""

    size: float
    """The text's size in px."""

    leading: float
    """The line height in text sizes."""

    measure: float
    """The width of a standard page in em."""

    rhythm: float
    """The gap between paragraphs in em; other blocks stand half as much again apart."""

    scale: tuple[float, ...]
    """Six sizes, of h1 to h6, in text sizes."""

    weight: int
    """The weight of headings, in hundreds."""

    tracking: float
    """What the letters of headings are set apart in em."""


@dataclass(frozen=True, slots=True)
class Variants:
    """Which of its variants each element has; the variants that there are stand in `stylesheets`."""

    h1: str
    paragraph: str
    quote: str
    callout: str
    code: str
    table: str
    rule: str
    list: str


@dataclass(frozen=True, slots=True)
class Template:
    """A style for documents: who it is, and what its theme file says."""

    id: str
    """What it is asked for by."""

    name: str
    """What people call it."""

    category: Category
    """The category it is listed under."""

    description: str
    """What it looks like, and what it is good for, in one line."""

    fonts: Fonts = field(repr=False)
    """Its fonts, by reader."""

    type: Type = field(repr=False)
    """Its sizes and distances."""

    variants: Variants = field(repr=False)
    """The form of each element."""

    light: Colours = field(repr=False)
    """Its colours in the light theme mode."""

    dark: Colours = field(repr=False)
    """Its colours in the dark theme mode."""

    ornament: str = field(default="* * *", repr=False)
    """The text that stands for a rule of the variant `asterism`."""

    css: str = field(default="", repr=False)
    """Rules of its own, for every destination with a style."""

    web_css: str = field(default="", repr=False)
    """Rules of its own, for web pages alone."""

    exceptions: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    """The checks that the design breaks, each with its reason."""


# Least and greatest value of each number, which keep a slip of the pen from making an unreadable page.
RANGES = {
    "size": (9, 40),
    "leading": (1.0, 2.5),
    "measure": (15, 80),
    "rhythm": (0.3, 2.0),
    "scale": (0.5, 8.0),
    "weight": (100, 900),
    "tracking": (-0.1, 0.5),
}

_IDENTITY = ("id", "name", "category", "description")
_TABLES = ("font", "type", "variants", "light", "dark")
_OPTIONAL = ("ornament", "css", "web_css", "exceptions")


def read_theme(text: str, source: str) -> Template:
    """Read a theme file's text; `source` names it in errors.

    Raises `InvalidTheme` with the key, what is wrong with it, and what is allowed.
    """
    if (size := len(text.encode(errors="replace"))) > MOST_FILE_BYTES:
        raise InvalidTheme(source, "file", f"has {size} bytes; allowed: {MOST_FILE_BYTES}")
    try:
        theme = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise InvalidTheme(source, "file", f"not TOML: {error}") from None
    return _ThemeReader(source).template(theme)


class _ThemeReader:
    """Checks the values of one theme file, key by key."""

    def __init__(self, source: str) -> None:
        self._source = source

    def template(self, theme: dict[str, Any]) -> Template:
        self._check_keys("", theme, (*_IDENTITY, *_TABLES), _OPTIONAL)
        variants = self._variants(theme["variants"])
        css, web_css = self._own_rules(theme)
        return Template(
            id=self._matching("id", theme["id"], _ID, "lower-case letters and digits, joined by hyphens"),
            name=self._text("name", theme["name"], 40),
            category=cast("Category", self._one_of("category", theme["category"], CATEGORIES)),
            description=self._text("description", theme["description"], 120),
            fonts=self._fonts(theme["font"]),
            type=self._type(theme["type"]),
            variants=variants,
            light=self._colours("light", theme["light"], variants),
            dark=self._colours("dark", theme["dark"], variants),
            ornament=self._matching("ornament", theme.get("ornament", "* * *"), _ORNAMENT, "1 to 12 plain characters"),
            css=css,
            web_css=web_css,
            exceptions=self._exceptions(theme.get("exceptions", {})),
        )

    def _fonts(self, value: object) -> Fonts:
        web = _names_of(Stacks)
        table = self._table("font", value, (*web, "docs", "word"), ("email",))
        stacks = {key: table[key] for key in web}
        return Fonts(
            web=self._stacks("font", stacks),
            email=self._stacks("font.email", table.get("email", stacks)),
            docs=self._names("font.docs", table["docs"]),
            word=self._names("font.word", table["word"]),
        )

    def _stacks(self, key: str, value: object) -> Stacks:
        table = self._table(key, value, _names_of(Stacks))
        return Stacks(**{purpose: self._stack(f"{key}.{purpose}", stack) for purpose, stack in table.items()})

    def _stack(self, key: str, value: object) -> tuple[str, ...]:
        if not isinstance(value, list) or not value:
            raise self._invalid(key, "must be a list of font families")
        if value[-1] not in GENERIC_FAMILIES:
            raise self._invalid(key, f"ends in {value[-1]!r}; allowed at the end: {', '.join(GENERIC_FAMILIES)}")
        return tuple(self._family(key, family) for family in value)

    def _names(self, key: str, value: object) -> Names:
        table = self._table(key, value, _names_of(Names))
        return Names(**{purpose: self._family(f"{key}.{purpose}", family) for purpose, family in table.items()})

    def _family(self, key: str, value: object) -> str:
        return self._matching(key, value, _FONT, "letters, digits, spaces and hyphens")

    def _type(self, value: object) -> Type:
        values = self._table("type", value, _names_of(Type))
        scale = values.pop("scale")
        if not isinstance(scale, list) or len(scale) != 6:
            raise self._invalid("type.scale", "must be a list of six numbers, for h1 to h6")
        sizes = tuple(self._number("type.scale", "scale", size) for size in scale)
        numbers = {key: self._number(f"type.{key}", key, number) for key, number in values.items()}
        if numbers["weight"] % 100:
            raise self._invalid("type.weight", f"is {values['weight']!r}; allowed: 100, 200 and so on to 900")
        return Type(scale=sizes, weight=int(numbers.pop("weight")), **numbers)

    def _variants(self, value: object) -> Variants:
        values = self._table("variants", value, _names_of(Variants))
        return Variants(
            **{key: self._one_of(f"variants.{key}", name, variants_of(key)) for key, name in values.items()}
        )

    def _colours(self, mode: str, value: object, variants: Variants) -> Colours:
        values = self._table(mode, value, REQUIRED_ROLES, ROLES)
        chart = values.pop("chart", None)
        given: dict[str, Any] = {key: self._colour(f"{mode}.{key}", colour) for key, colour in values.items()}
        if chart is not None:
            if not isinstance(chart, list) or len(chart) != CHART_COLOURS:
                raise self._invalid(f"{mode}.chart", f"must be a list of {CHART_COLOURS} colours")
            given["chart"] = tuple(self._colour(f"{mode}.chart", colour) for colour in chart)
        return derived(given, variants.code)

    def _colour(self, key: str, value: object) -> str:
        return self._matching(key, value, _COLOUR, "#rrggbb")

    def _own_rules(self, theme: dict[str, Any]) -> tuple[str, str]:
        texts = []
        for key, problem_of in (("css", problem_of_css), ("web_css", problem_of_web_css)):
            css = theme.get(key, "")
            if not isinstance(css, str):
                raise self._invalid(key, "must be a text")
            if problem := problem_of(css):
                raise self._invalid(key, problem)
            texts.append(css)
        if (size := len("".join(texts).encode())) > MOST_BYTES:
            raise self._invalid("web_css", f"has {size} bytes with css; allowed: {MOST_BYTES} together")
        return texts[0], texts[1]

    def _exceptions(self, value: object) -> tuple[tuple[str, str], ...]:
        reasons = self._table("exceptions", value, (), CHECKS)
        return tuple((check, self._text(f"exceptions.{check}", reason, 200)) for check, reason in reasons.items())

    def _table(self, key: str, table: object, required: Iterable[str], optional: Iterable[str] = ()) -> dict[str, Any]:
        if not isinstance(table, dict):
            raise self._invalid(key, "must be a table")
        self._check_keys(f"{key}.", table, tuple(required), tuple(optional))
        return dict(table)

    def _check_keys(
        self, prefix: str, table: dict[str, Any], required: tuple[str, ...], optional: tuple[str, ...]
    ) -> None:
        known = tuple(dict.fromkeys((*required, *optional)))
        for key in table:
            if key not in known:
                raise self._invalid(f"{prefix}{key}", f"unknown key; known are: {', '.join(known)}")
        for key in required:
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
        least, greatest = RANGES[kind]
        if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= greatest:
            raise self._invalid(key, f"is {value!r}; allowed: a number from {least} to {greatest}")
        return value

    def _invalid(self, key: str, problem: str) -> InvalidTheme:
        return InvalidTheme(self._source, key, problem)


def _names_of(form: type[Stacks | Names | Type | Variants]) -> tuple[str, ...]:
    return tuple(entry.name for entry in fields(form))
