"""Smaller type for longer titles, so that they have few lines: relative to the template's own sizes, whatever they are.

Nor are they in capitals, which are slow to read in more than a few words.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from mdpublish_core.css.rules import StyleRule
from mdpublish_core.strings.lazy_patterns import compile_lazily

MAX_CAPITALS = 4
"""Words of a title in capitals."""

_FACTORS = ((24, 1.0), (60, 0.86))
"""Relative to the template's own size, up to so many characters."""

_LONG = 0.72

_TITLE = compile_lazily(r"(?:^|[ >])h1(?:\.title)?$")

_CAPITALS = "text-transform:uppercase"

_SIZE = compile_lazily(r"(?:^|;)\s*font-size:\s*([^;]+)")


class TitleForm(NamedTuple):
    """A size relative to the template's own, and capitals if the template has them."""

    factor: float
    has_capitals: bool


PLAIN = TitleForm(1.0, has_capitals=True)


def title_form(title: str) -> TitleForm:
    factor = next((factor for length, factor in _FACTORS if len(title) <= length), _LONG)
    return TitleForm(factor, len(title.split()) <= MAX_CAPITALS)


def title_rules(written: Iterable[StyleRule], form: TitleForm, section_size: str) -> Iterator[StyleRule]:
    """Yield the rules of a title's form, to follow the template's `written`; no section's head is larger."""
    rules = [(tuple(filter(_TITLE.search, rule.selectors)), rule) for rule in written]
    is_lowered = not form.has_capitals and any(names and _CAPITALS in rule.declarations for names, rule in rules)
    for selectors, rule in rules:
        if selectors and is_lowered and ("letter-spacing:" in rule.declarations or _CAPITALS in rule.declarations):
            yield StyleRule(selectors, "letter-spacing:0;text-transform:none", rule.media)
        if selectors and form.factor < 1 and (size := _SIZE.search(rule.declarations)):
            yield StyleRule(selectors, f"font-size:max(calc({size[1]} * {form.factor}), {section_size})", rule.media)
