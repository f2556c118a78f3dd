"""Fonts of the file: substitutes for a missing one, and those for Chinese, Japanese and Korean."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from mdpublish_core.resources.open_xml import Element
from mdpublish_core.templates.font_families import font_class
from mdpublish_core.writers.docx.xml import add, story_root

_SERIF_CLASSES = frozenset({"old-style", "transitional", "modern", "slab", "flared"})
_MONO_CLASSES = frozenset({"monospace", "typewriter"})


class _Faces(NamedTuple):
    sans: str
    serif: str


# Of Office on Windows and macOS: https://learn.microsoft.com/en-us/typography/fonts/font-list
_EAST_ASIAN: Mapping[str, _Faces] = {
    "ja": _Faces("Yu Gothic", "Yu Mincho"),
    "ko": _Faces("Malgun Gothic", "Batang"),
    "zh": _Faces("Microsoft YaHei", "SimSun"),
    "zh-hant": _Faces("Microsoft JhengHei", "PMingLiU"),
}

_TRADITIONAL = ("zh-hant", "zh-tw", "zh-hk", "zh-mo")


def east_asian_font(font: str, lang: str | None) -> str:
    """Return the font of Chinese, Japanese or Korean beside `font`; Japanese in other languages."""
    lang = (lang or "").lower()
    key = "zh-hant" if lang.startswith(_TRADITIONAL) else lang.partition("-")[0]
    faces = _EAST_ASIAN.get(key, _EAST_ASIAN["ja"])
    return faces.serif if font_class(font) in _SERIF_CLASSES else faces.sans


def font_table(fonts: Iterable[str]) -> Element:
    """Return `fontTable.xml`: the class of each font, by which programs choose another."""
    element = story_root("w:fonts")
    for name in sorted(fonts):
        kind = font_class(name)
        font = add(element, "w:font", name=name)
        is_mono = kind in _MONO_CLASSES
        stand_in = "Courier New" if is_mono else "Times New Roman" if kind in _SERIF_CLASSES else "Arial"
        if name != stand_in:
            add(font, "w:altName", val=stand_in)
        add(font, "w:charset", val="00")
        add(font, "w:family", val="modern" if is_mono else "roman" if kind in _SERIF_CLASSES else "swiss")
        add(font, "w:pitch", val="fixed" if is_mono else "variable")
    return element
