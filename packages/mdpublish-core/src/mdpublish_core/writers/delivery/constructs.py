"""What a node of the tree is, for the report on what arrives of it: one of the constructs in `words.toml`."""

from collections.abc import Iterator

from mdpublish_core import nodes
from mdpublish_core.figure_kinds import FIGURE_KINDS
from mdpublish_core.resources.urls import has_scheme, is_image_data_url, is_safe_url
from mdpublish_core.writers.delivery.forms import words


def constructs_of(
    token: nodes.Token, parent: nodes.Token, alone: nodes.Image | None, document: nodes.Document
) -> Iterator[str]:
    """Yield what a node is, if a reader could miss it, and what it has; `alone` is an image whose title is a caption."""
    if name := _name_of(token, parent, document):
        yield name
    if isinstance(token, nodes.Figure | nodes.MathBlock) and token.options.get("title"):
        yield "figure-caption"
    elif isinstance(token, nodes.Link | nodes.Image) and token.title:
        yield "caption" if token is alone else "tooltip"


def _name_of(token: nodes.Token, parent: nodes.Token, document: nodes.Document) -> str | None:
    name: str | None = words()["nodes"].get(type(token).__name__)
    match token:
        case nodes.HtmlElement() if token.tag != "abbr" or "title" in token.attributes:
            name = words()["tags"].get(token.tag)
        case nodes.Figure() if FIGURE_KINDS[token.kind].label == "Chart":
            name = "chart"
        case nodes.List() if all(isinstance(item, nodes.TaskItem) for item in token.children):
            name = None
        case nodes.List() if token.start is not None:
            name = "numbered-list" if token.start == 1 else "continued-list"
        case nodes.TaskItem() if isinstance(parent, nodes.List) and parent.start is not None:
            name = "numbered-task"
        case nodes.Quote() if isinstance(parent, nodes.Quote | nodes.Callout):
            name = "nested-quote"
        case nodes.Link() | nodes.AutoLink():
            name = "internal-link" if token.target.startswith("#") else _kind_of_url(token.target, "link", document)
            is_image = isinstance(token, nodes.Link) and token.children and all(map(_shows_no_text, token.children))
            name = "image-link" if name == "link" and is_image else name
        case nodes.Image():
            name = "embedded-image" if is_image_data_url(token.src) else _kind_of_url(token.src, "image", document)
    return name


def _shows_no_text(token: nodes.Token) -> bool:
    return isinstance(token, nodes.Image) or not nodes.has_content(token)


def _kind_of_url(url: str, kind: str, document: nodes.Document) -> str | None:
    is_safe = is_safe_url(url)
    if not (is_safe or document.trusted):
        return "unsafe-link"
    if url[:4].lower() == "tel:":
        return "phone-link"
    return kind if has_scheme(url) or not is_safe else f"relative-{kind}" if url else None
