"""An Atom feed of the pages with a date (RFC 4287)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from xml.etree import ElementTree as ET

from mdpublish_core.resources.characters import replace_invalid

MAX_ENTRIES = 50

_NAMESPACE = "http://www.w3.org/2005/Atom"


@dataclass(frozen=True, slots=True)
class FeedEntry:
    """A dated page; `date` is in RFC 3339. The HTML of the newest alone is asked for."""

    url: str
    title: str
    date: str
    summary: str | None
    content: Callable[[], str | None]


def atom_feed(
    entries: Sequence[FeedEntry], *, title: str, author: str, site_url: str, feed_url: str, subtitle: str | None
) -> bytes:
    """Return a feed of the newest entries."""
    newest = sorted(entries, key=lambda each: (each.date, each.url), reverse=True)[:MAX_ENTRIES]
    feed = ET.Element("feed", {"xmlns": _NAMESPACE})
    _add(feed, "id", site_url)
    _add(feed, "title", title)
    if subtitle:
        _add(feed, "subtitle", subtitle)
    _add(feed, "updated", newest[0].date)
    ET.SubElement(feed, "link", {"rel": "self", "type": "application/atom+xml", "href": feed_url})
    ET.SubElement(feed, "link", {"rel": "alternate", "type": "text/html", "href": site_url})
    _add(ET.SubElement(feed, "author"), "name", author)
    for each in newest:
        entry = ET.SubElement(feed, "entry")
        _add(entry, "id", each.url)
        _add(entry, "title", each.title)
        ET.SubElement(entry, "link", {"rel": "alternate", "type": "text/html", "href": each.url})
        _add(entry, "updated", each.date)
        _add(entry, "published", each.date)
        if each.summary:
            _add(entry, "summary", each.summary)
        if content := each.content():
            _add(entry, "content", content, type="html")
    return xml_bytes(feed)


def xml_bytes(root: ET.Element) -> bytes:
    ET.indent(root, " ")
    content: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return content + b"\n"


def _add(parent: ET.Element, name: str, content: str, **attributes: str) -> None:
    ET.SubElement(parent, name, attributes).text = replace_invalid(content)
