"""The caller's word on addresses: each that a text names is put to the caller's function, and what it returns takes its place.

It is the parser's last step, so that the tree is finished when `parse` returns it. What the function returns is held to
the same rules as what authors write.
"""

from mdpublish_core import nodes
from mdpublish_core.notices import Notice, unsafe_link_notice
from mdpublish_core.resources.urls import Url, UrlRewriter, is_image_data_url, is_safe_url


def rewrite_urls(document: nodes.Document, rewrite_url: UrlRewriter) -> None:
    """Call `rewrite_url` with every URL of a link or an image in `document`, in the order of the source."""
    rewriter = _Rewriter(rewrite_url, trusted=document.trusted)
    line: int | None = None
    for token in nodes.walk(document):
        line = getattr(token, "line_number", None) or line
        if isinstance(token, nodes.Link):
            token.target = rewriter.rewrite(Url(token.target, "link", line))
        elif isinstance(token, nodes.Image):
            token.src = rewriter.rewrite(Url(token.src, "image", line))
        elif isinstance(token, nodes.HtmlElement) and "href" in token.attributes:
            href = rewriter.rewrite(Url(token.attributes["href"], "link", line))
            token.attributes = {**token.attributes, "href": href}
    if rewriter.notices:
        document.notices = tuple(sorted((*document.notices, *rewriter.notices), key=lambda notice: notice.line or 0))
    # Output is bounded by what goes in, and a picture that the caller puts in may be larger than all of the text.
    document.source_bytes += sum(map(len, rewriter.replacements))


class _Rewriter:
    """One document's addresses: those that were put in, each once, and what is to be said of them."""

    def __init__(self, rewrite_url: UrlRewriter, *, trusted: bool) -> None:
        self.replacements: set[str] = set()
        self.notices: list[Notice] = []
        self._rewrite_url = rewrite_url
        self._trusted = trusted

    def rewrite(self, url: Url) -> str:
        """Return what takes the place of an address."""
        replacement = self._rewrite_url(url)
        if not isinstance(replacement, str):
            raise TypeError(
                f"rewrite_url must return a URL as a str, and returned {replacement!r} for {url.url!r}; "
                "where nothing is to be changed, return url.url"
            )
        if replacement != url.url and replacement not in self.replacements:
            self.replacements.add(replacement)
            is_image = url.kind == "image" and is_image_data_url(replacement)
            if not self._trusted and not is_image and not is_safe_url(replacement):
                self.notices.append(unsafe_link_notice(replacement, url.line))
        return replacement
