"""A reference document: a Word file of the user's whose styles, theme, page, headers and footers the output takes.

It is a stranger's zip. Of it, only the parts below are read, each bounded; of these, nothing is kept that loads a file
or runs a program: relationships to URLs, embedded objects, and fields other than those of `_FIELDS`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import count

from mdpublish_core.data_files import read_words
from mdpublish_core.errors import InvalidReferenceDoc
from mdpublish_core.resources.open_xml import (
    NAMESPACES,
    Archive,
    ArchiveLimits,
    Element,
    Target,
    parse_number,
    qualified,
    split_name,
)
from mdpublish_core.writers.language import proofing_attributes

LIMITS = ArchiveLimits(file_bytes=10_000_000, part_bytes=4_000_000, total_bytes=20_000_000, tags=500_000)
"""libxml2 takes about thirty times as much memory as a part's XML, and some hundred bytes for each element."""

IMAGE_TYPES: Mapping[str, str] = {
    "png": "image/png",
    "jpg": "image/jpeg",
    "jpeg": "image/jpeg",
    "gif": "image/gif",
    "emf": "image/x-emf",
}
"""Media types of images in headers and footers, by suffix."""

_SINGLE_PARTS = ("styles", "theme", "fontTable", "numbering", "settings")

_NAMES = read_words(__file__, "reference.tsv")
_FIELDS, _SECTION = (frozenset(_NAMES[kind]) for kind in ("field", "section"))
_SECTION_NAMESPACES = frozenset({NAMESPACES["w"], NAMESPACES["r"]})

# Of VML: what it loads by URL.
_URL_ATTRIBUTES = frozenset({"src", "href", "althref"})


@dataclass(frozen=True)
class CopiedPart:
    """A part and the images it shows: suffix and bytes by the id of their relationship."""

    element: Element
    images: Mapping[str, tuple[str, bytes]]


@dataclass(frozen=True)
class Reference:
    """What was read. The elements are the caller's, to change."""

    parts: Mapping[str, CopiedPart]
    """Parts by kind: `styles`, `theme`, `fontTable`, `numbering`, `settings`."""
    section: Element | None
    """The last section's properties."""
    stories: Mapping[str, tuple[str, CopiedPart]]
    """Headers and footers with their kinds, by the ids in `section`."""
    style_ids: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """Styles by type and name in lower case: ids depend on Word's language. A default style's name is empty."""

    def merge_styles(self, ours: Element, lang: str | None) -> tuple[Element, Mapping[str, str]]:
        """Return `styles.xml` with the styles of `ours` that it lacks, and the ids of all; `lang` is the author's."""
        merged = self.parts["styles"].element if "styles" in self.parts else ours
        if merged is ours:
            return ours, {}
        taken, ids, added = set(self.style_ids.values()), {}, []
        for style in ours.findall(qualified("w:style")):
            kind, our_id = style.get(qualified("w:type"), ""), style.get(qualified("w:styleId"), "")
            name = next(style.iter(qualified("w:name"))).get(qualified("w:val"), "")
            default = self.style_ids.get((kind, "")) if style.get(qualified("w:default")) else None
            ids[our_id] = self.style_ids.get((kind, name.lower())) or default or ""
            if not ids[our_id]:
                ids[our_id] = next(name for n in count() if (name := f"{our_id}{n or ''}") not in taken)
                taken.add(ids[our_id])
                style.set(qualified("w:styleId"), ids[our_id])
                added.append(style)
            elif style.get(qualified("w:default")) and (kind, "") not in self.style_ids:
                # Ours are for paragraphs that name no style.
                same = (each for each in merged if each.get(qualified("w:styleId")) == ids[our_id])
                next(same).set(qualified("w:default"), "1")
        merged.extend(added)
        for style in added:
            rename_styles(style, ids)
        attributes = proofing_attributes(lang) if lang else {}
        for language in merged.iter(qualified("w:lang")):
            for attribute, tag in attributes.items():
                language.set(qualified(f"w:{attribute}"), tag)
        return merged, ids

    @property
    def settings(self) -> Mapping[str, Element]:
        """The settings by name."""
        part = self.parts.get("settings")
        return {split_name(each.tag)[1]: each for each in part.element} if part else {}

    def list_numbers(self, name: str) -> int:
        """Return the largest number of a list's definition (`abstractNum`) or instance (`num`)."""
        part = self.parts.get("numbering")
        names = [] if part is None else part.element.findall(qualified(f"w:{name}"))
        return max((parse_number(each.get(qualified(f"w:{name}Id")), 0) for each in names), default=0)


