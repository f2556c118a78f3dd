"""Destination `email`: a whole HTML mail, with every style where it is needed and only what all clients that count know.

Those are Apple Mail, Gmail, Outlook, Yahoo and Samsung's, on every system, by caniemail's data; what some of them need
beyond it is said where it is done. `frame` and `head` write what is around the text, `blocks`, `tables`, `elements` and `inlines`
write the text, `rendering` sets blocks apart, and `look` says what style an element gets, in the words of `vocabulary`.

The mail's own pictures are named by their content ids and handed over as the conversion's media. Gmail shows the first
102,400 bytes of a mail: a longer one is told of by a notice.
"""

from collections.abc import Mapping
from functools import partial

from mdpublish_core.destinations.directions import Direction
from mdpublish_core.destinations.email.blocks import BLOCKS, footnotes
from mdpublish_core.destinations.email.elements import html_element
from mdpublish_core.destinations.email.frame import close_frame, direction_of_document, open_frame, text_width
from mdpublish_core.destinations.email.head import head_of
from mdpublish_core.destinations.email.inlines import INLINES
from mdpublish_core.destinations.email.look import Look, project, project_mirrored
from mdpublish_core.destinations.email.rendering import Rendering
from mdpublish_core.destinations.email.tables import table
from mdpublish_core.destinations.html import Renderer, table_cell, table_row
from mdpublish_core.destinations.setting import Setting
from mdpublish_core.destinations.styled import write_styled
from mdpublish_core.document import Document, HtmlElement, Table, TableCell, TableRow, Token
from mdpublish_core.html import HtmlWriter
from mdpublish_core.templates.matcher import Styles

MOST_BYTES = 102_400
"""Of a mail: Gmail hides what comes after about so many behind a link, and with it the mail's end."""


def render(document: Document, setting: Setting) -> str:
    """Return the mail; the author is told where it is longer than Gmail shows."""
    direction = direction_of_document(document)
    chosen = project_mirrored if direction == "rtl" else project
    html = write_styled(setting, "email", chosen, partial(write_mail, document, direction))
    if 4 * len(html) > MOST_BYTES and (size := len(html.encode())) > MOST_BYTES:
        setting.notice(
            "email_size",
            f"the mail has {size:,} bytes; Gmail shows the first {MOST_BYTES:,} and hides the rest behind a link",
        )
    return html


def write_mail(document: Document, direction: Direction, setting: Setting, styles: Styles[Look]) -> str:
    style = setting.style
    writer = HtmlWriter(trusted=document.trusted)
    rendering = Rendering(writer, RENDERERS, document, setting, styles)
    head = head_of(style, project_mirrored if direction == "rtl" else project)
    rendering.direction = rendering.mail_direction = direction
    rendering.width, rendering.usual = text_width(style), head.cells
    look = styles.enter("&")
    open_frame(rendering, document, look, head)
    rendering.blocks(document.children, is_last=not document.footnote_definitions)
    if document.footnote_definitions:
        footnotes(rendering, document.footnote_definitions)
    close_frame(writer)
    styles.leave()
    return writer.finish()


RENDERERS: Mapping[type[Token], Renderer] = {
    **BLOCKS,
    **INLINES,
    HtmlElement: html_element,
    Table: table,
    # Never called: `tables` writes them.
    TableRow: table_row,
    TableCell: table_cell,
}
