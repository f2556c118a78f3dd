"""User stylesheets for destinations without stylesheets: their rules and the template's in one matcher.

Conditions that `matcher` does not know, such as `:not(.a)` and `[href^=x]`, become classes of the elements for which
they hold. The few that depend on later siblings need a first rendering, which counts the elements.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import Generic, NamedTuple, TypeVar

from mdpublish_core.css.matcher import CompiledStylesheet, Cursor, MatchedRule, StyleFactory, Styles
from mdpublish_core.css.media_queries import media_holds
from mdpublish_core.css.normalize import Units, longhands
from mdpublish_core.css.rules import StyleRule
from mdpublish_core.css.selectors import COUNTS, FIRST_CHILD, LAST_CHILD, ROOT, Compound, Selector, Test
from mdpublish_core.css.user_css import left_out_message
from mdpublish_core.css.user_css_reading import LeftOut, UserRule, UserStylesheet
from mdpublish_core.css.user_style import RULE, UserStyle, UserStyleFactory, declared_longhands
from mdpublish_core.resources.characters import replace_invalid

T = TypeVar("T", bound=Hashable)

MAX_CONDITIONS = 200
"""Conditions on places and attributes, each of which is checked for each element; popular stylesheets have 50."""

_MAX_CACHED_MARKS = 20_000

_MARK = ".:"

_FROM_END = frozenset({"nth-last-child", "nth-last-of-type"})


class UserSheet(NamedTuple, Generic[T]):
    """A template's and a user's stylesheet for one destination."""

    compiled: CompiledStylesheet[UserStyle[T]]
    message: str | None
    """About what is left out."""

    @property
    def needs_counts(self) -> bool:
        """Whether a condition depends on later siblings, other than being the last."""
        inner = (each for test in self.compiled.tests for each in test.tests)
        return any(each.kind in _FROM_END and each != LAST_CHILD for each in inner)


def compile_user_css(
    template: Iterable[StyleRule],
    stylesheet: UserStylesheet,
    theme_mode: str,
    width: float,
    make_style: StyleFactory[T],
) -> UserSheet[T]:
    compiler = _Compiler(theme_mode, Units(width=width))
    rules = [matched for rule in stylesheet.rules for matched in compiler.matched(rule)]
    factory = UserStyleFactory(make_style, _bare, compiler.units)
    left_out = (*stylesheet.left_out, *compiler.left_out)
    return UserSheet(CompiledStylesheet(template, factory, rules), left_out_message(left_out))


def _bare(element: str) -> str:
    return element.partition(_MARK)[0]


class _Compiler:
    def __init__(self, theme_mode: str, units: Units) -> None:
        self.units = units
        self.left_out: list[LeftOut] = []
        self._marked: set[Test] = set()
        self._theme_mode = theme_mode
        self._conditions = 0

    def matched(self, rule: UserRule) -> Iterator[MatchedRule]:
        holds = media_holds(rule.media, self._theme_mode, self.units) if rule.media else True
        if holds is None:
            self.left_out.append(LeftOut("at-rules", f"@media {rule.media}"))
        if not holds:
            return
        usable = [selector for selector in rule.selectors if self._is_usable(selector)]
        if not usable:
            return
        for is_important, declared in self._declared(rule).items():
            for selector in usable:
                self._marked |= _tests(selector) - {FIRST_CHILD, LAST_CHILD}
                weight = (is_important, *selector.specificity)
                yield MatchedRule(selector.compounds, selector.combinators, weight, declared)

    def _declared(self, rule: UserRule) -> dict[bool, dict[str, str]]:
        """Return longhands by importance."""
        declared: dict[bool, dict[str, str]] = {}
        for name, value, is_important in rule.declarations:
            values = declared_longhands(name, value, self.units)
            if name == "height" and any(selector.compounds[-1].type != RULE for selector in rule.selectors):
                self.left_out.append(LeftOut("properties", name))
            elif values is None:
                self._leave_out(name, value)
            else:
                target = declared.setdefault(is_important, {})
                for longhand, each in values.items():
                    target.pop(longhand, None)
                    target[longhand] = each
        return declared

    def _leave_out(self, name: str, value: str) -> None:
        if longhands(name):
            self.left_out.append(LeftOut("values", f"{name}: {value}"))
        else:
            self.left_out.append(LeftOut("properties", name))

    def _is_usable(self, selector: Selector) -> bool:
        if selector.obstacle is not None:
            self.left_out.append(LeftOut("selectors", selector.obstacle))
            return False
        conditions = sum(map(_is_condition, _tests(selector) - self._marked))
        if self._conditions + conditions > MAX_CONDITIONS:
            self.left_out.append(LeftOut("rules", f"rules past {MAX_CONDITIONS} conditions on places and attributes"))
            return False
        self._conditions += conditions
        return True


def _tests(selector: Selector) -> set[Test]:
    return {test for compound in selector.compounds for test in compound.tests}


def _is_condition(test: Test) -> bool:
    """Whether a test depends on more than an element's type and classes."""
    return any(each.kind not in {"is", "not", "state", "link"} for each in test.tests)


