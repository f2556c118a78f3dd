"""The footnotes themselves, behind the text: Word's own, and those that Word could not call."""

from mdpublish_core.destinations.anchors import note_id, reference_id
from mdpublish_core.destinations.word.inlines import write_anchor, write_note_mark
from mdpublish_core.destinations.word.rendering import Rendering
from mdpublish_core.nodes import FootnoteDefinition, Paragraph


def write_footnotes(rendering: Rendering) -> None:
    """Write the footnotes of a document."""
    notes, styles = rendering.notes, rendering.styles
    if not notes.called and not notes.others:
        return
    section = styles.enter("section.footnotes", last=True)
    styles.enter("ol", last=True)
    if notes.called:
        _write_called(rendering)
    rendering.set_apart(section.top)
    for note in notes.others:
        rendering.last = note is notes.others[-1]
        rendering.write(note)
    styles.leave()
    styles.leave()


def _write_called(rendering: Rendering) -> None:
    """Write the footnotes that Word takes from here to the foot of their pages."""
    notes, writer = rendering.notes, rendering.writer
    writer.line()
    writer.start("div", (("style", "mso-element:footnote-list"),))
    # The line above them Word draws by itself.
    writer.comment("[if !supportFootnotes]")
    writer.empty("br", (("clear", "all"),))
    writer.empty("hr", (("align", "left"), ("size", 1), ("width", "33%")))
    writer.comment("[endif]")
    for note in notes.called:
        writer.line()
        writer.start("div", (("style", "mso-element:footnote"), ("id", f"ftn{notes.shown(note.number)}")))
        writer.line()
        rendering.last = note is notes.called[-1] and not notes.others
        rendering.start_story()
        rendering.write(note)
        rendering.end_story()
        writer.end()
        writer.line()
    writer.end()
    writer.line()


def footnote_definition(rendering: Rendering, token: FootnoteDefinition) -> None:
    """Write a footnote, its mark before its first paragraph, or else on a line of its own."""
    styles, writer = rendering.styles, rendering.writer
    item = styles.enter("li", last=rendering.last)
    blocks = list(token.children)
    first = blocks.pop(0) if blocks and isinstance(blocks[0], Paragraph) else None
    rendering.start_paragraph(styles.enter("p", last=not blocks))
    number = rendering.notes.shown(token.number)
    is_own = rendering.notes.is_called(token)
    if is_own:
        look = styles.enter("a.footnote-back", attributes={"href": f"#{reference_id(token.number, 1)}"})
        write_note_mark(rendering, number, look, is_call=False)
        styles.leave()
    if token.references > is_own:
        write_anchor(rendering, note_id(token.number))
    if not is_own:
        writer.text(f"[{number}]")
    if first:
        writer.text(" ")
        rendering.children(first)
    rendering.end_paragraph()
    styles.leave()
    rendering.flow(blocks)
    rendering.set_apart(item.bottom)
    styles.leave()
