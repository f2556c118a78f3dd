"""The renderer: a method for each class of nodes."""

from mdpublish_core.writers.docx import blocks, footnotes, inlines, lists, tables
from mdpublish_core.writers.docx.layout import DocxLayout


class DocxRenderer(DocxLayout):
    """Renders a document as the body of a Word file."""

    render_heading = blocks.heading
    render_paragraph = blocks.paragraph
    render_quote = blocks.quote
    render_callout = blocks.callout
    render_list = lists.list_
    render_list_item = lists.list_item
    render_task_item = lists.list_item
    render_code_block = blocks.code_block
    render_figure = blocks.figure
    render_math_block = blocks.math_block
    render_table = tables.table
    render_table_row = tables.table_row
    render_table_cell = tables.table_cell
    render_thematic_break = blocks.thematic_break
    render_footnote_definition = footnotes.footnote_definition
    render_html_block = blocks.html_block
    render_html_element = blocks.html_element
    render_raw_text = inlines.raw_text
    render_emphasis = inlines.emphasis
    render_strong = inlines.strong
    render_strikethrough = inlines.strikethrough
    render_inline_code = inlines.inline_code
    render_link = inlines.link
    render_auto_link = inlines.auto_link
    render_image = inlines.image
    render_line_break = inlines.line_break
    render_math_span = inlines.math_span
    render_footnote_reference = inlines.footnote_reference
    render_html_span = inlines.html_span
    render_inline_html_element = inlines.inline_element
