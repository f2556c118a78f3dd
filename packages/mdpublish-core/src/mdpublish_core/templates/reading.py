"""Reads a theme file: TOML in, a checked `Template` out.

Every value ends up in a stylesheet, so each is held to a narrow form here; nothing else may reach the CSS. What colours
it leaves out `colors` derives, and its own rules `own_rules` checks.
"""

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from functools import partial
from typing import Any

from mdpublish_core.errors import InvalidTheme
from mdpublish_core.figures.colors import MIN_TEXT_CONTRAST
from mdpublish_core.templates.colours import CHART_COLORS, REQUIRED_ROLES, ROLES, derived
from mdpublish_core.templates.hosted_fonts import hosted_families
from mdpublish_core.templates.own_rules import MOST_BYTES, problem_of_css, problem_of_web_css
from mdpublish_core.templates.stylesheet import variants_of
from mdpublish_core.templates.theme import (
    CATEGORIES,
    CHECKS,
    CONTRASTS,
    GENERIC_FAMILIES,
    NUMBERINGS,
    RANGES,
    Fonts,
    Hosted,
    Names,
    Stacks,
    Template,
    Type,
    Variants,
)

MOST_FILE_BYTES = 4096
"""The most that a theme file has: what needs more is a stylesheet."""

_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_FONT = re.compile(r"-?[A-Za-z][A-Za-z0-9 -]*")
_COLOR = re.compile(r"#[0-9a-f]{6}")
_ORNAMENT = re.compile(r"[^<>&\x00-\x1f]{1,12}")
_LIST_MARK = re.compile(r"[^<>&\"'\\$\s\x00-\x1f]{1,3}")

_OPTIONAL = ("ornament", "list_mark", "numbering", "sections", "contrast", "css", "web_css", "exceptions")

_Reading = Callable[[str, Any], Any]
"""Makes of a key and its value what a template has of it; raises `InvalidTheme`."""


def read_theme(text: str, source: str) -> Template:
    """Read a theme file's text; `source` names it in errors.

    Raises `InvalidTheme` with the first key that is wrong, what is wrong with it, and what is allowed.
    """
    reader = _ThemeReader(source)
    template = reader.template(text)
    if template is None:
        raise reader.problems[0]
    return template


def problems_of_theme(text: str, source: str) -> list[InvalidTheme]:
    """Return all that a theme file's text says and may not say, in the order of the file; none where it can be read."""
    reader = _ThemeReader(source)
    reader.template(text)
    return reader.problems


class _IncompleteError(Exception):
    """Something in a table was noted as wrong, so that nothing can be made of it."""


