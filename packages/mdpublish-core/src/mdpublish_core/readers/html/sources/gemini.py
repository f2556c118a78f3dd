"""Gemini: code blocks below a decoration with their language, and marks of sources."""

from mdpublish_core.lazy_patterns import compile_lazily
from mdpublish_core.readers.html.parse import Element
from mdpublish_core.readers.html.sources.cleaning import remove, text_of, tidy_response, unwrap, with_class

_CITATIONS = compile_lazily(r"\[cite_start\]|\[cite: ?[0-9, ]+\]")

_NOISE_TAGS = ("sources-carousel-inline", "source-footnote", "source-inline-chip")


def prepare(html: str) -> str:
    return _CITATIONS.sub("", html)


def clean(root: Element) -> None:
    for element in [
        *root.iter(*_NOISE_TAGS),
        *(sup for sup in root.iter("sup") if "data-turn-source-index" in sup.attrib),
    ]:
        remove(element)
    for decoration in with_class(root, "code-block-decoration"):
        language = next((text_of(span) for span in decoration.iter("span") if text_of(span)), "")
        parent = decoration.getparent()
        block = None if parent is None else next(parent.iter("pre"), None)
        if block is not None and language:
            block.set("data-language", language.lower())
        remove(decoration)
    for head in root.iter("thead"):
        for mark in list(head.iter("b", "strong")):
            unwrap(mark)
    tidy_response(root)
