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
from mdpublish_core.parsing.raw_html.tag_matching import OpenTags, TagMatcher
from mdpublish_core.parsing.raw_html.tree_builder import TreeBuilder

# GFM's disallowed raw HTML: https://github.github.com/gfm/#disallowed-raw-html-extension-
_DISALLOWED = re.compile(
    r"<(?=/?(?:title|textarea|style|xmp|iframe|noembed|noframes|script|plaintext)(?:[ \t\n\f\r/>]|$))", re.IGNORECASE
)


def convert_raw_html(
    children: Sequence[nodes.Token],
    mode: Literal["sanitize", "escape"],
    *,
    max_depth: int,
    blocks_with_html: Container[nodes.Token] | None = None,
    inline_levels: int = 0,
) -> tuple[list[nodes.Token], list[Notice]]:
    """Return a tree's blocks without `HtmlBlock` or `HtmlSpan`, and what the author should know.

    The blocks are at level 1; what HTML adds goes no deeper than level `max_depth`. Tokens below may be changed in place.
    Whoever knows which blocks of text hold raw HTML gives them as `blocks_with_html`, with the levels of inlines there are at most.
    """
    if mode == "escape":
        return _escape_html(children), []
    matcher = TagMatcher(blocks_with_html, inline_levels)
    scope: OpenTags = {}
    for child in children:
        matcher.scan(child, 1, scope)
    builder = TreeBuilder(matcher, max_depth)
    return builder.build(children), builder.notices


def is_disallowed_tag(tag: str) -> bool:
    """Tell whether GFM's extension `tagfilter` makes text of a tag."""
    return _DISALLOWED.match(tag) is not None


def escape_disallowed_tags(html: str) -> str:
    """Return an HTML block in which the tags that `tagfilter` disallows are text."""
    return _DISALLOWED.sub("&lt;", html)


def _escape_html(children: Sequence[nodes.Token]) -> list[nodes.Token]:
    """Return the tokens with raw HTML as the text it is written as."""
    for child in children:
        for token in list(nodes.walk(child)):
            if nodes.children_of(token) and not isinstance(token, nodes.Table):
                token.children = _html_as_text(nodes.children_of(token))
    return _html_as_text(children)


def _html_as_text(children: Sequence[nodes.Token]) -> list[nodes.Token]:
    """Return the tokens with raw HTML among them as text, neighbouring texts made one."""
    shown: list[nodes.Token] = []
    strings: list[str] = []
    for child in children:
        for token in _source(child) if isinstance(child, nodes.HtmlBlock | nodes.HtmlSpan) else [child]:
            if isinstance(token, nodes.RawText):
                strings.append(token.content)
                continue
            if strings:
                shown.append(nodes.RawText("".join(strings)))
                strings = []
            shown.append(token)
    return [*shown, nodes.RawText("".join(strings))] if strings else shown


def _source(html: nodes.HtmlBlock | nodes.HtmlSpan) -> list[nodes.Token]:
    """Return the lines of raw HTML with soft breaks between them, those of a block in a paragraph."""
    inlines: list[nodes.Token] = []
    for line in filter(None, map(str.strip, html.content.split("\n"))):
        inlines += [nodes.LineBreak(soft=True), nodes.RawText(line)] if inlines else [nodes.RawText(line)]
    return [nodes.Paragraph(inlines, line=html.line_number)] if isinstance(html, nodes.HtmlBlock) else inlines
