"""Theme files: TOML to a validated `Template`. Values end up in stylesheets, so each has a strict syntax."""

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, fields
from functools import partial
from typing import Any

from mdpublish_core.css.colors import CHART_COLORS, MIN_TEXT_CONTRAST
from mdpublish_core.errors import InvalidTheme, choose_from
from mdpublish_core.strings.lazy_patterns import compile_lazily
from mdpublish_core.templates.colors import REQUIRED_ROLES, ROLES, derive_colors
from mdpublish_core.templates.stylesheet import variants_of
from mdpublish_core.templates.theme import (
    CATEGORIES,
    CHECKS,
    CONTENTS_AWAY,
    CONTENTS_WINDOWS,
    CONTRASTS,
    GENERIC_FAMILIES,
    LAYOUTS,
    MAX_CSS_BYTES,
    NUMBERINGS,
    RANGES,
    SCALES,
    THEME_VERSION,
    FontNames,
    Fonts,
    FontStacks,
    HostedFonts,
    Template,
    Typography,
    Variants,
)

MAX_THEME_BYTES = 8192
"""A larger theme should be a stylesheet."""

_ID = compile_lazily(r"[a-z0-9]+(-[a-z0-9]+)*")
_FONT = compile_lazily(r"-?[A-Za-z][A-Za-z0-9 -]*")
_COLOR = compile_lazily(r"#[0-9a-f]{6}")
_ORNAMENT = compile_lazily(r"[^<>&\x00-\x1f]{1,12}")
_SHAPE = compile_lazily(r"(?:#[0-9a-f]{6}|\$[a-z_]+) M[MmLlHhVvCcSsQqTtAaZz0-9 .,-]+")
_LIST_MARK = compile_lazily(r"[^<>&\"'\\$\s\x00-\x1f]{1,3}")

_OPTIONAL = frozenset(each.name.removeprefix("has_") for each in fields(Template) if each.default is not MISSING)

_MAX_KEYWORDS = 8

_MAX_SHAPES = 24
"""Shapes of an emblem."""

_MISSING = {
    "version": f"missing: a file of the former format; write version = {THEME_VERSION} above the id, "
    "then run `mdpublish templates check` on it, which names what has changed"
}
"""Problems of missing keys, if there is more to say."""

_FieldReader = Callable[[str, Any], Any]
"""Converts a key's value; raises `InvalidTheme`."""


def parse_theme(content: str, source: str, *, is_built_in: bool = False) -> Template:
    """Parse a theme file, named `source` in errors; raises `InvalidTheme` for its first problem.

    Checks of a built-in one that would double the time are left to tests.
    """
    reader = _ThemeReader(source, is_built_in=is_built_in)
    if (template := reader.template(content)) is None:
        raise reader.problems[0]
    return template


def theme_problems(content: str, source: str) -> list[InvalidTheme]:
    """Return all problems of a theme file, in file order."""
    reader = _ThemeReader(source)
    reader.template(content)
    return reader.problems


class _IncompleteError(Exception):
    pass


