"""The only place that writes `<`: every tag, attribute and escape of every destination comes from `HtmlWriter`.

What it writes is well-formed by construction, as HTML and as XML: elements close in the order they opened, attribute
values are quoted, empty elements end in ` />`. An address of a scheme that is not allowed is never written, whatever a
destination asks for.
"""

from collections.abc import Iterable

from mdpublish_core.urls import encode_url, is_safe_url

Attributes = Iterable[tuple[str, str | int | None]]
"""Names and values in the order they are written; a value of None leaves its attribute out."""

_URL_ATTRIBUTES = frozenset({"href", "src"})


class HtmlWriter:
    """Collects HTML piece by piece; `finish` returns it."""

    __slots__ = ("_open", "_parts")

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._open: list[str] = []

    def start(self, tag: str, attributes: Attributes = ()) -> None:
        """Open an element, which `end` closes."""
        self._open.append(tag)
        self._parts.append(f"<{tag}{_attributes(attributes)}>" if attributes else f"<{tag}>")

    def end(self) -> None:
        """Close the innermost open element."""
        self._parts.append(f"</{self._open.pop()}>")

    def empty(self, tag: str, attributes: Attributes = ()) -> None:
        """Write an element that never has content, such as `br` or `img`."""
        self._parts.append(f"<{tag}{_attributes(attributes)} />")

    def text(self, text: str) -> None:
        """Write text, escaped."""
        if text:
            self._parts.append(_escaped(text))

    def line(self) -> None:
        """End the current line, unless nothing stands on it yet."""
        if self._parts and not self._parts[-1].endswith("\n"):
            self._parts.append("\n")

    def style(self, css: str) -> None:
        """Write a `style` element. `css` is a compiled stylesheet and is not escaped, since HTML escapes nothing there.

        Raises `ValueError` where the text could end the element.
        """
        if "</" in css or "<!--" in css:
            raise ValueError("a stylesheet may hold neither '</' nor '<!--'")
        self._parts.append(f"<style>{css}</style>")

    def doctype(self) -> None:
        """Write HTML's document type, on a line of its own."""
        self._parts.append("<!DOCTYPE html>\n")

    def finish(self) -> str:
        """Return all that was written; every element must be closed by now."""
        assert not self._open, f"still open: {self._open}"
        return "".join(self._parts)


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def _attributes(attributes: Attributes) -> str:
    written = []
    for name, value in attributes:
        if value is None:
            continue
        text = str(value)
        if name in _URL_ATTRIBUTES:
            if not is_safe_url(text):
                continue
            text = encode_url(text)
        written.append(f' {name}="{_escaped(text)}"')
    return "".join(written)
