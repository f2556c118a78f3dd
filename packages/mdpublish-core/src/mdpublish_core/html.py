"""HTML writer: the only place that writes `<`. The output is well-formed as HTML and XML."""

import re
import sys
from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import filterfalse
from typing import NamedTuple

from mdpublish_core.errors import LimitExceeded
from mdpublish_core.resources.characters import replace_surrogates
from mdpublish_core.resources.known_elements import VOID_TAGS
from mdpublish_core.resources.urls import TrustedUrl, encode_url, is_image_data_url, is_safe_url

Attributes = Iterable[tuple[str, str | int | None]]
"""None omits an attribute, True writes only its name."""

StyledAttributes = tuple[tuple[str, str | int | None], ...]
"""A template's attributes."""

# https://html.spec.whatwg.org/multipage/rendering.html#flow-content-3
_TEXT_BLOCKS = {"blockquote", "center", "div", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "p", "pre"}
_GROUPS = {"dd", "details", "dl", "dt", "figcaption", "figure", "li", "ol", "summary", "ul"}
_SECTIONS = {"address", "article", "aside", "footer", "header", "main", "nav", "section"}
_TABLE_PARTS = {"caption", "col", "colgroup", "table", "tbody", "td", "tfoot", "th", "thead", "tr"}

BLOCK_ELEMENTS = frozenset(_TEXT_BLOCKS | _GROUPS | _SECTIONS | _TABLE_PARTS)

_URL_ATTRIBUTES = frozenset({"cite", "href", "src"})

# Safe URLs that need no encoding. Most match, which halves the time to write a link.
_PLAIN_URL = re.compile(r"(?:https?:/|[#/])[A-Za-z0-9%!#$()*+,\-./:;=?@_~]*")


_PARTS_PER_CHECK = 4_096


