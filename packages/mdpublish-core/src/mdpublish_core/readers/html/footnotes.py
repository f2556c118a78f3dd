"""Footnotes: which links refer to them, and where their text is."""

from collections import Counter

from mdpublish_core.readers.html.parse import Element
from mdpublish_core.strings.lazy_patterns import compile_lazily

# GitHub's and ours, Pandoc's, Word's, LibreOffice's and MediaWiki's.
_NOTE_TARGET = compile_lazily(
    r"(?:md-|user-content-)?fn-?:?\w[\w.-]*|_(?:ftn|edn)\d+|sdfootnote\d+sym|(?:cite_note|footnote)-\S+"
)
_BACK_TARGET = compile_lazily(
    r"(?:md-|user-content-)?fnref\S*|_(?:ftn|edn)ref\d+|sdfootnote\d+anc|(?:cite_ref|footnote-ref)\S*"
)
_LABEL = compile_lazily(r"[\[(^]*([\w*†‡.-]{1,20})[\])]*")

_NOTE_TAGS = frozenset({"li", "aside", "dd", "p", "div"})


class Footnotes:
    """What a tree has of footnotes: `references` and `definitions` with their labels, and links back."""

    def __init__(self, root: Element) -> None:
        self.references: dict[Element, str] = {}
        self.definitions: dict[Element, str] = {}
        self.back_links: set[Element] = set()
        # Browsers copy the page's address before the `#`.
        links = [link for link in root.iter("a") if "#" in link.get("href", "")]
        if not links:
            return
        targets = {
            name: element for element in root.iter() for name in (element.get("id"), element.get("name")) if name
        }
        taken: Counter[str] = Counter()
        for link in links:
            fragment = link.get("href", "").partition("#")[2]
            if _is_back_link(link, fragment) and (fragment in targets or link.get("href", "").startswith("#")):
                self.back_links.add(link)
            elif fragment in targets and _is_reference(link, fragment):
                note = _note_of(targets[fragment])
                if note is None or note in link.iterancestors():
                    continue
                if note not in self.definitions:
                    label = _label(link)
                    taken[label] += 1
                    self.definitions[note] = label if taken[label] == 1 else f"{label}-{taken[label]}"
                self.references[link] = self.definitions[note]
        for section in root.iter("section"):
            if section.get("role") == "doc-endnotes" or "data-footnotes" in section.attrib:
                self._add_unreferenced(section, taken)

    def _add_unreferenced(self, section: Element, taken: Counter[str]) -> None:
        for number, item in enumerate(section.iterfind("ol/li"), 1):
            if item not in self.definitions:
                taken[str(number)] += 1
                self.definitions[item] = f"{number}-unused" if taken[str(number)] > 1 else str(number)


def _is_reference(link: Element, fragment: str) -> bool:
    if link.get("role") == "doc-noteref" or "data-footnote-ref" in link.attrib:
        return True
    link_text = "".join(map(str, link.itertext())).strip()
    return _NOTE_TARGET.fullmatch(fragment) is not None and _LABEL.fullmatch(link_text) is not None


def _is_back_link(link: Element, fragment: str) -> bool:
    return (
        link.get("role") == "doc-backlink"
        or "data-footnote-backref" in link.attrib
        or _BACK_TARGET.fullmatch(fragment) is not None
    )


def _note_of(target: Element) -> Element | None:
    for element in (target, *target.iterancestors()):
        if element.tag in _NOTE_TAGS:
            parent = element.getparent()
            return parent if element.tag == "p" and parent is not None and _is_note(parent) else element
    return None


def _is_note(element: Element) -> bool:
    return "mso-element:footnote" in element.get("style", "") or element.get("id", "").startswith("sdfootnote")


def _label(link: Element) -> str:
    match = _LABEL.fullmatch("".join(map(str, link.itertext())).strip())
    return match[1] if match else "note"
