"""Destination `google-docs`: what Google Docs itself puts on the clipboard, and therefore reads back best.

All character properties stand on spans, all measures are in points; lists, tables and boxes to be ticked are Docs' own
(see `flow` and `tables`). The inline style of each paragraph and heading holds the name of its style, as in
`-aw-style-name:heading1`, beside the native element. What Docs writes is known from captures of its clipboard.

- Code, callouts, and quotations that the template draws with a bar, a box or lines are tables of one cell: so the bar
  is kept, and quotations, lists and code in them. A quotation that is only set in is an indented paragraph.
- A page in Docs is white, and what is pasted cannot change that. So a dark theme holds in cells, which are painted; text
  on the page has the template's light colours, since its dark ones could not be read there.
- Docs gives headings ids of its own and reads none, so that links within the document are plain text. Nor does its
  clipboard know footnotes: they are raised numbers, and a list at the end.
- A picture that is on no server is its text: Docs fetches pictures, and a mere path leads it nowhere.
"""

from collections.abc import Mapping
from functools import partial

from mdpublish_core.destinations import html
from mdpublish_core.destinations.google_docs import blocks, inlines
from mdpublish_core.destinations.google_docs.flow import Rendering
from mdpublish_core.destinations.google_docs.looks import Look, projection
from mdpublish_core.destinations.google_docs.tables import table
from mdpublish_core.destinations.google_docs.twofold import write_twofold
from mdpublish_core.destinations.runs import is_block
from mdpublish_core.destinations.setting import Setting
from mdpublish_core.destinations.styled import write_styled
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

# Docs looks up by this id what it copied itself; it has copied nothing by one that spells our name.
_ID = "docs-internal-guid-6d647075-626c-6973-6800-000000000000"


def render(document: Document, setting: Setting) -> str:
    """Return the document as the clipboard's HTML, styled by the template."""
    write = partial(_write, document)
    if setting.style.theme_mode == "dark":
        return write_twofold(setting, write)
    return write_styled(setting, "docs", projection(setting.style.template.fonts), write)


def _write(document: Document, setting: Setting, styles: Styles[Look]) -> str:
    writer = HtmlWriter(trusted=document.trusted)
    rendering = Rendering(writer, RENDERERS, document, setting, styles)
    writer.empty("meta", (("charset", "utf-8"),))
    writer.line()
    writer.start("b", (("style", "font-weight:normal"), ("id", _ID)))
    writer.line()
    rendering.start()
    rendering.children(document)
    if document.footnote_definitions:
        blocks.footnotes(rendering, document.footnote_definitions)
    styles.leave()
    writer.end()
    writer.line()
    return writer.finish()


def html_element(rendering: Rendering, token: HtmlElement) -> None:
    if is_block(token):
        blocks.ELEMENTS.get(token.tag, blocks.container)(rendering, token)
    else:
        inlines.ELEMENTS.get(token.tag, inlines.element)(rendering, token)


RENDERERS: Mapping[type[Token], html.Renderer] = {
    Heading: blocks.heading,
    SetextHeading: blocks.heading,
    Paragraph: blocks.paragraph,
    Quote: blocks.quote,
    Callout: blocks.callout,
    List: blocks.list_,
    ListItem: blocks.list_item,
    TaskItem: blocks.list_item,
    CodeFence: blocks.code_block,
    BlockCode: blocks.code_block,
    Figure: blocks.figure,
    MathBlock: blocks.math_block,
    Table: table,
    TableRow: blocks.table_row,
    TableCell: blocks.table_cell,
    ThematicBreak: blocks.thematic_break,
    FootnoteDefinition: blocks.footnote_definition,
    HtmlBlock: blocks.html_block,
    HtmlElement: html_element,
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
