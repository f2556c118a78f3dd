"""Block nodes in OneNote.

Its lists always count from 1; other numbers are text in a list without markers. Tasks are paragraphs with a note tag,
because a list overrides its items' tags, and a checkbox character for readers without tags.
"""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from itertools import groupby

from mdpublish_core import nodes
from mdpublish_core.writers.context import CodeToken
from mdpublish_core.writers.figures.placement import Placement
from mdpublish_core.writers.onenote.inlines import OneNoteInlines
from mdpublish_core.writers.onenote.styles import PAGE_COLOR, OneNoteStyle
from mdpublish_core.writers.styled.code_lines import NBSP, expand_tabs
from mdpublish_core.writers.styled.lists import StyledItem, StyledList, footnote_list, read_list

_CHECKBOXES = {False: ("to-do", "☐"), True: ("to-do:completed", "☑")}


class OneNoteLists(OneNoteInlines):
    """Lists."""

    def render_list(self, token: nodes.List) -> None:
        # Paragraphs after an item's first are paragraphs in tight lists, too.
        self.write_list(read_list(token))

    def write_list(self, styled_list: StyledList) -> None:
        """Write a list for each run of tasks or other items."""
        style = self.styles.enter(styled_list.tag, last=self.is_last)
        marker = style.bullet_marker if styled_list.tag == "ul" else styled_list.marker or style.number_marker
        with self.in_box(style, indents=False):
            self._write_runs_of_items(styled_list, marker)
        self.styles.leave()

    def _write_runs_of_items(self, styled_list: StyledList, marker: str) -> None:
        is_bulleted, in_item = styled_list.tag == "ul", self.in_item
        for is_task, run in groupby(styled_list.items, key=lambda item: item.checked is not None):
            items = list(run)
            numbers = [item.number for item in items]
            is_plain = not styled_list.has_labels and numbers == list(range(1, len(items) + 1))
            has_markers = not is_task and (is_bulleted or is_plain)
            if in_item or not is_task:
                self.start_list(styled_list.tag, marker if has_markers else "none")
            for item in items:
                number = ""
                if not has_markers and item.number is not None:
                    number = styled_list.label(item.number)
                (self._write_task if is_task else self._write_item)(styled_list, item, number)
            if in_item or not is_task:
                self.end_list()

    def _write_item(self, styled_list: StyledList, item: StyledItem, number: str) -> None:
        style = self.styles.enter("li", last=item is styled_list.items[-1])
        in_item, self.in_item = self.in_item, True
        self.start_block("li", style)
        self.item_number = number
        blocks = item.blocks
        is_tight = styled_list.is_tight or isinstance(item.token, nodes.HtmlElement)
        if blocks and isinstance(blocks[0], nodes.Paragraph) and is_tight:
            # The first paragraph is the item itself.
            self.write_item_number()
            self.write_inlines(blocks[0].children)
            blocks = blocks[1:]
        self.write_flow(blocks)
        self.write_item_number()
        self.writer.end_line()
        self.in_item = in_item
        self.styles.leave()

    def _write_task(self, styled_list: StyledList, item: StyledItem, number: str) -> None:
        style = self.styles.enter("li.task", last=item is styled_list.items[-1])
        in_item, self.in_item = self.in_item, True
        if in_item:
            self.writer.start("li")
        blocks = list(item.blocks)
        paragraph = blocks.pop(0) if blocks and isinstance(blocks[0], nodes.Paragraph) else None
        if paragraph and not styled_list.is_tight:
            self._write_task_line(item, paragraph, number, self.styles.enter("p", last=not blocks))
            self.styles.leave()
        else:
            self._write_task_line(item, paragraph, number, style)
        if in_item:
            self.write_flow(blocks)
            self.writer.end_line()
        else:
            self._write_indented(blocks, style)
        self.in_item = in_item
        self.styles.leave()

    def _write_task_line(
        self, item: StyledItem, paragraph: nodes.Token | None, number: str, style: OneNoteStyle
    ) -> None:
        note_tag, checkbox = _CHECKBOXES[bool(item.checked)]
        self.start_block("p", style, note_tag)
        self.write_text(f"{checkbox} ")
        self.item_number = number
        self.write_item_number()
        if paragraph:
            self.write_inlines(paragraph.children or ())
        self.writer.end_line()

    def _write_indented(self, blocks: list[nodes.Token], style: OneNoteStyle) -> None:
        """Write the other blocks of a task; lists are already indented."""
        for is_list, run in groupby(blocks, key=_is_list):
            with nullcontext() if is_list else self.indented(style):
                self.write_flow(list(run))


