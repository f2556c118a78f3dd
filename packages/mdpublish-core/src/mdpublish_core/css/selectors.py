"""Selectors: what they ask of elements, and the parser of plain ones.

Templates and figures have plain selectors, which are read without tokens; `user_selectors` reads those of users.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Literal, NamedTuple

from mdpublish_core.strings.lazy_patterns import compile_lazily

Combinator = Literal[" ", ">", "+", "~"]

Specificity = tuple[int, int, int]

ROOT = "&"

OPERATORS: Mapping[str, Callable[[str, str], bool]] = {
    "=": str.__eq__,
    "~=": lambda actual, value: value in actual.split(),
    "|=": lambda actual, value: actual == value or actual.startswith(f"{value}-"),
    "^=": lambda actual, value: bool(value) and actual.startswith(value),
    "$=": lambda actual, value: bool(value) and actual.endswith(value),
    "*=": lambda actual, value: bool(value) and value in actual,
}

COUNTS = ("nth-child", "nth-last-child", "nth-of-type", "nth-last-of-type")


class Test(NamedTuple):
    """A condition on an element; `kind`: `nth-…`, `link`, `root`, `state`, `is`, `not`, `#`, or an operator."""

    kind: str
    name: str = ""
    value: str = ""
    is_caseless: bool = False
    step: int = 0
    offset: int = 0
    compounds: "tuple[Compound, ...]" = ()

    def accepts(self, actual: str | None) -> bool:
        """Tell whether an attribute may have this value."""
        if actual is None or self.kind == "[]":
            return actual is not None
        holds = OPERATORS.get(self.kind, str.__eq__)
        return holds(actual.lower(), self.value.lower()) if self.is_caseless else holds(actual, self.value)

    @property
    def tests(self) -> "Iterator[Test]":
        """Yield this test and those in its selectors."""
        yield self
        for compound in self.compounds:
            for test in compound.tests:
                yield from test.tests


class Compound(NamedTuple):
    """A compound selector; `type` is `&` for the document and None for any element."""

    type: str | None = None
    classes: frozenset[str] = frozenset()
    tests: tuple[Test, ...] = ()


class Selector(NamedTuple):
    """A complex selector.

    `css` has `&` for the document and for nothing else, and begins with it. `obstacle` is the part that destinations
    without stylesheets cannot follow, such as `::before`.
    """

    css: str
    """Empty for plain selectors."""

    compounds: tuple[Compound, ...]
    combinators: tuple[Combinator, ...]
    specificity: Specificity
    obstacle: str | None = None
    is_html: bool = False
    """Whether the document is meant as `html` or `:root`, whose font size `rem` is."""


FIRST_CHILD, LAST_CHILD = Test("nth-child", offset=1), Test("nth-last-child", offset=1)

_PSEUDO_CLASSES = {"first-child": FIRST_CHILD, "last-child": LAST_CHILD, "root": Test("root")}

STRING = r'"(?:[^"\\\n]|\\.)*"|' + r"'(?:[^'\\\n]|\\.)*'"

_ATTRIBUTE = rf"\[\s*(?P<name>[\w:-]+)\s*(?:(?P<kind>[~|^$*]?=)\s*(?P<value>{STRING}|[\w-]+)\s*)?\]"
_CONDITION = compile_lazily(r"[:#\[]")
_SIMPLE = compile_lazily(rf"\#(?P<id>[\w-]+)|\.(?P<class>[\w-]+)|:(?P<pseudo>[a-z-]+)|{_ATTRIBUTE}")


Grammar = tuple[re.Pattern[str], re.Pattern[str]]
"""What plain selectors may have: compounds, with groups for the type and for the rest, and combinators."""

TEMPLATES: Grammar = (
    compile_lazily(r"([&*]|[a-z][a-z0-9]*)?((?:\.[a-z][a-z0-9-]*)*(?::(?:first|last)-child)*)"),
    compile_lazily(r"\s*([>+~])\s*|\s+"),
)

FIGURES: Grammar = (
    compile_lazily(
        rf"(\*|[A-Za-z][\w-]*)?((?:\#[\w-]+|\.[\w-]+|:root|\[\s*[\w:-]+\s*(?:[~|^$*]?=\s*(?:{STRING}|[\w-]+)\s*)?\])*)"
    ),
    compile_lazily(r"\s*(>)\s*|\s+"),
)


class InvalidSelector(ValueError):  # noqa: N818  (it names the fault)
    """A selector outside the grammar; of a user's stylesheet, one that browsers would not accept either."""


def parse_selector(selector: str, grammar: Grammar = TEMPLATES) -> Selector:
    """Read a plain selector; raises `InvalidSelector`."""
    compounds: list[Compound] = []
    combinators: list[Combinator] = []
    position = 0
    while True:
        compound = grammar[0].match(selector, position)
        if not compound or not compound[0]:
            raise InvalidSelector(selector)
        compounds.append(_plain_compound(compound[1], compound[2]))
        position = compound.end()
        if position == len(selector):
            return Selector("", tuple(compounds), tuple(combinators), _specificity(compounds))
        if not (combinator := grammar[1].match(selector, position)):
            raise InvalidSelector(selector)
        combinators.append(combinator[1] or " ")  # type: ignore[arg-type]
        position = combinator.end()


def _plain_compound(type_: str | None, rest: str) -> Compound:
    type_ = None if type_ == "*" else type_
    # Most have classes at most.
    if not _CONDITION.search(rest):
        return Compound(type_, frozenset(rest.split(".")[1:]))
    classes: set[str] = set()
    once: dict[Test, None] = {}
    tests: list[Test] = []
    for simple in _SIMPLE.finditer(rest):
        kind, name = simple.lastgroup, simple[0][1:]
        if kind == "class":
            classes.add(name)
        elif kind in {"id", "pseudo"}:
            once[Test("#", "id", name) if kind == "id" else _PSEUDO_CLASSES[name]] = None
        else:
            value = simple["value"] or ""
            tests.append(Test(simple["kind"] or "[]", simple["name"], value[1:-1] if value[:1] in "'\"" else value))
    return Compound(type_, frozenset(classes), (*once, *tests))


def _specificity(compounds: Iterable[Compound]) -> Specificity:
    ids = classes = types = 0
    for type_, names, tests in compounds:
        if tests:
            ids += sum(test.kind == "#" for test in tests)
        classes += len(names) + len(tests) + (type_ == ROOT)
        types += type_ is not None and type_ != ROOT
    return ids, classes - ids, types
