"""JavaScript's operators, methods and functions on the values of `functions`."""

import math
import operator
import re
from collections.abc import Callable, Mapping
from decimal import ROUND_HALF_UP, Decimal
from functools import partial, reduce
from typing import Any, TypeAlias

from mdpublish_core.figures.charts.formatting.number_formats import read_number_format
from mdpublish_core.figures.charts.formatting.number_formatting import format_number
from mdpublish_core.figures.charts.values import Json, as_object, is_truthy, leading_number, to_number, to_string

Method: TypeAlias = Callable[..., Json]

MAX_LENGTH = 500
"""Of a string or list."""

_MAX_DIGITS = 100

THOUSANDS = r"/\B(?=(\d{3})+(?!\d))/g"
"""The expression by which many put commas into numbers; no other is known."""


class NotEvaluated(ValueError):  # noqa: N818  (not always an error)
    """What is not read here, or has no value in JavaScript either."""


def _add(one: Json, other: Json) -> Json:
    if isinstance(one, str | list | dict) or isinstance(other, str | list | dict):
        return (string_of(one) + string_of(other))[:MAX_LENGTH]
    return to_number(one) + to_number(other)


def string_of(value: Json) -> str:
    if isinstance(value, list) and len(value) > MAX_LENGTH:
        raise NotEvaluated("a list is too long for a string")
    if isinstance(value, str):
        return value
    return "null" if value is None else to_string(value)


def _compare(compare: Callable[[Any, Any], bool], one: Json, other: Json) -> bool:
    if isinstance(one, str) and isinstance(other, str):
        return compare(one, other)
    return compare(to_number(one), to_number(other))


def _is_same(one: Json, other: Json) -> bool:
    kinds = [type(each) if isinstance(each, str | bool) else None for each in (one, other)]
    return kinds[0] is kinds[1] and one == other


def _is_equal(one: Json, other: Json) -> bool:
    return one is other if one is None or other is None else (one == other or to_number(one) == to_number(other))


def _calculated(calculate: Callable[[float, float], float], one: Json, other: Json) -> float:
    return calculate(to_number(one), to_number(other))


LAZY: Mapping[str, Callable[[Json], bool]] = {
    "||": is_truthy,
    "??": lambda value: value is not None,
    "&&": lambda value: not is_truthy(value),
}
"""Operators whose left side is the value if it is so."""

BINARY: Mapping[str, Callable[[Json, Json], Json]] = {
    "===": _is_same,
    "!==": lambda one, other: not _is_same(one, other),
    "==": _is_equal,
    "!=": lambda one, other: not _is_equal(one, other),
    "<": partial(_compare, operator.lt),
    ">": partial(_compare, operator.gt),
    "<=": partial(_compare, operator.le),
    ">=": partial(_compare, operator.ge),
    "+": _add,
    "-": partial(_calculated, operator.sub),
    "*": partial(_calculated, operator.mul),
    "/": partial(_calculated, lambda one, by: one / by if by else math.inf * one * math.copysign(1, by)),
    "%": partial(_calculated, math.fmod),
    "**": partial(_calculated, operator.pow),
}
_LEVELS = ("|| ??", "&&", "=== !== == !=", "< > <= >=", "+ -", "* / %", "**")
POWERS = {sign: power for power, signs in enumerate(_LEVELS) for sign in signs.split()}
"""How much operators bind."""
UNARY: Mapping[str, Callable[[Json], Json]] = {
    "!": lambda value: not is_truthy(value),
    "-": lambda value: -to_number(value),
    "+": to_number,
}


def _fixed(value: Json, digits: Json = 0) -> str:
    places = int(to_number(digits))
    if not 0 <= places <= _MAX_DIGITS:
        raise NotEvaluated(f"toFixed has 0 to {_MAX_DIGITS} digits")
    return f"{Decimal(to_number(value)).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP):f}"


def localize(value: Json, locale: Json = None, options: Json = None) -> str:
    number_format = read_number_format(as_object(options))
    return format_number(to_number(value), number_format, locale if isinstance(locale, str) else "en-US")


def _slice(value: Json, start: Json = 0, end: Json = None) -> Json:
    if not isinstance(value, str | list):
        raise NotEvaluated("only strings and lists have parts")
    return value[int(to_number(start)) : None if end is None else int(to_number(end))]


def _substr(value: Json, start: Json = 0, length: Json = None) -> Json:
    rest = string_of(value)[int(to_number(start)) :]
    return rest if length is None else rest[: max(int(to_number(length)), 0)]


