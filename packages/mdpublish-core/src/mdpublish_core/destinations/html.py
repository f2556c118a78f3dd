"""Destination `html`: what the reference implementations of CommonMark and GFM print, without any styling.

One function a token class; `generic` takes from here what it writes alike. Where cmark-gfm has no word, the source is
shown as code (figures, display math), as text (math in a line), or as the element that the author wrote.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mdpublish_core.destinations.setting import Setting
from mdpublish_core.document import (
    AutoLink,
    BlockCode,
    Callout,
    CodeFence,
    Document,
    Emphasis,
    Figure,
    FootnoteDefinition,
    FootnoteReference,
    Heading,
    HtmlBlock,
    HtmlElement,
    HtmlSpan,
    Image,
    InlineCode,
    LineBreak,
    Link,
    List,
    ListItem,
    MathBlock,
    MathSpan,
    Paragraph,
    Quote,
    RawText,
    SetextHeading,
    Strikethrough,
    Strong,
    Table,
    TableCell,
    TableRow,
    TaskItem,
    ThematicBreak,
    Token,
    text_of,
)
from mdpublish_core.html import BLOCK_ELEMENTS, VOID_ELEMENTS, Attributes, HtmlWriter
from mdpublish_core.urls import encode_url

Renderer = Callable[[Any, Any], None]
"""Writes, into a Rendering of its destination, one token of the class it stands for in the table of renderers."""

ALIGNMENTS = {None: None, -1: "left", 0: "center", 1: "right"}
"""What mistletoe's numbers for a column's alignment mean, and our own for an explicit left."""

# HTML's attributes take pixels without a unit; browsers still know percentages, and READMEs are full of them.
_LENGTH = re.compile(r"[0-9]{1,4}%?")


class Rendering:
    """One document on its way to HTML: the writer, and the table that says which function writes which token."""

    def __init__(self, writer: HtmlWriter, renderers: Mapping[type[Token], Renderer]) -> None:
        self.writer = writer
        self.in_tight_list = False
        self.in_table_head = False
        self._renderers = renderers

    def children(self, parent: Token) -> None:
        """Write the children of `parent`."""
        renderers = self._renderers
        for child in parent.children or ():
            renderers[type(child)](self, child)

    def write(self, token: Token) -> None:
        """Write one token."""
        self._renderers[type(token)](self, token)

    def element(self, tag: str, parent: Token) -> None:
        """Write an element that holds the children of `parent`."""
        self.writer.start(tag)
        self.children(parent)
        self.writer.end()


def render(document: Document, setting: Setting) -> str:
    """Return the document as the reference implementations print it; the template plays no part."""
    writer = HtmlWriter(trusted=document.trusted)
    rendering = Rendering(writer, RENDERERS)
    rendering.children(document)
    if document.footnote_definitions:
        footnotes(rendering, document.footnote_definitions, (("class", "footnotes"), ("data-footnotes", True)))
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
    write_quote(rendering, token)


def write_quote(rendering: Rendering, token: Quote, attributes: Attributes = ()) -> None:
    """Write a quotation with these attributes."""
    writer = rendering.writer
    tight, rendering.in_tight_list = rendering.in_tight_list, False
    writer.line()
    writer.start("blockquote", attributes)
    writer.line()
    rendering.children(token)
    writer.end()
    writer.line()
    rendering.in_tight_list = tight


def callout(rendering: Rendering, token: Callout) -> None:
    writer = rendering.writer
    tight, rendering.in_tight_list = rendering.in_tight_list, False
    marker = f"[!{token.kind.upper()}]"
    blocks = list(token.children)
    writer.line()
    writer.start("blockquote")
    writer.line()
    writer.start("p")
    writer.text(marker)
    if blocks and isinstance(blocks[0], Paragraph):
        writer.line()
        rendering.children(blocks.pop(0))
    writer.end()
    writer.line()
    for block in blocks:
        rendering.write(block)
    writer.end()
    writer.line()
    rendering.in_tight_list = tight


def list_(rendering: Rendering, token: List) -> None:
    write_list(rendering, token)


def write_list(rendering: Rendering, token: List, attributes: Attributes = ()) -> None:
    """Write a list with these attributes, and its start where that is not 1."""
    writer = rendering.writer
    tight, rendering.in_tight_list = rendering.in_tight_list, not token.loose
    writer.line()
    if token.start is None:
        writer.start("ul", attributes)
    else:
        writer.start("ol", (("start", None if token.start == 1 else token.start), *attributes))
    writer.line()
    rendering.children(token)
    writer.end()
    writer.line()
    rendering.in_tight_list = tight


def list_item(rendering: Rendering, token: ListItem) -> None:
    rendering.writer.start("li")
    item_blocks(rendering, token.children)


def task_item(rendering: Rendering, token: TaskItem) -> None:
    writer = rendering.writer
    writer.start("li")
    # cmark-gfm writes the box before the paragraph of a loose item, not into it, and ends the line with this space.
    writer.empty("input", (("type", "checkbox"), ("checked", "" if token.checked else None), ("disabled", "")))
    writer.text(" ")
    item_blocks(rendering, token.children)


def item_blocks(rendering: Rendering, blocks: Sequence[Token]) -> None:
    """Write the blocks of an item, and its end."""
    writer = rendering.writer
    for number, child in enumerate(blocks):
        if number:
            writer.line()
        rendering.write(child)
    writer.end()
    writer.line()


def code_block(rendering: Rendering, token: CodeFence | BlockCode) -> None:
    source(rendering, token.content, token.language)


def figure(rendering: Rendering, token: Figure) -> None:
    source(rendering, token.content, token.language)


def math_block(rendering: Rendering, token: MathBlock) -> None:
    source(rendering, token.content, "math")


def source(rendering: Rendering, content: str, language: str) -> None:
    """Write a block of code."""
    writer = rendering.writer
    writer.line()
    writer.start("pre")
    writer.start("code", (("class", f"language-{language}"),) if language else ())
    writer.text(content)
    writer.end()
    writer.end()
    writer.line()


def table(rendering: Rendering, token: Table, attributes: Attributes = ()) -> None:
    writer = rendering.writer
    writer.line()
    writer.start("table", attributes)
    writer.line()
    writer.start("thead")
    writer.line()
    rendering.in_table_head = True
    rendering.write(token.header)
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
    align = token.align
    writer.start("th" if rendering.in_table_head else "td", () if align is None else (("align", ALIGNMENTS[align]),))
    rendering.children(token)
    writer.end()
    writer.line()


def thematic_break(rendering: Rendering, token: ThematicBreak) -> None:
    rendering.writer.line()
    rendering.writer.empty("hr")
    rendering.writer.line()


def html_block(rendering: Rendering, token: HtmlBlock) -> None:
    rendering.writer.line()
    rendering.writer.raw(f"{token.content}\n")


def html_element(rendering: Rendering, token: HtmlElement) -> None:
    element(rendering, token, token.attributes.items())


def element(rendering: Rendering, token: HtmlElement, attributes: Attributes) -> None:
    """Write an element that an author wrote, with these attributes in place of its own."""
    writer = rendering.writer
    if token.tag in VOID_ELEMENTS:
        writer.empty(token.tag, attributes)
    elif token.tag in BLOCK_ELEMENTS:
        tight, rendering.in_tight_list = rendering.in_tight_list, False
        writer.line()
        writer.start(token.tag, attributes)
        rendering.children(token)
        writer.end()
        writer.line()
        rendering.in_tight_list = tight
    else:
        writer.start(token.tag, attributes)
        rendering.children(token)
        writer.end()


def footnotes(rendering: Rendering, definitions: Sequence[FootnoteDefinition], attributes: Attributes) -> None:
    """Write the section of the footnotes."""
    writer = rendering.writer
    writer.line()
    writer.start("section", attributes)
    writer.line()
    writer.start("ol")
    writer.line()
    for definition in definitions:
        rendering.write(definition)
    writer.end()
    writer.line()
    writer.end()
    writer.line()


def footnote_definition(rendering: Rendering, token: FootnoteDefinition) -> None:
    note(rendering, token, f"fn-{encode_url(token.label)}", back_links)


def note(rendering: Rendering, token: FootnoteDefinition, note_id: str, write_links: Renderer) -> None:
    """Write a footnote; the links back stand at the end of its last paragraph, or below its last block."""
    writer = rendering.writer
    blocks = list(token.children)
    last = blocks.pop() if blocks and isinstance(blocks[-1], Paragraph) else None
    writer.start("li", (("id", note_id),))
    writer.line()
    for block in blocks:
        rendering.write(block)
    writer.line()
    if last:
        writer.start("p")
        rendering.children(last)
        if token.references:
            writer.text(" ")
    write_links(rendering, token)
    if last:
        writer.end()
    writer.line()
    writer.end()
    writer.line()


def back_links(rendering: Rendering, token: FootnoteDefinition) -> None:
    """Write a link to each place that calls a footnote, as cmark-gfm does."""
    writer = rendering.writer
    for occurrence in range(1, token.references + 1):
        if occurrence > 1:
            writer.text(" ")
        index = f"{token.number}{repetition(occurrence)}"
        attributes = (
            ("href", f"#{reference_id(token.label, occurrence)}"),
            ("class", "footnote-backref"),
            ("data-footnote-backref", True),
            ("data-footnote-backref-idx", index),
            ("aria-label", f"Back to reference {index}"),
        )
        writer.start("a", attributes)
        writer.text("↩")
        if occurrence > 1:
            writer.start("sup", (("class", "footnote-ref"),))
            writer.text(str(occurrence))
            writer.end()
        writer.end()


def footnote_reference(rendering: Rendering, token: FootnoteReference) -> None:
    writer = rendering.writer
    anchor = reference_id(token.label, token.occurrence)
    writer.start("sup", (("class", "footnote-ref"),))
    writer.start("a", (("href", f"#fn-{token.label}"), ("id", anchor), ("data-footnote-ref", True)))
    writer.text(str(token.number))
    writer.end()
    writer.end()


def reference_id(label: str, occurrence: int) -> str:
    """Return the id of one call of a footnote, as cmark-gfm makes it."""
    return f"fnref-{encode_url(label)}{repetition(occurrence)}"


def repetition(occurrence: int) -> str:
    """Return what tells a footnote's later calls from its first."""
    return "" if occurrence == 1 else f"-{occurrence}"


