"""What becomes of raw HTML: the tokens it means, of allow-lists, or the text it is written as.

    HtmlBlock, HtmlSpan → pieces (tags), paired (survey) → walked (lowering) → tokens (inlines, blocks)

Tags are paired across inlines and blocks, since authors open an element in one block and close it in another. Elements may
overlap and stay open as they may in browsers, but within bounds that keep the result in proportion to its source.
`elements` says what is allowed.
"""

import re
from collections.abc import Container, Sequence
from typing import Literal

from mdpublish_core import nodes
from mdpublish_core.notices import Notice
from mdpublish_core.parsing.raw_html.lowering import Lowering
from mdpublish_core.parsing.raw_html.survey import Scope, Survey

# GFM's disallowed raw HTML: https://github.github.com/gfm/#disallowed-raw-html-extension-
_FILTERED = re.compile(
    r"<(?=/?(?:title|textarea|style|xmp|iframe|noembed|noframes|script|plaintext)(?:[ \t\n\f\r/>]|$))", re.IGNORECASE
)


def lower_raw_html(
    children: Sequence[nodes.Token],
    mode: Literal["sanitize", "escape"],
    *,
    nesting: int,
    texts: Container[nodes.Token] | None = None,
    inline_levels: int = 0,
) -> tuple[list[nodes.Token], list[Notice]]:
    """Return a tree's blocks without `HtmlBlock` or `HtmlSpan`, and what the author should know.

    The blocks are at level 1; what HTML adds goes no deeper than level `nesting`. Tokens below may be changed in place.
    Whoever knows which blocks of text hold raw HTML gives them as `texts`, with the levels of inlines there are at most.
    """
    if mode == "escape":
        return _escaped(children), []
    survey = Survey(texts, inline_levels)
    scope: Scope = {}
    for child in children:
        survey.look(child, 1, scope)
    lowering = Lowering(survey, nesting)
    return lowering.lower(children), lowering.notices


def is_filtered(tag: str) -> bool:
    """Tell whether GFM's extension `tagfilter` makes text of a tag."""
    return _FILTERED.match(tag) is not None


def filtered(html: str) -> str:
    """Return an HTML block in which the tags that `tagfilter` disallows are text."""
    return _FILTERED.sub("&lt;", html)


def _escaped(children: Sequence[nodes.Token]) -> list[nodes.Token]:
    """Return the tokens with raw HTML as the text it is written as."""
    for child in children:
        for token in list(nodes.walk(child)):
            if nodes.children_of(token) and not isinstance(token, nodes.Table):
                token.children = _with_sources(nodes.children_of(token))
    return _with_sources(children)


def _with_sources(children: Sequence[nodes.Token]) -> list[nodes.Token]:
    """Return the tokens with raw HTML among them as text, neighbouring texts made one."""
    shown: list[nodes.Token] = []
    texts: list[str] = []
    for child in children:
        for token in _source(child) if isinstance(child, nodes.HtmlBlock | nodes.HtmlSpan) else [child]:
            if isinstance(token, nodes.RawText):
                texts.append(token.content)
                continue
            if texts:
                shown.append(nodes.RawText("".join(texts)))
                texts = []
            shown.append(token)
    return [*shown, nodes.RawText("".join(texts))] if texts else shown


def _source(html: nodes.HtmlBlock | nodes.HtmlSpan) -> list[nodes.Token]:
    """Return the lines of raw HTML with soft breaks between them, those of a block in a paragraph."""
    inlines: list[nodes.Token] = []
    for line in filter(None, map(str.strip, html.content.split("\n"))):
        inlines += [nodes.LineBreak(soft=True), nodes.RawText(line)] if inlines else [nodes.RawText(line)]
    return [nodes.Paragraph(inlines, line=html.line_number)] if isinstance(html, nodes.HtmlBlock) else inlines
