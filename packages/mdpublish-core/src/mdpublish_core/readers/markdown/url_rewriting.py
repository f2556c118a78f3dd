"""URL rewriting by the caller's function, the last parsing step."""

from functools import partial

from mdpublish_core import nodes
from mdpublish_core.errors import InvalidArgument
from mdpublish_core.notices import Notice, limit_notices, sorted_by_position, unsafe_link_notice
from mdpublish_core.resources.url_rewriters import Url, UrlRewriter
from mdpublish_core.resources.urls import is_image_data_url, is_safe_url


def rewrite_urls(document: nodes.Document, rewrite_url: UrlRewriter) -> None:
    """Replace the URLs of links and images; replacements are checked like URLs in the source."""
    rewriter = _Rewriter(rewrite_url, trusted=document.trusted)
    of_span = document.origin.positions.of_span
    line: int | None = None
    for token in nodes.walk(document):
        line = getattr(token, "line_number", None) or line
        if isinstance(token, nodes.Link):
            locate = partial(of_span, token.span, line)
            token.target = rewriter.rewrite(Url(token.target, "link", line, token.by_name, locate))
        elif isinstance(token, nodes.Image):
            locate = partial(of_span, token.span, line)
            token.src = rewriter.rewrite(Url(token.src, "image", line, token.by_name, locate))
        elif isinstance(token, nodes.HtmlElement) and "href" in token.attributes:
            href = rewriter.rewrite(Url(token.attributes["href"], "link", line))
            token.attributes = {**token.attributes, "href": href}
    if rewriter.notices:
        document.notices = tuple(sorted_by_position((*document.notices, *limit_notices(rewriter.notices))))
    # Output is limited relative to the input, and a data URL may exceed the source.
    source_bytes = document.origin.source_bytes + sum(map(len, rewriter.replacements))
    document.origin = document.origin._replace(source_bytes=source_bytes)


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
