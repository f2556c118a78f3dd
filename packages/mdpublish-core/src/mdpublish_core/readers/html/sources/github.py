"""GitHub: diagrams with their source in an attribute, and files as tables of lines."""

from mdpublish_core.readers.html.parse import Element
from mdpublish_core.readers.html.sources.cleaning import refill, remove, retag, with_class


def clean(root: Element) -> None:
    for element in with_class(root, "zeroclipboard-container", "octicon"):
        remove(element)
    for section in list(root.iter("section")):
        language = section.get("data-type", "")
        source = next((each.get("data-plain") for each in section.iter() if each.get("data-plain")), None)
        if language and source:
            refill(section, "pre", source, **{"data-language": language})
    for table in list(root.iter("table")):
        if lines := with_class(table, "blob-code"):
            for number in with_class(table, "blob-num"):
                remove(number)
            for line in lines:
                line.tag = "span"
            retag(table, "pre")
