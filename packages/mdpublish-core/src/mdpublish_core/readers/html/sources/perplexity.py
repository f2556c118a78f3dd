"""Perplexity: citations are spans with a URL, not links."""

from mdpublish_core.readers.html.parse import Element
from mdpublish_core.readers.html.sources.cleaning import retag, text_of, tidy_code


def clean(root: Element) -> None:
    for span in list(root.iter("span")):
        if url := span.get("data-pplx-citation-url"):
            retag(span, "a", href=url)
    for block in root.iter("pre"):
        around = block.getparent()
        around = None if around is None else around.getparent()
        if around is not None:
            for indicator in around.findall("*[@data-testid='code-language-indicator']"):
                block.set("data-language", text_of(indicator))
    tidy_code(root)
