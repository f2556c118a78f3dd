"""What a node of the tree is, for the report on what arrives of it: one of the names in `words.toml`."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from mdpublish_core import nodes
from mdpublish_core.figure_kinds import FIGURE_KINDS
from mdpublish_core.resources.urls import has_scheme, is_data_url, is_image_data_url, is_safe_url
from mdpublish_core.writers.structure.block_runs import image_caption

_BY_CLASS: Mapping[type[nodes.Token], str] = {
    nodes.Heading: "heading",
    nodes.SetextHeading: "heading",
    nodes.Emphasis: "emphasis",
    nodes.Strong: "emphasis",
    nodes.Strikethrough: "strikethrough",
    nodes.InlineCode: "inline-code",
    nodes.Quote: "quote",
    nodes.Callout: "callout",
    nodes.CodeFence: "code-block",
    nodes.BlockCode: "code-block",
    nodes.Table: "table",
    nodes.MathSpan: "formula",
    nodes.MathBlock: "display-formula",
    nodes.FootnoteDefinition: "footnote",
    nodes.ThematicBreak: "rule",
    nodes.HtmlBlock: "raw-html",
    nodes.HtmlSpan: "raw-html",
}

_BY_TAG = {
    **dict.fromkeys(("ins", "u"), "underline"),
    **dict.fromkeys(("sub", "sup"), "script"),
    "details": "fold",
    "dl": "definition-list",
    "kbd": "key",
    "mark": "highlight",
    "ol": "numbered-list",
    "table": "table",
    "ul": "list",
}


def constructs_of(token: nodes.Token, parent: nodes.Token, document: nodes.Document) -> Iterator[str]:
    """Yield what a node is, if a reader could miss it, and what it has."""
    kind = type(token)
    name = _BY_CLASS.get(kind) or (_CHOICES[kind](token, parent, document) if kind in _CHOICES else None)
    if name:
        yield name
    if isinstance(token, nodes.Paragraph) and image_caption(token.children):
        yield "caption"
    elif isinstance(token, nodes.Figure | nodes.MathBlock) and token.options.get("title"):
        yield "figure-caption"
    elif isinstance(token, nodes.Link | nodes.Image) and token.title and not image_caption(parent.children):
        yield "tooltip"


def _list(token: nodes.List, _parent: nodes.Token, _document: nodes.Document) -> str | None:
    if all(isinstance(item, nodes.TaskItem) for item in token.children):
        return None
    return "list" if token.start is None else "numbered-list" if token.start == 1 else "continued-list"


def _task(_token: nodes.TaskItem, parent: nodes.Token, _document: nodes.Document) -> str:
    return "numbered-task" if isinstance(parent, nodes.List) and parent.start is not None else "task"


def _element(token: nodes.HtmlElement, _parent: nodes.Token, _document: nodes.Document) -> str | None:
    return "abbreviation" if token.tag == "abbr" and "title" in token.attributes else _BY_TAG.get(token.tag)


def _figure(token: nodes.Figure, _parent: nodes.Token, _document: nodes.Document) -> str:
    return "chart" if FIGURE_KINDS[token.kind].label == "Chart" else "diagram"


def _link(token: nodes.Link | nodes.AutoLink, _parent: nodes.Token, document: nodes.Document) -> str | None:
    url = token.target
    if token.children and all(isinstance(each, nodes.Image) or not nodes.has_content(each) for each in token.children):
        return "image-link"
    if url.startswith("#"):
        return "internal-link"
    if not (document.trusted or is_safe_url(url)):
        return "unsafe-link"
    if url[:4].lower() == "tel:":
        return "phone-link"
    return "link" if has_scheme(url) or not is_safe_url(url) else "relative-link" if url else None


def _image(token: nodes.Image, _parent: nodes.Token, document: nodes.Document) -> str | None:
    url = token.src
    if is_data_url(url):
        return "embedded-image" if is_image_data_url(url) else "unsafe-link"
    if not (document.trusted or is_safe_url(url)):
        return "unsafe-link"
    return "image" if has_scheme(url) else "relative-image" if url else None


_CHOICES: Mapping[type[nodes.Token], Callable[[Any, nodes.Token, nodes.Document], str | None]] = {
    nodes.AutoLink: _link,
    nodes.Figure: _figure,
    nodes.HtmlElement: _element,
    nodes.Image: _image,
    nodes.Link: _link,
    nodes.List: _list,
    nodes.TaskItem: _task,
}
