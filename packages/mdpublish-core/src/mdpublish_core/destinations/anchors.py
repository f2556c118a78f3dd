"""Anchors as on GitHub, but prefixed, so that they don't collide with ids of the surrounding page."""

import re
from urllib.parse import unquote

from mdpublish_core import nodes

PREFIX = "md-"

_REMOVED = re.compile(r"[^\w\- ]")


class Anchors:
    """Unique anchors of the headings and footnotes in a document."""

    def __init__(self, document: nodes.Document) -> None:
        self._heading_names: dict[int, str] = {}
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
        # Links still lead to the heading if a footnote took its name.
        self._targets.setdefault(base, name)

    def heading_id(self, heading: nodes.Heading | nodes.SetextHeading) -> str | None:
        """Return the prefixed id, or None if the text has no usable characters."""
        name = self._heading_names[id(heading)]
        return PREFIX + name if name else None

    def resolve(self, url: str) -> str:
        """Return the prefixed target of a link to a heading or anchor, else `url`."""
        if url.startswith("#"):
            name = unquote(url[1:])
            for candidate in (name, name.lower()):
                if candidate and candidate in self._targets:
                    return f"#{PREFIX}{self._targets[candidate]}"
        return url


def github_anchor(title: str) -> str:
    """Return GitHub's anchor, without a prefix."""
    return _REMOVED.sub("", title.strip().lower()).replace(" ", "-")


def page_anchor(name: str) -> str:
    return f"{PREFIX}{name}"


def footnote_id(number: int) -> str:
    return f"{PREFIX}fn-{number}"


def footnote_reference_id(number: int, occurrence: int) -> str:
    """Return the prefixed id of a reference; `occurrence` counts from 1."""
    return f"{PREFIX}fnref-{number}" if occurrence == 1 else f"{PREFIX}fnref-{number}-{occurrence}"


def _footnote_names(footnote: nodes.FootnoteDefinition) -> list[str]:
    references = (
        footnote_reference_id(footnote.number, occurrence) for occurrence in range(1, footnote.references + 1)
    )
    return [name.removeprefix(PREFIX) for name in (footnote_id(footnote.number), *references)]
