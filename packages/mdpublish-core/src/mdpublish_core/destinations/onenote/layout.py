"""A document on its way to OneNote: how text, blocks and boxes are written there, whatever they mean.

OneNote draws white space together as HTML does, and drops it where a line begins; what must stay is non-breaking. It reads
XML, in which some control characters may not stand. Whatever needs a ground, a bar or an indentation of its own is a table
of one row, since cells alone have them.
"""

import re
from collections.abc import Sequence

from mdpublish_core.destinations import inline_style
from mdpublish_core.destinations.bidi import detect_direction
from mdpublish_core.destinations.block_runs import group_runs, is_block
from mdpublish_core.destinations.context import RenderContext
from mdpublish_core.destinations.inline_style import NBSP
from mdpublish_core.destinations.onenote.styles import ComputedStyle
from mdpublish_core.destinations.plain_text import PlainTextRenderer
from mdpublish_core.html import Attributes, HtmlWriter
from mdpublish_core.nodes import Document, Token
from mdpublish_core.templates.matcher import Styles

PAGE_WIDTH = 624
"""What OneNote gives a page's text, in pixels: the width of the container that Graph makes for all content."""

# What each level of boxes and lists takes of it, and what is left at least; in pixels.
_LEVEL_WIDTH = 32
_MIN_WIDTH = 160

# The width of the cell that stands for a bar, and of one that only indents; in pixels.
_BAR_WIDTH = 6
_INDENT_WIDTH = 24

# Characters that may not stand in XML: https://www.w3.org/TR/xml/#charsets
_NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_SPACES = re.compile("[ \t\n\f\r]+")
_NEEDS_CLEANING = re.compile("[\x00-\x1f\ud800-\udfff\ufffe\uffff]|  ")


def remove_control_characters(string: str) -> str:
    """Return text without the characters that XML does not know, each of which is shown as one that is missing."""
    return _NOT_IN_XML.sub("\ufffd", string)


