"""Blocks of emails. Those with borders or a background are one-cell tables.

A list becomes one list per run of numbers, because Outlook ends a list at an item with a `value`.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from mdpublish_core import nodes
from mdpublish_core.html import Attributes
from mdpublish_core.writers.context import CodeToken
from mdpublish_core.writers.email.head import CODE_CLASS, SCROLL_CLASS
from mdpublish_core.writers.email.images import standalone_images
from mdpublish_core.writers.email.inlines import EmailInlines
from mdpublish_core.writers.email.layout import FLAT_STYLE, MIN_TYPE_SIZE, NATIVE_ELEMENTS, PANE_WIDTH
from mdpublish_core.writers.email.styles import cell_font, resized, style_attributes
from mdpublish_core.writers.structure.anchors import footnote_id, footnote_reference_id
from mdpublish_core.writers.structure.bidi import detect_direction
from mdpublish_core.writers.structure.block_runs import only_image
from mdpublish_core.writers.styled.code_lines import NBSP, TAB_ATTRIBUTES, expand_tabs
from mdpublish_core.writers.styled.lists import StyledItem, StyledList

# Text variants: some phones show emoji otherwise.
_CHECKED, _UNCHECKED, _BACK_ARROW = "☑\ufe0e", "☐", "↩\ufe0e"

# Of Menlo and DejaVu Sans Mono, in em; other fonts for code are narrower.
_CHARACTER_WIDTH = 0.602

_SCROLLED = (("class", SCROLL_CLASS),)

_NO_MARGIN = style_attributes("margin:0")

# The attribute centers block images, too.
_CENTERED = (("align", "center"),)


class EmailBlocks(EmailInlines):
    """Blocks, except data tables."""

    def write_caption(self, caption: str, *, is_centered: bool = False) -> None:
        self.attributes = _CENTERED if is_centered else ()
        super().write_caption(caption)

    def write_figure(self, token: nodes.Figure | nodes.MathBlock, image: nodes.Image | None) -> None:
        if image is None or token.options.get("title"):
            super().write_figure(token, image)
            return
        style = self.styles.enter("figure", last=self.is_last)
        if style.is_box:
            self.start_box(style)
            self.writer.start("div", _CENTERED)
            self.write_lines([image])
            self.writer.end()
            self.end_box(style)
        else:
            # Clients give paragraphs default margins.
            tag = "p" if any(style.margins) else "div"
            self.start_spaced(tag, style, _CENTERED)
            self.write_lines([image], tag)
            self.end_spaced(style)
        self.styles.leave()

    def write_centered_image(self, image: nodes.Image, *, is_titled: bool) -> None:
        self.attributes = _CENTERED
        self.write_text_block("p.picture", [image])

    def write_rule(self) -> None:
        style = self.styles.enter("hr", last=self.is_last)
        self.start_box(style, style_attributes(style.box_style, FLAT_STYLE))
        self.write_text(NBSP)
        self.end_box(style)
        self.styles.leave()

    def render_code_block(self, token: CodeToken) -> None:
        writer, styles = self.writer, self.styles
        outer = styles.current
        style = styles.enter("pre", last=self.is_last)
        code = styles.enter("code", last=True)
        size = round(code.computed.font_size)
        fitting = self._fitting_size(token.content, size, code.inset)
        cell = code if fitting >= size else resized(code, max(fitting, round(MIN_TYPE_SIZE)))
        font = cell_font(cell.computed, outer.computed, code.root, aligned=True)
        if cell is not code:
            self.shared.restore_code(size)
        attributes = self.cell_attributes(cell, style.box_style, font, name=CODE_CLASS if cell is not code else None)
        direction = (("dir", "ltr"),) if self.direction == "rtl" else ()
        self.start_box(style, (*direction, *attributes))
        if is_scrolled := fitting < min(size, MIN_TYPE_SIZE):
            self.shared.scroll_code()
            writer.start("div", _SCROLLED)
        self._write_code(token)
        if is_scrolled:
            writer.end()
        styles.leave()
        self.end_box(style)
        styles.leave()

    def _write_code(self, token: CodeToken) -> None:
        writer = self.writer
        if name := self.code_mark(token):
            writer.start("a", (("name", name),))
            writer.end()
        for number, line in enumerate(self.code_lines(token)):
            if number:
                writer.empty_line("br")
            for element, content, is_tab in expand_tabs(line):
                if is_tab:
                    writer.styled_text("span", TAB_ATTRIBUTES, content)
                elif element is None:
                    writer.write_text(content)
                else:
                    writer.styled_text("span", self.styles.visit(element).attributes, content)

    def _fitting_size(self, content: str, size: int, inset: int) -> int:
        """Return the type size, in px and at most `size`, in which no line of the code is broken."""
        columns = max(map(len, content.expandtabs().split("\n")))
        width = min(self.width, PANE_WIDTH) - inset
        # In deep lists no width is left, not even for an empty block.
        is_fitting = not columns or columns * size * _CHARACTER_WIDTH <= width
        return size if is_fitting else int(width / columns / _CHARACTER_WIDTH)

    def render_html_block(self, token: nodes.HtmlBlock) -> None:
        self.writer.line()
        self.writer.raw(f"{token.content}\n")

    # Lists and footnotes

    def write_list(self, styled_list: StyledList) -> None:
        is_last = self.is_last
        runs = list(_numbered_runs(styled_list))
        for position, run in enumerate(runs, 1):
            self.is_last = is_last and position == len(runs)
            attributes: list[tuple[str, str | int | None]] = []
            if styled_list.type and not styled_list.has_labels:
                attributes.append(("type", styled_list.type))
            if (number := run[0].number) not in {None, 1}:
                attributes.append(("start", number))
            self._write_items(styled_list, run, attributes, is_continued=position < len(runs))

    def _write_items(
        self, styled_list: StyledList, items: Sequence[StyledItem], attributes: Attributes, *, is_continued: bool
    ) -> None:
        """Omit the space to the next list if `is_continued`."""
        name = "none" if styled_list.has_labels else styled_list.marker
        marker = f".{name}" if name else ""
        style = self.styles.enter(f"{styled_list.tag}{marker}", last=self.is_last)
        if is_continued:
            style = style.without_margin_below()
        outer_direction = self.direction
        self.direction = detect_direction([item.token for item in items[:1]]) or outer_direction
        if self.direction != outer_direction:
            attributes = (*attributes, ("dir", self.direction))
        self.start_spaced(styled_list.tag, style, attributes)
        self.writer.line()
        for item in items:
            self.is_last = item is items[-1]
            if not item.is_item:
                self.write(item.token)
            elif isinstance(item.token, nodes.FootnoteDefinition):
                self._write_footnote(item.token)
            else:
                self._write_item(item, f"{styled_list.label(item.number or 0)}{NBSP}" * styled_list.has_labels)
        self.end_spaced(style)
        self.direction = outer_direction
        self.styles.leave()

    def _write_item(self, item: StyledItem, label: str) -> None:
        style = self.styles.enter(item.element, last=self.is_last)
        if isinstance(item.token, nodes.HtmlElement):
            self.start_spaced("li", style, _language_attributes(item.token))
            self.write_flow_or_lines(item.blocks)
        else:
            self.start_spaced("li", style)
            if item.checked is not None or label:
                self.write_tokens(self._write_task(item, label))
            elif not self._write_single_paragraph(item.blocks):
                self.write_tokens(item.blocks)
        self.end_spaced(style)
        self.styles.leave()

    def _write_single_paragraph(self, blocks: Sequence[nodes.Token]) -> bool:
        """Write a loose item's only paragraph without a `p` that would say nothing; return whether that is the case."""
        block = blocks[0] if len(blocks) == 1 else None
        if self.in_tight_list or self.pending_margin or not isinstance(block, nodes.Paragraph):
            return False
        style = next(iter(self.styles.preview((), ("p",))), None)
        if style is None or style.attributes != _NO_MARGIN or style.is_box or style.line_height:
            return False
        if only_image(block.children) or self.direction_attributes(block.children):
            return False
        self.styles.enter("p", last=True)
        self.write_lines(block.children)
        self.styles.leave()
        return True

    def _write_task(self, item: StyledItem, label: str) -> Sequence[nodes.Token]:
        """Write the label and checkbox, in loose items on the line of the first paragraph; return the other blocks."""
        box = label if item.checked is None else f"{label}{_CHECKED if item.checked else _UNCHECKED}{NBSP}"
        blocks = item.blocks
        first, others = (blocks[0], blocks[1:]) if blocks and isinstance(blocks[0], nodes.Paragraph) else (None, blocks)
        if first is None or self.in_tight_list:
            self.write_text(box)
            self.write_inlines(first.children if first else ())
            return others
        self.is_last = not others
        style = self.start_text("p", first.children)
        self.write_text(box)
        self.write_inlines(first.children)
        self.end_text(style)
        return others

    def _write_footnote(self, token: nodes.FootnoteDefinition) -> None:
        style = self.styles.enter("li", last=self.is_last)
        self.start_spaced("li", style)
        self.write_anchor(footnote_id(token.number))
        blocks = list(token.children)
        last = blocks.pop().children or () if blocks and isinstance(blocks[-1], nodes.Paragraph) else ()
        self.write_blocks(blocks, is_last=False)
        if last or token.references:
            self.is_last = True
            paragraph_style = self.start_text("p", last)
            self.write_inlines(last)
            self._write_back_links(token)
            self.end_text(paragraph_style)
        self.end_spaced(style)
        self.styles.leave()

    def _write_back_links(self, token: nodes.FootnoteDefinition) -> None:
        for occurrence in range(1, token.references + 1):
            self.write_text(NBSP)
            self.is_last = occurrence == token.references
            self.open_link(f"#{footnote_reference_id(token.number, occurrence)}", element="a.footnote-back")
            self.write_text(_BACK_ARROW if token.references == 1 else f"{_BACK_ARROW}{occurrence}")
            self.end_link(1)

    # Elements of HTML

    @contextmanager
    def with_attributes(self, token: nodes.HtmlElement) -> Iterator[None]:
        outer = self.alignment, self.attributes
        align = token.attributes.get("align")
        self.attributes = _language_attributes(token)
        if align and token.tag not in NATIVE_ELEMENTS:
            self.attributes = (("align", align), *self.attributes)
            self.alignment = align
        yield
        self.alignment, self.attributes = outer

    def write_definition(self, token: nodes.HtmlElement) -> None:
        with self.group("dd"):
            self.write_flow_or_lines(token.children)

    def write_text_element(self, token: nodes.HtmlElement) -> None:
        if token.tag == "dt":
            with self.group("dt"):
                self.write_lines(token.children)
            return
        attributes, self.attributes = self.attributes, ()
        # Block images are only aligned by a `div`.
        tag = "div" if standalone_images(token.children) else "p"
        style = self.open_block(token.tag, tag, token.children, attributes)
        self.write_lines(token.children)
        self.close_block(style)


def _numbered_runs(styled_list: StyledList) -> Iterator[Sequence[StyledItem]]:
    """Yield runs of items with consecutive numbers."""
    run: list[StyledItem] = []
    for item in styled_list.items:
        if run and item.number is not None and item.number != (run[-1].number or 0) + 1:
            yield run
            run = []
        run.append(item)
    if run or not styled_list.items:
        yield run


def _language_attributes(token: nodes.HtmlElement) -> tuple[tuple[str, str], ...]:
    """Omit `auto`, which not all clients support."""
    declared = ((name, token.attributes.get(name)) for name in ("dir", "lang"))
    return tuple((name, value) for name, value in declared if value and value != "auto")
