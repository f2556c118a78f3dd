"""LibreOffice: fonts as elements, and a code block's lines as blocks of their own."""

from lxml import etree

from mdpublish_core.readers.html.parse import Element
from mdpublish_core.readers.html.sources.cleaning import remove


def clean(root: Element) -> None:
    for font in root.iter("font"):
        if face := font.get("face"):
            font.set("style", f"font-family:{face}")
    for block in list(root.iter("pre")):
        previous = block.getprevious()
        if previous is not None and previous.tag == "pre" and not (previous.tail or "").strip():
            if (last := next(previous.iterchildren(reversed=True), None)) is None:
                previous.text = f"{previous.text or ''}\n"
            else:
                last.tail = f"{last.tail or ''}\n"
            moved = etree.SubElement(previous, "span")
            moved.text = block.text
            moved.extend(list(block))
            remove(block)
