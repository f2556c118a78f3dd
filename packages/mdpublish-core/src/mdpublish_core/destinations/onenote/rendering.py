"""A document on its way to OneNote: how text, blocks and boxes are written there, whatever they mean.

OneNote draws white space together as HTML does, and drops it where a line begins; what must stay is non-breaking. It reads
XML, in which some control characters may not stand. Whatever needs a ground, a bar or an indentation of its own is a table
of one row, since cells alone have them.
"""

import re
from collections.abc import Sequence

from mdpublish_core.destinations import styled
from mdpublish_core.destinations.directions import direction_of
from mdpublish_core.destinations.onenote.looks import Look
from mdpublish_core.destinations.plain_text import PlainTextRenderer
from mdpublish_core.destinations.runs import is_block, runs
from mdpublish_core.destinations.setting import Setting
from mdpublish_core.destinations.styled import NBSP
from mdpublish_core.html import Attributes, HtmlWriter
from mdpublish_core.nodes import Document, Token
from mdpublish_core.templates.matcher import Styles

PAGE_WIDTH = 624
"""What OneNote gives a page's text, in pixels: the width of the container that Graph makes for all content."""

# What each level of boxes and lists takes of it, and what is left at least; in pixels.
_LEVEL_WIDTH = 32
_LEAST_WIDTH = 160

# The width of the cell that stands for a bar, and of one that only indents; in pixels.
_BAR_WIDTH = 6
_INDENT_WIDTH = 24

# Characters that may not stand in XML: https://www.w3.org/TR/xml/#charsets
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_SPACES = re.compile("[ \t\n\f\r]+")
_ODD = re.compile("[\x00-\x1f\ud800-\udfff\ufffe\uffff]|  ")


def clean(text: str) -> str:
    """Return text without the characters that XML does not know, each of which is shown as one that is missing."""
    return _FORBIDDEN.sub("\ufffd", text)


