"""How a document runs in Google Docs: blocks one under the other, runs of text in them, and tables of one cell.

A Docs text is flat: what an author put into an item behind its first paragraph stands behind the list, indented (see
`lists`). Only the cells of tables have a background or a border, so that what is framed stands in a table of one cell.

The gap between two blocks is that of CSS, the greater of their two margins, and stands above the second: a table has no
margins, and whether Docs adds those of two paragraphs does not matter then. Only above a table or a rule it stands below
the first.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache

from mdpublish_core import nodes
from mdpublish_core.destinations import styled
from mdpublish_core.destinations.directions import Direction, direction_of
from mdpublish_core.destinations.google_docs.lists import LEVEL, Item, Level, Lists
from mdpublish_core.destinations.google_docs.looks import PAGE_WIDTH, PAPER, POINTS, Edge, Look, edge, points
from mdpublish_core.destinations.google_docs.marks import BOX_SIZE, CHECKED, UNCHECKED
from mdpublish_core.destinations.google_docs.twofold import Twofold
from mdpublish_core.destinations.runs import is_block, runs
from mdpublish_core.destinations.setting import Setting
from mdpublish_core.html import Attributes, HtmlWriter
from mdpublish_core.templates.matcher import Styles

_ROW = (("style", "height:0pt"),)

PADDING = 5.0
"""What Docs pads a cell with on every side, in points, and the least that any of ours has."""

# The least height in points of what must stand between two tables, which would become one without it.
_BETWEEN_TABLES = 2.0

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


@dataclass(slots=True)
class Column:
    """Where blocks stand: on the page or in a cell, `width` points wide, indented there by `left` and `right`.

    `name` is the style name of paragraphs, `under` the colour below them; `align` and `direction` are what the author
    chose, if anything.
    """

    lists: Lists
    width: float = PAGE_WIDTH
    left: float = 0.0
    right: float = 0.0
    name: str = "body-text"
    under: str = PAPER
    align: str = ""
    direction: Direction | None = None
    in_cell: bool = False

    @property
    def indent(self) -> float:
        """How far blocks are indented that are no items."""
        return self.left + LEVEL * self.lists.depth

    @property
    def room(self) -> float:
        """The width of a table."""
        return max(self.width - self.indent - self.right, LEVEL)


class Rendering(styled.StyledRenderer[Look]):
    """A document on its way to Google Docs.

    `blocks` counts what has been written; `below` tells whether a table or a rule follows on what is being written.
    """

    def __init__(
        self,
        writer: HtmlWriter,
        document: nodes.Document,
        setting: Setting,
        styles: Styles[Look],
    ) -> None:
        super().__init__(writer, document, setting, styles)
        self.is_trusted = document.trusted
        self.column = Column(Lists(writer, 0.0))
        self.blocks = 0
        template = setting.style.template
        self._rhythm = template.type.rhythm * template.type.size
        self._framed_quotes = template.variants.quote in _FRAMED_QUOTES
        # The page's colour of a dark theme, which cells have there that have none of their own.
        self._night = ""
        # What the margins above come to, and what the last block shows of it below itself, in px.
        self._gap = 0.0
        self._shown = 0.0
        self._behind_table = False
        # Footnotes stand below a rule.
        self.below = bool(document.footnote_definitions)
        self._run: tuple[str, str] | None = None
        self._in_item = False

    def start(self) -> None:
        """Open the root."""
        self.styles.enter("&")
        if isinstance(self.styles, Twofold):
            with self.painted():
                self._night = self.styles.current.page

    # Walking. Each of these calls renderers itself, since a tree may be as deep as Python's stack allows.

    def children(self, parent: nodes.Token) -> None:
        """Write the children of `parent`."""
        methods, tokens = self.methods, parent.children or ()
        below, final = self.below, len(tokens) - 1
        for number, token in enumerate(tokens):
            self.last = number == final
            self.below = below if self.last else self._is_framed(tokens[number + 1])
            methods[type(token)](self, token)

    def flow(self, tokens: Sequence[nodes.Token]) -> None:
        """Write blocks, and inlines that stand among them as paragraphs of the element that is open."""
        methods = self.methods
        below = self.below
        parts = [part for run in runs(tokens) for part in (zip(run) if is_block(run[0]) else [run])]
        final = len(parts) - 1
        for number, part in enumerate(parts):
            self.last = number == final
            self.below = below if self.last else self._is_framed(parts[number + 1][0])
            if is_block(part[0]):
                methods[type(part[0])](self, part[0])
            elif not all(map(_is_blank, part)):
                self.inline_block(part)

    def _is_framed(self, token: nodes.Token) -> bool:
        """Tell whether a token is likely to be a table or a rule; where not, an empty line makes up for it."""
        if isinstance(token, nodes.HtmlElement):
            return token.tag in {"table", "hr"}
        return isinstance(token, _FRAMED) or (isinstance(token, nodes.Quote) and self._framed_quotes)

    def enter(self, element: str, *, last: bool = False) -> Look:
        """Open a block element that is no paragraph itself: its margin above counts for what comes first in it."""
        look = self.styles.enter(element, last=last)
        self._gap = max(self._gap, look.top)
        return look

    def leave(self) -> None:
        """Close a block element."""
        self._gap = max(self._gap, self.styles.current.bottom)
        self.styles.leave()

    @contextmanager
    def indented(self, look: Look, name: str | None = None) -> Iterator[None]:
        """Indent what is written within, whose paragraphs may have another style name."""
        self._leave_lists()
        outer = self.column
        left = outer.indent + look.left
        self.column = Column(
            lists=Lists(self.writer, left),
            width=outer.width,
            left=left,
            right=outer.right + look.right,
            name=name or outer.name,
            under=outer.under,
            align=outer.align,
            direction=outer.direction,
            in_cell=outer.in_cell,
        )
        yield
        self.column = outer

    # Blocks

    def start_block(
        self, tag: str, look: Look, direction: Direction, *, name: str | None = None, with_margins: bool = True
    ) -> None:
        """Begin a paragraph or heading, in the item that waits for one or, behind its list, as far in."""
        column = self.column
        top = max(self._gap, look.top if with_margins else 0.0) - self._shown
        self._gap = look.bottom if with_margins else 0.0
        self._shown = max(self._gap, self._rhythm) if self.below else 0.0
        self._behind_table = False
        self.blocks += 1
        name = name or column.name
        left, role, lead = column.left, None, None
        if column.lists.depth:
            name = "list-paragraph" if name in {"body-text", "quote"} else name
            if column.lists.waiting:
                lead = column.lists.begin_item(column.lists.waiting, direction)
                left, role, self._in_item = 0.0, "presentation", True
            else:
                self._leave_lists()
                left = column.indent
        sides = (left, column.right) if direction == "ltr" else (column.right, left)
        style = _block_style(
            look.line, look.indent, column.align or look.align, name, (*sides, max(top, 0.0), self._shown)
        )
        self.writer.start_styled(tag, (("dir", direction), ("style", style), ("role", role)))
        if lead:
            if lead.box is not None:
                self._write_box(checked=lead.box)
            self.text(lead.text)

    def end_block(self) -> None:
        """End a paragraph or heading, and the item that it stands in."""
        self.end_run()
        self.writer.end()
        if self._in_item:
            self._in_item = False
            self.writer.end()
        self._end_line()

    def inline_block(self, tokens: Sequence[nodes.Token]) -> None:
        """Write inlines as a paragraph of the element that is open."""
        self.start_block("p", self.styles.current, self.direction_of(tokens), with_margins=False)
        self.tokens(tokens)
        self.end_block()

    def caption(self, element: str, tokens: Sequence[nodes.Token], *, of_table: bool = False) -> None:
        """Write a caption, whose look is italic and centred; a table stands below its own."""
        self.enter(element, last=self.last and not of_table)
        self.below = self.below or of_table
        self.flow(tokens)
        self.leave()

    def rule(self, look: Look) -> None:
        """Write a rule; a cell holds none, and a line of dashes stands for it there."""
        self._leave_lists()
        if self.column.in_cell:
            self.start_block("p", look, self.column.direction or "ltr")
            self.text("———")
            self.end_block()
            return
        if self._behind_table:
            self._space(self._gap)
        self.writer.empty("hr")
        self.writer.line()
        # The rule takes a line of its own, so that as much as is above it is enough below.
        self._gap, self._shown, self._behind_table = self._rhythm, 0.0, False
        self.blocks += 1

    def direction_of(self, tokens: Sequence[nodes.Token]) -> Direction:
        """Return the direction that the author chose, or else that of the text."""
        return self.column.direction or direction_of(tokens) or "ltr"

    def _end_line(self) -> None:
        """End the line of the output where nothing could take that for text."""
        if not self.column.in_cell and not self.column.lists.are_open:
            self.writer.line()

    # Runs of text

    def text(self, text: str) -> None:
        """Write text in a span of the style that holds here; what is of one style goes into one span."""
        if text:
            self.start_run()
            self.writer.text(text)

    def start_run(self) -> None:
        """Begin a span of the style that holds here, or go on in it."""
        run = self.styles.current.run
        if run == self._run:
            return
        self.end_run()
        self._run = run
        self.writer.start_styled("span", (("style", run[0]),))
        if run[1]:
            self.writer.start_styled("span", (("style", run[1]),))

    def end_run(self) -> None:
        """End the span that is open."""
        if self._run:
            if self._run[1]:
                self.writer.end()
            self.writer.end()
            self._run = None

    def line_break(self) -> None:
        """Begin a new line."""
        self.start_run()
        self.writer.empty("br")

    def _write_box(self, *, checked: bool) -> None:
        """Write a task's box as Docs draws it; what knows Docs' lists of tasks leaves the picture out."""
        self.start_run()
        attributes = (
            ("src", CHECKED if checked else UNCHECKED),
            ("width", BOX_SIZE),
            ("height", BOX_SIZE),
            ("alt", "checked" if checked else "unchecked"),
            ("aria-roledescription", "checkbox"),
            ("style", "margin-right:3px"),
        )
        self.writer.empty("img", attributes)

    # Lists

    def start_list(
        self, look: Look, number: int | None, *, step: int = 1, is_checklist: bool = False, own_mark: str = ""
    ) -> None:
        """Begin a list, with bullets or numbered from `number` on."""
        self.end_item()
        self.column.lists.start(Level(number, step, is_checklist, own_mark, look.mark))

    def end_list(self) -> None:
        """End a list."""
        self.column.lists.end()
        self._end_line()

    def start_item(self, look: Look, *, number: int | None = None, checked: bool | None = None) -> None:
        """Begin an item, a task where it is checked or not; its first paragraph is written in it."""
        self.column.lists.wait(Item(look, checked), number)

    def end_item(self) -> None:
        """End an item; where it has no paragraph of its own, an empty one keeps its mark."""
        waiting = self.column.lists.waiting
        if waiting:
            below, self.below = self.below, False
            self.start_block("p", waiting.look, self.column.direction or "ltr", with_margins=False)
            self.text(styled.NBSP)
            self.end_block()
            self.below = below

    def _leave_lists(self) -> None:
        self.end_item()
        if self.column.lists.are_open:
            self.column.lists.close()
            self._end_line()

    # Tables

    def start_table(self, look: Look, widths: Sequence[float]) -> None:
        """Begin a table with columns of these widths in points."""
        self._leave_lists()
        if not self._shown:
            self._space(max(self._gap, look.top))
        column, writer = self.column, self.writer
        direction = column.direction or "ltr"
        side = "left" if direction == "ltr" else "right"
        writer.start("div", (("dir", direction), ("style", f"margin-left:{points(column.indent)}"), ("align", side)))
        style = f"border:none;border-collapse:collapse;table-layout:fixed;width:{points(sum(widths))}"
        writer.start("table", (("style", style),))
        writer.start("colgroup")
        for width in widths:
            writer.empty("col", (("width", round(width / POINTS)),))
        writer.end()

    def end_table(self, look: Look) -> None:
        """End a table."""
        self.writer.end()
        self.writer.end()
        self._end_line()
        self._gap, self._shown, self._behind_table = look.bottom, 0.0, True

    @contextmanager
    def cell(
        self,
        look: Look,
        width: float,
        *,
        tag: str = "td",
        attributes: Attributes = (),
        edges: Sequence[Edge],
        padding: Sequence[float],
        name: str = "body-text",
        align: str = "",
    ) -> Iterator[None]:
        """Write a cell around what is written within; its borders and padding are top, right, bottom and left."""
        outer = self.column
        fill = look.fill or (self._night if outer.under == PAPER else "")
        under = fill or outer.under
        self.writer.start(
            tag, (*attributes, ("style", _cell_style(look.vertical, fill, under, tuple(edges), tuple(padding))))
        )
        inside = width - padding[1] - padding[3]
        self.column = Column(
            Lists(self.writer, 0.0),
            width=inside,
            name=name,
            under=under,
            align=align,
            direction=outer.direction,
            in_cell=True,
        )
        kept = self._gap, self._shown, self.below
        self._gap, self._shown, self.below, self._behind_table = 0.0, 0.0, False, False
        blocks = self.blocks
        yield
        if self.blocks == blocks:
            self.start_block("p", look, self.column.direction or "ltr", with_margins=False)
            self.end_block()
        self.writer.end()
        self.column = outer
        self._gap, self._shown, self.below = kept

    @contextmanager
    def frame(self, look: Look, name: str) -> Iterator[None]:
        """Write a table of one cell around what is written within."""
        width = self.column.room
        self.start_table(look, [width])
        self.writer.start("tbody")
        self.writer.start_styled("tr", _ROW)
        padding = [max(side, PADDING) for side in look.padding]
        with self.cell(look, width, edges=look.edges, padding=padding, name=name):
            yield
        self.writer.end()
        self.writer.end()
        self.end_table(look)

    @contextmanager
    def painted(self) -> Iterator[None]:
        """Give what is written within the looks that a dark theme has on its own ground: it stands in painted cells."""
        styles = self.styles if isinstance(self.styles, Twofold) else None
        if styles:
            styles.depth += 1
        yield
        if styles:
            styles.depth -= 1

    def _space(self, gap: float) -> None:
        """Write an empty line as high as a gap in px that no paragraph shows, and some at least between two tables."""
        height = max(gap * POINTS, _BETWEEN_TABLES if self._behind_table else 0.0)
        if height < _BETWEEN_TABLES:
            return
        style = _block_style("line-height:1", 0.0, "", "body-text", (0.0, 0.0, 0.0, 0.0))
        self.writer.start("p", (("dir", "ltr"), ("style", style)))
        self.writer.start("span", (("style", f"font-size:{points(height)}"),))
        self.writer.text(styled.NBSP)
        self.writer.end()
        self.writer.end()
        self._end_line()


def _is_blank(token: nodes.Token) -> bool:
    return isinstance(token, nodes.LineBreak) or (isinstance(token, nodes.RawText) and not token.content.strip())


@lru_cache(maxsize=8192)
def _block_style(line: str, indent: float, align: str, name: str, sides: tuple[float, float, float, float]) -> str:
    """Return the style of a paragraph; `sides` are left and right in points, and the margins above and below in px."""
    left, right, top, bottom = sides
    return "".join(
        (
            line,
            f";margin-left:{points(left)}" if left or right else "",
            f";margin-right:{points(right)}" if right else "",
            f";text-indent:{points(indent)}" if indent else "",
            f";text-align:{align}" if align else "",
            f";margin-top:{points(top * POINTS)};margin-bottom:{points(bottom * POINTS)};-aw-style-name:{name}",
        )
    )


@lru_cache(maxsize=2048)
def _cell_style(vertical: str, fill: str, under: str, edges: tuple[Edge, ...], padding: tuple[float, ...]) -> str:
    top, right, bottom, left = (edge(border, under) for border in edges)
    shading = f"background-color:{fill};" if fill else ""
    return (
        f"border-left:{left};border-right:{right};border-bottom:{bottom};border-top:{top};"
        f"vertical-align:{vertical};{shading}padding:{' '.join(map(points, padding))};"
        "overflow:hidden;overflow-wrap:break-word"
    )
