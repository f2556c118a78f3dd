"""Footnotes: which links refer to them, and where their text is."""

from collections import Counter
from collections.abc import Container, Mapping, Sequence
from itertools import islice

from mdpublish_core.readers.html.parse import Element
from mdpublish_core.resources.allowed_elements import HEADING_TAGS
from mdpublish_core.strings.lazy_patterns import compile_lazily

# GitHub's and ours, Pandoc's, Word's, LibreOffice's and MediaWiki's.
_NOTE_TARGET = compile_lazily(
    r"(?:md-|user-content-)?fn-?:?\w[\w.-]*|_(?:ftn|edn)\d+|sdfootnote\d+sym|(?:cite_note|footnote)-\S+"
)
_BACK_TARGET = compile_lazily(
    r"(?:md-|user-content-)?fnref\S*|_(?:ftn|edn)ref\d+|sdfootnote\d+anc|(?:cite_ref|footnote-ref)\S*"
)
_LABEL = compile_lazily(r"[\[(^]*([\w*†‡.-]{1,20})[\])]*")

_MAX_SEARCHED = 50
"""Elements of a link's target among which a link back is looked for."""

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
        self._targets = {
            name: element for element in root.iter() for name in (element.get("id"), element.get("name")) if name
        }
        taken: Counter[str] = Counter()
        notes = self._mutual_links(links)
        unnamed: set[Element] = set()
        for link in links:
            fragment = _fragment(link)
            target = self._targets.get(fragment)
            if link in self.back_links:
                continue
            if _is_back_link(link, fragment) and (target is not None or link.get("href", "").startswith("#")):
                self.back_links.add(link)
                continue
            is_named = target is not None and _is_reference(link, fragment)
            note = _note_of(target) if target is not None and is_named else notes.get(link)
            if note is not None and note not in link.iterancestors():
                if not is_named:
                    unnamed.add(note)
                if note not in self.definitions:
                    label = _label(link)
                    taken[label] += 1
                    self.definitions[note] = label if taken[label] == 1 else f"{label}-{taken[label]}"
                self.references[link] = self.definitions[note]
        self.back_links |= {rule for rule in root.iter("hr") if _is_above_notes(rule, unnamed)}
        for section in root.iter("section"):
            if section.get("role") == "doc-endnotes" or "data-footnotes" in section.attrib:
                self._add_unreferenced(section, taken)

    def _mutual_links(self, links: Sequence[Element]) -> Mapping[Element, Element]:
        """Return links to a note that links back, with the element that is the note, whatever program named them."""
        leading = {link: self._targets.get(_fragment(link)) for link in links}
        backs: dict[Element, Element] = {}
        passed: set[Element] = set()
        for link, target in leading.items():
            passed.add(link)
            if target is None or link in self.back_links or _LABEL.fullmatch(_label_text(link)) is None:
                continue
            back = (
                target
                if target in leading
                else next((each for each in islice(target.iter(), _MAX_SEARCHED) if each in leading), None)
            )
            if back is not None and back not in passed and _is_at(leading[back], link) and not _is_in_heading(back):
                backs[link] = back
                self.back_links.add(back)
        marks = Counter(around for each in (*backs, *backs.values()) for around in each.iterancestors())
        whole = ((leading[link], _whole_note(leading[link], back, marks)) for link, back in backs.items())
        notes = {target: note for target, note in whole if note is not None}
        # A note may be referred to again; it links back to the first place.
        return {
            link: notes[target]
            for link, target in leading.items()
            if target in notes and _LABEL.fullmatch(_label_text(link))
        }

    def _add_unreferenced(self, section: Element, taken: Counter[str]) -> None:
        for number, item in enumerate(section.iterfind("ol/li"), 1):
            if item not in self.definitions:
                taken[str(number)] += 1
                self.definitions[item] = f"{number}-unused" if taken[str(number)] > 1 else str(number)


def _fragment(link: Element) -> str:
    return str(link.get("href", "").partition("#")[2])


def _is_above_notes(rule: Element, notes: Container[Element]) -> bool:
    """Whether notes follow a rule, which their program draws."""
    following = rule.getnext()
    return following is not None and any(each in notes for each in islice(following.iter(), 5))


def _is_at(place: Element | None, link: Element) -> bool:
    """Whether a target is a link, or what is directly around it in its line."""
    return place is not None and (
        place is link or (place.tag not in _NOTE_TAGS and place in islice(link.iterancestors(), 3))
    )


def _is_in_heading(link: Element) -> bool:
    """Whether a link stands in a heading, which tables of contents lead to, and which leads back to them."""
    return any(each.tag in HEADING_TAGS for each in link.iterancestors())


def _whole_note(target: Element | None, back: Element, marks: Mapping[Element, int]) -> Element | None:
    """Return the block that a link leads to, else the paragraph of the link back, or the block around it that it begins or ends."""
    if target is not None and target.tag in _NOTE_TAGS - {"p"}:
        return target
    note = next((each for each in back.iterancestors() if each.tag in _NOTE_TAGS), None)
    around = None if note is None else note.getparent()
    if note is None or around is None or note.tag != "p" or around.tag not in _NOTE_TAGS or marks[around] > 1:
        return note
    is_edge = note.getprevious() is None or note.getnext() is None
    return around if is_edge and next(around.iterchildren("hr", *HEADING_TAGS), None) is None else note


def _is_reference(link: Element, fragment: str) -> bool:
    if link.get("role") == "doc-noteref" or "data-footnote-ref" in link.attrib:
        return True
    return _NOTE_TARGET.fullmatch(fragment) is not None and _LABEL.fullmatch(_label_text(link)) is not None


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
    match = _LABEL.fullmatch(_label_text(link))
    return match[1] if match else "note"


def _label_text(link: Element) -> str:
    return "".join(map(str, islice(link.itertext(), 8))).strip()
