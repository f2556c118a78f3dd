"""Lists in OneNote.

OneNote's lists always count from 1; other numbers are text in a list without markers. Tasks are paragraphs with a note
tag, because a list overrides its items' tags, and a checkbox character for readers without tags.
"""

from contextlib import nullcontext
from itertools import groupby

from mdpublish_core import nodes
from mdpublish_core.writers.onenote.inlines import OneNoteInlines
from mdpublish_core.writers.onenote.styles import OneNoteStyle
from mdpublish_core.writers.styled.lists import StyledItem, StyledList, read_list

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
