"""Templates by mood and use: each word of a search begins a word of a name, category, keyword or description."""

from functools import cache

from mdpublish_core import Template, list_templates
from mdpublish_server.search_words import WORD, fold

QUERY_CHARACTERS = 100
"""Characters of a search, which is cut there."""


def search_templates(query: str) -> tuple[Template, ...]:
    """Return what a search finds, first what is named so; all templates if it has no words."""
    # "reports" and "report" are one.
    sought = [word.removesuffix("s") if len(word) > 3 else word for word in _words(query[:QUERY_CHARACTERS])]

    def is_in(words: list[str]) -> bool:
        return all(any(word.startswith(each) for word in words) for each in sought)

    named = [template for template, names, _ in _searched() if is_in(names)]
    described = [template for template, names, about in _searched() if is_in(names + about)]
    return tuple(dict.fromkeys([*named, *described]))


def names_of(template: Template) -> str:
    """Return what a template is found by first: its name, category and keywords."""
    return f"{template.name} {template.category} {' '.join(template.keywords)}"


@cache
def _searched() -> list[tuple[Template, list[str], list[str]]]:
    return [(each, _words(names_of(each)), _words(each.description)) for each in list_templates()]


def _words(content: str) -> list[str]:
    return WORD.findall(fold(content))