def _is_list(block: nodes.Token) -> bool:
    return isinstance(block, nodes.List) or (isinstance(block, nodes.HtmlElement) and block.tag in {"ol", "ul"})


COLUMN_WIDTH = 624
"""Width in px of the text on a new page: https://learn.microsoft.com/graph/onenote-abs-pos"""

NOTE_TAGS = {"note": "highlight", "tip": "idea", "important": "important", "warning": "critical", "caution": "critical"}
""""Remember for later" and "definition" would suit notes better, but highlight the text."""

_RULE = "─" * 40
_SHORT_RULE = "─" * 16


class OneNoteBlocks(OneNoteLists):
    """Blocks, except lists and tables."""

    def render_paragraph(self, token: nodes.Paragraph) -> None:
        children = token.children
        if not children or not isinstance(children[0], nodes.HtmlElement) or self.shows_something(children):
            super().render_paragraph(token)

    def start_title(self, token: nodes.Callout) -> OneNoteStyle:
        align = self.align_by_direction(nodes.children_of(token))
        style = self.styles.enter("p.title", last=self.is_last)
        self.start_block("p", style, NOTE_TAGS[token.kind])
        self.align = align
        return style

    def write_caption(self, caption: str, *, is_centered: bool = False) -> None:
        align, self.align = self.align, "center" if is_centered else self.align
        self.start_block("p", self.styles.enter("figcaption", last=True))
        self.write_text(caption)
        self.writer.end_line()
        self.styles.leave()
        self.align = align

    def render_code_block(self, token: CodeToken) -> None:
        """Write code as one paragraph: OneNote adds space between paragraphs."""
        with self.in_box(self.styles.enter("pre", last=self.is_last), always=True):
            align, self.align = self.align, ""
            self.start_block("p", self.styles.enter("code", last=True), data_id=self.code_mark(token) or None)
            for number, line in enumerate(self.code_lines(token)):
                if number:
                    self.write_break()
                for element, content, _ in expand_tabs(line):
                    if element is None:
                        self.write_spaced(content)
                    else:
                        self.write_code(element, content)
            self.writer.end_line()
            self.styles.leave()
            self.align = align
        self.styles.leave()

    def placement(self) -> Placement:
        """Return the current colors; pages scroll in both directions, so a figure may be wider than the text."""
        style = self.styles.current
        page_color = self.context.style.figure_theme.background
        background = PAGE_COLOR if style.background == page_color and not style.is_painted else style.background
        return Placement(
            background_color=background,
            foreground_color=style.text_color,
            text_size=style.computed.font_size,
            column=COLUMN_WIDTH,
        )

    def write_centered_image(self, image: nodes.Image, *, is_titled: bool) -> None:
        align, self.align = self.align, "center"
        self.render_paragraph(nodes.Paragraph([image]))
        self.align = align

    def write_rule(self) -> None:
        self.draw_rule(self.styles.enter("hr", last=self.is_last), _RULE)
        self.styles.leave()

    def draw_rule(self, style: OneNoteStyle, characters: str = _SHORT_RULE) -> None:
        self.start_block("p", style)
        if style.top_border:
            self.writer.start("span", (("style", f"color:{style.top_border}"),))
            self.write_text(characters)
            self.writer.end()
        else:
            self.write_text(NBSP)
        self.writer.end_line()

    def write_footnotes(self) -> None:
        if self.document.footnote_definitions:
            style = self.styles.enter("section.footnotes", last=True)
            if style.top_border:
                self.draw_rule(style)
            self.write_list(footnote_list(self.document.footnote_definitions))
            self.styles.leave()

    # Elements of HTML

    @contextmanager
    def with_attributes(self, token: nodes.HtmlElement) -> Iterator[None]:
        align = self.align
        authored = token.attributes.get("align", "")
        if authored in {"left", "center", "right"}:
            self.align = authored
        elif token.attributes.get("dir") == "rtl":
            self.align = "right"
        yield
        self.align = align

    def write_definition(self, token: nodes.HtmlElement) -> None:
        with self.indented(self.styles.enter("dd", last=self.is_last)):
            self.write_flow(token.children)
        self.styles.leave()
