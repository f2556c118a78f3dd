"""Scoring: the rules that a page matches, by the signals of each passage."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from mdpublish_server.abuse.brands import BRANDS, NAMES
from mdpublish_server.abuse.extraction import CODE, Link, extract_page
from mdpublish_server.abuse.lexicon.actors import ACTORS
from mdpublish_server.abuse.lexicon.context import CONTEXT
from mdpublish_server.abuse.lexicon.intents import INTENTS, PROXIMITY_WORDS
from mdpublish_server.abuse.lexicon.requests import REQUESTS
from mdpublish_server.abuse.lexicon.threats import THREATS
from mdpublish_server.abuse.link_signals import LINK_SIGNALS, link_signals
from mdpublish_server.abuse.normalize import MARK, normalize
from mdpublish_server.abuse.page_signals import PAGE_SIGNALS, page_signals, size_signals
from mdpublish_server.abuse.phrases import PhraseIndex
from mdpublish_server.abuse.proximity import ProximityMatcher, compile_intents
from mdpublish_server.abuse.rules import (
    CONTACT_CHANNELS,
    MANY_DOCS_WORDS,
    PASSAGE_WORDS,
    POINTS,
    RULES,
    WHOLE_PAGE_WORDS,
    Rule,
)

_SHOWN_CHARACTERS = 300

_HALF = PASSAGE_WORDS // 2


class _Compiled(NamedTuple):
    rule: Rule
    needs: tuple[int, ...]


class _Tables(NamedTuple):
    phrase_index: PhraseIndex
    matcher: ProximityMatcher
    bits: dict[str, int]
    points: tuple[tuple[int, int], ...]
    rules: tuple[_Compiled, ...]


@lru_cache(maxsize=1)
def _tables() -> _Tables:
    """Compile the tables on first use."""
    concepts = {**REQUESTS, **THREATS, **ACTORS, **CONTEXT}
    phrases = {name: tuple(map(_phrase, words.split())) for name, words in concepts.items()}
    index = PhraseIndex({**phrases, "brand": (*(BRANDS.keys() - {"github"}), *map(_phrase, NAMES.split()))})
    bits = dict(index.bits)
    for signal in (*INTENTS, "warned", "discouraged", "code", "much-docs", "way", "part", *LINK_SIGNALS, *PAGE_SIGNALS):
        bits[signal] = 1 << len(bits)

    def any_of(names: str) -> int:
        return sum(bits[name] for name in names.split("|"))

    return _Tables(
        index,
        ProximityMatcher(compile_intents(INTENTS, bits), PROXIMITY_WORDS, bits),
        bits,
        tuple((bits[name], points) for name, points in POINTS.items()),
        tuple(_Compiled(rule, tuple(map(any_of, rule.needs.split()))) for rule in RULES),
    )


def _phrase(entry: str) -> str:
    return entry.replace("_", " ")


def match_rules(title: str, markdown: str) -> Iterator[Rule]:
    tables = _tables()
    passages = {passage: _points(tables, passage) for passage in _signals(tables, title, markdown)}
    for rule, needs in tables.rules:
        for passage, points in passages.items():
            if points >= rule.min_points and all(passage & need for need in needs):
                yield rule
                break


def _signals(tables: _Tables, title: str, markdown: str) -> frozenset[int]:
    page = extract_page(title, markdown)
    shown = "".join(page.pieces)
    normalized = normalize(shown)
    of_page = _bits_of(tables, page_signals(page, shown, normalized))
    signals_of_links = _link_signals(tables, page.links)
    words = tables.phrase_index.tokenizer.tokenize(normalized)
    of_page |= _bits_of(tables, size_signals(len(words), shown))
    passages = {passage | of_page for passage in _passages(tables, words, signals_of_links)}
    channels = _bits_of(tables, CONTACT_CHANNELS.split())
    return frozenset(passage | tables.bits["way"] if passage & channels else passage for passage in passages)


def _points(tables: _Tables, passage: int) -> int:
    return sum(points for bit, points in tables.points if passage & bit)


def _passages(tables: _Tables, words: Sequence[str], signals_of_links: Sequence[int]) -> Iterator[int]:
    word_signals = tables.matcher.match(tables.phrase_index.match(words))
    code, much = tables.bits["code"], tables.bits["much-docs"]
    docs = tables.bits["docs"] | tables.bits["lesson"]
    before = whole = docs_before = docs_total = 0
    # A part of a short page must be more suspicious than the whole, which is judged too.
    part = tables.bits["part"] if len(words) <= WHOLE_PAGE_WORDS else 0
    for start in range(0, max(1, len(words)), _HALF):
        signals = docs_count = 0
        for position in range(start, min(start + _HALF, len(words))):
            signals |= word_signals[position]
            docs_count += bool(word_signals[position] & docs)
            word = words[position]
            if word[0] == MARK:
                signals |= code if word == CODE else signals_of_links[int(word[1:])]
        yield part | before | signals | (much if docs_before + docs_count >= MANY_DOCS_WORDS else 0)
        before, docs_before = signals, docs_count
        whole |= signals
        docs_total += docs_count
    if len(words) <= WHOLE_PAGE_WORDS:
        yield whole | (much if docs_total >= MANY_DOCS_WORDS else 0)


def _link_signals(tables: _Tables, links: Sequence[Link]) -> list[int]:
    cache: dict[Link, int] = {}
    requests = sum(tables.bits[name] for name in ("verify", "press", "pay", "connect", "won", "refund", "give"))
    for link in links:
        if link not in cache:
            # A text that is part of the URL is no request.
            label_signals = (
                0 if link.shown in link.url else tables.phrase_index.match_all(link.shown[:_SHOWN_CHARACTERS])
            )
            cache[link] = _bits_of(tables, link_signals(link, is_request=bool(label_signals & requests)))
    return [cache[link] for link in links]


def _bits_of(tables: _Tables, signals: Iterable[str]) -> int:
    mask = 0
    for signal in signals:
        mask |= tables.bits[signal]
    return mask
