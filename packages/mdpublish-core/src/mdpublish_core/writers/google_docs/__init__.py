"""Destination `google-docs`: the HTML that Google Docs itself puts on the clipboard, known from captures.

Pages are white, and pasting can't change that: dark themes apply in painted cells, and text on the page has the light
colors. Internal links become text: on Docs' own clipboard they are URLs of the document they were copied from
(`https://docs.google.com/document/d/…/edit#heading=h.…`), headings have no ids, and Docs gives pasted ones new ids. Its clipboard
has no footnotes. Docs fetches images;
those not on a server or embedded become alt text.
"""

from functools import partial

from mdpublish_core.css.matcher import Styles
from mdpublish_core.html import HtmlWriter
from mdpublish_core.nodes import (
    Document,
    HtmlElement,
)
from mdpublish_core.writers.context import RenderContext
from mdpublish_core.writers.google_docs import blocks, inlines
from mdpublish_core.writers.google_docs.layout import GoogleDocsLayout
from mdpublish_core.writers.google_docs.styles import GoogleDocsStyle, style_factory
from mdpublish_core.writers.google_docs.tables import table
from mdpublish_core.writers.structure.block_runs import is_block
from mdpublish_core.writers.styled.dark_mode import render_dark_mode
from mdpublish_core.writers.styled.inline_style import render_inline_styles

# Docs looks up its own copies by this id; ours spells "mdpublish".
_WRAPPER_ID = "docs-internal-guid-6d647075-626c-6973-6800-000000000000"


class GoogleDocsRenderer(GoogleDocsLayout):
    """Renders a document to the clipboard HTML."""

    render_heading = blocks.heading
    render_paragraph = blocks.paragraph
    render_quote = blocks.quote
    render_callout = blocks.callout
    render_list = blocks.list_
    render_list_item = blocks.list_item
    render_task_item = blocks.list_item
    render_code_block = blocks.code_block
    render_figure = blocks.figure
    render_math_block = blocks.math_block
    render_table = table
    render_table_row = blocks.table_row
    render_table_cell = blocks.table_cell
    render_thematic_break = blocks.thematic_break
    render_footnote_definition = blocks.footnote_definition
    render_html_block = blocks.html_block
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

    def render_html_element(self, token: HtmlElement) -> None:
        if is_block(token):
            blocks.ELEMENTS.get(token.tag, blocks.container)(self, token)
        else:
            inlines.ELEMENTS.get(token.tag, inlines.inline_element)(self, token)

    @classmethod
    def render(cls, document: Document, context: RenderContext) -> str:
        write = partial(cls._write, document)
        render = render_dark_mode if context.style.theme_mode == "dark" else render_inline_styles
        return render(context, "docs", style_factory(context.style.template.fonts), write)

    @classmethod
    def _write(cls, document: Document, context: RenderContext, styles: Styles[GoogleDocsStyle]) -> str:
        writer = HtmlWriter(trusted=document.trusted, max_characters=context.max_output_bytes)
        renderer = cls(writer, document, context, styles)
        writer.empty("meta", (("charset", "utf-8"),))
        writer.line()
        writer.start("b", (("style", "font-weight:normal"), ("id", _WRAPPER_ID)))
        writer.line()
        renderer.start_root()
        renderer.write_children(document)
        if document.footnote_definitions:
            blocks.write_footnotes(renderer, document.footnote_definitions)
        styles.leave()
        writer.end()
        writer.line()
        return writer.finish()


render = GoogleDocsRenderer.render
