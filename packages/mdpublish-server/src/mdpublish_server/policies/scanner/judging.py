"""Judging: which rules a page breaks, by the signs in each of its passages."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from mdpublish_server.policies.scanner.brands import BRANDS
from mdpublish_server.policies.scanner.folding import MARK, fold
from mdpublish_server.policies.scanner.links import LINK_SIGNS, signs_of
from mdpublish_server.policies.scanner.phrases import PhraseBook
from mdpublish_server.policies.scanner.reading import Link, Reading, read_page
from mdpublish_server.policies.scanner.rules import PASSAGE, RULES, Rule
from mdpublish_server.policies.scanner.signs import CLASSES, SIGNS

PAGE_SIGNS = ("page-form", "page-mail", "page-phone", "page-secret-field", "page-seed-field", "page-short")
"""Signs that a page gives as a whole."""

_SHOWN_CHARACTERS = 300
"""Of a link's text that are read for what it asks."""

_SHORT_PAGE = 1_200
"""Characters of a page that has room for a message and little beside it."""

_HALF = PASSAGE // 2

_PHONE = re.compile(r"(?<![\w.])(?:\+|00|\(|1[ \-.]?\(?8)[\d][\d ().\-]{7,16}\d")
_FREE_MAIL = re.compile(r"@ ?(?:gmail|yahoo|outlook|hotmail|proton|aol|yandex|gmx|mail|qq|163|web|yandeks)\b")
_SECRET_FIELD = re.compile(r"passw|passcode|cvv|cvc|\bpin\b|card|ssn|otp|creditcard|credential")
_SEED_FIELD = re.compile(r"seed|mnemonic|recovery.{0,9}phrase|private.{0,3}key|secret.{0,9}phrase")


class _Compiled(NamedTuple):
    rule: Rule
    all: int
    some: int
    none: int


class _Tables(NamedTuple):
    book: PhraseBook
    bits: dict[str, int]
    rules: tuple[_Compiled, ...]


@lru_cache(maxsize=1)
def _tables() -> _Tables:
    """Return the rules and phrases as they are matched, made when the first text is scanned."""
    book = PhraseBook({**SIGNS, "brand": tuple(BRANDS)}, CLASSES)
    bits = dict(book.bits)
    for sign in (*LINK_SIGNS, *PAGE_SIGNS):
        bits[sign] = 1 << len(bits)

    def together(names: str) -> int:
        return sum(bits[name] for name in names.split())

    rules = tuple(_Compiled(rule, together(rule.all), together(rule.some), together(rule.none)) for rule in RULES)
    return _Tables(book, bits, rules)


def judge(title: str, markdown: str) -> Iterator[Rule]:
    """Yield the rules that a page breaks, in their order."""
    tables = _tables()
    reading = read_page(title, markdown)
    text = fold("".join(reading.pieces))
    of_page = _together(tables, _signs_of_page(reading, text))
    of_links = _signs_of_links(tables, reading.links)
    words = tables.book.words.read(text)
    passages = set(_passages(tables, words, of_links))
    for compiled in tables.rules:
        if any(_breaks(compiled, passage | of_page) for passage in passages):
            yield compiled.rule


def _breaks(compiled: _Compiled, signs: int) -> bool:
    if signs & compiled.all != compiled.all or signs & compiled.none:
        return False
    return not compiled.some or bool(signs & compiled.some)


def _passages(tables: _Tables, words: Sequence[str], of_links: Sequence[int]) -> Iterator[int]:
    """Yield the signs of each passage."""
    found = tables.book.found(words)
    before = 0
    for start in range(0, max(1, len(words)), _HALF):
        signs = 0
        for position in range(start, min(start + _HALF, len(words))):
            signs |= found[position]
            if words[position][0] == MARK:
                signs |= of_links[int(words[position][1:])]
        yield before | signs
        before = signs


def _signs_of_links(tables: _Tables, links: Sequence[Link]) -> list[int]:
    """Return the signs of each link."""
    kept: dict[Link, int] = {}
    for link in links:
        if link not in kept:
            # What shows its address asks for nothing by it.
            said = 0 if link.shown in link.url else tables.book.all_in(link.shown[:_SHOWN_CHARACTERS])
            asks = said & (tables.bits["act"] | tables.bits["windfall"])
            kept[link] = _together(tables, signs_of(link, act=bool(asks)))
    return [kept[link] for link in links]


def _signs_of_page(reading: Reading, text: str) -> Iterator[str]:
    if len(text) <= _SHORT_PAGE:
        yield "page-short"
    if _PHONE.search(text):
        yield "page-phone"
    if _FREE_MAIL.search(text):
        yield "page-mail"
    if "form" in reading.tags:
        yield "page-form"
    fields = [fold(field) for field in reading.fields]
    if any(_SECRET_FIELD.search(field) for field in fields):
        yield "page-secret-field"
    if any(_SEED_FIELD.search(field) for field in fields):
        yield "page-seed-field"


def _together(tables: _Tables, signs: Iterable[str]) -> int:
    together = 0
    for sign in signs:
        together |= tables.bits[sign]
    return together
