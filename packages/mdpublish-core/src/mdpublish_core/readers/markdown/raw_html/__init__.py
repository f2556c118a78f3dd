"""Raw HTML to nodes (by GitHub's allow-lists) or to text.

Tags are paired across blocks and inlines, as authors write them. Elements may overlap and stay open as in browsers,
within limits on the output's size.
"""

import re
from collections.abc import Container, Sequence
from typing import TYPE_CHECKING, Literal

from mdpublish_core.nodes import open_nodes as nodes
from mdpublish_core.notices import Notice
from mdpublish_core.readers.lines import inlines_of_lines
from mdpublish_core.strings.lazy_patterns import compile_lazily

if TYPE_CHECKING:
    from mdpublish_core.readers.markdown.positions import DocumentPositions
    from mdpublish_core.readers.markdown.raw_html.tag_matching import EndsLater, OpenTags

# https://github.github.com/gfm/#disallowed-raw-html-extension-
_DISALLOWED_TAG = r"(?=/?(?:title|textarea|style|xmp|iframe|noembed|noframes|script|plaintext)(?:[ \t\n\f\r/>]|$))"
_DISALLOWED = compile_lazily(f"<{_DISALLOWED_TAG}", re.IGNORECASE)
_ESCAPED = compile_lazily(f"&lt;{_DISALLOWED_TAG}", re.IGNORECASE)


def convert_raw_html(
    children: Sequence[nodes.Token],
    mode: Literal["sanitize", "escape"],
    *,
    max_depth: int,
    blocks_with_html: Container[int] | None = None,
    inline_levels: int = 0,
    ends_later: "EndsLater | None" = None,
    positions: "DocumentPositions | None" = None,
) -> tuple[list[nodes.Token], list[Notice]]:
    """Return blocks without raw HTML, and notices.

    HTML adds nodes down to level `max_depth` (`children` are level 1). Only text in `blocks_with_html`, by `id()`, is
    searched. What is open at the end of an HTML block is text, unless `ends_later`.
    """
    if mode == "escape":
        return _escape_html(children), []
    from mdpublish_core.readers.markdown.raw_html.tag_matching import TagMatcher
    from mdpublish_core.readers.markdown.raw_html.tree_builder import TreeBuilder

    matcher = TagMatcher(blocks_with_html, inline_levels, ends_later)
    scope: OpenTags = {}
    for child in children:
        matcher.scan(child, 1, scope)
    builder = TreeBuilder(matcher, max_depth, positions)
    return builder.build(children), builder.notices


def is_disallowed_tag(tag: str) -> bool:
    """Return whether GFM's `tagfilter` extension escapes this tag."""
    return _DISALLOWED.match(tag) is not None


def escape_disallowed_tags(html: str) -> str:
    return _DISALLOWED.sub("&lt;", html)


def unescape_disallowed_tags(html: str) -> str:
    """Return raw HTML as it was before `escape_disallowed_tags`."""
    return _ESCAPED.sub("<", html)


def _escape_html(children: Sequence[nodes.Token]) -> list[nodes.Token]:
    for child in children:
        for token in list(nodes.walk(child)):
            if token.children and not isinstance(token, nodes.Table):
                token.children = _html_as_text(token.children)
    return _html_as_text(children)


def _html_as_text(children: Sequence[nodes.Token]) -> list[nodes.Token]:
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
    inlines = inlines_of_lines(html.content.split("\n"), lambda line: [nodes.RawText(line)], soft=True)
    return [nodes.Paragraph(inlines, line=html.line_number)] if isinstance(html, nodes.HtmlBlock) else inlines
