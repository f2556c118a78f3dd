"""The only place that writes `<`: every tag, attribute and escape of every destination comes from `HtmlWriter`.

What it writes is well-formed by construction, as HTML and as XML: elements close in the order they opened, attribute
values are quoted, empty elements end in ` />`. An address of a scheme that is not allowed is never written, whatever a
destination asks for, unless the document's author is trusted.
"""

import re
from collections.abc import Iterable
from functools import lru_cache

from mdpublish_core.resources.urls import TrustedUrl, encode_url, is_image_data_url, is_safe_url

Attributes = Iterable[tuple[str, str | int | None]]
"""Names and values in the order they are written; None leaves its attribute out, True writes the name alone."""

# HTML's elements that stand on lines of their own: https://html.spec.whatwg.org/multipage/rendering.html#flow-content-3
_TEXT_BLOCKS = {"blockquote", "center", "div", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "p", "pre"}
_GROUPS = {"dd", "details", "dl", "dt", "figcaption", "figure", "li", "ol", "summary", "ul"}
_SECTIONS = {"address", "article", "aside", "footer", "header", "main", "nav", "section"}
_TABLE_PARTS = {"caption", "col", "colgroup", "table", "tbody", "td", "tfoot", "th", "thead", "tr"}

BLOCK_ELEMENTS = frozenset(_TEXT_BLOCKS | _GROUPS | _SECTIONS | _TABLE_PARTS)
"""The elements that stand on lines of their own."""

