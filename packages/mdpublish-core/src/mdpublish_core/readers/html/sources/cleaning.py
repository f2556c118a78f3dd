"""What several programs need: elements taken out or renamed, code blocks without their header, lists from numbered levels."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from lxml import etree

from mdpublish_core.lazy_patterns import compile_lazily
from mdpublish_core.readers.html.parse import Element
from mdpublish_core.readers.html.styles import declarations_of, is_monospace

MAX_LEVEL = 9
"""Of lists in Word and Docs."""

_LANGUAGE = compile_lazily(r"[A-Za-z][A-Za-z0-9+#.\-]{0,19}")
_INTERFACE_TAGS = ("button", "svg", "style")


def with_class(root: Element, *names: str) -> list[Element]:
    return [each for each in root.iter() if not set(names).isdisjoint(each.get("class", "").split())]


def text_of(element: Element) -> str:
    return " ".join("".join(map(str, element.itertext())).split())


def remove(element: Element) -> None:
    """Take an element out, with what is in it; the text behind it stays."""
    _replace(element, [])


def unwrap(element: Element) -> None:
    """Take an element out; what is in it stays."""
    children = list(element)
    if element.text:
        _add_before(element, element.text)
    _replace(element, children)


def replace_by_text(element: Element, text: str) -> None:
    _add_before(element, text)
    _replace(element, [])


def retag(element: Element, tag: str, **attributes: str) -> None:
    """Give an element another name, and these attributes alone."""
    element.tag = tag
    element.attrib.clear()
    element.attrib.update(attributes)


def _add_before(element: Element, text: str) -> None:
    previous, parent = element.getprevious(), element.getparent()
    if previous is not None:
        previous.tail = (previous.tail or "") + text
    elif parent is not None:
        parent.text = (parent.text or "") + text


def _replace(element: Element, children: Sequence[Element]) -> None:
    parent = element.getparent()
    if parent is None:
        return
    tail, element.tail = element.tail, None
    last: Element | None = None
    for child in children:
        element.addprevious(child)
        last = child
    if tail and last is not None:
        last.tail = (last.tail or "") + tail
    elif tail:
        _add_before(element, tail)
    parent.remove(element)


def tidy_code(root: Element) -> None:
    """Leave the code alone in each code block: chat windows put its language and buttons around it."""
    for block in list(root.iter("pre")):
        code = next(block.iterdescendants("code"), None)
        if code is None:
            code = next(iter(with_class(block, "cm-content")), None)
        if code is None:
            continue
        language = ""
        if "language-" not in code.get("class", ""):
            language = _header_language(block, code)
        code.tail = None
        tag_class = code.get("class", "")
        block.clear(keep_tail=True)
        block.append(code)
        block.attrib.update({"class": tag_class, **({"data-language": language} if language else {})})
    for block in list(root.iter("pre")):
        _remove_header(block)


def _header_language(block: Element, code: Element) -> str:
    inside = set(code.iter())
    for element in block.iter():
        if element is not block and element not in inside and element.tag not in _INTERFACE_TAGS:
            text = (element.text or "").strip()
            if _LANGUAGE.fullmatch(text):
                return text.lower()
    return ""


def _remove_header(block: Element) -> None:
    """Remove an element before a code block that shows its language."""
    element: Element | None = block
    for _ in range(3):
        if element is None or element.getparent() is None:
            return
        previous = element.getprevious()
        if previous is not None:
            shown = text_of(previous)
            names = {word.lower() for holder in block.iter() for word in _language_words(holder)}
            if shown and previous.tag in {"div", "span", "p"} and shown.lower() in names:
                remove(previous)
            return
        element = element.getparent()


def _language_words(holder: Element) -> Iterator[str]:
    yield holder.get("data-language", "")
    yield from (word.removeprefix("language-") for word in holder.get("class", "").split() if word.startswith("language-"))


def join_code(root: Element) -> None:
    """Make paragraphs whose whole text is in a monospace font a code block, several in a row a single one."""
    for paragraph in list(root.iter("p")):
        parent = paragraph.getparent()
        if parent is None or parent.tag == "li" or not _is_code_line(paragraph):
            continue
        text = "".join(f"\n{each.tail or ''}" if each.tag == "br" else "" for each in paragraph.iter("br"))
        lines = _line_text(paragraph) if text else "".join(map(str, paragraph.itertext()))
        previous = paragraph.getprevious()
        if previous is not None and previous.tag == "pre" and previous.get("data-joined") and not (previous.tail or "").strip():
            previous.text = f"{previous.text}\n{lines}"
            previous.tail = None
            remove(paragraph)
            continue
        tail = paragraph.tail
        paragraph.clear()
        paragraph.tail = tail
        retag(paragraph, "pre", **{"data-joined": "true"})
        paragraph.text = lines


def _line_text(paragraph: Element) -> str:
    for line_break in paragraph.iter("br"):
        line_break.tail = f"\n{line_break.tail or ''}"
    return "".join(map(str, paragraph.itertext()))


def _is_code_line(paragraph: Element) -> bool:
    if is_monospace(declarations_of(paragraph)):
        return True
    if (paragraph.text or "").strip() or not len(paragraph):
        return False
    return all(
        (each.tag == "br" or (each.tag in {"span", "font"} and is_monospace(declarations_of(each))))
        and not (each.tail or "").strip()
        for each in paragraph
    )


def unwrap_item_paragraphs(root: Element) -> None:
    """Unwrap the only paragraph of a list item, which editors always write."""
    for item in root.iter("li"):
        paragraphs = item.findall("p")
        if len(paragraphs) == 1:
            unwrap(paragraphs[0])


class Item(NamedTuple):
    """An item of a list whose nesting is only in numbers: `level` counts from 1."""

    element: Element
    level: int
    is_numbered: bool
    start: str = ""


def nest_lists(items: Iterable[Item]) -> None:
    """Put items that follow each other into lists, by their levels; each becomes an `li`."""
    open_lists: list[tuple[int, Element]] = []
    last: Element | None = None
    for item in items:
        element = item.element
        if last is None or not _follows(element, last):
            open_lists = []
        while open_lists and open_lists[-1][0] > min(item.level, MAX_LEVEL):
            open_lists.pop()
        if open_lists and open_lists[-1][0] == item.level and (open_lists[-1][1].tag == "ol") != item.is_numbered:
            open_lists.pop()
        if not open_lists or open_lists[-1][0] < item.level:
            attributes = {"start": item.start} if item.start and item.is_numbered else {}
            around = etree.Element("ol" if item.is_numbered else "ul", attributes)
            if open_lists:
                open_lists[-1][1][-1].append(around)
            else:
                element.addprevious(around)
            open_lists.append((item.level, around))
        element.tail = None
        open_lists[-1][1].append(element)
        retag(element, "li")
        last = open_lists[0][1]


def _follows(element: Element, last: Element) -> bool:
    return element.getprevious() is last and not (last.tail or "").strip()
