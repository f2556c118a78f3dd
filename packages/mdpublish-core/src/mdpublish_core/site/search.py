"""The search index: the text of each page by headings, as a script, since pages opened as files load no JSON."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from mdpublish_core.site.scan import Section

MAX_LABELS = 50
"""Labels of a page or section: more links to it would not find it better."""

_PREFIX, _SUFFIX = "mdpublishSearch(", ");\n"


@dataclass(frozen=True, slots=True)
class IndexedPage:
    """A page in the index; its URL is relative to the site."""

    url: str
    title: str
    sections: tuple[Section, ...]
    labels: Mapping[str, Sequence[str]]
    """Texts of links to it, by the id that they lead to, which is empty for the page."""


def search_index(pages: Iterable[IndexedPage]) -> bytes:
    """Return the index: a call with a list of `[url, title, labels, [[anchor, heading, text, labels], …]]`."""
    content = [
        [
            page.url,
            page.title,
            _labels(page, ""),
            [[each.anchor, each.heading, each.content, _labels(page, each.anchor)] for each in page.sections],
        ]
        for page in pages
    ]
    return f"{_PREFIX}{json.dumps(content, separators=(',', ':'))}{_SUFFIX}".encode()


def _labels(page: IndexedPage, anchor: str) -> str:
    return "\n".join(page.labels.get(anchor, ())[:MAX_LABELS])


@cache
def site_script() -> bytes:
    """Return the script of all pages of a site."""
    return "\n".join(map(_script, ("search.js", "site.js"))).encode()


@cache
def mode_script() -> bytes:
    """Return the script that remembers the reader's theme mode."""
    return _script("mode.js").encode()


def _script(name: str) -> str:
    return (files("mdpublish_core.site") / name).read_text("utf-8")
