"""Kinds of text by named style, and the numbers that Word counts for lists."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

from mdpublish_core.data_files import read_names
from mdpublish_core.readers.html.styles import is_monospace_font
from mdpublish_core.resources.open_xml import PREFIXES, Element, parse_number, qualified, value_of
from mdpublish_core.resources.word_lists import LIST_TYPES, WordLists, depth_of

OFF = frozenset({"0", "false", "off", "none"})

_MAX_ANCESTORS = 12
"""Ancestors of a style; Word's own have four."""

_NAMES = read_names(__file__, "styles.tsv")
_KINDS, _MARKS = _NAMES["paragraph"], _NAMES["text"]

_BOXES: Mapping[str, str] = {"☐": "false", "☑": "true", "☒": "true"}
"""Bullets that are check boxes, and whether they are checked."""

TOGGLES = ("b", "i", "strike", "dstrike", "vanish", "vertAlign")


class ParagraphStyle(NamedTuple):
    """A style of paragraphs: `left` is the indentation in twips, `numbering` the id of a list and a level."""

    kind: str = "p"
    left: int | None = None
    numbering: tuple[str, str] | None = None


class CharacterStyle(NamedTuple):
    """The mark that a style is, and the properties that it sets."""

    mark: str = ""
    toggles: Mapping[str, str] = {}


def is_on(parent: Element | None, name: str) -> bool:
    return value_of(parent, f"w:{name}") not in {None, *OFF}


def left_of(properties: Element | None) -> int | None:
    """Return the indentation of a paragraph or level, in twips."""
    indent = None if properties is None else properties.find("w:ind", PREFIXES)
    written = None if indent is None else indent.get(qualified("w:left"), indent.get(qualified("w:start")))
    return None if written is None else twips(written)


def twips(written: str) -> int:
    sign = -1 if written.startswith("-") else 1
    return sign * parse_number(written.removeprefix("-"), 0)


def font_of(properties: Element | None) -> str:
    fonts = None if properties is None else properties.find("w:rFonts", PREFIXES)
    return "" if fonts is None else fonts.get(qualified("w:ascii"), "")


def is_monospace(properties: Element | None) -> bool:
    return is_monospace_font(font_of(properties))


class WordStyles:
    """The styles of a file, by id."""

    def __init__(self, part: Element | None) -> None:
        self._styles: dict[tuple[str, str], Element] = {}
        for style in () if part is None else part.iterchildren(qualified("w:style")):
            key = style.get(qualified("w:type"), "paragraph"), style.get(qualified("w:styleId"), "")
            self._styles.setdefault(key, style)
        # The font of all text says nothing.
        fonts = [] if part is None else part.findall("w:docDefaults/w:rPrDefault/w:rPr", PREFIXES)
        self.has_code_fonts = not any(map(is_monospace, fonts))
        self.paragraph = cache(self._paragraph)
        self.character = cache(self._character)

    def _ancestors(self, kind: str, style_id: str) -> Iterator[Element]:
        for _ in range(_MAX_ANCESTORS):
            if (style := self._styles.get((kind, style_id))) is None:
                return
            yield style
            style_id = value_of(style, "w:basedOn") or ""

    def _paragraph(self, style_id: str) -> ParagraphStyle:
        kind, left, numbering, is_code = "", None, None, False
        for style in self._ancestors("paragraph", style_id):
            kind = kind or _KINDS.get((value_of(style, "w:name") or "").lower(), "")
            properties = style.find("w:pPr", PREFIXES)
            outline = value_of(properties, "w:outlineLvl")
            kind = kind or (f"h{int(outline) + 1}" if outline in set("012345") else "")
            left = left_of(properties) if left is None else left
            number = value_of(properties, "w:numPr/w:numId")
            if numbering is None and number is not None:
                numbering = number, value_of(properties, "w:numPr/w:ilvl") or "0"
            is_code = is_code or is_monospace(style.find("w:rPr", PREFIXES))
        return ParagraphStyle(kind or ("code" if is_code and self.has_code_fonts else "p"), left, numbering)

    def _character(self, style_id: str) -> CharacterStyle:
        mark, toggles = "", dict[str, str]()
        for style in self._ancestors("character", style_id):
            mark = mark or _MARKS.get((value_of(style, "w:name") or "").lower(), "")
            properties = style.find("w:rPr", PREFIXES)
            for name in TOGGLES:
                if (value := value_of(properties, f"w:{name}")) is not None:
                    toggles.setdefault(name, value)
            mark = mark or ("code" if self.has_code_fonts and is_monospace(properties) else "")
        return CharacterStyle(mark, toggles)


class ListItem(NamedTuple):
    """The place of a paragraph in a list: of which definition, how deep from 0, its number, None for a bullet, and box."""

    definition: str = ""
    level: int = 0
    number: int | None = None
    left: int = 0
    box: str = ""
    numbering: str = ""
    """As of `nodes.List`."""


class ListCounter(WordLists):
    """What the paragraphs of lists are."""

    def left_of(self, list_id: str, level: str) -> int:
        """Return the indentation of a list's paragraphs."""
        form = self.level(list_id, depth_of(level))
        return left_of(form.properties) or 0 if form else 0

    def is_bullet(self, list_id: str, level: str) -> bool:
        form = self.level(list_id, depth_of(level))
        return form is not None and form.form == "bullet"

    def item(self, list_id: str, level: str) -> ListItem | None:
        """Count a paragraph of a list; return None for one that shows neither bullet nor number."""
        depth = depth_of(level)
        form = self.level(list_id, depth)
        is_bullet = form is not None and form.form == "bullet"
        # pandoc's lists for the other paragraphs of an item have an empty bullet.
        if form is None or form.form == "none" or (is_bullet and form.pattern is not None and not form.pattern.strip()):
            return None
        number = self.count(list_id, depth)[depth]
        # pandoc's tasks have boxes for bullets.
        box = _BOXES.get(form.pattern or "", "") if is_bullet else ""
        numbering = (form.pattern or "").replace(f"%{depth + 1}", LIST_TYPES.get(form.form, ""))
        left, number_shown = left_of(form.properties) or 0, None if is_bullet else number
        return ListItem(self.definitions[list_id], depth, number_shown, left, box, "" if is_bullet else numbering)
