"""Vectors put together of the tables: the same ones in the same order, each with a number that it tells when it runs."""

import re
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import cycle, islice, product

from tests.browser.vectors import spellings, tables

_BASE64 = re.compile(r"@64\{(.*?)\}(?=[\"'>)\s]|$)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Vector:
    """A text that means harm."""

    number: int
    """What it calls `__ran` with, or asks hit.example for."""

    family: str
    """Which tables it is made of, or who keeps the list that it is from."""

    markdown: str
    """The text, to be read as Markdown."""


Part = tuple[str, Callable[[int], str]]
"""A family, and what makes a vector of its number."""


def composed() -> list[Vector]:
    """Return all vectors that are composed of the tables, each once."""
    return numbered(_parts(), first=1)


def numbered(parts: Iterator[Part], *, first: int) -> list[Vector]:
    """Return vectors of consecutive numbers; of those that differ in nothing but their number, the first."""
    known: set[str] = set()
    vectors: list[Vector] = []
    for family, text_of in parts:
        shape = text_of(0)
        if shape not in known:
            known.add(shape)
            number = first + len(vectors)
            vectors.append(Vector(number, family, text_of(number)))
    return vectors


def _parts() -> Iterator[Part]:
    yield from _handlers()
    for carrier in tables.CARRIERS:
        for spelling in spellings.OF_MARKUP:
            yield "elements", _spelled(carrier, spelling)
    yield from _urls()
    yield from _crossed("styles", tables.STYLED, "@css", tables.STYLES)
    yield from _crossed("breakouts", [f"{breakout}@in" for breakout in tables.BREAKOUTS], "@in", tables.BROKEN_OUT)
    yield from _crossed("templates", ["@in"], "@in", tables.TEMPLATES)
    yield from _crossed("mutations", tables.MUTATIONS, "@in", tables.MUTATED)
    yield from _crossed("markdown", tables.MARKDOWN, "@in", tables.MARKED)


def _crossed(family: str, forms: Iterable[str], place: str, inner: Iterable[str]) -> Iterator[Part]:
    """Yield each form with each of the texts at the place that it names."""
    for form, content in product(forms, inner):
        yield family, _spelled(form.replace(place, content))


def _handlers() -> Iterator[Part]:
    """Yield every handler at every element, each written in the next of the ways that there are."""
    ways = cycle(spellings.OF_MARKUP)
    for host in tables.HOSTS:
        for event in tables.EVENTS:
            yield "handlers", _spelled(host.replace("@on", f'on{event}="__ran(@@)"'), next(ways))


def _urls() -> Iterator[Part]:
    """Yield every address in every spelling, in some of the links, and `javascript:` in all of them."""
    some = cycle(tables.LINKS)
    for url in tables.URLS:
        for spelling in spellings.OF_URLS:
            links = tables.LINKS if url == tables.URLS[0] else tuple(islice(some, 3))
            for link in links:
                yield "addresses", _linked(link, url, spelling)


def _linked(link: str, url: str, spelling: spellings.Spelling) -> Callable[[int], str]:
    return lambda number: _filled(link.replace("@url", spelling(_filled(url, number))), number)


def _spelled(template: str, spelling: spellings.Spelling = spellings.OF_MARKUP[0]) -> Callable[[int], str]:
    return lambda number: spelling(_filled(template, number))


def _filled(template: str, number: int) -> str:
    """Return a text with a number in place of `@@`, and what `@64{…}` holds in base64."""
    content = template.replace("@@", str(number))
    return _BASE64.sub(lambda held: b64encode(held[1].encode()).decode(), content)
