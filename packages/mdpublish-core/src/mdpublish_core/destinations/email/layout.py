"""A document on its way to a mail: where the writer stands, and how blocks are set apart.

The space between two blocks is the greater one of what is below the first and above the second, as in CSS. A paragraph
has its space as a margin, but a table can have none that Outlook heeds; so what a box wants below itself is `pending_margin`, and
the next block pays it: a paragraph with its margin, a box with a row of that height.
"""

from collections.abc import Mapping, Sequence

from mdpublish_core.destinations.bidi import Direction, detect_direction
from mdpublish_core.destinations.block_runs import group_runs, is_block
from mdpublish_core.destinations.context import RenderContext
from mdpublish_core.destinations.email.client_support import HEADINGS
from mdpublish_core.destinations.email.images import standalone_images
from mdpublish_core.destinations.email.styles import ComputedStyle
from mdpublish_core.destinations.inline_style import NBSP, InlineStyleRenderer
from mdpublish_core.html import Attributes, HtmlWriter
from mdpublish_core.nodes import Document, Token
from mdpublish_core.resources.urls import encode_url, is_safe_url
from mdpublish_core.templates.matcher import Styles

LAYOUT_ATTRIBUTES = (("role", "presentation"), ("width", "100%"), ("cellpadding", 0), ("cellspacing", 0))
"""The attributes of a table that lays out and holds no data."""

# A cell that is nothing but its height or its border: its text, which some clients want, has no height of its own.
FLAT_STYLE = "font-size:1px;line-height:0"


