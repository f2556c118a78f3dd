"""Which of a template's fonts a document has text for, and which its first screen."""

from mdpublish_core import nodes
from mdpublish_core.templates.web_fonts import FontUse, needs_extended

_HTML = frozenset({nodes.HtmlElement, nodes.HtmlSpan, nodes.HtmlBlock})
# Themes set captions and notes in italics.
_MAYBE_ITALIC = {nodes.Emphasis, nodes.Callout, nodes.Figure, nodes.Image, nodes.FootnoteDefinition, *_HTML}
_STRONG = nodes.Strong | nodes.Heading | nodes.SetextHeading
_ELEMENTS = {
    nodes.Quote: ("blockquote",),
    nodes.Table: ("th",),
    nodes.HtmlElement: ("blockquote", "dt", "summary", "th"),
}
_FIRST_BLOCKS = 8
"""About what a window shows of a page."""

_FIRST_ELEMENTS = {nodes.Emphasis: "em", nodes.Strong: "strong", nodes.Quote: "blockquote", nodes.Table: "th"}


def first_elements(document: nodes.Document) -> tuple[str, ...]:
    """Return those by which the first screen may choose fonts."""
    tokens = (token for block in document.children[:_FIRST_BLOCKS] for token in nodes.walk(block))
    names = (
        f"h{token.level}"
        if isinstance(token, nodes.Heading | nodes.SetextHeading)
        else _FIRST_ELEMENTS.get(type(token))
        for token in tokens
    )
    return ("p", *dict.fromkeys(filter(None, names)))


def font_use(document: nodes.Document) -> FontUse:
    """Return it; HTML counts as all that themes style."""
    tokens = [*nodes.walk(document)]
    kinds = {type(token) for token in tokens}
    levels = {f"h{token.level}" for token in tokens if isinstance(token, nodes.Heading | nodes.SetextHeading)}
    nested = (
        isinstance(child, nodes.Emphasis if isinstance(token, _STRONG) else _STRONG)
        for token in tokens
        if isinstance(token, _STRONG | nodes.Emphasis)
        for child in nodes.walk(token)
    )
    return FontUse(
        code=not kinds.isdisjoint({nodes.InlineCode, *_HTML}),
        code_blocks=not kinds.isdisjoint({nodes.CodeFence, nodes.BlockCode}),
        italic=not kinds.isdisjoint(_MAYBE_ITALIC),
        bold_italic=any(nested),
        extended=any(needs_extended(getattr(token, "content", "")) for token in tokens),
        elements=frozenset({*levels, *(name for kind in kinds for name in _ELEMENTS.get(kind, ()))}),
    )
