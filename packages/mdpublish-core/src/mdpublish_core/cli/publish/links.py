"""Links between files, and images, as those of a service: only URLs change in the Markdown, or the other way."""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from mdpublish_core.readers.markdown.url_rewriting import urls_in

if TYPE_CHECKING:
    from mdpublish_core import Document
    from mdpublish_core.cli.inputs import ParseOptions
    from mdpublish_core.resources.url_rewriters import Url


def urls_of(markdown: str, parsing: "ParseOptions") -> "tuple[Document, list[Url]]":
    """Return a document and the URLs of its links and images."""
    document = parsing.parse(markdown)
    return document, [url for _, url in urls_in(document)]


def replace_urls(markdown: str, urls: Mapping[str, str], parsing: "ParseOptions") -> str:
    """Return Markdown in which links and images have other URLs, by those that they have.

    Where the text cannot be changed in place, as a wiki link, it is written anew from the document.
    """
    if not urls:
        return markdown
    expected = parsing.parse(markdown, lambda url: urls.get(url.url, url.url))
    any_url = "|".join(map(re.escape, sorted(urls, key=len, reverse=True)))
    in_place = re.sub(
        rf"""(?P<before>\]\(\s*<?|^\ {{0,3}}\[[^\]\n]+\]:\s*<?|\b(?:href|src)=["']?)(?P<url>{any_url})(?=[\s)>"']|$)""",
        lambda match: f"{match['before']}{urls[match['url']]}",
        markdown,
        flags=re.MULTILINE,
    )
    if parsing.parse(in_place) == expected:
        return in_place
    from mdpublish_core import to_markdown

    return to_markdown(expected)
