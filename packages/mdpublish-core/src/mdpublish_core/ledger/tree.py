"""What a person sees of a tree."""

from collections.abc import Iterator, Sequence

from mdpublish_core import nodes
from mdpublish_core.ledger.entries import CHECKED, UNCHECKED, SeenEntry, Words, number_of, row_of, target_of
from mdpublish_core.nodes.comments import is_comment
from mdpublish_core.nodes.tokens import with_twins
from mdpublish_core.resources.allowed_elements import INLINE_TAGS

_INLINE = with_twins(
    *(nodes.Emphasis, nodes.Strong, nodes.Strikethrough, nodes.Link, nodes.AutoLink, nodes.InlineCode, nodes.RawText)
)
_INLINE_TAGS = INLINE_TAGS - {"br", "img"}

_END = SeenEntry("words", "")


def entries_of(tokens: Sequence[nodes.Token]) -> Iterator[SeenEntry]:
    """Yield what nodes show, in their order."""
    words = Words()
    pending: list[nodes.Token | SeenEntry] = [*reversed(tokens)]
    while pending:
        token = pending.pop()
        if isinstance(token, SeenEntry):
            yield from words.end()
            yield token
            continue
        is_inline = type(token) in _INLINE or (isinstance(token, nodes.HtmlElement) and token.tag in _INLINE_TAGS)
        if not is_inline:
            yield from words.end()
            pending.append(_END)
        yield from _marks_of(token)
        words.add(_shown(token))
        # An image is shown, not its alternative text.
        children = () if isinstance(token, nodes.Image) else nodes.children_of(token)
        if isinstance(token, nodes.List) and token.start is not None:
            for index, child in reversed([*enumerate(children)]):
                pending += (child, SeenEntry("number", number_of(token.label(index))))
        else:
            pending += reversed(children)
    yield from words.end()


def _marks_of(token: nodes.Token) -> Iterator[SeenEntry]:
    match token:
        case nodes.Link() | nodes.AutoLink() if target := target_of(token.target):
            yield SeenEntry("link", target)
        case nodes.Image():
            yield SeenEntry("image", token.src)
        case nodes.FootnoteDefinition():
            yield SeenEntry("number", f"{token.number}.")
        case nodes.TableRow():
            yield row_of(map(nodes.text_content, token.children))
        case nodes.TaskItem():
            yield SeenEntry("box", CHECKED if token.checked else UNCHECKED)
        case nodes.MathSpan() | nodes.MathBlock():
            yield SeenEntry("formula", token.content)
        case nodes.Figure():
            yield SeenEntry("image", "")
        case nodes.HtmlElement() if token.tag == "img":
            yield SeenEntry("image", str(token.attributes.get("src", "")))


def _shown(token: nodes.Token) -> str:
    """Return the text of a node itself."""
    match token:
        case nodes.LineBreak():
            return "\n"
        case nodes.Callout():
            return f"{token.label} {token.marker} "
        case nodes.FootnoteReference():
            return str(token.number)
        case nodes.Image():
            # Outputs show it as the caption.
            return token.title
        case nodes.MathSpan() | nodes.MathBlock():
            return ""
        case _:
            return "" if is_comment(token) else getattr(token, "content", "")
