"""Confluence and Jira: panels, expands and tasks are elements of their editor."""

from collections.abc import Mapping

from lxml import etree

from mdpublish_core.readers.html.parse import Element
from mdpublish_core.readers.html.sources.cleaning import retag

_PANELS: Mapping[str, str] = {
    "info": "note",
    "note": "important",
    "success": "tip",
    "warning": "warning",
    "error": "caution",
}


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
            checked = "true" if element.get("data-task-state") == "DONE" else "false"
            retag(element, "li", **{"role": "checkbox", "aria-checked": checked})
