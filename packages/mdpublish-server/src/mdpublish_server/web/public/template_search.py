"""Templates by mood and use: each word of a search, or what it stands for, begins a word of what is said of a template."""

from functools import cache
from itertools import chain

from mdpublish_core import Template, list_templates
from mdpublish_core.hosting.templates import search_synonyms
from mdpublish_server.search_words import WORD, fold

QUERY_CHARACTERS = 100
"""Characters of a search, which is cut there."""


def search_templates(query: str) -> tuple[Template, ...]:
    """Return what a search finds, first what is named so; all templates if it has no words."""
    sought = [_meanings(word) for word in _words(query[:QUERY_CHARACTERS])]

    def is_in(words: list[str]) -> bool:
        return all(any(word.startswith(meanings) for word in words) for meanings in sought)

    named = [template for template, names, _ in _searched() if is_in(names)]
    described = [template for template, names, about in _searched() if is_in(names + about)]
    return tuple(dict.fromkeys([*named, *described]))


def names_of(template: Template) -> str:
    """Return what a template is found by first: its name, category and keywords."""
    return f"{template.name} {template.category} {' '.join(template.keywords)}"


def words_of(template: Template) -> list[str]:
    """Return the words of `names_of`, and those that stand for one of them."""
    words = _words(names_of(template))
    return words + [key for key, meanings in search_synonyms().items() if any(map(words.__contains__, meanings))]


def _meanings(word: str) -> tuple[str, ...]:
    """Return what a word of a search stands for, also while it is typed."""
    sought = _singular(word)
    meanings = [
        each for key, each in search_synonyms().items() if key == sought or (word[3:] and key.startswith(sought))
    ]
    return sought, *(_singular(each) for each in chain.from_iterable(meanings))


def _singular(word: str) -> str:
    # "reports" and "report" are one.
    return word.removesuffix("s") if len(word) > 3 else word


@cache
def _searched() -> list[tuple[Template, list[str], list[str]]]:
    return [(each, _words(names_of(each)), _words(each.description)) for each in list_templates()]


def _words(content: str) -> list[str]:
    return WORD.findall(fold(content))
