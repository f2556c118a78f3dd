"""Destination `slack`: mrkdwn for messages and Block Kit text objects.

Only http, https and mailto URLs are linked. Quotes and fences only work at the start of a line, so they aren't indented
in lists, and nested quotes are flattened. A fence interrupts its quote, whose `>` would become code.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from mdpublish_core import nodes
from mdpublish_core.destinations.block_runs import group_runs, is_block
from mdpublish_core.destinations.context import RenderContext
from mdpublish_core.destinations.list_numbering import number_items
from mdpublish_core.destinations.mrkdwn import (
    BOLD,
    ITALIC,
    STRIKE,
    Lines,
    Mark,
    Marks,
    Span,
    add_mark,
    fence,
    is_fence,
    join_lines,
    split_lines,
    to_link_url,
)
from mdpublish_core.destinations.plain_text import PlainTextRenderer
from mdpublish_core.destinations.renderer import Renderer
from mdpublish_core.destinations.superscript import to_subscript, to_superscript
from mdpublish_core.figures.render import NO_FIGURES, RenderedFigures
from mdpublish_core.notices import Notice
from mdpublish_core.resources.urls import is_data_url

TEXT_OBJECT_CHARACTERS = 3_000
"""https://docs.slack.dev/reference/block-kit/composition-objects/text-object"""

MESSAGE_CHARACTERS = 4_000
"""Slack's recommendation for messages: https://docs.slack.dev/reference/methods/chat.postMessage"""

MAX_CHARACTERS = 40_000
"""Slack truncates longer messages: https://docs.slack.dev/reference/methods/chat.postMessage"""

_BULLETS = ("•", "◦", "▪")
_BOXES = {False: "☐", True: "☑"}
_INDENT = " " * 4

# Doesn't wrap on phones.
_RULE = "─" * 12

_CODE_ELEMENTS = frozenset({"code", "kbd", "samp", "tt"})
_ELEMENT_MARKS: Mapping[str, Mark] = {
    "dt": BOLD,
    "mark": BOLD,
    "summary": BOLD,
    "th": BOLD,
    "cite": ITALIC,
    "dfn": ITALIC,
    "var": ITALIC,
}


@dataclass(frozen=True, slots=True)
class BlockContext:
    """Line prefix and list depth."""

    prefix: str = ""
    list_depth: int = 0

    @property
    def in_item(self) -> "BlockContext":
        return replace(self, prefix=self.prefix + _INDENT, list_depth=self.list_depth + 1)

    @property
    def in_quote(self) -> "BlockContext":
        """The context of a quote; nested quotes are flattened."""
        return BlockContext(prefix="> ")

    def prefix_lines(self, lines: Iterable[str]) -> Lines:
        return [f"{self.prefix}{line}" if line else self.empty_line for line in lines]

    @property
    def empty_line(self) -> str:
        return self.prefix.rstrip(" ")


