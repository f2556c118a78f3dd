"""Layout of emails.

Margins collapse as in CSS. Outlook ignores margins of tables, so the space below a box (`pending_margin`) is written
with the next block: as a paragraph's margin, or as an empty row above a box. A box after a box is a row of its table.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from mdpublish_core.css.matcher import Styles
from mdpublish_core.html import Attributes, HtmlWriter, StyledAttributes
from mdpublish_core.nodes import Document, Token
from mdpublish_core.resources.urls import encode_url
from mdpublish_core.writers.context import RenderContext
from mdpublish_core.writers.email.client_support import HEADINGS
from mdpublish_core.writers.email.head import SharedRules
from mdpublish_core.writers.email.images import standalone_images
from mdpublish_core.writers.email.styles import EmailStyle, style_attributes
from mdpublish_core.writers.structure.bidi import Direction, detect_direction
from mdpublish_core.writers.structure.block_runs import is_block
from mdpublish_core.writers.styled.code_lines import NBSP
from mdpublish_core.writers.styled.walk import StyledHtmlWriter

LAYOUT_ATTRIBUTES = (("role", "presentation"), ("width", "100%"), ("cellpadding", 0), ("cellspacing", 0))

PANE_WIDTH = 600 - 2 * 20
"""Width of the text in a reading pane of 600 px."""

MIN_TYPE_SIZE = 11.0
"""Smallest type in px of tables and code that are too wide for the pane."""

# Some clients require text in empty cells.
FLAT_STYLE = "font:1px/0 a"

NATIVE_ELEMENTS = frozenset({"dd", "dl", "dt", "li"})
"""Written as they are."""


class EmailLayout(StyledHtmlWriter[EmailStyle]):
    """HTML renderer with the layout's state; lengths in px.

    `mail_direction`: of the whole email, for which styles are computed. `attributes`: of the element of HTML that
    begins. `pending_margin`: owed below the last box. `applied_margin`: already below the last block. `shared`: what
    the head declares. `has_labels`: whether cells of tables have any. `valigns`: of `td` and `th`. `code_face`: code's.
    """

    def __init__(
        self, writer: HtmlWriter, document: Document, context: RenderContext, styles: Styles[EmailStyle]
    ) -> None:
        super().__init__(writer, document, context, styles)
        self.width = 0
        self.shared = SharedRules()
        self.valigns: Mapping[str, str] = {}
        self.code_face = ""
        self.has_labels = False
        self.direction: Direction = "ltr"
        self.mail_direction: Direction = "ltr"
        self.alignment: str | None = None
        self._inlines: Sequence[Token] = ()
        self._standalone_images: frozenset[int] | None = None
        self._line_tag: str | None = None
        self._next_line_tag: str | None = None
        self._line_direction: Direction | None = None
        self._is_after_image = self._is_line_open = False
        self.attributes: Attributes = ()
        self.pending_margin = 0
        self.applied_margin = 0
        self._box_end = -1
        self._anchor_places: dict[str, int] = {}
        self.linked_anchors: set[str] = set()

    # Blocks of text

    def start_spaced(self, tag: str, style: EmailStyle, attributes: Attributes = ()) -> None:
        pending_margin, self.pending_margin, self.applied_margin = self.pending_margin, 0, 0
        style_attributes = (
            style.with_margin_above(pending_margin) if pending_margin > style.margins[0] else style.attributes
        )
        if line_height := style.line_height:
            name = (
                self.shared.heading_class(tag, line_height) if tag in HEADINGS else self.shared.word_class(line_height)
            )
            if name:
                style_attributes = (("class", name), *style_attributes)
        self.writer.line()
        if attributes:
            self.writer.start(tag, (*attributes, *style_attributes))
        else:
            self.writer.start_styled(tag, style_attributes)

    def end_spaced(self, style: EmailStyle) -> None:
        self.writer.end_line()
        self.applied_margin = max(self.applied_margin, style.margins[2])

    def open_block(self, element: str, tag: str, tokens: Sequence[Token], attributes: Attributes = ()) -> EmailStyle:
        """Wrap the element in a cell if it has a background or borders."""
        style = self.styles.enter(element, last=self.is_last)
        if not (attributes and any(name == "dir" for name, _ in attributes)):
            attributes = (*attributes, *self.direction_attributes(tokens))
        if tag in HEADINGS and style.align == "center" != self.alignment:
            # A style would override that of an outer element, which centers block images.
            attributes = (*attributes, ("align", "center"))
        if style.is_box:
            self.start_box(style)
            self.writer.start(tag, (*attributes, *style.inner_attributes))
        else:
            self.start_spaced(tag, style, attributes)
        return style

    def close_block(self, style: EmailStyle) -> None:
        if style.is_box:
            self.writer.end()
            self.end_box(style)
        else:
            self.end_spaced(style)
        self.styles.leave()

    def start_text(self, element: str, tokens: Sequence[Token]) -> EmailStyle:
        attributes, self.attributes = self.attributes, ()
        tag = element if element in HEADINGS else "p"
        style = self.open_block(element, tag, tokens, attributes)
        self._next_line_tag = None if style.is_box or tag != "p" else tag
        return style

    def end_text(self, style: EmailStyle) -> None:
        self.close_block(style)

    def write_line(self, tokens: Sequence[Token]) -> None:
        self.write_lines(tokens, self._next_line_tag)

    def write_lines(self, tokens: Sequence[Token], line_tag: str | None = "div") -> None:
        """`line_tag` is the element for a line below a block image."""
        self._inlines, self._standalone_images, self._line_tag = tokens, None, line_tag
        self._line_direction = None
        self.write_inlines(tokens)
        self._inlines, self._standalone_images = (), None
        self._is_after_image = False
        if self._is_line_open:
            self._is_line_open = False
            self.writer.end()

    def is_standalone(self, image: Token) -> bool:
        """Return whether an image is alone in its line, and thus a block."""
        if self._standalone_images is None:
            # Lazy: few blocks have images.
            self._standalone_images = standalone_images(self._inlines)
        self._is_after_image = id(image) in self._standalone_images
        return self._is_after_image

    def line_direction(self) -> Direction:
        """Return the direction of the block of text that is written."""
        if self._line_direction is None:
            # Lazy: few blocks have formulas.
            self._line_direction = detect_direction(self._inlines) or self.direction
        return self._line_direction

    def write_break(self) -> None:
        """After a block image, `br` would add an empty line; Word has no block images. Start a new element instead."""
        if not self._is_after_image or self._line_tag is None:
            self.writer.empty("br")
        else:
            if self._line_tag == "p" or self._is_line_open:
                self.writer.end_line()
            self.writer.start(self._line_tag, self.styles.current.attributes if self._line_tag == "p" else ())
            self._is_line_open = self._line_tag != "p"
        self._is_after_image = False
        self.writer.line()

    # Blocks of blocks

    def write_bare(self, tokens: Sequence[Token]) -> None:
        if not self.in_tight_list:
            self.write_text_block("p", tokens)
        elif self.pending_margin:
            # Bare text needs a margin below a box.
            self.writer.start("p", style_attributes(f"margin:{self.pending_margin}px 0 0"))
            self.pending_margin = 0
            self.write_lines(tokens, None)
            self.writer.end()
        else:
            self.write_lines(tokens)

    def write_blocks(self, tokens: Sequence[Token], *, is_last: bool) -> None:
        for number, token in enumerate(tokens, 1):
            self.is_last = is_last and number == len(tokens)
            self.methods[type(token)](self, token)

    def write_flow_or_lines(self, tokens: Sequence[Token]) -> None:
        if any(map(is_block, tokens)):
            self.write_flow(tokens)
        else:
            self.write_lines(tokens)

    @contextmanager
    def group(self, element: str) -> Iterator[None]:
        """Write a group of blocks: a box or, for attributes, a `div`."""
        attributes, self.attributes = self.attributes, ()
        style = self.styles.enter(element, last=self.is_last)
        is_native = element in NATIVE_ELEMENTS
        if is_native:
            self.start_spaced(element, style, attributes)
        elif style.is_box:
            self.start_box(style)
        elif style.margins[0] > self.applied_margin:
            self.pending_margin = max(self.pending_margin, style.margins[0])
        if attributes and not is_native:
            self.writer.start_block("div", attributes)
        yield
        if attributes and not is_native:
            self.writer.end()
        if is_native:
            self.end_spaced(style)
        elif style.is_box:
            self.end_box(style)
        elif style.margins[2] > self.applied_margin:
            self.pending_margin = max(self.pending_margin, style.margins[2])
        self.styles.leave()

    @contextmanager
    def box(self, element: str, _blocks: Sequence[Token]) -> Iterator[None]:
        style = self.styles.enter(element, last=self.is_last)
        self.start_box(style)
        yield
        self.end_box(style)
        self.styles.leave()

    # Boxes

    def cell_attributes(self, style: EmailStyle, *declared: str, name: str | None = None) -> StyledAttributes:
        """Return the attributes of a cell with the font of `style` and the class `name`."""
        line_height, attributes = style.cell_line_height, style_attributes(*declared)
        if not (line_height or name):
            return attributes
        return (("class", " ".join(filter(None, (name, self.shared.word_class(line_height))))), *attributes)

    def start_box(self, style: EmailStyle, cell: StyledAttributes | None = None) -> None:
        writer = self.writer
        space = max(self.pending_margin, style.margins[0], self.applied_margin) - self.applied_margin
        if writer.position == self._box_end:
            writer.resume()
        else:
            writer.line()
            writer.start_styled("table", LAYOUT_ATTRIBUTES)
        if space:
            self._write_spacer(space)
        self._start_inset(style)
        writer.start("tr")
        align = (("align", self.alignment),) if self.alignment and cell is None else ()
        writer.start_styled(
            "td", (*align, *(self.cell_attributes(style, style.box_style, style.font_style) if cell is None else cell))
        )
        self.pending_margin = self.applied_margin = 0

    def end_box(self, style: EmailStyle) -> None:
        """Margins of the last block are dropped; the box's own become pending."""
        for _ in range(5 if _is_inset(style) else 2):
            self.writer.end()
        self.writer.end_line()
        self._box_end = self.writer.position
        self.pending_margin, self.applied_margin = style.margins[2], 0

    def separate(self, style: EmailStyle) -> None:
        """Write the space above a table; `end_inset` closes its side margins."""
        space = max(self.pending_margin, style.margins[0], self.applied_margin) - self.applied_margin
        self.writer.line()
        if space:
            self.writer.start_styled("table", LAYOUT_ATTRIBUTES)
            self._write_spacer(space)
            self.writer.end_line()
        if _is_inset(style):
            self.writer.start("table", LAYOUT_ATTRIBUTES)
            self._start_inset(style, is_table=False)
        self.pending_margin = self.applied_margin = 0

    def _start_inset(self, style: EmailStyle, *, is_table: bool = True) -> None:
        """Write side margins as a cell's padding: Outlook ignores those of tables."""
        if _is_inset(style):
            self.writer.start("tr")
            self.writer.start("td", (("style", f"padding:0 {style.margins[1]}px 0 {style.margins[3]}px"),))
            if is_table:
                self.writer.start("table", LAYOUT_ATTRIBUTES)

    def end_inset(self, style: EmailStyle) -> None:
        if _is_inset(style):
            for _ in range(3):
                self.writer.end()
        self.writer.line()

    def _write_spacer(self, height: int) -> None:
        writer = self.writer
        writer.start("tr")
        writer.styled_text("td", (("height", height), ("style", FLAT_STYLE)), NBSP)
        writer.end()

    # What all elements share

    def direction_attributes(self, tokens: Sequence[Token]) -> Attributes:
        if self.direction == "ltr" and not self.has_right_to_left:
            return ()
        direction = detect_direction(tokens)
        return (("dir", direction),) if direction and direction != self.direction else ()

    def write_anchor(self, name: str | None) -> None:
        """Keep a place for a link target, an empty `a name` for Gmail and Outlook; once."""
        if name and name not in self._anchor_places and not self.in_link:
            self._anchor_places[name] = self.writer.reserve()

    def write_linked_anchors(self) -> None:
        """Write the targets of links; most headings are none."""
        for name in self.linked_anchors & self._anchor_places.keys():
            # Encoded like the links to it.
            self.writer.fill(self._anchor_places[name], "a", (("name", encode_url(name)),))


def _is_inset(style: EmailStyle) -> bool:
    return bool(style.margins[1] or style.margins[3])
