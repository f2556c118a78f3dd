"""Options with scopes: https://www.chartjs.org/docs/latest/general/options.html.

The first scope that has an option wins: for `borderWidth`, the dataset, `options.datasets` of its type,
`options.elements`, `options`, and the defaults. Objects are merged from all scopes.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import field, fields
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

from mdpublish_core.css.colors.parsing import parse_css_color
from mdpublish_core.figures.charts import values as js
from mdpublish_core.figures.charts.shapes.elements import Sides
from mdpublish_core.figures.errors import FigureError
from mdpublish_core.figures.repairs import Repair
from mdpublish_core.figures.request import Remark

_Value = TypeVar("_Value")
_Choice = TypeVar("_Choice", bound=str)
_Arguments = ParamSpec("_Arguments")

_MAX_REMARKS = 5


class InvalidOption(FigureError):  # noqa: N818  (named after what the author wrote)
    """An option without which there is no chart."""

    def __init__(self, problem: str, path: js.Path) -> None:
        super().__init__(problem)
        self.path = path


class Remarks:
    """The first remarks for the author, without duplicates."""

    def __init__(self) -> None:
        self.repairs: tuple[Repair, ...] = ()
        self.find_line: Callable[[js.Path], int | None] = lambda _: None
        """Returns the line of an option."""

        self._paths: dict[str, js.Path] = {}
        self._omitted: set[int] = set()

    def __iter__(self) -> Iterator[Remark]:
        for message, path in self._paths.items():
            yield Remark(message, self.find_line(path) if path else None)
        if self._omitted:
            number = len(self._omitted)
            yield Remark(f"{number:,} more {'part is' if number == 1 else 'parts are'} ignored or changed")

    def add(self, message: str, path: js.Path = ()) -> None:
        """Add a remark about the option at a path."""
        if len(self._paths) < _MAX_REMARKS:
            self._paths.setdefault(message, path)
        elif message not in self._paths:
            self._omitted.add(hash(message))


class Options:
    """A list of scopes. `index` selects from options that are lists."""

    __slots__ = ("_index", "_prefixes", "_remarks", "_scopes")

    def __init__(
        self,
        scopes: Sequence[js.Object],
        remarks: Remarks,
        *,
        prefixes: tuple[str, ...] = ("",),
        index: int | None = None,
    ) -> None:
        self._scopes = tuple(scope for scope in scopes if scope)
        self._remarks = remarks
        self._prefixes = prefixes
        self._index = index

    def at(self, index: int | None) -> "Options":
        """Select from lists, cycling."""
        return Options(self._scopes, self._remarks, prefixes=self._prefixes, index=index)

    def prefixed(self, prefix: str) -> "Options":
        """Look up prefixed names first: `radius` as `pointRadius`."""
        return Options(self._scopes, self._remarks, prefixes=(prefix, ""), index=self._index)

    def with_default(self, name: str, value: js.Json) -> "Options":
        scopes = (*self._scopes[:-1], {**self._scopes[-1], name: value}) if self._scopes else ({name: value},)
        return Options(scopes, self._remarks, prefixes=self._prefixes, index=self._index)

    def nested(self, name: str) -> "Options":
        """Merge an object from all scopes."""
        values = [scope[name] for scope in self._scopes if name in scope]
        return Options([each for each in values if isinstance(each, dict)], self._remarks, index=self._index)

    def followed_by(self, others: "Options") -> "Options":
        """Look up in these scopes first, then in others."""
        return Options((*self._scopes, *others.scopes), self._remarks, prefixes=self._prefixes, index=self._index)

    def names(self) -> tuple[str, ...]:
        """Return the names of all options, in order."""
        return tuple(dict.fromkeys(name for scope in self._scopes for name in scope))

    @property
    def scopes(self) -> tuple[js.Object, ...]:
        return self._scopes

    def has(self, name: str) -> bool:
        return any(name in scope for scope in self._scopes)

    def is_list(self, *names: str) -> bool:
        return any(isinstance(self.raw(name), list) for name in names)

    def raw(self, name: str) -> js.Json:
        """Return an option without selecting from a list."""
        scope, key = self._scope_of(name)
        return scope.get(key)

    def path_of(self, name: str) -> js.Path:
        """Return where the author set an option."""
        scope, key = self._scope_of(name)
        return (*(scope.path if isinstance(scope, js.Section) else ()), key)

    def _scope_of(self, name: str) -> tuple[js.Object, str]:
        """Return the scope that has an option, and the name it has there."""
        for prefix in self._prefixes:
            key = f"{prefix}{name[0].upper()}{name[1:]}" if prefix else name
            for scope in self._scopes:
                if key in scope:
                    return scope, key
        return js.EMPTY_OBJECT, name

    def value(self, name: str) -> js.Json:
        value = self.raw(name)
        if isinstance(value, list) and value and self._index is not None:
            return value[self._index % len(value)]
        return value

    def number(self, name: str, default: float = 0.0) -> float:
        return self._read(name, js.parse_number, "a number", default)

    def optional_number(self, name: str) -> float | None:
        return self._read(name, js.parse_number, "a number", None)

    def numbers(self, name: str, default: float = 0.0) -> tuple[float, ...]:
        """Return at least one number."""
        return self._read_each(name, js.parse_number, "a number", default)

    def flag(self, name: str) -> bool:
        return js.is_truthy(self.value(name))

    def string(self, name: str, default: str = "") -> str:
        value = self.value(name)
        return js.to_string(value) if isinstance(value, str | int | float) else default

    def lines(self, name: str) -> tuple[str, ...]:
        value = self.raw(name)
        if isinstance(value, list):
            return tuple(map(js.to_string, value))
        return (js.to_string(value),)

    def choice(self, name: str, choices: tuple[_Choice, ...], default: _Choice) -> _Choice:
        return self.optional_choice(name, choices) or default

    def optional_choice(self, name: str, choices: tuple[_Choice, ...]) -> _Choice | None:
        def matching(value: js.Json) -> _Choice | None:
            return next((choice for choice in choices if choice == value), None)

        return self._read(name, matching, " or ".join(f'"{choice}"' for choice in choices), None)

    def color(self, name: str, default: str = "") -> str:
        """Return `#rrggbb`, `#rrggbbaa` if translucent, or "" for none."""
        return self._read(name, color_of, "a CSS color", default)

    def colors(self, name: str, default: str = "") -> tuple[str, ...]:
        """Return at least one color."""
        return self._read_each(name, color_of, "a CSS color", default)

    def dash(self, name: str) -> tuple[float, ...]:
        value = self.raw(name)
        if not isinstance(value, list):
            return ()
        lengths = [js.parse_number(each) for each in value]
        if any(length is None or length < 0 for length in lengths):
            self.remark(name, f"is ignored: must be a list of lengths (got {js.short_repr(value)})")
            return ()
        dash = tuple(length for length in lengths if length is not None)
        return dash if any(dash) else ()

    def sides(self, name: str) -> Sides:
        """Accept a number, sides, or `x` and `y`."""
        if not isinstance(self.value(name), dict):
            size = self.number(name)
            return Sides(size, size, size, size)
        by_side = self.nested(name)

        def side(key: str, pair: str) -> float:
            return by_side.number(key if by_side.has(key) else pair)

        return Sides(side("top", "y"), side("right", "x"), side("bottom", "y"), side("left", "x"))

    def remark(self, name: str, problem: str) -> None:
        """Report an option, named by where the author set it."""
        path = self.path_of(name)
        self._remarks.add(f"`{js.format_path(path)}` {problem}", path)

    def _read_each(
        self, name: str, read: Callable[[js.Json], _Value | None], kind: str, default: _Value
    ) -> tuple[_Value, ...]:
        value = self.raw(name)
        if isinstance(value, list) and value:
            if self._index is None:
                return tuple(self._convert(name, each, read, kind, default) for each in value)
            value = value[self._index % len(value)]
        return (self._convert(name, value, read, kind, default),)

    def _read(self, name: str, read: Callable[[js.Json], _Value | None], kind: str, default: _Value) -> _Value:
        return self._convert(name, self.value(name), read, kind, default)

    def _convert(
        self, name: str, value: js.Json, read: Callable[[js.Json], _Value | None], kind: str, default: _Value
    ) -> _Value:
        if value is None:
            return default
        converted = read(value)
        if converted is None:
            if value is not False:
                self.remark(name, f"must be {kind} (got {js.short_repr(value)}); the default is used")
            return default
        return converted


def option(
    read: Callable[Concatenate[Options, _Arguments], _Value], *arguments: _Arguments.args, **named: _Arguments.kwargs
) -> _Value:
    """Declare a field of a dataclass that `read_options` reads by a method of `Options`, or by a function of them."""
    return cast("_Value", field(metadata={"read": lambda options: read(options, *arguments, **named)}))


def read_options(kind: type[_Value], options: Options, **others: Callable[[], object]) -> _Value:
    """Read the fields in their order, which is that of remarks; `others` make those that are no `option`."""
    values: dict[str, Any] = {}
    for each in fields(kind):  # type: ignore[arg-type]
        values[each.name] = others[each.name]() if each.name in others else each.metadata["read"](options)
    return kind(**values)


def pick(values: Sequence[_Value], index: int) -> _Value:
    return values[index % len(values)]


def color_of(value: js.Json) -> str | None:
    """Return `#rrggbb`, `#rrggbbaa`, "" if empty, or None if invalid."""
    if not isinstance(value, str):
        return None
    parsed = parse_css_color(value.strip()) if value.strip() else ""
    return None if parsed == "currentColor" else parsed
