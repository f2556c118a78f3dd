"""What is no edit: features that the editing program does not know, and images that a program stored again.

Images are known by their content or, stored again, by their alternative texts.
"""

from __future__ import annotations

from collections import defaultdict, deque
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

from mdpublish_core import nodes
from mdpublish_core.data_files import read_names
from mdpublish_core.notices import Notice, shorten
from mdpublish_core.resources.urls import has_scheme
from mdpublish_core.strings.lazy_patterns import compile_lazily
from mdpublish_core.writers.markdown.html_blocks import is_inline

if TYPE_CHECKING:
    from collections.abc import Mapping
    from collections.abc import Set as AbstractSet

    from mdpublish_core.importing import Imported

FORMULAS = (nodes.MathSpan, nodes.MathBlock)

_SPACES = compile_lazily(r"\\(?:[,:; ]|quad(?![a-zA-Z]))|\s+")

_ELSEWHERE = compile_lazily(r"#|[a-zA-Z][a-zA-Z\d+.-]*:")
_UP = compile_lazily(r"^[./]*/")
_MAX_FOLDERS = 20

FEATURES = {getattr(nodes, name): feature for name, feature in read_names(__file__, "names.tsv")["feature"].items()}


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


class KnownImages(NamedTuple):
    """An edited document whose images are as they were sent."""

    document: nodes.Document

    descriptions: Mapping[str, str]
    """Alternative texts that were edited, by the URLs that were sent."""

    notices: tuple[Notice, ...]


def known_images(document: nodes.Document, sent: nodes.Document) -> KnownImages:
    """Return the document with the URLs and alternative texts of the images that were sent."""
    before, after = {each.src: each for each in sent.images}, {each.src: each for each in document.images}
    alts = defaultdict[str, set[str]](set)
    for each in sent.images:
        alts[each.src].add(_alt(each))
    gone: dict[str, deque[str]] = defaultdict(deque)
    for src, image in before.items():
        if src not in after:
            gone[_alt(image)].append(src)
    urls = {src: src for src in after.keys() & before.keys()}
    urls |= {src: gone[_alt(each)].popleft() for src, each in after.items() if src not in before and gone[_alt(each)]}
    # What is elsewhere has an address of its own there.
    replaced = (url for src, url in urls.items() if src != url and not (has_scheme(src) or has_scheme(url)))
    notices = [_content_notice(before[url]) for url in replaced]
    described: dict[str, str] = {}

    def known(token: nodes.Token) -> nodes.Token:
        url = urls.get(token.src) if isinstance(token, nodes.Image) else None
        if not isinstance(token, nodes.Image) or url is None:
            return token
        # One image that was sent with two texts may have either.
        if (alt := _alt(token)) in alts[url] or len(alts[url]) > 1:
            return nodes.replace(token, src=url)
        described[url] = alt
        return nodes.replace(token, src=url, children=before[url].children)

    return KnownImages(nodes.transform(document, known), described, tuple(notices))


def _content_notice(image: nodes.Image) -> Notice:
    named = f"the image {shorten(_alt(image))!r}" if _alt(image) else "an image without alternative text"
    return Notice("merge-kept", f"{named} has another content than was sent; the source's stays")


def _alt(image: nodes.Image) -> str:
    return nodes.text_content(image).strip()
