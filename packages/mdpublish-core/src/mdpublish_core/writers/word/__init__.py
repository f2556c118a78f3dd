"""Destination `word`: a document in Word's HTML dialect, to be pasted or opened.

Paragraphs, runs and cells carry inline styles, because pasting drops stylesheets, and the page color. Dark themes
therefore apply in cells, and the page has the light colors, on white.
"""

from mdpublish_core.css.matcher import Styles
from mdpublish_core.html import HtmlWriter
from mdpublish_core.nodes import Document
from mdpublish_core.templates.style import bind
from mdpublish_core.writers.context import RenderContext
from mdpublish_core.writers.styled.stylesheets import render_on_white
from mdpublish_core.writers.word.blocks import WordBlocks
from mdpublish_core.writers.word.document import end_document, start_document
from mdpublish_core.writers.word.tables import table
from mdpublish_core.writers.word_model.computed_styles import WordStyle, style_factory


class WordRenderer(WordBlocks):
    """Renders a document for Word."""

    write_table = table

    @classmethod
    def render(cls, document: Document, context: RenderContext) -> str:
        def write(context: RenderContext, styles: Styles[WordStyle]) -> str:
            writer = HtmlWriter(trusted=document.trusted, max_characters=context.max_output_bytes)
            page = styles.enter("&")
            renderer = cls(writer, document, context, styles)
            light = bind(context.style.template, "light")
            direction, lang = renderer.base_direction, context.lang
            start_document(writer, light, document.title, page, lang=lang, direction=direction, is_white=is_dark)
            renderer.write_tokens(document.children)
            renderer.write_footnotes()
            end_document(writer)
            styles.leave()
            return writer.finish()

        is_dark = context.style.theme_mode == "dark"
        return render_on_white(context, "word", style_factory(context.style.template.fonts), write)


render = WordRenderer.render
