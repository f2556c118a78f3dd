"""The walk over lxml's tree, without recursion: open blocks are a stack, open marks a tuple."""

from typing import TYPE_CHECKING, NamedTuple

from lxml import etree

from mdpublish_core import ledger
from mdpublish_core.data_files import read_pairs
from mdpublish_core.nodes import open_nodes as nodes
from mdpublish_core.notices import Notice, shorten, unsafe_link_notice
from mdpublish_core.options.limits import Limits
from mdpublish_core.readers.html import styles
from mdpublish_core.readers.html.builders import BUILDERS, PARENTS, Frame, is_block, leaf_block, paragraph
from mdpublish_core.readers.html.callouts import find_callout
from mdpublish_core.readers.html.embedded import embedded_url
from mdpublish_core.readers.html.footnotes import Footnotes
from mdpublish_core.readers.html.formulas import Formula, find_formula
from mdpublish_core.readers.html.inlines import Mark, Run, paragraphs_of
from mdpublish_core.readers.html.lists import add_blocks, drawn_box, is_checkbox, is_item_of_last
from mdpublish_core.readers.html.parse import Element
from mdpublish_core.readers.html.tables import table_of
from mdpublish_core.readers.html_elements import MAX_REPEATED_CHARACTERS, image_of
from mdpublish_core.resources.allowed_elements import (
    HEADING_TAGS,
    allowed_attributes,
    clean_url,
    single_line,
)
from mdpublish_core.resources.media import Media, image_from_data_url
from mdpublish_core.resources.urls import encode_url, has_scheme, is_data_url, is_safe_url
from mdpublish_core.strings.lazy_patterns import compile_lazily
from mdpublish_core.strings.positions import SourcePosition

if TYPE_CHECKING:
    from collections.abc import Sequence

_SILENT_NAMES = "script style template noscript button title meta link colgroup col source"
_SILENT_TAGS = frozenset(_SILENT_NAMES.split())
_LEFT_OUT_TAGS = frozenset({"svg", "canvas", "iframe", "object", "embed", "video", "audio", "select", "textarea"})

_NO_TEXT_TAGS = frozenset({"ul", "ol", "table", "tr", "dl", "menu", "dir"})
"""White space in them is only that of the source."""

_MARKS = read_pairs(__file__, "marks.tsv")

_BOLD_TAGS = HEADING_TAGS | {"th", "dt", "summary"}
"""Bold by themselves: that their style is says nothing."""

_ANCHOR = compile_lazily(r"^#md-")
_NOT_SHOWN_NAMES = "sr-only visually-hidden katex-html anchor headerlink mw-cite-backlink"
_NOT_SHOWN_CLASSES = frozenset(_NOT_SHOWN_NAMES.split())
"""What pages add to a text: labels for screen readers, the copy of a formula, and links to headings."""


REMARK = "data-remark"
"""An attribute of elements that our converters write: the number of a comment."""


class _Context(NamedTuple):
    """What an element inherits: marks, outermost first, and whether line ends in text are line breaks."""

    marks: tuple[Mark, ...] = ()
    is_preserved: bool = False
    in_heading: bool = False


