"""Paragraphs in lines of a width."""

import re
from collections.abc import Iterator

from mdpublish_core.writers.markdown.inlines import SPACE
from mdpublish_core.writers.plain_text.text_width import display_width

# Words that begin a block, if they do so anywhere.
_BEGINS_BLOCK = re.compile(
    r"(?:[-+*]|#{1,6}|\d{1,9}[.)]|=+|-+)$|[>|:<]|```|~~~|\$\$|!!!|\?\?\?|\\[\[b]|[-*_]{3}|\[[^\]]*\]:"
)


def filled(paragraph: str, width: int) -> Iterator[str]:
    """Yield lines of words with `SPACE` between, of at most `width` columns where words allow it.

    A word that may begin a block stays on the line before, unless it is alone like that.
    """
    line, length = "", 0
    for word in paragraph.split(SPACE):
        size = display_width(word)
        if line and length + 1 + size > width and not _BEGINS_BLOCK.match(word):
            yield line
            line, length = word, size
        else:
            line, length = (f"{line} {word}", length + 1 + size) if line else (word, size)
    yield line
