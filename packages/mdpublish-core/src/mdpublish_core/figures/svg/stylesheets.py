"""CSS rule matching for a drawing's stylesheet.

Matching works top-down like an automaton: a `MatchState` is the set (as bits) of compound selectors that may match
next, all that rules need to know about ancestors. Results are memoized per state and element, across drawings, so an
element costs two lookups.

Selectors: types, ids, classes, attributes, `*` and `:root`, combined by ` ` and `>`. Other rules are ignored.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from mdpublish_core.css.bitmask import bit_indexes
from mdpublish_core.figures.svg.values import parse_declarations

MAX_STYLESHEET = 200_000
"""Twenty times what Mermaid writes."""

_MAX_ENTRIES = 4_000
"""Memoized results; the memo is cleared above that."""

_STRINGS = r'"(?:[^"\\\n]|\\.)*"|' + r"'(?:[^'\\\n]|\\.)*'"
_PIECE = re.compile(rf"{_STRINGS}|[{{}};]|[^\"'{{}};]+|.", re.DOTALL)
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_SELECTORS = re.compile(rf"(?:{_STRINGS}|\((?:[^()]|\([^()]*\))*\)|[^,\"'])+")
_COMPOUND = re.compile(
    rf"(?P<type>\*|[A-Za-z][\w-]*)?(?P<rest>(?:\#[\w-]+|\.[\w-]+|:root|\[\s*[\w:-]+\s*(?:[~|^$*]?=\s*(?:{_STRINGS}|[\w-]+)\s*)?\])*)"
)
_SIMPLE = re.compile(
    rf"\#(?P<id>[\w-]+)|\.(?P<class>[\w-]+)|(?P<root>:root)"
    rf"|\[\s*(?P<name>[\w:-]+)\s*(?:(?P<test>[~|^$*]?=)\s*(?P<value>{_STRINGS}|[\w-]+)\s*)?\]"
)
_COMBINATOR = re.compile(r"\s*>\s*|\s+")

Declarations = Mapping[str, str]
"""Includes custom properties."""


@dataclass(frozen=True, slots=True)
class _Compound:
    type: str | None
    id: str | None
    classes: frozenset[str]
    tests: tuple[tuple[str, str, str], ...]
    root: bool
    is_child: bool  # after a `>`


class Subject(NamedTuple):
    """The features of an element that rules can test."""

    tag: str
    id: str
    classes: str
    attributes: tuple[str | None, ...]
    is_root: bool


@dataclass(slots=True)
class MatchState:
    """The compounds that may match an element and its descendants."""

    descendants: int
    children: int
    results: dict[Subject, "MatchResult"] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class MatchResult:
    """An element's declarations, and its children's state."""

    normal: Declarations
    important: Declarations
    inner_state: MatchState


class CompiledStylesheet:
    """Thread-safe: concurrent computations yield equal results."""

    def __init__(self, css: str) -> None:
        self._compounds: list[_Compound] = []
        self._next: list[int | None] = []
        self._declared: dict[int, tuple[tuple[int, int, int, int], Declarations, Declarations]] = {}
        self.weight = 0
        """Maximum cost per element."""
        self._first = self._children = 0
        for rule_index, (selector, normal, important) in enumerate(_rules(css)):
            compounds = _compounds(selector)
            if compounds:
                self._add(compounds, rule_index, normal, important)
        self.attributes = tuple(sorted({name for each in self._compounds for name, _, _ in each.tests}))
        """Except `class` and `id`."""
        self._ids = {each.id for each in self._compounds if each.id}
        self._classes = frozenset[str]().union(*(each.classes for each in self._compounds))
        self._finals = sum(1 << bit for bit in self._declared)
        self._forget()

    def _add(
        self, compounds: Sequence[_Compound], rule_index: int, normal: Declarations, important: Declarations
    ) -> None:
        self._first |= 1 << len(self._compounds)
        for number, compound in enumerate(compounds):
            bit = len(self._compounds)
            self._children |= compound.is_child << bit
            self._compounds.append(compound)
            self._next.append(bit + 1 if number + 1 < len(compounds) else None)
        ids = sum(each.id is not None for each in compounds)
        classes = sum(len(each.classes) + len(each.tests) + each.root for each in compounds)
        types = sum(each.type is not None for each in compounds)
        self._declared[len(self._compounds) - 1] = ((ids, classes, types, rule_index), normal, important)
        self.weight += len(compounds) + len(normal) + len(important)

    def _forget(self) -> None:
        self._entries = 0
        self._states: dict[tuple[int, int], MatchState] = {}
        self.initial_state = self._state(self._first, 0)  # of the root

    def _state(self, below: int, child: int) -> MatchState:
        state = self._states.get((below, child))
        return state or self._states.setdefault((below, child), MatchState(below, child))

    def subject(self, tag: str, attributes: Mapping[str, str], *, is_root: bool) -> Subject:
        id_, classes = attributes.get("id", ""), attributes.get("class", "")
        if len(classes) > 100:
            classes = " ".join(sorted(self._classes & set(classes.split())))
        tested = tuple([attributes.get(name) for name in self.attributes]) if self.attributes else ()
        return Subject(tag, id_ if id_ in self._ids else "", classes, tested, is_root)

    def match_element(self, state: MatchState, subject: Subject) -> MatchResult:
        return state.results.get(subject) or self._compute_match(state, subject)

    def _compute_match(self, state: MatchState, subject: Subject) -> MatchResult:
        if self._entries >= _MAX_ENTRIES:
            self._forget()
        self._entries += 1
        matched = [
            bit for bit in bit_indexes(state.descendants | state.children) if self._fits(self._compounds[bit], subject)
        ]
        below, child = state.descendants, 0
        for bit in matched:
            step = self._next[bit]
            if step is not None:
                if self._children >> step & 1:
                    child |= 1 << step
                else:
                    below |= 1 << step
        normal: dict[str, str] = {}
        important: dict[str, str] = {}
        for _, declared, urged in sorted(
            (self._declared[bit] for bit in matched if bit in self._declared), key=lambda each: each[0]
        ):
            normal.update(declared)
            important.update(urged)
        result = MatchResult(normal, important, self._state(below, child))
        state.results[subject] = result
        return result

    def _fits(self, compound: _Compound, subject: Subject) -> bool:
        if compound.type is not None and compound.type != subject.tag:
            return False
        if compound.id is not None and compound.id != subject.id:
            return False
        if compound.classes and not compound.classes <= set(subject.classes.split()):
            return False
        if compound.root and not subject.is_root:
            return False
        return all(self._test_holds(subject, *test) for test in compound.tests)

    def _test_holds(self, subject: Subject, name: str, test: str, value: str) -> bool:
        actual = subject.attributes[self.attributes.index(name)]
        return actual is not None and _TESTS[test](actual, value)


_TESTS: Mapping[str, Callable[[str, str], bool]] = {
    "": lambda _, __: True,
    "=": lambda actual, value: actual == value,
    "~=": lambda actual, value: value in actual.split(),
    "|=": lambda actual, value: actual == value or actual.startswith(f"{value}-"),
    "^=": lambda actual, value: bool(value) and actual.startswith(value),
    "$=": lambda actual, value: bool(value) and actual.endswith(value),
    "*=": lambda actual, value: bool(value) and value in actual,
}


@lru_cache(maxsize=32)
def compile_stylesheet(css: str) -> CompiledStylesheet:
    return CompiledStylesheet(css)


def _rules(css: str) -> Iterator[tuple[str, Declarations, Declarations]]:
    for prelude, body in _blocks(_COMMENT.sub(" ", css)):
        normal: dict[str, str] = {}
        important: dict[str, str] = {}
        for name, value, urged in parse_declarations(body):
            (important if urged else normal)[name] = value
        if normal or important:
            for selector in _SELECTORS.findall(prelude):
                yield selector.strip(), normal, important


def _blocks(css: str) -> Iterator[tuple[str, str]]:
    """Skip at-rules and nested rules."""
    prelude: list[str] = []
    body: list[str] = []
    depth = 0
    for match in _PIECE.finditer(css):
        piece = match[0]
        if piece == "{":
            depth += 1
        elif piece == "}":
            depth = max(0, depth - 1)
            if depth == 0:
                before = "".join(prelude).replace("<!--", "").replace("-->", "").strip()
                if before and not before.startswith("@"):
                    yield before, "".join(body)
                prelude, body = [], []
        elif depth == 0 and piece == ";":
            prelude = []
        elif depth <= 1:
            (body if depth else prelude).append(piece)


def _compounds(selector: str) -> list[_Compound]:
    """Return an empty list if unsupported."""
    compounds: list[_Compound] = []
    position, is_child = 0, False
    while True:
        match = _COMPOUND.match(selector, position)
        if not match or not match[0]:
            return []
        compounds.append(_compound(match, is_child=is_child))
        position = match.end()
        if position == len(selector):
            return compounds
        combinator = _COMBINATOR.match(selector, position)
        if not combinator:
            return []
        is_child = ">" in combinator[0]
        position = combinator.end()


def _compound(match: re.Match[str], *, is_child: bool) -> _Compound:
    id_: str | None = None
    classes: set[str] = set()
    tests: list[tuple[str, str, str]] = []
    root = False
    for simple in _SIMPLE.finditer(match["rest"]):
        if simple["id"]:
            # Never matches.
            id_ = simple["id"] if id_ in {None, simple["id"]} else " "
        elif simple["class"]:
            classes.add(simple["class"])
        elif simple["root"]:
            root = True
        else:
            value = simple["value"] or ""
            tests.append((simple["name"], simple["test"] or "", value[1:-1] if value[:1] in {"'", '"'} else value))
    type_ = match["type"]
    return _Compound(None if type_ == "*" else type_, id_, frozenset(classes), tuple(tests), root, is_child)
