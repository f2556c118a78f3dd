"""Destination `word`: a document in Word's HTML dialect, to be pasted or opened.

Paragraphs, runs and cells carry inline styles, because pasting drops stylesheets, and the page color. Dark themes therefore apply
in cells, and the page has the light colors, on white.
"""

from mdpublish_core.css.matcher import Styles
from mdpublish_core.html import HtmlWriter
from mdpublish_core.nodes import (
    Document,
)
from mdpublish_core.templates.style import bind
from mdpublish_core.writers.context import RenderContext
from mdpublish_core.writers.styled.dark_mode import render_dark_mode
from mdpublish_core.writers.styled.inline_style import render_inline_styles
from mdpublish_core.writers.word import blocks, footnotes, inlines, lists, tables
from mdpublish_core.writers.word.computed_styles import WordStyle, style_factory
from mdpublish_core.writers.word.document import end_document, start_document
from mdpublish_core.writers.word.layout import WordLayout


class WordRenderer(WordLayout):
    """Renders a document for Word."""

    render_heading = blocks.heading
    render_paragraph = blocks.paragraph
    render_quote = blocks.quote
    render_callout = blocks.callout
    render_list = lists.list_
    render_list_item = lists.list_item
    render_task_item = lists.task_item
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
    render_auto_link = inlines.autolink
    render_image = inlines.image
    render_line_break = inlines.line_break
    render_math_span = inlines.math_span
    render_footnote_reference = inlines.footnote_reference
    render_html_span = inlines.html_span

    @classmethod
    def render(cls, document: Document, context: RenderContext) -> str:
        def write(context: RenderContext, styles: Styles[WordStyle]) -> str:
            writer = HtmlWriter(trusted=document.trusted, max_characters=context.max_output_bytes)
            page = styles.enter("&")
            renderer = cls(writer, document, context, styles)
            light = bind(context.style.template, "light")
            start_document(writer, light, document.title, page, direction=renderer.base_direction, is_white=is_dark)
            renderer.write_children(document)
            footnotes.write_footnotes(renderer)
            end_document(writer)
            styles.leave()
            return writer.finish()

        is_dark = context.style.theme_mode == "dark"
        render = render_dark_mode if is_dark else render_inline_styles
        return render(context, "word", style_factory(context.style.template.fonts), write)


render = WordRenderer.render
