"""HTML for Slack's composer: only elements that it keeps when pasted.

They are b, i, s, code, pre, a, ul, ol, li, blockquote, p and br. Tasks, callouts, tables, math and figures: as in
mrkdwn.
"""

from collections.abc import Sequence
from itertools import groupby

from mdpublish_core import nodes
from mdpublish_core.figures.results import RenderedFigures
from mdpublish_core.html import HtmlWriter
from mdpublish_core.options.limits import DEFAULT_LIMITS, OUTPUT_BYTES_PER_INPUT_BYTE, Limits
from mdpublish_core.templates import bind, get_template
from mdpublish_core.writers import render_figures_for
from mdpublish_core.writers.slack import rich_text
from mdpublish_core.writers.slack.inlines import RULE
from mdpublish_core.writers.slack.mrkdwn import BOLD, ITALIC, STRIKE, Span, defuse_broadcasts

_TAGS = {BOLD: "b", ITALIC: "i", STRIKE: "s"}


def slack_composer_html(document: nodes.Document, *, limits: Limits = DEFAULT_LIMITS) -> str:
    """Return HTML for Slack's composer, of elements that it keeps. Raises `LimitExceeded` past `max_output_bytes`."""
    allowed = limits.max_output_bytes + OUTPUT_BYTES_PER_INPUT_BYTE * document.origin.source_bytes
    # Text has no style.
    style = bind(get_template("swiss"), "light")
    figures = render_figures_for(document, style, figure_form="text", math_form="text", limits=limits)
    return composer_html(document, figures, max_characters=allowed)


def composer_html(document: nodes.Document, figures: RenderedFigures, *, max_characters: int | None = None) -> str:
    """Return HTML without attributes but those of links and numbered lists."""
    writer = HtmlWriter(max_characters=max_characters)
    composer = _Composer(writer)
    blocks = rich_text.RichTextRenderer(figures).render_document(document)
    for quote, run in groupby(blocks, key=rich_text.quote_of):
        if quote is not None:
            writer.start("blockquote")
        composer.write_blocks(list(run))
        if quote is not None:
            writer.end_line()
    return writer.finish()


class _Composer:
    def __init__(self, writer: HtmlWriter) -> None:
        self._writer = writer

    def write_blocks(self, blocks: Sequence[rich_text.Block]) -> None:
        for is_item, run in groupby(blocks, key=lambda block: isinstance(block, rich_text.Item)):
            if is_item:
                self._write_items([item for item in run if isinstance(item, rich_text.Item)])
                continue
            for block in run:
                self._write_block(block)
                self._writer.line()

    def _write_block(self, block: rich_text.Block) -> None:
        match block:
            case rich_text.Paragraph(spans) | rich_text.Heading(spans):
                self._write_paragraph(spans)
            case rich_text.Table(stacked=[_, *_] as blocks):
                self.write_blocks(blocks)
            case rich_text.Preformatted(content) | rich_text.Table(drawn=content):
                self._writer.element("pre", content)
            case rich_text.Divider():
                self._write_paragraph([Span(RULE)])

    def _write_paragraph(self, spans: Sequence[Span]) -> None:
        self._writer.start("p")
        self._write_spans(spans)
        self._writer.end()

    def _write_items(self, items: Sequence[rich_text.Item]) -> None:
        """Nest lists by their items' depths, each with its next number; items without a parent open no empty lists."""
        writer = self._writer
        open_lists: list[tuple[int, int | None]] = []
        for item in items:
            while open_lists and open_lists[-1][0] > item.depth:
                self._end_list(open_lists)
            if open_lists and open_lists[-1] == (item.depth, item.number):
                open_lists.pop()
                writer.end_line()
            else:
                if open_lists and open_lists[-1][0] == item.depth:
                    self._end_list(open_lists)
                self._start_list(item)
            open_lists.append((item.depth, None if item.number is None else item.number + 1))
            writer.start("li")
            self._write_spans(item.spans)
        while open_lists:
            self._end_list(open_lists)

    def _start_list(self, item: rich_text.Item) -> None:
        self._writer.line()
        if item.number is None:
            self._writer.start_line("ul")
        else:
            self._writer.start_line("ol", () if item.number == 1 else (("start", item.number),))

    def _end_list(self, open_lists: list[tuple[int, int | None]]) -> None:
        """End the last item and its list."""
        open_lists.pop()
        self._writer.end_line()
        self._writer.end_line()

    def _write_spans(self, spans: Sequence[Span]) -> None:
        for url, run in groupby(spans, key=lambda span: span.link_url):
            if url is not None:
                self._writer.start("a", (("href", url),))
            for span in run:
                self._write_span(span)
            if url is not None:
                self._writer.end()

    def _write_span(self, span: Span) -> None:
        writer = self._writer
        content = span.content or span.link_url or ""
        for mark in span.marks:
            writer.start(_TAGS[mark])
        if span.code:
            writer.element("code", content.replace("\n", " "))
        else:
            for index, line in enumerate(defuse_broadcasts(content).split("\n")):
                if index:
                    writer.empty("br")
                writer.write_text(line)
        for _ in span.marks:
            writer.end()
