"""Layout of OneNote pages.

OneNote collapses whitespace and drops it at the start of a line, so no-break spaces are used. It parses XML, which
excludes some control characters. Only table cells can have a background, bar or indentation.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from mdpublish_core.css.matcher import Styles
from mdpublish_core.html import Attributes, HtmlWriter
from mdpublish_core.nodes import Document, Token
from mdpublish_core.resources.characters import replace_invalid
from mdpublish_core.writers.context import RenderContext
from mdpublish_core.writers.onenote.styles import HEADINGS, OneNoteStyle
from mdpublish_core.writers.plain_text import PlainTextRenderer
from mdpublish_core.writers.structure.bidi import detect_direction
from mdpublish_core.writers.styled.code_lines import NBSP
from mdpublish_core.writers.styled.walk import StyledHtmlWriter

PAGE_WIDTH = 624
"""Width in px of the container that Graph creates."""

# Taken by each level of boxes or lists, and left at least, in px.
_LEVEL_WIDTH = 32
_MIN_WIDTH = 160

# In px.
_BAR_WIDTH = 6
_INDENT_WIDTH = 24

_SPACES = re.compile("[ \t\n\f\r]+")
_NEEDS_CLEANING = re.compile("[\x00-\x1f\ud800-\udfff\ufffe\uffff]")


class OneNoteLayout(StyledHtmlWriter[OneNoteStyle]):
    """HTML renderer with the layout's state.

    `item_number` is written before the next text; with `link_url`, each text run is linked.
    """

    def __init__(
        self, writer: HtmlWriter, document: Document, context: RenderContext, styles: Styles[OneNoteStyle]
    ) -> None:
        super().__init__(writer, document, context, styles)
        self.align = ""
        self.in_item = False
        self.item_number = ""
        self.link_url: str | None = None
        self.has_partial_link = False
        self._depth = 0
        self._is_after_space = True
        self._is_after_table = False

    def write_text(self, content: str) -> None:
        """Write text with collapsed whitespace."""
        if not content.isprintable() or "  " in content:
            content = replace_invalid(_SPACES.sub(" ", content))
        if self._is_after_space and content[:1] == " ":
            content = content[1:]
        self._write_string(content)

    def write_spaced(self, content: str) -> None:
        """Write code, preserving spaces."""
        self._write_string(self._spaced(content))

    def write_code(self, element: str, content: str) -> None:
        if self.link_url is not None:
            # Each run of a link is a link of its own.
            opened = self.start_span(element)
            self.write_spaced(content)
            self.end_span(opened)
            return
        style, string = self.styles.visit(element), self._spaced(content)
        if string:
            self._is_after_space = string[-1] == " "
        if style.run_style and not style.run_tags:
            self.writer.styled_text("span", (("style", style.run_style),), string)
            return
        opened = self._open_tags(style)
        self.writer.write_text(string)
        for _ in range(opened):
            self.writer.end()

    def start_span(self, element: str) -> int:
        return self._open_tags(self.styles.enter(element, last=self.is_last))

    def _open_tags(self, style: OneNoteStyle) -> int:
        if style.run_style:
            self.writer.start_styled("span", (("style", style.run_style),))
        for tag in style.run_tags:
            self.writer.start(tag)
        return len(style.run_tags) + bool(style.run_style)

    def _spaced(self, content: str) -> str:
        """Return code that keeps its spaces."""
        if (not content.isprintable() and _NEEDS_CLEANING.search(content)) or "  " in content:
            content = (
                replace_invalid(content.replace("\n", " ").replace("\t", "    "))
                .replace("  ", f"{NBSP} ")
                .replace("  ", f" {NBSP}")
            )
        if self._is_after_space and content[:1] == " ":
            content = NBSP + content[1:]
        return content

    def _write_string(self, string: str) -> None:
        if not string:
            return
        self._is_after_space = string[-1] == " "
        if self.link_url is None or not string.strip():
            self.writer.write_text(string)
            return
        self.writer.start("a", (("href", self.link_url),))
        self.writer.element("span", string, (("style", f"color:{self.styles.current.text_color}"),))
        self.writer.end()
        self.has_partial_link = True

    def write_break(self) -> None:
        self.writer.empty("br")
        self._is_after_space = True

    def write_image_element(self, attributes: Attributes) -> None:
        """Write an image, which OneNote makes a paragraph of its own."""
        self.writer.empty("img", attributes)
        self._is_after_space = True

    # Blocks

    def start_block(
        self, tag: str, style: OneNoteStyle, data_tag: str | None = None, *, data_id: str | None = None
    ) -> None:
        self.writer.line()
        self.writer.start_styled(
            tag, (("data-tag", data_tag), ("data-id", data_id), ("style", self.block_style(style, style.fill)))
        )
        self._is_after_space = True
        self._is_after_table = False
        self.write_item_number()

    def block_style(self, style: OneNoteStyle, background: str) -> str | None:
        align = self.align or style.align
        if not align and not background:
            return style.block_style or None
        others = (f"text-align:{align}" if align else "", f"background-color:{background}" if background else "")
        return ";".join(filter(None, (style.block_style, *others)))

    def write_item_number(self) -> None:
        if self.item_number:
            number, self.item_number = self.item_number, ""
            self.write_text(f"{number} ")

    def start_list(self, tag: str, marker: str) -> None:
        self.write_item_number()
        self.writer.line()
        self.writer.start_line(tag, (("style", f"list-style-type:{marker}"),))
        self._is_after_table = False
        self._depth += 1

    def end_list(self) -> None:
        self._depth -= 1
        self.writer.end_line()

    # Tables

    def start_table(self, *, has_borders: bool) -> None:
        """Begin a table; a line break keeps it apart from a preceding one."""
        self.write_item_number()
        self.writer.line()
        if self._is_after_table:
            self.writer.empty_line("br")
        # Graph documents the `border` style, but only supports the attribute.
        self.writer.start_line("table", (("border", int(has_borders)),))
        self._depth += 1

    def end_table(self) -> None:
        self._depth -= 1
        self.writer.end_line()
        self._is_after_table = True

    def start_row(self) -> None:
        self.writer.start_line("tr")

    def start_cell(self, style: str | None) -> None:
        self.writer.start_styled("td", (("style", style or None),))
        self._is_after_space = True
        self._is_after_table = False

    # Boxes

    @contextmanager
    def in_box(self, style: OneNoteStyle, *, always: bool = False, indents: bool = True) -> Iterator[None]:
        """Write a box if the style requires one."""
        has_bar = style.left_border and not style.is_framed
        is_indented = indents and style.is_indented and not (style.fill or style.is_framed)
        if not (always or has_bar or is_indented or style.fill or style.is_framed):
            yield
            return
        width = max(_MIN_WIDTH, PAGE_WIDTH - _LEVEL_WIDTH * self._depth)
        self.start_table(has_borders=style.is_framed)
        self.start_row()
        if has_bar:
            width -= self._write_side_cell(_BAR_WIDTH, style.left_border)
        elif is_indented:
            width -= self._write_side_cell(_INDENT_WIDTH, "")
        self.start_cell(f"{_background(style.fill)}width:{width}px")
        in_item, self.in_item = self.in_item, False
        yield
        self.in_item = in_item
        self.writer.end_line()
        self.writer.end_line()
        self.end_table()

    def _write_side_cell(self, width: int, background: str) -> int:
        """Write an empty cell; return its width in px."""
        self.start_cell(f"{_background(background)}width:{width}px")
        self.writer.end_line()
        return width

    @contextmanager
    def indented(self, style: OneNoteStyle) -> Iterator[None]:
        """Indent blocks by an item without a marker."""
        self.start_list("ul", "none")
        self.start_block("li", style)
        in_item, self.in_item = self.in_item, True
        yield
        self.in_item = in_item
        self.writer.end_line()
        self.end_list()

    # Text blocks

    def start_text(self, element: str, tokens: Sequence[Token]) -> OneNoteStyle:
        tag = element if element in HEADINGS else "p"
        align = self.align_by_direction(tokens)
        style = self.styles.enter(element, last=self.is_last)
        self.start_block(tag, style)
        self.align = align
        return style

    def end_text(self, _style: OneNoteStyle) -> None:
        self.writer.end_line()
        self.styles.leave()

    def write_bare(self, tokens: Sequence[Token]) -> None:
        if self.shows_something(tokens):
            self.start_block("p", self.styles.enter("p", last=self.is_last))
            self.write_inlines(tokens)
            self.writer.end_line()
            self.styles.leave()

    def shows_something(self, tokens: Sequence[Token]) -> bool:
        """Whether there is more than targets of links, which pages do not have."""
        return bool(PlainTextRenderer(self.context.figures).render_inline_lines(tokens))

    def align_by_direction(self, tokens: Sequence[Token]) -> str:
        """Right-align right-to-left text; return the previous alignment."""
        align = self.align
        if not align and self.has_right_to_left and detect_direction(tokens) == "rtl":
            self.align = "right"
        return align

    # Groups

    @contextmanager
    def group(self, element: str) -> Iterator[None]:
        with self.in_box(self.styles.enter(element, last=self.is_last), indents=False):
            yield
        self.styles.leave()

    @contextmanager
    def box(self, element: str, _blocks: Sequence[Token]) -> Iterator[None]:
        with self.in_box(self.styles.enter(element, last=self.is_last), always=element != "blockquote"):
            yield
        self.styles.leave()


def _background(color: str) -> str:
    return f"background-color:{color};" if color else ""
