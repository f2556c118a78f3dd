"""What a browser shows of HTML, whose elements may be any program's."""

import re
from collections.abc import Iterator
from itertools import islice

from lxml import etree

from mdpublish_core.ledger.entries import CHECKED, UNCHECKED, SeenEntry, Words, target_of
from mdpublish_core.ledger.list_numbers import shown_number, written_mark

Element = etree._Element  # noqa: SLF001  (lxml exports no other name for it)

_UNSEEN = frozenset(("noscript", "script", "style", "template", "title", "datalist", "source", "track"))
_UNSEEN_CLASSES = frozenset(("katex-html", "MathJax_Preview", "sr-only", "screen-reader-text", "visually-hidden"))

_INLINE = frozenset(
    [
        "a",
        "abbr",
        "acronym",
        "b",
        "bdi",
        "bdo",
        "big",
        "cite",
        "code",
        "data",
        "del",
        "dfn",
        "em",
        "font",
        "i",
        "ins",
        "kbd",
        "label",
        "mark",
        "nobr",
        "q",
        "rb",
        "rp",
        "rt",
        "ruby",
        "s",
        "samp",
        "small",
        "span",
        "strike",
        "strong",
        "sub",
        "sup",
        "time",
        "tt",
        "u",
        "var",
        "wbr",
        "x-unwrapped",
    ]
)
"""Elements at whose edges a word may go on."""

_HIDDEN = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|mso-hide\s*:\s*all)")
_WRITTEN_MARK = re.compile(r"mso-list\s*:\s*ignore")
_CHECKED_CLASSES = re.compile(r"(?:^|\s)(?:checkbox-on|task-list-item-checked|checked)(?:\s|$)")
_BOX_CLASSES = re.compile(r"(?:^|\s)checkbox(?:-on|-off)?(?:\s|$)")
_MARK = re.compile(r"[\[(]?(?:[0-9]{1,4}|[a-z]|[*†‡§]+)[\])]?|[↩↑^¶#🔗§]\ufe0e?[0-9]{0,3}|")
"""Text of links to a note, back from it, and to the heading where they stand."""
_BULLETS = frozenset("·•◦▪§o¨-\u2013üØ")


def entries_of(root: Element) -> Iterator[SeenEntry]:
    """Yield what a browser shows, in the order of the source."""
    words, numbers = Words(), _Numbers()
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
    if "mso-list" in (style := element.get("style", "").lower()) and _WRITTEN_MARK.search(style):
        mark = _text_of(element)
        return () if mark in _BULLETS or not mark else (SeenEntry("number", written_mark(mark)),)
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


def _shows_something(link: Element) -> bool:
    return bool(_text_of(link)) or next(link.iter("img", "svg"), None) is not None


def _formula(element: Element) -> str:
    if written := element.get("data-math"):
        return str(written)
    tex = next((each.text for each in element.iter("annotation") if "tex" in each.get("encoding", "").lower()), None)
    return tex or "".join(map(str, element.itertext()))


def _marks_of(element: Element, numbers: "_Numbers") -> Iterator[SeenEntry]:
    """Yield what an element shows or does beside its text."""
    match element.tag:
        case "a" if (target := target_of(element.get("href", ""))) and _shows_something(element):
            yield SeenEntry("link", target)
        case "img" if element.get("aria-roledescription", "") != "checkbox":
            yield SeenEntry("image", element.get("src", ""))
        case "li" if (number := numbers.of(element)) is not None:
            yield SeenEntry("number", number)
        case "input" if element.get("type", "").lower() == "checkbox":
            yield SeenEntry("box", CHECKED if "checked" in element.attrib else UNCHECKED)
        case _ if element.get("role") == "checkbox":
            yield SeenEntry("box", CHECKED if element.get("aria-checked") == "true" else UNCHECKED)
        case _ if "checkbox" in (classes := element.get("class", "")) and _BOX_CLASSES.search(classes):
            yield SeenEntry("box", CHECKED if _CHECKED_CLASSES.search(classes) else UNCHECKED)


class _Numbers:
    """Numbers of list items, as browsers count."""

    def __init__(self) -> None:
        self._next: dict[Element, int] = {}

    def of(self, item: Element) -> str | None:
        """Return the number of the next item, as it is shown, or None for one without."""
        around = item.getparent()
        if around is None or around.tag != "ol":
            return None
        step = -1 if "reversed" in around.attrib else 1
        if around not in self._next:
            first = len(around.findall("li")) if step < 0 else 1
            self._next[around] = _integer(around.get("start"), first)
        number = _integer(item.get("value"), self._next[around])
        self._next[around] = number + step
        style = next((style for each in (item, around) if (style := _style_of(each))), "decimal")
        if style != "none" and next(around.iterancestors("li", "ol"), None) is not None:
            # Programs choose letters below numbers; they say no more than the level.
            style = "decimal"
        return None if style == "none" else shown_number(number, style)


def _style_of(element: Element) -> str:
    if named := _LIST_STYLE.search(element.get("style", "")):
        return str(named[1]).lower()
    return _TYPES.get(element.get("type", ""), "")


def _integer(written: str | None, default: int) -> int:
    match = re.match(r"\s*([+-]?[0-9]{1,9})", written or "")
    return int(match[1]) if match else default


_LIST_STYLE = re.compile(
    r"list-style(?:-type)?\s*:\s*[^;]*?\b(none|(?:lower|upper)-(?:alpha|latin|roman)|decimal|disc|circle|square)\b",
    re.IGNORECASE,
)
_TYPES = {"a": "lower-alpha", "A": "upper-alpha", "i": "lower-roman", "I": "upper-roman", "1": "decimal"}
