"""A document on its way to a mail: where the writer stands, and how blocks are set apart.

The space between two blocks is the greater one of what is below the first and above the second, as in CSS. A paragraph
has its space as a margin, but a table can have none that Outlook heeds; so what a box wants below itself is `owed`, and
the next block pays it: a paragraph with its margin, a box with a row of that height.
"""

from collections.abc import Mapping, Sequence

from mdpublish_core.destinations.directions import Direction, direction_of
from mdpublish_core.destinations.email.look import Look
from mdpublish_core.destinations.email.pictures import lonely
from mdpublish_core.destinations.email.vocabulary import HEADINGS
from mdpublish_core.destinations.runs import is_block, runs
from mdpublish_core.destinations.setting import Setting
from mdpublish_core.destinations.styled import NBSP, StyledRenderer
from mdpublish_core.html import Attributes, HtmlWriter
from mdpublish_core.nodes import Document, Token
from mdpublish_core.templates.matcher import Styles
from mdpublish_core.urls import encode_url, is_safe_url

LAYOUT = (("role", "presentation"), ("width", "100%"), ("cellpadding", 0), ("cellspacing", 0))
"""The attributes of a table that lays out and holds no data."""

# A cell that is nothing but its height or its border: its text, which some clients want, has no height of its own.
FLAT = "font-size:1px;line-height:0"


