"""What a browser shows of HTML, whose elements may be any program's."""

import re
from collections.abc import Iterator
from itertools import islice

from lxml import etree

from mdpublish_core.ledger.entries import CHECKED, UNCHECKED, SeenEntry, Words, number_of, row_of, target_of
from mdpublish_core.resources.allowed_elements import INLINE_TAGS
from mdpublish_core.strings.list_numbers import LIST_STYLE_TYPES, format_number

Element = etree._Element  # noqa: SLF001  (lxml exports no other name for it)

_UNSEEN = frozenset(("noscript", "script", "style", "template", "title", "datalist", "source", "track"))
_UNSEEN_CLASSES = frozenset(("katex-html", "MathJax_Preview", "sr-only", "screen-reader-text", "visually-hidden"))

_INLINE = (INLINE_TAGS - {"br", "img"}) | {"acronym", "big", "data", "font", "label", "nobr", "rb", "x-unwrapped"}
"""Elements at whose edges a word may go on."""

_HIDDEN = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|mso-hide\s*:\s*all)")
_WRITTEN_MARK = re.compile(r"mso-list\s*:\s*ignore")
_CHECKED_CLASSES = re.compile(r"(?:^|\s)(?:checkbox-on|task-list-item-checked|checked)(?:\s|$)")
_BOX_CLASSES = re.compile(r"(?:^|\s)checkbox(?:-on|-off)?(?:\s|$)")
_MARK = re.compile(r"[\[(]?(?:[0-9]{1,4}|[a-z]|[*†‡§]+)[\])]?|[↩↑^¶#🔗§]\ufe0e?[0-9]{0,3}|")
"""Text of links to a note, back from it, and to the heading where they stand."""
_LIST_STYLE = re.compile(
    r"list-style(?:-type)?\s*:[^;]{0,50}?\b(none|(?:lower|upper)-(?:alpha|latin|roman)|decimal|disc|circle|square)\b",
    re.IGNORECASE,
)
_BULLETS = frozenset("·•◦▪§o¨-\u2013üØ")


def entries_of(root: Element) -> Iterator[SeenEntry]:
    """Yield what a browser shows, in the order of the source."""
    words, numbers = Words(), dict[Element, str]()
    walker = etree.iterwalk(root, events=("start", "end"))
    for event, element in walker:
        if element.tag not in _INLINE:
            yield from words.end()
        if event == "end":
            words.add(element.tail or "")
        elif (whole := _read_whole(element)) is None:
            yield from _marks_of(element, numbers)
            words.add(element.text or "")
        else:
            walker.skip_subtree()
            yield from words.end() if whole else ()
            yield from whole
    yield from words.end()


def _read_whole(element: Element) -> tuple[SeenEntry, ...] | None:
    """Return what is shown of an element whose content is not read on, or None for any other."""
    tag = element.tag
    if tag == "math" or element.get("data-math") or (tag == "script" and "math/tex" in element.get("type", "")):
        return (SeenEntry("formula", _formula(element)),)
    if tag in _UNSEEN or (element.attrib and _is_hidden(element)):
        return ()
    if tag == "a" and element.get("href", "").startswith("#") and _MARK.fullmatch(_text_of(element)):
        return ()
    if tag == "bdi" and element.get("class") == "label":
        return (SeenEntry("number", number_of(_text_of(element))),)
    if "mso-list" in (style := element.get("style", "").lower()) and _WRITTEN_MARK.search(style):
        mark = _text_of(element)
        return () if mark in _BULLETS or not mark else (SeenEntry("number", number_of(mark)),)
    return None


def _is_hidden(element: Element) -> bool:
    style, classes = element.get("style", "").lower(), element.get("class", "")
    return (
        "hidden" in element.attrib
        or (("none" in style or "mso-hide" in style) and _HIDDEN.search(style) is not None)
        or not _UNSEEN_CLASSES.isdisjoint(classes.split())
    )


def _text_of(element: Element) -> str:
    """Return the text of an element that has little, else its beginning."""
    return "".join(map(str, islice(element.itertext(), 8))).strip()


def _formula(element: Element) -> str:
    if written := element.get("data-math"):
        return str(written)
    tex = next((each.text for each in element.iter("annotation") if "tex" in each.get("encoding", "").lower()), None)
    return tex or "".join(map(str, element.itertext()))


def _marks_of(element: Element, numbers: dict[Element, str]) -> Iterator[SeenEntry]:
    """Yield what an element shows or does beside its text."""
    match element.tag:
        case "a" if (target := target_of(element.get("href", ""))) and (
            _text_of(element) or next(element.iter("img", "svg"), None) is not None
        ):
            yield SeenEntry("link", target)
        case "img" if element.get("aria-roledescription", "") != "checkbox":
            yield SeenEntry("image", element.get("src", ""))
        case "ol":
            numbers.update(_numbers_in(element))
        case "li" if element in numbers:
            yield SeenEntry("number", numbers.pop(element))
        case "table" if element.find(".//table") is None and element.find(".//*[@rowspan]") is None:
            for row in element.iter("tr"):
                yield row_of("".join(map(str, cell.itertext())) for cell in row.iterchildren("td", "th"))
        case "input" if element.get("type", "").lower() == "checkbox":
            yield SeenEntry("box", CHECKED if "checked" in element.attrib else UNCHECKED)
        case _ if element.get("role") == "checkbox":
            yield SeenEntry("box", CHECKED if element.get("aria-checked") == "true" else UNCHECKED)
        case _ if "checkbox" in (classes := element.get("class", "")) and _BOX_CLASSES.search(classes):
            yield SeenEntry("box", CHECKED if _CHECKED_CLASSES.search(classes) else UNCHECKED)


def _numbers_in(numbered: Element) -> Iterator[tuple[Element, str]]:
    """Yield the items of a list with the numbers that browsers show. Letters of a nested list say no more than its level."""
    items = numbered.findall("li")
    step = -1 if "reversed" in numbered.attrib else 1
    number = _integer(numbered.get("start"), len(items) if step < 0 else 1)
    is_nested = next(numbered.iterancestors("li", "ol"), None) is not None
    for item in items:
        number = _integer(item.get("value"), number)
        style = _style_of(item) or _style_of(numbered)
        if style != "none":
            yield item, f"{format_number(number, 'decimal' if is_nested else style)}."
        number += step


def _style_of(element: Element) -> str:
    """Return the `list-style-type` of a list or an item, empty if it has none of its own."""
    # Labels of ours are in the text.
    if element.get("class") == "labels":
        return "none"
    if named := _LIST_STYLE.search(element.get("style", "")):
        return str(named[1]).lower()
    return LIST_STYLE_TYPES.get(element.get("type", ""), "")


def _integer(written: str | None, default: int) -> int:
    match = re.match(r"\s*([+-]?[0-9]{1,9})", written or "")
    return int(match[1]) if match else default
