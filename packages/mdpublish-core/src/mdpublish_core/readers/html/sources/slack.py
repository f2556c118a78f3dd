"""Slack: what an element is stands in `data-stringify-type`."""

from lxml import etree

from mdpublish_core.data_files import read_names
from mdpublish_core.readers.html.parse import Element
from mdpublish_core.readers.html.sources import cleaning

_TAGS = read_names(__file__, "names.tsv")["slack"]

_SHOWN = ("data-stringify-text", "data-stringify-emoji", "data-stringify-label")
"""Attributes with what an element shows: the last one is of people and channels."""


def clean(root: Element) -> None:
    items = []
    for element in list(root.iter()):
        kind = element.get("data-stringify-type", "")
        if element.get("data-stringify-ignore") == "true":
            cleaning.remove(element)
        elif string := next((value for name in _SHOWN if (value := element.get(name))), ""):
            cleaning.refill(element, "span", string)
        elif kind == "paragraph-break":
            cleaning.retag(element, "br")
            second = etree.Element("br")
            second.tail, element.tail = element.tail, None
            element.addnext(second)
        elif kind in _TAGS:
            cleaning.retag(element, _TAGS[kind])
        elif kind in {"unordered-list", "ordered-list"}:
            indent = element.get("data-stringify-indent") or element.get("data-indent") or "0"
            level = 1 + int(indent) if indent in set("012345678") else 1
            items += [cleaning.LeveledItem(item, level, kind == "ordered-list") for item in element.iterchildren("li")]
            cleaning.unwrap(element)
    cleaning.take_out(root)
    cleaning.nest_lists(items)