def read_reference(content: bytes) -> Reference:
    """Read a .docx or .dotx. Raises `InvalidReferenceDoc`."""
    archive = Archive(content, LIMITS, InvalidReferenceDoc)
    main = next((target.name for target in archive.targets("").values() if target.kind == "officeDocument"), "")
    document = archive.xml(main)
    if document is None or document.tag != qualified("w:document"):
        raise InvalidReferenceDoc(
            "must be a Word document (.docx or .dotx), not strict Open XML; save it as that in Word"
        )
    targets = archive.targets(main)
    singles = {target.kind: target.name for target in targets.values() if target.kind in _SINGLE_PARTS}
    parts = {kind: part for kind, name in singles.items() if (part := _copied(archive, name)) is not None}
    section = _section(document)
    stories = {} if section is None else _stories(archive, section, targets)
    return Reference(parts, section, stories, _style_ids(parts["styles"].element) if "styles" in parts else {})


def _stories(archive: Archive, section: Element, targets: Mapping[str, Target]) -> dict[str, tuple[str, CopiedPart]]:
    """Return headers and footers, the first of each type; remove references to others."""
    stories: dict[str, tuple[str, CopiedPart]] = {}
    seen = set()
    for reference in story_references(section):
        name, page = reference.get(qualified("r:id")) or "", reference.get(qualified("w:type"))
        kind = split_name(reference.tag)[1].removesuffix("Reference")
        target = targets.get(name)
        is_first = (kind, page) not in seen
        seen.add((kind, page))
        part = _copied(archive, target.name) if is_first and target and target.kind == kind else None
        if part is None:
            _remove(reference)
        else:
            _remove_fields(part.element)
            stories[name] = kind, part
    return stories


def story_references(section: Element) -> list[Element]:
    return [*section.iterchildren(*map(qualified, ("w:headerReference", "w:footerReference")))]


def rename_styles(element: Element, ids: Mapping[str, str]) -> None:
    """Give what refers to our styles the ids that they have beside those of a reference document."""
    value = qualified("w:val")
    for each in element.iter(*map(qualified, ("w:pStyle", "w:rStyle", "w:tblStyle", "w:basedOn", "w:next"))):
        each.set(value, ids.get(each.get(value, ""), each.get(value, "")))


def _copied(archive: Archive, name: str) -> CopiedPart | None:
    """Return a part without what it loads from elsewhere."""
    if (element := archive.xml(name)) is None:
        return None
    images: dict[str, tuple[str, bytes]] = {}
    for key, target in archive.targets(name).items():
        suffix = target.name.rpartition(".")[2].lower()
        if target.kind == "image" and suffix in IMAGE_TYPES and (content := archive.read(target.name)):
            images[key] = suffix, content
    for each in list(element.iter()):
        for key in map(str, list(each.attrib)):
            namespace, local = split_name(key)
            if local in _URL_ATTRIBUTES:
                del each.attrib[key]
            elif namespace == NAMESPACES["r"] and each.get(key) not in images:
                _unlink(each, key)
    return CopiedPart(element, images)


