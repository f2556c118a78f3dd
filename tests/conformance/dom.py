"""Normalizes HTML, so that only differences visible to a reader remain.

Events, not a tree: html5lib would repair malformed raw HTML. Close to cmark's `normalize.py`:

- tag and attribute names are lowercased, attributes sorted; `<br />` is `<br>`, `disabled` is `disabled=""`;
- character references and percent-encoded URLs are decoded;
- white space collapses, and is dropped next to block tags, except in `pre`;
- `style="text-align: x"` is `align="x"`; CRLF is LF.
"""

import re
from html import unescape
from urllib.parse import unquote

Event = tuple[str, ...]
"""`("text", …)`, or `("<name>", attribute, value, …)`, or `("</name>",)`."""

_TAG = re.compile(
    r"<(?P<end>/?)(?P<name>[a-zA-Z][a-zA-Z0-9-]*)(?P<attributes>(?:[\s/]+[^\s\"'<>=/`]+"
    r"(?:\s*=\s*(?:\"[^\"]*\"|'[^']*'|[^\s\"'=<>`]+))?)*)\s*/?>"
)
_ATTRIBUTE = re.compile(r"([^\s\"'<>=/`]+)(?:\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'=<>`]+)))?")
_SPACES = re.compile(r"[ \t\n\r\f]+")
_ALIGNMENT = re.compile(r"text-align:\s*(\w+);?")
_URL_ATTRIBUTES = frozenset({"href", "src"})
_BLOCK = re.compile(
    r"address|article|aside|blockquote|body|br|caption|center|col|colgroup|dd|details|div|dl|dt|fieldset|"
    r"figcaption|figure|footer|form|h1|h2|h3|h4|h5|h6|head|header|hr|html|iframe|legend|li|link|main|menu|nav|ol|"
    r"optgroup|option|p|pre|script|section|style|summary|table|tbody|td|tfoot|th|thead|title|tr|ul"
)


def events(html: str) -> list[Event]:
    html = html.replace("\r\n", "\n")
    collected: list[Event] = []
    depth_of_pre = 0
    position = 0
    after_block = True
    content = ""
    for match in _TAG.finditer(html):
        content += html[position : match.start()]
        position = match.end()
        name, is_end = match["name"].lower(), bool(match["end"])
        is_block = _BLOCK.fullmatch(name) is not None
        if content:
            _add_text(collected, content, strip_left=after_block, strip_right=is_block, keep=depth_of_pre > 0)
            content = ""
        collected.append((f"</{name}>",) if is_end else (f"<{name}>", *_attributes(match["attributes"])))
        if name == "pre":
            depth_of_pre = max(0, depth_of_pre + (-1 if is_end else 1))
        after_block = is_block
    _add_text(collected, content + html[position:], strip_left=after_block, strip_right=True, keep=depth_of_pre > 0)
    return collected


def same(one: str, other: str) -> bool:
    return one == other or events(one) == events(other)


def _add_text(collected: list[Event], content: str, *, strip_left: bool, strip_right: bool, keep: bool) -> None:
    if not keep:
        content = _SPACES.sub(" ", content)
        content = content.lstrip(" ") if strip_left else content
        content = content.rstrip(" ") if strip_right else content
    if content:
        collected.append(("text", unescape(content)))


def _attributes(written: str) -> list[str]:
    if not written:
        return []
    values: dict[str, str] = {}
    for name, *quoted in _ATTRIBUTE.findall(written):
        value = unescape("".join(quoted))
        key = name.lower()
        if key in _URL_ATTRIBUTES:
            value = unquote(value)
        if key == "style" and (alignment := _ALIGNMENT.fullmatch(value)):
            key, value = "align", alignment[1]
        values.setdefault(key, value)
    return [word for key in sorted(values) for word in (key, values[key])]
