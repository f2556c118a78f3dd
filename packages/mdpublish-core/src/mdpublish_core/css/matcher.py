"""Selector matching while elements are written.

Each compound selector has a bit. For every open element, a `Cursor` holds the bits of the compounds that may match
next: the only history that matters. Styles are cached per element and state.

Selectors have types, classes, `:first-child` and `:last-child`, joined by ` `, `>`, `+` and `~`; `&` is the root.
Elements are given as `p` or `div.callout.note`. Rules of a user's stylesheet come as `MatchedRule`, whose compounds are parsed; other
conditions on elements are classes there, which `inlining` adds.
"""

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Generic, Literal, NamedTuple, Protocol, TypeVar, get_args

from mdpublish_core.css.bitmask import bit_indexes, mask_of
from mdpublish_core.css.cascade import parse_declarations
from mdpublish_core.css.rules import StyleRule

T = TypeVar("T", bound=Hashable)
T_co = TypeVar("T_co", bound=Hashable, covariant=True)

StyleFactory = Callable[[str, Mapping[str, str], T | None], T]
"""Returns the style for an element, its declarations, and its parent's style."""

MAX_ENTRIES = 20_000
"""Cached styles. Documents need some hundreds; adversarial nesting clears the cache."""

_COMPOUND = re.compile(
    r"(?P<type>[&*]|[a-z][a-z0-9]*)?(?P<classes>(?:\.[a-z][a-z0-9-]*)*)(?P<place>:(?:first|last)-child)*"
)
_COMBINATOR = re.compile(r"\s*([>+~])\s*|\s+")

Combinator = Literal[" ", ">", "+", "~"]


class MatchedCompound(NamedTuple):
    """A compound selector; None is any type."""

    type: str | None
    classes: frozenset[str]
    first: bool = False
    last: bool = False


Weight = tuple[bool, int, int, int]
"""Whether important, ids, classes, types: the order of the cascade, before that of the source."""


class MatchedRule(NamedTuple):
    """A rule for one complex selector."""

    compounds: tuple[MatchedCompound, ...]
    combinators: tuple[Combinator, ...]
    weight: Weight
    declared: Mapping[str, str]


class InvalidSelector(ValueError):  # noqa: N818  (it names the fault)
    """A selector outside the grammar."""


@lru_cache(maxsize=2048)
def parse_selector(selector: str) -> tuple[tuple[MatchedCompound, ...], tuple[Combinator, ...]]:
    compounds: list[MatchedCompound] = []
    combinators: list[Combinator] = []
    position = 0
    while True:
        compound = _COMPOUND.match(selector, position)
        if not compound or not compound[0]:
            raise InvalidSelector(selector)
        type_ = compound["type"]
        pseudo_classes = compound[0][compound.end("classes") - compound.start() :]
        classes = frozenset(compound["classes"].split(".")[1:])
        compounds.append(
            MatchedCompound(
                None if type_ == "*" else type_, classes, ":first" in pseudo_classes, ":last" in pseudo_classes
            )
        )
        position = compound.end()
        if position == len(selector):
            return tuple(compounds), tuple(combinators)
        combinator = _COMBINATOR.match(selector, position)
        if not combinator:
            raise InvalidSelector(selector)
        combinators.append(combinator[1] or " ")  # type: ignore[arg-type]
        position = combinator.end()


def _matched_rules(rule: StyleRule) -> Iterator[MatchedRule]:
    declared = parse_declarations(rule.declarations)
    for selector in rule.selectors:
        compounds, combinators = parse_selector(selector)
        classes = types = 0
        for compound in compounds:
            classes += len(compound.classes) + compound.first + compound.last + (compound.type == "&")
            types += compound.type not in {None, "&"}
        yield MatchedRule(compounds, combinators, (False, 0, classes, types), declared)


class _State(Generic[T]):
    __slots__ = ("adjacent", "child", "descendant", "is_first", "known", "known_last", "parent", "siblings")

    def __init__(self, masks: tuple[int, int, int, int], is_first: bool, parent: T | None) -> None:
        self.descendant, self.child, self.adjacent, self.siblings = masks
        self.is_first = is_first
        self.parent = parent
        self.known: dict[str, _Transition[T]] = {}
        self.known_last: dict[str, _Transition[T]] = {}


class _Transition(NamedTuple, Generic[T]):
    result: T
    inside: _State[T]
    after: _State[T]


