"""Steps for several programs: remove or rename elements, strip headers of code blocks, nest lists from their levels."""

from collections import Counter
from collections.abc import Iterable, Mapping
from copy import deepcopy
from itertools import islice
from typing import NamedTuple

from lxml import etree

from mdpublish_core.readers.html.code import language_of
from mdpublish_core.readers.html.parse import Element, adjacent, move, parent_tag, text_of
from mdpublish_core.readers.html.styles import declarations_of, is_monospace, preserves_white_space
from mdpublish_core.resources.code_marks import code_mark
from mdpublish_core.resources.figure_kinds import find_kind
from mdpublish_core.strings.lazy_patterns import compile_lazily

REMOVED, UNWRAPPED = "x-removed", "x-unwrapped"
"""Names of elements until `take_out`."""

_TAKEN = "x-taken"
"""Name of copies of what was taken out, and of the element behind the document that holds them."""

MAX_LEVEL = 9
"""Depth of lists in Word and Docs."""

_LANGUAGE = compile_lazily(r"[A-Za-z][A-Za-z0-9+#.\-]{0,19}")
_LABEL = compile_lazily(r"(?:^|\s)code-(?:block-decoration|language-indicator)(?:\s|$)")
"""Attributes of Gemini's and Perplexity's languages."""
_TABS = compile_lazily("[1-9][0-9]?")
_POINTS = compile_lazily(r"([0-9]{1,6}(?:\.[0-9]{1,6})?)(pt|px)")


def with_class(root: Element, *names: str) -> list[Element]:
    return [each for each in root.iter() if not set(names).isdisjoint(each.get("class", "").split())]


def remove(element: Element) -> None:
    """Mark an element to be taken out with what is in it."""
    element.tag = REMOVED


def unwrap(element: Element) -> None:
    """Mark an element to be taken out, but not what is in it."""
    retag(element, UNWRAPPED)


def take_out(root: Element) -> None:
    """Take out what was marked: all at once, as moving the text behind each would take quadratic time."""
    _hold(root, (each for each in root.iter(REMOVED) if next(each.iterancestors(REMOVED), None) is None))
    etree.strip_elements(root, REMOVED, with_tail=False)
    etree.strip_tags(root, UNWRAPPED)


def take_out_tags(root: Element, *tags: str) -> None:
    """Take out all elements of these names at once, but not check boxes."""
    for element in root.iter(*tags):
        if element.get("role") != "checkbox":
            remove(element)
    take_out(root)


def pop_taken(root: Element) -> Element | None:
    """Remove and return the element that holds a copy of all that was taken out."""
    if (taken := root.find(_TAKEN)) is not None:
        root.remove(taken)
    return taken


def _hold(root: Element, elements: Iterable[Element]) -> None:
    copies = [_copy_of(element) for element in elements]
    for copied in copies:
        for each in copied.iter(REMOVED):
            each.tag = _TAKEN
    if copies:
        taken = root.find(_TAKEN)
        if taken is None:
            taken = etree.SubElement(root, _TAKEN)
        taken.extend(copies)


def _copy_of(element: Element) -> Element:
    copied = deepcopy(element)
    copied.tail = None
    return copied


def retag(element: Element, tag: str, **attributes: str) -> None:
    """Give an element another name, and these attributes alone."""
    element.tag = tag
    element.attrib.clear()
    for name, value in attributes.items():
        element.set(name, value)


def refill(element: Element, tag: str, string: str, **attributes: str) -> None:
    """Make an element one with this text alone; what else it showed is taken out."""
    shown = Counter("".join(map(str, element.itertext())).split()) - Counter(string.split())
    former = etree.Element(REMOVED)
    former.text = " ".join(shown.elements())
    for each in element.iter("a", "img"):
        etree.SubElement(former, each.tag, {name: each.get(name, "") for name in ("href", "src") if each.get(name)})
    for child in list(element):
        element.remove(child)
    element.text = string
    retag(element, tag, **attributes)
    if former.text or len(former):
        element.append(former)


def restore_tabs(root: Element) -> None:
    """Write tabs for the spaces that Word and our mails show for them; it fills others with dots."""
    for span in root.iter("span"):
        if tabs := _TABS.fullmatch(declarations_of(span).get("mso-tab-count", "")):
            refill(span, "span", "\t" * int(tabs[0]))


def wrap_content(element: Element, tag: str) -> None:
    """Put what is in an element into a new one."""
    around = etree.Element(tag)
    around.text, element.text = element.text, None
    around.extend(list(element))
    element.append(around)


def set_apart(chip: Element) -> None:
    """Put a space before what stands apart from the text by a margin."""
    space = etree.Element("span")
    space.text = " "
    chip.addprevious(space)


def tidy_response(root: Element) -> None:
    """Reduce code blocks, to which chat windows add a language and buttons, to their code, and items to their text."""
    unwrap_item_paragraphs(root)
    take_out_tags(root, "button", "svg")
    for block in list(root.iter("pre")):
        code = next(block.iterdescendants("code"), None)
        if code is None:
            code = next((each for each in block.iter("div") if "cm-content" in each.get("class", "").split()), None)
        inside = set((block if code is None else code).iter())
        words = ((each.text or "").strip() for each in block.iter() if each not in inside)
        language = language_of(block) or next((word.lower() for word in words if _LANGUAGE.fullmatch(word)), "")
        header = _header_of(block)
        if not language and header is not None and _is_label(header):
            language = text_of(header).lower()
        if code is not None:
            shown = _copy_of(code)
            del code[:]
            code.text = None
            refill(block, "pre", "")
            block.append(shown)
        block.set("data-language", language)
        _remove_header(block, language)


