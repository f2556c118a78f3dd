"""Destination `html`: what the reference implementations of CommonMark and GFM print, without any styling.

One function a token class; `generic` takes from here what it writes alike.
"""

from collections.abc import Callable, Mapping
from typing import Any

from mdpublish_core.document import (
    AutoLink,
    BlockCode,
    CodeFence,
    Document,
    Emphasis,
    Heading,
    Image,
    InlineCode,
    LineBreak,
    Link,
    List,
    ListItem,
    Paragraph,
    Quote,
    RawText,
    SetextHeading,
    Strikethrough,
    Strong,
    Table,
    TableCell,
    TableRow,
    ThematicBreak,
    Token,
    text_of,
)
from mdpublish_core.html import HtmlWriter
from mdpublish_core.templates import Style

Renderer = Callable[[Any, Any], None]
"""Writes, into a Rendering of its destination, one token of the class it stands for in the table of renderers."""

ALIGNMENTS = {None: None, 0: "center", 1: "right"}
"""What mistletoe's numbers for a column's alignment mean."""


class Rendering:
    """One document on its way to HTML: the writer, and the table that says which function writes which token."""

    def __init__(self, writer: HtmlWriter, renderers: Mapping[type[Token], Renderer]) -> None:
        self.writer = writer
        self.in_tight_list = False
        self.in_table_head = False
        self._renderers = renderers

    def children(self, parent: Token) -> None:
        """Write the children of `parent`."""
        for child in parent.children or ():
            self._renderers[type(child)](self, child)

    def write(self, token: Token) -> None:
        """Write one token."""
        self._renderers[type(token)](self, token)

    def element(self, tag: str, parent: Token) -> None:
        """Write an element that holds the children of `parent`."""
        self.writer.start(tag)
        self.children(parent)
        self.writer.end()


def render(document: Document, style: Style) -> str:
    """Return the document as the reference implementations print it; the template plays no part."""
    writer = HtmlWriter()
    Rendering(writer, RENDERERS).children(document)
    return writer.finish()


def heading(rendering: Rendering, token: Heading | SetextHeading) -> None:
    rendering.writer.line()
    rendering.element(f"h{token.level}", token)
    rendering.writer.line()


def paragraph(rendering: Rendering, token: Paragraph) -> None:
    if rendering.in_tight_list:
        rendering.children(token)
        return
    rendering.writer.line()
    rendering.element("p", token)
    rendering.writer.line()


def quote(rendering: Rendering, token: Quote) -> None:
    writer = rendering.writer
    tight, rendering.in_tight_list = rendering.in_tight_list, False
    writer.line()
    writer.start("blockquote")
    writer.line()
    rendering.children(token)
    writer.line()
    writer.end()
    writer.line()
    rendering.in_tight_list = tight


def list_(rendering: Rendering, token: List) -> None:
    writer = rendering.writer
    tight, rendering.in_tight_list = rendering.in_tight_list, not token.loose
    writer.line()
    if token.start is None:
        writer.start("ul")
    else:
        writer.start("ol", (("start", None if token.start == 1 else token.start),))
    writer.line()
    rendering.children(token)
    writer.end()
    writer.line()
    rendering.in_tight_list = tight


def list_item(rendering: Rendering, token: ListItem) -> None:
    writer = rendering.writer
    writer.start("li")
    for number, child in enumerate(token.children):
        if number:
            writer.line()
        rendering.write(child)
    writer.end()
    writer.line()


def code_block(rendering: Rendering, token: CodeFence | BlockCode) -> None:
    writer = rendering.writer
    writer.line()
    writer.start("pre")
    writer.start("code", (("class", f"language-{token.language}" if token.language else None),))
    writer.text(token.content)
    writer.end()
    writer.end()
    writer.line()


def table(rendering: Rendering, token: Table) -> None:
    writer = rendering.writer
    writer.line()
    writer.start("table")
    writer.line()
    writer.start("thead")
    writer.line()
    rendering.in_table_head = True
    table_row(rendering, token.header)
    rendering.in_table_head = False
    writer.end()
    writer.line()
    if token.children:
        writer.start("tbody")
        writer.line()
        rendering.children(token)
        writer.end()
        writer.line()
    writer.end()
    writer.line()


def table_row(rendering: Rendering, token: TableRow) -> None:
    writer = rendering.writer
    writer.start("tr")
    writer.line()
    rendering.children(token)
    writer.end()
    writer.line()


def table_cell(rendering: Rendering, token: TableCell) -> None:
    writer = rendering.writer
    writer.start("th" if rendering.in_table_head else "td", (("align", ALIGNMENTS[token.align]),))
    rendering.children(token)
    writer.end()
    writer.line()


def thematic_break(rendering: Rendering, token: ThematicBreak) -> None:
    rendering.writer.line()
    rendering.writer.empty("hr")
    rendering.writer.line()


def raw_text(rendering: Rendering, token: RawText) -> None:
    rendering.writer.text(token.content)


def emphasis(rendering: Rendering, token: Emphasis) -> None:
    rendering.element("em", token)


def strong(rendering: Rendering, token: Strong) -> None:
    rendering.element("strong", token)


def strikethrough(rendering: Rendering, token: Strikethrough) -> None:
    rendering.element("del", token)


def inline_code(rendering: Rendering, token: InlineCode) -> None:
    rendering.element("code", token)


def link(rendering: Rendering, token: Link) -> None:
    rendering.writer.start("a", (("href", token.target), ("title", token.title or None)))
    rendering.children(token)
    rendering.writer.end()


def autolink(rendering: Rendering, token: AutoLink) -> None:
    rendering.writer.start("a", (("href", f"mailto:{token.target}" if token.mailto else token.target),))
    rendering.children(token)
    rendering.writer.end()


def image(rendering: Rendering, token: Image) -> None:
    attributes = (("src", token.src), ("alt", text_of(token)), ("title", token.title or None))
    rendering.writer.empty("img", attributes)


def line_break(rendering: Rendering, token: LineBreak) -> None:
    if not token.soft:
        rendering.writer.empty("br")
    rendering.writer.line()


RENDERERS: Mapping[type[Token], Renderer] = {
    Heading: heading,
    SetextHeading: heading,
    Paragraph: paragraph,
    Quote: quote,
    List: list_,
    ListItem: list_item,
    CodeFence: code_block,
    BlockCode: code_block,
    Table: table,
    TableRow: table_row,
    TableCell: table_cell,
    ThematicBreak: thematic_break,
    RawText: raw_text,
    Emphasis: emphasis,
    Strong: strong,
    Strikethrough: strikethrough,
    InlineCode: inline_code,
    Link: link,
    AutoLink: autolink,
    Image: image,
    LineBreak: line_break,
}
