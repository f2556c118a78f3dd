"""Elements that show another page or file, of which Markdown has a link."""

from collections.abc import Mapping

from mdpublish_core.readers.html.parse import Element

_ATTRIBUTES: Mapping[str, str] = {"iframe": "src", "embed": "src", "video": "src", "audio": "src", "object": "data"}


def embedded_url(element: Element) -> str:
    """Return the URL of what an element shows, the first of several sources; empty for other elements."""
    name = _ATTRIBUTES.get(str(element.tag))
    url = element.get(name, "") if name else ""
    if not url and element.tag in {"video", "audio"}:
        url = next((source.get("src", "") for source in element.iter("source")), "")
    return url
