"""Destination `generic`: a semantic HTML fragment with the template's CSS, for any web page.

The fragment stands in one `div`, and every rule of its stylesheet begins with that div's class, so that neither the
page it is dropped into nor a second fragment beside it is touched. Wide tables scroll in a region of their own.
"""

from collections.abc import Mapping

from mdpublish_core.destinations import html
from mdpublish_core.destinations.anchors import Anchors
from mdpublish_core.document import (
    BlockCode,
    CodeFence,
    Document,
    Heading,
    Link,
    SetextHeading,
    Table,
    TableCell,
    Token,
)
from mdpublish_core.html import HtmlWriter
from mdpublish_core.templates import Style


class Rendering(html.Rendering):
    """A document on its way to a styled fragment, with the anchors of its headings."""

    def __init__(self, writer: HtmlWriter, document: Document) -> None:
        super().__init__(writer, RENDERERS)
        self.anchors = Anchors(document)


def render(document: Document, style: Style) -> str:
    """Return the fragment with its stylesheet."""
    writer = HtmlWriter()
    writer.start("div", (("class", style.scope),))
    writer.line()
    writer.style(style.css)
    writer.line()
    write_blocks(writer, document)
    writer.end()
    writer.line()
    return writer.finish()


def write_blocks(writer: HtmlWriter, document: Document) -> None:
    """Write the blocks alone, for whoever frames and styles them."""
    Rendering(writer, document).children(document)


def heading(rendering: Rendering, token: Heading | SetextHeading) -> None:
    writer = rendering.writer
    writer.line()
    writer.start(f"h{token.level}", (("id", rendering.anchors.of(token)),))
    rendering.children(token)
    writer.end()
    writer.line()


def code_block(rendering: Rendering, token: CodeFence | BlockCode) -> None:
    writer = rendering.writer
    writer.line()
    writer.start("pre", (("tabindex", 0),))
    writer.start("code", (("class", f"language-{token.language}" if token.language else None),))
    writer.text(token.content)
    writer.end()
    writer.end()
    writer.line()


def table(rendering: Rendering, token: Table) -> None:
    writer = rendering.writer
    writer.line()
    writer.start("div", (("class", "table"), ("role", "region"), ("aria-label", "Table"), ("tabindex", 0)))
    html.table(rendering, token)
    writer.end()
    writer.line()


def table_cell(rendering: Rendering, token: TableCell) -> None:
    writer = rendering.writer
    alignment = html.ALIGNMENTS[token.align]
    if rendering.in_table_head:
        writer.start("th", (("scope", "col"), ("class", alignment)))
    else:
        writer.start("td", (("class", alignment),))
    rendering.children(token)
    writer.end()
    writer.line()


def link(rendering: Rendering, token: Link) -> None:
    writer = rendering.writer
    writer.start("a", (("href", rendering.anchors.target(token.target)), ("title", token.title or None)))
    rendering.children(token)
    writer.end()


RENDERERS: Mapping[type[Token], html.Renderer] = {
    **html.RENDERERS,
    Heading: heading,
    SetextHeading: heading,
    CodeFence: code_block,
    BlockCode: code_block,
    Table: table,
    TableCell: table_cell,
    Link: link,
}
