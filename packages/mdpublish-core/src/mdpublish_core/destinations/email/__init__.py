"""Destination `email`: a whole HTML mail, with every style where it is needed and only what all clients that count know.

Those are Apple Mail, Gmail, Outlook, Yahoo and Samsung's, on every system, by caniemail's data; what some of them need
beyond it is said where it is done. `frame` and `head` write what is around the text, `blocks`, `tables`, `elements` and `inlines`
write the text, `rendering` sets blocks apart, and `look` says what style an element gets, in the words of `vocabulary`.

The mail's own pictures are named by their content ids and handed over as the conversion's media. Gmail shows the first
102,400 bytes of a mail: a longer one is told of by a notice.
"""

from functools import partial

from mdpublish_core.destinations.directions import Direction
from mdpublish_core.destinations.email import blocks, inlines
from mdpublish_core.destinations.email.elements import html_element
from mdpublish_core.destinations.email.frame import close_frame, direction_of_document, open_frame, text_width
from mdpublish_core.destinations.email.head import head_of
from mdpublish_core.destinations.email.look import Look, project, project_mirrored
from mdpublish_core.destinations.email.rendering import Rendering
from mdpublish_core.destinations.email.tables import table
from mdpublish_core.destinations.setting import Setting
from mdpublish_core.destinations.styled import write_styled
from mdpublish_core.html import HtmlWriter
from mdpublish_core.nodes import Document
from mdpublish_core.templates.matcher import Styles

MOST_BYTES = 102_400
"""Of a mail: Gmail hides what comes after about so many behind a link, and with it the mail's end."""


class EmailRenderer(Rendering):
    """A document on its way to a mail, a method a class of nodes; rows and cells are written by their tables."""

    render_heading = blocks.heading
    render_paragraph = blocks.paragraph
    render_quote = blocks.quote
    render_callout = blocks.callout
    render_list = blocks.list_
    render_list_item = blocks.list_item
    render_task_item = blocks.task_item
    render_code_block = blocks.code_block
    render_figure = blocks.figure
    render_math_block = blocks.math_block
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
    render_table = table
    render_html_element = html_element

    @classmethod
    def render(cls, document: Document, setting: Setting) -> str:
        """Return the mail; the author is told where it is longer than Gmail shows."""
        direction = direction_of_document(document)
        chosen = project_mirrored if direction == "rtl" else project
        html = write_styled(setting, "email", chosen, partial(cls.write_mail, document, direction))
        if 4 * len(html) > MOST_BYTES and (size := len(html.encode())) > MOST_BYTES:
            setting.notice(
                "email_size",
                f"the mail has {size:,} bytes; Gmail shows the first {MOST_BYTES:,} and hides the rest behind a link",
            )
        return html

    @classmethod
    def write_mail(cls, document: Document, direction: Direction, setting: Setting, styles: Styles[Look]) -> str:
        """Return the mail; `styles` is a cursor over the rules."""
        style = setting.style
        writer = HtmlWriter(trusted=document.trusted)
        rendering = cls(writer, document, setting, styles)
        head = head_of(style, project_mirrored if direction == "rtl" else project)
        rendering.direction = rendering.mail_direction = direction
        rendering.width, rendering.usual = text_width(style), head.cells
        look = styles.enter("&")
        open_frame(rendering, document, look, head)
        rendering.blocks(document.children, is_last=not document.footnote_definitions)
        if document.footnote_definitions:
            blocks.footnotes(rendering, document.footnote_definitions)
        close_frame(writer)
        styles.leave()
        return writer.finish()


render = EmailRenderer.render
