"""A page's text for readers of feeds, which have neither its styles nor its scripts."""

from urllib.parse import urljoin
from xml.etree import ElementTree as ET

from mdpublish_core.html import HtmlWriter
from mdpublish_core.resources.allowed_elements import BLOCK_TAGS, INLINE_TAGS
from mdpublish_core.resources.known_elements import VOID_TAGS

MAX_ENTRY_CHARACTERS = 100_000
"""Characters of the page's text with its markup; of a longer one, feeds have the summary alone."""

_TAGS = BLOCK_TAGS | INLINE_TAGS | {"math", "section"}
_DROPPED = frozenset({"annotation", "button", "nav", "script", "style", "template"})
_DROPPED_CLASSES = frozenset({("a", "anchor"), ("h1", "title")})
_ATTRIBUTES = frozenset({"alt", "cite", "colspan", "datetime", "dir", "display", "lang", "rowspan", "start", "title"})


def feed_content(page: bytes, url: str) -> str | None:
    """Return the content of a finished page at `url` as plain HTML with absolute URLs, if it is not too long.

    What an author of `raw_html="keep"` wrote may not be well-formed; of such a page, there is none.
    """
    start, end = page.find(b"<main"), page.rfind(b"</main")
    if start < 0 or not 0 < end - start <= MAX_ENTRY_CHARACTERS:
        return None
    writer = HtmlWriter()
    try:
        main = ET.fromstring(page[start : end + len(b"</main") + 1])  # noqa: S314  (our own, without a DTD)
        _write(writer, main, url)
    except (ET.ParseError, RecursionError):
        return None
    return writer.finish().strip()


def _write(writer: HtmlWriter, element: ET.Element, url: str, *, in_math: bool = False) -> None:
    tag, names = element.tag.rpartition("}")[2], element.attrib
    urls = {name: urljoin(url, names[name]) for name in ("href", "src") if name in names}
    if tag in _DROPPED or (tag, names.get("class")) in _DROPPED_CLASSES:
        return
    if tag == "svg" or (tag == "img" and not urls.get("src", "").startswith("http")):
        # Readers drop drawings and data, so the page shows them.
        writer.element("a", names.get("aria-label") or names.get("alt") or url, [("href", url)])
        return
    if tag == "input":
        writer.write_text("\u2611" if "checked" in names else "\u2610")
        return
    attributes = [*((name, value) for name, value in names.items() if name in _ATTRIBUTES), *urls.items()]
    if tag in VOID_TAGS:
        writer.empty(tag, attributes)
        return
    is_written = tag in _TAGS or in_math
    if is_written:
        writer.start(tag, attributes)
    writer.write_text(element.text or "")
    for child in element:
        _write(writer, child, url, in_math=in_math or tag == "math")
        writer.write_text(child.tail or "")
    if is_written:
        writer.end()
