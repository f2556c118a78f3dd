"""Selector matching while elements are written.

Each compound selector has a bit. For every open element, a `Cursor` holds the bits of the compounds that may match
next: the only history that matters. Styles are cached per element and state.

Elements are given as `p` or `div.callout.note`; `&` is the root. The matcher itself knows types, classes,
`:first-child` and `:last-child`. Each other condition on an element is a mark, `:0`, which the caller adds to the
classes of an element that it opens, if the condition holds.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Generic, NamedTuple, Protocol, TypeVar, get_args

from mdpublish_core.css.selectors import FIRST_CHILD, LAST_CHILD, ROOT, Combinator, Compound, Test, parse_selector

if TYPE_CHECKING:
    from mdpublish_core.css.rules import StyleRule

T = TypeVar("T", bound=Hashable)
T_co = TypeVar("T_co", bound=Hashable, covariant=True)

StyleFactory = Callable[[str, Mapping[str, str], T | None], T]
"""Returns the style for an element, its declarations, and its parent's style."""

MAX_ENTRIES = 20_000
"""Cached styles. Documents need some hundreds; adversarial nesting clears the cache."""

Weight = tuple[bool, int, int, int]
"""Whether important, ids, classes, types: the order of the cascade, before that of the source."""


class MatchedRule(NamedTuple):
    """A rule for one complex selector."""

    compounds: tuple[Compound, ...]
    combinators: tuple[Combinator, ...]
    weight: Weight
    declared: Mapping[str, str]


_parse_selector = lru_cache(maxsize=2048)(parse_selector)


def _matched_rules(written: "Iterable[StyleRule]") -> Iterator[MatchedRule]:
    # Late: figures have no rules of templates.
    from mdpublish_core.css.cascade import parse_declarations

    for rule in written:
        declared = parse_declarations(rule.declarations)
        for selector in map(_parse_selector, rule.selectors):
            yield MatchedRule(selector.compounds, selector.combinators, (False, *selector.specificity), declared)


class MatchState(Generic[T]):
    """The compounds that may match the next element, and what is known of such elements."""

    __slots__ = ("adjacent", "child", "descendant", "is_first", "known", "known_last", "parent", "previews", "siblings")

    def __init__(self, masks: tuple[int, int, int, int], is_first: bool, parent: T | None) -> None:
        self.descendant, self.child, self.adjacent, self.siblings = masks
        self.is_first = is_first
        self.parent = parent
        self.known: dict[str, Transition[T]] = {}
        self.known_last: dict[str, Transition[T]] = {}
        self.previews: dict[tuple[tuple[str, ...], tuple[str, ...]], tuple[T, ...]] = {}


class Transition(NamedTuple, Generic[T]):
    """An element's style, and the states of its first child and of its next sibling."""

    result: T
    inside: MatchState[T]
    after: MatchState[T]


