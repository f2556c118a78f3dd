"""Footnote definitions: native ones for Word, the others as paragraphs at the end."""

from mdpublish_core.nodes import FootnoteDefinition, Paragraph
from mdpublish_core.writers.structure.anchors import footnote_id, footnote_reference_id
from mdpublish_core.writers.word.inlines import write_anchor, write_footnote_mark
from mdpublish_core.writers.word.layout import WordLayout


def write_footnotes(renderer: WordLayout) -> None:
    numbering, styles = renderer.footnote_numbering, renderer.styles
    if not numbering.native and not numbering.plain:
        return
    section = styles.enter("section.footnotes", last=True)
    styles.enter("ol", last=True)
    if numbering.native:
        _write_native(renderer)
    renderer.ensure_space(section.top)
    for footnote in numbering.plain:
        renderer.is_last = footnote is numbering.plain[-1]
        renderer.write(footnote)
    styles.leave()
    styles.leave()


def _write_native(renderer: WordLayout) -> None:
    """Write the definitions that Word moves to the foot of their pages."""
    numbering, writer = renderer.footnote_numbering, renderer.writer
    writer.line()
    writer.start("div", (("style", "mso-element:footnote-list"),))
    # Word draws the separator itself.
    writer.comment("[if !supportFootnotes]")
    writer.empty("br", (("clear", "all"),))
    writer.empty("hr", (("align", "left"), ("size", 1), ("width", "33%")))
    writer.comment("[endif]")
    for footnote in numbering.native:
        writer.line()
        writer.start(
            "div", (("style", "mso-element:footnote"), ("id", f"ftn{numbering.display_number(footnote.number)}"))
        )
        writer.line()
        renderer.is_last = footnote is numbering.native[-1] and not numbering.plain
        renderer.start_story()
        renderer.write(footnote)
        renderer.end_story()
        writer.end()
        writer.line()
    writer.end()
    writer.line()


def footnote_definition(renderer: WordLayout, token: FootnoteDefinition) -> None:
    """Put the mark into the first paragraph, or into one of its own."""
    styles, writer = renderer.styles, renderer.writer
    item = styles.enter("li", last=renderer.is_last)
    blocks = list(token.children)
    first = blocks.pop(0) if blocks and isinstance(blocks[0], Paragraph) else None
    renderer.start_text(styles.enter("p", last=not blocks), [token])
    number = renderer.footnote_numbering.display_number(token.number)
    is_native = renderer.footnote_numbering.is_native(token)
    if is_native:
        style = styles.enter("a.footnote-back", attributes={"href": f"#{footnote_reference_id(token.number, 1)}"})
        write_footnote_mark(renderer, number, style, is_reference=False)
        styles.leave()
    if token.references > is_native:
        write_anchor(renderer, footnote_id(token.number))
    if not is_native:
        writer.write_text(f"[{number}]")
    if first:
        writer.write_text(" ")
        renderer.write_children(first)
    renderer.end_paragraph()
    styles.leave()
    renderer.write_flow(blocks)
    renderer.ensure_space(item.bottom)
    styles.leave()
