"""Destination `google-docs`: the HTML that Google Docs itself puts on the clipboard, known from captures.

Pages are white, and pasting can't change that: dark themes apply in painted cells, and text on the page has the light
colors. Internal links become text: on Docs' own clipboard they are URLs of the document they were copied from
(`https://docs.google.com/document/d/…/edit#heading=h.…`), headings have no ids, and Docs gives pasted ones new ids. Its
clipboard has no footnotes. Docs fetches images; those not on a server or embedded become alt text.
"""

from functools import partial

from mdpublish_core.css.matcher import Styles
from mdpublish_core.html import HtmlWriter
from mdpublish_core.nodes import Document
from mdpublish_core.writers.context import RenderContext
from mdpublish_core.writers.google_docs.blocks import GoogleDocsBlocks
from mdpublish_core.writers.google_docs.styles import GoogleDocsStyle, style_factory
from mdpublish_core.writers.google_docs.tables import table
from mdpublish_core.writers.styled.stylesheets import render_on_white

# Docs looks up its own copies by this id; ours spells "mdpublish".
_WRAPPER_ID = "docs-internal-guid-6d647075-626c-6973-6800-000000000000"


class GoogleDocsRenderer(GoogleDocsBlocks):
    """Renders a document to the clipboard HTML."""

    write_table = table

    @classmethod
    def render(cls, document: Document, context: RenderContext) -> str:
        write = partial(cls._write, document)
        return render_on_white(context, "docs", style_factory(context.style.template.fonts), write)

    @classmethod
    def _write(cls, document: Document, context: RenderContext, styles: Styles[GoogleDocsStyle]) -> str:
        writer = HtmlWriter(trusted=document.trusted, max_characters=context.max_output_bytes)
        renderer = cls(writer, document, context, styles)
        writer.empty_line("meta", (("charset", "utf-8"),))
        writer.start_line("b", (("style", "font-weight:normal"), ("id", _WRAPPER_ID)))
        renderer.start_root()
        renderer.write_blocks(document.children)
        renderer.write_footnotes()
        styles.leave()
        writer.end_line()
        return writer.finish()


render = GoogleDocsRenderer.render
