"""Features that the editing program does not know, so that their absence is no edit."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

from mdpublish_core import nodes
from mdpublish_core.strings.lazy_patterns import compile_lazily
from mdpublish_core.writers.markdown.html_blocks import is_inline

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from mdpublish_core.importing import Imported

FORMULAS = (nodes.MathSpan, nodes.MathBlock)

_SPACES = compile_lazily(r"\\(?:[,:; ]|quad(?![a-zA-Z]))|\s+")

_ELSEWHERE = compile_lazily(r"#|[a-zA-Z][a-zA-Z\d+.-]*:")
_UP = compile_lazily(r"^[./]*/")
_MAX_FOLDERS = 20

FEATURES = {
    nodes.MathSpan: "formulas in a line",
    nodes.MathBlock: "formulas on their own lines",
    nodes.FootnoteReference: "references to footnotes",
    nodes.FootnoteDefinition: "footnotes",
    nodes.Quote: "quotes",
    nodes.Callout: "callouts",
    nodes.CodeFence: "code blocks",
    nodes.InlineCode: "inline code",
    nodes.TaskItem: "checkboxes",
}


def features_of(document: nodes.Document) -> AbstractSet[str]:
    """Return what a document has of what some programs do not know."""
    return {_feature(token) for token in nodes.walk(document)} - {""}


def lost_formulas(sent: Imported, edited: Imported) -> AbstractSet[int] | None:
    """Return the numbers of formulas that the editing program did not keep, or None if no bookmarks tell."""
    length = sum(isinstance(token, FORMULAS) for token in nodes.walk(sent.document))
    if edited.formula_bookmarks is None or length != len(sent.formula_bookmarks or ()):
        return None
    return {number for number, is_there in edited.formula_bookmarks.items() if not is_there and number <= length}


def without(
    document: nodes.Document, features: AbstractSet[str], formulas: AbstractSet[int] = frozenset()
) -> nodes.Document:
    """Return a copy without these formulas and features; the text of these stays, and what is compared apart in it."""
    numbers = count(1)

    def remaining(token: nodes.Token) -> nodes.Replacement:
        if isinstance(token, FORMULAS) and next(numbers) in formulas:
            return None
        return _forgotten(token) if _feature(token) in features else token

    return nodes.transform(document, remaining)


def with_sent_forms(document: nodes.Document, sent: nodes.Document) -> nodes.Document:
    """Return a copy with formulas and relative links as sent: LibreOffice drops spaces, and rewrites paths."""
    formulas = [token.content for token in nodes.walk(sent) if isinstance(token, FORMULAS)]
    spaced = {_SPACES.sub("", content): content for content in formulas}
    paths = _local_targets(sent)
    # Where the document has one as it was sent, the others are edits.
    rebased = {_UP.sub("", target): target for target in paths} if paths.isdisjoint(_local_targets(document)) else {}

    def restored(token: nodes.Token) -> nodes.Token:
        if isinstance(token, nodes.Link) and token.target.startswith("../"):
            parts = _UP.sub("", token.target).split("/")
            tails = ("/".join(parts[number:]) for number in range(min(len(parts), _MAX_FOLDERS)))
            target = next((rebased[tail] for tail in tails if tail in rebased), None)
            return token if target is None else nodes.replace(token, target=target)
        content = spaced.get("".join(token.content.split())) if isinstance(token, FORMULAS) else None
        return token if content is None else nodes.replace(token, content=content)

    return nodes.transform(document, restored)


def _local_targets(document: nodes.Document) -> AbstractSet[str]:
    links = (token.target for token in nodes.walk(document) if isinstance(token, nodes.Link))
    return {target for target in links if not _ELSEWHERE.match(target)}


def _feature(token: nodes.Token) -> str:
    if isinstance(token, nodes.Link):
        return "" if _ELSEWHERE.match(token.target) else "links to files"
    return f"<{token.tag}>" if isinstance(token, nodes.HtmlElement) else FEATURES.get(type(token), "")


def _forgotten(token: nodes.Token) -> nodes.Replacement:
    if isinstance(token, nodes.MathBlock | nodes.FootnoteDefinition):
        return None
    if isinstance(token, nodes.TaskItem):
        return nodes.ListItem(token.children, leader=token.leader)
    if isinstance(token, nodes.InlineCode):
        return nodes.RawText(token.content)
    if isinstance(token, nodes.CodeFence):
        return nodes.Paragraph([nodes.RawText(token.content)])
    if (
        isinstance(token, nodes.HtmlElement)
        and not is_inline(token)
        and token.children
        and is_inline(token.children[0])
    ):
        return nodes.Paragraph(token.children)
    return nodes.children_of(token) or token
