"""Vectors composed from `tables`, in a fixed order and numbered."""

import re
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import cycle, islice, product

from tests.browser.vectors import spellings, tables

_BASE64 = re.compile(r"@64\{(.*?)\}(?=[\"'>)\s]|$)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Vector:
    number: int
    """The argument of `__ran`, or the path at hit.example."""

    family: str

    markdown: str


Part = tuple[str, Callable[[int], str]]


def composed() -> list[Vector]:
    return numbered(_parts(), first=1)


def numbered(parts: Iterator[Part], *, first: int) -> list[Vector]:
    """Number consecutively, without duplicates."""
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
    yield from _crossed("shown as text", tables.SHOWN_AS_TEXT, "@in", tables.BROKEN_OUT)


def _crossed(family: str, forms: Iterable[str], place: str, inner: Iterable[str]) -> Iterator[Part]:
    """Fill each form's placeholder with each string."""
    for form, content in product(forms, inner):
        yield family, _spelled(form.replace(place, content))


def _handlers() -> Iterator[Part]:
    """Yield every handler on every element; spellings alternate."""
    ways = cycle(spellings.OF_MARKUP)
    for host in tables.HOSTS:
        for event in tables.EVENTS:
            yield "handlers", _spelled(host.replace("@on", f'on{event}="__ran(@@)"'), next(ways))


def _urls() -> Iterator[Part]:
    """Yield every URL and spelling in some links, `javascript:` in all."""
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
    """Replace `@@` by the number, and encode `@64{…}`."""
    content = template.replace("@@", str(number))
    return _BASE64.sub(lambda held: b64encode(held[1].encode()).decode(), content)
