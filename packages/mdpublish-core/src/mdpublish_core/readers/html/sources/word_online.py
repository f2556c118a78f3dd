"""Word, OneNote and Outlook in a browser: one list per item, its level in an attribute."""

from mdpublish_core.readers.html.parse import Element
from mdpublish_core.readers.html.sources import cleaning


def clean(root: Element) -> None:
    for element in cleaning.with_class(root, "EOP", "LineBreakBlob"):
        # The mark of a paragraph's end, a space that cannot be seen.
        if not any(True for _ in element.iter("br")):
            cleaning.remove(element)
    for paragraph in list(root.iter("p")):
        if paragraph.get("role") == "heading":
            level = paragraph.get("aria-level", "1")
            cleaning.retag(paragraph, f"h{level if level in set('123456') else 6}")
    for wrapper in cleaning.with_class(root, "ListContainerWrapper", "OutlineElement"):
        if wrapper.tag == "div":
            cleaning.unwrap(wrapper)
    items = []
    for element in list(root.iter("li")):
        around = element.getparent()
        if around is None or around.tag not in {"ul", "ol"}:
            continue
        level = element.get("data-aria-level") or element.get("aria-level") or "1"
        items.append(
            cleaning.LeveledItem(
                element, int(level) if level in set("123456789") else 1, around.tag == "ol", around.get("start", "")
            )
        )
        for paragraph in element.findall("p"):
            cleaning.unwrap(paragraph)
        cleaning.unwrap(around)
    cleaning.take_out(root)
    cleaning.nest_lists(items)
