"""Pairing of tags, within a Markdown container: an element without an end tag ends with its paragraph."""

from collections.abc import Callable, Container, Iterator, Sequence
from typing import cast

from mdpublish_core.nodes import open_nodes as nodes
from mdpublish_core.readers.markdown.characters import ASCII_ALPHANUMERICS
from mdpublish_core.readers.markdown.raw_html.literal_tags import is_name_alone
from mdpublish_core.readers.markdown.raw_html.tokenizer import HtmlText, HtmlToken, Tag, tokenize
from mdpublish_core.resources.known_elements import PLACEHOLDER_TAGS, VOID_TAGS

OpenTags = dict[str, list[Tag]]

EndsLater = Callable[[str, int], bool]
"""Whether what an opening (`<!--`, `<script>`) begins ends below a line, counted from 1."""

_WORD_CHARACTERS = frozenset(ASCII_ALPHANUMERICS + "_")

_LINES = frozenset({nodes.Heading, nodes.SetextHeading, nodes.TableCell})
"""Blocks that an element does not begin."""

_TEXT_BLOCKS = _LINES | {nodes.Paragraph}


class TagMatcher:
    """Tokenizes the HTML of a tree and pairs its tags."""

    def __init__(
        self, blocks_with_html: Container[int] | None, inline_levels: int, ends_later: EndsLater | None
    ) -> None:
        self.depth = 0
        self._blocks_with_html = blocks_with_html
        self._inline_levels = inline_levels
        self._ends_later = ends_later
        self._tokens: dict[int, list[HtmlToken]] = {}
        self._with_html: set[int] = set()

    def scan(self, token: nodes.Token, level: int, open_tags: OpenTags) -> bool:
        """Return whether a token or its descendants contain HTML."""
        kind = type(token)
        if kind is nodes.HtmlBlock or kind is nodes.HtmlSpan:
            # An HTML block becomes a paragraph with text.
            self.depth = max(self.depth, level + (kind is nodes.HtmlBlock))
            html = cast("nodes.HtmlBlock | nodes.HtmlSpan", token)
            html_tokens = self._tokens[id(token)] = list(self._tokenize(html))
            _match_tags(html_tokens, open_tags)
            return True
        if self._blocks_with_html is not None and kind in _TEXT_BLOCKS and id(token) not in self._blocks_with_html:
            self.depth = max(self.depth, level + self._inline_levels)
            return False
        self.depth = max(self.depth, level)
        inner = open_tags if kind is nodes.Paragraph else {}
        contains_html = False
        previous: nodes.Token | None = None
        for child in nodes.children_of(token):
            is_title = kind is nodes.Callout and child is cast("nodes.Callout", token).title
            if self.scan(child, level + 1, {} if is_title else inner):
                contains_html = True
                if type(child) is nodes.HtmlSpan:
                    self._mark_place(child, previous, is_line=kind in _LINES)
            previous = child
        if contains_html:
            self._with_html.add(id(token))
        return contains_html

    def _tokenize(self, token: nodes.HtmlBlock | nodes.HtmlSpan) -> Iterator[HtmlToken]:
        if isinstance(token, nodes.HtmlSpan):
            # A single tag, whose end is another token.
            return tokenize(token.content, ends_later=lambda _: True)
        if self._ends_later is None or token.line_number is None:
            return tokenize(token.content)
        ends_later, last = self._ends_later, token.line_number + token.content.count("\n")
        return tokenize(token.content, ends_later=lambda opening: ends_later(opening, last))

    def _mark_place(self, token: nodes.HtmlSpan, previous: nodes.Token | None, *, is_line: bool) -> None:
        for tag in self._tokens[id(token)][:1]:
            if isinstance(tag, Tag):
                tag.is_in_line = is_line or previous is not None
                tag.follows_word = isinstance(previous, nodes.RawText) and previous.content[-1:] in _WORD_CHARACTERS

    def html_tokens_of(self, token: nodes.Token) -> Sequence[HtmlToken]:
        return self._tokens[id(token)]

    def has_html(self, token: nodes.Token) -> bool:
        return id(token) in self._with_html


def _match_tags(html_tokens: Sequence[HtmlToken], open_tags: OpenTags) -> None:
    previous: HtmlToken | None = None
    for html_token in html_tokens:
        before, previous = previous, html_token
        if not isinstance(html_token, Tag):
            continue
        html_token.follows_word = isinstance(before, HtmlText) and before.content[-1:] in _WORD_CHARACTERS
        if html_token.name in VOID_TAGS:
            if html_token.name in PLACEHOLDER_TAGS:
                _match_empty(html_token, open_tags)
            continue
        opened = open_tags.setdefault(html_token.name, [])
        if html_token.is_end_tag and opened:
            opened.pop().has_end_tag = True
        elif not html_token.is_end_tag and not html_token.is_empty:
            if html_token.name in {"a", "p"}:
                # These elements cannot nest, so the previous one has ended.
                opened.clear()
            opened.append(html_token)


def _match_empty(tag: Tag, open_tags: OpenTags) -> None:
    if not tag.is_end_tag:
        open_tags[tag.name] = [tag]
    elif opened := open_tags.pop(tag.name, []):
        tag.ends_placeholder = is_name_alone(opened[0])