VOID_ELEMENTS = frozenset(
    {"area", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
)
"""The elements that never have content: https://html.spec.whatwg.org/multipage/syntax.html#void-elements"""

_URL_ATTRIBUTES = frozenset({"cite", "href", "src"})

# Addresses that are safe, and whose characters stand for themselves in an address as in an attribute. Most are of this
# form, and what it spares them is half the time of writing a link.
_PLAIN_URL = re.compile(r"(?:https?:/|[#/])[A-Za-z0-9%!#$()*+,\-./:;=?@_~]*")


class HtmlWriter:
    """Collects HTML piece by piece; `finish` returns it. For a `trusted` author, addresses of every scheme are written."""

    __slots__ = ("_open", "_parts", "_trusted")

    def __init__(self, *, trusted: bool = False) -> None:
        self._trusted = trusted
        self._parts: list[str] = []
        self._open: list[str] = []

    def start(self, tag: str, attributes: Attributes = ()) -> None:
        """Open an element, which `end` closes."""
        self._open.append(tag)
        self._parts.append(f"<{tag}{_attributes(attributes, self._trusted)}>" if attributes else f"<{tag}>")

    def start_styled(self, tag: str, attributes: tuple[tuple[str, str | None], ...]) -> None:
        """Open an element whose attributes are a template's, no author's, and recur: its tag is made once for all."""
        self._open.append(tag)
        self._parts.append(_styled_tag(tag, attributes))

    def end(self) -> None:
        """Close the innermost open element."""
        self._parts.append(_end_tag(self._open.pop()))

    def empty(self, tag: str, attributes: Attributes = ()) -> None:
        """Write an element that never has content, such as `br` or `img`."""
        self._parts.append(f"<{tag}{_attributes(attributes, self._trusted)} />")

    def write_text(self, content: str) -> None:
        """Write text, escaped."""
        # As in _escaped, but without a call: this is where most of a document passes.
        if "&" in content:
            content = content.replace("&", "&amp;")
        if "<" in content:
            content = content.replace("<", "&lt;")
        if ">" in content:
            content = content.replace(">", "&gt;")
        if '"' in content:
            content = content.replace('"', "&quot;")
        if content:
            self._parts.append(content)

    def raw(self, html: str) -> None:
        """Write HTML that an author wrote, as it is. Only what was parsed with `raw_html="keep"` may come here.

        That mode is for authors who are trusted: nothing here is checked, closed or escaped, so what this module promises
        does not hold for what they wrote.
        """
        if html.endswith("\n"):
            self._parts += (html[:-1], "\n")
        elif html:
            self._parts.append(html)

    def figure_markup(self, markup: str) -> None:
        """Write SVG or MathML as it is. Only what `figures` wrote, by its lists of what is allowed, may come here."""
        if markup:
            self._parts.append(markup)

    def line(self) -> None:
        """End the current line, unless nothing stands on it yet."""
        parts = self._parts
        # Whatever ends a line is a piece of its own.
        if parts and parts[-1] != "\n":
            parts.append("\n")

    def style(self, css: str) -> None:
        """Write a `style` element. `css` is a compiled stylesheet and is not escaped, since HTML escapes nothing there.

        Raises `ValueError` where the text could end the element.
        """
        if "</" in css or "<!--" in css:
            raise ValueError("a stylesheet may hold neither '</' nor '<!--'")
        self._parts.append(f"<style>{css}</style>")

    def script(self, script: str) -> None:
        """Write a `script` element. `script` is a file of ours and no author's, and is not escaped, as in `style`.

        Raises `ValueError` where the text could end the element.
        """
        if "</" in script or "<!--" in script:
            raise ValueError("a script may hold neither '</' nor '<!--'")
        self._parts.append(f"<script>{script}</script>")

    def comment(self, content: str) -> None:
        """Write a comment. `content` is our own; raises `ValueError` where it could end the comment."""
        if "--" in content or content.startswith((">", "->")):
            raise ValueError("a comment may not hold '--', nor begin with '>' or '->'")
        self._parts.append(f"<!--{content}-->")

    def start_conditional(self, condition: str) -> None:
        """Begin what Microsoft's programs alone read, and only where `condition` holds; `end_conditional` ends it.

        To all others it is a comment. Nothing that `write_text` or an attribute writes can end it, since each `>` is escaped.
        """
        self._parts.append(f"<!--[if {condition}]>")

    def end_conditional(self) -> None:
        """End what `start_conditional` began."""
        self._parts.append("<![endif]-->")

    def start_revealed_conditional(self, condition: str) -> None:
        """Begin what Microsoft's programs read only where `condition` holds, and all others anyway: `end_revealed_conditional` ends it."""
        self._parts.append(f"<!--[if {condition}]><!-->")

    def end_revealed_conditional(self) -> None:
        """End what `start_revealed_conditional` began."""
        self._parts.append("<!--<![endif]-->")

    def doctype(self) -> None:
        """Write HTML's document type, on a line of its own."""
        self._parts += ("<!DOCTYPE html>", "\n")

    def finish(self) -> str:
        """Return all that was written; every element must be closed by now."""
        assert not self._open, f"still open: {self._open}"
        return "".join(self._parts)


@lru_cache(maxsize=4096)
def _styled_tag(tag: str, attributes: tuple[tuple[str, str | None], ...]) -> str:
    """Return a start tag; a template comes to some hundreds of them for a destination, of some hundred characters each."""
    return f"<{tag}{_attributes(attributes, trusted=False)}>"


@lru_cache(maxsize=256)
def _end_tag(tag: str) -> str:
    """Return an end tag; there are no more than there are elements, and one string serves for all of a kind."""
    return f"</{tag}>"


def _escape(value: str) -> str:
    # Asking first takes half the time of replacing at once: most texts have none of the four.
    if "&" in value:
        value = value.replace("&", "&amp;")
    if "<" in value:
        value = value.replace("<", "&lt;")
    if ">" in value:
        value = value.replace(">", "&gt;")
    if '"' in value:
        value = value.replace('"', "&quot;")
    return value


def _attributes(attributes: Attributes, trusted: bool) -> str:
    written = []
    for name, value in attributes:
        if value is None:
            continue
        if value is True:
            written.append(f" {name}")
            continue
        string = str(value)
        if name not in _URL_ATTRIBUTES:
            string = _escape(string)
        elif not _PLAIN_URL.fullmatch(string):
            safe = (
                trusted
                or type(value) is TrustedUrl
                or is_safe_url(string)
                or (name == "src" and is_image_data_url(string))
            )
            if not safe:
                continue
            # The apostrophe is escaped in addresses alone, as cmark-gfm does.
            string = _escape(encode_url(string)).replace("'", "&#x27;")
        written.append(f' {name}="{string}"')
    return "".join(written)
