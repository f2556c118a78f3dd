"""Messages of Block Kit: header, rich_text, table and divider blocks, within Slack's limits.

https://docs.slack.dev/reference/block-kit. A message has at most 50 blocks and one table. Slack refuses messages whose
text is longer than about 13,200 characters (`msg_blocks_too_long`), which it does not document.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Any, TypeVar

from mdpublish_core import nodes
from mdpublish_core.figures.results import RenderedFigures
from mdpublish_core.writers.slack.mrkdwn import BOLD, ITALIC, STRIKE, Span, escape_text
from mdpublish_core.writers.slack.rich_text import (
    Block,
    Divider,
    Heading,
    Item,
    Paragraph,
    Preformatted,
    RichTextRenderer,
    Spans,
    Table,
    quote_of,
)

MESSAGE_BLOCKS = 50
MESSAGE_CHARACTERS = 12_000
HEADER_CHARACTERS = 150
TABLE_ROWS, TABLE_COLUMNS, TABLE_CHARACTERS = 100, 20, 10_000

_LINE_CHARACTERS = 150
"""Length of a notification."""

_HEADER_LEVEL = 2
"""Deeper headings are bold text: Slack has one size."""

_STYLES = {BOLD: "bold", ITALIC: "italic", STRIKE: "strike"}

_IN_RICH_TEXT = (nodes.Quote, nodes.Callout, nodes.ListItem)

Json = dict[str, Any]

_Each = TypeVar("_Each")


def has_block(token: nodes.Heading | nodes.SetextHeading | nodes.Table, parent: nodes.Token) -> bool:
    """Return whether a heading or table below `parent` has a block of its own, for the report on what arrives."""
    if isinstance(token, nodes.Table):
        return len(token.header.children) <= TABLE_COLUMNS
    spans = RichTextRenderer().render_heading(token)
    return not isinstance(parent, _IN_RICH_TEXT) and any(map(_is_header, spans))


def block_kit_messages(document: nodes.Document, figures: RenderedFigures) -> list[tuple[str, list[Json]]]:
    """Return each message: a line for notifications, and its blocks."""
    blocks = RichTextRenderer(figures).render_document(document)
    parts = [part for block in blocks for part in _divided(block)]
    return [(_first_line(message), list(_blocks_of(message))) for message in _messages(parts)]


def _messages(parts: Sequence[Block]) -> Iterator[list[Block]]:
    message: list[Block] = []
    characters = tables = blocks = 0
    for part in parts:
        is_table = isinstance(part, Table)
        # Text joins the rich_text block before it.
        starts_block = not message or _is_block(part) or _is_block(message[-1])
        length = _length(part)
        if message and (
            characters + length > MESSAGE_CHARACTERS or blocks + starts_block > MESSAGE_BLOCKS or (is_table and tables)
        ):
            yield message
            message, starts_block = [], True
            characters = tables = blocks = 0
        message.append(part)
        characters += length
        tables += is_table
        blocks += starts_block
    if message:
        yield message


def _divided(block: Block) -> Iterator[Block]:
    """Divide what is longer than a message, and tables that are larger than Slack's; none is cut."""
    match block:
        case Table(rows) if not _fits(block):
            yield from _divided_table(block) if rows and len(rows[0]) <= TABLE_COLUMNS else _as_text(block)
        case Preformatted(content) if len(content) > MESSAGE_CHARACTERS:
            yield from (Preformatted(piece) for piece in _pieces(content))
        case Paragraph(spans) | Heading(spans) | Item(spans) if _span_characters(spans) > MESSAGE_CHARACTERS:
            first, *others = _divided_spans(spans)
            yield block._replace(spans=first)
            quote = quote_of(block)
            yield from (Paragraph(each, quote) for each in others)
        case _:
            yield block


def _as_text(table: Table) -> Iterator[Block]:
    for block in table.stacked or (Preformatted(table.drawn),):
        yield from _divided(block)


def _fits(table: Table) -> bool:
    return (
        len(table.rows) <= TABLE_ROWS
        and all(len(row) <= TABLE_COLUMNS for row in table.rows)
        and _length(table) <= TABLE_CHARACTERS
    )


def _divided_table(table: Table) -> Iterator[Block]:
    """Repeat the head; a row that is too long for a table makes it preformatted text."""
    head, body = table.rows[: table.head], table.rows[table.head :]
    head_characters = sum(map(_row_characters, head))
    if head_characters + max(map(_row_characters, body), default=0) > TABLE_CHARACTERS or len(head) >= TABLE_ROWS:
        yield from _as_text(table)
        return

    def fits(rows: Sequence[tuple[Spans, ...]], row: tuple[Spans, ...]) -> bool:
        characters = head_characters + sum(map(_row_characters, (*rows, row)))
        return characters <= TABLE_CHARACTERS and len(head) + len(rows) < TABLE_ROWS

    yield from (table._replace(rows=(*head, *rows)) for rows in _runs(body, fits))


def _pieces(content: str) -> Iterator[str]:
    """Divide text at the last line end, else the last space, that a message has room for."""
    while len(content) > MESSAGE_CHARACTERS:
        start = content[:MESSAGE_CHARACTERS]
        end = start.rfind("\n") + 1 or start.rfind(" ") + 1 or MESSAGE_CHARACTERS
        yield content[:end].removesuffix("\n")
        content = content[end:]
    if content:
        yield content


def _divided_spans(spans: Spans) -> Iterator[Spans]:
    pieces = [span._replace(content=piece) for span in spans for piece in list(_pieces(span.content)) or [""]]
    return map(tuple, _runs(pieces, lambda part, piece: _span_characters([*part, piece]) <= MESSAGE_CHARACTERS))


