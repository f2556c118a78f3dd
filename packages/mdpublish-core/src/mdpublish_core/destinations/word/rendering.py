"""A document on its way to Word: paragraphs and the space between them, and what is written as a table of one cell.

Word knows the margins of paragraphs alone. So the space below a list or a quote is its last paragraph's. A table cannot hand
its space on, and two that touch become one: the space below it is kept until the next paragraph is written, and is that
paragraph's; where another table follows, or there is less above a table than it asks for, a paragraph without text makes it.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import inf

from mdpublish_core import nodes
from mdpublish_core.destinations import styled
from mdpublish_core.destinations.directions import direction_of
from mdpublish_core.destinations.runs import is_block, runs
from mdpublish_core.destinations.setting import Setting
from mdpublish_core.destinations.word.looks import TEXT_WIDTH, Look, points
from mdpublish_core.destinations.word.notes import Notes
from mdpublish_core.destinations.word.styles import Frame, panel_style, paragraph_attributes, spacer_attributes
from mdpublish_core.html import Attributes, HtmlWriter
from mdpublish_core.templates.matcher import Styles

# Elements that are paragraphs themselves where they hold text alone.
_PARAGRAPHS = frozenset({"td", "th", "dd", "dt", "li", "summary", "figcaption", "caption", "p"})

# Keeps two tables apart, in px.
_LEAST_SPACE = 2.0

_DIRECTIONS = frozenset({"ltr", "rtl"})
_ALIGNMENTS = frozenset({"left", "center", "right", "justify"})


@dataclass(frozen=True, slots=True)
class _Outside:
    """What is put aside while a cell is written."""

    frame: Frame
    page: Look
    room: float
    tight: bool
    tail: float


class Rendering(styled.StyledRenderer[Look]):
    """A document on its way to Word.

    `frame` is what stands around the next paragraph, `room` the width that there is for text (px), and `tail` what the last
    paragraph in the token that is written next is to be set apart from what is below (px).
    """

    def __init__(
        self,
        writer: HtmlWriter,
        document: nodes.Document,
        setting: Setting,
        styles: Styles[Look],
    ) -> None:
        super().__init__(writer, document, setting, styles)
        self.notes = Notes(document)
        self.trusted = document.trusted
        self.frame = Frame()
        self.room = float(TEXT_WIDTH)
        self.tail = 0.0
        # The number of the next item, where items that an author wrote as HTML count down.
        self.counting_down: int | None = None
        # What all stands on: the page, or the innermost cell.
        self._page = styles.current
        self._outside: list[_Outside] = []
        # In px: what the next paragraph must be set apart at least, and what the last one is set apart from the next.
        self._above = 0.0
        self._below = inf
        self._after_table = False

    def tokens(self, tokens: Sequence[nodes.Token]) -> None:
        """Write tokens that stand one behind the other."""
        methods, tail = self.methods, self.tail
        final = len(tokens) - 1
        for number, token in enumerate(tokens):
            self.last = number == final
            self.tail = tail if self.last else 0.0
            methods[type(token)](self, token)

    # Paragraphs

    def start_paragraph(self, look: Look, tag: str = "p", **attributes: str | int) -> None:
        """Begin a paragraph, which `end_paragraph` ends."""
        styled = paragraph_attributes(look, self.frame, self._above, self.tail, is_item=tag == "li")
        self._above = 0.0
        self._below = max(look.bottom, self.tail)
        self._after_table = False
        self.start_line()
        if attributes:
            self.writer.start(tag, (*attributes.items(), *styled))
        else:
            self.writer.start_styled(tag, styled)

    def end_paragraph(self) -> None:
        """End a paragraph."""
        self.writer.end()
        self.writer.line()

    def start_line(self) -> None:
        """End the current line, but not in an item, whose text that would give a space at its end."""
        if not self.frame.in_item:
            self.writer.line()

    def write_nothing(self) -> None:
        """Write what Word writes into a paragraph without text: a space for others, which is nothing to Word itself."""
        self.writer.start("o:p")
        self.writer.text(styled.NBSP)
        self.writer.end()

    def set_apart(self, space: float) -> None:
        """Ask for so many px between what was written last and what is written next."""
        if space > self._below:
            self._above = max(self._above, space)

    def start_story(self) -> None:
        """Begin text that stands by itself, in a cell or a footnote: nothing is above it, nor below."""
        self._above, self._below, self._after_table = 0.0, inf, False
        self.tail = 0.0

    def end_story(self) -> None:
        """End text that stands by itself; Word wants a paragraph behind a table there."""
        if self._after_table or self._below == inf:
            self._write_spacer(_LEAST_SPACE)
            self._after_table = False

    def flow(self, tokens: Sequence[nodes.Token]) -> None:
        """Write blocks, inlines, or some of each; inlines make a paragraph."""
        tail = self.tail
        for run in runs(tokens):
            pieces = [[token] for token in run] if is_block(run[0]) else [run]
            for piece in pieces:
                self.last = piece[-1] is tokens[-1]
                self.tail = tail if self.last else 0.0
                if is_block(piece[0]):
                    self.write(piece[0])
                elif not all(map(_is_space, piece)):
                    self.text_paragraph(piece)

    def text_paragraph(self, inlines: Sequence[nodes.Token]) -> None:
        """Write inlines that stand among blocks as a paragraph: of the element they stand in, where it is one itself."""
        look = self.styles.current
        entered = look.tag not in _PARAGRAPHS
        if entered:
            look = self.styles.enter("p", last=self.last)
        self.start_paragraph(look)
        self.tokens(inlines)
        self.end_paragraph()
        if entered:
            self.styles.leave()

    def attributed(self, attributes: Mapping[str, str]) -> Frame:
        """Return the frame of what stands in an element with these attributes."""
        frame = self.frame
        if attributes.get("align") in _ALIGNMENTS:
            frame = frame._replace(align=attributes["align"])
        if attributes.get("dir") in _DIRECTIONS:
            frame = frame._replace(direction=attributes["dir"])
        if "lang" in attributes:
            frame = frame._replace(lang=attributes["lang"])
        return frame

    @contextmanager
    def read_as(self, tokens: Sequence[nodes.Token]) -> Iterator[None]:
        """Write what is read from the right as such, unless the author said how it is read."""
        frame = self.frame
        if frame.direction is None and direction_of(tokens) == "rtl":
            self.frame = frame._replace(direction="rtl")
            yield
            self.frame = self.frame._replace(direction=None)
        else:
            yield

    # Tables

    def start_table(self, space: float, width: float | None = None) -> None:
        """Begin a table, `space` px below what is above it; it takes all the room there is, unless a width is given (px)."""
        if self._after_table:
            self._write_spacer(max(_LEAST_SPACE, self._above, space))
        elif max(self._above, space) > self._below:
            self._write_spacer(max(self._above, space) - self._below)
        self._above = 0.0
        style = "border-collapse:collapse;mso-padding-alt:0pt 0pt 0pt 0pt"
        if self.frame.indent:
            style += f";margin-left:{points(self.frame.indent)}"
        if width is None and (self.frame.in_item or self.frame.indent or self.frame.right):
            width = self.room
        in_html, in_css = ("100%", "100%") if width is None else (str(round(width)), points(width))
        self.start_line()
        self.writer.start(
            "table",
            (
                ("class", "MsoNormalTable"),
                ("dir", self.frame.direction),
                ("border", 0),
                ("cellspacing", 0),
                ("cellpadding", 0),
                ("width", in_html),
                ("style", f"width:{in_css};{style}"),
            ),
        )
        self.writer.line()

    def end_table(self, space: float) -> None:
        """End a table, `space` px above what is below it."""
        self.writer.end()
        self.writer.line()
        self._above = space
        self._below = 0.0
        self._after_table = True

    def start_cell(self, tag: str, look: Look, width: float, attributes: Attributes) -> None:
        """Begin a cell, in which space and indentation begin anew; `width` is in px."""
        self._outside.append(_Outside(self.frame, self._page, self.room, self.in_tight_list, self.tail))
        self.frame = Frame(direction=self.frame.direction, lang=self.frame.lang)
        self._page = look
        self.room = width - look.left - look.right
        self.in_tight_list = False
        self.start_story()
        self.writer.start(tag, attributes)
        self.writer.line()

    def end_cell(self) -> None:
        """End a cell."""
        self.end_story()
        outside = self._outside.pop()
        self.frame, self._page, self.room = outside.frame, outside.page, outside.room
        self.in_tight_list, self.tail = outside.tight, outside.tail
        self.writer.end()
        self.writer.line()

    def start_panel(self, look: Look) -> None:
        """Begin a table of one cell, which shows an element's ground, borders and padding."""
        direction = self.frame.direction
        self.start_table(look.top)
        self.writer.start("tr")
        self.start_cell("td", look, self.room, (("valign", "top"), ("style", panel_style(look, direction))))

    def end_panel(self, look: Look) -> None:
        """End a table of one cell."""
        self.end_cell()
        self.writer.end()
        self.end_table(look.bottom)

    def _write_spacer(self, height: float) -> None:
        self.start_line()
        self.writer.start("p", spacer_attributes(self._page, round(height, 2)))
        self.write_nothing()
        self.writer.end()
        self._below = 0.0


def _is_space(token: nodes.Token) -> bool:
    return (isinstance(token, nodes.RawText) and not token.content.strip()) or (
        isinstance(token, nodes.LineBreak) and token.soft
    )
