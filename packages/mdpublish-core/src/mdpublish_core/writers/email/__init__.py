"""Destination `email`: a complete HTML email.

It uses only what Apple Mail, Gmail, Outlook, Yahoo and Samsung Email support on all systems, according to caniemail.
"""

from functools import partial

from mdpublish_core.css.matcher import Styles
from mdpublish_core.html import HtmlWriter
from mdpublish_core.nodes import Document, HtmlElement, Table
from mdpublish_core.writers.context import RenderContext
from mdpublish_core.writers.email.blocks import EmailBlocks
from mdpublish_core.writers.email.document import content_width, end_document, start_document
from mdpublish_core.writers.email.head import build_head
from mdpublish_core.writers.email.styles import EmailStyle, compute_mirrored_style, compute_style
from mdpublish_core.writers.structure.bidi import Direction, document_direction
from mdpublish_core.writers.styled.stylesheets import render_inline_styles

MAX_BYTES = 102_400
"""Gmail clips longer messages."""


class EmailRenderer(EmailBlocks):
    """Renders a document to an email."""

    def write_table(self, token: Table | HtmlElement) -> None:
        from mdpublish_core.writers.email.tables import table

        table(self, token)

    @classmethod
    def render(cls, document: Document, context: RenderContext) -> str:
        """Add a notice if Gmail would clip the email."""
        direction = document_direction(document)
        make_style = compute_mirrored_style if direction == "rtl" else compute_style
        write = partial(cls.write_mail, document, direction)
        html = render_inline_styles(context, "email", make_style, write, has_tables=document.has_tables)
        if 4 * len(html) > MAX_BYTES and (size := len(html.encode())) > MAX_BYTES:
            context.notice(
                "email-too-long",
                f"the email has {size:,} bytes; Gmail clips it after {MAX_BYTES:,} and links to the rest",
            )
        return html

    @classmethod
    def write_mail(
        cls, document: Document, direction: Direction, context: RenderContext, styles: Styles[EmailStyle]
    ) -> str:
        style = context.style
        content = HtmlWriter(trusted=document.trusted, max_characters=context.max_output_bytes)
        renderer = cls(content, document, context, styles)
        make_style = compute_mirrored_style if direction == "rtl" else compute_style
        head = build_head(style, make_style, has_tables=document.has_tables)
        renderer.direction = renderer.mail_direction = direction
        renderer.width, renderer.valigns = content_width(style), head.valigns
        text_style = styles.enter("&")
        renderer.write_blocks(document.children, is_last=not document.footnote_definitions)
        renderer.write_footnotes()
        renderer.write_linked_anchors()
        styles.leave()
        writer = HtmlWriter()
        start_document(writer, renderer, document, text_style, head.css)
        writer.append(content)
        end_document(writer)
        return writer.finish()


render = EmailRenderer.render
