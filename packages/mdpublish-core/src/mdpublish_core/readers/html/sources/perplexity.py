"""Perplexity: citations are spans with a URL, not links."""

from mdpublish_core.readers.html.parse import Element
from mdpublish_core.readers.html.sources.cleaning import retag, tidy_code


def clean(root: Element) -> None:
    for span in list(root.iter("span")):
        if url := span.get("data-pplx-citation-url"):
            retag(span, "a", href=url)
    tidy_code(root)