class Layout(inline_style.InlineStyleRenderer[ComputedStyle]):
    """A document on its way to OneNote, in which most state is of the line, the item or the box at hand.

    `align` is how an author aligned what is open, `item_number` the number of an item that the next text begins with, `link_url`
    that of a link whose pieces of text are linked one by one.
    """

    def __init__(
        self,
        writer: HtmlWriter,
        document: Document,
        context: RenderContext,
        styles: Styles[ComputedStyle],
    ) -> None:
        super().__init__(writer, document, context, styles)
        self.trusted = document.trusted
        self.align = ""
        self.in_item = False
        self.item_number = ""
        self.link_url: str | None = None
        self.has_partial_link = False
        self._outer_in_item: list[bool] = []
        self._depth = 0
        self._is_after_space = True
        self._is_after_table = False

    def write_text(self, content: str) -> None:
        """Write text, white space drawn together."""
        if _NEEDS_CLEANING.search(content):
            content = remove_control_characters(_SPACES.sub(" ", content))
        if self._is_after_space and content[:1] == " ":
            content = content[1:]
        self._write_string(content)

    def write_code(self, content: str) -> None:
        """Write a piece of one line of code, in which no space is lost."""
        if _NEEDS_CLEANING.search(content):
            content = (
                remove_control_characters(content.replace("\n", " ").replace("\t", "    "))
                .replace("  ", f"{NBSP} ")
                .replace("  ", f" {NBSP}")
            )
        if self._is_after_space and content[:1] == " ":
            content = NBSP + content[1:]
        self._write_string(content)

    def _write_string(self, string: str) -> None:
        if not string:
            return
        self._is_after_space = string[-1] == " "
        if self.link_url is None or not string.strip():
            self.writer.write_text(string)
            return
        self.writer.start("a", (("href", self.link_url),))
        self.writer.start("span", (("style", f"color:{self.styles.current.text_color}"),))
        self.writer.write_text(string)
        self.writer.end()
        self.writer.end()
        self.has_partial_link = True

    def write_line_break(self) -> None:
        """End the line."""
        self.writer.empty("br")
        self._is_after_space = True

    def write_image_element(self, attributes: Attributes) -> None:
        """Write a picture: in OneNote a paragraph of its own, behind which a line begins."""
        self.writer.empty("img", attributes)
        self._is_after_space = True

    # Blocks

    def start_block(self, tag: str, style: ComputedStyle, data_tag: str | None = None) -> None:
        """Begin a block that holds text, with the number of the item that it is the first of."""
        self.writer.line()
        self.writer.start_styled(tag, (("data-tag", data_tag), ("style", self.block_style(style, style.fill))))
        self._is_after_space = True
        self._is_after_table = False
        self.write_item_number()

    def end_block(self) -> None:
        """End a block."""
        self.writer.end()
        self.writer.line()

    def block_style(self, style: ComputedStyle, background: str) -> str | None:
        """Return the style of a block, on a ground of its own or on none; None where it is the page's."""
        align = self.align or style.align
        if not align and not background:
            return style.block_style or None
        others = (f"text-align:{align}" if align else "", f"background-color:{background}" if background else "")
        return ";".join(filter(None, (style.block_style, *others)))

    def write_item_number(self) -> None:
        """Write the number of an item, if one is still to be written."""
        if self.item_number:
            number, self.item_number = self.item_number, ""
            self.write_text(f"{number} ")

    def start_list(self, tag: str, marker: str) -> None:
        """Begin a list with marks of this form."""
        self.write_item_number()
        self.writer.line()
        self.writer.start(tag, (("style", f"list-style-type:{marker}"),))
        self.writer.line()
        self._is_after_table = False
        self._depth += 1

    def end_list(self) -> None:
        """End a list."""
        self._depth -= 1
        self.end_block()

    # Tables

    def start_table(self, *, has_borders: bool) -> None:
        """Begin a table; two of them, one behind the other, would touch."""
        self.write_item_number()
        self.writer.line()
        if self._is_after_table:
            self.writer.empty("br")
            self.writer.line()
        # Graph's list says `border` of the style, but its service heeds the attribute alone.
        self.writer.start("table", (("border", int(has_borders)),))
        self.writer.line()
        self._depth += 1

    def end_table(self) -> None:
        """End a table."""
        self._depth -= 1
        self.end_block()
        self._is_after_table = True

    def start_row(self) -> None:
        """Begin a row."""
        self.writer.start("tr")
        self.writer.line()

    def start_cell(self, style: str | None) -> None:
        """Begin a cell."""
        self.writer.start("td", (("style", style or None),))
        self._is_after_space = True
        self._is_after_table = False

    # Boxes

    def start_box(self, style: ComputedStyle, *, always: bool = False, indents: bool = True) -> bool:
        """Begin a table around blocks, always or if it takes one to show what holds them; tell whether it does."""
        has_bar = style.left_border and not style.is_framed
        is_indented = indents and style.is_indented and not (style.fill or style.is_framed)
        if not (always or has_bar or is_indented or style.fill or style.is_framed):
            return False
        width = max(_MIN_WIDTH, PAGE_WIDTH - _LEVEL_WIDTH * self._depth)
        self.start_table(has_borders=style.is_framed)
        self.start_row()
        if has_bar:
            width -= self._write_side_cell(_BAR_WIDTH, style.left_border)
        elif is_indented:
            width -= self._write_side_cell(_INDENT_WIDTH, "")
        self.start_cell(f"{_background(style.fill)}width:{width}px")
        self._outer_in_item.append(self.in_item)
        self.in_item = False
        return True

    def end_box(self, is_box: bool) -> None:
        """End what `start_box` began, if that was a table."""
        if is_box:
            self.in_item = self._outer_in_item.pop()
            self.end_block()
            self.end_block()
            self.end_table()

    def _write_side_cell(self, width: int, background: str) -> int:
        """Write an empty cell, and return its width."""
        self.start_cell(f"{_background(background)}width:{width}px")
        self.end_block()
        return width

    def start_indented(self, style: ComputedStyle) -> None:
        """Begin what stands a level further in: in an item without a mark."""
        self.start_list("ul", "none")
        self.start_block("li", style)
        self._outer_in_item.append(self.in_item)
        self.in_item = True

    def end_indented(self) -> None:
        """End what `start_indented` began."""
        self.in_item = self._outer_in_item.pop()
        self.end_block()
        self.end_list()

    def align_by_direction(self, tokens: Sequence[Token]) -> str:
        """Align what is read from the right at that side, unless the author said where; return how it was before."""
        align = self.align
        if not align and detect_direction(tokens) == "rtl":
            self.align = "right"
        return align

    # What holds blocks, inlines, or some of each

    def write_flow(self, tokens: Sequence[Token]) -> None:
        """Write tokens of which some are blocks, and each run of the others as a paragraph."""
        last = tokens[-1] if tokens else None
        for run in group_runs(tokens):
            if is_block(run[0]):
                for token in run:
                    self.is_last = token is last
                    self.write(token)
            elif PlainTextRenderer(self.context.figures).render_inline_lines(run):
                self.start_block("p", self.styles.enter("p", last=run[-1] is last))
                self.write_tokens(run)
                self.end_block()
                self.styles.leave()


def _background(color: str) -> str:
    return f"background-color:{color};" if color else ""
