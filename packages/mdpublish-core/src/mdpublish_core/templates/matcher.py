"""Which rules hold for an element: a stylesheet compiled into a machine that follows elements as they are written.

A selector is a row of compounds; each compound has a bit. Where elements are opened and closed, a `Cursor` holds, for
each that is open, the bits of the compounds that may match next, which is all of the past that matters to the rules. What
one element gets in one place is found once and remembered, so that a step is two look-ups: nothing like a second pass
over the finished document, which is what inliners take most of their time for.

The grammar of selectors is types, classes, `:first-child` and `:last-child`, joined by ` `, `>`, `+` and `~`; `&` is the
root. An element is told in the same words: `p`, `div.callout.note`, and whether it is its parent's last child.
"""

import re
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Generic, Literal, Protocol, TypeVar

from mdpublish_core.bits import bits_of
from mdpublish_core.templates.cascade import declarations_of
from mdpublish_core.templates.stylesheet import Rule

T = TypeVar("T", bound=Hashable)
T_co = TypeVar("T_co", bound=Hashable, covariant=True)

Project = Callable[[str, Mapping[str, str], T | None], T]
"""Makes of an element, of what is declared for it, and of its parent's, what a destination wants to know of it."""

MOST_ENTRIES = 20_000
"""What a sheet remembers, in elements in their places. Real documents come to some hundreds for a template; a text that
nests everything in everything reaches this and then only takes longer, since what was remembered is then forgotten."""

_COMPOUND = re.compile(
    r"(?P<type>[&*]|[a-z][a-z0-9]*)?(?P<classes>(?:\.[a-z][a-z0-9-]*)*)(?P<place>:(?:first|last)-child)*"
)
_COMBINATOR = re.compile(r"\s*([>+~])\s*|\s+")

_Combinator = Literal[" ", ">", "+", "~"]


@dataclass(frozen=True, slots=True)
class _Compound:
    """One compound of a selector: its type (None for any), its classes, and whether it must be first or last child."""

    type: str | None
    classes: frozenset[str]
    first: bool
    last: bool


class BadSelector(ValueError):  # noqa: N818  (it names the fault)
    """A selector outside the grammar."""


@lru_cache(maxsize=2048)
def selector_parts(selector: str) -> tuple[tuple[_Compound, ...], tuple[_Combinator, ...]]:
    """Take a selector apart into compounds and the combinators between them; raises `BadSelector`."""
    compounds: list[_Compound] = []
    combinators: list[_Combinator] = []
    position = 0
    while True:
        compound = _COMPOUND.match(selector, position)
        if not compound or not compound[0]:
            raise BadSelector(selector)
        type_ = compound["type"]
        place = compound[0][compound.end("classes") - compound.start() :]
        classes = frozenset(compound["classes"].split(".")[1:])
        compounds.append(_Compound(None if type_ == "*" else type_, classes, ":first" in place, ":last" in place))
        position = compound.end()
        if position == len(selector):
            return tuple(compounds), tuple(combinators)
        combinator = _COMBINATOR.match(selector, position)
        if not combinator:
            raise BadSelector(selector)
        combinators.append(combinator[1] or " ")  # type: ignore[arg-type]
        position = combinator.end()


class _Place(Generic[T]):
    """Where an element may stand: below which parent, behind which siblings, as far as the rules can tell."""

    __slots__ = ("adjacent", "child", "descendant", "known", "known_last", "parent", "siblings", "virgin")

    def __init__(self, masks: tuple[int, int, int, int], virgin: bool, parent: T | None) -> None:
        self.descendant, self.child, self.adjacent, self.siblings = masks
        self.virgin = virgin
        self.parent = parent
        self.known: dict[str, _Entry[T]] = {}
        self.known_last: dict[str, _Entry[T]] = {}


@dataclass(frozen=True, slots=True)
class _Entry(Generic[T]):
    """What an element gets in a place, and the places that it makes: for its children, and for its next sibling."""

    result: T
    inside: _Place[T]
    after: _Place[T]


