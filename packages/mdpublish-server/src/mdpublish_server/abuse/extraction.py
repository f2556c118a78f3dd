"""Extraction of a page's visible text and links.

Raw HTML is kept, since what the sanitizer removes later still shows the intent. Tags shown as text are text.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast, get_args

from mdpublish_server.abuse.normalize import MARK

if TYPE_CHECKING:
    from mdpublish_core.nodes import Token

_ENDINGS = (
    "com|net|org|info|example|invalid|test|top|xyz|icu|click|live|site|online|shop|store|vip|app|dev|io|co|biz|pro|club"
    "|link|page|cloud|tech|space|website|world|work|fun|support|help|center|bank|eu|de|ch|fr|nl|es|pt|pl|ru|ua|jp|tr|uk"
    "|ca|au|br|mx|ar|cl|cn|kr|tv|gg|ly|cc|su|tk|ml|ga|cf|gq|pw|ws|rest|buzz|lol|win"
)
"""Top-level domains of links without a scheme, none a file's suffix. Those that are words need a path."""

BARE_HOST = rf"(?:[a-z0-9\-]{{1,63}}+\.(?=[a-z0-9])|(?!)){{1,4}}+(?:(?:{_ENDINGS})(?![a-z0-9_\-@])|(?:at|be|id|in|is|it|me|to|us)/)"

_BARE_URL = re.compile(
    rf"(?:https?:/?/?|www\.|(?<![a-z0-9_@./\-]){BARE_HOST})[^\s<>\"'`|\\^{{}}\[\]\u3000-\u9fff\uff00-\uffef]*+",
    re.IGNORECASE,
)
_URL_TRAILING = ".,:;!?)*_~"

_BREAKING_TAGS = frozenset(
    {"br", "div", "dd", "dt", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "li", "p", "table", "td", "th", "tr", "ul"}
)

_LINK_END, _BLOCK_END, _QUOTE_END = "link", "block", "quote"

CODE, HEADING, ITEM, ROW, IMAGE, QUOTE = (f"{MARK}{symbol}" for symbol in "chirpq")
"""Words placed after code and before a heading, an item of a list, a row of a table, a picture, a quotation."""

SHOWN, SHOWN_END = f"{MARK}a", f"{MARK}z"
"""Words around what the page shows rather than says: a block quotation, a block of code, words in quotation marks."""

_QUOTATION = re.compile(
    '[\u201c\u201e\u00ab\u300c\u00bb"][^\u201c\u201d\u201e\u00ab\u00bb\u300c\u300d"\n]{0,400}[\u201c\u201d\u00bb\u00ab\u300d"]'
)
_MIN_QUOTED_CHARACTERS = 25

_FIELD_TAGS = frozenset({"input", "textarea", "select"})


@dataclass(frozen=True, slots=True)
class Link:
    """A URL, and the text that the page shows for it."""

    url: str
    shown: str


@dataclass(slots=True)
class PageContent:
    """A page's text in pieces, its links, images' URLs, HTML tags, and descriptions of form fields.

    In the text, each link is followed by a word of MARK and the link's number.
    """

    pieces: list[str] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    images: list[str] = field(default_factory=list)
    tags: set[str] = field(default_factory=set)
    fields: list[str] = field(default_factory=list)
    _opened: tuple[str, int] | None = None

    def add_plain(self, content: str) -> None:
        if MARK in content:
            content = content.replace(MARK, "")
        self.pieces.append(content)

    def add_line_break(self) -> None:
        self.pieces.append("\n")

    def open_link(self, url: str) -> None:
        """Begin a link; an open one ends."""
        self.close_link()
        self._opened = (url, len(self.pieces))

    def close_link(self) -> None:
        if self._opened is not None:
            url, start = self._opened
            self._opened = None
            self.add_link(Link(url, "".join(self.pieces[start:])))

    def add_link(self, link: Link) -> None:
        self.pieces.append(f" {MARK}{len(self.links)} ")
        self.links.append(link)

    def add_image(self, url: str) -> None:
        """Begin an image; its text follows."""
        self.pieces.append(f" {IMAGE} ")
        self.images.append(url)

    def add_html(self, html: str) -> None:
        from mdpublish_core.hosting.inspection import RAW_TEXT_TAGS, Tag, tokenize

        for piece in tokenize(html):
            if not isinstance(piece, Tag):
                self.add_with_links(piece.content)
                continue
            name = piece.name.lower()
            if name in _BREAKING_TAGS:
                self.pieces.append("\n")
            if piece.is_end_tag:
                if name == "a":
                    self.close_link()
                continue
            self._open_tag(name, piece.attributes)
            if name in RAW_TEXT_TAGS:
                # Without an end tag, readers see it as written.
                self.add_with_links(piece.source)

    def add_with_links(self, content: str) -> None:
        """Add text, turning bare URLs into links."""
        self.add_plain(content)
        if self._opened is None and ("." in content or ":/" in content):
            for match in _BARE_URL.finditer(content):
                link_url = match[0].rstrip(_URL_TRAILING)
                self.add_link(Link(link_url if ":" in link_url[:6] else f"http://{link_url}", link_url))

    def _open_tag(self, name: str, attributes: Mapping[str, str]) -> None:
        self.tags.add(name)
        if name in {"a", "area"} and "href" in attributes:
            self.open_link(attributes["href"])
        elif name == "form":
            self.add_link(Link(attributes.get("action", ""), ""))
        elif name in _FIELD_TAGS:
            labels = (attributes.get(key, "") for key in ("type", "name", "id", "placeholder", "aria-label", "value"))
            self.fields.append(" ".join(labels))
        elif name == "meta" and "refresh" in attributes.get("http-equiv", "").lower():
            self.tags.add("refresh")
        elif name == "img":
            self.add_image(attributes.get("src", ""))
            self.add_plain(attributes.get("alt", ""))


