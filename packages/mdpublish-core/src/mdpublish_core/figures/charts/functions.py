"""Functions in options, such as `(value) => '$' + value`: expressions of what they are given, and simple statements.

There are no loops and no names from outside, a function is short, and one inside it, which a method of a list calls, is
called `MAX_STEPS` times: a call takes a bounded time. Values are JavaScript's; None is both null and undefined.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import NamedTuple, TypeAlias, TypeVar, cast

from mdpublish_core.figures.charts import operators
from mdpublish_core.figures.charts.operators import Method, NotEvaluated
from mdpublish_core.figures.charts.values import Json, is_truthy, to_number, unescape

MAX_CHARACTERS = 1_000
"""Of a function."""

MAX_STEPS = 200
"""Of functions inside a function, in a call of it."""

_MAX_DEPTH, _MAX_TOKENS = 60, 300

_Scope: TypeAlias = dict[str, Json]
_Expression: TypeAlias = Callable[[_Scope], Json]
_Statement: TypeAlias = Callable[[_Scope], tuple[Json] | None]
_Item = TypeVar("_Item")


class Function(NamedTuple):
    """A function; a call raises `NotEvaluated`."""

    parameters: Sequence[str]
    body: _Statement

    def __call__(self, *arguments: Json, this: Json = None) -> Json:
        """Return the value for some arguments; missing ones are undefined."""
        try:
            return self.inside({"this": this}, *arguments)
        except (TypeError, ValueError, ArithmeticError) as error:
            raise NotEvaluated(str(error)) from None

    def inside(self, scope: _Scope, *arguments: Json) -> Json:
        """Return the value where the function sees and changes variables, which are those of another one."""
        scope[_STEPS] = steps = to_number(scope.get(_STEPS)) + 1
        if steps > MAX_STEPS:
            raise NotEvaluated(f"functions inside it must be called at most {MAX_STEPS} times")
        scope |= dict(zip(self.parameters, (*arguments, *[None] * len(self.parameters)), strict=False))
        returned = self.body(scope)
        return returned[0] if returned else None


_STEPS = "\0"  # no name


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
    | (?P<thousands>/\\B\(\?=\(\\d\{3\}\)\+\(\?!\\d\)\)/g)
    | (?P<sign>===|!==|=>|==|!=|<=|>=|&&|\|\||\?\?|\?\.(?!\d)|\*\*|[-+*/]=|[-+*/%<>!?:.,;(){}\[\]=])
    | (?P<end>\Z))""",
    re.VERBOSE,
)
_FUNCTION, _MAX_SIGNATURE = re.compile(r"function\(|\w+=>|\([\w,]*\)=>"), 9
_HOLE = re.compile(r"\$\{((?:[^{}]|\{[^{}]*\})*)\}")


def _tokens(source: str) -> Iterator[tuple[str, str]]:
    """Yield kinds and contents."""
    position = 0
    for _ in range(_MAX_TOKENS):
        match = _TOKEN.match(source, position)
        if match is None or match.lastgroup is None:
            raise NotEvaluated("other code")
        yield match.lastgroup, match[match.lastgroup]
        if match.lastgroup == "end":
            return
        position = match.end()
    raise NotEvaluated("too long")


def _constant(value: Json) -> _Expression:
    return lambda _: value


def _applied(function: Method, *arguments: _Expression) -> _Expression:
    return lambda scope: function(*(each(scope) for each in arguments))


def _operation(sign: str, left: _Expression, right: _Expression) -> _Expression:
    if is_left := operators.LAZY.get(sign):
        return lambda scope: value if is_left(value := left(scope)) else right(scope)
    return _applied(operators.BINARY[sign], left, right)


def _choice(
    condition: _Expression, then: Callable[[_Scope], _Item], otherwise: Callable[[_Scope], _Item]
) -> Callable[[_Scope], _Item]:
    return lambda scope: (then if is_truthy(condition(scope)) else otherwise)(scope)


_LITERALS: Mapping[str, Callable[[str], Json]] = {
    "number": float,
    "string": lambda content: unescape(content[1:-1]),
    "thousands": str,
}
_ASSIGNMENTS = frozenset({"=", "+=", "-=", "*=", "/="})


