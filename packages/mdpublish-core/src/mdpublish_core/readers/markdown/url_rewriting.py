"""URLs of links and images, and their rewriting by the caller's function, the last parsing step."""

from collections.abc import Iterator
from functools import partial
from types import MappingProxyType

from mdpublish_core import nodes
from mdpublish_core.errors import InvalidArgument
from mdpublish_core.nodes.tokens import amend
from mdpublish_core.notices import Notice, limit_notices, sorted_by_position, unsafe_link_notice
from mdpublish_core.resources.url_rewriters import Url, UrlRewriter
from mdpublish_core.resources.urls import is_image_data_url, is_safe_url

_WEB = ("http://", "https://")


def urls_in(
    document: nodes.Document, *, only_local: bool = False
) -> Iterator[tuple[nodes.Link | nodes.Image | nodes.HtmlElement, Url]]:
    """Yield the links and images of a document, with their URLs; `only_local` leaves out most of the web's."""
    of_span = document.origin.positions.of_span
    for token, line in document.cached(nodes.collect).links:
        match token:
            case nodes.Link():
                url = Url(token.target, "link", line, token.by_name, partial(of_span, token.span, line))
            case nodes.Image():
                url = Url(token.src, "image", line, token.by_name, partial(of_span, token.span, line))
            case nodes.HtmlElement():
                url = Url(token.attributes["href"], "link", line)
        if not (only_local and url.url.startswith(_WEB)):
            yield token, url


def rewrite_urls(document: nodes.Document, rewrite_url: UrlRewriter) -> None:
    """Replace the URLs of links and images; replacements are checked like URLs in the source."""
    rewriter = _Rewriter(rewrite_url, trusted=document.trusted)
    for token, url in urls_in(document):
        replacement = rewriter.rewrite(url)
        if isinstance(token, nodes.Link):
            amend(token, target=replacement)
        elif isinstance(token, nodes.Image):
            amend(token, src=replacement)
        else:
            amend(token, attributes=MappingProxyType({**token.attributes, "href": replacement}))
    if rewriter.notices:
        amend(document, notices=tuple(sorted_by_position((*document.notices, *limit_notices(rewriter.notices)))))
    # Output is limited relative to the input, and a data URL may exceed the source.
    source_bytes = document.origin.source_bytes + sum(map(len, rewriter.replacements))
    amend(document, origin=document.origin._replace(source_bytes=source_bytes))


class _Rewriter:
    def __init__(self, rewrite_url: UrlRewriter, *, trusted: bool) -> None:
        self.replacements: set[str] = set()
        self.notices: list[Notice] = []
        self._rewrite_url = rewrite_url
        self._trusted = trusted

    def rewrite(self, url: Url) -> str:
        replacement: object = self._rewrite_url(url)
        if not isinstance(replacement, str):
            problem = f"must return a str (got {replacement!r} for {url.url!r}); return url.url to keep the URL"
            raise InvalidArgument("rewrite_url", problem)
        if replacement != url.url and replacement not in self.replacements:
            self.replacements.add(replacement)
            is_image = url.kind == "image" and is_image_data_url(replacement)
            if not self._trusted and not is_image and not is_safe_url(replacement):
                self.notices.append(unsafe_link_notice(replacement, url.position))
        return replacement
