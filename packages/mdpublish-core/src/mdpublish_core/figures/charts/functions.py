"""Functions in options, such as `(value) => '$' + value`: expressions of what they are given, and `if` and `return`.

There are no loops and no names from outside, and a function is short, so that a call takes a bounded time. Values are
JavaScript's; None is both null and undefined.
"""

import math
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache, partial
from typing import Any, NamedTuple, TypeAlias

from mdpublish_core.figures.charts.formatting.number_formats import read_number_format
from mdpublish_core.figures.charts.formatting.number_formatting import format_number
from mdpublish_core.figures.charts.values import (
    Json,
    as_object,
    is_truthy,
    leading_number,
    to_number,
    to_string,
    unescape,
)

MAX_CHARACTERS = 1_000
"""Of a function."""

_MAX_DEPTH, _MAX_TOKENS = 60, 300
_MAX_LENGTH = 500  # of a string or list
_MAX_DIGITS = 100

_Scope: TypeAlias = dict[str, Json]
_Expression: TypeAlias = Callable[[_Scope], Json]
_Statement: TypeAlias = Callable[[_Scope], tuple[Json] | None]
_Method: TypeAlias = Callable[..., Json]


class NotEvaluated(ValueError):  # noqa: N818  (not always an error)
    """What is not read here, or has no value in JavaScript either."""


class Function(NamedTuple):
    """A function; a call raises `NotEvaluated`."""

    parameters: Sequence[str]
    body: _Statement

    def __call__(self, *arguments: Json, this: Json = None) -> Json:
        """Return the value for some arguments; missing ones are undefined."""
        scope: _Scope = {
            "this": this,
            **dict.fromkeys(self.parameters),
            **dict(zip(self.parameters, arguments, strict=False)),
        }
        try:
            returned = self.body(scope)
        except (TypeError, ValueError, ArithmeticError) as error:
            raise NotEvaluated(str(error)) from None
        return returned[0] if returned else None


@lru_cache(maxsize=64)
def read_function(source: str) -> Function | None:
    """Return None if it is longer than `MAX_CHARACTERS` or has other code."""
    try:
        return _Reader(source).function() if len(source) <= MAX_CHARACTERS else None
    except ValueError:
        return None


_TOKEN = re.compile(
    r"""(?:\s|//[^\n]*+|/\*[^*]*+\*/|(?!))*+(?:
    (?P<number>(?:\d++(?:\.\d*+)?|\.\d++)(?:[eE][+-]?\d++)?)
    | (?P<name>[A-Za-z_$][\w$]*+)
    | (?P<string>"(?:[^"\\\n]|\\.|(?!))*+"|'(?:[^'\\\n]|\\.|(?!))*+')
    | `(?P<template>(?:[^`\\]|\\.|(?!))*+)`
    | (?P<sign>===|!==|=>|==|!=|<=|>=|&&|\|\||\?\?|\?\.(?!\d)|\*\*|[-+*/%<>!?:.,;(){}\[\]=])
    | (?P<end>\Z))""",
    re.VERBOSE,
)
_HOLE = re.compile(r"\$\{((?:[^{}]|\{[^{}]*\})*)\}")


def _add(one: Json, other: Json) -> Json:
    if isinstance(one, str | list | dict) or isinstance(other, str | list | dict):
        return (_string(one) + _string(other))[:_MAX_LENGTH]
    return to_number(one) + to_number(other)


def _string(value: Json) -> str:
    if isinstance(value, list) and len(value) > _MAX_LENGTH:
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


_SHORT: Mapping[str, Callable[[Json], bool]] = {
    "||": is_truthy,
    "??": lambda value: value is not None,
    "&&": lambda value: not is_truthy(value),
}
"""Operators whose left side is the value if it is so."""

