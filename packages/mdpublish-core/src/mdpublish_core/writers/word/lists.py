"""Footnotes and native lists. The first paragraph of an item is the item itself."""

from collections.abc import Sequence

from mdpublish_core import nodes
from mdpublish_core.writers.structure.anchors import footnote_id, footnote_reference_id
from mdpublish_core.writers.styled.lists import StyledItem, StyledList, split_item
from mdpublish_core.writers.word.inlines import WordInlines
from mdpublish_core.writers.word_model.computed_styles import HEADING_TAGS, WordStyle, to_points


class WordFootnotes(WordInlines):
    """Footnotes."""

    def write_footnotes(self) -> None:
        numbering, styles = self.footnote_numbering, self.styles
        if not numbering.native and not numbering.plain:
            return
        section = styles.enter("section.footnotes", last=True)
        styles.enter("ol", last=True)
        if numbering.native:
            self._write_native()
        self.ensure_space(section.top)
        for footnote in numbering.plain:
            self.is_last = footnote is numbering.plain[-1]
            self.write(footnote)
        styles.leave()
        styles.leave()

    def _write_native(self) -> None:
        """Write the definitions that Word moves to the foot of their pages."""
        numbering, writer = self.footnote_numbering, self.writer
        writer.start_block("div", (("style", "mso-element:footnote-list"),))
        # Word draws the separator itself.
        writer.comment("[if !supportFootnotes]")
        writer.empty("br", (("clear", "all"),))
        writer.empty("hr", (("align", "left"), ("size", 1), ("width", "33%")))
        writer.comment("[endif]")
        for footnote in numbering.native:
            number = numbering.display_number(footnote.number)
            writer.line()
            writer.start_line("div", (("style", "mso-element:footnote"), ("id", f"ftn{number}")))
            self.is_last = footnote is numbering.native[-1] and not numbering.plain
            with self.story():
                self.write(footnote)
            writer.end_line()
        writer.end_line()

    def render_footnote_definition(self, token: nodes.FootnoteDefinition) -> None:
        """Put the mark into the first paragraph, or into one of its own."""
        styles = self.styles
        item = styles.enter("li", last=self.is_last)
        blocks = list(token.children)
        first = blocks.pop(0) if blocks and isinstance(blocks[0], nodes.Paragraph) else None
        self.begin_text(styles.enter("p", last=not blocks), [token])
        number = self.footnote_numbering.display_number(token.number)
        is_native = self.footnote_numbering.is_native(token)
        if is_native:
            style = styles.enter("a.footnote-back", attributes={"href": f"#{footnote_reference_id(token.number, 1)}"})
            self.write_footnote_mark(number, style, is_reference=False)
            styles.leave()
        if token.references > is_native:
            self.write_anchor(footnote_id(token.number))
        if not is_native:
            self.write_text(f"[{number}]")
        if first:
            self.write_text(" ")
            self.write_inlines(first.children)
        self.writer.end_line()
        styles.leave()
        self.write_flow(blocks)
        self.ensure_space(item.bottom)
        styles.leave()


# In px; Word hangs markers 0.25 in to the left of the text.
_MIN_INDENT = 24.0

_BOXES = {None: "", False: "☐", True: "☑"}


class WordLists(WordFootnotes):
    """Lists."""

    def write_list(self, styled_list: StyledList) -> None:
        style = self.styles.enter(styled_list.tag, last=self.is_last)
        with self.with_direction([item.token for item in styled_list.items]):
            self._write_list(styled_list, style)
        self.styles.leave()

    def _write_list(self, styled_list: StyledList, style: WordStyle) -> None:
        writer, outer = self.writer, self.block_context
        indent = max(_MIN_INDENT, style.left)
        self.column_width -= indent
        side = "right" if outer.direction == "rtl" else "left"
        # As for checklists: Word gives an `ol` numbers, whatever its style.
        tag = "ul" if styled_list.has_labels else style.tag
        marker = "none" if styled_list.is_checklist or tag != style.tag else styled_list.marker or style.bullet
        declared = (
            f"margin-top:0pt;margin-bottom:0pt;margin-{side}:{to_points(outer.indent + indent)};padding-{side}:0pt;"
            f"list-style-type:{marker}"
        )
        start = None if styled_list.start == 1 or tag == "ul" else styled_list.start
        attributes = (("start", start), ("type", styled_list.type * (tag == "ol") or None), ("dir", outer.direction))
        self.ensure_space(style.top)
        self.start_line()
        writer.start_line(tag, (*attributes, ("style", declared)))
        self.block_context = outer._replace(indent=0.0, in_item=True, quote=None)
        trailing_space = max(self.trailing_space, style.bottom)
        for item in styled_list.items:
            self.is_last = item is styled_list.items[-1]
            self.trailing_space = trailing_space if self.is_last else 0.0
            label = styled_list.label(item.number or 0) if styled_list.has_labels else ""
            self._write_item(item, label, counts_down=styled_list.counts_down)
        writer.end_line()
        self.block_context = outer
        self.column_width += indent
        self.ensure_space(style.bottom)

    def _write_item(self, item: StyledItem, label: str, *, counts_down: bool) -> None:
        if not item.is_item:
            self.write(item.token)
            return
        style = self.styles.enter(item.element, last=self.is_last)
        start = split_item(item, is_tight=self.in_tight_list)
        mark = " ".join(filter(None, (label, _BOXES[item.checked])))
        numbered = _number_attribute(item, counts_down=counts_down)
        self.ensure_space(style.top)
        trailing_space = max(self.trailing_space, style.bottom)
        self.trailing_space = 0.0 if start.blocks else trailing_space
        if start.inlines is None:
            self._start_without_text(style, start.blocks, mark, **numbered)
        else:
            text_style = self.styles.enter("p", last=not start.blocks) if start.is_paragraph else style
            self.start_paragraph(text_style, "li", **numbered)
            if mark:
                self.write_text(f"{mark} ")
            self.write_inlines(start.inlines)
            if start.is_paragraph:
                self.styles.leave()
        self.trailing_space = trailing_space
        if start.blocks:
            self.write_flow(start.blocks)
        self.writer.end_line()
        self.ensure_space(style.bottom)
        self.styles.leave()

    def _start_without_text(
        self, style: WordStyle, blocks: Sequence[nodes.Token], mark: str, **attributes: int
    ) -> None:
        """Use a leading heading as the item's text. Empty items might lose their marker."""
        if blocks and not mark and _is_heading(blocks[0]):
            self.start_line()
            self.writer.start("li", tuple(attributes.items()))
            return
        self.start_paragraph(style, "li", **attributes)
        if mark:
            self.write_text(mark)
        else:
            self.write_placeholder()


def _number_attribute(item: StyledItem, *, counts_down: bool) -> dict[str, int]:
    """Return an explicit number: Word has no reversed lists."""
    is_explicit = isinstance(item.token, nodes.HtmlElement) and "value" in item.token.attributes
    return {} if item.number is None or not (is_explicit or counts_down) else {"value": item.number}


def _is_heading(token: nodes.Token) -> bool:
    return isinstance(token, nodes.Heading | nodes.SetextHeading) or (
        isinstance(token, nodes.HtmlElement) and token.tag in HEADING_TAGS
    )
