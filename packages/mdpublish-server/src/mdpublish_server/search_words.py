"""The words of texts and of searches.

Case, accents and compatibility forms make no difference. In scripts without spaces, no word can be told from the next
one: each pair of letters is a word there, and the last letter of a run.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from unicodedata import normalize

WORD_CHARACTERS = 32
"""Longer words are cut, in texts and in searches."""

INDEXED_CHARACTERS = 400_000
"""Characters of a text's different words, frequent ones first. PostgreSQL indexes a megabyte; a novel has 100,000."""

# Whatever is neither white space nor punctuation nor a sign: marks, as of vowels, belong to words.
WORD = re.compile(
    r"[^\x00-/:-@\[-`{-\xa9\xab-\xb1\xb4\xb6-\xb8\xbb\xbf\xd7\xf7\u037e\u0387\u055a-\u055f\u0589\u05be\u05c0\u05c3\u060c\u061b\u061f"
    r"\u066a-\u066d\u06d4\u0964\u0965\u0e2f\u0e5a\u0e5b\u104a-\u104f\u1360-\u1368\u17d4-\u17da\u2000-\u206f\u20a0-\u20cf\u2190-\u2bff"
    r"\u2e00-\u2e7f\u3000-\u3004\u3007-\u3020\u3030\u30fb\ufe00-\ufe6f\uff5f-\uff65\ufff0-\uffff\U0001f000-\U0001faff]+"
)
_UNSPACED = "\u0e01-\u0eff\u1000-\u109f\u1780-\u17ff\u3005\u3006\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff"
UNSPACED = re.compile(f"[{_UNSPACED}]")
_RUN = re.compile(f"([{_UNSPACED}]+)|[^{_UNSPACED}]+")
# Of Latin, Greek and Cyrillic letters, and vowels that Hebrew and Arabic may leave out.
_ACCENTS = re.compile(r"[\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u064b-\u065f\u0670]+")


@dataclass(frozen=True, slots=True)
class Term:
    """A word of a search, or the beginning of one."""

    word: str
    is_prefix: bool


@dataclass(frozen=True, slots=True)
class Query:
    """What a search asks for: all `terms`; and all `phrases`, which are more than their words, literally."""

    terms: tuple[Term, ...]
    phrases: tuple[str, ...]


def fold(content: str) -> str:
    """Return the text in which equal words are equal."""
    if content.isascii():
        return content.lower()
    return normalize("NFC", _ACCENTS.sub("", normalize("NFKD", content)).casefold())


def indexed_words(content: str) -> str:
    """Return the different words, separated by spaces, the frequent ones first."""
    words = WORD.findall(fold(content))
    counts: Counter[str] = Counter()
    for word, count in Counter(words).items():
        for part in [word] if word.isascii() else _parts(word):
            counts[part[:WORD_CHARACTERS]] += count
    joined = " ".join(word for word, _ in counts.most_common())
    return joined if len(joined) <= INDEXED_CHARACTERS else joined[:INDEXED_CHARACTERS].rpartition(" ")[0]


def parse_query(query: str) -> Query:
    """Read a search, whose last word may be the beginning of one, as may a single letter of a script without spaces."""
    terms: dict[Term, None] = {}
    phrases: dict[str, None] = {}
    chunks = fold(query).split()
    for chunk in chunks:
        words = WORD.findall(chunk)
        # A run's last letter alone is a word of texts, not of searches.
        parts = [
            part[:WORD_CHARACTERS]
            for word in words
            for part in _parts(word)
            if len(part) > 1 or len(word) == 1 or part.isascii()
        ]
        if parts != [chunk]:
            phrases[chunk] = None
        for number, part in enumerate(parts, 1):
            is_last = chunk is chunks[-1] and number == len(parts)
            # As in "vitamin c".
            is_single = len(part) == 1 and bool(terms)
            is_unspaced = UNSPACED.match(part) is not None
            terms[Term(part, is_prefix=(is_last and not is_single) or (len(part) == 1 and is_unspaced))] = None
    return Query(tuple(terms), tuple(phrases))


def _parts(word: str) -> Iterator[str]:
    """Yield a word's runs; of a run without spaces, its pairs of letters and its last letter."""
    for run in _RUN.finditer(word):
        if run[1] is None:
            yield run[0]
        else:
            yield from map("".join, pairwise(run[0]))
            yield run[0][-1]
