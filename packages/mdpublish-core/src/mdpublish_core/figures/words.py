"""Words of a source that a reader should see, and what is reported of those that a figure loses."""

import re
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from itertools import islice

from mdpublish_core.figures.request import Remark
from mdpublish_core.resources.known_elements import KNOWN_TAGS

_WORD = re.compile(r"[^\W\d_]+")
# Codes, also as Mermaid writes them, and line breaks of labels and of JSON.
_CODE = re.compile("[#&]#?\\w{1,31};|\ufb02\u00b0\u00b0?\\w{1,31}\u00b6\u00df|\\\\n|\\\\[rt](?![a-z])")
_TAG = re.compile(r"</?([a-zA-Z][\w-]*)[^<>\n]*>")

_IMAGE_TAG = re.compile(r"<img\b[^<>]*?\bsrc\s*=\s*[\"']?([^\"'\s<>]+)", re.IGNORECASE)

_MAX_REMARKS, _MAX_WORDS = 5, 8
"""Lines with lost words that are reported, and words of each: one would be enough to look."""


def words_of(content: str) -> AbstractSet[str]:
    """Return runs of letters, in lower case; engines change signs and numbers."""
    plain = _TAG.sub(lambda tag: " " if tag[1].lower() in KNOWN_TAGS else tag[0], _CODE.sub(" ", content))
    return frozenset(_WORD.findall(plain.lower()))


def lost_words(
    written: Iterable[tuple[AbstractSet[str], int | None, str]], shown: AbstractSet[str]
) -> Iterator[Remark]:
    """Yield remarks about words that are not shown, which come with their line and a remedy."""
    losing = ((sorted(words - shown), line, remedy) for words, line, remedy in written)
    for words, line, remedy in islice((each for each in losing if each[0]), _MAX_REMARKS):
        named = ", ".join(f"'{word[:40]}'" for word in words[:_MAX_WORDS])
        yield Remark(f"the engine leaves out {named}{remedy}", line, is_text=True)


def images_of(html: str) -> list[str]:
    """Return the URLs of images in labels."""
    return _IMAGE_TAG.findall(html)


def lost_images(urls: Iterable[str], source: str) -> Iterator[Remark]:
    """Yield remarks about images, which drawings do not show."""
    for url in islice(dict.fromkeys(urls), _MAX_REMARKS):
        line = source.count("\n", 0, max(source.find(url), 0)) + 1
        yield Remark(f"the image '{url[:80]}' is left out: drawings show no images", line, is_text=True)
