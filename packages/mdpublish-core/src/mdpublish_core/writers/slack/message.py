"""A document as one message in mrkdwn, also for Block Kit text objects.

Only http, https and mailto URLs are linked. Quotes and fences only work at the start of a line, so they aren't indented
in lists; without an empty line before them, they belong to the item. Slack has no quotes in quotes: a `>` as text tells
them. A fence interrupts its quote, whose `>` would become code.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from mdpublish_core import nodes
from mdpublish_core.figures.results import NO_FIGURES, RenderedFigures
from mdpublish_core.notices import Notice
from mdpublish_core.table_model import build_grid
from mdpublish_core.writers.context import RenderContext
from mdpublish_core.writers.plain_text.text_width import is_too_wide
from mdpublish_core.writers.renderer import contents_of
from mdpublish_core.writers.slack.inlines import BOXES, ELEMENT_MARKS, RULE, SlackInlines, join_line_breaks
from mdpublish_core.writers.slack.mrkdwn import BOLD, Lines, Marks, Span, fence, is_fence, join_lines, split_lines
from mdpublish_core.writers.structure.block_runs import group_runs, image_caption, is_block
from mdpublish_core.writers.structure.list_numbering import item_mark, number_items, second_lists
from mdpublish_core.writers.words import callout_heading

TEXT_OBJECT_CHARACTERS = 3_000
"""https://docs.slack.dev/reference/block-kit/composition-objects/text-object"""

MESSAGE_CHARACTERS = 4_000
"""Slack's recommendation for messages: https://docs.slack.dev/reference/methods/chat.postMessage"""

MAX_CHARACTERS = 40_000
"""Slack truncates longer messages: https://docs.slack.dev/reference/methods/chat.postMessage"""

_BULLETS = ("•", "◦", "▪")
_SECOND_BULLET = "‣"
_INDENT = " " * 4


class BlockContext(NamedTuple):
    """Line prefix and list depth."""

    prefix: str = ""
    list_depth: int = 0
    quote: str = ""

    @property
    def in_item(self) -> "BlockContext":
        return self._replace(prefix=self.prefix + _INDENT, list_depth=self.list_depth + 1)

    @property
    def in_quote(self) -> "BlockContext":
        quote = f"{self.quote}&gt; " if self.quote else "> "
        return BlockContext(prefix=quote, quote=quote)

    def prefix_lines(self, lines: Iterable[str]) -> Lines:
        return [f"{self.prefix}{line}" if line else self.empty_line for line in lines]

    @property
    def empty_line(self) -> str:
        return self.prefix.rstrip(" ")

    @property
    def bullet(self) -> str:
        return _BULLETS[min(self.list_depth, len(_BULLETS) - 1)]


