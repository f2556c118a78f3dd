"""The caller's word on addresses: each that a text names is put to the caller's function, and what it returns takes its place.

It is the parser's last step, so that the tree is finished when `parse` returns it. What the function returns is held to
the same rules as what authors write.
"""

from mdpublish_core.document import Document, HtmlElement, Image, Link, walk
from mdpublish_core.urls import Address, Resolve


def resolve_addresses(document: Document, resolve: Resolve) -> None:
    """Ask `resolve` for every address of a link or an image in `document`, in the order of the source."""
    line: int | None = None
    made: dict[str, str] = {}

    def resolved(address: Address) -> str:
        url = resolve(address)
        if url != address.url:
            made[url] = address.url
        return url

    for token in walk(document):
        line = getattr(token, "line_number", None) or line
        if isinstance(token, Link):
            token.target = resolved(Address(token.target, "link", line))
        elif isinstance(token, Image):
            token.src = resolved(Address(token.src, "picture", line))
        elif isinstance(token, HtmlElement) and "href" in token.attributes:
            href = resolved(Address(token.attributes["href"], "link", line))
            token.attributes = {**token.attributes, "href": href}
    # Output is bounded by what goes in, and a picture that the caller puts in may be larger than all of the text.
    document.source_bytes += sum(map(len, made))
