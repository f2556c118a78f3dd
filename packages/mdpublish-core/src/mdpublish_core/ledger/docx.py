"""What Word shows of a file's text: tracked changes accepted, numbers counted, and notes behind the text.

Source: ECMA-376-1, 17.3 (runs), 17.9 (numbering), 17.13 (tracked changes), 17.16 (fields).
"""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from lxml import etree

from mdpublish_core.ledger.entries import SeenEntry, Words, number_of, row_of, target_of
from mdpublish_core.resources.open_xml import LINK_FIELD, PREFIXES, Element, Target, qualified, value_of
from mdpublish_core.resources.word_lists import LIST_TYPES, WordLists, depth_of
from mdpublish_core.strings.list_numbers import LIST_STYLE_TYPES, format_number

_UNSEEN_PROPERTIES = map(qualified, ("w:rPr", "w:pPr", "w:tblPr", "w:trPr", "w:tcPr", "w:sectPr", "w:sdtPr"))
_UNSEEN = frozenset((*_UNSEEN_PROPERTIES, *map(qualified, ("w:del", "w:moveFrom", "w:delText", "mc:Fallback"))))
_BREAKS = frozenset(map(qualified, ("w:tab", "w:br", "w:cr", "w:ptab")))
_PARAGRAPH, _RUN, _RUN_TEXT_TAG = map(qualified, ("w:p", "w:r", "w:t"))
_TABLE, _ROW, _CELL = map(qualified, ("w:tbl", "w:tr", "w:tc"))
_FORMULA, _FORMULA_RUN = map(qualified, ("m:oMath", "m:t"))
_NO_BREAK_HYPHEN, _HYPERLINK, _INSTRUCTION, _BLIP = map(
    qualified, ("w:noBreakHyphen", "w:hyperlink", "w:instrText", "a:blip")
)
_IMAGE_DATA = "{urn:schemas-microsoft-com:vml}imagedata"
_VALUE, _ID, _ANCHOR = map(qualified, ("w:val", "r:id", "w:anchor"))
_PLACEHOLDER = re.compile("%([1-9])")


class Story(NamedTuple):
    """A part with text, and what its relationships lead to."""

    root: Element
    targets: Mapping[str, Target]


def entries_of(stories: Iterator[Story], numbering: Element | None, styles: Element | None) -> Iterator[SeenEntry]:
    """Yield what Word shows of stories, in their order."""
    numbers = _Numbers(numbering, styles)
    for story in stories:
        yield from _entries_in(story, numbers)


def _entries_in(story: Story, numbers: "_Numbers") -> Iterator[SeenEntry]:
    words = Words()
    skipped: Element | None = None
    for event, element in etree.iterwalk(story.root, events=("start", "end")):
        if skipped is not None:
            skipped = None if event == "end" and element is skipped else skipped
        elif event == "start" and (element.tag in _UNSEEN or (element.tag == _RUN and _is_uncounted(element))):
            skipped = element
        elif element.tag == _PARAGRAPH:
            yield from words.end()
            if event == "start" and (number := numbers.of(element)):
                yield SeenEntry("number", number)
        elif event == "start":
            words.add(_text_of(element))
            yield from _marks_of(element, story.targets)
            skipped = element if element.tag == _FORMULA else None
    yield from words.end()


def _text_of(element: Element) -> str:
    if element.tag == _RUN_TEXT_TAG:
        return element.text or ""
    return " " if element.tag in _BREAKS else "\u2011" if element.tag == _NO_BREAK_HYPHEN else ""


def _is_uncounted(run: Element) -> bool:
    """Whether a run is hidden, or in a font whose letters are symbols, such as Wingdings."""
    vanish, fonts = (run.find(f"w:rPr/w:{name}", PREFIXES) for name in ("vanish", "rFonts"))
    font = "" if fonts is None else fonts.get(qualified("w:ascii"), "")
    is_hidden = vanish is not None and vanish.get(_VALUE) not in {"0", "false", "off"}
    return is_hidden or font == "Symbol" or font.startswith(("Wingdings", "Webdings"))


def _marks_of(element: Element, targets: Mapping[str, Target]) -> Iterator[SeenEntry]:
    match element.tag:
        case tag if tag == _FORMULA:
            yield SeenEntry("formula", "".join(each.text or "" for each in element.iter(_FORMULA_RUN)))
            return
        case tag if tag == _HYPERLINK:
            url, anchor = targets[key].name if (key := element.get(_ID, "")) in targets else "", element.get(_ANCHOR)
        case tag if tag == _TABLE and not element.xpath(".//w:tbl | .//w:vMerge", namespaces=PREFIXES):
            for row in element.iter(_ROW):
                cells = row.iter(_CELL)
                yield row_of("".join(each.text or "" for each in cell.iter(_RUN_TEXT_TAG)) for cell in cells)
            return
        case tag if tag == _INSTRUCTION:
            url, anchor = field.groups() if (field := LINK_FIELD.match(element.text or "")) else ("", None)
        case tag if tag in {_BLIP, _IMAGE_DATA}:
            key = next((value for name in ("r:embed", "r:link", "r:id") if (value := element.get(qualified(name)))), "")
            if key in targets:
                yield SeenEntry("image", targets[key].name)
            return
        case _:
            return
    if shown := target_of(f"{url}#{anchor}" if anchor else url):
        yield SeenEntry("link", shown)


_MAX_PATTERN = 50
"""Characters of a level's pattern, such as `%1.%2.`."""


class _Numbers(WordLists):
    """Numbers that paragraphs show."""

    def __init__(self, numbering: Element | None, styles: Element | None) -> None:
        super().__init__(numbering)
        self._styles = {
            style.get(qualified("w:styleId"), ""): style
            for style in (() if styles is None else styles.iter(qualified("w:style")))
        }

    def of(self, paragraph: Element) -> str:
        """Count a paragraph and return the number that it shows, empty without one."""
        list_id, depth = self._place_of(paragraph)
        level = self.level(list_id, depth)
        if level is None or level.form in {"bullet", "none"}:
            return ""
        counts = self.count(list_id, depth)
        pattern = (level.pattern or "")[:_MAX_PATTERN]
        # Letters below numbers say no more than the level, but for `(a)`.
        is_label = not depth or pattern.endswith(")")
        return number_of(
            _PLACEHOLDER.sub(lambda match: self._shown(list_id, int(match[1]) - 1, counts, is_label=is_label), pattern)
        )

    def _shown(self, list_id: str, depth: int, counts: Mapping[int, int], *, is_label: bool) -> str:
        level = self.level(list_id, depth)
        number = counts.get(depth, level.start if level else 1)
        style = LIST_STYLE_TYPES.get(LIST_TYPES.get(level.form, ""), "") if level and is_label else ""
        return format_number(number, style)

    def _place_of(self, paragraph: Element) -> tuple[str, int]:
        properties = paragraph.find(qualified("w:pPr"))
        place = None if properties is None else properties.find(qualified("w:numPr"))
        style_id = value_of(properties, "w:pStyle") or ""
        for _ in range(10):
            style = self._styles.get(style_id)
            if place is not None or style is None:
                break
            place = style.find("w:pPr/w:numPr", PREFIXES)
            style_id = value_of(style, "w:basedOn") or ""
        return value_of(place, "w:numId") or "", depth_of(value_of(place, "w:ilvl"))
