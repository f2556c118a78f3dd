"""Layout of Word documents.

Only paragraphs have margins in Word. The space below a list or quote goes to its last paragraph, that below a table to
the next paragraph. Above a table, and between tables, which would merge, an empty paragraph provides it.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from math import inf

from mdpublish_core import nodes
from mdpublish_core.css.matcher import Styles
from mdpublish_core.html import HtmlWriter, StartTag
from mdpublish_core.writers.context import RenderContext
from mdpublish_core.writers.language import proofing_language
from mdpublish_core.writers.structure.bidi import Direction, detect_direction, document_direction
from mdpublish_core.writers.structure.block_runs import group_runs, is_block
from mdpublish_core.writers.styled.code_lines import NBSP
from mdpublish_core.writers.styled.walk import StyledHtmlWriter, is_blank
from mdpublish_core.writers.word.styles import (
    BlockContext,
    panel_tag,
    paragraph_attributes,
    paragraph_tag,
    spacer_attributes,
)
from mdpublish_core.writers.word_model.attributes import ALIGNMENTS, DIRECTIONS, PARAGRAPH_TAGS
from mdpublish_core.writers.word_model.computed_styles import HEADING_TAGS, TEXT_WIDTH, WordStyle, to_points
from mdpublish_core.writers.word_model.footnote_numbering import FootnoteNumbering

# In px: of the sides without a border, which are written with an invisible one, and rounded up on screens.
_PANEL_HAIRLINES = 2.0

# In px.
_MIN_TABLE_SPACE = 2.0
_MIN_WIDTH = 24.0


class WordLayout(StyledHtmlWriter[WordStyle]):
    """HTML renderer with the layout's state; lengths in px.

    `trailing_space`: below the last paragraph of the next token.
    """

    def __init__(
        self, writer: HtmlWriter, document: nodes.Document, context: RenderContext, styles: Styles[WordStyle]
    ) -> None:
        super().__init__(writer, document, context, styles)
        self.footnote_numbering = FootnoteNumbering(document)
        # Of each paragraph, since pasting drops what `body` says.
        self.block_context = BlockContext(lang=context.lang and proofing_language(context.lang))
        # Of the document or table, for text without one.
        self.base_direction: Direction = document_direction(document) if self.has_right_to_left else "ltr"
        self._is_box_direction_detected = False
        self.column_width = float(TEXT_WIDTH)
        self.trailing_space = 0.0
        # The page or the innermost cell.
        self._cell_style = styles.current
        # Minimum above the next paragraph, and space already below the last, in px.
        self._space_above = 0.0
        self._space_below = inf
        self._is_after_table = False
        # The last one.
        self._paragraph: StartTag

    def write_tokens(self, tokens: Sequence[nodes.Token]) -> None:
        methods, trailing_space = self.methods, self.trailing_space
        final = len(tokens) - 1
        for number, token in enumerate(tokens):
            self.is_last = number == final
            self.trailing_space = trailing_space if self.is_last else 0.0
            methods[type(token)](self, token)

    # Paragraphs

    def start_paragraph(self, style: WordStyle, tag: str = "p", **attributes: str | int) -> None:
        space_above, self._space_above = self._space_above, 0.0
        self._space_below = max(style.bottom, self.trailing_space)
        self._is_after_table = False
        self.start_line()
        place = style, self.block_context, space_above, self.trailing_space
        if attributes:
            self.writer.start(tag, (*attributes.items(), *paragraph_attributes(*place, is_item=tag == "li")))
        else:
            self._paragraph = paragraph_tag(tag, *place)
            self.writer.open(self._paragraph)

    def start_next_line(self) -> None:
        """Begin a paragraph like the one before, in the same cell."""
        self.writer.open(self._paragraph)

    def start_text(self, element: str, tokens: Sequence[nodes.Token]) -> WordStyle:
        style = self.styles.enter(element, last=self.is_last)
        self.begin_text(style, tokens, element if element in HEADING_TAGS else "p")
        return style

    def end_text(self, _style: WordStyle) -> None:
        self.writer.end_line()
        self.styles.leave()

    def begin_text(self, style: WordStyle, tokens: Sequence[nodes.Token], tag: str = "p") -> None:
        """Begin a paragraph in the direction of its text unless the author set one."""
        outer, direction = self.block_context, self._detect_direction(tokens)
        if direction:
            self.block_context = outer._replace(direction=direction)
        self.start_paragraph(style, tag)
        self.block_context = outer

    def _detect_direction(self, tokens: Sequence[nodes.Token]) -> Direction | None:
        """Return what must be declared."""
        if not self.has_right_to_left or self.block_context.direction is not None:
            return None
        direction = detect_direction(tokens) or self.base_direction
        return direction if "rtl" in (direction, self.base_direction) else None

    def start_line(self) -> None:
        """Start a line, except in a list item, where it would become a trailing space."""
        if not self.block_context.in_item:
            self.writer.line()

    def write_placeholder(self) -> None:
        """Write a no-break space, like Word in empty paragraphs."""
        self.writer.element("o:p", NBSP)

    def ensure_space(self, space: float) -> None:
        """Ensure a minimum space in px."""
        if space > self._space_below:
            self._space_above = max(self._space_above, space)

    @contextmanager
    def story(self) -> Iterator[None]:
        """Write the content of a cell or footnote; Word requires a paragraph after a table."""
        self._space_above, self._space_below, self._is_after_table = 0.0, inf, False
        self.trailing_space = 0.0
        yield
        if self._is_after_table or self._space_below == inf:
            self._write_spacer(_MIN_TABLE_SPACE)
            self._is_after_table = False

    def write_flow(self, tokens: Sequence[nodes.Token]) -> None:
        trailing_space = self.trailing_space
        for run in group_runs(tokens):
            pieces = [[token] for token in run] if is_block(run[0]) else [run]
            for piece in pieces:
                self.is_last = piece[-1] is tokens[-1]
                self.trailing_space = trailing_space if self.is_last else 0.0
                if is_block(piece[0]):
                    # Not by `write`, which would be one more frame of the stack for each level.
                    self.methods[type(piece[0])](self, piece[0])
                elif not all(map(is_blank, piece)):
                    self.write_bare(piece)

    def write_bare(self, tokens: Sequence[nodes.Token]) -> None:
        style = self.styles.current
        entered = style.tag not in PARAGRAPH_TAGS
        if entered:
            style = self.styles.enter("p", last=self.is_last)
        self.begin_text(style, tokens)
        self.write_inlines(tokens)
        self.writer.end_line()
        if entered:
            self.styles.leave()

    @contextmanager
    def group(self, element: str) -> Iterator[None]:
        style = self.styles.enter(element, last=self.is_last)
        self.ensure_space(style.top)
        self.trailing_space = max(self.trailing_space, style.bottom)
        yield
        self.ensure_space(style.bottom)
        self.styles.leave()

    @contextmanager
    def placed(self, block_context: BlockContext) -> Iterator[None]:
        """Write in another block context, then in this one again."""
        outer, self.block_context = self.block_context, block_context
        yield
        self.block_context = outer

    def with_attributes(self, token: nodes.HtmlElement) -> AbstractContextManager[None]:
        return self.placed(self.context_with(token.attributes))

    def context_with(self, attributes: Mapping[str, str]) -> BlockContext:
        block_context = self.block_context
        if attributes.get("align") in ALIGNMENTS:
            block_context = block_context._replace(align=attributes["align"])
        if attributes.get("dir") in DIRECTIONS:
            block_context = block_context._replace(direction=attributes["dir"])
        if "lang" in attributes:
            block_context = block_context._replace(lang=attributes["lang"])
        return block_context

    @contextmanager
    def with_direction(self, tokens: Sequence[nodes.Token]) -> Iterator[None]:
        """Set the direction of the text unless the author set one."""
        if direction := self._detect_direction(tokens):
            self.block_context = self.block_context._replace(direction=direction)
            yield
            self.block_context = self.block_context._replace(direction=None)
        else:
            yield

    @contextmanager
    def with_box_direction(self, tokens: Sequence[nodes.Token]) -> Iterator[None]:
        """Set the direction of a table or panel; the text in its cells has its own."""
        outer_state, direction = self._is_box_direction_detected, self._detect_direction(tokens)
        self._is_box_direction_detected = self.block_context.direction is None
        if direction:
            self.block_context = self.block_context._replace(direction=direction)
        yield
        if direction:
            self.block_context = self.block_context._replace(direction=None)
        self._is_box_direction_detected = outer_state

    # Tables

    @property
    def available_width(self) -> float:
        """Nested lists and tables can use up the column."""
        return max(self.column_width, _MIN_WIDTH)

    def start_table(
        self, space: float, width: float | None = None, columns: Sequence[float] = (), *, is_panel: bool = False
    ) -> None:
        """Begin a table with `space` above; lengths in px. Programs keep the widths of `columns`.

        Readers disagree about the sides of cells in right-to-left tables, so panels have theirs in a left-to-right one.
        """
        is_mirrored = self.block_context.direction == "rtl" and not is_panel
        if self._is_after_table:
            self._write_spacer(max(_MIN_TABLE_SPACE, self._space_above, space))
        elif max(self._space_above, space) > self._space_below:
            self._write_spacer(max(self._space_above, space) - self._space_below)
        self._space_above = 0.0
        style = "border-collapse:collapse;mso-padding-alt:0pt 0pt 0pt 0pt"
        if columns:
            style += ";table-layout:fixed;word-wrap:break-word"
        if self.block_context.indent:
            side = "right" if is_mirrored else "left"
            style += f";margin-{side}:{to_points(self.block_context.indent)}"
        if width is None and (self.block_context.in_item or self.block_context.indent or self.block_context.right):
            width = self.available_width
        html_width, css_width = ("100%", "100%") if width is None else (str(round(width)), to_points(width))
        self.start_line()
        if is_mirrored:
            # As Word does.
            self.writer.start_line("div", (("align", "right"),))
        self.writer.start_styled(
            "table",
            (
                ("class", "MsoNormalTable"),
                ("dir", "rtl" if is_mirrored else self.block_context.direction and "ltr"),
                ("border", 0),
                ("cellspacing", 0),
                ("cellpadding", 0),
                ("width", html_width),
                ("style", f"width:{css_width};{style}"),
            ),
        )
        self.writer.line()
        if columns:
            self.write_columns(columns)
            self.writer.line()

    def end_table(self, space: float, *, is_panel: bool = False) -> None:
        """End a table with `space` (px) below."""
        for _ in range(1 + (self.block_context.direction == "rtl" and not is_panel)):
            self.writer.end_line()
        self._space_above = space
        self._space_below = 0.0
        self._is_after_table = True

    @contextmanager
    def cell(
        self, style: WordStyle, width: float, start: StartTag, indents: tuple[float, float] = (0.0, 0.0)
    ) -> Iterator[None]:
        """Write a cell; lengths in px, `indents` of its text."""
        place = self.block_context, self._cell_style, self.column_width
        outer = self.in_tight_list, self.trailing_space, self.base_direction
        direction = self.block_context.direction
        if self._is_box_direction_detected:
            self.base_direction, direction = "rtl" if direction == "rtl" else "ltr", None
        self.block_context = BlockContext(*indents, direction=direction, lang=self.block_context.lang)
        self._cell_style = style
        self.column_width = width - style.left - style.right
        self.in_tight_list = False
        self.writer.open(start)
        self.writer.line()
        with self.story():
            yield
        self.block_context, self._cell_style, self.column_width = place
        self.in_tight_list, self.trailing_space, self.base_direction = outer
        self.writer.end_line()

    @contextmanager
    def panel(self, style: WordStyle) -> Iterator[None]:
        """Write a table of one cell."""
        direction = self.block_context.direction
        self.start_table(style.top, is_panel=True)
        self.writer.start("tr")
        with self.cell(style, self.available_width - _PANEL_HAIRLINES, panel_tag(style, direction)):
            yield
        self.writer.end()
        self.end_table(style.bottom, is_panel=True)

    def _write_spacer(self, height: float) -> None:
        self.start_line()
        self.writer.start("p", spacer_attributes(self._cell_style, round(height, 2)))
        self.write_placeholder()
        self.writer.end()
        self._space_below = 0.0
