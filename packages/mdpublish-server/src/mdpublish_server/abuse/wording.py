"""Wording: what the model knows a text's words, beginnings of words, pairs of words and hosts by.

`verify` is a word, `veri*` its beginning, `veri_your` beginnings in a row, `host:login` or `path:login` a URL's word.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from mdpublish_server.abuse.normalize import MARK
from mdpublish_server.abuse.senders import RESERVED

_BEGINNINGS = (4, 5, 6, 7)
_PAIRED = 5
"""Letters of a word in a pair."""

_HOST_BEGINNINGS = (4, 5, 6)
_MAX_URLS = 100
_MAX_PART = 20
"""Letters of a word that count."""

_URL = re.compile(
    r"(?<![a-z0-9\-.])((?:[a-z0-9\-]{1,63}+\.(?=[a-z0-9])|(?!)){1,6}+)[a-z]{2,10}(?![a-z0-9\-])(?:/([^\s)>]{0,60}))?"
)
_SEPARATOR = re.compile(r"[\W_\d]+")

_FIRST_IDEOGRAPH = "\u3040"


def keys_of_words(words: Iterable[str]) -> set[str]:
    keys: set[str] = set()
    for word in set(words):
        if word[0] == MARK:
            continue
        keys.add(word[:_MAX_PART])
        keys.update(f"{word[:length]}*" for length in _BEGINNINGS if len(word) > length)
    return keys


def keys_of_pairs(words: Sequence[str]) -> set[str]:
    """Return the keys of words in a row, and of three ideographs."""
    pairs = {pair for pair in pairwise(words) if pair[0][0] != MARK and pair[1][0] != MARK}
    keys = {f"{first[:_PAIRED]}_{second[:_PAIRED]}" for first, second in pairs}
    if any(first >= _FIRST_IDEOGRAPH for first, _ in pairs):
        threes = set(zip(words, words[1:], words[2:], strict=False))
        keys.update(f"{a}_{b}_{c}" for a, b, c in threes if len(a + b + c) == 3 and min(a, b, c) >= _FIRST_IDEOGRAPH)
    return keys


def keys_of_urls(normalized: str, urls: Iterable[str]) -> set[str]:
    """Return the keys of the hosts that a text names, mail addresses' too, and of its links."""
    keys: set[str] = set()
    urls_seen = set()
    for content in (normalized, *urls):
        for match in _URL.finditer(content):
            urls_seen.add((match[1], match[2] or ""))
            if len(urls_seen) == _MAX_URLS:
                break
    for host, path in urls_seen:
        for label in re.split(r"[.\-]", host):
            if label and label not in RESERVED:
                keys.add(f"host:{label[:_MAX_PART]}")
                keys.update(f"host:{label[:length]}*" for length in _HOST_BEGINNINGS if len(label) >= length)
        keys.update(f"path:{word[:_MAX_PART]}" for word in _SEPARATOR.split(path) if word)
    return keys
