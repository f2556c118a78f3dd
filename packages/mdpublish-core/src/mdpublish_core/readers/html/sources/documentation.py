"""Sites of documentation: line numbers in a table, footnotes in asides, titles of admonitions, links with page names.

They are made by Sphinx, MkDocs, Docusaurus, Jekyll and MediaWiki.
"""

from itertools import islice
from urllib.parse import unquote

from mdpublish_core.readers.html.parse import Element
from mdpublish_core.readers.html.sources.cleaning import remove, retag, unwrap

_NUMBERS = frozenset({"linenos", "gutter"})


def clean(root: Element) -> None:
    for link in root.iterfind(".//a[@title]"):
        if link.get("title", "").replace(" ", "_") == unquote(link.get("href", "").rpartition("/wiki/")[2]):
            del link.attrib["title"]
    for element in root.iterfind(".//*[@class]"):
        classes = element.get("class", "").split()
        parent = element.getparent()
        if element.tag == "td" and not _NUMBERS.isdisjoint(classes):
            _unwrap_code(element)
        elif "footnote-reference" in classes:
            element.set("role", "doc-noteref")
        elif "label" in classes and parent is not None and "footnote" in parent.get("class", "").split():
            remove(element)
        elif "md-fn-count" in classes or "mw-editsection" in classes:
            # Typora's, before each note; MediaWiki's links to edit a section.
            remove(element)
        elif element.tag == "div" and any(name.startswith("admonitionHeading") for name in classes):
            retag(element, "p", **{"class": "title"})


def _unwrap_code(numbers: Element) -> None:
    """Leave of a table with line numbers beside code the code."""
    table = next(numbers.iterancestors("table"), None)
    if table is None or len(list(islice(table.iter("tr"), 2))) != 1:
        return
    if any(cell.find(".//pre") is not None for cell in numbers.itersiblings("td")):
        remove(numbers)
        for element in list(table.iter("table", "tbody", "tr", "td")):
            unwrap(element)