class CompiledStylesheet(Generic[T]):
    """A stylesheet for one destination. Thread-safe: concurrent results are equal."""

    def __init__(
        self,
        written: "Iterable[StyleRule]",
        make_style: StyleFactory[T],
        other_rules: Iterable[MatchedRule] = (),
        max_entries: int | None = None,
    ) -> None:
        self._make_style = make_style
        self._max_entries = max_entries or MAX_ENTRIES
        self._compounds: list[tuple[str | None, frozenset[str]]] = []
        self._combinators: list[Combinator | None] = []
        self._places: dict[Test, list[int]] = {FIRST_CHILD: [], LAST_CHILD: []}
        self._marks: dict[Test, str] = {}
        # By last compound, with specificity and source order.
        self._declared: dict[int, tuple[tuple[Weight, int], Mapping[str, str]]] = {}
        roots: list[int] = []
        for position, rule in enumerate((*_matched_rules(written), *other_rules)):
            roots.append(len(self._compounds))
            for compound in rule.compounds:
                self._add(compound)
            self._combinators += [*rule.combinators, None]
            self._declared[len(self._compounds) - 1] = ((rule.weight, position), rule.declared)
        self.tests = tuple(self._marks)
        """Conditions in the order of their marks."""
        self._set_masks(roots)
        self._forget()

    def _add(self, compound: Compound) -> None:
        marks = []
        for test in compound.tests:
            if (place := self._places.get(test)) is not None:
                place.append(len(self._compounds))
            else:
                marks.append(self._marks.setdefault(test, f":{len(self._marks)}"))
        self._compounds.append((compound.type, compound.classes.union(marks) if marks else compound.classes))

    def _set_masks(self, roots: list[int]) -> None:
        self._roots = _mask_of(roots)
        self._finals = _mask_of(self._declared)
        self._first, self._last = map(_mask_of, self._places.values())
        # Those before each combinator; the compound after it has the next bit.
        self._before = {
            mark: _mask_of(bit for bit, combinator in enumerate(self._combinators) if combinator == mark)
            for mark in get_args(Combinator)
        }
        # Compounds with no class, by type, and the others by one of their classes.
        plain: dict[str | None, list[int]] = {}
        self._classed: dict[str, list[int]] = {}
        for bit, (type_, classes) in enumerate(self._compounds):
            if classes:
                self._classed.setdefault(min(classes), []).append(bit)
            else:
                plain.setdefault(type_, []).append(bit)
        self._plain = {type_: _mask_of(bits) for type_, bits in plain.items()}

    def _forget(self) -> None:
        self._entries = 0
        self._fitting: dict[str, int] = {}
        self._states: dict[tuple[object, ...], MatchState[T]] = {}
        self._results: dict[T, T] = {}
        self.start = self._state((0, 0, 0, 0), is_first=True, parent=None)

    def cursor(self) -> "Cursor[T]":
        return Cursor(self, self.start)

    def _state(self, masks: tuple[int, int, int, int], *, is_first: bool, parent: T | None) -> MatchState[T]:
        key = (masks, is_first, parent)
        state = self._states.get(key)
        if state is None:
            state = self._states.setdefault(key, MatchState(masks, is_first, parent))
        return state

    def transition(self, state: MatchState[T], element: str, last: bool) -> Transition[T]:
        if self._entries >= self._max_entries:
            self._forget()
        self._entries += 1
        matched = self._matched(state, element, last)
        result = self._make_style(element, self._cascaded(matched), state.parent)
        result = self._results.setdefault(result, result)
        descendant, child, adjacent, siblings = self._reached(matched)
        entry = Transition(
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

    def _matched(self, state: MatchState[T], element: str, last: bool) -> int:
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
            types = {type_} if type_ == ROOT else {None, type_}
            fits = self._plain.get(type_, 0) | (self._plain.get(None, 0) if None in types else 0)
            fits |= _mask_of(
                bit
                for name in classes
                for bit in self._classed.get(name, ())
                if self._compounds[bit][0] in types and self._compounds[bit][1] <= classes
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
            (self._declared[bit] for bit in _bit_indexes(matched & self._finals)), key=lambda each: each[0]
        ):
            for name, value in declared.items():
                winning.pop(name, None)  # insertion order follows the cascade
                winning[name] = value
        return winning


def _bit_indexes(mask: int) -> Sequence[int]:
    """Return the indexes of the set bits, lowest first."""
    # As text, the search takes time proportional to the mask's length.
    digits = bin(mask)[:1:-1]
    bits = []
    index = digits.find("1")
    while index >= 0:
        bits.append(index)
        index = digits.find("1", index + 1)
    return bits


def _mask_of(bits: Iterable[int]) -> int:
    """Return a mask with these bits, in time proportional to the highest."""
    numbers = list(bits)
    octets = bytearray(max(numbers, default=0) // 8 + 1)
    for bit in numbers:
        octets[bit >> 3] |= 1 << (bit & 7)
    return int.from_bytes(octets, "little")


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

    def preview(self, path: tuple[str, ...], siblings: tuple[str, ...]) -> tuple[T_co, ...]:  # noqa: ARG002
        """Return the styles that first descendants would have, all children of the last of `path`; none if unknown."""
        return ()

    @property
    def current(self) -> T_co:
        """The style of the innermost open element."""


class Cursor(Generic[T]):
    """A position in a document."""

    __slots__ = ("_results", "_sheet", "_states")

    def __init__(self, sheet: CompiledStylesheet[T], start: MatchState[T]) -> None:
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

    def preview(self, path: tuple[str, ...], siblings: tuple[str, ...]) -> tuple[T, ...]:
        state = self._states[-1]
        known = state.previews.get((path, siblings))
        if known is None:
            known = state.previews[path, siblings] = tuple(self._preview(state, path, siblings))
        return known

    def _preview(self, state: MatchState[T], path: Sequence[str], siblings: Sequence[str]) -> Iterator[T]:
        sheet = self._sheet
        for element in path:
            state = (state.known.get(element) or sheet.transition(state, element, last=False)).inside
        final = len(siblings) - 1
        for number, element in enumerate(siblings):
            known = state.known_last if number == final else state.known
            entry = known.get(element) or sheet.transition(state, element, number == final)
            yield entry.result
            state = entry.after

    @property
    def current(self) -> T:
        return self._results[-1]
