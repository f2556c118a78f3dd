"""The flow of paragraphs, runs and tables.

Word puts the larger of two paragraphs' spaces between them, as CSS does, and has none around tables. What is above and below
a list, a quote or a table is therefore that of its first and last paragraphs, or of those beside it.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, NamedTuple

from mdpublish_core import nodes
from mdpublish_core.css.matcher import Styles
from mdpublish_core.errors import LimitExceeded
from mdpublish_core.notices import Notice, shorten
from mdpublish_core.writers.context import RenderContext
from mdpublish_core.writers.docx.element_styles import (
    NOWHERE,
    ElementStyle,
    Surroundings,
    paragraph_properties,
    sides,
    twips,
)
from mdpublish_core.writers.docx.numbering import Numbering
from mdpublish_core.writers.docx.package import Package
from mdpublish_core.writers.docx.properties import (
    ParagraphProperties,
    RunMarks,
    RunProperties,
    write_paragraph_properties,
    write_run_properties,
)
from mdpublish_core.writers.docx.styles import NORMAL, ParagraphStyle, StyleSheet
from mdpublish_core.writers.docx.xml import Element, add, add_text
from mdpublish_core.writers.structure.bidi import Direction, detect_direction, document_direction
from mdpublish_core.writers.styled.walk import StyledWriter
from mdpublish_core.writers.word.computed_styles import HEADING_TAGS
from mdpublish_core.writers.word.footnote_numbering import FootnoteNumbering
from mdpublish_core.writers.word.layout import ALIGNMENTS, DIRECTIONS, PARAGRAPH_TAGS

_MIN_WIDTH = 24.0
"""In px: nested lists and tables can use up the column."""

MAX_TABLE_LEVELS = 8
"""Word opens deeper ones slowly or not at all; their content is written without a table."""

# Bytes of XML, about: to stop before a hostile document fills the memory.
_PARAGRAPH_BYTES, _RUN_BYTES = 100, 60

_SPACER_LINE = -20

_NAMES: Mapping[str, str] = {
    **{heading: f"Heading{heading[1]}" for heading in HEADING_TAGS},
    "caption": "Caption",
    "dt": "DefinitionTerm",
    "figcaption": "Caption",
    "summary": "Summary",
}
"""Named styles of elements."""

# What stays on the page of the next paragraph.
_HEADS = frozenset({"caption", "dt", "summary"})

_RTL = "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\U00010800-\U00010fff\U0001e800-\U0001efff]"
_LTR = "[A-Za-z\u00aa-\u02b8\u0370-\u058f\u0900-\u1fff\u2c00-\ud7ff\uf900-\ufaff]"
_RTL_CHARACTER = re.compile(_RTL)
_STRONG_CHARACTER = re.compile(f"({_RTL})|{_LTR}")


class OpenParagraph(NamedTuple):
    """The last paragraph, whose space below may still grow."""

    element: Element
    properties: ParagraphProperties
    base: ParagraphProperties
    style: str
    numbering: tuple[int, int] | None
    number_run: tuple[RunProperties, RunProperties] | None = None


class _OpenRun(NamedTuple):
    """The last run of text, to which text of the same looks is added."""

    element: Element
    properties: RunProperties
    marks: RunMarks
    contents: list[str]


class DocxLayout(StyledWriter[ElementStyle]):
    """Renderer with the state of the flow; lengths in px."""

    def __init__(
        self,
        document: nodes.Document,
        context: RenderContext,
        styles: Styles[ElementStyle],
        package: Package,
        sheet: StyleSheet,
        *,
        text_width: float,
    ) -> None:
        super().__init__(document, context, styles)
        self.package = package
        self.sheet = sheet
        self.body = package.body
        self.footnotes = FootnoteNumbering(document)
        self.numbering = Numbering()
        self.around = NOWHERE
        self.text_style = NORMAL
        self.marks = RunMarks()
        self.list_level = 0
        self.table_level = 0
        self.column_width = text_width
        self.cell = styles.current
        self.base_direction: Direction = document_direction(document) if self.has_right_to_left else "ltr"
        self.relationships = package.relationships
        self.bookmarks: set[str] = set()
        self.bookmark_count = 0
        self._repeated = {footnote.number for footnote in document.footnote_definitions if footnote.references > 1}
        self._has_remote_image = False
        self.image_count = 0
        self._last: OpenParagraph | None = None
        self._last_box = self._box_count = 0
        self._is_after_table = False
        self._space_above = 0.0
        self._target = self.body
        self._paragraph_style: ParagraphStyle = sheet.paragraph(NORMAL)
        self._is_rtl = False
        self._open_run: _OpenRun | None = None
        # What a link closes.
        self._outer_link = ExitStack()
        self._outer_paragraphs: list[tuple[Element, ParagraphStyle, bool]] = []
        self._bytes = 0

    def write_inlines(self, tokens: Sequence[nodes.Token]) -> None:
        # Of HTML's elements of blocks, only the text: a paragraph is open.
        methods = self.inline_methods
        final = len(tokens) - 1
        for number, token in enumerate(tokens):
            self.is_last = number == final
            (methods.get(type(token)) or self.methods[type(token)])(self, token)

    def write_bare(self, tokens: Sequence[nodes.Token]) -> None:
        style = self.styles.current
        entered = style.word.tag not in PARAGRAPH_TAGS
        if entered:
            style = self.styles.enter("p", last=self.is_last)
        with self.paragraph(style, tokens):
            self.write_inlines(tokens)
        if entered:
            self.styles.leave()

    # Paragraphs

    def start_text(self, element: str, tokens: Sequence[nodes.Token]) -> ElementStyle:
        style = self.styles.enter(element, last=self.is_last)
        name = _NAMES.get(element)
        if element == "p.attribution" and self.text_style == "Quote":
            name = "QuoteAttribution"
        self.start_paragraph(style, tokens, name)
        return style

    def end_text(self, style: ElementStyle) -> None:
        self.end_paragraph()
        if style.word.tag in _HEADS:
            self.change_last(keeps_next=True)
        self.styles.leave()

    @contextmanager
    def paragraph(
        self, style: ElementStyle, tokens: Sequence[nodes.Token] = (), name: str | None = None, **numbering: Any
    ) -> Iterator[Element]:
        yield self.start_paragraph(style, tokens, name, **numbering)
        self.end_paragraph()

    def start_paragraph(
        self,
        style: ElementStyle,
        tokens: Sequence[nodes.Token] = (),
        name: str | None = None,
        *,
        numbering: tuple[int, int] | None = None,
        indents: tuple[int, int] | None = None,
        number_indents: tuple[int, int] = (0, 0),
    ) -> Element:
        """Begin a paragraph in the direction of `tokens`, with the named style `name`.

        `numbering` is a list and its level, whose indentation is `number_indents`; `indents` are the left one and that of the
        first line, in twips, in place of the style's.
        """
        self._spend(_PARAGRAPH_BYTES)
        around = self.around
        if around.direction is None:
            around = around._replace(direction=self.direction_of(tokens))
        properties = paragraph_properties(style, around)
        if self._last and self._last_box and self._last_box != around.box_number and around.box:
            # Word joins boxes without a paragraph between them.
            self.write_spacer(max(self._last.properties.after / 15, properties.before / 15, self._space_above))
        self._last_box = around.box_number
        if self._space_above:
            properties = properties._replace(before=max(properties.before, twips(self._space_above)))
        if indents:
            properties = properties._replace(left=indents[0], first=indents[1])
        element = self._start_block("w:p")
        named = self.sheet.paragraph(name or self.text_style)
        base = named.paragraph
        if numbering:
            base = base._replace(left=number_indents[0], first=number_indents[1])
        # The level of the outline is the style's.
        properties = properties._replace(level=base.level)
        self._last = OpenParagraph(
            element,
            properties,
            base,
            "" if named.id == NORMAL else named.id,
            numbering,
            (style.run, named.run) if numbering else None,
        )
        self._space_above, self._is_after_table = 0.0, False
        self._outer_paragraphs.append((self._target, self._paragraph_style, self._is_rtl))
        self._target, self._paragraph_style, self._is_rtl = element, named, properties.bidi
        return element

    def end_paragraph(self) -> None:
        self.close_run()
        self._target, self._paragraph_style, self._is_rtl = self._outer_paragraphs.pop()

    @contextmanager
    def placed(self, around: Surroundings) -> Iterator[None]:
        """Write with other surroundings, then with these again."""
        outer, self.around = self.around, around
        yield
        self.around = outer

    @contextmanager
    def group(self, element: str) -> Iterator[None]:
        style = self.styles.enter(element, last=self.is_last)
        self.space_above(style.word.top)
        yield
        self.styles.leave()
        self.space_below(style.word.bottom)

    def _start_block(self, name: str) -> Element:
        self._close_last()
        return add(self.body, name)

    def _close_last(self) -> None:
        if self._last:
            element, properties, base, style, numbering, number_run = self._last
            write_paragraph_properties(
                element, properties, base, style=style, numbering=numbering, number_run=number_run
            )
            self._last = None

    def change_last(self, **values: Any) -> None:
        """Change properties of the last paragraph."""
        if self._last:
            self._last = self._last._replace(properties=self._last.properties._replace(**values))

    def direction_of(self, tokens: Sequence[nodes.Token]) -> Direction:
        if not self.has_right_to_left:
            return "ltr"
        return detect_direction(tokens) or self.base_direction

    def space_above(self, space: float) -> None:
        """Ensure a space in px above the next block."""
        self._space_above = max(self._space_above, space)

    def space_below(self, space: float) -> None:
        """Ensure a space in px below the last block."""
        if self._last:
            after = max(self._last.properties.after, twips(space))
            self._last = self._last._replace(properties=self._last.properties._replace(after=after))
        else:
            self.space_above(space)

    def with_box(self, style: ElementStyle) -> Surroundings:
        """Return surroundings with a new box; one within a box has no borders of its own."""
        if self.around.box:
            return self.around
        self._box_count += 1
        return self.around._replace(box=style, box_number=self._box_count)

    def write_spacer(self, space: float) -> None:
        """Write an empty paragraph, as thin as can be."""
        self._close_last()
        element, properties, base = self._thin_paragraph(self.body, space)
        self._last = OpenParagraph(element, properties, base, "", None)
        self._space_above, self._is_after_table = 0.0, False

    def write_thin_paragraph(self, cell: Element) -> None:
        """Write the paragraph that an empty cell must have."""
        element, properties, base = self._thin_paragraph(cell, 0)
        write_paragraph_properties(element, properties, base)

    def _thin_paragraph(
        self, parent: Element, space: float
    ) -> tuple[Element, ParagraphProperties, ParagraphProperties]:
        self._spend(_PARAGRAPH_BYTES)
        properties = ParagraphProperties(before=max(0, twips(space) + _SPACER_LINE), line=_SPACER_LINE)
        return add(parent, "w:p"), properties, self.sheet.paragraph(NORMAL).paragraph

    # Runs

    @property
    def target(self) -> Element:
        """The element that takes runs: a paragraph, or a link in it."""
        return self._target

    @contextmanager
    def inside(self, element: Element) -> Iterator[None]:
        """Add runs to an element of the paragraph."""
        self.close_run()
        outer, self._target = self._target, element
        yield
        self.close_run()
        self._target = outer

    def add_inline(self, name: str, /, **values: str | int | None) -> Element:
        """Append an element beside runs."""
        self.close_run()
        return add(self._target, name, **values)

    def start_run(self, run: RunProperties | None = None, marks: RunMarks | None = None) -> Element:
        """Append a run and return it; by default, with the properties of the current element."""
        self._spend(_RUN_BYTES)
        marks = self.marks if marks is None else marks
        element = self.add_inline("w:r")
        base = self._paragraph_style.run
        if marks.style:
            base = self.sheet.with_character(base, marks.style)
        write_run_properties(element, run or self.styles.current.run, base, marks)
        return element

    def close_run(self) -> None:
        """Write the text of the last run."""
        if self._open_run:
            add_text(self._open_run.element, "w:t", "".join(self._open_run.contents))
            self._open_run = None

    @contextmanager
    def marked(self, style: str, *, no_proof: bool = False) -> Iterator[None]:
        """Give runs a style of characters."""
        outer, self.marks = self.marks, self.marks._replace(style=style, no_proof=no_proof)
        yield
        self.marks = outer

    def write_text(self, content: str) -> None:
        """Write text of the current element."""
        if not content:
            return
        marks = self.marks
        if self.around.lang:
            marks = marks._replace(lang=self.around.lang)
        if not self._is_rtl and not (self.has_right_to_left and _RTL_CHARACTER.search(content)):
            self._write_run(content, marks)
            return
        for piece, is_rtl in split_directions(content, is_rtl=self._is_rtl):
            self._write_run(piece, marks._replace(rtl=is_rtl))

    def _write_run(self, content: str, marks: RunMarks) -> None:
        run, last = self.styles.current.run, self._open_run
        self._spend(len(content))
        if last and last.properties == run and last.marks == marks:
            last.contents.append(content)
        else:
            self._open_run = _OpenRun(self.start_run(run, marks), run, marks, [content])

    def write_break(self) -> None:
        add(self.start_run(), "w:br")

    def add_bookmark(self, name: str) -> None:
        """Add the target of a link."""
        start = self.start_bookmark(name)
        self.end_bookmark(start)

    def start_bookmark(self, name: str) -> int:
        self.bookmark_count += 1
        self.add_inline("w:bookmarkStart", id=self.bookmark_count, name=name)
        return self.bookmark_count

    def end_bookmark(self, number: int) -> None:
        self.add_inline("w:bookmarkEnd", id=number)

    def is_repeated(self, footnote: int) -> bool:
        """Tell whether there is more than one reference to a footnote."""
        return footnote in self._repeated

    def spend_markup(self, element: Element) -> None:
        """Count the markup of a formula."""
        self._spend(_RUN_BYTES * sum(1 for _ in element.iter()))

    # Notices

    def report_remote_image(self, token: nodes.Image) -> None:
        """Add a notice of the first image that is elsewhere."""
        if not self._has_remote_image:
            self._has_remote_image = True
            message = f"images of other sites, such as {shorten(token.src)!r}, are links: a conversion fetches nothing"
            position = self.context.positions.of_span(token.span, None)
            self.notices.append(Notice("image-not-embedded", message, *position))

    # Stories: the content of cells and footnotes

    @property
    def available_width(self) -> float:
        return max(self.column_width, _MIN_WIDTH)

    @contextmanager
    def story(self, body: Element, width: float, text_style: str) -> Iterator[None]:
        """Write the content of a cell or footnote: Word requires a paragraph at its end."""
        self._close_last()
        place = self.body, self.around, self.column_width, self.text_style
        outer = self.in_tight_list, self.list_level, self.cell, self._space_above
        self.body, self.column_width, self.text_style = body, width, text_style
        self.around = NOWHERE._replace(lang=self.around.lang)
        self.in_tight_list, self.list_level = False, 0
        self.cell = self.styles.current
        self._space_above, self._is_after_table = 0.0, False
        yield
        if self._last is None:
            self.write_spacer(0)
        self._close_last()
        self.body, self.around, self.column_width, self.text_style = place
        self.in_tight_list, self.list_level, self.cell, self._space_above = outer

    def start_table(self, space: float) -> Element:
        """Begin a table, with `space` above."""
        space = max(space, self._space_above)
        if self._is_after_table:
            # Word merges tables without a paragraph between them.
            self.write_spacer(space)
        elif self._last:
            self.space_below(space)
        self._space_above = 0.0
        self._spend(_PARAGRAPH_BYTES)
        self.table_level += 1
        return self._start_block("w:tbl")

    def end_table(self, space: float) -> None:
        self.table_level -= 1
        self._is_after_table = True
        self._space_above = space

    def finish(self) -> None:
        if self._is_after_table:
            self.write_spacer(0)
        self._close_last()

    def _spend(self, count: int) -> None:
        self._bytes += count
        allowed = self.context.max_output_bytes
        if allowed is not None and self._bytes > allowed:
            raise LimitExceeded("max_output_bytes", allowed, self._bytes)


def surroundings_with(around: Surroundings, token: nodes.HtmlElement) -> Surroundings:
    """Return surroundings with what the author declared."""
    attributes = token.attributes
    align = "center" if token.tag == "center" else attributes.get("align")
    if align in ALIGNMENTS:
        around = around._replace(align=align)
    if attributes.get("dir") in DIRECTIONS:
        around = around._replace(direction=attributes["dir"])
    if attributes.get("lang"):
        around = around._replace(lang=attributes["lang"])
    return around


def write_cell_margins(properties: Element, style: ElementStyle, *, is_rtl: bool) -> None:
    """Write the padding of a cell."""
    margins = add(properties, "w:tcMar")
    for side, source in sides(is_rtl=is_rtl):
        add(margins, f"w:{side}", w=twips(style.word.length(f"padding-{source}")), type="dxa")


def split_directions(content: str, *, is_rtl: bool) -> Iterator[tuple[str, bool]]:
    """Split into runs of one direction: neutral characters between letters of one direction have it, others the paragraph's."""
    start, current, end = 0, is_rtl, 0
    for match in _STRONG_CHARACTER.finditer(content):
        direction = match[1] is not None
        if direction != current:
            border = match.start() if current == is_rtl else end
            if border > start:
                yield content[start:border], current
            start, current = border, direction
        end = match.end()
    border = len(content) if current == is_rtl else end
    if border > start:
        yield content[start:border], current
    if border < len(content):
        yield content[border:], is_rtl
