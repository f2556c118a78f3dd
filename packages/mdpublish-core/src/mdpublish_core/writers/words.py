"""The words that outputs add to a text, in its language: a file of `words` for each but English."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from mdpublish_core import nodes
from mdpublish_core.html import Attributes
from mdpublish_core.writers.document_defaults import defaults_of

Words = Mapping[str, str]

FOLDER = Path(__file__).parent.parent / "words"

# In code, since most documents need no others.
ENGLISH: Words = {
    "note": "Note",
    "tip": "Tip",
    "important": "Important",
    "warning": "Warning",
    "caution": "Caution",
    "contents": "Contents",
    "footnotes": "Footnotes",
    "footnote": "Footnote {}",
    "back": "Back to reference {}",
    "figure": "Figure",
    "table": "Table",
    "data": "Data",
    "diagram": "Diagram",
    "graph": "Graph",
    "chart": "Chart",
    "formula": "Formula",
    "done": "Done",
    "enlarge": "Enlarge",
    "close": "Close",
    "copy": "Copy",
    "copied": "Copied",
    "not_copied": "Not copied",
    "minutes": "{} min read",
    "untitled": "Untitled",
    "menu": "Menu",
    "search": "Search",
    "site": "Site",
    "breadcrumb": "Breadcrumb",
    "pager": "Previous and next page",
    "edit": "Edit this page",
    "dark": "Dark mode",
    "versions": "Versions",
    "not_found": "Page not found",
    "no_page": "No page has this address.",
    "home": "Go to the first page",
    "loading": "Loading…",
    "results": "{} results",
    "no_results": "No results",
    "no_index": "The search index cannot be loaded",
}

# Tags that name a language of a file otherwise.
_FILES = {"no": "nb", "nn": "nb", "iw": "he", "zh": "zh-hans"}
_TRADITIONAL = ("zh-hant", "zh-tw", "zh-hk", "zh-mo")


def words_of(document: nodes.Document, lang: str | None = None) -> Words:
    """Return the words in the caller's language, else the document's: English for any Latin script that declares none."""
    from mdpublish_core.writers.language import detect_script

    return words_in(lang or defaults_of(document).lang or document.cached(detect_script))


def words_in(lang: str | None) -> Words:
    """Return the words in a language, English if there are none in it."""
    tag = (lang or "en").lower()
    language = tag.partition("-")[0]
    return _words("zh-hant" if tag.startswith(_TRADITIONAL) else _FILES.get(language, language))


@lru_cache(maxsize=64)
def _words(name: str) -> Words:
    if name == "en":
        return ENGLISH
    from tomllib import loads

    file = next((file for file in FOLDER.glob("*.toml") if file.stem.lower() == name), None)
    return loads(file.read_text("utf-8")) if file else ENGLISH


def data_attributes(words: Words, *keys: str) -> Attributes:
    """Return words as attributes for a script, which has them in English: its text never varies."""
    return () if words is ENGLISH else tuple((f"data-{key.replace('_', '-')}", words[key]) for key in keys)


def callout_label(token: nodes.Callout, words: Words) -> str:
    """Return the name of its kind, to be shown in place of a title; the author's own name for it as written."""
    return words[token.kind] if token.name.lower() in {"", token.kind} else token.label


def callout_heading(token: nodes.Callout, words: Words) -> Sequence[nodes.Token]:
    """Return the inlines of its title or, without one, its label."""
    return token.title.children if token.title else (nodes.RawText(callout_label(token, words)),)
