"""The sitemap (https://www.sitemaps.org/protocol.html)."""

from collections.abc import Iterable
from xml.etree import ElementTree as ET

from mdpublish_core.site.feed import xml_bytes

MAX_URLS = 50_000
"""The protocol's limit for a file."""

_NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"


def sitemap(urls: Iterable[tuple[str, str | None]]) -> bytes:
    """Return the sitemap of URLs with their dates, the first 50,000."""
    root = ET.Element("urlset", {"xmlns": _NAMESPACE})
    for _, (url, date) in zip(range(MAX_URLS), urls, strict=False):
        entry = ET.SubElement(root, "url")
        ET.SubElement(entry, "loc").text = url
        if date:
            ET.SubElement(entry, "lastmod").text = date
    return xml_bytes(root)
