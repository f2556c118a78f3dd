"""A look at all the raw HTML of a tree: its pieces, where it stands, and which of its tags are closed.

Whether an element goes on past its paragraph depends on whether a tag closes it, so tags are paired before anything is
built. The bounds of Markdown part them: those in a list item pair with none outside it.
"""

from collections.abc import Container, Sequence
from typing import cast

from mdpublish_core import nodes
from mdpublish_core.parsing.raw_html.tokenizer import VOID_TAGS, HtmlToken, Tag, tokenize

OpenTags = dict[str, list[Tag]]
"""The opening tags between two bounds that no tag has closed yet, by their names."""


_TEXT_BLOCKS = frozenset({nodes.Paragraph, nodes.Heading, nodes.SetextHeading, nodes.TableCell})
"""The blocks that hold inlines."""


class TagMatcher:
    """Reads the HTML of a whole tree, and pairs its tags.

    The inlines of a block of text are looked at only where it is among `blocks_with_html`; none has more than `inline_levels` levels.
    """

    def __init__(self, blocks_with_html: Container[nodes.Token] | None, inline_levels: int) -> None:
        self.depth = 0
        self._blocks_with_html = blocks_with_html
        self._inline_levels = inline_levels
        self._tokens: dict[int, list[HtmlToken]] = {}
        self._with_html: set[int] = set()

    def scan(self, token: nodes.Token, level: int, open_tags: OpenTags) -> bool:
        """Take notice of a token and those below it; tell whether there is HTML among them."""
        kind = type(token)
        if kind is nodes.HtmlBlock or kind is nodes.HtmlSpan:
            # What an HTML block holds becomes a paragraph and its text, two levels instead of one.
            self.depth = max(self.depth, level + (kind is nodes.HtmlBlock))
            html = cast("nodes.HtmlBlock | nodes.HtmlSpan", token)
            html_tokens = self._tokens[id(token)] = list(tokenize(html.content))
            _match_tags(html_tokens, open_tags)
            return True
        if self._blocks_with_html is not None and kind in _TEXT_BLOCKS and token not in self._blocks_with_html:
            self.depth = max(self.depth, level + self._inline_levels)
            return False
        self.depth = max(self.depth, level)
        inner = open_tags if kind is nodes.Paragraph else {}
        contains_html = False
        for child in nodes.children_of(token):
            contains_html |= self.scan(child, level + 1, inner)
        if contains_html:
            self._with_html.add(id(token))
        return contains_html

    def html_tokens_of(self, token: nodes.Token) -> Sequence[HtmlToken]:
        """Return what raw HTML was cut into."""
        return self._tokens[id(token)]

    def has_html(self, token: nodes.Token) -> bool:
        """Tell whether there is HTML below a token."""
        return id(token) in self._with_html


def _match_tags(html_tokens: Sequence[HtmlToken], open_tags: OpenTags) -> None:
    """Mark the opening tags that are closed."""
    for html_token in html_tokens:
        if not isinstance(html_token, Tag) or html_token.name in VOID_TAGS:
            continue
        opened = open_tags.setdefault(html_token.name, [])
        if html_token.is_end_tag and opened:
            opened.pop().has_end_tag = True
        elif not html_token.is_end_tag and not html_token.is_empty:
            if html_token.name in {"a", "p"}:
                # They hold none of their own kind, so the one before has ended.
                opened.clear()
            opened.append(html_token)
