"""Judging: which rules a page breaks, by the signs in each of its passages."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from mdpublish_server.policies.scanner.brands import BRANDS, NAMES
from mdpublish_server.policies.scanner.combining import Combiner, combinations
from mdpublish_server.policies.scanner.folding import MARK, fold
from mdpublish_server.policies.scanner.links import LINK_SIGNS, signs_of
from mdpublish_server.policies.scanner.pages import PAGE_SIGNS, signs_of_page, signs_of_size
from mdpublish_server.policies.scanner.phrases import PhraseBook
from mdpublish_server.policies.scanner.reading import CODE, Link, read_page
from mdpublish_server.policies.scanner.rules import MUCH, PASSAGE, POINTS, RULES, WAYS, WHOLE, Rule
from mdpublish_server.policies.scanner.tables.asked import ASKED
from mdpublish_server.policies.scanner.tables.context import CONTEXT
from mdpublish_server.policies.scanner.tables.intents import INTENTS, NEAR
from mdpublish_server.policies.scanner.tables.said import SAID
from mdpublish_server.policies.scanner.tables.told import TOLD

_SHOWN_CHARACTERS = 300
"""Of a link's text that are read for what it asks."""

_HALF = PASSAGE // 2


class _Compiled(NamedTuple):
    rule: Rule
    needs: tuple[int, ...]


class _Tables(NamedTuple):
    book: PhraseBook
    combiner: Combiner
    bits: dict[str, int]
    points: tuple[tuple[int, int], ...]
    rules: tuple[_Compiled, ...]


@lru_cache(maxsize=1)
def _tables() -> _Tables:
    """Return the rules and tables as they are matched, made when the first text is scanned."""
    concepts = {**ASKED, **SAID, **TOLD, **CONTEXT}
    phrases = {name: tuple(map(_phrase, words.split())) for name, words in concepts.items()}
    book = PhraseBook({**phrases, "brand": (*(BRANDS.keys() - {"github"}), *map(_phrase, NAMES.split()))})
    bits = dict(book.bits)
    for sign in (*INTENTS, "warned", "discouraged", "code", "much-docs", "way", "part", *LINK_SIGNS, *PAGE_SIGNS):
        bits[sign] = 1 << len(bits)

    def either(names: str) -> int:
        return sum(bits[name] for name in names.split("|"))

    return _Tables(
        book,
        Combiner(combinations(INTENTS, bits), NEAR, bits),
        bits,
        tuple((bits[name], points) for name, points in POINTS.items()),
        tuple(_Compiled(rule, tuple(map(either, rule.needs.split()))) for rule in RULES),
    )


def _phrase(entry: str) -> str:
    return entry.replace("_", " ")


def judge(title: str, markdown: str) -> Iterator[Rule]:
    """Yield the rules that a page breaks, in their order."""
    tables = _tables()
    passages = {passage: _points(tables, passage) for passage in _signs(tables, title, markdown)}
    for rule, needs in tables.rules:
        for passage, points in passages.items():
            if points >= rule.least and all(passage & need for need in needs):
                yield rule
                break


def _signs(tables: _Tables, title: str, markdown: str) -> frozenset[int]:
    """Return the signs of each passage of a page."""
    reading = read_page(title, markdown)
    shown = "".join(reading.pieces)
    text = fold(shown)
    of_page = _together(tables, signs_of_page(reading, shown, text))
    of_links = _signs_of_links(tables, reading.links)
    words = tables.book.words.read(text)
    of_page |= _together(tables, signs_of_size(len(words), shown))
    passages = {passage | of_page for passage in _passages(tables, words, of_links)}
    ways = _together(tables, WAYS.split())
    return frozenset(passage | tables.bits["way"] if passage & ways else passage for passage in passages)


def _points(tables: _Tables, passage: int) -> int:
    return sum(points for bit, points in tables.points if passage & bit)


def _passages(tables: _Tables, words: Sequence[str], of_links: Sequence[int]) -> Iterator[int]:
    """Yield the signs of each passage."""
    found = tables.combiner.combined(tables.book.found(words))
    code, much = tables.bits["code"], tables.bits["much-docs"]
    docs = tables.bits["docs"] | tables.bits["lesson"]
    before = whole = told_before = told = 0
    # What a letter says elsewhere belongs to what it says here; a passage of one must be the more suspicious.
    part = tables.bits["part"] if len(words) <= WHOLE else 0
    for start in range(0, max(1, len(words)), _HALF):
        signs = of_docs = 0
        for position in range(start, min(start + _HALF, len(words))):
            signs |= found[position]
            of_docs += bool(found[position] & docs)
            word = words[position]
            if word[0] == MARK:
                signs |= code if word == CODE else of_links[int(word[1:])]
        yield part | before | signs | (much if told_before + of_docs >= MUCH else 0)
        before, told_before = signs, of_docs
        whole |= signs
        told += of_docs
    if len(words) <= WHOLE:
        yield whole | (much if told >= MUCH else 0)


def _signs_of_links(tables: _Tables, links: Sequence[Link]) -> list[int]:
    """Return the signs of each link."""
    kept: dict[Link, int] = {}
    asking = sum(tables.bits[name] for name in ("verify", "press", "pay", "connect", "won", "refund", "give"))
    for link in links:
        if link not in kept:
            # What shows its address asks for nothing by it.
            said = 0 if link.shown in link.url else tables.book.all_in(link.shown[:_SHOWN_CHARACTERS])
            kept[link] = _together(tables, signs_of(link, act=bool(said & asking)))
    return [kept[link] for link in links]


def _together(tables: _Tables, signs: Iterable[str]) -> int:
    together = 0
    for sign in signs:
        together |= tables.bits[sign]
    return together
