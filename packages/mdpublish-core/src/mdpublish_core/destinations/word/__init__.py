"""Destination `word`: a whole HTML document in Word's own dialect, to be pasted into Word or opened by it.

What Word has a word for arrives as that: headings, lists, footnotes, tables with header rows, and named styles. Each
paragraph, run and cell carries its style, too, since a paste into another document takes no stylesheet along.

The colours are the template's, in both theme modes. Word paints the page where the document is opened, but not where it is
pasted; so on a dark ground every paragraph and every cell is painted, and no light text ever stands on white paper. On a
light ground, dark text can be read on any paper, and nothing is painted but what the template paints.

`looks` says how elements look, `styles` how that is written, `rendering` keeps the space between them, and `frame` is the
document around the text; the rest is one module for each kind of construct.
"""

from collections.abc import Mapping

from mdpublish_core.destinations import html
from mdpublish_core.destinations.setting import Setting
from mdpublish_core.destinations.styled import write_styled
from mdpublish_core.destinations.word import blocks, footnotes, inlines, lists, tables
from mdpublish_core.destinations.word.frame import end_document, start_document
from mdpublish_core.destinations.word.looks import Look, project_for
from mdpublish_core.destinations.word.rendering import Rendering
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
)
from mdpublish_core.html import HtmlWriter
from mdpublish_core.templates.matcher import Styles


def render(document: Document, setting: Setting) -> str:
    """Return the whole document for Word."""

    def write(setting: Setting, styles: Styles[Look]) -> str:
        writer = HtmlWriter(trusted=document.trusted)
        page = styles.enter("&")
        start_document(writer, setting.style, document.title, page)
        rendering = Rendering(writer, RENDERERS, document, setting, styles)
        rendering.children(document)
        footnotes.write_footnotes(rendering)
        end_document(writer)
        styles.leave()
        return writer.finish()

    return write_styled(setting, "word", project_for(setting.style.template.fonts), write)


RENDERERS: Mapping[type[Token], html.Renderer] = {
    Heading: blocks.heading,
    SetextHeading: blocks.heading,
    Paragraph: blocks.paragraph,
    Quote: blocks.quote,
    Callout: blocks.callout,
    List: lists.list_,
    ListItem: lists.list_item,
    TaskItem: lists.task_item,
    CodeFence: blocks.code_block,
    BlockCode: blocks.code_block,
    Figure: blocks.figure,
    MathBlock: blocks.math_block,
    Table: tables.table,
    TableRow: tables.table_row,
    TableCell: tables.table_cell,
    ThematicBreak: blocks.thematic_break,
    FootnoteDefinition: footnotes.footnote_definition,
    HtmlBlock: blocks.html_block,
    HtmlElement: blocks.html_element,
    RawText: inlines.raw_text,
    Emphasis: inlines.emphasis,
    Strong: inlines.strong,
    Strikethrough: inlines.strikethrough,
    InlineCode: inlines.inline_code,
    Link: inlines.link,
    AutoLink: inlines.autolink,
    Image: inlines.image,
    LineBreak: inlines.line_break,
    MathSpan: inlines.math_span,
    FootnoteReference: inlines.footnote_reference,
    HtmlSpan: inlines.html_span,
}