def extract_page(title: str, markdown: str) -> PageContent:
    from mdpublish_core import DEFAULT_LIMITS
    from mdpublish_core.hosting.documents import parse_markdown, read_front_matter

    page = PageContent()
    page.add_plain(f"{title}\n\n")
    front_matter, _ = read_front_matter(markdown)
    for value in front_matter.values():
        # Written in escapes, it is not in the text below.
        if isinstance(value, str) and value not in markdown:
            page.add_with_links(f"{value}\n\n")
    document = parse_markdown(
        markdown,
        raw_html="keep",
        shows_unknown_tags=True,
        extensions=frozenset({"strikethrough"}),
        rewrite_url=None,
        limits=DEFAULT_LIMITS,
    )
    _add_all(page, document)
    page.close_link()
    page.pieces = [_QUOTATION.sub(_with_marks, "".join(page.pieces))]
    return page


def _with_marks(quotation: re.Match[str]) -> str:
    words = quotation[0]
    return f" {SHOWN} {words} {SHOWN_END} " if len(words) > _MIN_QUOTED_CHARACTERS else words


def _add_all(page: PageContent, root: "Token") -> None:
    from mdpublish_core import nodes

    inlines = frozenset(get_args(nodes.Inline))
    leaves = {nodes.LineBreak, nodes.HtmlSpan, nodes.HtmlBlock, nodes.AutoLink}
    leaves |= {nodes.InlineCode, nodes.CodeFence, nodes.BlockCode}
    with_urls = {nodes.Link, nodes.Image}
    branching = {nodes.Table, nodes.Callout, nodes.Document}
    # Tokens, and markers for the end of a link or a block.
    marks: dict[type[Token | str], tuple[str, ...]] = {
        nodes.Heading: (f" {HEADING} ",),
        nodes.ListItem: (f" {ITEM} ",),
        nodes.TableRow: (f" {ROW} ",),
        nodes.Quote: (f" {QUOTE} {SHOWN} ",),
    }
    ends: dict[type[Token | str], tuple[str, ...]] = {nodes.Link: (_LINK_END,), nodes.Quote: (_QUOTE_END,)}
    pending: list[Token | str] = [root]
    pending_runs: list[str] = []
    while pending:
        current = pending.pop()
        kind = type(current)
        if kind is nodes.RawText:
            # The parser may split text anywhere; adjacent runs are joined before URLs are searched.
            pending_runs.append(cast("nodes.RawText", current).content)
            continue
        if pending_runs:
            page.add_with_links("".join(pending_runs))
            pending_runs.clear()
        if kind is str:
            _end(page, cast("str", current))
            continue
        current = cast("Token", current)
        if kind not in inlines:
            pending.append(_BLOCK_END)
        if kind in leaves:
            _add_leaf(page, current)
            continue
        page.pieces += marks.get(kind, ())
        if kind in with_urls:
            _add_url(page, current)
        pending += ends.get(kind, ())
        pending += reversed(nodes.children_of(current) if kind in branching else current.children)
    if pending_runs:
        page.add_with_links("".join(pending_runs))


def _add_url(page: PageContent, token: "Token") -> None:
    from mdpublish_core import nodes

    if isinstance(token, nodes.Link):
        page.open_link(token.target)
    elif isinstance(token, nodes.Image):
        page.add_image(token.src)


def _end(page: PageContent, mark: str) -> None:
    if mark == _BLOCK_END:
        page.add_line_break()
    elif mark == _LINK_END:
        page.close_link()
    else:
        page.pieces.append(f" {SHOWN_END} ")


def _add_leaf(page: PageContent, token: "Token") -> None:
    from mdpublish_core import nodes

    if isinstance(token, nodes.LineBreak):
        page.add_line_break()
    elif isinstance(token, nodes.HtmlSpan | nodes.HtmlBlock):
        page.add_html(token.content)
    elif isinstance(token, nodes.AutoLink):
        page.add_plain(token.content)
        page.add_link(Link(token.target, token.content))
    elif isinstance(token, nodes.InlineCode | nodes.CodeFence | nodes.BlockCode):
        # URLs in code are not links.
        if isinstance(token, nodes.InlineCode):
            page.add_plain(token.content)
            return
        page.pieces.append(f" {SHOWN} ")
        page.add_plain(token.content)
        page.pieces.append(f" {SHOWN_END} {CODE} ")
