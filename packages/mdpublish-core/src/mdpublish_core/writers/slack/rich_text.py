"""Blocks of Slack's rich text, which its composer and Block Kit share.

Lists are flat, each item with its depth, and hold no other blocks: what follows an item's text leaves the list. A quote
holds text and lists, but no quotes, whose lines begin with `>`; `quote` is its number in the document.
"""

from collections.abc import Sequence
from itertools import filterfalse, takewhile
from typing import NamedTuple

from mdpublish_core import nodes
from mdpublish_core.figures.results import NO_FIGURES, RenderedFigures
from mdpublish_core.strings.list_numbers import LIST_STYLE_TYPES, format_number
from mdpublish_core.table_model import Alignment, Cell, build_grid
from mdpublish_core.writers.plain_text import is_sparse, place_cells
from mdpublish_core.writers.plain_text.text_width import is_too_wide
from mdpublish_core.writers.slack.inlines import BOXES, ELEMENT_MARKS, SlackInlines, join_line_breaks, trailing_url
from mdpublish_core.writers.slack.mrkdwn import BOLD, Marks, Span, to_link_url
from mdpublish_core.writers.structure.block_runs import group_runs, image_caption, is_block
from mdpublish_core.writers.structure.list_numbering import ordinal_values
from mdpublish_core.writers.table_fit.stacking import stacked_blocks
from mdpublish_core.writers.words import callout_heading

MAX_INDENT = 8

_NUMBER_TYPES = ("decimal", "lower-alpha", "lower-roman")
"""How Slack counts in a list, in one within it, and so on."""

Spans = tuple[Span, ...]


class Paragraph(NamedTuple):
    """Text; newlines are line breaks."""

    spans: Spans
    quote: int | None = None


class Heading(NamedTuple):
    """A heading outside of quotes and lists, in bold."""

    spans: Spans
    level: int


class Item(NamedTuple):
    """An item of a list, `number` if the list is numbered; `depth` counts from 0."""

    spans: Spans
    depth: int
    number: int | None
    quote: int | None = None


class Preformatted(NamedTuple):
    """Code, a figure or a formula as text."""

    content: str


class Table(NamedTuple):
    """Rows of cells, all of equal length, the first `head` with bold text; `drawn` is the table as aligned text, `stacked` as pairs if that is too wide."""

    rows: tuple[tuple[Spans, ...], ...]
    alignments: tuple[Alignment | None, ...]
    head: int
    drawn: str
    stacked: "tuple[Block, ...]" = ()


class Divider(NamedTuple):
    """A thematic break."""


Block = Paragraph | Heading | Item | Preformatted | Table | Divider

Blocks = list[Block]


