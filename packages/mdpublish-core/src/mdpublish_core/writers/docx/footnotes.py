"""Footnotes: Word's own, and those to which only a link or another footnote refers as paragraphs at the end."""

from mdpublish_core.nodes import FootnoteDefinition, Paragraph
from mdpublish_core.writers.docx.layout import DocxLayout
from mdpublish_core.writers.docx.xml import Element, add, story_root
from mdpublish_core.writers.structure.anchors import footnote_id
from mdpublish_core.writers.word.inlines import bookmark_name

SEPARATORS = ((-1, "separator"), (0, "continuationSeparator"))
"""Their ids, as in Word's own files."""


def write_footnotes(layout: DocxLayout) -> Element | None:
    """Return `footnotes.xml`, if there are any, and write the other notes."""
    numbering, styles = layout.footnotes, layout.styles
    if not numbering.native and not numbering.plain:
        return None
    section = styles.enter("section.footnotes", last=True)
    styles.enter("ol", last=True)
    part = _write_native(layout) if numbering.native else None
    layout.space_above(section.word.top)
    for footnote in numbering.plain:
        layout.is_last = footnote is numbering.plain[-1]
        layout.write(footnote)
    styles.leave()
    styles.leave()
    return part


def _write_native(layout: DocxLayout) -> Element:
    part = story_root("w:footnotes")
    for number, kind in SEPARATORS:
        note = add(part, "w:footnote", type=kind, id=number)
        add(add(add(note, "w:p"), "w:r"), f"w:{kind}")
    outer, layout.relationships = layout.relationships, layout.package.footnote_relationships
    for footnote in layout.footnotes.native:
        note = add(part, "w:footnote", id=layout.footnotes.display_number(footnote.number))
        layout.is_last = footnote is layout.footnotes.native[-1] and not layout.footnotes.plain
        layout.start_story(note, layout.column_width, "FootnoteText")
        layout.write(footnote)
        layout.end_story()
    layout.relationships = outer
    return part


def footnote_definition(layout: DocxLayout, token: FootnoteDefinition) -> None:
    """Put the mark into the first paragraph, or into one of its own."""
    styles, numbering = layout.styles, layout.footnotes
    item = styles.enter("li", last=layout.is_last)
    blocks = list(token.children)
    first = blocks.pop(0) if blocks and isinstance(blocks[0], Paragraph) else None
    style = styles.enter("p", last=not blocks)
    with layout.paragraph(style, [token], "FootnoteText"):
        if numbering.is_native(token):
            styles.enter("sup.footnote-ref")
            styles.enter("a")
            with layout.marked("FootnoteReference"):
                add(layout.start_run(), "w:footnoteRef")
            styles.leave()
            styles.leave()
        else:
            layout.add_bookmark(bookmark_name(footnote_id(token.number)))
            layout.write_text(f"[{numbering.display_number(token.number)}]")
        layout.write_text(" ")
        if first:
            layout.write_inlines(first.children)
    styles.leave()
    layout.write_flow(blocks)
    styles.leave()
    layout.space_below(item.word.bottom)