def _unlink(element: Element, attribute: str) -> None:
    """Remove what refers to a part that is not kept: of a link its target, of a picture or object the whole."""
    if element.tag == qualified("w:hyperlink") or attribute == qualified("r:link"):
        del element.attrib[attribute]
        return
    name, parent = split_name(element.tag)[1], element.getparent()
    if name == "svgBlip" and parent is not None:
        # The image has a PNG besides.
        element = parent
    elif name not in {"hlinkClick", "hlinkHover"}:
        element = next(element.iterancestors(*map(qualified, ("w:drawing", "w:pict", "w:object"))), element)
    _remove(element)


def _remove(element: Element) -> None:
    if (parent := element.getparent()) is not None:
        parent.remove(element)


@dataclass
class _Field:
    """A field: its marks and instruction; a `?` before that is for another field or text in it."""

    pieces: list[Element] = field(default_factory=list)
    instruction: str = ""
    has_result: bool = False


def _is_safe(instruction: str) -> bool:
    return next(iter(instruction.upper().split()), "") in _FIELDS


def _remove_fields(story: Element) -> None:
    """Leave what fields show, except of those that are safe."""
    for each in list(story.iter(qualified("w:fldSimple"))):
        if not _is_safe(each.get(qualified("w:instr"), "")):
            for child in list(each):
                each.addprevious(child)
            _remove(each)
    # What is outside of all fields is no instruction, and a field that does not end is none.
    opened, removed = [_Field()], list[Element]()
    for each in story.iter(*map(qualified, ("w:fldChar", "w:instrText", "w:t"))):
        kind, is_text = each.get(qualified("w:fldCharType")), each.tag == qualified("w:t")
        if (is_text or kind == "begin") and not opened[-1].has_result:
            opened[-1].instruction = f"?{opened[-1].instruction}"
        if kind == "begin":
            opened.append(_Field())
        if not is_text:
            opened[-1].pieces.append(each)
            opened[-1].instruction += each.text or ""
        opened[-1].has_result |= kind == "separate"
        if kind == "end" and len(opened) > 1 and not _is_safe((ended := opened.pop()).instruction):
            removed += ended.pieces
    for each in [*removed, *(piece for unfinished in opened for piece in unfinished.pieces)]:
        _remove(each)


def _section(document: Element) -> Element | None:
    """Return the last section's properties with inherited headers, without printers' settings and revisions."""
    section = document.find(f"{qualified('w:body')}/{qualified('w:sectPr')}")
    if section is None:
        return None
    place = len(story_references(section))
    for earlier in document.findall(f".//{qualified('w:pPr')}/{qualified('w:sectPr')}"):
        for each in story_references(earlier):
            section.insert(place, each)
    for each in list(section):
        if each.tag not in set(map(qualified, _SECTION)):
            section.remove(each)
    for each in section.iter():
        # Our document does not declare that others may be ignored.
        for key in [key for key in map(str, each.attrib) if split_name(key)[0] not in _SECTION_NAMESPACES]:
            del each.attrib[key]
    return section


def _style_ids(styles: Element) -> dict[tuple[str, str], str]:
    """Return the ids of styles, and remove what refers to a style that is not there."""
    ids: dict[tuple[str, str], str] = {}
    known: set[str] = set()
    for style in styles.findall(qualified("w:style")):
        name, style_id = style.find(qualified("w:name")), style.get(qualified("w:styleId"))
        if name is None or not style_id or style_id in known:
            styles.remove(style)
            continue
        known.add(style_id)
        kind = style.get(qualified("w:type"), "paragraph")
        ids.setdefault((kind, name.get(qualified("w:val"), "").lower()), style_id)
        if style.get(qualified("w:default")) in {"1", "true", "on"}:
            ids.setdefault((kind, ""), style_id)
    if default := ids.get(("paragraph", "")):
        ids.setdefault(("paragraph", "normal"), default)
    for each in list(styles.iter(*map(qualified, ("w:basedOn", "w:next", "w:link")))):
        if each.get(qualified("w:val")) not in known:
            _remove(each)
    return ids
