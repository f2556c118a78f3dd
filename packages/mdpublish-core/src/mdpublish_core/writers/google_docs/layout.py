"""Layout of Google Docs.

Documents are flat: further blocks of a list item follow the list, indented. Only table cells can have a background or
border, so framed blocks become one-cell tables.

Margins collapse as in CSS and are written above the second block: tables have none, and it is unclear whether Docs adds
those of paragraphs. Above a table or rule they are written below the first block.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from mdpublish_core import nodes
from mdpublish_core.css.matcher import Styles
from mdpublish_core.html import HtmlWriter, StartTag, StyledAttributes, styled_tag
from mdpublish_core.writers.context import RenderContext
from mdpublish_core.writers.google_docs.lists import LEVEL_INDENT, ListLevel, ListStack
from mdpublish_core.writers.google_docs.styles import (
    PAGE_COLOR,
    PAGE_WIDTH,
    POINTS_PER_PIXEL,
    Border,
    GoogleDocsStyle,
    border_css,
    half_borders,
    to_points,
)
from mdpublish_core.writers.structure.bidi import Direction, detect_direction
from mdpublish_core.writers.structure.block_runs import group_runs, is_block
from mdpublish_core.writers.styled.code_lines import NBSP
from mdpublish_core.writers.styled.lists import StyledList
from mdpublish_core.writers.styled.stylesheets import DarkModeStyles, painted_cell
from mdpublish_core.writers.styled.walk import StyledHtmlWriter, is_blank

_ROW_ATTRIBUTES = (("style", "height:0pt"),)

MIN_PADDING = 5.0
"""Docs' default, in points."""

# In points; without an empty line, adjacent tables merge.
_MIN_TABLE_GAP = 2.0

# As Docs writes it; elsewhere the text would start below its box.
_BESIDE_CHECKBOX = ";display:inline-block;vertical-align:top"

_FRAMED_QUOTES = frozenset({"bar", "box", "pull"})
_FRAMED = (
    nodes.BlockCode,
    nodes.Callout,
    nodes.CodeFence,
    nodes.Figure,
    nodes.MathBlock,
    nodes.Table,
    nodes.ThematicBreak,
)


_HEADINGS = frozenset(f"h{level}" for level in range(1, 7))

_Place = Literal["", "in item", "beside checkbox"]


@dataclass(slots=True)
class Column:
    """The page or cell that is written; lengths in points. `align` and `direction` are the author's."""

    lists: ListStack
    width: float = PAGE_WIDTH
    left: float = 0.0
    right: float = 0.0
    style_name: str = "body-text"
    background: str = PAGE_COLOR
    align: str = ""
    direction: Direction | None = None
    in_cell: bool = False

    @property
    def indent(self) -> float:
        """In points, for blocks other than list items."""
        return self.left + LEVEL_INDENT * self.lists.depth

    @property
    def available_width(self) -> float:
        """In points."""
        return max(self.width - self.indent - self.right, LEVEL_INDENT)