def _header_of(block: Element) -> Element | None:
    """Return the element before a code block that may show its language."""
    nearest = (each.getprevious() for each in (block, *islice(block.iterancestors(), 3)))
    header = next((each for each in nearest if each is not None), None)
    is_header = header is not None and header.tag in {"div", "span"} and not (header.tail or "").strip()
    return header if is_header else None


def _is_label(header: Element) -> bool:
    """Whether an element before a code block names its language: a word of the text may stand there, too."""
    from mdpublish_core.highlighting.lexers import first_alias

    name = text_of(header).lower()
    is_named = any(_LABEL.search(" ".join(map(str, each.values()))) for each in header.iter())
    return is_named or find_kind(name) is not None or first_alias(name) is not None


def _remove_header(block: Element, language: str) -> None:
    """Remove the element before a code block if it shows its language alone, once buttons are gone."""
    header = _header_of(block)
    if language and header is not None and text_of(header).lower() == language.lower():
        remove(header)


def tidy_code(root: Element) -> None:
    """Leave the code alone where nothing tells the program: in a block with a header, or selected within a block."""
    take_out_tags(root, "button")
    for block in root.iter("pre"):
        _remove_header(block, language_of(block))
    body = root.find("body")
    if body is None or (body.text or "").strip() or not all(map(_is_code_run, body)):
        return
    if "\n" in "".join(map(str, body.itertext())).strip():
        wrap_content(body, "pre")


def _is_code_run(element: Element) -> bool:
    style = declarations_of(element)
    is_code = is_monospace(style) and preserves_white_space(element, style, inherited=False)
    return (element.tag == "br" or (element.tag == "span" and is_code)) and not (element.tail or "").strip()


def join_code(root: Element) -> None:
    """Make paragraphs whose whole text is in a monospace font a code block.

    A single one is, if its own style says so, or if it fills a cell; else it may be a paragraph with code.
    """
    lines = [each for each in root.iter("p") if parent_tag(each) not in {"", "li"} and _is_code_line(each)]
    for first, *others in adjacent(lines):
        fills_cell = parent_tag(first) == "td" and first.getprevious() is first.getnext() is None
        if not others and not fills_cell and not is_monospace(declarations_of(first)):
            continue
        string, language = "\n".join(map(_line_text, (first, *others))), language_of(first)
        for other in others:
            del other[:]
            other.text = None
            remove(other)
        refill(first, "pre", string, **({"id": code_mark(1, language)} if language else {}))


def _line_text(paragraph: Element) -> str:
    for line_break in paragraph.iter("br"):
        line_break.tail = f"\n{line_break.tail or ''}"
    return "".join(map(str, paragraph.itertext()))


def _is_code_line(paragraph: Element) -> bool:
    if is_monospace(declarations_of(paragraph)):
        return True
    if (paragraph.text or "").strip() or next(iter(paragraph), None) is None:
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


def margin_of(style: Mapping[str, str]) -> float:
    """Return the left margin in points, 0 if there is none."""
    sides = style.get("margin", "").split()
    written = style.get("margin-left") or (sides[3] if len(sides) == 4 else "")
    match = _POINTS.match(written)
    return float(match[1]) * (0.75 if match[2] == "px" else 1) if match else 0.0


def nest_quotes(margins: Mapping[Element, float]) -> None:
    """Put paragraphs that follow each other into quotes, by their margins."""
    for run in adjacent(margins):
        open_quotes: list[tuple[float, Element]] = []
        for paragraph in run:
            margin = margins[paragraph]
            while len(open_quotes) > 1 and open_quotes[-1][0] > margin:
                open_quotes.pop()
            if not open_quotes or margin > open_quotes[-1][0]:
                around = etree.Element("blockquote")
                if open_quotes:
                    open_quotes[-1][1].append(around)
                else:
                    paragraph.addprevious(around)
                open_quotes.append((margin, around))
            move(paragraph, open_quotes[-1][1], open_quotes[0][1])


class LeveledItem(NamedTuple):
    """An item of a list whose nesting is only in numbers: `level` counts from 1."""

    element: Element
    level: int
    is_numbered: bool
    start: str = ""


def nest_lists(items: Iterable[LeveledItem]) -> None:
    """Put items that follow each other into lists, by their levels; each becomes an `li`."""
    placed = {item.element: item for item in items}
    for run in adjacent(placed):
        open_lists: list[tuple[int, Element]] = []
        for element in run:
            _, level, is_numbered, start = placed[element]
            while open_lists and open_lists[-1][0] > min(level, MAX_LEVEL):
                open_lists.pop()
            if open_lists and open_lists[-1][0] == level and (open_lists[-1][1].tag == "ol") != is_numbered:
                open_lists.pop()
            if not open_lists or open_lists[-1][0] < level:
                around = etree.Element("ol" if is_numbered else "ul", {"start": start} if start and is_numbered else {})
                if open_lists:
                    open_lists[-1][1][-1].append(around)
                else:
                    element.addprevious(around)
                open_lists.append((level, around))
            move(element, open_lists[-1][1], open_lists[0][1])
            retag(element, "li")
