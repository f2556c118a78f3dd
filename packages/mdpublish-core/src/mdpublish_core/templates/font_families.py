"""Font families by class (for line-length estimates), and those available in Google Docs and Office."""

from collections.abc import Mapping
from typing import Literal, get_args

from mdpublish_core.data_files import read_names

FontClass = Literal[
    "grotesk",
    "humanist",
    "geometric",
    "condensed",
    "rounded",
    "flared",
    "poster",
    "old-style",
    "transitional",
    "modern",
    "slab",
    "monospace",
    "typewriter",
]

FONT_CLASSES: tuple[FontClass, ...] = get_args(FontClass)

_TABLE = read_names(__file__, "font_families.tsv")
_FAMILIES = {font_class: _TABLE[font_class] for font_class in FONT_CLASSES}
TITLE_FACES = _TABLE["title face"]

_FONT_CLASSES_BY_NAME: Mapping[str, FontClass] = {
    name: font_class
    for font_class, groups in _FAMILIES.items()
    for names in groups.values()
    for name in names.split(", ")
}


def _families_of(program: str) -> frozenset[str]:
    groups = (group for groups in _FAMILIES.values() for group in groups.items())
    return frozenset(name for programs, names in groups if program in programs for name in names.split(", "))


DOCS_FAMILIES = _families_of("docs")

WORD_FAMILIES = _families_of("word")

MEAN_CHARACTER_WIDTHS = {font_class: float(_TABLE["width"][font_class]) for font_class in FONT_CLASSES}


def font_class(family: str) -> FontClass | None:
    return _FONT_CLASSES_BY_NAME.get(family)
