"""Smaller type for long titles, so that they have few lines: relative to the template's own sizes, whatever they are.

Nor are they in capitals, which are slow to read in more than a few words.
"""

from collections.abc import Iterable, Iterator

from mdpublish_core.css.rules import StyleRule
from mdpublish_core.strings.lazy_patterns import compile_lazily

MAX_CHARACTERS = 60
"""Of a title in the template's own size."""

_FACTOR = 0.72

_TITLE = compile_lazily(r"(?:^|[ >])h1(?:\.title)?$")

_SIZE = compile_lazily(r"(?:^|;)\s*font-size:\s*([^;]+)")


def long_title_rules(written: Iterable[StyleRule]) -> Iterator[StyleRule]:
    """Yield the rules of a long title's sizes, to follow the template's `written`."""
    for rule in written:
        selectors = tuple(filter(_TITLE.search, rule.selectors))
        if selectors and "text-transform:uppercase" in rule.declarations:
            yield StyleRule(selectors, "letter-spacing:0;text-transform:none", rule.media)
        if selectors and (size := _SIZE.search(rule.declarations)):
            yield StyleRule(selectors, f"font-size:calc({size[1]} * {_FACTOR})", rule.media)
