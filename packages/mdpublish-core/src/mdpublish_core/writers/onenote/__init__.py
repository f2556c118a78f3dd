"""Destination `onenote`: XHTML for Microsoft Graph ("Input and output HTML in OneNote pages").

Pages are always white. Light themes are written without a background, because content in a table is harder to edit;
dark themes put the whole page into one painted cell. Graph fetches remote images.
"""

from mdpublish_core.css.matcher import Styles
from mdpublish_core.html import HtmlWriter
from mdpublish_core.nodes import (
    Document,
    Token,
)
from mdpublish_core.resources.characters import replace_invalid
from mdpublish_core.writers.context import RenderContext
from mdpublish_core.writers.onenote import blocks, inlines, lists
from mdpublish_core.writers.onenote.layout import PAGE_WIDTH, OneNoteLayout
from mdpublish_core.writers.onenote.styles import OneNoteStyle, style_factory
from mdpublish_core.writers.onenote.tables import table
from mdpublish_core.writers.styled import inline_style

_UNTITLED = "Untitled"


def _write_page(renderer: OneNoteLayout, document: Document) -> None:
    writer = renderer.writer
    style = renderer.styles.enter("&")
    writer.doctype()
    writer.start("html")
    writer.line()
    writer.start("head")
    writer.line()
    writer.start("title")
    writer.write_text(" ".join(replace_invalid(document.title or _UNTITLED).split()))
    writer.end()
    writer.line()
    writer.empty("meta", (("charset", "utf-8"),))
    writer.line()
    writer.end()
    writer.line()
    writer.start("body", (("style", style.page_style),))
    writer.line()
    if style.is_painted:
        renderer.start_table(has_borders=False)
        renderer.start_row()
        renderer.start_cell(f"background-color:{style.background};width:{PAGE_WIDTH}px")
    _write_content(renderer, document)
    for _ in range(3 * style.is_painted):
        renderer.end_block()
    writer.end()
    writer.line()
    writer.end()
    writer.line()
    renderer.styles.leave()


def _write_content(renderer: OneNoteLayout, document: Document) -> None:
    renderer.write_tokens(document.children)
    footnotes = document.footnote_definitions
    if footnotes:
        style = renderer.styles.enter("section.footnotes", last=True)
        if style.top_border:
            blocks.write_rule(renderer, style)
        lists.write_footnotes(renderer, footnotes)
        renderer.styles.leave()


def write_part(renderer: OneNoteLayout, token: Token) -> None:
    """Only in trees built by hand."""
    renderer.write_flow(token.children or ())


class OneNoteRenderer(OneNoteLayout):
    """Renders a document to a OneNote page."""

    render_heading = blocks.heading
    render_paragraph = blocks.paragraph
    render_quote = blocks.quote
    render_callout = blocks.callout
    render_list = lists.list_
    render_list_item = write_part
    render_task_item = write_part
    render_code_block = blocks.code_block
    render_figure = blocks.figure
    render_math_block = blocks.math_block
    render_table = table
    render_table_row = write_part
    render_table_cell = write_part
    render_thematic_break = blocks.thematic_break
    render_footnote_definition = write_part
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
    def render(cls, document: Document, context: RenderContext) -> str:
        def write(context: RenderContext, styles: Styles[OneNoteStyle]) -> str:
            writer = HtmlWriter(trusted=document.trusted, max_characters=context.max_output_bytes)
            _write_page(cls(writer, document, context, styles), document)
            return writer.finish()

        return inline_style.render_inline_styles(context, "word", style_factory(context.style.template.fonts), write)


render = OneNoteRenderer.render
