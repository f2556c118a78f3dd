"""Word files to a tree, by way of HTML.

zip → parts → `simplify`: what mammoth would lose as runs and bookmarks → mammoth → `nesting` → `read_html`

mammoth resolves runs, links, fields, notes, merged cells and tracked changes, which are accepted. Styles and lists are
ours: it knows five levels, and no starts.
"""

from __future__ import annotations

from io import BytesIO
from itertools import zip_longest
from typing import TYPE_CHECKING
from xml.parsers.expat import ExpatError
from zipfile import ZipFile

from lxml import etree

from mdpublish_core import ledger
from mdpublish_core.arguments import require_type
from mdpublish_core.data_files import read_table
from mdpublish_core.errors import InvalidFile, InvalidHtml, MissingExtra
from mdpublish_core.nodes import walk
from mdpublish_core.nodes.comments import comment_of
from mdpublish_core.notices import Notice, shorten
from mdpublish_core.options.limits import DEFAULT_LIMITS, Limits
from mdpublish_core.readers.docx.nesting import nest
from mdpublish_core.readers.docx.remarks import WordRemark, remark_notices, remarks_in
from mdpublish_core.readers.docx.simplify import IMAGE, SIMPLIFIED, Simplifier, WordImage
from mdpublish_core.readers.docx.styles import ListCounter, WordStyles
from mdpublish_core.readers.html import read_elements
from mdpublish_core.readers.html.parse import parse_html, source_text, text_of
from mdpublish_core.readers.imported import ReadFile
from mdpublish_core.resources.media import Media, image_from_bytes
from mdpublish_core.resources.open_xml import Archive, ArchiveLimits, Element, qualified

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

LIMITS = ArchiveLimits(file_bytes=20_000_000, part_bytes=10_000_000, total_bytes=40_000_000, tags=600_000)

MAX_ELEMENTS = 80_000
"""Of what mammoth reads: four for a paragraph, and two or four for each change of format in it. They take 40 to 60
microseconds and two kilobytes each, below five seconds in all; a book of 500 pages has 15,000 paragraphs."""

_STYLE_MAP = "\n".join(line for (line,) in read_table(__file__, "mammoth.tsv"))

_NOTES = ("footnotes", "endnotes")


def read_docx(content: bytes, *, comments: bool = False, limits: Limits = DEFAULT_LIMITS) -> ReadFile:
    """Read a Word file (.docx, .docm or .dotx).

    Tracked changes are accepted; they and comments are notices, or comments of HTML if `comments`. Raises `InvalidFile` for other files, or past
    20,000,000 bytes, 10,000,000 of XML in a part, 600,000 tags, 80,000 elements of text; `MissingExtra` without the
    extra `import`.
    """
    html, parts, images = docx_to_html(content)
    normalized, size = source_text(html, limits)
    written = [comment_of(remark.line) for remark in parts.remarks] if comments else []
    reading = read_elements(normalized, "html", limits, comments=written)
    simplifier, contents = parts.simplifier, [] if reading.taken is None else [text_of(each) for each in reading.taken]
    if any(contents):
        simplifier.add_notice(f"a table of contents is left out: {ledger.describe(ledger.Loss('words', contents))}")
    lost = ledger.loss_notices(parts.seen, (*reading.entries(), *images.left_out))
    blocks = (*reading.blocks, *reading.notes) if written else ()
    placed = {id(token) for block in blocks for token in walk(block)}
    left_out = (each for each, comment in zip_longest(parts.remarks, written) if id(comment) not in placed)
    said = (*remark_notices(left_out), *simplifier.notices.values(), *images.notices, *reading.notices, *lost)
    formula_bookmarks = simplifier.formula_bookmarks if simplifier.has_formula_bookmarks else None
    return ReadFile(reading.document(said, size), tuple(images.media.values()), formula_bookmarks)


def docx_to_html(content: bytes) -> tuple[str, _Parts, _Images]:
    """Convert a Word file to HTML whose images have the `content_id` of media as `cid:` URL. Raises as `read_docx` does."""
    require_type("content", content, bytes)
    try:
        import mammoth
    except ImportError:
        raise MissingExtra("import", "mammoth") from None
    parts = _Parts(content)
    images = _Images(parts.archive)
    try:
        html = mammoth.convert_to_html(
            parts.simplified(), style_map=_STYLE_MAP, include_default_style_map=False, include_embedded_style_map=False
        ).value
        root = parse_html(html)
    except (RecursionError, InvalidHtml):
        raise InvalidFile("must have tables and text boxes nested less deeply; take the inner ones out") from None
    except (ArithmeticError, AttributeError, ExpatError, LookupError, OSError, TypeError, ValueError) as error:
        problem = f"{type(error).__name__}: {error}"
        raise InvalidFile(f"has content that cannot be read ({shorten(problem)}); save it again in Word") from error
    if root is None:
        root = etree.Element("body")
    body = next(root.iter("body"), root)
    images.show(body, parts.simplifier.images)
    nest(body, parts.simplifier.blocks, parts.simplifier.bookmarks)
    return etree.tostring(body, encoding="unicode", method="html"), parts, images


