"""Tokenizer for raw HTML.

It follows browsers, except that unknown and unclosed tags are text and nothing continues past its source block.
Possessive patterns and cached failures keep it linear.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from mdpublish_core.readers.markdown.html_syntax import DELIMITED, DOCTYPE, SHORT_COMMENTS
from mdpublish_core.resources.known_elements import DROPPED_TAGS, KNOWN_TAGS, VOID_TAGS
from mdpublish_core.strings.lazy_patterns import compile_lazily
from mdpublish_core.strings.positions import Span

_DELIMITED = (*DELIMITED, ("<!", ">"))

# CommonMark's tag names, and XML's with a prefix; no autolinks (`<https://…`).
_NAME = compile_lazily(r"<(/?)([A-Za-z][A-Za-z0-9-]*(?::[A-Za-z0-9-]+)?)(?=[ \t\n\f\r/>])")
# Up to the closing `>`. Quotes are significant only after `=`.
_REST = compile_lazily(r"""((?:[^>"'=]++|=[ \t\n\f\r]*+(?:"[^"]*+"|'[^']*+')|[="']|(?!))*+)>""")
_ATTRIBUTE = compile_lazily(
    r"""([^ \t\n\f\r"'<>/=]++)(?:[ \t\n\f\r]*+=[ \t\n\f\r]*+("[^"]*+"|'[^']*+'|[^ \t\n\f\r>]++)?)?"""
)
_DROPPED_ENDS = {name: compile_lazily(rf"</{name}(?:>|[ \t\n\f\r/][^>]*>?)", re.IGNORECASE) for name in DROPPED_TAGS}
# Python refuses numbers over 4,300 digits; no code point has eight.
_LONG_REFERENCE = compile_lazily(r"&#[0-9]{8,}+;?")


class HtmlText(NamedTuple):
    """Text with decoded entities; `line` counts from 0 in its source."""

    content: str
    line: int
    unclosed: Span | None = None
    """Its range in the source, if it opens a comment or a removed element that never ends."""


class Tag:
    """An opening or closing tag, as written.

    `span` is its range in its source; tag matching sets the other flags.
    """

    __slots__ = (
        *("_attributes", "ends_placeholder", "follows_word", "has_end_tag", "is_end_tag", "is_in_line", "line", "name"),
        *("source", "span"),
    )

    def __init__(self, name: str, source: str, *, is_end_tag: bool, line: int, span: Span) -> None:
        self.name = name
        self.is_end_tag = is_end_tag
        self.line = line
        self.span = span
        self.has_end_tag = self.follows_word = self.is_in_line = self.ends_placeholder = False
        self.source = source
        self._attributes: Mapping[str, str] | None = None

    @property
    def is_empty(self) -> bool:
        return self.name in VOID_TAGS or self.source.endswith("/>")

    @property
    def attributes(self) -> Mapping[str, str]:
        """Names in lower case; of duplicates, the first."""
        if self._attributes is None:
            self._attributes = _parse_attributes(self.source[1 + self.is_end_tag + len(self.name) : -1])
        return self._attributes


HtmlToken = HtmlText | Tag


def decode_entities(source: str) -> str:
    if "&" not in source:
        return source
    # Late: it loads a table of 2,231 names.
    from html import unescape

    return unescape(_LONG_REFERENCE.sub("\ufffd", source))


def tokenize(source: str, *, ends_later: Callable[[str], bool] = lambda _: False) -> Iterator[HtmlToken]:
    """Yield tags and text.

    `ends_later` tells whether an opening (`<!--`, or the tag of an element to drop) ends in a later block. What follows
    it is then dropped; otherwise, it is text.
    """
    return _Tokenizer(source, ends_later).tokens()


def _parse_attributes(source: str) -> dict[str, str]:
    parsed: dict[str, str] = {}
    for match in _ATTRIBUTE.finditer(source):
        value = match[2] or ""
        quoted = value[:1] in {'"', "'"} and value[:1] == value[-1:] and len(value) > 1
        parsed.setdefault(match[1].lower(), decode_entities(value[1:-1] if quoted else value))
    return parsed


class _Tokenizer:
    def __init__(self, source: str, ends_later: Callable[[str], bool]) -> None:
        self._source = source
        self._ends_later = ends_later
        self._absent: set[str] = set()
        self._line = 0
        self._counted = 0

    def tokens(self) -> Iterator[HtmlToken]:
        source = self._source
        start = position = 0
        while (mark := source.find("<", position)) >= 0:
            line = self._line_at(start)
            if (markup := self._markup(mark)) is None:
                position = mark + 1
                continue
            html_token, end = markup
            if start < mark:
                yield HtmlText(decode_entities(source[start:mark]), line)
            if html_token is not None:
                yield html_token
            start = position = end
        if start < len(source):
            yield HtmlText(decode_entities(source[start:]), self._line_at(start))

    def _markup(self, mark: int) -> tuple[HtmlToken | None, int] | None:
        """Return the token at the `<` (None if dropped) and its end; None if it is text."""
        source = self._source
        if source[mark + 1 : mark + 2] not in {"!", "?"}:
            return self._tag(mark)
        opening, closing = next(pair for pair in _DELIMITED if source.startswith(pair[0], mark))
        is_comment = opening == "<!--"
        if is_comment and source.startswith(SHORT_COMMENTS, mark):
            return None, source.index(">", mark) + 1
        if (end := self._end(closing, mark + len(opening))) is None:
            is_dropped = is_comment and self._ends_later(opening)
            return (None, len(source)) if is_dropped else self._unclosed(mark, mark + len(opening))
        if is_comment or DOCTYPE.match(source, mark):
            return None, end
        is_data = opening == "<![CDATA["
        content = source[mark + len(opening) : end - len(closing)] if is_data else source[mark:end]
        return HtmlText(content, self._line_at(mark)), end

    def _unclosed(self, mark: int, end: int) -> tuple[HtmlToken, int]:
        return HtmlText(self._source[mark:end], self._line_at(mark), unclosed=(mark, end)), end

    def _tag(self, mark: int) -> tuple[HtmlToken | None, int] | None:
        name = _NAME.match(self._source, mark)
        if name is None or ">" in self._absent:
            return None
        if (rest := _REST.match(self._source, name.end())) is None:
            self._absent.add(">")
            return None
        after = rest.end()
        source = self._source[mark:after]
        lower = name[2].lower()
        if lower not in KNOWN_TAGS:
            return HtmlText(source, self._line_at(mark)), after
        tag = Tag(lower, source, is_end_tag=bool(name[1]), line=self._line_at(mark), span=(mark, after))
        if lower not in DROPPED_TAGS or tag.is_end_tag:
            return tag, after
        end = None if lower in self._absent else _DROPPED_ENDS[lower].search(self._source, after)
        if end:
            return tag, end.end()
        self._absent.add(lower)
        return (tag, len(self._source)) if self._ends_later(source) else self._unclosed(mark, after)

    def _end(self, terminator: str, start: int) -> int | None:
        if terminator in self._absent:
            return None
        index = self._source.find(terminator, start)
        if index < 0:
            self._absent.add(terminator)
            return None
        return index + len(terminator)

    def _line_at(self, position: int) -> int:
        if position > self._counted:
            self._line += self._source.count("\n", self._counted, position)
            self._counted = position
        return self._line