class Rendering(StyledRenderer[Look]):
    """A document on its way to a mail.

    `width` is that of the text, in px. `direction` is that of the text at hand, `mail_direction` that of the whole mail,
    which the looks are made for; `alignment` is how an author's element around the text aligns it. `has_brackets` tells
    whether the author wrote brackets for the reading of a word. `owed` is the space in px that a box wants below itself,
    `paid` the margin that is below the last block already. `usual` holds the looks of `td` and `th` where they usually
    stand, whose fonts the style in head gives Outlook.
    """

    def __init__(
        self,
        writer: HtmlWriter,
        document: Document,
        setting: Setting,
        styles: Styles[Look],
    ) -> None:
        super().__init__(writer, document, setting, styles)
        self.is_trusted = document.trusted
        self.width = 0
        self.usual: Mapping[str, Look] = {}
        self.direction: Direction = "ltr"
        self.mail_direction: Direction = "ltr"
        self.alignment: str | None = None
        self._inlines: Sequence[Token] = ()
        self._lonely: frozenset[int] | None = None
        self._line_tag: str | None = None
        self._is_below_picture = self._is_line_open = False
        self.has_brackets = False
        self.owed = 0
        self.paid = 0
        self._anchored: set[str] = set()

    # Blocks of text

    def start_text(self, tag: str, look: Look, attributes: Attributes = ()) -> None:
        """Open an element that may have margins, so far below the last block as either wants."""
        owed, self.owed, self.paid = self.owed, 0, 0
        own = look.pushed(owed) if owed > look.margins[0] else look.attributes
        self.writer.line()
        if attributes:
            self.writer.start(tag, (*attributes, *own))
        else:
            self.writer.start_styled(tag, own)

    def end_text(self, look: Look) -> None:
        """Close an element that `start_text` opened."""
        self.writer.end()
        self.writer.line()
        self.paid = max(self.paid, look.margins[2])

    def open_block(self, element: str, tag: str, tokens: Sequence[Token], attributes: Attributes = ()) -> Look:
        """Enter an element of text and open it, in a cell of its own where the template gives it a ground or borders."""
        look = self.styles.enter(element, last=self.last)
        if not any(name == "dir" for name, _ in attributes):
            attributes = (*attributes, *self.directed(tokens))
        if tag in HEADINGS and look.align == "center" != self.alignment:
            # By an attribute: a style would hide that of an element around it, which centres pictures that are blocks, too.
            attributes = (*attributes, ("align", "center"))
        if look.is_box:
            self.start_box(look)
            self.writer.start(tag, (*attributes, *look.within))
        else:
            self.start_text(tag, look, attributes)
        return look

    def close_block(self, look: Look) -> None:
        """Close an element that `open_block` opened, and leave it."""
        if look.is_box:
            self.writer.end()
            self.end_box(look)
        else:
            self.end_text(look)
        self.styles.leave()

    def text_block(self, element: str, tag: str, tokens: Sequence[Token], attributes: Attributes = ()) -> None:
        """Write inlines as a block."""
        look = self.open_block(element, tag, tokens, attributes)
        self.inlines(tokens, None if look.is_box else tag)
        self.close_block(look)

    def inlines(self, tokens: Sequence[Token], line_tag: str | None = "div") -> None:
        """Write all the inlines of a block; `line_tag` is the element that a line below a picture may be."""
        self._inlines, self._lonely, self._line_tag = tokens, None, line_tag
        self.tokens(tokens)
        self._inlines, self._lonely = (), None
        self._is_below_picture = False
        if self._is_line_open:
            self._is_line_open = False
            self.writer.end()

    def is_lonely(self, picture: Token) -> bool:
        """Tell whether a picture is all there is in its line, so that it is a block."""
        if self._lonely is None:
            # Only now, since few blocks have a picture.
            self._lonely = lonely(self._inlines)
        self._is_below_picture = id(picture) in self._lonely
        return self._is_below_picture

    def break_line(self) -> None:
        """End a line that readers see.

        Below a picture that is a block, `br` would leave a line empty; but Word knows no such pictures, so that what comes
        is a paragraph of its own, or a `div` where the text stands in none.
        """
        if not self._is_below_picture or self._line_tag is None:
            self.writer.empty("br")
        else:
            if self._line_tag == "p" or self._is_line_open:
                self.writer.end()
                self.writer.line()
            self.writer.start(self._line_tag, self.styles.current.attributes if self._line_tag == "p" else ())
            self._is_line_open = self._line_tag != "p"
        self._is_below_picture = False
        self.writer.line()

    # Blocks of blocks

    def flow(self, tokens: Sequence[Token], *, is_last: bool = True) -> None:
        """Write blocks, and the inlines between them in paragraphs; `is_last` tells whether nothing follows them."""
        final = len(tokens)
        for run in runs(tokens):
            final -= len(run)
            if is_block(run[0]):
                self.blocks(run, is_last=is_last and not final)
            else:
                self.last = is_last and not final
                self.text_block("p", "p", run)

    def blocks(self, tokens: Sequence[Token], *, is_last: bool = True) -> None:
        """Write blocks; `is_last` tells whether nothing follows them."""
        for number, token in enumerate(tokens, 1):
            self.last = is_last and number == len(tokens)
            self.methods[type(token)](self, token)

    def flow_or_inlines(self, tokens: Sequence[Token]) -> None:
        """Write inlines as they are where there is nothing else, and otherwise blocks."""
        if any(map(is_block, tokens)):
            self.flow(tokens)
        else:
            self.inlines(tokens)

    def open_group(self, element: str, attributes: Attributes = ()) -> Look:
        """Enter an element of blocks; it is written where the template gives it a ground or borders, or for attributes."""
        look = self.styles.enter(element, last=self.last)
        if look.is_box:
            self.start_box(look)
        elif look.margins[0] > self.paid:
            self.owed = max(self.owed, look.margins[0])
        if attributes:
            self.writer.line()
            self.writer.start("div", attributes)
        return look

    def close_group(self, look: Look, attributes: Attributes = ()) -> None:
        """Close an element that `open_group` opened, with the same attributes, and leave it."""
        if attributes:
            self.writer.end()
        if look.is_box:
            self.end_box(look)
        elif look.margins[2] > self.paid:
            self.owed = max(self.owed, look.margins[2])
        self.styles.leave()

    # Boxes

    def start_box(self, look: Look, cell: Attributes | None = None) -> None:
        """Open a table of one cell, so far below the last block as either wants."""
        writer = self.writer
        space = max(self.owed, look.margins[0], self.paid) - self.paid
        writer.line()
        writer.start("table", LAYOUT)
        if space:
            self._space(space)
        self._start_inset(look)
        writer.start("tr")
        align = (("align", self.alignment),) if self.alignment and cell is None else ()
        writer.start("td", (*align, *(look.cell if cell is None else cell)))
        self.owed = self.paid = 0

    def end_box(self, look: Look) -> None:
        """Close the table of a box, which owes what is to be below it; below its last block is its padding alone."""
        for _ in range(3):
            self.writer.end()
        self.end_inset(look)
        self.owed, self.paid = look.margins[2], 0

    def keep_apart(self, look: Look) -> None:
        """Set what comes, which can have no margin, so far below the last block as either wants; `end_inset` ends it."""
        space = max(self.owed, look.margins[0], self.paid) - self.paid
        self.writer.line()
        if space:
            self.writer.start("table", LAYOUT)
            self._space(space)
            self.writer.end()
            self.writer.line()
        if _is_inset(look):
            self.writer.start("table", LAYOUT)
            self._start_inset(look, is_table=False)
        self.owed = self.paid = 0

    def _start_inset(self, look: Look, *, is_table: bool = True) -> None:
        """Keep what has margins at its sides, which Outlook heeds on no table, off the edges by a cell's padding."""
        if _is_inset(look):
            self.writer.start("tr")
            self.writer.start("td", (("style", f"padding:0 {look.margins[1]}px 0 {look.margins[3]}px"),))
            if is_table:
                self.writer.start("table", LAYOUT)

    def end_inset(self, look: Look) -> None:
        """Close what was opened around something that has margins at its sides."""
        if _is_inset(look):
            for _ in range(3):
                self.writer.end()
        self.writer.line()

    def _space(self, height: int) -> None:
        writer = self.writer
        writer.start("tr")
        writer.start("td", (("height", height), ("style", FLAT)))
        writer.text(NBSP)
        writer.end()
        writer.end()

    # What all elements share

    def directed(self, tokens: Sequence[Token]) -> Attributes:
        """Return the attribute of text that is read in another direction than what is around it."""
        direction = direction_of(tokens)
        return (("dir", direction),) if direction and direction != self.direction else ()

    def anchor(self, name: str | None) -> None:
        """Write where a link may lead; each name once, and empty, as Gmail and Outlook want it."""
        if name and name not in self._anchored and not self.in_link:
            self._anchored.add(name)
            # Written as the writer writes the links that lead here.
            self.writer.start("a", (("name", encode_url(name)),))
            self.writer.end()

    def target_of(self, url: str) -> str | None:
        """Return where a link leads; None where its address may not be linked, or means nothing in a mail."""
        if url.startswith("#"):
            target = self.anchors.target(url)
            return target if target != url else None
        return url if url and (self.is_trusted or is_safe_url(url)) else None


def _is_inset(look: Look) -> bool:
    return bool(look.margins[1] or look.margins[3])
