"""Destination `onenote`: a page in the HTML that Microsoft Graph takes for OneNote, and nothing else.

It is well-formed XHTML of the elements, attributes and properties that Graph lists ("Input and output HTML in OneNote
pages"); `looks` knows what of a style there is a word for. What OneNote has no word for becomes the nearest thing: boxes,
quotes and code are tables of one row, rules are characters, numbers that it cannot count are text.

A page in OneNote is white, and nothing changes that. Light templates are written on it as they are, since what can be
read on their own light ground is read on white, too; tinting all of a page would put it into a table, where it is harder to
work on. Where the text is light, there is no other way: the whole page is one cell of the template's ground. Each block
then says its colour, so that none depends on what is kept of the page around it.

Pictures on other servers are named by their address, from where Graph fetches them; those in the document by `data:`, or
as the caller likes; any other, such as one beside the Markdown file, is out of reach there and shown by its text.
"""

from mdpublish_core.destinations import styled
from mdpublish_core.destinations.onenote import blocks, inlines, lists
from mdpublish_core.destinations.onenote.looks import Look, projection
from mdpublish_core.destinations.onenote.rendering import PAGE_WIDTH, Rendering, clean
from mdpublish_core.destinations.onenote.tables import table
from mdpublish_core.destinations.setting import Setting
from mdpublish_core.html import HtmlWriter
from mdpublish_core.nodes import (
    Document,
    Token,
)
from mdpublish_core.templates.matcher import Styles

_UNTITLED = "Untitled"


def _page(rendering: Rendering, document: Document) -> None:
    writer = rendering.writer
    look = rendering.styles.enter("&")
    writer.doctype()
    writer.start("html")
    writer.line()
    writer.start("head")
    writer.line()
    writer.start("title")
    writer.text(" ".join(clean(document.title or _UNTITLED).split()))
    writer.end()
    writer.line()
    writer.empty("meta", (("charset", "utf-8"),))
    writer.line()
    writer.end()
    writer.line()
    writer.start("body", (("style", look.of_page),))
    writer.line()
    if look.is_painted:
        rendering.start_table(is_ruled=False)
        rendering.start_row()
        rendering.start_cell(f"background-color:{look.ground};width:{PAGE_WIDTH}px")
    _content(rendering, document)
    for _ in range(3 * look.is_painted):
        rendering.end()
    writer.end()
    writer.line()
    writer.end()
    writer.line()
    rendering.styles.leave()


def _content(rendering: Rendering, document: Document) -> None:
    rendering.tokens(document.children)
    notes = document.footnote_definitions
    if notes:
        look = rendering.styles.enter("section.footnotes", last=True)
        if look.line:
            blocks.rule(rendering, look)
        lists.footnotes(rendering, notes)
        rendering.styles.leave()


def part(rendering: Rendering, token: Token) -> None:
    """Write what stands in a part of something else, where someone built a tree in which it stands alone."""
    rendering.flow(token.children or ())


class OneNoteRenderer(Rendering):
    """A document on its way to OneNote, a method a class of nodes."""

    render_heading = blocks.heading
    render_paragraph = blocks.paragraph
    render_quote = blocks.quote
    render_callout = blocks.callout
    render_list = lists.list_
    render_list_item = part
    render_task_item = part
    render_code_block = blocks.code_block
    render_figure = blocks.figure
    render_math_block = blocks.math_block
    render_table = table
    render_table_row = part
    render_table_cell = part
    render_thematic_break = blocks.thematic_break
    render_footnote_definition = part
    render_html_block = blocks.html_block
    render_html_element = blocks.html_element
    render_raw_text = inlines.raw_text
    render_emphasis = inlines.emphasis
    render_strong = inlines.strong
    render_strikethrough = inlines.strikethrough
    render_inline_code = inlines.inline_code
    render_link = inlines.link
    render_auto_link = inlines.autolink
    render_image = inlines.image
    render_line_break = inlines.line_break
    render_math_span = inlines.math_span
    render_footnote_reference = inlines.footnote_reference
    render_html_span = inlines.html_span

    @classmethod
    def render(cls, document: Document, setting: Setting) -> str:
        """Return the document as a page for OneNote."""

        def write(setting: Setting, styles: Styles[Look]) -> str:
            writer = HtmlWriter(trusted=document.trusted)
            _page(cls(writer, document, setting, styles), document)
            return writer.finish()

        return styled.write_styled(setting, "word", projection(setting.style.template.fonts), write)


render = OneNoteRenderer.render