class _Parts:
    def __init__(self, content: bytes) -> None:
        self.archive = Archive(content, LIMITS, InvalidFile)
        kinds = {target.kind: target.name for target in self.archive.targets("").values()}
        main = kinds.get("officeDocument", "")
        document = self.archive.xml(main, takes_strict=True)
        if document is None or document.tag != qualified("w:document"):
            raise InvalidFile("must be a Word document (.docx); save it as that in Word")
        self._names = {"document": main}
        for target in self.archive.targets(main).values():
            self._names.setdefault(target.kind, target.name)
        self._stories = {"document": document}
        self.seen: Sequence[ledger.SeenEntry] = ()
        self.remarks: Sequence[WordRemark] = ()
        for name in _NOTES:
            if (story := self._part(name)) is not None:
                self._stories[name] = story
        self._styles, self._numbering = self._part("styles"), self._part("numbering")
        self.simplifier = Simplifier(WordStyles(self._styles), ListCounter(self._numbering), self._notes())

    def _part(self, kind: str) -> Element | None:
        return self.archive.xml(self._names.get(kind, ""), takes_strict=True)

    def _notes(self) -> Iterator[tuple[str, str]]:
        for name in _NOTES:
            kind = name.removesuffix("s")
            for note in self._stories.get(name, ()):
                if note.get(qualified("w:id")) is not None and note.get(qualified("w:type")) in {None, "normal"}:
                    yield kind, note.get(qualified("w:id"), "")

    def simplified(self) -> BytesIO:
        """Return a file of stories alone; what Word shows of them is in `seen` then, what people said in `remarks`."""
        _require_few(sum(1 for story in self._stories.values() for _ in story.iter(*SIMPLIFIED)))
        targets = {name: self.archive.targets(self._names[name], takes_external=True) for name in self._stories}
        stories = (ledger.docx.Story(story, targets[name]) for name, story in self._stories.items())
        self.seen = tuple(ledger.docx.entries_of(stories, self._numbering, self._styles))
        parts = (self._part(name) for name in ("comments", "commentsExtended"))
        self.remarks = tuple(remarks_in([*self._stories.values()], *parts))
        for number, remark in enumerate(self.remarks):
            if remark.place is not None:
                self.simplifier.remarks[remark.place].append(number)
        output, after = BytesIO(), 0
        with ZipFile(output, "w") as file:
            for name, story in self._stories.items():
                self.simplifier.simplify(story, targets[name])
                after += sum(1 for _ in story.iter())
                _require_few(after)
                file.writestr(f"word/{name}.xml", etree.tostring(story, encoding="UTF-8"))
                links = {key: target.name for key, target in targets[name].items() if target.is_external}
                file.writestr(f"word/_rels/{name}.xml.rels", _relationships(links))
        output.seek(0)
        return output


def _require_few(count: int) -> None:
    if count > MAX_ELEMENTS:
        raise InvalidFile(f"must have at most {MAX_ELEMENTS:,} paragraphs, runs and texts (got {count:,}); split it")


def _relationships(targets: Mapping[str, str]) -> bytes:
    root = etree.Element(qualified("rel:Relationships"))
    for key, target in targets.items():
        etree.SubElement(root, qualified("rel:Relationship"), {"Id": key, "Type": "", "Target": target})
    return etree.tostring(root, encoding="UTF-8")


class _Images:
    def __init__(self, archive: Archive) -> None:
        self.media: dict[str, Media] = {}
        self.notices: list[Notice] = []
        self.left_out: list[ledger.SeenEntry] = []
        self._archive = archive
        self._sources: dict[str, str] = {}

    def show(self, body: Element, images: Sequence[WordImage]) -> None:
        """Put images in place of their numbers, or their alternative texts."""
        for span in body.iter("span"):
            if span.get("class") == IMAGE:
                image = images[int(span.text or "")]
                source = self._source(image)
                if not source:
                    self.left_out.append(ledger.SeenEntry("image", image.target.name))
                span.tag, span.text = ("img", None) if source else ("span", image.alt)
                span.attrib.clear()
                span.attrib.update({"src": source, "alt": image.alt, **({"title": image.title} if image.title else {})})

    def _source(self, image: WordImage) -> str:
        target = image.target
        if target.is_external:
            return target.name
        if target.name not in self._sources:
            media = image_from_bytes(self._archive.read(target.name) or b"", image.alt)
            if media:
                self.media.setdefault(media.content_id, media)
            else:
                name = shorten(target.name)
                message = f"the image {name!r} is not PNG, JPEG, GIF or WebP, so it is its alternative text"
                self.notices.append(Notice("content-left-out", message))
            self._sources[target.name] = f"cid:{media.content_id}" if media else ""
        return self._sources[target.name]
