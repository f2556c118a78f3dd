"""The search index: the text of each page by headings, as a script, since pages opened as files may not load JSON.

`search.js` finds and ranks the sections.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from mdpublish_core.site.scan import Section

_PREFIX, _SUFFIX = "mdpublishSearch(", ");\n"


@dataclass(frozen=True, slots=True)
class IndexedPage:
    """A page in the index; its URL is relative to the site."""

    url: str
    title: str
    sections: tuple[Section, ...]


def search_index(pages: Iterable[IndexedPage]) -> bytes:
    """Return the index: a call with a list of `[url, title, [[anchor, heading, text], …]]`."""
    content = [
        [page.url, page.title, [[section.anchor, section.heading, section.content] for section in page.sections]]
        for page in pages
    ]
    return f"{_PREFIX}{json.dumps(content, separators=(',', ':'))}{_SUFFIX}".encode()


@cache
def site_script() -> bytes:
    """Return the script of all pages of a site."""
    folder = files("mdpublish_core.site")
    return "\n".join((folder / name).read_text("utf-8") for name in ("search.js", "site.js")).encode()
