"""Anchors as on GitHub, but prefixed, so that they don't collide with ids of the surrounding page."""

from collections.abc import Iterator
from urllib.parse import unquote

from mdpublish_core import nodes
from mdpublish_core.resources.urls import github_anchor, label_anchor
from mdpublish_core.strings.lazy_patterns import compile_lazily

PREFIX = "md-"

_FOOTNOTE_NAME = compile_lazily(r"fn(?P<reference>ref)?-(?P<number>[1-9][0-9]*)(?:-(?P<occurrence>[1-9][0-9]*))?")

_LABEL = compile_lazily(r"\\label *\{([^{}]+)\}")

# Python refuses to read very long numbers; no document has as many notes.
_MAX_FOOTNOTE_NAME = 40


class Anchors:
    """Unique anchors of the headings, footnotes and labelled formulas in a document."""

    def __init__(self, document: nodes.Document) -> None:
        self._heading_names: dict[int, str] = {}
        self._targets: dict[str, str] = {}
        # A note may be called thousands of times: its names are computed, not stored.
        self._references = {footnote.number: footnote.references for footnote in document.footnote_definitions}
        self._used_names: set[str] = set()
        self._repetitions: dict[str, int] = {}
        self._formula_names: dict[int, str] = {}
        for token in document.link_targets:
            if isinstance(token, nodes.HtmlElement):
                name = token.attributes["name"]
                self._targets.setdefault(name, name)
            else:
                self._add_heading(token)

        for formula in document.figures_and_math:
            if isinstance(formula, nodes.MathBlock) and "\\label" in formula.content:
                self._add_formula(formula)

    def _add_formula(self, formula: nodes.MathBlock) -> None:
        """Give a formula one anchor, to which references to all its labels lead."""
        labels = _LABEL.findall(formula.content)
        if labels:
            name = self._unused_name(github_anchor(labels[0]) or "formula")
            self._formula_names[id(formula)] = name
            for label in labels:
                self._targets.setdefault(label_anchor(label), name)

    def _add_heading(self, heading: nodes.Heading | nodes.SetextHeading) -> None:
        base = github_anchor(nodes.text_content(heading))
        name = self._unused_name(base)
        self._heading_names[id(heading)] = name
        self._targets[name] = name
        # Links still lead to the heading if a footnote took its name.
        self._targets.setdefault(base, name)

    def _unused_name(self, base: str) -> str:
        name = base
        while name in self._used_names or self._is_footnote_name(name):
            self._repetitions[base] = self._repetitions.get(base, 0) + 1
            name = f"{base}-{self._repetitions[base]}"
        self._used_names.add(name)
        return name

    def _is_footnote_name(self, name: str) -> bool:
        if not self._references:
            return False
        match = _FOOTNOTE_NAME.fullmatch(name)
        if match is None or len(name) > _MAX_FOOTNOTE_NAME:
            return False
        if (references := self._references.get(int(match["number"]))) is None:
            return False
        if match["reference"] is None:
            return match["occurrence"] is None
        # The first reference has no suffix.
        return references >= 1 if match["occurrence"] is None else 2 <= int(match["occurrence"]) <= references

    def heading_id(self, heading: nodes.Heading | nodes.SetextHeading) -> str | None:
        """Return the prefixed id, or None if the text has no usable characters."""
        name = self._heading_names[id(heading)]
        return PREFIX + name if name else None

    def formula_id(self, formula: nodes.MathBlock) -> str | None:
        """Return the prefixed id of a formula with labels."""
        name = self._formula_names.get(id(formula))
        return PREFIX + name if name else None

    @property
    def ids(self) -> Iterator[tuple[str, str]]:
        """Yield the fragments of links, and the prefixed ids that they lead to."""
        return ((name, PREFIX + target) for name, target in self._targets.items() if name)

    def resolve(self, url: str) -> str:
        """Return the prefixed target of a link to a heading or anchor, else `url`."""
        if url.startswith("#"):
            name = unquote(url[1:])
            for candidate in (name, name.lower()):
                if candidate and candidate in self._targets:
                    return f"#{PREFIX}{self._targets[candidate]}"
        return url


def page_anchor(name: str) -> str:
    return f"{PREFIX}{name}"


def footnote_id(number: int) -> str:
    return f"{PREFIX}fn-{number}"


def footnote_reference_id(number: int, occurrence: int) -> str:
    """Return the prefixed id of a reference; `occurrence` counts from 1."""
    return f"{PREFIX}fnref-{number}" if occurrence == 1 else f"{PREFIX}fnref-{number}-{occurrence}"
