"""OneNote, as Microsoft Graph has its pages: tasks are paragraphs with a tag."""

from mdpublish_core.readers.html.parse import Element
from mdpublish_core.readers.html.sources.cleaning import Item, join_code, nest_lists, retag, text_of

_RULE = "─"


def clean(root: Element) -> None:
    tasks = [paragraph for paragraph in root.iter("p") if paragraph.get("data-tag", "").startswith("to-do")]
    nest_lists(Item(paragraph, 1, is_numbered=False) for paragraph in tasks)
    for paragraph in list(root.iter("p")):
        if set(text_of(paragraph)) == {_RULE}:
            tail = paragraph.tail
            paragraph.clear()
            paragraph.tail = tail
            retag(paragraph, "hr")
    join_code(root)