class HtmlWriter:
    """Collects HTML, and stops past `max_characters`. URLs whose scheme isn't allowed are written only if `trusted`."""

    __slots__ = ("_checked_parts", "_max_characters", "_next_check", "_open", "_parts", "_trusted", "_written")

    def __init__(self, *, trusted: bool = False, max_characters: int | None = None) -> None:
        self._trusted = trusted
        self._max_characters = max_characters
        self._checked_parts = self._written = 0
        self._next_check = sys.maxsize if max_characters is None else _PARTS_PER_CHECK
        self._parts: list[str] = []
        self._open: list[str] = []

    def start(self, tag: str, attributes: Attributes = ()) -> None:
        plain = _start_tag(tag)
        self._open.append(plain.end)
        self._parts.append(f"<{tag}{_attributes(attributes, self._trusted)}>" if attributes else plain.markup)

    def start_styled(self, tag: str, attributes: StyledAttributes) -> None:
        """Open an element with a template's attributes, never an author's; cached."""
        start = styled_tag(tag, attributes)
        self._open.append(start.end)
        self._parts.append(start.markup)

    def open(self, start: "StartTag") -> None:
        self._open.append(start.end)
        self._parts.append(start.markup)

    def reopen(self, start: "StartTag") -> None:
        """Close the innermost element and open another."""
        parts = self._parts
        parts += (self._open[-1], start.markup)
        self._open[-1] = start.end
        if len(parts) > self._next_check:
            self._check_size()

    def styled_text(self, tag: str, attributes: StyledAttributes, content: str) -> None:
        """Write an element with a template's attributes and text."""
        parts = self._parts
        start = styled_tag(tag, attributes)
        parts += (start.markup, _escape(content), start.end)
        if len(parts) > self._next_check:
            self._check_size()

    def end(self) -> None:
        parts = self._parts
        parts.append(self._open.pop())
        if len(parts) > self._next_check:
            self._check_size()

    def start_block(self, tag: str, attributes: Attributes = ()) -> None:
        """Open an element on a new line."""
        self.line()
        self.start(tag, attributes)

    def start_line(self, tag: str, attributes: Attributes = ()) -> None:
        """Open an element whose content begins on a line of its own."""
        self.start(tag, attributes)
        self.line()

    def end_line(self) -> None:
        """Close the innermost element, the last of its line."""
        parts = self._parts
        parts += (self._open.pop(), "\n")
        if len(parts) > self._next_check:
            self._check_size()

    def resume(self) -> None:
        """Open the element again that `end_line` has just closed, in a new line."""
        line_end, end = self._parts.pop(), self._parts.pop()
        self._open.append(end)
        self._parts.append(line_end)

    def element(self, tag: str, content: str, attributes: Attributes = ()) -> None:
        """Write an element that has only text."""
        self.start(tag, attributes)
        self.write_text(content)
        self.end()

    def element_line(self, tag: str, content: str, attributes: Attributes = ()) -> None:
        """Write an element that has only text, the last of its line."""
        self.element(tag, content, attributes)
        self.line()

    def _check_size(self) -> None:
        """Raise `LimitExceeded` as soon as the output is too long; each character is at least a byte."""
        parts = self._parts
        self._written += sum(map(len, parts[self._checked_parts :]))
        self._checked_parts = len(parts)
        self._next_check = len(parts) + _PARTS_PER_CHECK
        if self._max_characters is not None and self._written > self._max_characters:
            raise LimitExceeded("max_output_bytes", self._max_characters, self._written)

    def empty(self, tag: str, attributes: Attributes = ()) -> None:
        self._parts.append(f"<{tag}{_attributes(attributes, self._trusted)} />" if attributes else _empty_tag(tag))

    def empty_line(self, tag: str, attributes: Attributes = ()) -> None:
        """Write an empty element, the last of its line."""
        self.empty(tag, attributes)
        self.line()

    @property
    def position(self) -> int:
        """The number of parts written so far."""
        return len(self._parts)

    def size_between(self, start: int, end: int) -> int:
        """Return the bytes written between two positions."""
        return len("".join(self._parts[start:end]).encode(errors="replace"))  # surrogates are replaced later

    def reserve(self) -> int:
        """Return the number of a place for an element of which it is not yet known whether it is needed."""
        self._parts.append("")
        return len(self._parts) - 1

    def fill(self, place: int, tag: str, attributes: Attributes) -> None:
        """Write an element without content in a place, which `reserve` returned."""
        start = _start_tag(tag)
        self._parts[place] = f"<{tag}{_attributes(attributes, self._trusted)}>{start.end}"

    def write_text(self, content: str) -> None:
        # Inlined `_escape`: the hottest path.
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
        """Write an author's HTML unchecked. Only for documents parsed with `raw_html="keep"`."""
        if html.endswith("\n"):
            self._parts += (html[:-1], "\n")
        elif html:
            self._parts.append(html)

    def figure_markup(self, markup: str) -> None:
        """Write SVG or MathML unchanged, from `figures` only."""
        if markup:
            self._parts.append(markup)

    def line(self) -> None:
        if (parts := self._parts) and parts[-1] != "\n":
            parts.append("\n")

    def style(self, css: str) -> None:
        """Raise `ValueError` if `css`, which HTML can't escape, could end the element."""
        if "</" in css or "<!--" in css:
            raise ValueError("a stylesheet must not contain '</' or '<!--'")
        self._parts.append(f"<style>{css}</style>")

    def script(self, script: str, attributes: Attributes = ()) -> None:
        """Raise `ValueError` if `script` could end the element."""
        if "</" in script or "<!--" in script:
            raise ValueError("a script must not contain '</' or '<!--'")
        self.start("script", attributes)
        self._parts.append(script)
        self.end()

    def comment(self, content: str) -> None:
        """Raise `ValueError` if `content` could end the comment."""
        if "--" in content or content.startswith((">", "->")):
            raise ValueError("a comment must not contain '--' or begin with '>' or '->'")
        self._parts.append(f"<!--{content}-->")

    def cdata(self, content: str) -> None:
        """Write a CDATA section of XML; where `content` would end it, another follows."""
        self._parts.append(f"<![CDATA[{content.replace(']]>', ']]]]><![CDATA[>')}]]>")

    def start_conditional(self, condition: str) -> None:
        """Begin content that only Microsoft clients read."""
        self._parts.append(f"<!--[if {condition}]>")

    def end_conditional(self) -> None:
        self._parts.append("<![endif]-->")

    def start_revealed_conditional(self, condition: str) -> None:
        """Begin content that Microsoft clients read under a condition, and others always."""
        self._parts.append(f"<!--[if {condition}]><!-->")

    def end_revealed_conditional(self) -> None:
        self._parts.append("<!--<![endif]-->")

    def doctype(self) -> None:
        self._parts += ("<!DOCTYPE html>", "\n")

    def append(self, other: "HtmlWriter") -> None:
        """Take over what another has written."""
        assert not other._open, f"still open: {other._open}"  # noqa: SLF001  (of the same class)
        self._parts += other._parts  # noqa: SLF001  (of the same class)

    def finish(self) -> str:
        assert not self._open, f"still open: {self._open}"
        html = "".join(self._parts)
        # The parser has replaced those of the document, but not those of the caller's options. Most parts are tags.
        others = "".join(filterfalse(str.isascii, self._parts))
        return html if replace_surrogates(others) is others else replace_surrogates(html)


class StartTag(NamedTuple):
    """The start of an element with a template's attributes, as `styled_tag` returns it, and its end."""

    markup: str
    end: str


@lru_cache(maxsize=4096)
def styled_tag(tag: str, attributes: StyledAttributes) -> StartTag:
    return StartTag(f"<{tag}{_attributes(attributes, trusted=False)}>", f"</{tag}>")


def exact_tag(tag: str, attributes: Mapping[str, str]) -> StartTag:
    """Return an element of Markdown, with each attribute as a reader finds it; an empty one has its name alone."""
    written = "".join([f' {name}="{_escape(value)}"' if value else f" {name}" for name, value in attributes.items()])
    return StartTag(f"<{tag}{written}>", "" if tag in VOID_TAGS else f"</{tag}>")


def first_stylesheet(html: str) -> str | None:
    """Return the content of the first element that `HtmlWriter.style` wrote."""
    _, start, rest = html.partition("<style>")
    return rest.partition("</style>")[0] if start else None


@lru_cache(maxsize=256)
def _start_tag(tag: str) -> StartTag:
    return StartTag(f"<{tag}>", f"</{tag}>")


@lru_cache(maxsize=256)
def _empty_tag(tag: str) -> str:
    return f"<{tag} />"


def _escape(value: str) -> str:
    # Testing first takes half the time of replacing at once.
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
    written = ""
    for name, value in attributes:
        if value is None:
            continue
        if value is True:
            written += f" {name}"
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
            # Only in URLs, like cmark-gfm.
            string = _escape(encode_url(string)).replace("'", "&#x27;")
        written += f' {name}="{string}"'
    return written
