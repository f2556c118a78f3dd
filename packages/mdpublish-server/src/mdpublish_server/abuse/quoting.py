"""Quotes the sentence of a passage that is most suspicious."""

import re
import unicodedata
from collections.abc import Iterator
from itertools import islice

from mdpublish_server.abuse.extraction import PageContent
from mdpublish_server.abuse.model import suspicion
from mdpublish_server.abuse.normalize import MARK, normalize
from mdpublish_server.abuse.passages import Passage, link_masks, tables
from mdpublish_server.abuse.phrases import union

QUOTE_CHARACTERS = 120

_MAX_LINKS = 20
"""Links of a sentence that are read."""

_SENTENCE = re.compile(r"(?:[^.!?\n。！？]|[.!?](?!\s)|(?!)){0,500}+[.!?\n。！？]*+\s*+")  # noqa: RUF001
_MARKS = re.compile(rf" ?{MARK}\w+ ?")


def quote(page: PageContent, passage: Passage) -> str:
    """Return the sentence without line breaks and invisible characters, shortened; empty if nothing is shown."""
    best = max(_sentences(page, passage), default=(0.0, ""), key=lambda pair: pair[0])[1]
    visible = "".join(
        character for character in best if unicodedata.category(character) not in {"Cf", "Cc", "Co", "Cn"}
    )
    if len(visible) > QUOTE_CHARACTERS:
        return visible[: QUOTE_CHARACTERS - 1].rstrip() + "\N{HORIZONTAL ELLIPSIS}"
    return visible.strip()


def _sentences(page: PageContent, passage: Passage) -> Iterator[tuple[float, str]]:
    """Yield the sentences of a passage, with how suspicious they are."""
    index = tables().phrases
    position = 0
    for match in _SENTENCE.finditer("".join(page.pieces)):
        words = index.tokenizer.tokenize(normalize(match[0]))
        start, position = position, position + len(words)
        if position > passage.start and start < passage.end:
            shown = " ".join(_MARKS.sub(" ", match[0]).split())
            marks = (int(word[1:]) for word in words if word[0] == MARK and word[1:].isdecimal())
            links = [page.links[number] for number in islice(marks, _MAX_LINKS)]
            signals = union((*index.match(words), *link_masks(links)))
            if any(map(str.isalnum, shown)):
                yield suspicion(signals), shown
        if start >= passage.end:
            return
