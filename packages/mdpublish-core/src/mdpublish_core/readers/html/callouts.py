"""Callouts, as our own pages, GitHub and Obsidian write them."""

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import get_args

from mdpublish_core.nodes import open_nodes as nodes
from mdpublish_core.readers.html.parse import Element
from mdpublish_core.readers.markdown.callouts import CalloutMark, read_quote_mark

_KINDS: Mapping[str, nodes.CalloutKind] = {kind.capitalize(): kind for kind in get_args(nodes.CalloutKind)}

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
        if mark := read_quote_mark(f"[!{name.lower()[:20]}]"):
            return mark
    return None


def callout_of(element: Element, children: Sequence[nodes.Token]) -> list[nodes.Token]:
    mark = find_callout(element)
    assert mark, "it is one"
    assert mark.kind, "only marks of quotes are read"
    blocks = list(children)
    has_title = any(
        not _TITLE_CLASSES.isdisjoint(child.get("class", "").split()) for child in element.iterchildren("p", "div")
    )
    name = mark.name if element.get("data-callout") else ""
    title = blocks.pop(0) if has_title and blocks else None
    if not isinstance(title, nodes.Paragraph):
        return [nodes.Callout(mark.kind, children, name=name)]
    callout = nodes.Callout(mark.kind, blocks, name=name)
    if nodes.text_content(title) == callout.label:
        return [callout]
    return [nodes.Callout(mark.kind, blocks, title=title, name=name or mark.kind)]


def labelled_callout(blocks: Sequence[nodes.Token]) -> Sequence[nodes.Token]:
    """Return a callout for what our outputs to editors and emails put in its box: a kind in bold, then its blocks."""
    first = blocks[0] if len(blocks) > 1 else None
    label = first.children[0] if isinstance(first, nodes.Paragraph) and len(first.children) == 1 else None
    kind = _KINDS.get(nodes.text_content(label)) if isinstance(label, nodes.Strong) else None
    return [nodes.Callout(kind, blocks[1:])] if kind else blocks


def quote_of(blocks: Sequence[nodes.Token], element: Element) -> list[nodes.Token]:
    """Return a quote, or the callout that its first line names, such as `[!NOTE]`."""
    first = blocks[0] if blocks else None
    inlines = first.children if isinstance(first, nodes.Paragraph) else ()
    line, rest = (inlines[0] if inlines else None), inlines[1:]
    if isinstance(line, nodes.RawText) and " " in line.content:
        # A line end is a space to browsers.
        name, _, content = line.content.partition(" ")
        if "".join(map(str, islice(element.itertext(), 2))).lstrip().startswith(f"{name}\n"):
            line, rest = (
                nodes.RawText(name),
                [nodes.LineBreak(soft=True), *([nodes.RawText(content)] if content else []), *rest],
            )
    mark = read_quote_mark(line.content) if isinstance(line, nodes.RawText) else None
    if mark is None or mark.kind is None or mark.title or (rest and not isinstance(rest[0], nodes.LineBreak)):
        return [nodes.Quote(blocks)] if blocks else []
    body = [nodes.Paragraph(rest[1:])] if rest else []
    return [nodes.Callout(mark.kind, [*body, *blocks[1:]], name=mark.name, fold=mark.fold)]
