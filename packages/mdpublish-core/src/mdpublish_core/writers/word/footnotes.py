"""Footnote definitions: native ones for Word, the others as paragraphs at the end."""

from mdpublish_core import nodes
from mdpublish_core.writers.structure.anchors import footnote_id, footnote_reference_id
from mdpublish_core.writers.word.inlines import WordInlines


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
