"""Block nodes in OneNote."""

from collections.abc import Iterator
from contextlib import contextmanager

from mdpublish_core import nodes
from mdpublish_core.writers.context import CodeToken
from mdpublish_core.writers.figures.placement import Placement
from mdpublish_core.writers.onenote.lists import OneNoteLists
from mdpublish_core.writers.onenote.styles import PAGE_COLOR, OneNoteStyle
from mdpublish_core.writers.styled.code_lines import NBSP, expand_tabs
from mdpublish_core.writers.styled.lists import footnote_list

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
