"""What comes before the text: its title, and the table of contents, a field that Word updates."""

from mdpublish_core import nodes
from mdpublish_core.writers.docx.layout import DocxLayout
from mdpublish_core.writers.docx.xml import add, add_text
from mdpublish_core.writers.word_model.attributes import bookmark_name

_LEVELS = 3

_INSTRUCTION = f' TOC \\o "1-{_LEVELS}" \\h \\z \\u '


def write_title(layout: DocxLayout, title: str, element: str = "h1", style_id: str = "Title") -> None:
    # Word bases its style on headings, which a reference document may number.
    numbering = (0, 0) if layout.package.sheet.reference else None
    style = layout.styles.enter(element)
    layout.fit_heading(style, style_id, title)
    with layout.paragraph(style, [nodes.RawText(title)], style_id, numbering=numbering):
        layout.write_text(title)
    layout.styles.leave()


def write_contents(layout: DocxLayout) -> None:
    """Write a title, and links to the headings of the first levels, within a field. Only Word knows their pages."""
    headings = [
        block
        for block in layout.document.children
        if isinstance(block, nodes.Heading | nodes.SetextHeading) and block.level <= _LEVELS
    ]
    entries = [(heading, layout.anchors.heading_id(heading)) for heading in headings]
    entries = [(heading, anchor) for heading, anchor in entries if anchor]
    if entries:
        write_title(layout, layout.context.words["contents"], "h2", "TOCHeading")
    style = layout.styles.enter("p")
    for number, (heading, anchor) in enumerate(entries):
        assert anchor
        label = f"{layout.heading_prefix(heading)}{nodes.text_content(heading)}"
        runs = layout.runs
        with layout.paragraph(style, heading.children, f"TOC{heading.level}"):
            if number == 0:
                add(runs.add_run(), "w:fldChar", fldCharType="begin", dirty="true")
                add_text(runs.add_run(), "w:instrText", _INSTRUCTION)
                add(runs.add_run(), "w:fldChar", fldCharType="separate")
            with runs.inside(runs.add("w:hyperlink", anchor=bookmark_name(anchor), history=1)):
                layout.write_text(label)
            if number == len(entries) - 1:
                add(runs.add_run(), "w:fldChar", fldCharType="end")
        base = layout.package.sheet.paragraph(f"TOC{heading.level}").paragraph
        layout.flow.change_last(left=base.left, after=base.after)
    layout.styles.leave()
