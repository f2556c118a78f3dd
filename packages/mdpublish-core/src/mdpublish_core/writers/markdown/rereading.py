"""What a block that was written is read as: the writer's only judge of what needs an escape."""

import sys
from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from mdpublish_core import nodes
from mdpublish_core.nodes.tokens import seal
from mdpublish_core.options.budget import Budget
from mdpublish_core.options.extensions import DEFAULT_EXTENSIONS
from mdpublish_core.options.limits import html_levels
from mdpublish_core.readers.markdown.abbreviations import MARK, mark_abbreviations
from mdpublish_core.readers.markdown.blocks import BlockScanner
from mdpublish_core.readers.markdown.front_matter import extensions_of
from mdpublish_core.readers.markdown.inlines import InlineScanner
from mdpublish_core.readers.markdown.links import Definition, References, normalize_label
from mdpublish_core.readers.markdown.options import ReaderOptions
from mdpublish_core.readers.markdown.raw_html import convert_raw_html

SEPARATOR = Definition("#", "", "//")
"""Separates blocks where an HTML comment would be shown."""


class Dialect(NamedTuple):
    """What the Markdown of a document is read with."""

    options: ReaderOptions
    labels: frozenset[str]
    """Labels of footnotes, normalized."""

    references: References

    @classmethod
    def of(cls, document: nodes.Document) -> "Dialect":
        extensions = document.origin.extensions
        if extensions is None:
            extensions = extensions_of(document.front_matter)[0] or DEFAULT_EXTENSIONS
            links = (each for each in nodes.walk(document) if isinstance(each, nodes.Link | nodes.Image))
            extensions |= {"wikilinks"} if any(each.by_name for each in links) else frozenset()
        raw_html = "keep" if document.trusted else document.origin.raw_html
        options = ReaderOptions(raw_html, extensions, shows_unknown_tags=raw_html == "sanitize")
        labels = frozenset(normalize_label(note.label) for note in document.footnote_definitions)
        definitions = [*(Definition(*each) for each in document.origin.definitions), SEPARATOR]
        references: References = {}
        for each in definitions:
            references.setdefault(each.label if each.label.startswith(MARK) else normalize_label(each.label), each)
        return cls(options, labels, references)

    @property
    def writes_html(self) -> bool:
        """Whether elements of HTML become nodes."""
        return self.options.raw_html == "sanitize"

    def has(self, extension: str) -> bool:
        return extension in self.options.extensions

    def read(self, markdown: str) -> Sequence[nodes.Token]:
        """Return the blocks of a part of the document. References to footnotes are not numbered."""
        budget = Budget(sys.maxsize)
        scanner = BlockScanner(self.options, budget, None)
        blocks = scanner.scan(markdown.split("\n"))
        if scanner.footnotes or scanner.references.keys() - {SEPARATOR.label}:
            return ()
        inlines = InlineScanner(self.options, self.references, self.labels, budget=budget, expansion=sys.maxsize)
        with_html: set[int] = set()
        for token, source in scanner.pending:
            inlines.has_raw_html = False
            token.children = inlines.scan(source)
            if inlines.has_raw_html:
                with_html.add(id(token))
        if self.has("abbreviations"):
            mark_abbreviations(scanner.pending, self.references)
        if self.options.raw_html != "keep" and (scanner.has_raw_html or with_html):
            blocks, _ = convert_raw_html(
                blocks,
                self.options.raw_html,
                max_depth=html_levels(self.options.limits),
                blocks_with_html=with_html,
                inline_levels=inlines.levels,
            )
        for block in blocks:
            seal(block)
        return blocks


def are_equal(left: Sequence[nodes.Token], right: Sequence[nodes.Token]) -> bool:
    """Compare trees, apart from the numbers of footnotes."""
    return len(left) == len(right) and all(_is_equal(*pair) for pair in zip(left, right, strict=True))


def _is_equal(left: nodes.Token, right: nodes.Token) -> bool:
    if left == right:
        return True
    left, right = (nodes.transform(_unnumbered(each), _unnumbered) for each in (left, right))
    return left == right


def _unnumbered(token: nodes.Token) -> nodes.Token:
    return nodes.FootnoteReference(token.label) if isinstance(token, nodes.FootnoteReference) else token


def flowed(tokens: Sequence[nodes.Token]) -> list[nodes.Token]:
    """Return inlines in which a soft break is a space."""
    parts: list[nodes.Token] = []
    for is_text, run in groupby(tokens, key=_is_flowing):
        if is_text:
            parts.append(
                nodes.RawText("".join([each.content if isinstance(each, nodes.RawText) else " " for each in run]))
            )
        else:
            parts += [nodes.replace(each, children=flowed(each.children)) if each.children else each for each in run]
    return parts


def _is_flowing(token: nodes.Token) -> bool:
    return isinstance(token, nodes.RawText) or (isinstance(token, nodes.LineBreak) and token.soft)