class GoogleDocsLayout(StyledHtmlWriter[GoogleDocsStyle]):
    """`is_before_table`: a table or rule follows the current block."""

    def __init__(
        self, writer: HtmlWriter, document: nodes.Document, context: RenderContext, styles: Styles[GoogleDocsStyle]
    ) -> None:
        super().__init__(writer, document, context, styles)
        self.column = Column(ListStack(writer, 0.0))
        # Of the current block.
        self.direction: Direction = "ltr"
        self.block_count = 0
        template = context.style.template
        self._rhythm = template.type.rhythm * template.type.size
        self._framed_quotes = template.variants.quote in _FRAMED_QUOTES
        # For cells without a background.
        self._dark_page_color = ""
        # Collapsed margins above, and what the last block already has below, in px.
        self._gap = 0.0
        self._margin_below = 0.0
        self._is_after_table = False
        # Footnotes follow a rule.
        self.is_before_table = bool(document.footnote_definitions)
        self._open_run: tuple[StartTag, ...] = ()
        self._in_item = False
        # The last one.
        self._block: StartTag

    def start_root(self) -> None:
        self.styles.enter("&")
        if isinstance(self.styles, DarkModeStyles):
            with painted_cell(self.styles):
                self._dark_page_color = self.styles.current.page_color

    # Traversal. Methods call renderers directly, to save stack frames in deep trees.

    def write_blocks(self, tokens: Sequence[nodes.Token]) -> None:
        methods = self.methods
        is_before_table, final = self.is_before_table, len(tokens) - 1
        for number, token in enumerate(tokens):
            self.is_last = number == final
            self.is_before_table = is_before_table if self.is_last else self._is_framed(tokens[number + 1])
            methods[type(token)](self, token)

    def write_flow(self, tokens: Sequence[nodes.Token]) -> None:
        if tokens and not any(map(is_block, tokens)):
            self.is_last = True
            if not all(map(is_blank, tokens)):
                self.write_bare(tokens)
            return
        methods = self.methods
        is_before_table = self.is_before_table
        parts = [part for run in group_runs(tokens) for part in (zip(run) if is_block(run[0]) else [run])]
        final = len(parts) - 1
        for number, part in enumerate(parts):
            self.is_last = number == final
            self.is_before_table = is_before_table if self.is_last else self._is_framed(parts[number + 1][0])
            if is_block(part[0]):
                methods[type(part[0])](self, part[0])
            elif not all(map(is_blank, part)):
                self.write_bare(part)

    def _is_framed(self, token: nodes.Token) -> bool:
        """Guess; an empty line makes up for a wrong one."""
        if isinstance(token, nodes.HtmlElement):
            return token.tag in {"table", "hr"}
        return isinstance(token, _FRAMED) or (isinstance(token, nodes.Quote) and self._framed_quotes)

    def enter_block(self, element: str, *, last: bool = False) -> GoogleDocsStyle:
        """Collapse the top margin with the first child's."""
        style = self.styles.enter(element, last=last)
        self._gap = max(self._gap, style.top)
        return style

    def leave_block(self) -> None:
        self._gap = max(self._gap, self.styles.current.bottom)
        self.styles.leave()

    @contextmanager
    def indented(self, style: GoogleDocsStyle, style_name: str | None = None) -> Iterator[None]:
        self._close_lists()
        outer = self.column
        left = outer.indent + style.left
        self.column = Column(
            lists=ListStack(self.writer, left),
            width=outer.width,
            left=left,
            right=outer.right + style.right,
            style_name=style_name or outer.style_name,
            background=outer.background,
            align=outer.align,
            direction=outer.direction,
            in_cell=outer.in_cell,
        )
        yield
        self.column = outer

    # Blocks

    def start_block(
        self,
        tag: str,
        computed_style: GoogleDocsStyle,
        direction: Direction,
        *,
        style_name: str | None = None,
        with_margins: bool = True,
    ) -> None:
        """In a pending list item, or indented below it."""
        self.direction = direction
        column = self.column
        if with_margins:
            top = max(self._gap, computed_style.top) - self._margin_below
            self._gap = computed_style.bottom
        else:
            top = max(self._gap, 0.0) - self._margin_below
            self._gap = 0.0
        self._margin_below = max(self._gap, self._rhythm) if self.is_before_table else 0.0
        self._is_after_table = False
        self.block_count += 1
        style_name = style_name or column.style_name
        left, prefix = column.left, None
        place: _Place = ""
        if column.lists.depth:
            style_name = "list-paragraph" if style_name in {"body-text", "quote"} else style_name
            if column.lists.pending:
                prefix = column.lists.begin_item(column.lists.pending, direction)
                left, place, self._in_item = 0.0, "in item" if prefix.checkbox is None else "beside checkbox", True
            else:
                self._close_lists()
                left = column.indent
        sides = (left, column.right) if direction == "ltr" else (column.right, left)
        self._block = _block_tag(
            tag,
            direction,
            place,
            (computed_style.line_height, computed_style.indent, column.align or computed_style.align, style_name),
            (*sides, max(top, 0.0), self._margin_below),
        )
        self.writer.open(self._block)
        if prefix:
            self.write_text(prefix.content)

    def start_next_line(self) -> None:
        """Begin a block like the one before, without margins in the same cell."""
        self.writer.open(self._block)

    def end_line(self) -> None:
        self.end_run()
        self.writer.end()
        if self._in_item:
            self._in_item = False
            self.writer.end()
        self._end_line()

    def write_bare(self, tokens: Sequence[nodes.Token]) -> None:
        self.start_block("p", self.styles.current, self.block_direction(tokens), with_margins=False)
        self.write_inlines(tokens)
        self.end_line()

    def write_caption_block(self, element: str, tokens: Sequence[nodes.Token], *, of_table: bool = False) -> None:
        self.enter_block(element, last=self.is_last and not of_table)
        self.is_before_table = self.is_before_table or of_table
        self.write_flow(tokens)
        self.leave_block()

    def draw_rule(self, style: GoogleDocsStyle) -> None:
        """Write a rule, or dashes in a cell, where Docs has no rules."""
        self._close_lists()
        if self.column.in_cell:
            self.start_block("p", style, self.column.direction or "ltr")
            self.write_text("———")
            self.end_line()
            return
        if self._is_after_table:
            self._write_spacer(self._gap)
        self.writer.empty_line("hr")
        # A rule takes a line of its own, so there is as much space below as above.
        self._gap, self._margin_below, self._is_after_table = self._rhythm, 0.0, False
        self.block_count += 1

    def start_text(self, element: str, tokens: Sequence[nodes.Token]) -> GoogleDocsStyle:
        style = self.styles.enter(element, last=self.is_last)
        is_heading = element in _HEADINGS
        style_name = f"heading{element[1]}" if is_heading else None
        self.start_block(element if is_heading else "p", style, self.block_direction(tokens), style_name=style_name)
        return style

    def end_text(self, _style: GoogleDocsStyle) -> None:
        self.end_line()
        self.styles.leave()

    @contextmanager
    def group(self, element: str) -> Iterator[None]:
        self.enter_block(element, last=self.is_last)
        yield
        self.leave_block()

    def block_direction(self, tokens: Sequence[nodes.Token]) -> Direction:
        return self.column.direction or (self.has_right_to_left and detect_direction(tokens)) or "ltr"

    def _end_line(self) -> None:
        if not self.column.in_cell and not self.column.lists.are_open:
            self.writer.line()

    # Runs of text

    def write_text(self, content: str) -> None:
        if content:
            self.write_run(self.styles.current, content)

    def write_run(self, style: GoogleDocsStyle, content: str) -> None:
        if style.run != self._open_run:
            self._switch_run(style.run)
        self.writer.write_text(content)

    def start_run(self) -> None:
        run = self.styles.current.run
        if run != self._open_run:
            self._switch_run(run)

    def _switch_run(self, run: tuple[StartTag, ...]) -> None:
        if len(self._open_run) == len(run) == 1:
            self.writer.reopen(run[0])
        else:
            self.end_run()
            for span in run:
                self.writer.open(span)
        self._open_run = run

    def end_run(self) -> None:
        for _ in self._open_run:
            self.writer.end()
        self._open_run = ()

    def write_break(self) -> None:
        self.start_run()
        self.writer.empty("br")

    # Lists

    def start_list(self, style: GoogleDocsStyle, styled_list: StyledList) -> None:
        self.end_item()
        self.column.lists.start(ListLevel(styled_list, styled_list.start, style.marker))

    def end_list(self) -> None:
        self.column.lists.end()
        self._end_line()

    def end_item(self) -> None:
        """End an item; without a paragraph, write an empty one."""
        if pending := self.column.lists.pending:
            is_before_table, self.is_before_table = self.is_before_table, False
            self.start_block("p", pending.item_style, self.column.direction or "ltr", with_margins=False)
            self.write_text(NBSP)
            self.end_line()
            self.is_before_table = is_before_table

    def _close_lists(self) -> None:
        self.end_item()
        if self.column.lists.are_open:
            self.column.lists.close()
            self._end_line()

    # Tables

    def start_table(self, computed_style: GoogleDocsStyle, widths: Sequence[float]) -> None:
        """Open a table; widths in points."""
        self._close_lists()
        if not self._margin_below:
            self._write_spacer(max(self._gap, computed_style.top))
        column, writer = self.column, self.writer
        direction = column.direction or "ltr"
        side = "left" if direction == "ltr" else "right"
        indent = f"margin-left:{to_points(column.indent)}"
        writer.start_styled("div", (("dir", direction), ("style", indent), ("align", side)))
        style = f"border:none;border-collapse:collapse;table-layout:fixed;width:{to_points(sum(widths))}"
        writer.start_styled("table", (("style", style),))
        self.write_columns(width / POINTS_PER_PIXEL for width in widths)

    def end_table(self, style: GoogleDocsStyle) -> None:
        self.writer.end()
        self.writer.end()
        self._end_line()
        self._gap, self._margin_below, self._is_after_table = style.bottom, 0.0, True

    @contextmanager
    def cell(
        self,
        style: GoogleDocsStyle,
        width: float,
        *,
        tag: str = "td",
        attributes: StyledAttributes = (),
        borders: tuple[Border, ...],
        padding: tuple[float, ...],
        style_name: str = "body-text",
        align: str = "",
    ) -> Iterator[None]:
        """Write a cell; `borders`, `padding`: top, right, bottom, left. Without a block, write an empty paragraph."""
        outer, block_count = self.column, self.block_count
        margins = self._gap, self._margin_below, self.is_before_table
        fill = style.block_background or (self._dark_page_color if outer.background == PAGE_COLOR else "")
        background = fill or outer.background
        self.writer.open(_cell_tag(tag, attributes, (style.vertical_align, fill, background), borders, padding))
        content_width = width - padding[1] - padding[3] - half_borders(borders)
        self.column = Column(
            ListStack(self.writer, 0.0),
            width=content_width,
            style_name=style_name,
            background=background,
            align=align,
            direction=outer.direction,
            in_cell=True,
        )
        self._gap, self._margin_below, self.is_before_table, self._is_after_table = 0.0, 0.0, False, False
        yield
        if self.block_count == block_count:
            self.start_block("p", style, self.column.direction or "ltr", with_margins=False)
            self.end_line()
        self.writer.end()
        self.column = outer
        self._gap, self._margin_below, self.is_before_table = margins

    @contextmanager
    def frame(self, style: GoogleDocsStyle, style_name: str) -> Iterator[None]:
        # Tables reach beyond their columns by half of their outer borders.
        width = self.column.available_width - half_borders(style.borders)
        self.start_table(style, [width])
        self.writer.start("tbody")
        self.writer.start_styled("tr", _ROW_ATTRIBUTES)
        padding = tuple([max(side, MIN_PADDING) for side in style.padding])
        with self.cell(style, width, borders=style.borders, padding=padding, style_name=style_name):
            yield
        self.writer.end()
        self.writer.end()
        self.end_table(style)

    def _write_spacer(self, gap: float) -> None:
        """Write a gap (px) that no paragraph can hold."""
        height = max(gap * POINTS_PER_PIXEL, _MIN_TABLE_GAP if self._is_after_table else 0.0)
        if height < _MIN_TABLE_GAP:
            return
        style = _block_style(("line-height:1", 0.0, "", "body-text"), (0.0, 0.0, 0.0, 0.0))
        self.writer.start("p", (("dir", "ltr"), ("style", style)))
        self.writer.element("span", NBSP, (("style", f"font-size:{to_points(height)}"),))
        self.writer.end()
        self._end_line()