class SlackRenderer(Renderer):
    """Renders blocks to lines, inlines to spans."""

    def __init__(self, figures: RenderedFigures = NO_FIGURES, notices: list[Notice] | None = None) -> None:
        super().__init__(notices)
        self.plain_text_renderer = PlainTextRenderer(figures)
        self.block_context = BlockContext()
        self.marks: Marks = ()

    @classmethod
    def render(cls, document: nodes.Document, context: RenderContext) -> str:
        """Add a notice if the document exceeds a limit of Slack."""
        renderer = cls(context.figures, context.notices)
        message = renderer.render_document(document)
        if problem := _length_problem(len(message)):
            renderer.notice("slack-too-long", problem)
        return message

    def render_document(self, document: nodes.Document) -> str:
        """Return the document as mrkdwn, which ends in one newline."""
        lines = self.render_blocks(document.children)
        return join_lines([*lines, "", *self.render_footnotes(document.footnote_definitions)])

    def render_blocks(
        self, tokens: Sequence[nodes.Token], *, block_context: BlockContext | None = None, loose: bool = True
    ) -> Lines:
        methods = self.block_methods
        outer, self.block_context = self.block_context, block_context or self.block_context
        lines: Lines = []
        for token in tokens:
            self.append_lines(lines, methods[type(token)](self, token), loose=loose)
        self.block_context = outer
        return lines

    def append_lines(self, lines: Lines, added: Lines, *, loose: bool) -> None:
        """Append a block. A quote isn't continued next to a fence."""
        if lines and added and loose:
            lines.append("" if is_fence(lines[-1]) or is_fence(added[0]) else self.block_context.empty_line)
        lines.extend(added)

    def render_inlines(self, tokens: Iterable[nodes.Token], marks: Marks | None = None) -> list[Span]:
        methods = self.inline_methods
        outer, self.marks = self.marks, self.marks if marks is None else marks
        spans: list[Span] = []
        for token in tokens:
            spans.extend(methods[type(token)](self, token))
        self.marks = outer
        return spans

    def render_heading(self, token: nodes.Heading | nodes.SetextHeading) -> Lines:
        return self.block_context.prefix_lines(
            split_lines(join_line_breaks(self.render_inlines(token.children, (BOLD,))))
        )

    def render_paragraph(self, token: nodes.Paragraph) -> Lines:
        return self.block_context.prefix_lines(split_lines(self.render_inlines(token.children)))

    def render_quote(self, token: nodes.Quote) -> Lines:
        return self.render_blocks(token.children, block_context=self.block_context.in_quote)

    def render_callout(self, token: nodes.Callout) -> Lines:
        title = self.block_context.in_quote.prefix_lines(split_lines([Span(token.kind.capitalize(), (BOLD,))]))
        return [*title, *self.render_blocks(token.children, block_context=self.block_context.in_quote)]

    def render_list(self, token: nodes.List) -> Lines:
        lines: Lines = []
        for number, item in enumerate(token.children):
            marker = (
                _BULLETS[min(self.block_context.list_depth, len(_BULLETS) - 1)]
                if token.start is None
                else f"{token.start + number}."
            )
            if isinstance(item, nodes.TaskItem):
                box = _BOXES[item.checked]
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
        return fence("\n".join(line.rstrip() for line in self.plain_text_renderer.render_table(token)))

    def render_thematic_break(self, token: nodes.ThematicBreak) -> Lines:
        return self.block_context.prefix_lines([_RULE])

    def render_html_block(self, token: nodes.HtmlBlock) -> Lines:
        return self.block_context.prefix_lines(split_lines([Span(token.content)]))

    def render_html_element(self, token: nodes.HtmlElement) -> Lines:
        if token.tag in {"ol", "ul"}:
            return self.render_html_list(token)
        if token.tag == "table":
            return self.render_table(token)
        mark = _ELEMENT_MARKS.get(token.tag)
        block_context = (
            replace(self.block_context, prefix=self.block_context.prefix + _INDENT) if token.tag == "dd" else None
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
        bullet = _BULLETS[min(self.block_context.list_depth, len(_BULLETS) - 1)]
        for number, item in number_items(token):
            marker = bullet if token.tag == "ul" else number
            self.append_lines(lines, self.render_item(marker, item.children, loose=False), loose=False)
        return lines

    def render_footnotes(self, definitions: Sequence[nodes.FootnoteDefinition]) -> Lines:
        lines: Lines = []
        loose = any(len(footnote.children) > 1 for footnote in definitions)
        self.block_context = BlockContext(list_depth=-1)
        for footnote in definitions:
            self.append_lines(
                lines, self.render_item(f"[{footnote.number}]", footnote.children, loose=True), loose=loose
            )
        return lines

    def render_raw_text(self, token: nodes.RawText) -> list[Span]:
        return [Span(token.content, self.marks)]

    def render_html_span(self, token: nodes.HtmlSpan) -> list[Span]:
        return [Span(token.content, self.marks)]

    def render_math_span(self, token: nodes.MathSpan) -> list[Span]:
        content = self.plain_text_renderer.render_math_span(token)
        return [Span(content, self.marks, code=True)] if content else []

    def render_inline_code(self, token: nodes.InlineCode) -> list[Span]:
        return [Span(token.content, self.marks, code=True)]

    def render_footnote_reference(self, token: nodes.FootnoteReference) -> list[Span]:
        return [Span(self.plain_text_renderer.render_footnote_reference(token), self.marks)]

    def render_emphasis(self, token: nodes.Emphasis) -> list[Span]:
        return self.render_inlines(token.children, add_mark(self.marks, ITALIC))

    def render_strong(self, token: nodes.Strong) -> list[Span]:
        return self.render_inlines(token.children, add_mark(self.marks, BOLD))

    def render_strikethrough(self, token: nodes.Strikethrough) -> list[Span]:
        return self.render_inlines(token.children, add_mark(self.marks, STRIKE))

    def render_link(self, token: nodes.Link) -> list[Span]:
        """Follow the label with the URL if Slack can't link it.

        A label can't contain marks: those shared by all of it go around the link.
        """
        spans = self.render_inlines(token.children)
        label = "".join([span.content for span in spans])
        url = to_link_url(token.target)
        if url is None:
            return spans + _trailing_url(label, token.target, self.marks)
        visible = [span for span in spans if span.content.strip()]
        shared = (
            tuple(mark for mark in visible[0].marks if all(mark in span.marks for span in visible))
            if visible
            else self.marks
        )
        is_code = bool(visible) and all(span.code for span in visible)
        return [Span(label, shared, code=is_code, link_url=url)]

    def render_auto_link(self, token: nodes.AutoLink) -> list[Span]:
        return [Span(token.content, self.marks, link_url=to_link_url(token.target))]

    def render_image(self, token: nodes.Image) -> list[Span]:
        """Return a link, else the alt text, else the URL."""
        alt = nodes.text_content(token)
        url = to_link_url(token.src)
        if url is None and not alt and not is_data_url(token.src):
            alt = f"({' '.join(token.src.split())})" if token.src else ""
        return [Span(alt, self.marks, link_url=url)]

    def render_line_break(self, token: nodes.LineBreak) -> list[Span]:
        return [Span(" " if token.soft else "\n", self.marks)]

    def render_inline_html_element(self, token: nodes.HtmlElement) -> list[Span]:
        if token.tag in _CODE_ELEMENTS and all(isinstance(child, nodes.RawText) for child in token.children):
            return [Span(nodes.text_content(token), self.marks, code=True)]
        mark = _ELEMENT_MARKS.get(token.tag)
        inner = add_mark(self.marks, mark) if mark else self.marks
        spans: list[Span] = []
        for child in token.children:
            if is_block(child):
                # Only in trees built by hand.
                spans.append(Span("\n".join(self.plain_text_renderer.render_blocks([child])), inner))
            else:
                spans.extend(self.render_inlines([child], inner))
        if token.tag in {"sub", "sup"}:
            write = to_subscript if token.tag == "sub" else to_superscript
            return (
                [Span(write(nodes.text_content(token)), inner)]
                if all(isinstance(each, nodes.RawText) for each in token.children)
                else spans
            )
        return [Span("“", self.marks), *spans, Span("”", self.marks)] if token.tag == "q" else spans


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


def join_line_breaks(spans: Iterable[Span]) -> list[Span]:
    return [span._replace(content=span.content.replace("\n", " ")) if "\n" in span.content else span for span in spans]


def _begins_with_inlines(token: nodes.Token) -> bool:
    if isinstance(token, nodes.HtmlElement) and is_block(token):
        return token.tag in {"div", "p", "summary"} and bool(token.children) and _begins_with_inlines(token.children[0])
    return isinstance(token, nodes.Paragraph | nodes.Heading | nodes.SetextHeading) or not is_block(token)


def _trailing_url(label: str, target: str, marks: Marks) -> list[Span]:
    if not target or target.startswith("#") or target in (label, f"mailto:{label}"):
        return []
    return [Span(f"{' ' if label else ''}({' '.join(target.split())})", marks)]


render = SlackRenderer.render
