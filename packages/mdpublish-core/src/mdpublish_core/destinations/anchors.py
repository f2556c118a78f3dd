"""Anchors of headings, as GitHub makes them, under a prefix of our own; and the author's links to them.

The prefix keeps an id that a document chose from meaning something to the page that the document is shown on.
"""

import re
from urllib.parse import unquote

from mdpublish_core.document import Document, Heading, SetextHeading, text_of, walk

PREFIX = "md-"

# GitHub drops all but letters, marks, numbers, connectors, hyphens and spaces, then makes each space a hyphen.
_DROPPED = re.compile(r"[^\w\- ]")


class Anchors:
    """The anchors of one document; two headings never share one."""

    def __init__(self, document: Document) -> None:
        self._of_heading: dict[int, str] = {}
        taken: set[str] = set()
        repeated: dict[str, int] = {}
        for block in walk(document):
            if isinstance(block, Heading | SetextHeading):
                name = base = github_anchor(text_of(block))
                while name in taken:
                    repeated[base] = repeated.get(base, 0) + 1
                    name = f"{base}-{repeated[base]}"
                taken.add(name)
                self._of_heading[id(block)] = name
        self._taken = taken

    def of(self, heading: Heading | SetextHeading) -> str | None:
        """Return the id of a heading, prefix included; None where its text leaves nothing to name it by."""
        name = self._of_heading[id(heading)]
        return PREFIX + name if name else None

    def target(self, url: str) -> str:
        """Return where a link to `url` leads: to the prefixed id where `url` is the anchor of a heading."""
        if url.startswith("#"):
            name = unquote(url[1:])
            for candidate in (name, name.lower()):
                if candidate and candidate in self._taken:
                    return f"#{PREFIX}{candidate}"
        return url


def github_anchor(text: str) -> str:
    """Return the anchor that GitHub gives the first heading of this text, without a prefix."""
    return _DROPPED.sub("", text.strip().lower()).replace(" ", "-")