class Sheet(Generic[T]):
    """A stylesheet that is compiled for one destination; `project` makes what the destination gets for an element.

    Threads may share it: what two of them find at once is the same, and one finding is kept.
    """

    def __init__(self, written: Iterable[Rule], project: Project[T]) -> None:
        self._project = project
        self._fitting: dict[str, int] = {}
        self._compounds: list[_Compound] = []
        self._next: list[tuple[_Combinator, int] | None] = []
        # The declarations of a selector's last compound, with what orders them: specificity, then the order written.
        self._declared: dict[int, tuple[tuple[int, int, int], Mapping[str, str]]] = {}
        self._roots = self._first = self._last = 0
        order = 0
        for rule in written:
            declared = declarations_of(rule.declarations)
            for selector in rule.selectors:
                self._add(selector, declared, order)
                order += 1
        self._finals = sum(1 << bit for bit in self._declared)
        self._forget()

    def _add(self, selector: str, declared: Mapping[str, str], order: int) -> None:
        compounds, combinators = selector_parts(selector)
        self._roots |= 1 << len(self._compounds)
        classes = types = 0
        for number, compound in enumerate(compounds):
            bit = len(self._compounds)
            self._compounds.append(compound)
            self._next.append((combinators[number], bit + 1) if number < len(combinators) else None)
            self._first |= compound.first << bit
            self._last |= compound.last << bit
            classes += len(compound.classes) + compound.first + compound.last + (compound.type == "&")
            types += compound.type not in {None, "&"}
        self._declared[len(self._compounds) - 1] = ((classes, types, order), declared)

    def _forget(self) -> None:
        self._entries = 0
        self._places: dict[tuple[object, ...], _Place[T]] = {}
        self._results: dict[T, T] = {}
        self._start = self._place((0, 0, 0, 0), virgin=True, parent=None)

    def cursor(self) -> "Cursor[T]":
        """Return a cursor before the root."""
        return Cursor(self, self._start)

    def _place(self, masks: tuple[int, int, int, int], *, virgin: bool, parent: T | None) -> _Place[T]:
        key = (masks, virgin, parent)
        place = self._places.get(key)
        if place is None:
            place = self._places.setdefault(key, _Place(masks, virgin, parent))
        return place

    def entry(self, place: _Place[T], element: str, last: bool) -> _Entry[T]:
        """Find what an element gets in a place, and remember it there."""
        if self._entries >= MOST_ENTRIES:
            self._forget()
        self._entries += 1
        matched = self._matched(place, element, last)
        result = self._project(element, self._cascaded(matched), place.parent)
        result = self._results.setdefault(result, result)
        descendant, child, adjacent, siblings = self._reached(matched)
        entry = _Entry(
            result,
            inside=self._place((place.descendant | descendant, child, 0, 0), virgin=True, parent=result),
            after=self._place(
                (place.descendant, place.child, adjacent, place.siblings | siblings), virgin=False, parent=place.parent
            ),
        )
        (place.known_last if last else place.known)[element] = entry
        return entry

    def _matched(self, place: _Place[T], element: str, last: bool) -> int:
        """Return the bits of the compounds that the element matches."""
        reached = self._roots | place.descendant | place.child | place.adjacent | place.siblings
        matched = reached & self._fits(element)
        if not place.virgin:
            matched &= ~self._first
        return matched if last else matched & ~self._last

    def _fits(self, element: str) -> int:
        """Return the bits of the compounds whose type and classes an element has, wherever it stands."""
        fits = self._fitting.get(element)
        if fits is None:
            type_, *classes = element.split(".")
            fits = 0
            # The root is met by its own name alone: all other selectors mean what stands in it.
            types = {type_} if type_ == "&" else {None, type_}
            for bit, compound in enumerate(self._compounds):
                if compound.type in types and compound.classes <= set(classes):
                    fits |= 1 << bit
            self._fitting[element] = fits
        return fits

    def _reached(self, matched: int) -> tuple[int, int, int, int]:
        """Return the compounds that may match next: in any element below, in a child, in the next sibling, in any."""
        masks = {" ": 0, ">": 0, "+": 0, "~": 0}
        for bit in bits_of(matched & ~self._finals):
            step = self._next[bit]
            assert step
            masks[step[0]] |= 1 << step[1]
        return masks[" "], masks[">"], masks["+"], masks["~"]

    def _cascaded(self, matched: int) -> dict[str, str]:
        """Return the declarations that win, by property."""
        winning: dict[str, str] = {}
        for _, declared in sorted(
            (self._declared[bit] for bit in bits_of(matched & self._finals)), key=lambda each: each[0]
        ):
            for name, value in declared.items():
                winning.pop(name, None)  # so that a later declaration is written later, too
                winning[name] = value
        return winning


class Styles(Protocol[T_co]):
    """What a renderer asks for the styles of the elements that it opens and closes."""

    def enter(self, element: str, *, last: bool = False, attributes: Mapping[str, str] | None = None) -> T_co:
        """Open an element, and return what the destination gets for it."""

    def leave(self) -> None:
        """Close the innermost open element."""

    @property
    def current(self) -> T_co:
        """What the innermost open element got."""


class Cursor(Generic[T]):
    """Where a writer stands in a document: `enter` an element when it is opened, `leave` it when it is closed."""

    __slots__ = ("_places", "_results", "_sheet")

    def __init__(self, sheet: Sheet[T], start: _Place[T]) -> None:
        self._sheet = sheet
        self._places = [start]
        self._results: list[T] = []

    def enter(
        self,
        element: str,
        *,
        last: bool = False,
        attributes: Mapping[str, str] | None = None,  # noqa: ARG002
    ) -> T:
        """Open an element, told as `type.class.class`, and return what the destination gets for it.

        `attributes` mean nothing to a template's rules, but may to those of a caller's own stylesheet.
        """
        places = self._places
        place = places[-1]
        entry = (place.known_last if last else place.known).get(element) or self._sheet.entry(place, element, last)
        places[-1] = entry.after
        places.append(entry.inside)
        self._results.append(entry.result)
        return entry.result

    def leave(self) -> None:
        """Close the innermost open element."""
        self._places.pop()
        self._results.pop()

    @property
    def current(self) -> T:
        """What the innermost open element got."""
        return self._results[-1]
