"""Block nodes in Google Docs."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from mdpublish_core import nodes
from mdpublish_core.writers.context import CodeToken
from mdpublish_core.writers.google_docs.inlines import GoogleDocsInlines
from mdpublish_core.writers.google_docs.lists import PendingItem
from mdpublish_core.writers.structure.bidi import Direction
from mdpublish_core.writers.styled.code_lines import NBSP
from mdpublish_core.writers.styled.lists import StyledItem, StyledList, footnote_list
from mdpublish_core.writers.styled.stylesheets import painted_cell

_DIRECTIONS: dict[str, Direction] = {"ltr": "ltr", "rtl": "rtl"}


class GoogleDocsBlocks(GoogleDocsInlines):
    """Blocks, except tables."""

    @contextmanager
    def box(self, element: str, _blocks: Sequence[nodes.Token]) -> Iterator[None]:
        if element == "blockquote":
            style = self.enter_block(element, last=self.is_last)
            if style.is_framed:
                with painted_cell(self.styles), self.frame(self.styles.current, "quote"):
                    yield
            else:
                with self.indented(style, "quote"):
                    yield
            self.leave_block()
        else:
            with painted_cell(self.styles):
                style = self.enter_block(element, last=self.is_last)
                with self.frame(style, "body-text"):
                    yield
                self.leave_block()

    def write_caption(self, caption: str, *, is_centered: bool = False) -> None:
        self.is_last = True
        self.write_caption_block("figcaption", [nodes.RawText(caption)])

    def render_code_block(self, token: CodeToken) -> None:
        styles = self.styles
        with painted_cell(styles):
            style = self.enter_block("pre", last=self.is_last)
            styles.enter("code", last=True)
            _, hyphen, language = self.code_mark(token).partition("-")
            with self.frame(style, f"code{hyphen}{language}"):
                for number, line in enumerate(self.code_lines(token)):
                    if number:
                        self.start_next_line()
                    else:
                        self.start_block("p", style, "ltr", with_margins=False)
                    for element, piece in line:
                        self.write_run(styles.visit(element) if element else styles.current, piece)
                    if not line:
                        self.write_text(NBSP)
                    self.end_line()
            styles.leave()
            self.leave_block()

    def write_centered_image(self, image: nodes.Image, *, is_titled: bool) -> None:
        is_before_table, self.is_before_table = self.is_before_table, self.is_before_table and not is_titled
        align, self.column.align = self.column.align, "center"
        self.start_block("p", self.styles.enter("p.picture", last=self.is_last), "ltr")
        self.write_inlines([image])
        self.end_line()
        self.styles.leave()
        self.column.align, self.is_before_table = align, is_before_table

    def write_rule(self) -> None:
        style = self.styles.enter("hr", last=self.is_last)
        if style.is_framed:
            self.draw_rule(style)
        else:
            self.start_block("p", style, "ltr")
            self.write_text(NBSP)
            self.end_line()
        self.styles.leave()

    def render_html_block(self, token: nodes.HtmlBlock) -> None:
        self.start_block("p", self.styles.enter("p", last=self.is_last), "ltr")
        for number, line in enumerate(token.content.split("\n")):
            if number:
                self.write_break()
            self.write_text(line)
        self.end_line()
        self.styles.leave()

    # Lists and footnotes

    def write_list(self, styled_list: StyledList) -> None:
        self.start_list(self.enter_block(styled_list.tag, last=self.is_last), styled_list)
        is_before_table = self.is_before_table
        for item in styled_list.items:
            self.is_last = item is styled_list.items[-1]
            self.is_before_table = is_before_table and self.is_last
            self._write_item(item)
        self.end_list()
        self.leave_block()

    def _write_item(self, item: StyledItem) -> None:
        if not item.is_item:
            self.write_flow(item.blocks)
            return
        style = self.enter_block(item.element, last=self.is_last)
        self.column.lists.add_item(PendingItem(style, item.checked), item.number)
        if isinstance(item.token, nodes.HtmlElement):
            self.write_flow(item.blocks)
        else:
            self.write_blocks(item.blocks)
        self.end_item()
        self.leave_block()

    def write_footnotes(self) -> None:
        if not self.document.footnote_definitions:
            return
        section = self.enter_block("section.footnotes", last=True)
        if section.borders[0][0]:
            self.draw_rule(section)
        self.is_before_table, self.is_last = False, True
        self.write_list(footnote_list(self.document.footnote_definitions))
        self.leave_block()

    # Elements of HTML

    @contextmanager
    def with_attributes(self, token: nodes.HtmlElement) -> Iterator[None]:
        column = self.column
        outer = column.align, column.direction
        column.align = token.attributes.get("align", column.align)
        if "dir" in token.attributes:
            column.direction = _DIRECTIONS.get(token.attributes["dir"])
        yield
        column.align, column.direction = outer

    def write_definition(self, token: nodes.HtmlElement) -> None:
        style = self.enter_block("dd", last=self.is_last)
        with self.indented(style):
            self.write_flow(token.children)
        self.leave_block()
