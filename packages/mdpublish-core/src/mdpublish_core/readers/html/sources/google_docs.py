"""Google Docs: everything in styled spans, code as monospaced paragraphs, lists that end at a second paragraph."""

import re
from urllib.parse import unquote

from mdpublish_core.readers.html.parse import LISTS, Element
from mdpublish_core.readers.html.sources.cleaning import margin_of, nest_quotes
from mdpublish_core.readers.html.styles import declarations_of
from mdpublish_core.strings.lazy_patterns import compile_lazily

_INDENT = 36.0
"""Points per level of a list."""

_REDIRECT = compile_lazily(r"https://www\.google\.com/url\?(?:[^#\s]*&)?q=(https?(?:%3A|:)[^&#\s]+)", re.IGNORECASE)
_WRAPPER = compile_lazily(r"(<)b(?=\s[^<>]*docs-internal-guid)")


def prepare(html: str) -> str:
    """Give the wrapper, which is no bold, another name: a parser ends `b` at the first paragraph."""
    return _WRAPPER.sub(r"\1div", html)


def clean(root: Element) -> None:
    for link in root.iter("a"):
        # Published documents lead links over Google.
        if redirect := _REDIRECT.match(link.get("href", "")):
            link.set("href", unquote(redirect[1]))
    quotes = {}
    for paragraph in list(root.iter("p", "div")):
        style = declarations_of(paragraph)
        if style.get("-aw-style-name") == "quote":
            quotes[paragraph] = margin_of(style)
        elif margin_of(style) >= _INDENT:
            _continue_item(paragraph, int(margin_of(style) // _INDENT))
    nest_quotes(quotes)


def _continue_item(paragraph: Element, level: int) -> None:
    """Move an indented paragraph into the item above, and the rest of its list behind it."""
    above, below = paragraph.getprevious(), paragraph.getnext()
    if above is None or above.tag not in LISTS or (above.tail or "").strip():
        return
    around = above
    for _ in range(level - 1):
        if (inner := _last(around)) is None or inner.tag not in LISTS:
            break
        around = inner
    if (item := _last(around)) is None or item.tag != "li":
        return
    item.append(paragraph)
    paragraph.tail = None
    if below is not None and below.tag == above.tag:
        above.extend(list(below))
        above.tail = below.tail
        if (parent := below.getparent()) is not None:
            parent.remove(below)


def _last(element: Element) -> Element | None:
    return next(element.iterchildren(reversed=True), None)
