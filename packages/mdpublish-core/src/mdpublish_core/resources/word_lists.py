"""The lists of a Word file, as its part of numberings defines them.

Source: ECMA-376-1, 17.9.
"""

from collections.abc import Mapping
from typing import NamedTuple

from mdpublish_core.resources.open_xml import Element, parse_number, qualified, value_of

_MAX_LEVEL = 8

LIST_TYPES = {"decimal": "1", "lowerLetter": "a", "upperLetter": "A", "lowerRoman": "i", "upperRoman": "I"}
"""How HTML calls the forms of numbers."""


class ListLevel(NamedTuple):
    """What the paragraphs of a level show: `form` is as Word writes it, `pattern` has `%1` for the number of level 0."""

    form: str
    start: int
    pattern: str | None
    properties: Element | None


class WordLists:
    """Counts as Word does: lists of one definition go on with its numbers, unless one restarts."""

    def __init__(self, part: Element | None) -> None:
        self.definitions: dict[str, str] = {}
        self._levels: dict[str, dict[int, ListLevel]] = {}
        self._starts: dict[tuple[str, int], int] = {}
        self._counts: dict[str, dict[int, int]] = {}
        linked, links = {}, {}
        for definition in () if part is None else part.iterchildren(qualified("w:abstractNum")):
            name = definition.get(qualified("w:abstractNumId"), "")
            self._levels[name] = dict(map(_level, definition.iterchildren(qualified("w:lvl"))))
            linked[value_of(definition, "w:styleLink")] = name
            links[name] = value_of(definition, "w:numStyleLink")
        for number in () if part is None else part.iterchildren(qualified("w:num")):
            list_id, name = number.get(qualified("w:numId"), ""), value_of(number, "w:abstractNumId") or ""
            self.definitions[list_id] = linked.get(links.get(name) or "", name)
            for override in number.iterchildren(qualified("w:lvlOverride")):
                if (start := value_of(override, "w:startOverride")) is not None:
                    self._starts[list_id, depth_of(override.get(qualified("w:ilvl")))] = parse_number(start, 1)

    def level(self, list_id: str, depth: int) -> ListLevel | None:
        """Return a level of a list, None if that has no such one."""
        return self._levels.get(self.definitions[list_id], {}).get(depth) if list_id in self.definitions else None

    def count(self, list_id: str, depth: int) -> Mapping[int, int]:
        """Count an item, and return its number and those of the items around it, by level."""
        level = self.level(list_id, depth)
        assert level, "only its items are counted"
        counts = self._counts.setdefault(self.definitions[list_id], {})
        counts[depth] = self._starts.pop((list_id, depth), counts.get(depth, level.start - 1) + 1)
        for deeper in [each for each in counts if each > depth]:
            del counts[deeper]
        return counts


def _level(element: Element) -> tuple[int, ListLevel]:
    form, start, pattern = (value_of(element, f"w:{name}") for name in ("numFmt", "start", "lvlText"))
    level = ListLevel(form or "decimal", parse_number(start, 1), pattern, element.find(qualified("w:pPr")))
    return depth_of(element.get(qualified("w:ilvl"))), level


def depth_of(level: str | None) -> int:
    """Return how deep a written level is, from 0."""
    return min(parse_number(level, 0), _MAX_LEVEL)