class Rendering(styled.StyledRenderer[Look]):
    """A document on its way to OneNote, in which most state is of the line, the item or the box at hand.

    `align` is how an author aligned what is open, `lead` the number of an item that the next text begins with, `address`
    that of a link whose pieces of text are linked one by one.
    """

    def __init__(
        self,
        writer: HtmlWriter,
        document: Document,
        setting: Setting,
        styles: Styles[Look],
    ) -> None:
        super().__init__(writer, document, setting, styles)
        self.trusted = document.trusted
        self.align = ""
        self.in_item = False
        self.lead = ""
        self.address: str | None = None
        self.linked_any = False
        self._around: list[bool] = []
        self._depth = 0
        self._behind_space = True
        self._behind_table = False

    def text(self, text: str) -> None:
        """Write text, white space drawn together."""
        if _ODD.search(text):
            text = clean(_SPACES.sub(" ", text))
        if self._behind_space and text[:1] == " ":
            text = text[1:]
        self._write(text)

    def code(self, text: str) -> None:
        """Write a piece of one line of code, in which no space is lost."""
        if _ODD.search(text):
            text = (
                clean(text.replace("\n", " ").replace("\t", "    ")).replace("  ", f"{NBSP} ").replace("  ", f" {NBSP}")
            )
        if self._behind_space and text[:1] == " ":
            text = NBSP + text[1:]
        self._write(text)

    def _write(self, text: str) -> None:
        if not text:
            return
        self._behind_space = text[-1] == " "
        if self.address is None or not text.strip():
            self.writer.text(text)
            return
        self.writer.start("a", (("href", self.address),))
        self.writer.start("span", (("style", f"color:{self.styles.current.ink}"),))
        self.writer.text(text)
        self.writer.end()
        self.writer.end()
        self.linked_any = True

    def line_break(self) -> None:
        """End the line."""
        self.writer.empty("br")
        self._behind_space = True

    def picture(self, attributes: Attributes) -> None:
        """Write a picture: in OneNote a paragraph of its own, behind which a line begins."""
        self.writer.empty("img", attributes)
        self._behind_space = True

    # Blocks

    def start(self, tag: str, look: Look, data_tag: str | None = None) -> None:
        """Begin a block that holds text, with the number of the item that it is the first of."""
        self.writer.line()
        self.writer.start_styled(tag, (("data-tag", data_tag), ("style", self.style(look, look.fill))))
        self._behind_space = True
        self._behind_table = False
        self.write_lead()

    def end(self) -> None:
        """End a block."""
        self.writer.end()
        self.writer.line()

    def style(self, look: Look, ground: str) -> str | None:
        """Return the style of a block, on a ground of its own or on none; None where it is the page's."""
        align = self.align or look.align
        if not align and not ground:
            return look.block or None
        others = (f"text-align:{align}" if align else "", f"background-color:{ground}" if ground else "")
        return ";".join(filter(None, (look.block, *others)))

    def write_lead(self) -> None:
        """Write the number of an item, if one is still to be written."""
        if self.lead:
            lead, self.lead = self.lead, ""
            self.text(f"{lead} ")

    def start_list(self, tag: str, mark: str) -> None:
        """Begin a list with marks of this form."""
        self.write_lead()
        self.writer.line()
        self.writer.start(tag, (("style", f"list-style-type:{mark}"),))
        self.writer.line()
        self._behind_table = False
        self._depth += 1

    def end_list(self) -> None:
        """End a list."""
        self._depth -= 1
        self.end()

    # Tables

    def start_table(self, *, is_ruled: bool) -> None:
        """Begin a table; two of them, one behind the other, would touch."""
        self.write_lead()
        self.writer.line()
        if self._behind_table:
            self.writer.empty("br")
            self.writer.line()
        # Graph's list says `border` of the style, but its service heeds the attribute alone.
        self.writer.start("table", (("border", int(is_ruled)),))
        self.writer.line()
        self._depth += 1

    def end_table(self) -> None:
        """End a table."""
        self._depth -= 1
        self.end()
        self._behind_table = True

    def start_row(self) -> None:
        """Begin a row."""
        self.writer.start("tr")
        self.writer.line()

    def start_cell(self, style: str | None) -> None:
        """Begin a cell."""
        self.writer.start("td", (("style", style or None),))
        self._behind_space = True
        self._behind_table = False

    # Boxes

    def start_box(self, look: Look, *, always: bool = False, indents: bool = True) -> bool:
        """Begin a table around blocks, always or if it takes one to show what holds them; tell whether it does."""
        has_bar = look.bar and not look.is_framed
        is_indented = indents and look.is_indented and not (look.fill or look.is_framed)
        if not (always or has_bar or is_indented or look.fill or look.is_framed):
            return False
        width = max(_LEAST_WIDTH, PAGE_WIDTH - _LEVEL_WIDTH * self._depth)
        self.start_table(is_ruled=look.is_framed)
        self.start_row()
        if has_bar:
            width -= self._side_cell(_BAR_WIDTH, look.bar)
        elif is_indented:
            width -= self._side_cell(_INDENT_WIDTH, "")
        self.start_cell(f"{_background(look.fill)}width:{width}px")
        self._around.append(self.in_item)
        self.in_item = False
        return True

    def end_box(self, is_box: bool) -> None:
        """End what `start_box` began, if that was a table."""
        if is_box:
            self.in_item = self._around.pop()
            self.end()
            self.end()
            self.end_table()

    def _side_cell(self, width: int, ground: str) -> int:
        """Write an empty cell, and return its width."""
        self.start_cell(f"{_background(ground)}width:{width}px")
        self.end()
        return width

    def start_indented(self, look: Look) -> None:
        """Begin what stands a level further in: in an item without a mark."""
        self.start_list("ul", "none")
        self.start("li", look)
        self._around.append(self.in_item)
        self.in_item = True

    def end_indented(self) -> None:
        """End what `start_indented` began."""
        self.in_item = self._around.pop()
        self.end()
        self.end_list()

    def align_as(self, tokens: Sequence[Token]) -> str:
        """Align what is read from the right at that side, unless the author said where; return how it was before."""
        align = self.align
        if not align and direction_of(tokens) == "rtl":
            self.align = "right"
        return align

    # What holds blocks, inlines, or some of each

    def flow(self, tokens: Sequence[Token]) -> None:
        """Write tokens of which some are blocks, and each run of the others as a paragraph."""
        last = tokens[-1] if tokens else None
        for run in runs(tokens):
            if is_block(run[0]):
                for token in run:
                    self.last = token is last
                    self.write(token)
            elif PlainTextRenderer(self.setting.drawings).inline_lines(run):
                self.start("p", self.styles.enter("p", last=run[-1] is last))
                self.tokens(run)
                self.end()
                self.styles.leave()


def _background(color: str) -> str:
    return f"background-color:{color};" if color else ""