def raw_text(rendering: Rendering, token: RawText) -> None:
    rendering.writer.text(token.content)


def emphasis(rendering: Rendering, token: Emphasis) -> None:
    rendering.element("em", token)


def strong(rendering: Rendering, token: Strong) -> None:
    rendering.element("strong", token)


def strikethrough(rendering: Rendering, token: Strikethrough) -> None:
    rendering.element("del", token)


def inline_code(rendering: Rendering, token: InlineCode) -> None:
    writer = rendering.writer
    writer.start("code")
    writer.text(token.content)
    writer.end()


def math_span(rendering: Rendering, token: MathSpan) -> None:
    delimiter = "$$" if token.display else "$"
    rendering.writer.text(f"{delimiter}{token.content}{delimiter}")


def link(rendering: Rendering, token: Link) -> None:
    rendering.writer.start("a", (("href", token.target), ("title", token.title or None)))
    rendering.children(token)
    rendering.writer.end()


def autolink(rendering: Rendering, token: AutoLink) -> None:
    writer = rendering.writer
    writer.start("a", (("href", token.target),))
    writer.text(token.content)
    writer.end()


def image(rendering: Rendering, token: Image) -> None:
    write_image(rendering, token.src, text_of(token), token.title, (token.width, token.height))


def write_image(
    rendering: Rendering, src: str | None, alt: str, title: str, size: tuple[str | None, str | None]
) -> None:
    """Write a picture with its width and height, where they are lengths that an attribute may say."""
    attributes = [("src", src), ("alt", alt), ("title", title or None)]
    for name, value in zip(("width", "height"), size, strict=True):
        if value and _LENGTH.fullmatch(value):
            attributes.append((name, value))
    rendering.writer.empty("img", attributes)


def line_break(rendering: Rendering, token: LineBreak) -> None:
    if not token.soft:
        rendering.writer.empty("br")
    rendering.writer.line()


def html_span(rendering: Rendering, token: HtmlSpan) -> None:
    rendering.writer.raw(token.content)


RENDERERS: Mapping[type[Token], Renderer] = {
    Heading: heading,
    SetextHeading: heading,
    Paragraph: paragraph,
    Quote: quote,
    Callout: callout,
    List: list_,
    ListItem: list_item,
    TaskItem: task_item,
    CodeFence: code_block,
    BlockCode: code_block,
    Figure: figure,
    MathBlock: math_block,
    Table: table,
    TableRow: table_row,
    TableCell: table_cell,
    ThematicBreak: thematic_break,
    FootnoteDefinition: footnote_definition,
    HtmlBlock: html_block,
    HtmlElement: html_element,
    RawText: raw_text,
    Emphasis: emphasis,
    Strong: strong,
    Strikethrough: strikethrough,
    InlineCode: inline_code,
    Link: link,
    AutoLink: autolink,
    Image: image,
    LineBreak: line_break,
    MathSpan: math_span,
    FootnoteReference: footnote_reference,
    HtmlSpan: html_span,
}
