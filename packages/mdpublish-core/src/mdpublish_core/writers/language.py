"""Tags of languages, the language of a text that declares none, and the tags by which Word proofreads."""

import re
from collections.abc import Mapping
from itertools import islice

from mdpublish_core import nodes
from mdpublish_core.data_files import read_names
from mdpublish_core.notices import shorten
from mdpublish_core.strings.lazy_patterns import compile_lazily

DEFAULT_LANGUAGE = "en"
"""Language of a service's page that names none, and whose script several languages share."""

# RFC 5646, section 2.1: language (and script, region, variants), extensions, private use.
_LANGUAGE_TAG = compile_lazily(
    r"[a-z]{2,3}(?:-[a-z]{3}){0,3}(?:-[a-z]{4})?(?:-(?:[a-z]{2}|[0-9]{3}))?(?:-(?:[a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*"
    r"(?:-[a-wyz0-9](?:-[a-z0-9]{2,8})+)*(?:-x(?:-[a-z0-9]{1,8})+)?",
    re.ASCII | re.IGNORECASE,
)
_LANGUAGE_CHARACTERS = 100

# Enough to tell, and a bound on the work: blocks (up to twice as many), the nodes of each, and characters of all and of each.
_SAMPLES, _MAX_TOKENS, _MAX_CHARACTERS, _MIN_SHARE = 20, 200, 1_000, 120

_LATIN = compile_lazily("[A-Za-z\u00c0-\u024f]+")

_TABLES = read_names(__file__, "language.tsv")
_WORDS = {language: compile_lazily(words) for language, words in _TABLES["words"].items()}

# What the words of all these scripts have their characters from: most texts have none.
_OF_A_SCRIPT = compile_lazily("[\u0370-\u1fff\u3041-\ud7a3\U00020000-\U0003134f]+")

_MIN_KANA = 0.05
"""Share of kana in Japanese; Chinese quotes fewer."""

# Frequent in English alone, and in others. English READMEs have the first for 3 to 20 in 100 words.
_ENGLISH = "the and with that this from you your it not have which when what there their"
_OTHERS = "der das und ist nicht ein le les des et est une que el los con para il che di non het een och att og det jest nie się não em"
_ENGLISH_WORDS, _OTHER_WORDS = frozenset(_ENGLISH.split()), frozenset(_OTHERS.split())
_MIN_ENGLISH_WORDS, _MIN_ENGLISH_SHARE, _MAX_OTHER_SHARE = 2, 1 / 33, 1 / 4

_CJK = frozenset({"zh", "ja", "ko"})


def is_cjk(lang: str | None) -> bool:
    """Return whether a BCP 47 tag is one of Chinese, Japanese or Korean."""
    return lang is not None and lang.lower().partition("-")[0] in _CJK


def language_tag(value: str) -> str:
    """Return a well-formed BCP 47 tag; raise `ValueError` with a message that continues the field's name."""
    if len(value) > _LANGUAGE_CHARACTERS or not _LANGUAGE_TAG.fullmatch(value):
        raise ValueError(f"must be a BCP 47 language tag, such as en or de-CH (got {shorten(value)!r})")
    return value


def detect_language(document: nodes.Document) -> str | None:
    """Return the language of most words, as a BCP 47 tag; None for Latin script, but where the words are English.

    Scripts of several languages stand for the most common.
    """
    return document.cached(detect_script) or _english_or_none(document.cached(_sample))


def detect_script(document: nodes.Document) -> str | None:
    """Return the language of most words; None for Latin script."""
    # What needs no sample: most documents have ASCII text only.
    is_ascii = not any(isinstance(token, nodes.RawText) for token in document.cached(nodes.collect).tokens)
    others = "" if is_ascii else " ".join(_OF_A_SCRIPT.findall(document.cached(_sample)))
    if not others:
        return None
    counts = {language: len(words.findall(others)) for language, words in _WORDS.items()}
    if counts["ja"] and counts["ja"] >= _MIN_KANA * (counts["ja"] + counts["zh"]):
        counts["ja"] += counts.pop("zh")
    language, count = max(counts.items(), key=lambda each: each[1])
    if count <= len(_LATIN.findall(document.cached(_sample))):
        return None
    other, _, characters = _TABLES["neighbor"].get(language, "").partition(" ")
    return other if characters and any(each in others for each in characters) else language


def _english_or_none(sample: str) -> str | None:
    """Return `en` for a text whose words are English; one that is partly so may be read in another language."""
    words = sample.lower().split()
    count, others = (len([word for word in words if word in each]) for each in (_ENGLISH_WORDS, _OTHER_WORDS))
    is_english = (
        count >= max(_MIN_ENGLISH_WORDS, _MIN_ENGLISH_SHARE * len(words)) and others <= _MAX_OTHER_SHARE * count
    )
    return "en" if is_english else None


def _sample(document: nodes.Document) -> str:
    """Return the beginnings of blocks from the whole document, whose first may be an abstract in another language."""
    blocks = nodes.children_of(document)
    sampled = blocks[:: max(1, len(blocks) // _SAMPLES)]
    share = max(_MIN_SHARE, _MAX_CHARACTERS // max(len(sampled), 1))
    return "\n".join(_beginning(block, share) for block in sampled)


def _beginning(block: nodes.Token, characters: int) -> str:
    contents, left = list[str](), characters
    for token in islice(nodes.walk(block), _MAX_TOKENS):
        if type(token) is nodes.RawText:
            contents.append(token.content[:left])
            left -= len(token.content)
            if left <= 0:
                break
    return "\n".join(contents)


# Word's complex scripts: written from right to left, or with characters that join.
_COMPLEX = "ar fa he ur yi ps sd ug dv hi mr ne bn pa gu ta te kn ml si th lo km my"


def proofing_language(lang: str) -> str:
    """Return a tag with a region: `de-DE` for `de`, `zh-TW` for `zh-Hant`; the tag itself if none is known."""
    language, *subtags = lang.lower().split("-")
    language = {"no": "nb", "iw": "he"}.get(language, language)
    region = next((subtag.upper() for subtag in subtags if len(subtag) == 2), None)
    if region is None:
        region = "TW" if language == "zh" and "hant" in subtags else _TABLES["region"].get(language)
    return f"{language}-{region}" if region else lang


def proofing_attributes(lang: str) -> Mapping[str, str]:
    """Return the attribute of `w:lang` for a language: each kind of script has its own (ECMA-376-1, 17.3.2.20)."""
    language = lang.lower().partition("-")[0]
    slot = "eastAsia" if language in _CJK else "bidi" if language in _COMPLEX.split() else "val"
    return {slot: proofing_language(lang)}
