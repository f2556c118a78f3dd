"""Items of lists are numbered one by one from the first, or all alike if its next is. Lists directly below text stay."""

from collections.abc import Iterable

from mdpublish_core.formatting.source import MarkedSource, Unit
from mdpublish_core.strings.changes import Change
from mdpublish_core.strings.lazy_patterns import compile_lazily

_DIGITS = compile_lazily(r"\d+")


def propose(source: MarkedSource, name: str) -> Iterable[Unit]:
    """Propose a unit for each list."""
    lists: dict[int, list[Change]] = {}
    for (line, column), list_number in source.marks.numbers:
        digits = _DIGITS.match(source.lines[line], column)
        if digits and list_number not in source.marks.lists_below_text:
            lists.setdefault(list_number, []).append(source.change((line, column), len(digits[0]), digits[0]))
    for items in lists.values():
        first, second = int(items[0].after), int(items[min(1, len(items) - 1)].after)
        numbered = [each._replace(after=str(first + index * (first != second))) for index, each in enumerate(items)]
        changes = [new for old, new in zip(items, numbered, strict=True) if int(old.after) != int(new.after)]
        if changes:
            yield Unit(name, changes)