@lru_cache(maxsize=8192)
def _block_tag(
    tag: str,
    direction: Direction,
    place: _Place,
    appearance: tuple[str, float, str, str],
    sides: tuple[float, float, float, float],
) -> StartTag:
    """Return a paragraph's start; see `_block_style`."""
    style = _block_style(appearance, sides)
    if place == "beside checkbox":
        style += _BESIDE_CHECKBOX
    return styled_tag(tag, (("dir", direction), ("style", style), ("role", "presentation" if place else None)))


def _block_style(appearance: tuple[str, float, str, str], sides: tuple[float, float, float, float]) -> str:
    """`appearance`: line height, indentation, alignment, style name; `sides` in points, vertical margins in px."""
    line_height, indent, align, style_name = appearance
    left, right, top, bottom = sides
    return "".join(
        (
            line_height,
            f";margin-left:{to_points(left)}" if left or right else "",
            f";margin-right:{to_points(right)}" if right else "",
            f";text-indent:{to_points(indent)}" if indent else "",
            f";text-align:{align}" if align else "",
            f";margin-top:{to_points(top * POINTS_PER_PIXEL)};margin-bottom:{to_points(bottom * POINTS_PER_PIXEL)};-aw-style-name:{style_name}",
        )
    )


@lru_cache(maxsize=2048)
def _cell_tag(
    tag: str,
    attributes: StyledAttributes,
    appearance: tuple[str, str, str],
    borders: tuple[Border, ...],
    padding: tuple[float, ...],
) -> StartTag:
    """Return a cell's start; `appearance`: vertical alignment, the cell's background and that below its text."""
    vertical_align, fill, background = appearance
    top, right, bottom, left = (border_css(border, background) for border in borders)
    shading = f"background-color:{fill};" if fill else ""
    style = (
        f"border-left:{left};border-right:{right};border-bottom:{bottom};border-top:{top};"
        f"vertical-align:{vertical_align};{shading}padding:{' '.join(map(to_points, padding))};"
        "overflow:hidden;overflow-wrap:break-word"
    )
    return styled_tag(tag, (*attributes, ("style", style)))
