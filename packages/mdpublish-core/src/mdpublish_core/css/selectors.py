"""Selectors: what they ask of elements, and the parser of plain ones.

Templates and figures have plain selectors, which are read without tokens; `user_selectors` reads those of users.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

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

COUNTS = frozenset({"nth-child", "nth-last-child", "nth-of-type", "nth-last-of-type"})


class SelectableElement(NamedTuple):
    """An element as selectors see it; `from_end` and `of_type_from_end` are 0 where they are not known."""

    type: str
    classes: frozenset[str]
    attributes: Mapping[str, str]
    number: int
    from_end: int
    of_type: int
    of_type_from_end: int


@dataclass(frozen=True, slots=True)
class Test:
    """A condition on an element: `kind` is `nth-…`, `link`, `root`, `state`, `is`, `not`, `#`, or the operator of an attribute."""

    kind: str
    name: str = ""
    value: str = ""
    is_caseless: bool = False
    step: int = 0
    offset: int = 0
    compounds: "tuple[Compound, ...]" = ()

    def holds(self, element: SelectableElement) -> bool:
        if self.kind == "state":
            return False
        if self.kind in {"is", "not"}:
            return any(compound.matches(element) for compound in self.compounds) == (self.kind == "is")
        if self.kind == "link":
            return "href" in element.attributes
        if self.kind in COUNTS:
            return self._counts(element)
        return self._has_attribute(element)

    def _counts(self, element: SelectableElement) -> bool:
        number = {
            "nth-child": element.number,
            "nth-last-child": element.from_end,
            "nth-of-type": element.of_type,
            "nth-last-of-type": element.of_type_from_end,
        }[self.kind]
        distance = number - self.offset
        return number > 0 and (
            distance == 0 if self.step == 0 else distance % self.step == 0 and distance // self.step >= 0
        )

    def _has_attribute(self, element: SelectableElement) -> bool:
        if self.name == "class":
            return self.accepts(" ".join(element.classes) or None)
        return self.accepts(element.attributes.get(self.name))

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

    def matches(self, element: SelectableElement) -> bool:
        if ROOT in {self.type, element.type}:
            return self.type == element.type and all(test.holds(element) for test in self.tests)
        return (
            self.type in {None, element.type}
            and self.classes <= element.classes
            and all(test.holds(element) for test in self.tests)
        )


@dataclass(frozen=True, slots=True)
class Selector:
    """A complex selector.

    `css` has `&` for the document and for nothing else, and begins with it. `obstacle` is the part that destinations without stylesheets cannot
    follow, such as `::before`.
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
_SIMPLE = re.compile(rf"\#(?P<id>[\w-]+)|\.(?P<class>[\w-]+)|:(?P<pseudo>[a-z-]+)|{_ATTRIBUTE}")


class Grammar(NamedTuple):
    """What plain selectors may have: compounds, with groups for the type and for the rest, and combinators."""

    compound: re.Pattern[str]
    combinator: re.Pattern[str]


TEMPLATES = Grammar(
    re.compile(r"([&*]|[a-z][a-z0-9]*)?((?:\.[a-z][a-z0-9-]*)*(?::(?:first|last)-child)*)"),
    re.compile(r"\s*([>+~])\s*|\s+"),
)

FIGURES = Grammar(
    re.compile(
        rf"(\*|[A-Za-z][\w-]*)?((?:\#[\w-]+|\.[\w-]+|:root|\[\s*[\w:-]+\s*(?:[~|^$*]?=\s*(?:{STRING}|[\w-]+)\s*)?\])*)"
    ),
    re.compile(r"\s*(>)\s*|\s+"),
)


class InvalidSelector(ValueError):  # noqa: N818  (it names the fault)
    """A selector outside the grammar."""


def parse_selector(selector: str, grammar: Grammar = TEMPLATES) -> Selector:
    """Read a plain selector; raises `InvalidSelector`."""
    compounds: list[Compound] = []
    combinators: list[Combinator] = []
    position = 0
    while True:
        compound = grammar.compound.match(selector, position)
        if not compound or not compound[0]:
            raise InvalidSelector(selector)
        compounds.append(_plain_compound(compound[1], compound[2]))
        position = compound.end()
        if position == len(selector):
            return Selector("", tuple(compounds), tuple(combinators), _specificity(compounds))
        combinator = grammar.combinator.match(selector, position)
        if not combinator:
            raise InvalidSelector(selector)
        combinators.append(combinator[1] or " ")  # type: ignore[arg-type]
        position = combinator.end()


def _plain_compound(type_: str | None, rest: str) -> Compound:
    classes: set[str] = set()
    tests: list[Test] = []
    for simple in _SIMPLE.finditer(rest):
        if simple["class"]:
            classes.add(simple["class"])
        elif simple["id"] or simple["pseudo"]:
            test = Test("#", "id", simple["id"]) if simple["id"] else _PSEUDO_CLASSES[simple["pseudo"]]
            tests += [] if test in tests else [test]
        else:
            value = simple["value"] or ""
            tests.append(Test(simple["kind"] or "[]", simple["name"], value[1:-1] if value[:1] in "'\"" else value))
    return Compound(None if type_ == "*" else type_, frozenset(classes), tuple(tests))


def _specificity(compounds: Iterable[Compound]) -> Specificity:
    ids = classes = types = 0
    for compound in compounds:
        compound_ids = sum(test.kind == "#" for test in compound.tests)
        ids += compound_ids
        classes += len(compound.classes) + len(compound.tests) - compound_ids + (compound.type == ROOT)
        types += compound.type not in {None, ROOT}
    return ids, classes, types