class CompiledStylesheet(Generic[T]):
    """A stylesheet for one destination. Thread-safe: concurrent results are equal."""

    def __init__(
        self, written: Iterable[StyleRule], make_style: StyleFactory[T], user_rules: Iterable[MatchedRule] = ()
    ) -> None:
        self._make_style = make_style
        self._fitting: dict[str, int] = {}
        self._compounds: list[MatchedCompound] = []
        self._combinators: list[Combinator | None] = []
        # By last compound, with specificity and source order.
        self._declared: dict[int, tuple[tuple[Weight, int], Mapping[str, str]]] = {}
        roots: list[int] = []
        template_rules = (rule for each in written for rule in _matched_rules(each))
        for position, rule in enumerate((*template_rules, *user_rules)):
            roots.append(len(self._compounds))
            self._compounds += rule.compounds
            self._combinators += [*rule.combinators, None]
            self._declared[len(self._compounds) - 1] = ((rule.weight, position), rule.declared)
        self._set_masks(roots)
        self._forget()

    def _set_masks(self, roots: list[int]) -> None:
        compounds = list(enumerate(self._compounds))
        self._roots = mask_of(roots)
        self._finals = mask_of(self._declared)
        self._first = mask_of(bit for bit, compound in compounds if compound.first)
        self._last = mask_of(bit for bit, compound in compounds if compound.last)
        # Those before each combinator; the compound after it has the next bit.
        self._before = {
            mark: mask_of(bit for bit, combinator in enumerate(self._combinators) if combinator == mark)
            for mark in get_args(Combinator)
        }
        # Compounds with no class, by type, and the others by one of their classes.
        plain: dict[str | None, list[int]] = {}
        self._classed: dict[str, list[int]] = {}
        for bit, compound in compounds:
            if compound.classes:
                self._classed.setdefault(min(compound.classes), []).append(bit)
            else:
                plain.setdefault(compound.type, []).append(bit)
        self._plain = {type_: mask_of(bits) for type_, bits in plain.items()}

    def _forget(self) -> None:
        self._entries = 0
        self._states: dict[tuple[object, ...], _State[T]] = {}
        self._results: dict[T, T] = {}
        self._start = self._state((0, 0, 0, 0), is_first=True, parent=None)

    def cursor(self) -> "Cursor[T]":
        return Cursor(self, self._start)

    def _state(self, masks: tuple[int, int, int, int], *, is_first: bool, parent: T | None) -> _State[T]:
        key = (masks, is_first, parent)
        state = self._states.get(key)
        if state is None:
            state = self._states.setdefault(key, _State(masks, is_first, parent))
        return state

    def transition(self, state: _State[T], element: str, last: bool) -> _Transition[T]:
        if self._entries >= MAX_ENTRIES:
            self._forget()
        self._entries += 1
        matched = self._matched(state, element, last)
        result = self._make_style(element, self._cascaded(matched), state.parent)
        result = self._results.setdefault(result, result)
        descendant, child, adjacent, siblings = self._reached(matched)
        entry = _Transition(
            result,
            inside=self._state((state.descendant | descendant, child, 0, 0), is_first=True, parent=result),
            after=self._state(
                (state.descendant, state.child, adjacent, state.siblings | siblings),
                is_first=False,
                parent=state.parent,
            ),
        )
        (state.known_last if last else state.known)[element] = entry
        return entry

    def _matched(self, state: _State[T], element: str, last: bool) -> int:
        reached = self._roots | state.descendant | state.child | state.adjacent | state.siblings
        matched = reached & self._fits(element)
        if not state.is_first:
            matched &= ~self._first
        return matched if last else matched & ~self._last

    def _fits(self, element: str) -> int:
        fits = self._fitting.get(element)
        if fits is None:
            type_, *names = element.split(".")
            classes = frozenset(names)
            # Only `&` matches the root.
            types = {type_} if type_ == "&" else {None, type_}
            fits = self._plain.get(type_, 0) | (self._plain.get(None, 0) if None in types else 0)
            fits |= mask_of(
                bit
                for name in classes
                for bit in self._classed.get(name, ())
                if self._compounds[bit].type in types and self._compounds[bit].classes <= classes
            )
            self._fitting[element] = fits
        return fits

    def _reached(self, matched: int) -> tuple[int, int, int, int]:
        """Return masks for descendants, children, next sibling and later siblings."""
        before = self._before
        descendant, child, adjacent, siblings = ((matched & before[mark]) << 1 for mark in (" ", ">", "+", "~"))
        return descendant, child, adjacent, siblings

    def _cascaded(self, matched: int) -> dict[str, str]:
        winning: dict[str, str] = {}
        for _, declared in sorted(
            (self._declared[bit] for bit in bit_indexes(matched & self._finals)), key=lambda each: each[0]
        ):
            for name, value in declared.items():
                winning.pop(name, None)  # insertion order follows the cascade
                winning[name] = value
        return winning


class Styles(Protocol[T_co]):
    """Styles of the elements that a renderer opens and closes."""

    def enter(self, element: str, *, last: bool = False, attributes: Mapping[str, str] | None = None) -> T_co:
        """Open an element and return its style."""

    def leave(self) -> None:
        """Close the innermost open element."""

    def visit(self, element: str, *, last: bool = False) -> T_co:
        """Open and close an element, and return its style."""
        style = self.enter(element, last=last)
        self.leave()
        return style

    @property
    def current(self) -> T_co:
        """The style of the innermost open element."""


class Cursor(Generic[T]):
    """A position in a document."""

    __slots__ = ("_results", "_sheet", "_states")

    def __init__(self, sheet: CompiledStylesheet[T], start: _State[T]) -> None:
        self._sheet = sheet
        self._states = [start]
        self._results: list[T] = []

    def enter(
        self,
        element: str,
        *,
        last: bool = False,
        attributes: Mapping[str, str] | None = None,  # noqa: ARG002
    ) -> T:
        """Open an element, given as `type.class.class`; `attributes` matter only to user stylesheets."""
        states = self._states
        state = states[-1]
        entry = (state.known_last if last else state.known).get(element) or self._sheet.transition(state, element, last)
        states[-1] = entry.after
        states.append(entry.inside)
        self._results.append(entry.result)
        return entry.result

    def leave(self) -> None:
        self._states.pop()
        self._results.pop()

    def visit(self, element: str, *, last: bool = False) -> T:
        states = self._states
        state = states[-1]
        entry = (state.known_last if last else state.known).get(element) or self._sheet.transition(state, element, last)
        states[-1] = entry.after
        return entry.result

    @property
    def current(self) -> T:
        return self._results[-1]