class _Counted(NamedTuple):
    """An element's number from the end among its siblings, and among those of its type."""

    from_end: int
    of_type_from_end: int


class _Element(NamedTuple):
    """An element as selectors see it."""

    type: str
    classes: frozenset[str]
    attributes: Mapping[str, str]
    numbers: Mapping[str, int]
    """Places of an element by the tests of `COUNTS`; from the end 0, if unknown."""


def _holds(test: Test, element: _Element) -> bool:
    if test.kind in {"is", "not"}:
        return any(_matches(compound, element) for compound in test.compounds) == (test.kind == "is")
    if test.kind in COUNTS:
        number = element.numbers[test.kind]
        distance = number - test.offset
        return number > 0 and (distance % test.step == 0 and distance // test.step >= 0 if test.step else distance == 0)
    if test.kind in {"state", "link"}:
        return test.kind == "link" and "href" in element.attributes
    return test.accepts(
        (" ".join(element.classes) or None) if test.name == "class" else element.attributes.get(test.name)
    )


def _matches(compound: Compound, element: _Element) -> bool:
    if ROOT in {compound.type, element.type}:
        is_type, has_classes = compound.type == element.type, True
    else:
        is_type, has_classes = compound.type in {None, element.type}, compound.classes <= element.classes
    return is_type and has_classes and all(_holds(test, element) for test in compound.tests)


class UserCursor(Styles[T]):
    """A cursor with the styles of both stylesheets; `counts` has an entry for each element, in document order."""

    def __init__(self, sheet: UserSheet[T], counts: Iterator[_Counted] | None = None) -> None:
        self._cursor: Cursor[UserStyle[T]] = sheet.compiled.cursor()
        self._tests = sheet.compiled.tests
        self._counts = counts
        self._is_counting = any(each.kind in COUNTS for test in self._tests for each in test.tests)
        self._siblings: list[Counter[str]] = [Counter()]
        self._marks: dict[tuple[object, ...], str] = {}

    def enter(self, element: str, *, last: bool = False, attributes: Mapping[str, str] | None = None) -> T:
        if self._tests:
            element += self._marks_of(element, last, attributes)
        return self._cursor.enter(element, last=last).style

    def preview(self, path: tuple[str, ...], siblings: tuple[str, ...]) -> tuple[T, ...]:
        return () if self._tests else tuple(each.style for each in self._cursor.preview(path, siblings))

    def leave(self) -> None:
        self._cursor.leave()
        if self._is_counting:
            self._siblings.pop()

    @property
    def current(self) -> T:
        return self._cursor.current.style

    def _marks_of(self, element: str, last: bool, attributes: Mapping[str, str] | None) -> str:
        type_, *classes = element.split(".")
        numbers = (0, 0, 0, 0)
        if self._is_counting:
            siblings = self._siblings[-1]
            siblings[""] += 1
            siblings[type_] += 1
            self._siblings.append(Counter())
            from_end = _Counted(int(last), 0) if self._counts is None else next(self._counts)
            numbers = (siblings[""], from_end.from_end, siblings[type_], from_end.of_type_from_end)
        key = (element, tuple((attributes or {}).items()), numbers)
        marks = self._marks.get(key)
        if marks is None:
            valid = {name: replace_invalid(value) for name, value in (attributes or {}).items()}
            subject = _Element(type_, frozenset(classes), valid, dict(zip(COUNTS, numbers, strict=True)))
            marks = "".join(f"{_MARK}{mark}" for mark, test in enumerate(self._tests) if _holds(test, subject))
            if len(self._marks) >= _MAX_CACHED_MARKS:
                self._marks.clear()
            self._marks[key] = marks
        return marks


class CountingCursor(Styles[T]):
    """A cursor that counts elements for a second rendering."""

    def __init__(self, sheet: UserSheet[T]) -> None:
        self._styles = UserCursor(sheet)
        self._types: list[str] = []
        self._families: list[list[int]] = [[]]
        self._finished: list[list[int]] = []

    def enter(self, element: str, *, last: bool = False, attributes: Mapping[str, str] | None = None) -> T:
        self._families[-1].append(len(self._types))
        self._types.append(element.partition(".")[0])
        self._families.append([])
        return self._styles.enter(element, last=last, attributes=attributes)

    def leave(self) -> None:
        self._styles.leave()
        self._finished.append(self._families.pop())

    @property
    def current(self) -> T:
        return self._styles.current

    def counts(self) -> Iterator[_Counted]:
        counted = [_Counted(1, 1)] * len(self._types)
        for family in self._finished:
            of_type: Counter[str] = Counter()
            for from_end, number in enumerate(reversed(family), start=1):
                of_type[self._types[number]] += 1
                counted[number] = _Counted(from_end, of_type[self._types[number]])
        return iter(counted)
