"""A drawing's stylesheet, applied to its elements.

Selectors: types, ids, classes, attributes, `*` and `:root`, combined by ` ` and `>`. Other rules are ignored. Matches
are kept across drawings.
"""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from mdpublish_core.css.matcher import CompiledStylesheet, MatchedRule, MatchState, Transition
from mdpublish_core.css.selectors import FIGURES, STRING, InvalidSelector, parse_selector
from mdpublish_core.figures.svg.values import parse_declarations
from mdpublish_core.strings.lazy_patterns import compile_lazily

MAX_STYLESHEET = 200_000
"""Twenty times what Mermaid writes."""

_MAX_ENTRIES = 4_000
"""Memoized results, and elements; the memo is cleared above that."""

_PIECE = compile_lazily(rf"{STRING}|[{{}};]|[^\"'{{}};]+|.", re.DOTALL)
_COMMENT = compile_lazily(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_SELECTORS = compile_lazily(rf"(?:{STRING}|\((?:[^()]|\([^()]*\))*\)|[^,\"'])+")

_MAX_MARKS = 1_000_000
"""Marks of all memoized elements together."""

_IMPORTANT = "!"
"""Prefix of a property that is important: a separate cascade, since inline styles come between the two."""

_Subject = tuple[str, str, tuple[str | None, ...], bool]


class MatchedDeclarations(NamedTuple):
    """An element's declarations, custom properties included, by importance."""

    normal: tuple[tuple[str, str], ...] = ()
    important: tuple[tuple[str, str], ...] = ()


SvgState = MatchState[MatchedDeclarations]


class SvgStylesheet:
    """Thread-safe: concurrent computations yield equal results."""

    def __init__(self, css: str) -> None:
        rules = list(_rules(css))
        tests = len({test for rule in rules for each in rule.compounds for test in each.tests})
        self.weight = max(tests, sum(len(rule.compounds) + len(rule.declared) for rule in rules))
        """Maximum cost per element."""
        # An element may have a mark for each test.
        self._max_entries = max(1, min(_MAX_ENTRIES, _MAX_MARKS // max(1, tests)))
        self._compiled = CompiledStylesheet((), _by_importance, rules, self._max_entries)
        self._classes = frozenset[str]().union(*(each.classes for rule in rules for each in rule.compounds))
        self._elements: dict[_Subject, str] = {}
        self._values: dict[str, set[str] | None] = {}
        """The values of attributes that matter; None if all do. Without this, each element with an id would differ."""
        for test in self._compiled.tests:
            known = self._values.setdefault(test.name, set()) if test.name else None
            if known is not None and test.kind in {"#", "="}:
                known.add(test.value)
            elif test.name:
                self._values[test.name] = None

    @property
    def initial_state(self) -> SvgState:
        """The state of the root."""
        return self._compiled.start

    def match_element(
        self, state: SvgState, tag: str, attributes: Mapping[str, str], *, is_root: bool
    ) -> Transition[MatchedDeclarations]:
        classes = attributes.get("class", "")
        if len(classes) > 100:
            classes = " ".join(sorted(self._classes.intersection(classes.split())))
        values = []
        for name, known in self._values.items():
            value = attributes.get(name)
            values.append(value if known is None or value in known else None)
        subject = (tag, classes, tuple(values), is_root)
        element = self._elements.get(subject) or self._element(subject)
        return state.known.get(element) or self._compiled.transition(state, element, last=False)

    def _element(self, subject: _Subject) -> str:
        """Return the element as `matcher` knows it: with classes that rules have, and with marks."""
        tag, classes, values, is_root = subject
        value = dict(zip(self._values, values, strict=True))
        marks = (
            f":{number}"
            for number, test in enumerate(self._compiled.tests)
            if (is_root if test.kind == "root" else test.accepts(value[test.name]))
        )
        if len(self._elements) >= self._max_entries:
            self._elements.clear()
        element = ".".join((tag, *sorted(self._classes.intersection(classes.split())), *marks))
        return self._elements.setdefault(subject, element)


def _by_importance(_element: str, declared: Mapping[str, str], _parent: object) -> MatchedDeclarations:
    normal = tuple(each for each in declared.items() if not each[0].startswith(_IMPORTANT))
    important = tuple((name[1:], value) for name, value in declared.items() if name.startswith(_IMPORTANT))
    return MatchedDeclarations(normal, important)


@lru_cache(maxsize=32)
def compile_stylesheet(css: str) -> SvgStylesheet:
    return SvgStylesheet(css)


def _rules(css: str) -> Iterator[MatchedRule]:
    for prelude, body in _blocks(_COMMENT.sub(" ", css)):
        declarations = parse_declarations(body)
        declared = {f"{_IMPORTANT}{name}" if urged else name: value for name, value, urged in declarations}
        for written in _SELECTORS.findall(prelude) if declared else ():
            try:
                selector = parse_selector(written.strip(), FIGURES)
            except InvalidSelector:
                continue
            yield MatchedRule(selector.compounds, selector.combinators, (False, *selector.specificity), declared)


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