class _ThemeReader:
    """Checks the values of one theme file, key by key, and notes what is wrong."""

    def __init__(self, source: str) -> None:
        self._source = source
        self.problems: list[InvalidTheme] = []

    def template(self, text: str) -> Template | None:
        """Return what a file's text says; None where `problems` tells why not."""
        try:
            return _made(self._values("", _parsed(text, self._source), self._readings(), _OPTIONAL))
        except InvalidTheme as problem:
            self.problems.append(problem)
        except _IncompleteError:
            pass
        return None

    def _readings(self) -> dict[str, _Reading]:
        return {
            "id": partial(self._matching, pattern=_ID, allowed="lower-case letters and digits, joined by hyphens"),
            "name": partial(self._text, longest=40),
            "category": partial(self._one_of, allowed=CATEGORIES),
            "description": partial(self._text, longest=120),
            "ornament": partial(self._matching, pattern=_ORNAMENT, allowed="1 to 12 plain characters"),
            "list_mark": partial(
                self._matching, pattern=_LIST_MARK, allowed="1 to 3 characters without quotes and spaces"
            ),
            "numbering": partial(self._one_of, allowed=NUMBERINGS),
            "sections": self._flag,
            "contrast": partial(self._number, bounds=CONTRASTS),
            "css": partial(self._rules, problem_of=problem_of_css),
            "web_css": partial(self._rules, problem_of=problem_of_web_css),
            "exceptions": self._exceptions,
            "font": self._fonts,
            "type": self._type,
            "variants": self._variants,
            "light": self._colors,
            "dark": self._colors,
        }

    def _values(
        self, prefix: str, table: object, readings: Mapping[str, _Reading], optional: Iterable[str] = ()
    ) -> dict[str, Any]:
        """Return a table's values as they are read; notes each that is wrong, missing or unknown, and raises for any."""
        if not isinstance(table, dict):
            raise self._invalid(prefix.removesuffix("."), "must be a table")
        optional, noted = tuple(optional), len(self.problems)
        values = {}
        for key, value in table.items():
            try:
                if key not in readings:
                    raise self._invalid(f"{prefix}{key}", f"unknown key; known are: {', '.join(readings)}")
                values[key] = readings[key](f"{prefix}{key}", value)
            except InvalidTheme as problem:
                self.problems.append(problem)
            except _IncompleteError:
                pass
        missing = (key for key in readings if key not in table and key not in optional)
        self.problems += [self._invalid(f"{prefix}{key}", "missing") for key in missing]
        if len(self.problems) > noted:
            raise _IncompleteError
        return values

    def _fonts(self, key: str, value: object) -> Fonts:
        web = _names_of(Stacks)
        readings: dict[str, _Reading] = {
            **dict.fromkeys(web, self._stack),
            "docs": self._names,
            "word": self._names,
            "email": self._stacks,
            "hosted": self._hosted,
        }
        values = self._values(f"{key}.", value, readings, ("email", "hosted"))
        stacks = Stacks(**{purpose: values.pop(purpose) for purpose in web})
        return Fonts(**{"web": stacks, "email": stacks, **values})

    def _stacks(self, key: str, value: object) -> Stacks:
        return Stacks(**self._values(f"{key}.", value, dict.fromkeys(_names_of(Stacks), self._stack)))

    def _stack(self, key: str, value: object) -> tuple[str, ...]:
        if not isinstance(value, list) or not value:
            raise self._invalid(key, "must be a list of font families")
        if value[-1] not in GENERIC_FAMILIES:
            raise self._invalid(key, f"ends in {value[-1]!r}; allowed at the end: {', '.join(GENERIC_FAMILIES)}")
        return tuple(self._family(key, family) for family in value)

    def _hosted(self, key: str, value: object) -> Hosted:
        purposes = _names_of(Hosted)
        reading = partial(self._one_of, allowed=tuple(hosted_families()))
        return Hosted(**self._values(f"{key}.", value, dict.fromkeys(purposes, reading), purposes))

    def _names(self, key: str, value: object) -> Names:
        return Names(**self._values(f"{key}.", value, dict.fromkeys(_names_of(Names), self._family)))

    def _family(self, key: str, value: object) -> str:
        return self._matching(key, value, _FONT, "letters, digits, spaces and hyphens")

    def _type(self, key: str, value: object) -> Type:
        numbers = {name: partial(self._number, bounds=bounds) for name, bounds in RANGES.items()}
        return Type(**self._values(f"{key}.", value, {**numbers, "scale": self._scale, "weight": self._weight}))

    def _scale(self, key: str, value: object) -> tuple[float, ...]:
        if not isinstance(value, list) or len(value) != 6:
            raise self._invalid(key, "must be a list of six numbers, for h1 to h6")
        return tuple(self._number(key, size, RANGES["scale"]) for size in value)

    def _weight(self, key: str, value: object) -> int:
        weight = self._number(key, value, RANGES["weight"])
        if weight % 100:
            raise self._invalid(key, f"is {value!r}; allowed: 100, 200 and so on to 900")
        return int(weight)

    def _variants(self, key: str, value: object) -> Variants:
        readings = {name: partial(self._one_of, allowed=variants_of(name)) for name in _names_of(Variants)}
        return Variants(**self._values(f"{key}.", value, readings, ("h2",)))

    def _colors(self, key: str, value: object) -> dict[str, Any]:
        readings: dict[str, _Reading] = {**dict.fromkeys(ROLES, self._color), "chart": self._chart}
        return self._values(f"{key}.", value, readings, (role for role in ROLES if role not in REQUIRED_ROLES))

    def _chart(self, key: str, value: object) -> tuple[str, ...]:
        if not isinstance(value, list) or len(value) != CHART_COLORS:
            raise self._invalid(key, f"must be a list of {CHART_COLORS} colours")
        return tuple(self._color(key, color) for color in value)

    def _color(self, key: str, value: object) -> str:
        return self._matching(key, value, _COLOR, "#rrggbb")

    def _rules(self, key: str, value: object, problem_of: Callable[[str], str | None]) -> str:
        if not isinstance(value, str):
            raise self._invalid(key, "must be a text")
        if problem := problem_of(value):
            raise self._invalid(key, problem)
        return value

    def _exceptions(self, key: str, value: object) -> tuple[tuple[str, str], ...]:
        readings = dict.fromkeys(CHECKS, partial(self._text, longest=200))
        return tuple(self._values(f"{key}.", value, readings, CHECKS).items())

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

    def _flag(self, key: str, value: object) -> bool:
        if not isinstance(value, bool):
            raise self._invalid(key, f"is {value!r}; allowed: true, false")
        return value

    def _number(self, key: str, value: object, bounds: tuple[float, float]) -> float:
        least, greatest = bounds
        if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= greatest:
            raise self._invalid(key, f"is {value!r}; allowed: a number from {least} to {greatest}")
        return value

    def _invalid(self, key: str, problem: str) -> InvalidTheme:
        return InvalidTheme(self._source, key, problem)


def _parsed(text: str, source: str) -> dict[str, Any]:
    if (size := len(text.encode(errors="replace"))) > MOST_FILE_BYTES:
        raise InvalidTheme(source, "file", f"has {size} bytes; allowed: {MOST_FILE_BYTES}")
    try:
        theme = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise InvalidTheme(source, "file", f"not TOML: {error}") from None
    own = (theme.get("css"), theme.get("web_css"))
    size = sum(len(css.encode()) for css in own if isinstance(css, str))
    if size > MOST_BYTES:
        raise InvalidTheme(source, "web_css", f"has {size} bytes with css; allowed: {MOST_BYTES} together")
    return theme


def _made(values: dict[str, Any]) -> Template:
    """Return the template of values that all were read."""
    fonts, has_sections = values.pop("font"), values.pop("sections", False)
    contrast = values.setdefault("contrast", MIN_TEXT_CONTRAST)
    light, dark = (derived(values.pop(mode), values["variants"].code, contrast) for mode in ("light", "dark"))
    return Template(**values, fonts=fonts, has_sections=has_sections, light=light, dark=dark)


def _names_of(form: type[Stacks | Names | Hosted | Variants]) -> tuple[str, ...]:
    return tuple(entry.name for entry in fields(form))