_OPERATORS: Mapping[str, Callable[[Json, Json], Json]] = {
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
_LEVELS = (
    ("||", "??"),
    ("&&",),
    ("===", "!==", "==", "!="),
    ("<", ">", "<=", ">="),
    ("+", "-"),
    ("*", "/", "%"),
    ("**",),
)
_POWERS = {sign: power for power, signs in enumerate(_LEVELS) for sign in signs}
"""How much operators bind."""


def _fixed(value: Json, digits: Json = 0) -> str:
    places = int(to_number(digits))
    if not 0 <= places <= _MAX_DIGITS:
        raise NotEvaluated(f"toFixed has 0 to {_MAX_DIGITS} digits")
    return f"{Decimal(to_number(value)).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP):f}"


def _localized(value: Json, locale: Json = None, options: Json = None) -> str:
    number_format = read_number_format(as_object(options))
    return format_number(to_number(value), number_format, locale if isinstance(locale, str) else "en-US")


def _slice(value: Json, start: Json = 0, end: Json = None) -> Json:
    if not isinstance(value, str | list):
        raise NotEvaluated("only strings and lists have parts")
    return value[int(to_number(start)) : None if end is None else int(to_number(end))]


def _substr(value: Json, start: Json = 0, length: Json = None) -> Json:
    rest = _string(value)[int(to_number(start)) :]
    return rest if length is None else rest[: max(int(to_number(length)), 0)]


_OF_NUMBERS: Mapping[str, _Method] = {"toFixed": _fixed, "toLocaleString": _localized, "toString": _string}
_OF_STRINGS: Mapping[str, _Method] = {
    "toUpperCase": lambda value: _string(value).upper(),
    "toLowerCase": lambda value: _string(value).lower(),
    "toString": _string,
    "trim": lambda value: _string(value).strip(),
    "slice": _slice,
    "substring": _slice,
    "substr": _substr,
    "split": lambda value, separator: list(_string(value).split(_string(separator)) if separator else _string(value)),
    "replace": lambda value, old, new: _string(value).replace(_string(old), _string(new), 1)[:_MAX_LENGTH],
    "includes": lambda value, part: _string(part) in _string(value),
    "startsWith": lambda value, part: _string(value).startswith(_string(part)),
    "endsWith": lambda value, part: _string(value).endswith(_string(part)),
}
_ROUND: Mapping[str, Callable[[float], float]] = {
    "round": lambda value: math.floor(value + 0.5),
    **{name: getattr(math, name) for name in ("floor", "ceil", "trunc", "sqrt", "log10")},
    "abs": abs,
    "sign": lambda value: math.copysign(1, value) if value else 0,
}
_GLOBAL: Mapping[str, _Method] = {
    **{f"Math.{name}": lambda value, of=of: float(of(to_number(value))) for name, of in _ROUND.items()},
    "Math.max": lambda *values: max(map(to_number, values)),
    "Math.min": lambda *values: min(map(to_number, values)),
    "Math.pow": partial(_calculated, operator.pow),
    "Number": to_number,
    "Number.isInteger": lambda value: isinstance(value, int | float) and float(value).is_integer(),
    "String": _string,
    "parseFloat": lambda value: leading_number(_string(value)),
    "parseInt": lambda value, _=10: math.trunc(leading_number(_string(value)) or 0),
    "isNaN": lambda value: math.isnan(to_number(value)),
}
_CONSTANTS: Mapping[str, Json] = {
    **dict.fromkeys(("null", "undefined")),
    "true": True,
    "false": False,
    "NaN": math.nan,
    "Infinity": math.inf,
    "Math.PI": math.pi,
}


def _member(value: Json, name: Json) -> Json:
    if name == "length" and isinstance(value, str | list):
        return len(value)
    if isinstance(value, str | list) and isinstance(name, int | float):
        return value[int(name)] if 0 <= name < len(value) else None
    if isinstance(value, dict):
        return value.get(_string(name))
    raise NotEvaluated(f"{_string(name)!r} of no object")


def _invoked(value: Json, name: str, arguments: Sequence[Json]) -> Json:
    if isinstance(value, dict) and name == "getLabelForValue":
        return _member(value.get("labels"), arguments[0])
    methods = _OF_STRINGS if isinstance(value, str) else _OF_NUMBERS
    if name not in methods or (isinstance(value, list | dict | None) and name != "slice"):
        raise NotEvaluated(f"no method {name}")
    return methods[name](value, *arguments)


class _Reader:
    """Makes closures of a function's tokens; raises `NotEvaluated`."""

    def __init__(self, source: str) -> None:
        self._tokens: list[tuple[str, str]] = []
        self._names: set[str] = {"this"}
        self._depth = 0
        position = 0
        while not self._tokens or self._tokens[-1][0] != "end":
            match = _TOKEN.match(source, position)
            if match is None or match.lastgroup is None:
                raise NotEvaluated("other code")
            self._tokens.append((match.lastgroup, match[match.lastgroup]))
            if len(self._tokens) > _MAX_TOKENS:
                raise NotEvaluated("too long")
            position = match.end()
        self._at = 0

    def function(self) -> Function:
        self._take("function")
        if self._tokens[self._at][0] == "name" and self._tokens[self._at + 1][1] == "(":
            self._at += 1
        names = [self._name()] if not self._take("(") else self._parameters()
        self._names.update(names)
        body = self._returned() if self._take("=>") and self._peek() != "{" else self._statement()
        self._take(";")
        self._expect("")
        return Function(names, body)

    def _parameters(self) -> list[str]:
        names: list[str] = []
        while not self._take(")"):
            names.append(self._name())
            if self._take(":"):
                self._name()
            self._take(",")
        return names

    # Statements return the function's value in a tuple, or None.

    def _statement(self) -> _Statement:
        if self._take("{"):
            statements = []
            while not self._take("}"):
                statements.append(self._statement())
            return lambda scope: next((done for each in statements if (done := each(scope)) is not None), None)
        if self._take("return"):
            return self._returned()
        if self._take("if"):
            self._expect("(")
            condition = self._expression()
            self._expect(")")
            then = self._statement()
            otherwise = self._statement() if self._take("else") else lambda _: None
            return lambda scope: then(scope) if is_truthy(condition(scope)) else otherwise(scope)
        if self._take("const") or self._take("let") or self._take("var"):
            return self._declaration()
        raise NotEvaluated("other statements")

    def _returned(self) -> _Statement:
        value = self._expression() if self._peek() not in {";", "}"} else lambda _: None
        self._take(";")
        return lambda scope: (value(scope),)

    def _declaration(self) -> Callable[[_Scope], None]:
        name = self._name()
        self._expect("=")
        value = self._expression()
        self._names.add(name)
        self._take(";")
        return lambda scope: scope.update({name: value(scope)})

    def _expression(self) -> _Expression:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise NotEvaluated("too deep")
        condition = self._binary(0)
        if self._take("?"):
            then = self._expression()
            self._expect(":")
            otherwise = self._expression()
            self._depth -= 1
            return lambda scope: then(scope) if is_truthy(condition(scope)) else otherwise(scope)
        self._depth -= 1
        return condition

    def _binary(self, power: int) -> _Expression:
        left = self._unary()
        while (sign := self._peek()) in _POWERS and _POWERS[sign] >= power:
            self._at += 1
            left = self._joined(left, sign, self._binary(_POWERS[sign] + 1))
        return left

    def _joined(self, left: _Expression, sign: str, right: _Expression) -> _Expression:
        if is_left := _SHORT.get(sign):
            return lambda scope: value if is_left(value := left(scope)) else right(scope)
        operate = _OPERATORS[sign]
        return lambda scope: operate(left(scope), right(scope))

    def _unary(self) -> _Expression:
        for sign, apply in _UNARY.items():
            if self._take(sign):
                value = self._unary()
                return lambda scope: apply(value(scope))
        return self._postfix(self._primary())

    def _postfix(self, value: _Expression) -> _Expression:
        while True:
            if self._take("?.") or self._take("."):
                name = self._name()
                value = self._method(value, name) if self._take("(") else self._part(value, self._constant(name))
            elif self._take("["):
                index = self._expression()
                self._expect("]")
                value = self._part(value, index)
            else:
                return value

    def _part(self, value: _Expression, name: _Expression) -> _Expression:
        return lambda scope: _member(value(scope), name(scope))

    def _method(self, value: _Expression, name: str) -> _Expression:
        arguments = self._arguments(")")
        return lambda scope: _invoked(value(scope), name, [each(scope) for each in arguments])

    def _arguments(self, end: str) -> list[_Expression]:
        arguments = []
        while not self._take(end):
            arguments.append(self._expression())
            if not self._take(","):
                self._expect(end)
                break
        return arguments

    def _primary(self) -> _Expression:
        kind, content = self._tokens[self._at]
        if kind == "name":
            return self._named()
        self._at += 1
        if kind in {"number", "string"}:
            return self._constant(float(content) if kind == "number" else unescape(content[1:-1]))
        if kind == "template":
            return self._template(content)
        if content == "(":
            value = self._expression()
            self._expect(")")
            return value
        if content == "[":
            items = self._arguments("]")
            return lambda scope: [each(scope) for each in items]
        if content == "{":
            return self._object()
        raise NotEvaluated("other expressions")

    def _constant(self, value: Json) -> _Expression:
        return lambda _: value

    def _object(self) -> _Expression:
        members: dict[str, _Expression] = {}
        while not self._take("}"):
            kind, content = self._tokens[self._at]
            name = content[1:-1] if kind == "string" else self._name()
            self._at += kind == "string"
            self._expect(":")
            members[name] = self._expression()
            self._take(",")
        return lambda scope: {name: value(scope) for name, value in members.items()}

    def _template(self, content: str) -> _Expression:
        parts: list[_Expression] = []
        for number, part in enumerate(_HOLE.split(content)):
            if number % 2:
                reader = _Reader(part)
                reader._names, reader._depth = self._names, self._depth + 1
                parts.append(reader._expression())
                reader._expect("")
            elif "${" in part:
                raise NotEvaluated("a template without an end")
            else:
                parts.append(self._constant(unescape(part)))
        return lambda scope: "".join(_string(each(scope)) for each in parts)[:_MAX_LENGTH]

    def _named(self) -> _Expression:
        if self._take("new"):
            for expected in ("Intl", ".", "NumberFormat", "("):
                self._expect(expected)
            format_arguments = self._arguments(")")
            for expected in (".", "format", "("):
                self._expect(expected)
            (value,) = self._arguments(")") or (lambda _: None,)
            return lambda scope: _localized(value(scope), *(each(scope) for each in format_arguments))
        name = self._name()
        if name in self._names:
            return lambda scope: scope[name]
        if name in {"Math", "Number"} and self._take("."):
            name = f"{name}.{self._name()}"
        if name in _CONSTANTS:
            return self._constant(_CONSTANTS[name])
        if name not in _GLOBAL:
            raise NotEvaluated("names from outside")
        self._expect("(")
        arguments = self._arguments(")")
        return lambda scope: _GLOBAL[name](*(each(scope) for each in arguments))

    # Tokens

    def _peek(self) -> str:
        kind, content = self._tokens[self._at]
        return content if kind in {"sign", "name", "end"} else "\0"

    def _take(self, expected: str) -> bool:
        is_next = self._peek() == expected
        self._at += is_next
        return is_next

    def _expect(self, expected: str) -> None:
        if self._peek() != expected:
            raise NotEvaluated(f"no {expected!r}")
        self._at += expected != ""

    def _name(self) -> str:
        kind, content = self._tokens[self._at]
        if kind != "name":
            raise NotEvaluated("no name")
        self._at += 1
        return content


_UNARY: Mapping[str, Callable[[Json], Json]] = {
    "!": lambda value: not is_truthy(value),
    "-": lambda value: -to_number(value),
    "+": to_number,
}