class RichTextRenderer(SlackInlines):
    """Renders blocks to those of rich text."""

    def __init__(self, figures: RenderedFigures = NO_FIGURES) -> None:
        super().__init__(figures)
        self.quotes = 0
        self.quote: int | None = None
        self.depth = 0

    def render_document(self, document: nodes.Document) -> Blocks:
        self.plain_text_renderer.document = document
        footnotes: Blocks = []
        blocks = self.render_blocks(document.children)
        for definition in document.footnote_definitions:
            footnotes += with_prefix(self.render_mixed(definition.children), f"[{definition.number}] ")
        return [*blocks, *([Divider()] if footnotes and blocks else []), *footnotes]

    def render_blocks(self, tokens: Sequence[nodes.Token]) -> Blocks:
        methods = self.block_methods
        return [block for token in tokens for block in methods[type(token)](self, token)]

    def paragraph(self, spans: Sequence[Span]) -> Blocks:
        stripped = strip_spans(spans)
        return [Paragraph(stripped, self.quote)] if stripped else []

    def render_heading(self, token: nodes.Heading | nodes.SetextHeading) -> Blocks:
        spans = strip_spans(join_line_breaks(self.render_inlines(token.children, (BOLD,))))
        if self.quote is not None or self.depth:
            return self.paragraph(spans)
        return [Heading(spans, token.level)] if spans else []

    def render_paragraph(self, token: nodes.Paragraph) -> Blocks:
        caption = Span(image_caption(token.children) or "")
        return [*self.paragraph(self.render_inlines(token.children)), *self.paragraph(join_line_breaks([caption]))]

    def render_quote(self, token: nodes.Quote) -> Blocks:
        return self.in_quote(token.children)

    def in_quote(self, children: Sequence[nodes.Token], title: Sequence[Span] = ()) -> Blocks:
        outer = self.quote, self.depth
        if self.quote is None:
            self.quotes += 1
            self.quote = self.quotes
        self.depth = 0
        blocks = [*self.paragraph(title), *self.render_mixed(children)]
        is_nested = outer[0] is not None
        self.quote, self.depth = outer
        return list(map(_with_quote_sign, blocks)) if is_nested else blocks

    def render_callout(self, token: nodes.Callout) -> Blocks:
        heading = callout_heading(token, self.plain_text_renderer.words)
        return self.in_quote(token.children, join_line_breaks(self.render_inlines(heading, (BOLD,))))

    def render_list(self, token: nodes.List) -> Blocks:
        blocks: Blocks = []
        for index, item in enumerate(token.children):
            box = f"{BOXES[item.checked]} " if isinstance(item, nodes.TaskItem) else ""
            number = None if token.start is None or token.numbering else token.start + index
            label = f"{token.label(index)} " if token.numbering else ""
            blocks += self.render_item(item.children, number, f"{label}{box}")
        return blocks

    def render_item(
        self, children: Sequence[nodes.Token], number: int | None, prefix: str = "", number_type: str | None = None
    ) -> Blocks:
        """Render an item; `number_type` is that of its author. A number that Slack would write otherwise is text."""
        self.depth += 1
        content = self.render_mixed(children)
        self.depth -= 1
        slack_type = _NUMBER_TYPES[min(self.depth, MAX_INDENT) % len(_NUMBER_TYPES)]
        if number is not None and (number < 1 or (number_type or slack_type) != slack_type):
            prefix = f"{format_number(number, number_type or 'decimal')}. {prefix}"
            number = None
        spans: list[Span] = [Span(prefix)] if prefix else []
        # Paragraphs are lines of the item, up to the first other block or quote.
        lines = list(takewhile(lambda block: isinstance(block, Paragraph) and block.quote == self.quote, content))
        for index, line in enumerate(lines):
            spans += [*([Span("\n")] if index else []), *(line.spans if isinstance(line, Paragraph) else ())]
        return [Item(tuple(spans), min(self.depth, MAX_INDENT), number, self.quote), *content[len(lines) :]]

    def render_code_block(self, token: nodes.CodeFence | nodes.BlockCode) -> Blocks:
        content = token.content.removesuffix("\n")
        return [Preformatted(content)] if content.strip() else []

    def render_math_block(self, token: nodes.MathBlock) -> Blocks:
        content = self.plain_text_renderer.math_text(token)
        return self._with_title(token, content) if content else []

    def render_figure(self, token: nodes.Figure) -> Blocks:
        return self._with_title(token, self.plain_text_renderer.figure_text(token))

    def _with_title(self, token: nodes.Figure | nodes.MathBlock, content: str) -> Blocks:
        title = self.paragraph(join_line_breaks([Span(token.options.get("title", ""))]))
        return [*title, *self.render_code_block(nodes.BlockCode(content))]

    def render_table(self, token: nodes.Table | nodes.HtmlElement) -> Blocks:
        if captions := list(filter(_is_caption, token.children)):
            table = nodes.HtmlElement("table", {}, list(filterfalse(_is_caption, token.children)))
            return [*self.render_mixed(captions), *self.render_table(table)]
        grid = build_grid(token)
        lines = [line.rstrip() for line in self.plain_text_renderer.render_table(token)]
        drawn = "\n".join(lines)
        if not drawn.strip():
            return []
        if is_sparse(grid):
            return [Preformatted(drawn)]
        no_spans: Spans = ()
        rows, alignments = place_cells(grid, self._cell_spans, no_spans)
        stacked = self.render_mixed(stacked_blocks(grid)) if is_too_wide(lines) else ()
        return [Table(tuple(map(tuple, rows)), tuple(alignments), len(grid.head), drawn, tuple(stacked))]

    def _cell_spans(self, cell: Cell) -> Spans:
        children = nodes.children_of(cell.token)
        if any(is_block(child) for child in children):
            return (Span(self.plain_text_renderer.cell_text(cell)),)
        return strip_spans(join_line_breaks(self.render_inlines(children)))

    def render_thematic_break(self, token: nodes.ThematicBreak) -> Blocks:
        return [Divider()]

    def render_html_block(self, token: nodes.HtmlBlock) -> Blocks:
        return self.paragraph([Span(token.content)])

    def render_html_element(self, token: nodes.HtmlElement) -> Blocks:
        if token.tag in {"ol", "ul"}:
            number_type = LIST_STYLE_TYPES.get(token.attributes.get("type", ""))
            return [
                block
                for number, item in ordinal_values(token)
                for block in self.render_item(item.children, number, number_type=number_type)
            ]
        if token.tag == "table":
            return self.render_table(token)
        if token.tag == "blockquote":
            return self.in_quote(token.children)
        mark = ELEMENT_MARKS.get(token.tag)
        return self.render_mixed(token.children, (mark,) if mark else ())

    def render_mixed(self, children: Sequence[nodes.Token], marks: Marks = ()) -> Blocks:
        blocks: Blocks = []
        for run in group_runs(children):
            blocks += (
                self.render_blocks(run) if is_block(run[0]) else self.paragraph(self.render_inlines(run, marks or None))
            )
        return blocks

    def render_link(self, token: nodes.Link) -> list[Span]:
        """Keep the marks of the label; the URL follows if Slack can't link it."""
        spans = self.render_inlines(token.children)
        if (url := to_link_url(token.target)) is None:
            return spans + trailing_url("".join(span.content for span in spans), token.target, self.marks)
        if not any(span.content.strip() or span.link_url for span in spans):
            spans = [Span("", self.marks)]
        return [span._replace(link_url=url) for span in spans]


