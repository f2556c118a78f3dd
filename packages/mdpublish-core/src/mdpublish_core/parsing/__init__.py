"""From Markdown text to a finished tree: normalises the text, keeps the bounds, and gives the parser's notices.

The scanning itself is in `stock`; nothing outside this package knows which scanner there is.
"""

import re

from mdpublish_core.document import (
    Document,
    Image,
    Link,
    RawText,
    Token,
    block_token,
    children_of,
    make_line_break,
    make_paragraph,
    walk,
)
from mdpublish_core.errors import LimitExceeded
from mdpublish_core.limits import Limits
from mdpublish_core.notices import Notice
from mdpublish_core.parsing.stock import ParserFailure, Scan, scan
from mdpublish_core.urls import is_safe_url

_LONE_SURROGATE = re.compile(r"[\ud800-\udfff]")


def parse_text(markdown: str, limits: Limits) -> Document:
    """Return the tree of a text; the promise is that of `convert.parse`."""
    text = normalise(markdown)
    size = len(text.encode())
    if size > limits.input_bytes:
        raise LimitExceeded("input_bytes", limits.input_bytes, size)
    lines = text.removesuffix("\n").split("\n")
    try:
        scanned = scan(lines, limits)
    except ParserFailure as failure:
        return _as_it_stands(lines, Notice("unparsed", str(failure)))
    document = Document(scanned.blocks)
    if _is_deeper(document, limits.nesting):
        message = f"more than {limits.nesting} levels inside one another; the whole text is shown as it stands"
        return _as_it_stands(lines, Notice("nesting", message))
    notices = [*_padding_notices(scanned, limits), *_unsafe_url_notices(document)]
    document.notices = tuple(sorted(notices, key=lambda notice: notice.line or 0))
    return document


def normalise(markdown: str) -> str:
    """Make line ends LF, drop a byte-order mark, and put U+FFFD where NUL or a lone surrogate stands."""
    text = markdown.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")
    return _LONE_SURROGATE.sub("\ufffd", text)


def _as_it_stands(lines: list[str], notice: Notice) -> Document:
    """Make a document that shows the source itself, line by line."""
    inlines: list[Token] = []
    for line in lines:
        if inlines:
            inlines.append(make_line_break(soft=False))
        inlines.append(RawText(line))
    return Document([make_paragraph(inlines, line=1)], notices=(notice,))


def _is_deeper(document: Document, levels: int) -> bool:
    generation: list[Token] = [document]
    for _ in range(levels + 1):
        generation = [child for token in generation for child in children_of(token)]
        if not generation:
            return False
    return True


def _padding_notices(scanned: Scan, limits: Limits) -> list[Notice]:
    message = f"more than {limits.padding} cells would be filled up for each that is written; the table ends there"
    return [Notice("padding", message, line) for line in scanned.ended_tables]


def _unsafe_url_notices(document: Document) -> list[Notice]:
    """Tell the author which links and images lose their address; the writer of HTML is what takes it away."""
    notices = []
    line = 1
    for token in walk(document):
        if isinstance(token, block_token.BlockToken):
            line = token.line_number or line
        elif isinstance(token, Link | Image):
            url = token.target if isinstance(token, Link) else token.src
            if not is_safe_url(url):
                shown = url if len(url) <= 40 else url[:39] + "…"
                notices.append(Notice("unsafe_url", f"the address {shown!r} is of a scheme that is not linked", line))
    return notices
