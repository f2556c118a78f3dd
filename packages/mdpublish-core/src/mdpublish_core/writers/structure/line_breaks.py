"""Finds line breaks in names, paths and URLs, and the short code that should not break at all."""

from mdpublish_core.strings.lazy_patterns import compile_lazily

# After a mark inside of a word, with a few characters on both sides; not in numbers, versions and dates.
_BREAK = compile_lazily(r"(?<=\S\S[_./:-])(?=(?:[^\W\d_]|[({\[<$])\S\S)")

MAX_WORD = 16
"""Characters of a word that is never split in text."""

_LONG_WORD = compile_lazily(rf"\S{{{MAX_WORD + 1}}}")

# Of keywords with spaces; more would not fit beside other columns on a phone.
_MAX_UNBROKEN = 16


def breakable_parts(content: str) -> list[str]:
    """Split a text where a line may break, apart from spaces: after `_ . / - :`."""
    return _BREAK.split(content)


def is_unbroken(code: str) -> bool:
    """Return whether code is to stay in one line: keywords of several words, such as SKIP LOCKED."""
    return len(code) <= _MAX_UNBROKEN and " " in code.strip() and code.isupper()


def has_long_word(content: str) -> bool:
    """Return whether any word has more than `MAX_WORD` characters."""
    return len(content) > MAX_WORD and _LONG_WORD.search(content) is not None