class _ThemeReader:
    def __init__(self, source: str, *, is_built_in: bool = False) -> None:
        self._source = source
        self._is_built_in = is_built_in
        self.problems: list[InvalidTheme] = []

    def template(self, content: str) -> Template | None:
        try:
            return _build_template(
                self._values("", _parse_toml(content, self._source), self._field_readers(), _OPTIONAL)
            )
        except InvalidTheme as problem:
            self.problems.append(problem)
        except _IncompleteError:
            pass
        return None

    def _field_readers(self) -> dict[str, _FieldReader]:
        return {
            "version": self._version,
            "id": partial(self._matching, pattern=_ID, allowed="lower-case letters and digits, joined by hyphens"),
            "name": partial(self._single_line, max_length=40),
            "category": partial(self._one_of, allowed=CATEGORIES),
            "description": partial(self._single_line, max_length=120),
            "keywords": self._keywords,
            "example": self._example,
            "ornament": partial(self._matching, pattern=_ORNAMENT, allowed="1 to 12 plain characters"),
            "list_mark": partial(
                self._matching, pattern=_LIST_MARK, allowed="1 to 3 characters without quotes and spaces"
            ),
            "numbering": partial(self._one_of, allowed=NUMBERINGS),
            "sections": self._flag,
            "dates": self._flag,
            "layout": partial(self._one_of, allowed=tuple(LAYOUTS)),
            "contents_window": partial(self._number, bounds=CONTENTS_WINDOWS),
            "contents_away": partial(self._number, bounds=CONTENTS_AWAY),
            "contrast": partial(self._number, bounds=CONTRASTS),
            "patterns": self._patterns,
            "emblem": self._emblem,
            "figures": self._figures,
            "css": self._css,
            "web_css": self._css,
            "exceptions": self._exceptions,
            "font": self._fonts,
            "type": self._type,
            "variants": self._variants,
            "light": self._colors,
            "dark": self._colors,
        }

    def _values(
        self, prefix: str, table: object, readers: Mapping[str, _FieldReader], optional: Iterable[str] = ()
    ) -> dict[str, Any]:
        """Raise after recording all invalid, missing and unknown keys."""
        if not isinstance(table, dict):
            raise self._invalid(prefix.removesuffix("."), "must be a table")
        optional, noted = tuple(optional), len(self.problems)
        values = {}
        for key, value in table.items():
            try:
                if key not in readers:
                    raise self._invalid(f"{prefix}{key}", f"unknown key{choose_from(readers, key)}")
                values[key] = readers[key](f"{prefix}{key}", value)
            except InvalidTheme as problem:
                self.problems.append(problem)
            except _IncompleteError:
                pass
        missing = (key for key in readers if key not in table and key not in optional)
        self.problems += [self._invalid(f"{prefix}{key}", _MISSING.get(f"{prefix}{key}", "missing")) for key in missing]
        if len(self.problems) > noted:
            raise _IncompleteError
        return values

    def _fonts(self, key: str, value: object) -> Fonts:
        web = FontStacks._fields
        readers: dict[str, _FieldReader] = {
            **dict.fromkeys(web, self._stack),
            "docs": self._names,
            "word": self._names,
            "email": self._stacks,
            "hosted": self._hosted,
        }
        values = self._values(f"{key}.", value, readers, ("email", "hosted"))
        stacks = FontStacks(**{purpose: values.pop(purpose) for purpose in web})
        return Fonts(**{"web": stacks, "email": stacks, **values})

    def _stacks(self, key: str, value: object) -> FontStacks:
        return FontStacks(**self._values(f"{key}.", value, dict.fromkeys(FontStacks._fields, self._stack)))

    def _stack(self, key: str, value: object) -> tuple[str, ...]:
        if not isinstance(value, list) or not value:
            raise self._invalid(key, "must be a list of font families")
        if value[-1] not in GENERIC_FAMILIES:
            raise self._invalid(
                key, f"must end in a generic family (got {value[-1]!r}); allowed: {', '.join(GENERIC_FAMILIES)}"
            )
        return tuple(self._family(key, family) for family in value)

    def _hosted(self, key: str, value: object) -> HostedFonts:
        if self._is_built_in and isinstance(value, dict):
            return HostedFonts(**value)
        from mdpublish_core.templates.hosted_fonts import hosted_families

        purposes = HostedFonts._fields
        reader = partial(self._one_of, allowed=tuple(hosted_families()))
        return HostedFonts(**self._values(f"{key}.", value, dict.fromkeys(purposes, reader), purposes))

    def _names(self, key: str, value: object) -> FontNames:
        return FontNames(**self._values(f"{key}.", value, dict.fromkeys(FontNames._fields, self._family)))

    def _family(self, key: str, value: object) -> str:
        return self._matching(key, value, _FONT, "letters, digits, spaces and hyphens")

    def _type(self, key: str, value: object) -> Typography:
        numbers = {name: partial(self._number, bounds=bounds) for name, bounds in RANGES.items()}
        readers: dict[str, _FieldReader] = {**numbers, "scale": self._scale, "weight": self._weight}
        optional = ("email_measure", "wide_measure", "full_measure", "print_size", "title")
        values = self._values(f"{key}.", value, readers, optional)
        title, *levels = values["scale"]
        return Typography(**{**values, "scale": (values.get("title", title), *levels)})

    def _scale(self, key: str, value: object) -> tuple[float, ...]:
        if isinstance(value, str):
            return SCALES[self._one_of(key, value, tuple(SCALES))]
        if not isinstance(value, list) or len(value) != 6:
            raise self._invalid(key, f"must be a list of six numbers, for h1 to h6, or one of: {', '.join(SCALES)}")
        return tuple(self._number(key, size, RANGES["scale"]) for size in value)

    def _weight(self, key: str, value: object) -> int:
        weight = self._number(key, value, RANGES["weight"])
        if weight % 100:
            raise self._invalid(key, f"is {value!r}; allowed: 100, 200, … 900")
        return int(weight)

    def _variants(self, key: str, value: object) -> Variants:
        if self._is_built_in and isinstance(value, dict):
            return Variants(**value)
        readers = {name: partial(self._one_of, allowed=variants_of(name)) for name in Variants._fields}
        return Variants(**self._values(f"{key}.", value, readers, ("h2", "dress")))

    def _colors(self, key: str, value: object) -> dict[str, Any]:
        readers: dict[str, _FieldReader] = {**dict.fromkeys(ROLES, self._color), "chart": self._chart}
        return self._values(f"{key}.", value, readers, (role for role in ROLES if role not in REQUIRED_ROLES))

    def _chart(self, key: str, value: object) -> tuple[str, ...]:
        if not isinstance(value, list) or len(value) != CHART_COLORS:
            raise self._invalid(key, f"must be a list of {CHART_COLORS} colors")
        return tuple(self._color(key, color) for color in value)

    def _version(self, key: str, value: object) -> int:
        if value != THEME_VERSION or isinstance(value, bool):
            raise self._invalid(key, f"is {value!r}; allowed: {THEME_VERSION}, the version that this mdpublish reads")
        return THEME_VERSION

    def _example(self, key: str, value: object) -> str:
        if self._is_built_in and isinstance(value, str):
            return value
        from importlib import resources

        files = (resources.files("mdpublish_core") / "gallery" / "examples").iterdir()
        return self._one_of(key, value, tuple(sorted(file.name.removesuffix(".md") for file in files)))

    def _patterns(self, key: str, value: object) -> tuple[str, ...]:
        from mdpublish_core.figures.patterns import PATTERNS

        if not isinstance(value, list) or len(value) != CHART_COLORS:
            raise self._invalid(key, f"must be a list of {CHART_COLORS} patterns; allowed: {', '.join(PATTERNS)}")
        return tuple(self._one_of(key, pattern, PATTERNS) for pattern in value)

    def _figures(self, key: str, value: object) -> tuple[tuple[str, Any], ...]:
        if self._is_built_in and isinstance(value, dict):
            return tuple(value.items())
        from mdpublish_core.figures.dress import NUMBERS, WORDS

        readers: dict[str, _FieldReader] = {
            **{name: partial(self._number, bounds=bounds) for name, bounds in NUMBERS.items()},
            **{name: partial(self._one_of, allowed=allowed) for name, allowed in WORDS.items()},
        }
        return tuple(self._values(f"{key}.", value, readers, readers).items())

    def _keywords(self, key: str, value: object) -> tuple[str, ...]:
        if not isinstance(value, list) or not 1 <= len(value) <= _MAX_KEYWORDS:
            raise self._invalid(key, f"must be a list of 1 to {_MAX_KEYWORDS} keywords")
        return tuple(self._single_line(key, word, max_length=24) for word in value)

    def _emblem(self, key: str, value: object) -> tuple[tuple[str, str], ...]:
        if not isinstance(value, list) or not 1 <= len(value) <= _MAX_SHAPES:
            raise self._invalid(key, f"must be a list of 1 to {_MAX_SHAPES} shapes")
        shapes = (
            self._matching(key, shape, _SHAPE, "a color and an SVG path, such as '$accent M0 0H9V9Z'")
            for shape in value
        )
        emblem = tuple((color, path) for color, _, path in (shape.partition(" ") for shape in shapes))
        for color, _ in emblem:
            if color.startswith("$"):
                self._one_of(key, color, tuple(f"${role}" for role in ROLES if role != "chart"))
        return emblem

    def _color(self, key: str, value: object) -> str:
        return self._matching(key, value, _COLOR, "#rrggbb")

    def _css(self, key: str, value: object) -> str:
        if not isinstance(value, str):
            raise self._invalid(key, "must be a string")
        if not self._is_built_in:
            from mdpublish_core.templates.theme_css import css_problem, web_css_problem

            find_problem = css_problem if key == "css" else web_css_problem
            if problem := find_problem(value):
                raise self._invalid(key, problem)
        return value

    def _exceptions(self, key: str, value: object) -> tuple[tuple[str, str], ...]:
        readers = dict.fromkeys(CHECKS, partial(self._single_line, max_length=200))
        return tuple(self._values(f"{key}.", value, readers, CHECKS).items())

    def _single_line(self, key: str, value: object, max_length: int) -> str:
        if not isinstance(value, str) or not 1 <= len(value) <= max_length or not value.isprintable():
            raise self._invalid(key, f"must be one line of 1 to {max_length} printable characters")
        return value

    def _matching(self, key: str, value: object, pattern: re.Pattern[str], allowed: str) -> str:
        if not isinstance(value, str) or not (self._is_built_in or pattern.fullmatch(value)):
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

    def _number(self, key: str, value: object, bounds: tuple[float, ...]) -> float:
        minimum, maximum = bounds
        if isinstance(value, bool) or not isinstance(value, int | float) or not minimum <= value <= maximum:
            raise self._invalid(key, f"is {value!r}; allowed: a number from {minimum} to {maximum}")
        return value

    def _invalid(self, key: str, problem: str) -> InvalidTheme:
        return InvalidTheme(self._source, key, problem)


def _parse_toml(content: str, source: str) -> dict[str, Any]:
    if (size := len(content.encode(errors="replace"))) > MAX_THEME_BYTES:
        raise InvalidTheme(source, "file", f"must be at most {MAX_THEME_BYTES:,} bytes (got {size:,})")
    try:
        theme = tomllib.loads(content)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise InvalidTheme(source, "file", f"not TOML: {error}") from None
    stylesheets = (theme.get("css"), theme.get("web_css"))
    size = sum(len(css.encode()) for css in stylesheets if isinstance(css, str))
    if size > MAX_CSS_BYTES:
        raise InvalidTheme(
            source, "web_css", f"must be at most {MAX_CSS_BYTES:,} bytes together with css (got {size:,})"
        )
    return theme


def _build_template(values: dict[str, Any]) -> Template:
    del values["version"]
    fonts, flags = values.pop("font"), {f"has_{name}": values.pop(name, False) for name in ("sections", "dates")}
    contrast = values.setdefault("contrast", MIN_TEXT_CONTRAST)
    light, dark = (derive_colors(values.pop(mode), values["variants"].code, contrast) for mode in ("light", "dark"))
    return Template(**values, fonts=fonts, **flags, light=light, dark=dark)
