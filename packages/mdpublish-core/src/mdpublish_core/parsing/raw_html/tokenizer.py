"""Raw HTML cut into pieces: texts, their entities decoded, and tags; comments and their like are gone.

It reads as a browser would, but that a tag which never ends is text, and that nothing outlasts its block. Every pattern
is possessive and every failed search is the last of its kind in a block, so time grows with the length of the source.
What the pieces mean is `raw_html`'s.
"""

import html
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

VOID_TAGS = frozenset({"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param"}) | {
    "source",
    "track",
    "wbr",
}
"""Elements that never have content, so that no tag closes them."""

DROPPED_TAGS = frozenset({"script", "style"})
"""Elements whose content goes with them: it is a program or a stylesheet, no prose that a reader should see."""

# CommonMark's names of tags, and XML's with a prefix; what looks like an address (`<https://…`) is none.
_NAME = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9-]*(?::[A-Za-z0-9-]+)?)(?=[ \t\n\f\r/>])")
# To the `>` that ends a tag; within quotes, which mean something only after `=`, it does not.
_REST = re.compile(r"""((?:[^>"'=]++|=[ \t\n\f\r]*+(?:"[^"]*+"|'[^']*+')|[="'])*+)>""")
_ATTRIBUTE = re.compile(
    r"""([^ \t\n\f\r"'<>/=]++)(?:[ \t\n\f\r]*+=[ \t\n\f\r]*+("[^"]*+"|'[^']*+'|[^ \t\n\f\r>]++)?)?"""
)
_DROPPED_ENDS = {name: re.compile(rf"</{name}[ \t\n\f\r/>][^>]*>?|</{name}>", re.IGNORECASE) for name in DROPPED_TAGS}
# Python refuses to read a number of 4,300 digits; no character has eight.
_LONG_REFERENCE = re.compile(r"&#[0-9]{8,}+;?")


@dataclass(frozen=True, slots=True)
class HtmlText:
    """Text between tags, its entities decoded; `line` counts from the first of its source, which is 0."""

    content: str
    line: int


class Tag:
    """An opening or closing tag; `has_end_tag` says that a tag closes what it opens, which only a survey of all can tell."""

    __slots__ = ("_attributes", "_source", "has_end_tag", "is_end_tag", "line", "name")

    def __init__(self, name: str, source: str, *, is_end_tag: bool, line: int) -> None:
        self.name = name
        self.is_end_tag = is_end_tag
        self.line = line
        self.has_end_tag = False
        self._source = source
        self._attributes: Mapping[str, str] | None = None

    @property
    def is_empty(self) -> bool:
        """Whether it has no content: by its name, or because its author closed it in itself, as XML has it."""
        return self.name in VOID_TAGS or self._source.endswith("/")

    @property
    def attributes(self) -> Mapping[str, str]:
        """Names in lower case, and values with their entities decoded; of two with one name, the first."""
        if self._attributes is None:
            self._attributes = _parse_attributes(self._source)
        return self._attributes


HtmlToken = HtmlText | Tag


def decode_entities(source: str) -> str:
    """Return `source` with the characters that its entities stand for."""
    return html.unescape(_LONG_REFERENCE.sub("\ufffd", source)) if "&" in source else source


def tokenize(source: str) -> Iterator[HtmlToken]:
    """Yield the texts and tags of some raw HTML in order."""
    return _Tokenizer(source).tokens()


def _parse_attributes(source: str) -> dict[str, str]:
    parsed: dict[str, str] = {}
    for match in _ATTRIBUTE.finditer(source):
        value = match[2] or ""
        quoted = value[:1] in {'"', "'"} and value[:1] == value[-1:] and len(value) > 1
        parsed.setdefault(match[1].lower(), decode_entities(value[1:-1] if quoted else value))
    return parsed


class _Tokenizer:
    """Reads one source from left to right."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._absent: set[str] = set()
        self._line = 0
        self._counted = 0

    def tokens(self) -> Iterator[HtmlToken]:
        """Yield what stands between `<` and `<`; one that begins nothing is text."""
        source = self._source
        start = position = 0
        while (mark := source.find("<", position)) >= 0:
            line = self._line_at(start)
            markup = self._markup(mark)
            if markup is None:
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
        """Return what begins at the `<`, if it is to be seen at all, and where it ends; None where it is text."""
        source = self._source
        if source.startswith("<!--", mark):
            end = next((mark + len(short) for short in ("<!-->", "<!--->") if source.startswith(short, mark)), None)
            return None, end or self._end("-->", mark + 4) or len(source)
        if source.startswith("<![CDATA[", mark):
            end = self._end("]]>", mark + 9)
            return (HtmlText(source[mark + 9 : end - 3], self._line_at(mark)), end) if end else None
        if source.startswith(("<?", "<!"), mark):
            end = (self._end("?>", mark + 2) if source[mark + 1] == "?" else None) or self._end(">", mark + 2)
            return (None, end) if end else None
        return self._tag(mark)

    def _tag(self, mark: int) -> tuple[HtmlToken | None, int] | None:
        name = _NAME.match(self._source, mark)
        if name is None or ">" in self._absent:
            return None
        rest = _REST.match(self._source, name.end())
        if rest is None:
            # The end is reached, so no later tag is looked for either: it would be looked for as far again.
            self._absent.add(">")
            return None
        tag = Tag(name[2].lower(), rest[1], is_end_tag=bool(name[1]), line=self._line_at(mark))
        if tag.name in DROPPED_TAGS and not tag.is_end_tag:
            end = _DROPPED_ENDS[tag.name].search(self._source, rest.end())
            # A lone tag is a span, whose content is among its neighbours.
            return tag, end.end() if end else len(self._source)
        return tag, rest.end()

    def _end(self, terminator: str, start: int) -> int | None:
        """Return where the next terminator ends; one that was not found once is not looked for again."""
        if terminator in self._absent:
            return None
        index = self._source.find(terminator, start)
        if index < 0:
            self._absent.add(terminator)
            return None
        return index + len(terminator)

    def _line_at(self, position: int) -> int:
        """Return the line of a position that is not before the last one asked for."""
        if position > self._counted:
            self._line += self._source.count("\n", self._counted, position)
            self._counted = position
        return self._line
