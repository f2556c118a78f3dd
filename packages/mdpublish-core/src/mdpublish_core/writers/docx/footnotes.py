"""Footnotes: Word's own, and those to which only a link or another footnote refers as paragraphs at the end."""

from mdpublish_core import nodes
from mdpublish_core.resources.open_xml import Element
from mdpublish_core.writers.docx.flow import Flow
from mdpublish_core.writers.docx.inlines import DocxInlines
from mdpublish_core.writers.docx.xml import add, story_root
from mdpublish_core.writers.structure.anchors import footnote_id
from mdpublish_core.writers.word_model.attributes import bookmark_name

SEPARATORS = ((-1, "separator"), (0, "continuationSeparator"))
"""Their ids, as in Word's own files."""


class DocxFootnotes(DocxInlines):
    """Footnotes."""

    def footnotes_part(self) -> Element | None:
        """Return `footnotes.xml`, if there are any, and write the other notes."""
        numbering, styles = self.footnotes, self.styles
        if not numbering.native and not numbering.plain:
            return None
        section = styles.enter("section.footnotes", last=True)
        styles.enter("ol", last=True)
        part = self._write_native() if numbering.native else None
        self.flow.space_above(section.word.top)
        for footnote in numbering.plain:
            self.is_last = footnote is numbering.plain[-1]
            self.write(footnote)
        styles.leave()
        styles.leave()
        return part

    def _write_native(self) -> Element:
        part = story_root("w:footnotes")
        for number, kind in SEPARATORS:
            note = add(part, "w:footnote", type=kind, id=number)
            add(add(add(note, "w:p"), "w:r"), f"w:{kind}")
        around = self.around.in_story(self.around.column_width, "FootnoteText")
        for footnote in self.footnotes.native:
            note = add(part, "w:footnote", id=self.footnotes.display_number(footnote.number))
            self.is_last = footnote is self.footnotes.native[-1] and not self.footnotes.plain
            with self.story(Flow(self.package, note, self.package.footnote_relationships), around):
                self.write(footnote)
        return part

    def render_footnote_definition(self, token: nodes.FootnoteDefinition) -> None:
        """Put the mark into the first paragraph, or into one of its own."""
        styles, numbering = self.styles, self.footnotes
        item = styles.enter("li", last=self.is_last)
        blocks = list(token.children)
        first = blocks.pop(0) if blocks and isinstance(blocks[0], nodes.Paragraph) else None
        style = styles.enter("p", last=not blocks)
        with self.paragraph(style, [token], "FootnoteText"):
            if numbering.is_native(token):
                styles.enter("sup.footnote-ref")
                styles.enter("a")
                with self.runs.marked("FootnoteReference"):
                    add(self.runs.add_run(), "w:footnoteRef")
                styles.leave()
                styles.leave()
            else:
                with self.runs.bookmark(bookmark_name(footnote_id(token.number))):
                    pass
                self.write_text(f"[{numbering.display_number(token.number)}]")
            self.write_text(" ")
            if first:
                self.write_inlines(first.children)
        styles.leave()
        self.write_flow(blocks)
        styles.leave()
        self.flow.space_below(item.word.bottom)