def _is_caption(token: nodes.Token) -> bool:
    return isinstance(token, nodes.HtmlElement) and token.tag == "caption"


def quote_of(block: Block) -> int | None:
    return block.quote if isinstance(block, Paragraph | Item) else None


def _with_quote_sign(block: Block) -> Block:
    """Begin each line of a quote in a quote with `>`."""
    if not isinstance(block, Paragraph | Item):
        return block
    spans = (span._replace(content=span.content.replace("\n", "\n> ")) for span in block.spans)
    return block._replace(spans=(Span("> "), *spans))


def strip_spans(spans: Sequence[Span]) -> Spans:
    """Remove whitespace around a paragraph, and empty spans."""
    shown = [span for span in spans if span.content or span.link_url]
    while shown and shown[0].is_plain and not shown[0].content.lstrip():
        del shown[0]
    while shown and shown[-1].is_plain and not shown[-1].content.rstrip():
        del shown[-1]
    if shown and shown[0].is_plain:
        shown[0] = shown[0]._replace(content=shown[0].content.lstrip())
    if shown and shown[-1].is_plain:
        shown[-1] = shown[-1]._replace(content=shown[-1].content.rstrip())
    return tuple(shown)


def with_prefix(blocks: Blocks, prefix: str) -> Blocks:
    """Put text before the first paragraph, or into one of its own."""
    match blocks:
        case [Paragraph(spans, quote), *others]:
            return [Paragraph((Span(prefix), *spans), quote), *others]
        case _:
            return [Paragraph((Span(prefix.rstrip()),)), *blocks]