class Layout(InlineStyleRenderer[ComputedStyle]):
    """A document on its way to a mail.

    `width` is that of the text, in px. `direction` is that of the text at hand, `mail_direction` that of the whole mail,
    which the looks are made for; `alignment` is how an author's element around the text aligns it. `has_brackets` tells
    whether the author wrote brackets for the reading of a word. `pending_margin` is the space in px that a box wants below itself,
    `applied_margin` the margin that is below the last block already. `default_styles` holds the looks of `td` and `th` where they usually
    stand, whose fonts the style in head gives Outlook.
    """

    def __init__(
        self,
        writer: HtmlWriter,
        document: Document,
        context: RenderContext,
        styles: Styles[ComputedStyle],
    ) -> None:
        super().__init__(writer, document, context, styles)
        self.is_trusted = document.trusted
        self.width = 0
        self.default_styles: Mapping[str, ComputedStyle] = {}
        self.direction: Direction = "ltr"
        self.mail_direction: Direction = "ltr"
        self.alignment: str | None = None
        self._inlines: Sequence[Token] = ()
        self._standalone_images: frozenset[int] | None = None
        self._line_tag: str | None = None
        self._is_after_image = self._is_line_open = False
        self.has_brackets = False
        self.pending_margin = 0
        self.applied_margin = 0
        self._written_anchors: set[str] = set()

    # Blocks of text

    def start_spaced(self, tag: str, style: ComputedStyle, attributes: Attributes = ()) -> None:
        """Open an element that may have margins, so far below the last block as either wants."""
        pending_margin, self.pending_margin, self.applied_margin = self.pending_margin, 0, 0
        style_attributes = (
            style.with_margin_above(pending_margin) if pending_margin > style.margins[0] else style.attributes
        )
        self.writer.line()
        if attributes:
            self.writer.start(tag, (*attributes, *style_attributes))
        else:
            self.writer.start_styled(tag, style_attributes)

    def end_spaced(self, style: ComputedStyle) -> None:
        """Close an element that `start_spaced` opened."""
        self.writer.end()
        self.writer.line()
        self.applied_margin = max(self.applied_margin, style.margins[2])

    def open_block(self, element: str, tag: str, tokens: Sequence[Token], attributes: Attributes = ()) -> ComputedStyle:
        """Enter an element of text and open it, in a cell of its own where the template gives it a ground or borders."""
        style = self.styles.enter(element, last=self.is_last)
        if not any(name == "dir" for name, _ in attributes):
            attributes = (*attributes, *self.direction_attributes(tokens))
        if tag in HEADINGS and style.align == "center" != self.alignment:
            # By an attribute: a style would hide that of an element around it, which centres pictures that are blocks, too.
            attributes = (*attributes, ("align", "center"))
        if style.is_box:
            self.start_box(style)
            self.writer.start(tag, (*attributes, *style.inner_attributes))
        else:
            self.start_spaced(tag, style, attributes)
        return style

    def close_block(self, style: ComputedStyle) -> None:
        """Close an element that `open_block` opened, and leave it."""
        if style.is_box:
            self.writer.end()
            self.end_box(style)
        else:
            self.end_spaced(style)
        self.styles.leave()

    def write_text_block(self, element: str, tag: str, tokens: Sequence[Token], attributes: Attributes = ()) -> None:
        """Write inlines as a block."""
        style = self.open_block(element, tag, tokens, attributes)
        self.write_inlines(tokens, None if style.is_box else tag)
        self.close_block(style)

    def write_inlines(self, tokens: Sequence[Token], line_tag: str | None = "div") -> None:
        """Write all the inlines of a block; `line_tag` is the element that a line below a picture may be."""
        self._inlines, self._standalone_images, self._line_tag = tokens, None, line_tag
        self.write_tokens(tokens)
        self._inlines, self._standalone_images = (), None
        self._is_after_image = False
        if self._is_line_open:
            self._is_line_open = False
            self.writer.end()

    def is_standalone(self, image: Token) -> bool:
        """Tell whether a picture is all there is in its line, so that it is a block."""
        if self._standalone_images is None:
            # Only now, since few blocks have a picture.
            self._standalone_images = standalone_images(self._inlines)
        self._is_after_image = id(image) in self._standalone_images
        return self._is_after_image

    def break_line(self) -> None:
        """End a line that readers see.

        Below a picture that is a block, `br` would leave a line empty; but Word knows no such pictures, so that what comes
        is a paragraph of its own, or a `div` where the text stands in none.
        """
        if not self._is_after_image or self._line_tag is None:
            self.writer.empty("br")
        else:
            if self._line_tag == "p" or self._is_line_open:
                self.writer.end()
                self.writer.line()
            self.writer.start(self._line_tag, self.styles.current.attributes if self._line_tag == "p" else ())
            self._is_line_open = self._line_tag != "p"
        self._is_after_image = False
        self.writer.line()

    # Blocks of blocks

    def write_flow(self, tokens: Sequence[Token], *, is_last: bool = True) -> None:
        """Write blocks, and the inlines between them in paragraphs; `is_last` tells whether nothing follows them."""
        remaining = len(tokens)
        for run in group_runs(tokens):
            remaining -= len(run)
            if is_block(run[0]):
                self.write_blocks(run, is_last=is_last and not remaining)
            else:
                self.is_last = is_last and not remaining
                self.write_text_block("p", "p", run)

    def write_blocks(self, tokens: Sequence[Token], *, is_last: bool = True) -> None:
        """Write blocks; `is_last` tells whether nothing follows them."""
        for number, token in enumerate(tokens, 1):
            self.is_last = is_last and number == len(tokens)
            self.methods[type(token)](self, token)

    def write_flow_or_inlines(self, tokens: Sequence[Token]) -> None:
        """Write inlines as they are where there is nothing else, and otherwise blocks."""
        if any(map(is_block, tokens)):
            self.write_flow(tokens)
        else:
            self.write_inlines(tokens)

    def open_group(self, element: str, attributes: Attributes = ()) -> ComputedStyle:
        """Enter an element of blocks; it is written where the template gives it a ground or borders, or for attributes."""
        style = self.styles.enter(element, last=self.is_last)
        if style.is_box:
            self.start_box(style)
        elif style.margins[0] > self.applied_margin:
            self.pending_margin = max(self.pending_margin, style.margins[0])
        if attributes:
            self.writer.line()
            self.writer.start("div", attributes)
        return style

    def close_group(self, style: ComputedStyle, attributes: Attributes = ()) -> None:
        """Close an element that `open_group` opened, with the same attributes, and leave it."""
        if attributes:
            self.writer.end()
        if style.is_box:
            self.end_box(style)
        elif style.margins[2] > self.applied_margin:
            self.pending_margin = max(self.pending_margin, style.margins[2])
        self.styles.leave()

    # Boxes

    def start_box(self, style: ComputedStyle, cell: Attributes | None = None) -> None:
        """Open a table of one cell, so far below the last block as either wants."""
        writer = self.writer
        space = max(self.pending_margin, style.margins[0], self.applied_margin) - self.applied_margin
        writer.line()
        writer.start("table", LAYOUT_ATTRIBUTES)
        if space:
            self._write_spacer(space)
        self._start_inset(style)
        writer.start("tr")
        align = (("align", self.alignment),) if self.alignment and cell is None else ()
        writer.start("td", (*align, *(style.cell_attributes if cell is None else cell)))
        self.pending_margin = self.applied_margin = 0

    def end_box(self, style: ComputedStyle) -> None:
        """Close the table of a box, which owes what is to be below it; below its last block is its padding alone."""
        for _ in range(3):
            self.writer.end()
        self.end_inset(style)
        self.pending_margin, self.applied_margin = style.margins[2], 0

    def separate(self, style: ComputedStyle) -> None:
        """Set what comes, which can have no margin, so far below the last block as either wants; `end_inset` ends it."""
        space = max(self.pending_margin, style.margins[0], self.applied_margin) - self.applied_margin
        self.writer.line()
        if space:
            self.writer.start("table", LAYOUT_ATTRIBUTES)
            self._write_spacer(space)
            self.writer.end()
            self.writer.line()
        if _is_inset(style):
            self.writer.start("table", LAYOUT_ATTRIBUTES)
            self._start_inset(style, is_table=False)
        self.pending_margin = self.applied_margin = 0

    def _start_inset(self, style: ComputedStyle, *, is_table: bool = True) -> None:
        """Keep what has margins at its sides, which Outlook heeds on no table, off the edges by a cell's padding."""
        if _is_inset(style):
            self.writer.start("tr")
            self.writer.start("td", (("style", f"padding:0 {style.margins[1]}px 0 {style.margins[3]}px"),))
            if is_table:
                self.writer.start("table", LAYOUT_ATTRIBUTES)

    def end_inset(self, style: ComputedStyle) -> None:
        """Close what was opened around something that has margins at its sides."""
        if _is_inset(style):
            for _ in range(3):
                self.writer.end()
        self.writer.line()

    def _write_spacer(self, height: int) -> None:
        writer = self.writer
        writer.start("tr")
        writer.start("td", (("height", height), ("style", FLAT_STYLE)))
        writer.write_text(NBSP)
        writer.end()
        writer.end()

    # What all elements share

    def direction_attributes(self, tokens: Sequence[Token]) -> Attributes:
        """Return the attribute of text that is read in another direction than what is around it."""
        direction = detect_direction(tokens)
        return (("dir", direction),) if direction and direction != self.direction else ()

    def write_anchor(self, name: str | None) -> None:
        """Write where a link may lead; each name once, and empty, as Gmail and Outlook want it."""
        if name and name not in self._written_anchors and not self.in_link:
            self._written_anchors.add(name)
            # Written as the writer writes the links that lead here.
            self.writer.start("a", (("name", encode_url(name)),))
            self.writer.end()

    def link_target(self, url: str) -> str | None:
        """Return where a link leads; None where its address may not be linked, or means nothing in a mail."""
        if url.startswith("#"):
            target = self.anchors.resolve(url)
            return target if target != url else None
        return url if url and (self.is_trusted or is_safe_url(url)) else None


def _is_inset(style: ComputedStyle) -> bool:
    return bool(style.margins[1] or style.margins[3])
