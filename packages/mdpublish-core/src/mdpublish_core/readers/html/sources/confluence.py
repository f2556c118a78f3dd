"""Confluence and Jira: panels, expands and tasks are elements of their editor; other ones where a page is read."""

from lxml import etree

from mdpublish_core.data_files import read_names
from mdpublish_core.readers.html.parse import Element
from mdpublish_core.readers.html.sources.cleaning import retag, with_class
from mdpublish_core.strings.lazy_patterns import compile_lazily

_PANELS = read_names(__file__, "names.tsv")["panel"]
_READ_PANELS = read_names(__file__, "names.tsv")["read panel"]
_READ_PANEL = "confluence-information-macro"
_JIRA_LANGUAGE = compile_lazily(r"code-(?!block)(\w+)")


def clean(root: Element) -> None:
    for element in list(root.iter("div", "ul", "ol", "li")):
        kind = element.get("data-node-type", "")
        if panel := _PANELS.get(element.get("data-panel-type", "")):
            retag(element, "div", **{"class": f"callout {panel}"})
        elif kind in {"expand", "nestedExpand"}:
            title = element.get("data-title", "")
            retag(element, "details")
            summary = etree.Element("summary")
            summary.text, summary.tail, element.text = title, element.text, None
            element.insert(0, summary)
        elif "data-task-list-local-id" in element.attrib:
            retag(element, "ul")
        elif "data-task-local-id" in element.attrib:
            _make_task(element, is_done=element.get("data-task-state") == "DONE")
    _clean_page(root)


def _make_task(element: Element, *, is_done: bool) -> None:
    retag(element, "li", **{"role": "checkbox", "aria-checked": str(is_done).lower()})


def _clean_page(root: Element) -> None:
    for element in with_class(root, _READ_PANEL):
        kind = element.get("class", "").rpartition(f"{_READ_PANEL}-")[2]
        retag(element, "div", **{"class": f"callout {_READ_PANELS.get(kind, 'note')}"})
    for element in root.iter("pre"):
        if parameters := element.get("data-syntaxhighlighter-params"):
            element.set("class", parameters.replace(";", " "))
        elif match := _JIRA_LANGUAGE.fullmatch(element.get("class", "")):
            element.set("data-language", match[1])
    for tasks in with_class(root, "inline-task-list"):
        for item in tasks.iterchildren("li"):
            _make_task(item, is_done=item.get("class") == "checked")
