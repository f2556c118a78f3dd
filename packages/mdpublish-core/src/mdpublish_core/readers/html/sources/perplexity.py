"""Perplexity: citations are spans with a URL, not links."""

from mdpublish_core.readers.html.parse import Element
from mdpublish_core.readers.html.sources.cleaning import remove, retag, set_apart, text_of, tidy_response


def clean(root: Element) -> None:
    for span in list(root.iter("span")):
        if (url := span.get("data-pplx-citation-url")) and text_of(span):
            set_apart(span)
            retag(span, "a", href=url)
    tidy_response(root)
    indicator = None
    for element in list(root.iter()):
        if element.get("data-testid") == "code-language-indicator":
            indicator = element
        elif element.tag == "pre" and indicator is not None:
            element.set("data-language", text_of(indicator))
            remove(indicator)
            indicator = None