class _Reader:
    """Makes closures of a function's tokens; raises `NotEvaluated`."""

    def __init__(self, source: str, names: Iterable[str] = ("this",), depth: int = 0) -> None:
        self._tokens = list(_tokens(source))
        self._names, self._depth, self._at, self._is_inside = set(names), depth, 0, False

    def function(self) -> Function:
        function = self._signature_and_body()
        self._take(";")
        self._expect("")
        return function

    def _signature_and_body(self) -> Function:
        self._take("function")
        if self._tokens[self._at][0] == "name" and self._tokens[self._at + 1][1] == "(":
            self._at += 1
        names = self._items(")", self._parameter, are_divided=False) if self._take("(") else [self._name()]
        if not self._names.isdisjoint(names):
            raise NotEvaluated("two variables of a name")
        self._names.update(names)
        return Function(names, self._returned() if self._take("=>") and self._peek() != "{" else self._block())

    def _parameter(self) -> str:
        name = self._name()
        if self._take(":"):
            self._name()
        return name

    def _argument(self) -> _Expression:
        """Read an expression or a function."""
        if not _FUNCTION.match("".join(each for _, each in self._tokens[self._at :][:_MAX_SIGNATURE])):
            return self.expression()
        if self._is_inside:
            raise NotEvaluated("functions inside functions inside functions")
        outer, self._is_inside = set(self._names), True
        function = self._signature_and_body()
        self._names, self._is_inside = outer, False
        return lambda scope: cast("Json", partial(function.inside, scope))

    # Statements return the function's value in a tuple, or None.

    def _block(self) -> _Statement:
        self._expect("{")
        statements = []
        while not self._take("}"):
            statements.append(self._statement())
        return lambda scope: next((done for each in statements if (done := each(scope)) is not None), None)

    def _statement(self) -> _Statement:
        if self._peek() == "{":
            return self._block()
        if self._take("return"):
            return self._returned()
        if self._take("if"):
            self._expect("(")
            condition, then = self.expression(")"), self._statement()
            return _choice(condition, then, self._statement() if self._take("else") else lambda _: None)
        if self._take("const") or self._take("let") or self._take("var"):
            name = self._name()
            self._expect("=")
            value = self.expression()
            self._names.add(name)
            self._take(";")
            return lambda scope: scope.update({name: value(scope)})
        name, sign = self._tokens[self._at][1], self._tokens[min(self._at + 1, len(self._tokens) - 1)][1]
        if sign not in _ASSIGNMENTS:
            value = self.expression()
            self._take(";")
            return lambda scope: (value(scope), None)[1]
        left = self._named()
        self._expect(sign)
        right = self.expression()
        value = right if sign == "=" else _operation(sign[0], left, right)
        self._take(";")
        return lambda scope: scope.update({name: value(scope)})

    def _returned(self) -> _Statement:
        value = self.expression() if self._peek() not in {";", "}"} else _constant(None)
        self._take(";")
        return lambda scope: (value(scope),)

    def expression(self, end: str | None = None) -> _Expression:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise NotEvaluated("too deep")
        value = self._binary(0)
        if self._take("?"):
            value = _choice(value, self.expression(":"), self.expression())
        self._depth -= 1
        if end is not None:
            self._expect(end)
        return value

    def _binary(self, power: int) -> _Expression:
        left = self._unary()
        while (sign := self._peek()) in operators.POWERS and operators.POWERS[sign] >= power:
            self._at += 1
            left = _operation(sign, left, self._binary(operators.POWERS[sign] + 1))
        return left

    def _unary(self) -> _Expression:
        for sign, apply in operators.UNARY.items():
            if self._take(sign):
                return _applied(apply, self._unary())
        value = self._primary()
        while True:
            if self._take("?.") or self._take("."):
                name = self._name()
                if self._take("("):
                    value = self._with_arguments(partial(operators.invoke, name), value)
                else:
                    value = _applied(operators.member_of, value, _constant(name))
            elif self._take("["):
                value = _applied(operators.member_of, value, self.expression("]"))
            else:
                return value

    def _with_arguments(self, function: Method, *first: _Expression) -> _Expression:
        return _applied(function, *first, *self._items(")", self._argument))

    def _items(self, end: str, read: Callable[[], _Item], *, are_divided: bool = True) -> list[_Item]:
        """Read items, which may have commas between, or must if they `are_divided`."""
        items = []
        while not self._take(end):
            items.append(read())
            if not self._take(",") and are_divided and self._peek() != end:
                raise NotEvaluated("no comma")
        return items

    def _primary(self) -> _Expression:
        kind, content = self._tokens[self._at]
        if kind == "name":
            return self._named()
        self._at += 1
        if kind in _LITERALS:
            return _constant(_LITERALS[kind](content))
        if kind == "template":
            return self._template(content)
        if content == "(":
            return self.expression(")")
        if content == "[":
            return _applied(lambda *items: list(items), *self._items("]", self.expression))
        if content == "{":
            members = dict(self._items("}", self._object_member, are_divided=False))
            return _applied(lambda *values: dict(zip(members, values, strict=True)), *members.values())
        raise NotEvaluated("other expressions")

    def _object_member(self) -> tuple[str, _Expression]:
        kind, content = self._tokens[self._at]
        name = content[1:-1] if kind == "string" else self._name()
        self._at += kind == "string"
        self._expect(":")
        return name, self.expression()

    def _template(self, content: str) -> _Expression:
        parts: list[_Expression] = []
        for number, part in enumerate(_HOLE.split(content)):
            if not number % 2 and "${" in part:
                raise NotEvaluated("a template without an end")
            inside = number % 2 == 1
            parts.append(
                _Reader(part, self._names, self._depth + 1).expression("") if inside else _constant(unescape(part))
            )
        return _applied(lambda *strings: "".join(map(operators.string_of, strings))[: operators.MAX_LENGTH], *parts)

    def _named(self) -> _Expression:
        if self._take("new") or self._peek() == "Intl":
            self._expect("Intl", ".", "NumberFormat", "(")
            format_arguments = self._items(")", self.expression)
            self._expect(".", "format", "(")
            (value,) = self._items(")", self.expression) or (_constant(None),)
            return _applied(operators.localize, value, *format_arguments)
        name = self._name()
        if name in self._names:
            return lambda scope: scope.get(name)
        if name in {"Math", "Number"} and self._take("."):
            name = f"{name}.{self._name()}"
        if name in operators.CONSTANTS:
            return _constant(operators.CONSTANTS[name])
        if name not in operators.GLOBAL:
            raise NotEvaluated("names from outside")
        self._expect("(")
        return self._with_arguments(operators.GLOBAL[name])

    # Tokens

    def _peek(self) -> str:
        kind, content = self._tokens[self._at]
        return content if kind in {"sign", "name", "end"} else "\0"

    def _take(self, expected: str) -> bool:
        is_next = self._peek() == expected
        self._at += is_next
        return is_next

    def _expect(self, *expected: str) -> None:
        for each in expected:
            if not self._take(each):
                raise NotEvaluated(f"no {each!r}")

    def _name(self) -> str:
        kind, content = self._tokens[self._at]
        if kind != "name":
            raise NotEvaluated("no name")
        self._at += 1
        return content
