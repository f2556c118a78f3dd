"""The language of a text that declares none, by its script."""

from collections.abc import Iterator
from itertools import islice

from mdpublish_core import nodes
from mdpublish_core.lazy_patterns import compile_lazily

DEFAULT_LANGUAGE = "en"
"""Language of a page that names none, and whose script several languages share."""

# Enough to tell, and a bound on the work.
_MAX_TOKENS, _MAX_CHARACTERS = 400, 4_000

_LATIN = compile_lazily("[A-Za-z\u00c0-\u024f]+")

# Words of each script; a character of Chinese and Japanese is about a word.
_WORDS = {
    "ar": compile_lazily("[\u0600-\u06ff\u0750-\u077f]+"),
    "he": compile_lazily("[\u0590-\u05ff]+"),
    "el": compile_lazily("[\u0370-\u03ff\u1f00-\u1fff]+"),
    "ru": compile_lazily("[\u0400-\u052f]+"),
    "ko": compile_lazily("[\u1100-\u11ff\uac00-\ud7a3]+"),
    "ja": compile_lazily("[\u3041-\u3096\u30a1-\u30fa]"),
    "zh": compile_lazily("[\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003134f]"),
    "th": compile_lazily("[\u0e01-\u0e5b]+"),
    "hi": compile_lazily("[\u0900-\u097f]+"),
}

# Languages with characters that the first of their script lacks.
_NEIGHBORS = {"ru": {"uk": compile_lazily("[іїєґІЇЄҐ]")}, "ar": {"fa": compile_lazily("[پچژگی]")}}

_MIN_KANA = 0.05
"""Of Japanese; Chinese quotes fewer."""


_CJK = frozenset({"zh", "ja", "ko"})


def is_cjk(lang: str | None) -> bool:
    """Return whether a BCP 47 tag is one of Chinese, Japanese or Korean."""
    return lang is not None and lang.lower().partition("-")[0] in _CJK


def detect_language(document: nodes.Document, *, default: str = DEFAULT_LANGUAGE) -> str:
    """Return the language of most words, as a BCP 47 tag; `default` if they are Latin.

    Scripts of several languages stand for the most common.
    """
    sample = "\n".join(_contents(document))[:_MAX_CHARACTERS]
    if sample.isascii():
        return default
    counts = {language: len(words.findall(sample)) for language, words in _WORDS.items()}
    if counts["ja"] and counts["ja"] >= _MIN_KANA * (counts["ja"] + counts["zh"]):
        counts["ja"] += counts.pop("zh")
    language, count = max(counts.items(), key=lambda each: each[1])
    if count <= len(_LATIN.findall(sample)):
        return default
    neighbors = _NEIGHBORS.get(language, {})
    return next((other for other, characters in neighbors.items() if characters.search(sample)), language)


def _contents(document: nodes.Document) -> Iterator[str]:
    contents = (token.content for token in nodes.walk(document) if isinstance(token, nodes.RawText))
    return islice(contents, _MAX_TOKENS)
