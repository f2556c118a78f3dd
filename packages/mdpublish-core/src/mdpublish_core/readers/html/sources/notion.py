"""Notion: plain HTML, with lines divided by line ends, and boxes as text."""

from lxml import etree

from mdpublish_core.readers.html.parse import Element

_BOXES = {"[ ]": "false", "[x]": "true"}


def clean(root: Element) -> None:
    for element in list(root.iter("p", "li", "blockquote")):
        element.set("style", "white-space:pre-wrap")
        string = (element.text or "").lstrip()
        checked = _BOXES.get(string[:3])
        if element.tag == "li" and checked:
            element.text = string[3:]
            element.set("role", "checkbox")
            element.set("aria-checked", checked)
    for language in root.iter("code"):
        parent = language.getparent()
        if parent is not None and parent.tag == "pre" and parent.get("data-language") is None:
            etree.strip_tags(language, "span")
