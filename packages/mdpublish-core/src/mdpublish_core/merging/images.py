"""Images that came back, known by their content or, if a program stored them again, by their alternative texts."""

from __future__ import annotations

from collections import defaultdict, deque
from typing import TYPE_CHECKING, NamedTuple

from mdpublish_core import nodes
from mdpublish_core.notices import Notice, shorten
from mdpublish_core.resources.urls import has_scheme

if TYPE_CHECKING:
    from collections.abc import Mapping


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