def _runs(items: Sequence[_Each], continues: Callable[[list[_Each], _Each], bool]) -> Iterator[list[_Each]]:
    """Divide items where one does not continue those before."""
    run: list[_Each] = []
    for each in items:
        if run and not continues(run, each):
            yield run
            run = []
        run.append(each)
    if run:
        yield run


def _blocks_of(message: Sequence[Block]) -> Iterator[Json]:
    for is_block, run in groupby(message, key=_is_block):
        if is_block:
            yield from (_block(block) for block in run)
        else:
            elements = _runs(list(run), lambda before, block: _continues(before[-1], block))
            yield {"type": "rich_text", "elements": [_element(each) for each in elements]}


def _is_block(block: Block) -> bool:
    """Return whether a block is one of Block Kit, not an element of a rich_text block."""
    return isinstance(block, Divider | Table) or _is_header(block)


def _is_header(block: Block) -> bool:
    return (
        isinstance(block, Heading)
        and block.level <= _HEADER_LEVEL
        and _span_characters(block.spans) <= HEADER_CHARACTERS
        and all(span.link_url is None and STRIKE not in span.marks for span in block.spans)
    )


def _block(block: Block) -> Json:
    match block:
        case Heading(spans):
            content = "".join(span.content for span in spans)
            return {"type": "header", "text": {"type": "plain_text", "text": content, "emoji": False}}
        case Table(rows, alignments, head):
            settings = [{"align": alignment or "left", "is_wrapped": True} for alignment in alignments]
            cells = [[_cell(cell, is_head=number < head) for cell in row] for number, row in enumerate(rows)]
            return {"type": "table", "column_settings": settings, "rows": cells}
        case _:
            return {"type": "divider"}


def _cell(spans: Spans, *, is_head: bool) -> Json:
    # Slack refuses empty cells.
    shown = [span for span in spans if span.content or span.link_url] or [Span(" ")]
    if is_head:
        shown = [span._replace(marks=tuple(dict.fromkeys((BOLD, *span.marks)))) for span in shown]
    return {"type": "rich_text", "elements": [_section(shown)]}


def _element(run: Sequence[Block]) -> Json:
    match run[0]:
        case Preformatted(content):
            return {"type": "rich_text_preformatted", "elements": [{"type": "text", "text": content}]}
        case Item(_, depth, number, quote):
            return {
                "type": "rich_text_list",
                "style": "bullet" if number is None else "ordered",
                "indent": depth,
                **({"offset": number - 1} if number is not None and number > 1 else {}),
                **({} if quote is None else {"border": 1}),
                "elements": [_section(item.spans or (Span(" "),)) for item in run if isinstance(item, Item)],
            }
        case first:
            spans = _joined([block.spans for block in run if isinstance(block, Paragraph | Heading)])
            return _section(spans) if quote_of(first) is None else {**_section(spans), "type": "rich_text_quote"}


def _continues(before: Block, block: Block) -> bool:
    """Return whether a block is in the element of the one before: its list, paragraphs or quote."""
    match before, block:
        case Item(_, depth, number, quote), Item(_, next_depth, next_number, next_quote):
            expected = None if number is None else number + 1
            return (next_depth, next_number, next_quote) == (depth, expected, quote)
        case ((Paragraph() | Heading()), (Paragraph() | Heading())):
            return quote_of(before) == quote_of(block)
        case _:
            return False


def _section(spans: Sequence[Span]) -> Json:
    return {"type": "rich_text_section", "elements": [_inline(span) for span in _merged(spans)]}


def _merged(spans: Sequence[Span]) -> Iterator[Span]:
    shown = (span for span in spans if span.content or span.link_url)
    for _, run in groupby(shown, key=lambda span: span[1:]):
        first, *others = run
        yield first._replace(content="".join([first.content, *(span.content for span in others)]))


def _joined(paragraphs: Sequence[Spans]) -> list[Span]:
    """Put an empty line between paragraphs, as Slack's composer does."""
    return [span for number, spans in enumerate(paragraphs) for span in ((Span("\n\n"),) if number else ()) + spans]


def _inline(span: Span) -> Json:
    styles = {_STYLES[mark]: True for mark in span.marks} | ({"code": True} if span.code else {})
    style = {"style": styles} if styles else {}
    if span.link_url is None:
        return {"type": "text", "text": span.content, **style}
    label = {"text": span.content} if span.content else {}
    return {"type": "link", "url": span.link_url, **label, **style}


def _first_line(message: Sequence[Block]) -> str:
    for block in message:
        match block:
            case Paragraph(spans) | Heading(spans) | Item(spans):
                content = "".join(f"~{span.content}~" if STRIKE in span.marks else span.content for span in spans)
            case Preformatted(content) | Table(drawn=content):
                pass
            case _:
                content = ""
        if content.strip():
            line = content.strip().partition("\n")[0]
            return escape_text(line if len(line) <= _LINE_CHARACTERS else f"{line[: _LINE_CHARACTERS - 1]}…")
    return ""


def _length(block: Block) -> int:
    match block:
        case Paragraph(spans) | Heading(spans) | Item(spans):
            return _span_characters(spans)
        case Preformatted(content):
            return len(content)
        case Table(rows):
            return sum(map(_row_characters, rows))
        case _:
            return 0


def _row_characters(row: Sequence[Spans]) -> int:
    return sum(max(1, _span_characters(spans)) for spans in row)


def _span_characters(spans: Sequence[Span]) -> int:
    return sum(len(span.content) + len(span.link_url or "") for span in spans)