def _replace(value: Json, old: Json, new: Json) -> str:
    if old == THOUSANDS:
        return re.sub(THOUSANDS[1:-2], lambda _: string_of(new), string_of(value))[:MAX_LENGTH]
    return string_of(value).replace(string_of(old), string_of(new), 1)[:MAX_LENGTH]


def _index_of(values: list[Json], part: Json) -> int:
    return next((index for index, each in enumerate(values) if _is_same(each, part)), -1)


_OF_LISTS: Mapping[str, Method] = {
    "slice": _slice,
    "join": lambda values, between=",": string_of(between).join(map(to_string, values))[:MAX_LENGTH],
    "includes": lambda values, part: _index_of(values, part) >= 0,
    "indexOf": _index_of,
    "map": lambda values, function: [function(each, index) for index, each in enumerate(values)],
    "filter": lambda values, function: [each for index, each in enumerate(values) if is_truthy(function(each, index))],
    "forEach": lambda values, function: [function(each, index) for index, each in enumerate(values)] and None,
    "reduce": lambda values, function, *first: reduce(function, values, *first),
}
_OF_NUMBERS: Mapping[str, Method] = {"toFixed": _fixed, "toLocaleString": localize, "toString": string_of}
_OF_STRINGS: Mapping[str, Method] = {
    "toUpperCase": lambda value: string_of(value).upper(),
    "toLowerCase": lambda value: string_of(value).lower(),
    "toString": string_of,
    "trim": lambda value: string_of(value).strip(),
    "slice": _slice,
    "substring": _slice,
    "substr": _substr,
    "split": lambda value, separator: list(
        string_of(value).split(string_of(separator)) if separator else string_of(value)
    ),
    "replace": _replace,
    "padStart": lambda value, width, sign=" ": string_of(value).rjust(min(int(to_number(width)), MAX_LENGTH), sign),
    "includes": lambda value, part: string_of(part) in string_of(value),
    "startsWith": lambda value, part: string_of(value).startswith(string_of(part)),
    "endsWith": lambda value, part: string_of(value).endswith(string_of(part)),
}
_ROUND: Mapping[str, Callable[[float], float]] = {
    "round": lambda value: math.floor(value + 0.5),
    **{name: getattr(math, name) for name in ("floor", "ceil", "trunc", "sqrt", "log10")},
    "abs": abs,
    "sign": lambda value: math.copysign(1, value) if value else 0,
}
GLOBAL: Mapping[str, Method] = {
    **{f"Math.{name}": lambda value, of=of: float(of(to_number(value))) for name, of in _ROUND.items()},
    "Math.max": lambda *values: max(map(to_number, values)),
    "Math.min": lambda *values: min(map(to_number, values)),
    "Math.pow": partial(_calculated, operator.pow),
    "Number": to_number,
    "Number.isInteger": lambda value: isinstance(value, int | float) and float(value).is_integer(),
    "String": string_of,
    "parseFloat": lambda value: leading_number(string_of(value)),
    "parseInt": lambda value, _=10: math.trunc(leading_number(string_of(value)) or 0),
    "isNaN": lambda value: math.isnan(to_number(value)),
}
CONSTANTS: Mapping[str, Json] = {
    **dict.fromkeys(("null", "undefined")),
    "true": True,
    "false": False,
    "NaN": math.nan,
    "Infinity": math.inf,
    "Math.PI": math.pi,
}


def member_of(value: Json, name: Json) -> Json:
    if name == "length" and isinstance(value, str | list):
        return len(value)
    if isinstance(value, str | list) and isinstance(name, int | float):
        return value[int(name)] if 0 <= name < len(value) else None
    if isinstance(value, dict):
        return value.get(string_of(name))
    raise NotEvaluated(f"{string_of(name)!r} of no object")


def invoke(name: str, value: Json, *arguments: Json) -> Json:
    if isinstance(value, dict) and name == "getLabelForValue":
        return member_of(value.get("labels"), *(arguments[:1] or (None,)))
    methods = _OF_STRINGS if isinstance(value, str) else _OF_LISTS if isinstance(value, list) else _OF_NUMBERS
    if name not in methods or isinstance(value, dict | None):
        raise NotEvaluated(f"no method {name}")
    if isinstance(value, list) and len(value) > MAX_LENGTH and name != "slice":
        raise NotEvaluated(f"a list has more than {MAX_LENGTH} items")
    return methods[name](value, *arguments)