class HtmlReader:
    """Reads one tree; `keeps_lines` keeps the line ends of paragraphs, as our own pages have them."""

    def __init__(self, root: Element, limits: Limits, *, keeps_lines: bool) -> None:
        self.notices: list[Notice] = []
        self.media: dict[str, Media] = {}
        self.left_out: list[ledger.SeenEntry] = []
        """What a notice names."""
        self.comments: Sequence[nodes.HtmlSpan] = ()
        """Those that a converter's elements, at the end of paragraphs, have by number."""
        self.notes: list[nodes.FootnoteDefinition] = []
        self.references: list[nodes.FootnoteReference] = []
        self.limits = limits
        self._root = root
        self._keeps_lines = keeps_lines
        self._footnotes = Footnotes(root)
        self._frames = [Frame("root", root)]
        self._context = _Context()
        self._codes = 0
        # Kept, so that no other mark has their identity.
        self._links: dict[int, Mark] = {}
        self._repeated = 0
        self._noticed: set[str] = set()
        self._captions: list[str] = []

    def read(self) -> list[nodes.Token]:
        """Return the blocks; footnotes, media and notices are in attributes then."""
        contexts: list[_Context] = []
        walker = etree.iterwalk(self._root, events=("start", "end"))
        for event, element in walker:
            if event == "start":
                contexts.append(self._context)
                if self._start(element):
                    self._add_text(element.text)
                else:
                    walker.skip_subtree()
                continue
            if self._frames[-1].element is element and len(self._frames) > 1:
                self._close()
            elif is_block(element, styles.declarations_of(element)):
                self._flush()
            self._context = contexts.pop()
            if element is not self._root:
                self._add_text(element.tail)
        self._flush()
        if self._captions:
            message = "captions are titles of their images, which some programs do not show: "
            self.notice("content-left-out", message + ledger.describe(ledger.Loss("words", self._captions)))
        # Notes that are hidden, nest too deeply, or stand within their own reference.
        missing = {each.label for each in self.references} - {note.label for note in self.notes}
        self.notes += [nodes.FootnoteDefinition(label, []) for label in sorted(missing)]
        return self._frames[0].children

    def notice(self, code: str, message: str) -> None:
        """Give a notice once."""
        if message not in self._noticed:
            self._noticed.add(message)
            self.notices.append(Notice(code, message))

    def _start(self, element: Element) -> bool:
        """Begin an element; return whether what is in it is to be read."""
        tag, style = str(element.tag), styles.declarations_of(element)
        formula, label = find_formula(element), self._footnotes.references.get(element)
        if self.comments and REMARK in element.attrib:
            self._frames[-1].runs.append(Run(self.comments[int(element.get(REMARK, ""))]))
        elif formula:
            self._add_formula(formula)
        elif self._is_left_out(element, tag, style):
            pass
        elif is_checkbox(element):
            self._add_text(drawn_box(element))
        elif tag == "br":
            self._add(nodes.LineBreak(soft=False))
        elif tag == "img":
            self._add_image(element)
        elif label:
            self._add_reference(label)
        elif (leaf := leaf_block(element, tag, style)) is not None:
            self._flush()
            if tag == "td":
                self._open(element, tag, style)
            self._frames[-1].children += leaf
        else:
            self._open(element, tag, style)
            self._context = self._inherited(element, tag, style)
            return True
        return False

    def _is_left_out(self, element: Element, tag: str, style: styles.Declarations) -> bool:
        if tag in _LEFT_OUT_TAGS and (tag != "svg" or element.get("role") == "img"):
            self._leave_out(element, tag)
            # libxml2 does not know that it ends at once.
            return tag != "embed"
        return (
            tag in _SILENT_TAGS
            or tag in _LEFT_OUT_TAGS
            or styles.is_hidden(element, style)
            or element in self._footnotes.back_links
            or not _NOT_SHOWN_CLASSES.isdisjoint(element.get("class", "").split())
        )

    def _leave_out(self, element: Element, tag: str) -> None:
        """Write a link to what an element shows, if it shows another page or file."""
        url = clean_url(embedded_url(element))
        is_linked = has_scheme(url) and is_safe_url(url) and not any(mark.kind == "a" for mark in self._context.marks)
        if is_linked:
            label = single_line(element.get("title") or element.get("aria-label") or url)
            self._frames[-1].runs.append(Run(label, (*self._context.marks, Mark("a", (("href", url),)))))
        arrival = "a link to what it shows" if is_linked else "left out: Markdown has nothing like it"
        self.notice("unsupported-html", f"the element <{tag}> is {arrival}")
        if tag != "embed":
            self.left_out += ledger.html.entries_of(element)

    def _open(self, element: Element, tag: str, style: styles.Declarations) -> None:
        kind = tag
        if element in self._footnotes.definitions:
            kind = "note"
        elif find_callout(element):
            kind = "callout"
        starts_block = is_block(element, style)
        if starts_block:
            self._flush()
        parents = PARENTS.get(kind)
        if (kind not in BUILDERS and kind not in {"note", "table"}) or (
            parents and self._frames[-1].kind not in parents
        ):
            if starts_block and self._frames[-1].align is None:
                self._frames[-1].align = styles.alignment_of(element, style)
        elif len(self._frames) > self.limits.max_depth:
            message = (
                f"blocks nest deeper than {self.limits.max_depth} levels; deeper ones are kept without their nesting"
            )
            self.notice("nesting-too-deep", message)
        else:
            self._frames.append(Frame(kind, element, styles.alignment_of(element, style)))

    def _close(self) -> None:
        self._flush()
        frame = self._frames.pop()
        if frame.kind == "note":
            _trim_start(frame.children)
            self.notes.append(nodes.FootnoteDefinition(self._footnotes.definitions[frame.element], frame.children))
        elif frame.kind == "table":
            content = table_of(frame.element, frame.children, self.limits.max_table_padding)
            self._frames[-1].children += content.blocks
            if content.simplified:
                message = f"a table has {' and '.join(content.simplified)}; they are plain cells, and lines in them"
                self.notice("table-simplified", message)
        else:
            built = BUILDERS[frame.kind](frame)
            if frame.kind == "figure" and built is not frame.children:
                self._captions.append(nodes.text_content(frame.children[1]))
            add_blocks(self._frames[-1].children, built, is_item=is_item_of_last(frame.element))

    def _flush(self) -> None:
        frame = self._frames[-1]
        runs, frame.runs = self._without_repeated(frame.runs), []
        for inlines in paragraphs_of(runs, soft_breaks=self._keeps_lines):
            frame.children.append(paragraph(inlines))

    def _without_repeated(self, runs: list[Run]) -> list[Run]:
        """Return runs without links and titles that go on from earlier paragraphs, once these have become too long."""
        marks = {id(mark): mark for run in runs for mark in run.marks if mark.attributes}
        repeated = [mark for key, mark in marks.items() if key in self._links]
        self._links.update(marks)
        self._repeated += sum(len(value) for mark in repeated for _, value in mark.attributes)
        if not repeated or self._repeated <= MAX_REPEATED_CHARACTERS:
            return runs
        message = (
            f"links around blocks expand to more than {MAX_REPEATED_CHARACTERS:,} characters; further ones are text"
        )
        self.notice("too-many-references", message)
        return [run._replace(marks=tuple(mark for mark in run.marks if mark not in repeated)) for run in runs]

    def _inherited(self, element: Element, tag: str, style: styles.Declarations) -> _Context:
        in_heading = self._context.in_heading or tag in _BOLD_TAGS
        context = self._context._replace(
            is_preserved=styles.preserves_white_space(element, style, inherited=self._context.is_preserved),
            in_heading=in_heading,
        )
        if tag in _BOLD_TAGS:
            context = context._replace(marks=tuple(mark for mark in context.marks if mark.kind != "strong"))
        if tag == "a":
            context = self._in_link(context, element)
        if any(mark.kind == "code" for mark in context.marks):
            return context
        set_by_tag = _MARKS.get(tag)
        switches = dict(styles.style_marks(style))
        if in_heading and switches.get("strong"):
            del switches["strong"]
        if set_by_tag and switches.get(set_by_tag, True):
            switches = {set_by_tag: True, **switches}
        marks = [mark for mark in context.marks if switches.get(mark.kind, True)]
        kinds = {mark.kind for mark in marks}
        marks += [self._mark(kind, element) for kind, is_set in switches.items() if is_set and kind not in kinds]
        if set_by_tag is None and not is_block(element, style):
            if styles.is_monospace(style):
                marks.append(Mark("code"))
            elif styles.is_highlighted(style) and "mark" not in kinds:
                marks.append(Mark("mark"))
        return context._replace(marks=tuple(marks))

    def _mark(self, kind: str, element: Element) -> Mark:
        if kind == "code":
            self._codes += 1
            return Mark(kind, (("element", str(self._codes)),))
        names = ("dir", "title") if kind in {"abbr", "bdo", "dfn"} else ()
        written = {name: element.get(name, "") for name in names if name in element.attrib}
        return Mark(kind, tuple(allowed_attributes(kind, written).items()))

    def _in_link(self, context: _Context, element: Element) -> _Context:
        target = self._url(element, "href")
        if not target or any(mark.kind == "a" for mark in context.marks):
            return context
        title = single_line(element.get("title", ""))
        mark = Mark("a", (("href", target), *((("title", title),) if title else ())))
        return context._replace(marks=(*context.marks, mark))

    def _url(self, element: Element, name: str) -> str:
        url = clean_url(element.get(name, ""))
        if is_safe_url(url):
            return _ANCHOR.sub("#", url)
        self.notices.append(unsafe_link_notice(url, SourcePosition(None)))
        return ""

    def _add_text(self, string: str | None) -> None:
        if not string or (self._frames[-1].element.tag in _NO_TEXT_TAGS and not string.strip()):
            return
        if not self._context.is_preserved or "\n" not in string:
            self._add(string)
            return
        for number, line in enumerate(string.split("\n")):
            if number:
                self._add(nodes.LineBreak(soft=False))
            if line:
                self._add(line)

    def _add(self, content: str | nodes.Token) -> None:
        marks = self._context.marks
        if not isinstance(content, str):
            marks = tuple(mark for mark in marks if mark.kind != "code")
        self._frames[-1].runs.append(Run(content, marks))

    def _add_formula(self, formula: Formula) -> None:
        tex, is_display, shown = formula
        if tex:
            self._add(nodes.MathSpan(tex if is_display else " ".join(tex.split()), display=is_display))
        elif shown:
            self.notices.append(Notice("formula-as-text", f"a formula has no TeX, so it is text: {shorten(shown)!r}"))
            self._add(shown)

    def _add_reference(self, label: str) -> None:
        reference = nodes.FootnoteReference(label)
        self.references.append(reference)
        marks = tuple(mark for mark in self._context.marks if mark.kind not in {"a", "code", "sup"})
        self._frames[-1].runs.append(Run(reference, marks))

    def _add_image(self, element: Element) -> None:
        alt = single_line(element.get("alt", ""))
        source = clean_url(element.get("src", ""))
        if is_data_url(source):
            media = image_from_data_url(source, alt)
            if media:
                self.media.setdefault(media.content_id, media)
            else:
                self.notices.append(unsafe_link_notice(source, SourcePosition(None)))
            source = media.content_id if media else ""
        elif source[:4].lower() == "cid:":
            source = encode_url(source[4:])
            if not is_safe_url(source):
                source = ""
        else:
            source = self._url(element, "src")
        if not source:
            self.left_out.append(ledger.SeenEntry("image", element.get("src", "")))
            self._add(alt)
        else:
            self._add(image_of({str(name): str(value) for name, value in element.attrib.items()}, source))


def _trim_start(blocks: list[nodes.Token]) -> None:
    """Remove the space that stood behind a note's mark."""
    first = blocks[0].children[0] if blocks and isinstance(blocks[0], nodes.Paragraph) else None
    if isinstance(first, nodes.RawText):
        first.content = first.content.lstrip("\xa0 ")