class SlackRenderer(SlackInlines):
    """Renders blocks to lines."""

    def __init__(self, figures: RenderedFigures = NO_FIGURES, notices: list[Notice] | None = None) -> None:
        super().__init__(figures, notices)
        self.block_context = BlockContext()
        self.is_second_list = False

    @classmethod
    def render(cls, document: nodes.Document, context: RenderContext) -> str:
        """Add a notice if the document exceeds a limit of Slack."""
        renderer = cls(context.figures, context.notices)
        message = renderer.render_document(document)
        if problem := _length_problem(len(message)):
            renderer.notice("message-too-long", problem)
        return message

    def render_document(self, document: nodes.Document) -> str:
        """Return the document as mrkdwn, which ends in one newline."""
        return self.plain_text_renderer.with_distinct_footnotes(document, self._document_message, self.notices)

    def _document_message(self, document: nodes.Document) -> str:
        self.block_context = BlockContext()
        lines = self.render_blocks(document.children)
        return join_lines([*lines, "", *self.render_footnotes(document.footnote_definitions)])

    def render_blocks(
        self,
        parent: nodes.Token | Sequence[nodes.Token],
        *,
        block_context: BlockContext | None = None,
        loose: bool = True,
    ) -> Lines:
        methods = self.block_methods
        outer, self.block_context = self.block_context, block_context or self.block_context
        lines: Lines = []
        for token, self.is_second_list in second_lists(contents_of(parent)):
            self.append_lines(lines, methods[type(token)](self, token), loose=loose)
        self.block_context = outer
        return lines

    def append_lines(self, lines: Lines, added: Lines, *, loose: bool) -> None:
        """Append a block. A quote isn't continued next to a fence; what can't be indented follows its item's text."""
        prefix = self.block_context.prefix
        is_of_item = prefix.endswith(_INDENT) and lines and lines[-1].startswith(prefix) and added
        if lines and added and loose and not (is_of_item and not added[0].startswith(prefix)):
            lines.append("" if is_fence(lines[-1]) or is_fence(added[0]) else self.block_context.empty_line)
        lines.extend(added)

    def render_heading(self, token: nodes.Heading | nodes.SetextHeading) -> Lines:
        return self.block_context.prefix_lines(
            split_lines(join_line_breaks(self.render_inlines(token.children, (BOLD,))))
        )

    def render_paragraph(self, token: nodes.Paragraph) -> Lines:
        caption = Span(f"\n{image_caption(token.children) or ''}")
        return self.block_context.prefix_lines(split_lines([*self.render_inlines(token.children), caption]))

    def render_quote(self, token: nodes.Quote) -> Lines:
        return self.render_blocks(token.children, block_context=self.block_context.in_quote)

    def render_callout(self, token: nodes.Callout) -> Lines:
        spans = join_line_breaks(self.render_inlines(callout_heading(token, self.plain_text_renderer.words), (BOLD,)))
        title = self.block_context.in_quote.prefix_lines(split_lines(spans))
        return [*title, *self.render_blocks(token.children, block_context=self.block_context.in_quote)]

    def render_list(self, token: nodes.List) -> Lines:
        lines: Lines = []
        is_second, bullets = self.is_second_list, (self.block_context.bullet, _SECOND_BULLET)
        for number, item in enumerate(token.children):
            marker = item_mark(token, number, is_second=is_second, bullets=bullets)
            if isinstance(item, nodes.TaskItem):
                box = BOXES[item.checked]
                marker = box if token.start is None else f"{marker} {box}"
            self.append_lines(lines, self.render_item(marker, item.children, loose=token.loose), loose=token.loose)
        return lines

    def render_item(self, marker: str, children: Sequence[nodes.Token], *, loose: bool) -> Lines:
        item_context = self.block_context.in_item
        lines = self.render_mixed(children, block_context=item_context, loose=loose)
        if lines and children and _begins_with_inlines(children[0]) and lines[0].startswith(item_context.prefix):
            return [f"{self.block_context.prefix}{marker} {lines[0].removeprefix(item_context.prefix)}", *lines[1:]]
        return [f"{self.block_context.prefix}{marker}", *lines]

    def render_code_block(self, token: nodes.CodeFence | nodes.BlockCode) -> Lines:
        return fence(token.content)

    def render_math_block(self, token: nodes.MathBlock) -> Lines:
        content = self.plain_text_renderer.math_text(token)
        return self._with_title(token, content) if content else []

    def render_figure(self, token: nodes.Figure) -> Lines:
        return self._with_title(token, self.plain_text_renderer.figure_text(token))

    def _with_title(self, token: nodes.Figure | nodes.MathBlock, content: str) -> Lines:
        lines = self.block_context.prefix_lines(split_lines(join_line_breaks([Span(token.options.get("title", ""))])))
        self.append_lines(lines, self.render_code_block(nodes.BlockCode(content)), loose=True)
        return lines

    def render_table(self, token: nodes.Table | nodes.HtmlElement) -> Lines:
        lines = [line.rstrip() for line in self.plain_text_renderer.render_table(token)]
        if not is_too_wide(lines):
            return fence("\n".join(lines))
        # Late: most messages have no such table.
        from mdpublish_core.writers.table_fit.stacking import stacked_blocks, stacked_notice

        grid = build_grid(token)
        self.notices.append(stacked_notice(grid.columns, nodes.line_of(token)))
        return self.render_blocks(stacked_blocks(grid))

    def render_thematic_break(self, token: nodes.ThematicBreak) -> Lines:
        return self.block_context.prefix_lines([RULE])

    def render_html_block(self, token: nodes.HtmlBlock) -> Lines:
        return self.block_context.prefix_lines(split_lines([Span(token.content)]))

    def render_html_element(self, token: nodes.HtmlElement) -> Lines:
        if token.tag in {"ol", "ul"}:
            return self.render_html_list(token)
        if token.tag == "table":
            return self.render_table(token)
        mark = ELEMENT_MARKS.get(token.tag)
        block_context = (
            self.block_context._replace(prefix=self.block_context.prefix + _INDENT) if token.tag == "dd" else None
        )
        return self.render_mixed(
            token.children, block_context=block_context, marks=(mark,) if mark else (), loose=token.tag != "dl"
        )

    def render_mixed(
        self,
        children: Sequence[nodes.Token],
        *,
        block_context: BlockContext | None = None,
        marks: Marks = (),
        loose: bool,
    ) -> Lines:
        outer, self.block_context = self.block_context, block_context or self.block_context
        lines: Lines = []
        for run in group_runs(children):
            if is_block(run[0]):
                added = self.render_blocks(run, loose=loose)
            else:
                added = self.block_context.prefix_lines(split_lines(self.render_inlines(run, marks)))
            self.append_lines(lines, added, loose=loose)
        self.block_context = outer
        return lines

    def render_html_list(self, token: nodes.HtmlElement) -> Lines:
        lines: Lines = []
        for number, item in number_items(token):
            marker = self.block_context.bullet if token.tag == "ul" else number
            self.append_lines(lines, self.render_item(marker, item.children, loose=False), loose=False)
        return lines

    def render_footnotes(self, definitions: Sequence[nodes.FootnoteDefinition]) -> Lines:
        lines: Lines = []
        loose = any(len(footnote.children) > 1 for footnote in definitions)
        self.block_context = BlockContext(list_depth=-1)
        for footnote in definitions:
            mark = self.plain_text_renderer.footnote_mark.format(footnote.number)
            self.append_lines(lines, self.render_item(mark, footnote.children, loose=True), loose=loose)
        return lines


def _length_problem(characters: int) -> str | None:
    if characters > MAX_CHARACTERS:
        return f"{characters:,} characters: Slack truncates messages after {MAX_CHARACTERS:,}; send it in parts"
    if characters > MESSAGE_CHARACTERS:
        return (
            f"{characters:,} characters: Slack recommends at most {MESSAGE_CHARACTERS:,} per message; send it in parts"
        )
    if characters > TEXT_OBJECT_CHARACTERS:
        return f"{characters:,} characters: a text object holds at most {TEXT_OBJECT_CHARACTERS:,}; send it as message text"
    return None


def _begins_with_inlines(token: nodes.Token) -> bool:
    if isinstance(token, nodes.HtmlElement) and is_block(token):
        return token.tag in {"div", "p", "summary"} and bool(token.children) and _begins_with_inlines(token.children[0])
    return isinstance(token, nodes.Paragraph | nodes.Heading | nodes.SetextHeading) or not is_block(token)
