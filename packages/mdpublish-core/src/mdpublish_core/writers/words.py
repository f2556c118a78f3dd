"""The words that outputs add to a text, in its language: a file of `words` for each."""

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from mdpublish_core import nodes
from mdpublish_core.html import Attributes
from mdpublish_core.writers.document_defaults import defaults_of

Words = Mapping[str, str]

FOLDER = Path(__file__).parent.parent / "words"

_FILES = {file.stem.lower(): file for file in FOLDER.glob("*.toml")}

# Tags that name a language of a file otherwise.
_NAMES = {"no": "nb", "nn": "nb", "iw": "he", "zh": "zh-hans"}
_TRADITIONAL = ("zh-hant", "zh-tw", "zh-hk", "zh-mo")


def words_of(document: nodes.Document, lang: str | None = None) -> Words:
    """Return the words in the caller's language, else the document's; English for undeclared Latin script."""
    from mdpublish_core.writers.language import detect_script

    return words_in(lang or defaults_of(document).lang or document.cached(detect_script))


def words_in(lang: str | None) -> Words:
    """Return the words in a language, English if there are none in it."""
    tag = (lang or "en").lower()
    language = tag.partition("-")[0]
    name = "zh-hant" if tag.startswith(_TRADITIONAL) else _NAMES.get(language, language)
    return _words(name if name in _FILES else "en")


@cache
def _words(name: str) -> Words:
    return tomllib.loads(_FILES[name].read_text("utf-8"))


ENGLISH = _words("en")


def data_attributes(words: Words, *keys: str) -> Attributes:
    """Return words as attributes for a script, which has them in English: its text never varies."""
    return () if words is ENGLISH else tuple((f"data-{key.replace('_', '-')}", words[key]) for key in keys)


def callout_label(token: nodes.Callout, words: Words) -> str:
    """Return the name of its kind, to be shown in place of a title; the author's own name for it as written."""
    return words[token.kind] if token.name.lower() in {"", token.kind} else token.label


def callout_heading(token: nodes.Callout, words: Words) -> Sequence[nodes.Token]:
    """Return the inlines of its title or, without one, its label."""
    return token.title.children if token.title else (nodes.RawText(callout_label(token, words)),)
