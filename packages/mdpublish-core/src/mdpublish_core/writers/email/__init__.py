"""Destination `email`: a complete HTML email.

It uses only what Apple Mail, Gmail, Outlook, Yahoo and Samsung Email support on all systems, according to caniemail.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial

from mdpublish_core import nodes
from mdpublish_core.css.matcher import Styles
from mdpublish_core.data_files import read_pairs
from mdpublish_core.html import HtmlWriter
from mdpublish_core.nodes import Document, HtmlElement, Table
from mdpublish_core.writers.context import RenderContext
from mdpublish_core.writers.email.blocks import EmailBlocks
from mdpublish_core.writers.email.document import content_width, end_document, start_document
from mdpublish_core.writers.email.head import build_head
from mdpublish_core.writers.email.styles import EmailStyle, compute_mirrored_style, compute_style
from mdpublish_core.writers.structure.bidi import Direction, document_direction
from mdpublish_core.writers.structure.block_runs import only_image
from mdpublish_core.writers.styled.stylesheets import render_inline_styles

MAX_BYTES = 98_999
"""Gmail was seen to clip messages of 99,507 bytes and more, and to show up to 100,217."""

_KINDS = read_pairs(__file__, "kinds.tsv")
"""What a notice calls the blocks of a document; others are text."""

_MAX_NAMED_KINDS = 3

_CLIPPED = "Gmail clips it near 100,000 and links to the rest: shorten it, or link to a page"


class EmailRenderer(EmailBlocks):
    """Renders a document to an email."""

    def write_table(self, token: Table | HtmlElement) -> None:
        from mdpublish_core.writers.email.tables import table

        table(self, token)

    def write_document(self) -> Iterator[int]:
        """Write the blocks, and yield the position after each."""
        children, has_footnotes = self.document.children, bool(self.document.footnote_definitions)
        for number, token in enumerate(children, 1):
            self.is_last = number == len(children) and not has_footnotes
            self.methods[type(token)](self, token)
            yield self.writer.position
        self.write_footnotes()

    @classmethod
    def render(cls, document: Document, context: RenderContext) -> str:
        direction = document_direction(document)
        make_style = compute_mirrored_style if direction == "rtl" else compute_style
        write = partial(cls.write_mail, document, direction)
        return render_inline_styles(context, "email", make_style, write, has_tables=document.has_tables)

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
        renderer.code_face = head.code_face
        text_style = styles.enter("&")
        positions = [*renderer.write_document()]
        renderer.write_linked_anchors()
        styles.leave()
        writer = HtmlWriter()
        start_document(writer, renderer, document, text_style, head.css)
        writer.append(content)
        end_document(writer)
        html = writer.finish()
        if 4 * len(html) > MAX_BYTES and (size := len(html.encode(errors="replace"))) > MAX_BYTES:
            context.notice(
                "message-too-long",
                f"the email has {size:,} bytes ({_weights(content, document, positions)}); {_CLIPPED}",
            )
        return html


def _weights(content: HtmlWriter, document: Document, positions: Sequence[int]) -> str:
    """Return what weighs most, in bytes."""
    sizes: Counter[str] = Counter()
    for token, start, end in zip(document.children, (0, *positions), positions, strict=False):
        is_image = isinstance(token, nodes.Paragraph) and only_image(token.children)
        kind = "images" if is_image else _KINDS.get(type(token).__name__, "text")
        sizes[kind] += content.size_between(start, end)
    return ", ".join(f"{kind} {size:,}" for kind, size in sizes.most_common(_MAX_NAMED_KINDS))


render = EmailRenderer.render
