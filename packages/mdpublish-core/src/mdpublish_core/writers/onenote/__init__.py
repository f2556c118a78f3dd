"""Destination `onenote`: XHTML for Microsoft Graph ("Input and output HTML in OneNote pages").

Pages are always white. Light themes are written without a background, because content in a table is harder to edit;
dark themes put the whole page into one painted cell. Graph fetches remote images.
"""

from mdpublish_core.css.matcher import Styles
from mdpublish_core.html import HtmlWriter
from mdpublish_core.nodes import Document
from mdpublish_core.resources.characters import replace_invalid
from mdpublish_core.writers.context import RenderContext
from mdpublish_core.writers.onenote.blocks import OneNoteBlocks
from mdpublish_core.writers.onenote.layout import PAGE_WIDTH, OneNoteLayout
from mdpublish_core.writers.onenote.styles import OneNoteStyle, style_factory
from mdpublish_core.writers.onenote.tables import table
from mdpublish_core.writers.styled.stylesheets import render_inline_styles


def _write_page(renderer: OneNoteLayout, document: Document) -> None:
    writer = renderer.writer
    style = renderer.styles.enter("&")
    writer.doctype()
    writer.start_line("html", (("lang", renderer.context.lang),))
    writer.start_line("head")
    writer.element_line(
        "title", " ".join(replace_invalid(document.title or renderer.context.words["untitled"]).split())
    )
    writer.empty_line("meta", (("charset", "utf-8"),))
    writer.end_line()
    writer.start_line("body", (("style", style.page_style),))
    if style.is_painted:
        renderer.start_table(has_borders=False)
        renderer.start_row()
        renderer.start_cell(f"background-color:{style.background};width:{PAGE_WIDTH}px")
    renderer.write_tokens(document.children)
    renderer.write_footnotes()
    for _ in range(3 * style.is_painted):
        renderer.writer.end_line()
    writer.end_line()
    writer.end_line()
    renderer.styles.leave()


class OneNoteRenderer(OneNoteBlocks):
    """Renders a document to a OneNote page."""

    write_table = table

    @classmethod
    def render(cls, document: Document, context: RenderContext) -> str:
        def write(context: RenderContext, styles: Styles[OneNoteStyle]) -> str:
            writer = HtmlWriter(trusted=document.trusted, max_characters=context.max_output_bytes)
            _write_page(cls(writer, document, context, styles), document)
            return writer.finish()

        return render_inline_styles(context, "word", style_factory(context.style.template.fonts), write)


render = OneNoteRenderer.render
