"""Assistants: code blocks below a header with their language, and citations as chips, spans or marks."""

import re

from mdpublish_core.readers.html.parse import Element, text_of
from mdpublish_core.readers.html.sources.cleaning import REMOVED, refill, remove, set_apart, unwrap, with_class
from mdpublish_core.readers.markdown.slips import CITATION
from mdpublish_core.strings.lazy_patterns import compile_lazily

_TRACKING = compile_lazily(r"[?&]utm_source=chatgpt\.com(?=$|#|&)")

# What only the chat window shows, or links to sources.
_CITATIONS = compile_lazily(rf"(<[^<>]*>)|{CITATION}|[\ue203\ue204\ue206]|\[oai_citation:[0-9]+‡[^\[\]<]*\]\([^()<]*\)")
_GEMINI_SOURCES = ("sources-carousel-inline", "source-footnote", "source-inline-chip")

_COPILOT_ANNOUNCEMENT = "Copilot said"
"""Words for screen readers before each answer."""


def prepare(html: str) -> str:
    """Mark citations, each of which is a tag's or a text's."""
    return _CITATIONS.sub(_removed, html)


def _removed(match: re.Match[str]) -> str:
    """Return a tag as it is, and a citation as an element that is taken out."""
    return match[1] or f"<{REMOVED}>{match[0]}</{REMOVED}>"


def clean_chatgpt(root: Element) -> None:
    for chip in root.findall(".//*[@data-testid='webpage-citation-pill']"):
        _cite(chip)
    for link in root.iter("a"):
        target = link.get("href", "")
        if "utm_source" in target:
            link.set("href", _TRACKING.sub("", target))


def _cite(chip: Element) -> None:
    """Make a chip a link in parentheses, as in the text that ChatGPT's own button copies."""
    link = next(chip.iter("a"), None)
    label = "" if link is None else _label(link)
    if link is None or not label:
        remove(chip)
        return
    refill(link, "a", label, href=link.get("href", ""))
    refill(chip, "span", " (")
    chip.append(link)
    link.tail = ")"


def _label(chip: Element) -> str:
    """Return the first of a chip's texts; another one may count further sources."""
    return next(filter(None, map(str.strip, map(str, chip.itertext()))), "")


def clean_claude(root: Element) -> None:
    for chip in with_class(root, "group/tag"):
        set_apart(chip)


def clean_copilot(root: Element) -> None:
    for element in list(root.iter("h5", "h6", "span", "div")):
        if text_of(element).rstrip(":") == _COPILOT_ANNOUNCEMENT:
            remove(element)


def clean_gemini(root: Element) -> None:
    for element in [*root.iter(*_GEMINI_SOURCES), *root.iterfind(".//sup[@data-turn-source-index]")]:
        remove(element)
    for head in root.iter("thead"):
        for mark in list(head.iter("b", "strong")):
            unwrap(mark)


def clean_perplexity(root: Element) -> None:
    for span in list(root.iter("span")):
        if (url := span.get("data-pplx-citation-url")) and (label := _label(span)):
            set_apart(span)
            refill(span, "a", label, href=url)
