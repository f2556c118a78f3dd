"""The walk over blocks, as paragraphs and tables of Word's."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from mdpublish_core import nodes
from mdpublish_core.css.matcher import Styles
from mdpublish_core.resources.open_xml import Element
from mdpublish_core.writers.context import RenderContext
from mdpublish_core.writers.docx.element_styles import NOWHERE, ElementStyle, Surroundings, sides, twips
from mdpublish_core.writers.docx.flow import Flow
from mdpublish_core.writers.docx.package import Package
from mdpublish_core.writers.docx.runs import Runs
from mdpublish_core.writers.docx.xml import add
from mdpublish_core.writers.structure.bidi import detect_direction, document_direction
from mdpublish_core.writers.styled.walk import StyledWriter
from mdpublish_core.writers.table_fit import run_face
from mdpublish_core.writers.word_model.attributes import PARAGRAPH_TAGS
from mdpublish_core.writers.word_model.computed_styles import HEADING_TAGS
from mdpublish_core.writers.word_model.footnote_numbering import FootnoteNumbering

MAX_TABLE_LEVELS = 8
"""Word opens deeper ones slowly or not at all; their content is written without a table."""

_NAMES: Mapping[str, str] = {
    **{heading: f"Heading{heading[1]}" for heading in HEADING_TAGS},
    "caption": "Caption",
    "dt": "DefinitionTerm",
    "figcaption": "Caption",
    "p.rule": "HorizontalRule",
    "summary": "Summary",
}
"""Named styles of elements."""

# What stays on the page of the next paragraph.
_HEADS = frozenset({"caption", "dt", "summary"})


# Lines break behind a hyphen.
_WORD = re.compile(r"[^\s-]+-?")


class DocxLayout(StyledWriter[ElementStyle]):
    """Renderer whose next block stands in `around`; `flow` takes it, and `runs` its text.

    Only `placed` changes `around`, and only `story` the flow.
    """

    def __init__(
        self,
        document: nodes.Document,
        context: RenderContext,
        styles: Styles[ElementStyle],
        package: Package,
        *,
        text_width: float,
        landscape_width: float = 0.0,
    ) -> None:
        super().__init__(document, context, styles)
        self.package = package
        self.text_width = text_width
        # 0 for none.
        self.landscape_width = landscape_width
        self.flow = Flow(package, package.body, package.relationships)
        self.runs = Runs(package, styles, has_right_to_left=self.has_right_to_left)
        base_direction = document_direction(document) if self.has_right_to_left else "ltr"
        self.around = NOWHERE._replace(column_width=text_width, base_direction=base_direction)
        self.footnotes = FootnoteNumbering(document)
        # Of the last figure and table.
        self.caption_numbers = Counter[str]()
        # Set by `images` and `blocks`.
        self.has_remote_image = False

    @property
    def is_at_margin(self) -> bool:
        """Whether the next block is in no other one."""
        around = self.around
        return around.box is None and not (around.story_level or around.list_level or around.indent)

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

    def start_text(self, element: str, tokens: Sequence[nodes.Token]) -> ElementStyle:
        style = self.styles.enter(element, last=self.is_last)
        name = _NAMES.get(element)
        if element == "p.attribution" and self.around.text_style == "Quote":
            name = "QuoteAttribution"
        if name and element in HEADING_TAGS:
            self.fit_heading(style, name, " ".join(map(nodes.text_content, tokens)))
        self.start_paragraph(style, tokens, name)
        return style

    def fit_heading(self, style: ElementStyle, name: str, content: str) -> None:
        """Make the headings of a named style so small that the longest word of one at the margin is in one line."""
        width = self.text_width - style.word.left - style.word.right
        widest = max(map(run_face(style.word.computed, "word").width, _WORD.findall(content)), default=0.0)
        if self.is_at_margin and widest > width:
            self.package.sheet.fit_heading(name, widest / max(width, 1.0))

    def end_text(self, style: ElementStyle) -> None:
        self.runs.end_paragraph()
        if style.word.tag in _HEADS:
            self.flow.change_last(keeps_next=True)
        self.styles.leave()

    @contextmanager
    def paragraph(
        self, style: ElementStyle, tokens: Sequence[nodes.Token] = (), name: str | None = None, **numbering: Any
    ) -> Iterator[None]:
        self.start_paragraph(style, tokens, name, **numbering)
        yield
        self.runs.end_paragraph()

    def start_paragraph(
        self, style: ElementStyle, tokens: Sequence[nodes.Token] = (), name: str | None = None, **numbering: Any
    ) -> None:
        """Begin a paragraph in the direction of `tokens`, with the named style `name`; see `Flow.start_paragraph`."""
        around = self.around._replace(direction=self.direction_of(tokens))
        named = self.package.sheet.paragraph(name or around.text_style)
        element = self.flow.start_paragraph(style, around, named, **numbering)
        self.runs.start_paragraph(element, named, is_rtl=around.direction == "rtl")

    def direction_of(self, tokens: Sequence[nodes.Token]) -> str:
        """Return the direction that the author or a block around declares, or else that of the text."""
        if self.around.direction or not self.has_right_to_left:
            return self.around.direction or "ltr"
        return detect_direction(tokens) or self.around.base_direction

    def write_text(self, content: str) -> None:
        self.runs.write(content, self.around.lang)

    def write_break(self, name: str = "w:br") -> None:
        add(self.runs.add_run(), name)

    @contextmanager
    def placed(self, around: Surroundings) -> Iterator[None]:
        """Write with other surroundings, then with these again."""
        outer, self.around = self.around, around
        yield
        self.around = outer

    @contextmanager
    def story(self, flow: Flow, around: Surroundings) -> Iterator[None]:
        """Write the content of a cell or footnote."""
        outer = self.flow, self.in_tight_list
        self.flow, self.in_tight_list = flow, False
        with self.placed(around):
            yield
        flow.finish()
        self.flow, self.in_tight_list = outer

    def cell(self, element: Element) -> Flow:
        """Return the flow of a cell."""
        return Flow(self.package, element, self.flow.relationships)

    @contextmanager
    def group(self, element: str) -> Iterator[None]:
        style = self.styles.enter(element, last=self.is_last)
        self.flow.space_above(style.word.top)
        yield
        self.styles.leave()
        self.flow.space_below(style.word.bottom)


def write_cell_margins(properties: Element, style: ElementStyle, *, is_rtl: bool) -> None:
    """Write the padding of a cell."""
    margins = add(properties, "w:tcMar")
    for side, source in sides(is_rtl=is_rtl):
        add(margins, f"w:{side}", w=twips(style.word.length(f"padding-{source}")), type="dxa")
