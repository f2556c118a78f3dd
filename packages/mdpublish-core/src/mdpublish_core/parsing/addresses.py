"""The caller's word on addresses: each that a text names is put to the caller's function, and what it returns takes its place.

It is the parser's last step, so that the tree is finished when `parse` returns it. What the function returns is held to
the same rules as what authors write.
"""

from mdpublish_core import nodes
from mdpublish_core.notices import Notice, unsafe_url
from mdpublish_core.urls import Address, Resolve, holds_picture, is_safe_url


def resolve_addresses(document: nodes.Document, resolve: Resolve) -> None:
    """Ask `resolve` for every address of a link or an image in `document`, in the order of the source."""
    resolving = _Resolving(resolve, trusted=document.trusted)
    line: int | None = None
    for token in nodes.walk(document):
        line = getattr(token, "line_number", None) or line
        if isinstance(token, nodes.Link):
            token.target = resolving.ask(Address(token.target, "link", line))
        elif isinstance(token, nodes.Image):
            token.src = resolving.ask(Address(token.src, "picture", line))
        elif isinstance(token, nodes.HtmlElement) and "href" in token.attributes:
            href = resolving.ask(Address(token.attributes["href"], "link", line))
            token.attributes = {**token.attributes, "href": href}
    if resolving.notices:
        document.notices = tuple(sorted((*document.notices, *resolving.notices), key=lambda notice: notice.line or 0))
    # Output is bounded by what goes in, and a picture that the caller puts in may be larger than all of the text.
    document.source_bytes += sum(map(len, resolving.made))


class _Resolving:
    """One document's addresses: those that were put in, each once, and what is to be said of them."""

    def __init__(self, resolve: Resolve, *, trusted: bool) -> None:
        self.made: set[str] = set()
        self.notices: list[Notice] = []
        self._resolve = resolve
        self._trusted = trusted

    def ask(self, address: Address) -> str:
        """Return what takes the place of an address."""
        url = self._resolve(address)
        if not isinstance(url, str):
            raise TypeError(
                f"resolve must return an address as a str, and returned {url!r} for {address.url!r}; "
                "where nothing is to be changed, return address.url"
            )
        if url != address.url and url not in self.made:
            self.made.add(url)
            holds = address.kind == "picture" and holds_picture(url)
            if not self._trusted and not holds and not is_safe_url(url):
                self.notices.append(unsafe_url(url, address.line))
        return url
