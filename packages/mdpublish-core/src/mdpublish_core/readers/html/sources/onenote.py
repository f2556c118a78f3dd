"""OneNote, as Microsoft Graph has its pages: tasks are paragraphs with a tag."""

from mdpublish_core.readers.html.parse import Element
from mdpublish_core.readers.html.sources.cleaning import LeveledItem, nest_lists, wrap_content

_INDENT = "width:24px"
"""Style of the empty cell before a quote, in our own pages."""


def clean(root: Element) -> None:
    tasks = [paragraph for paragraph in root.iter("p") if paragraph.get("data-tag", "").startswith("to-do")]
    states = ["true" if "completed" in paragraph.get("data-tag", "") else "false" for paragraph in tasks]
    nest_lists(LeveledItem(paragraph, 1, is_numbered=False) for paragraph in tasks)
    for task, state in zip(tasks, states, strict=True):
        task.set("role", "checkbox")
        task.set("aria-checked", state)
    for table in list(root.iter("table")):
        cells = list(table.iter("td")) if table.get("border") == "0" else []
        if len(cells) > 1 and cells[0].get("style") == _INDENT:
            wrap_content(cells[1], "blockquote")
