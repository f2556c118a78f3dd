"""Anchors of headings, as GitHub makes them, under a prefix of our own; and the author's links to them.

The prefix keeps an id that a document chose from meaning something to the page that the document is shown on. Footnotes
have their ids under it too, and an author's own `<a name="…">`.
"""

import re
from urllib.parse import unquote

from mdpublish_core import nodes

PREFIX = "md-"

# GitHub drops all but letters, marks, numbers, connectors, hyphens and spaces, then makes each space a hyphen.
_REMOVED = re.compile(r"[^\w\- ]")


class Anchors:
    """The anchors of one document; no two headings or footnotes ever share one."""

    def __init__(self, document: nodes.Document) -> None:
        self._heading_names: dict[int, str] = {}
        # What an author's `#name` leads to.
        self._targets: dict[str, str] = {}
        self._used_names = {name for footnote in document.footnote_definitions for name in _footnote_names(footnote)}
        self._repetitions: dict[str, int] = {}
        for token in nodes.walk(document):
            if isinstance(token, nodes.Heading | nodes.SetextHeading):
                self._add_heading(token)
            elif isinstance(token, nodes.HtmlElement) and token.tag == "a" and "name" in token.attributes:
                name = token.attributes["name"]
                self._targets.setdefault(name, name)

    def _add_heading(self, heading: nodes.Heading | nodes.SetextHeading) -> None:
        name = base = github_anchor(nodes.text_content(heading))
        while name in self._used_names:
            self._repetitions[base] = self._repetitions.get(base, 0) + 1
            name = f"{base}-{self._repetitions[base]}"
        self._used_names.add(name)
        self._heading_names[id(heading)] = name
        self._targets[name] = name
        # Where a footnote has the name that the heading would have had, the author's links still mean the heading.
        self._targets.setdefault(base, name)

    def heading_id(self, heading: nodes.Heading | nodes.SetextHeading) -> str | None:
        """Return the id of a heading, prefix included; None where its text leaves nothing to name it by."""
        name = self._heading_names[id(heading)]
        return PREFIX + name if name else None

    def resolve(self, url: str) -> str:
        """Return where a link to `url` leads: to the prefixed name where `url` is that of a heading or of an anchor."""
        if url.startswith("#"):
            name = unquote(url[1:])
            for candidate in (name, name.lower()):
                if candidate and candidate in self._targets:
                    return f"#{PREFIX}{self._targets[candidate]}"
        return url


def github_anchor(title: str) -> str:
    """Return the anchor that GitHub gives the first heading of this text, without a prefix."""
    return _REMOVED.sub("", title.strip().lower()).replace(" ", "-")


def page_anchor(name: str) -> str:
    """Return the id by which another page names the heading that its author calls `#name`."""
    return f"{PREFIX}{name}"


def footnote_id(number: int) -> str:
    """Return the id of a footnote, prefix included."""
    return f"{PREFIX}fn-{number}"


def footnote_reference_id(number: int, occurrence: int) -> str:
    """Return the id of one call of a footnote, prefix included; `occurrence` counts its calls from 1."""
    return f"{PREFIX}fnref-{number}" if occurrence == 1 else f"{PREFIX}fnref-{number}-{occurrence}"


def _footnote_names(footnote: nodes.FootnoteDefinition) -> list[str]:
    """Return the names that a footnote and its calls take from the headings."""
    references = (
        footnote_reference_id(footnote.number, occurrence) for occurrence in range(1, footnote.references + 1)
    )
    return [name.removeprefix(PREFIX) for name in (footnote_id(footnote.number), *references)]
