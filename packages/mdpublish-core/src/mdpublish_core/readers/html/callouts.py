"""Callouts, as our own pages, GitHub and Obsidian write them."""

from collections.abc import Sequence

from mdpublish_core import nodes
from mdpublish_core.readers.html.parse import Element
from mdpublish_core.readers.markdown.callouts import CalloutMark, read_quote_mark

_TITLE_CLASSES = frozenset({"title", "markdown-alert-title", "callout-title", "admonition-title", "admonition-heading"})


def find_callout(element: Element) -> CalloutMark | None:
    """Return the kind of callout that an element is, by its classes, or None."""
    if element.tag not in {"div", "aside", "section", "blockquote", "details"}:
        return None
    classes = element.get("class", "")
    if not any(word in classes for word in ("callout", "markdown-alert", "admonition")):
        return None
    named = element.get("data-callout", "")
    words = classes.split()
    for name in (named, *(word.removeprefix("markdown-alert-").removeprefix("theme-admonition-") for word in words)):
        if mark := _mark(name.lower()[:20]):
            return mark
    return None


def _mark(name: str) -> CalloutMark | None:
    return read_quote_mark(f"[!{name}]") if name else None


def callout_of(element: Element, children: Sequence[nodes.Token]) -> list[nodes.Token]:
    mark = find_callout(element)
    assert mark and mark.kind, "only marks of quotes are read"
    blocks = list(children)
    title = None
    has_title = any(
        not _TITLE_CLASSES.isdisjoint(child.get("class", "").split()) for child in element.iterchildren("p", "div")
    )
    if has_title and blocks and isinstance(blocks[0], nodes.Paragraph):
        title = blocks.pop(0)
    name = mark.name if element.get("data-callout") else ""
    callout = nodes.Callout(mark.kind, blocks, name=name)
    if title and nodes.text_content(title) != callout.label:
        callout = nodes.Callout(mark.kind, blocks, title=title, name=name or mark.kind)
    return [callout]
