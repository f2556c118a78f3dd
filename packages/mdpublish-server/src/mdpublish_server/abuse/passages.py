"""Passages: a page's signals, by passage."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from itertools import accumulate, compress, islice
from typing import NamedTuple

from mdpublish_server.abuse import extraction, intents
from mdpublish_server.abuse.brands import BRANDS
from mdpublish_server.abuse.concepts import read_concepts
from mdpublish_server.abuse.contacts import page_signals
from mdpublish_server.abuse.hosts import LinkTarget, parse_target, registrable
from mdpublish_server.abuse.link_signals import link_signals
from mdpublish_server.abuse.normalize import MARK, normalize
from mdpublish_server.abuse.phrases import PhraseIndex, union
from mdpublish_server.abuse.proximity import ProximityMatcher, compile_intents
from mdpublish_server.abuse.wording import keys_of_urls

PASSAGE_WORDS = 120
"""Passages overlap by half."""

WHOLE_PAGE_WORDS = 240
"""A page up to this length is one passage."""

_HALF = PASSAGE_WORDS // 2
_SHORT, _MEDIUM = 40, 90
_LINK_CHARACTERS = 300
_URL_PART_CHARACTERS = 60
_MAX_URLS = 100
"""Different links whose URLs are read as words."""

_SEPARATOR = re.compile(r"[\W_\d]+")

_MAX_LINKS = 300
"""Different links that are read; the others lead somewhere unknown."""

URL_PARTS = ("host", "below", "path")
_PARTS = {
    extraction.CODE: "code",
    extraction.HEADING: "heading",
    extraction.ITEM: "item",
    extraction.ROW: "row",
    extraction.IMAGE: "picture",
    extraction.QUOTE: "quote",
}
_COUNTED = ("heading", "item", "docs", "lesson", "workplace", "about-abuse", "calendar")
"""Signals that count again if there are three of them."""

_ABOUT_LURES = "about-abuse|first-hand"
"""Signals of an author who speaks of lures: what the page only shows is then not the author's voice."""

_WAYS_IN_WORDS = "reply-way|hand-over|cash-way|qr|remote-tool|paste-run"
"""Ways to reply or pay that need no address: an answer, a courier, a program."""

_MIN_SPOKEN_WORDS = 20
"""Words of such an author; fewer are a pretext."""

_NEAR_IMAGE = 15
"""Words around a picture that tell what it is for."""

SIZES = ("tiny", "small", "large", "part")

# A word is three letters of an ideographic script, in thirds.
_THIRDS, _FIRST_IDEOGRAPH = 3, "\u3040"


class Passage(NamedTuple):
    """Signals in the words from `start` to `end`; `urls` are the keys of all the page's URLs."""

    signals: int
    start: int
    end: int
    words: Sequence[str]
    urls: AbstractSet[str]


class _Tables(NamedTuple):
    phrases: PhraseIndex
    matcher: ProximityMatcher
    bits: dict[str, int]
    together: tuple[tuple[int, tuple[int, ...]], ...]
    counted: tuple[tuple[int, int], ...]
    of_urls: dict[str, tuple[tuple[int, int], ...]]
    requests: int
    reachable: int
    scannable: int
    about_lures: int


@lru_cache(maxsize=1)
def tables() -> _Tables:
    """Compile the tables on first use."""
    concepts = read_concepts()
    index = PhraseIndex({**concepts, "brand": tuple(BRANDS.keys() - {"github"})})
    bits = dict(index.bits)
    many = [f"many-{name}" for name in _COUNTED]
    asking = [f"{part}-asks" for part in URL_PARTS]
    names = (
        *intents.NEAR,
        *asking,
        "warned",
        "discouraged",
        "picture-asks",
        "own-voice",
        *_PARTS.values(),
        *many,
        *SIZES,
        *intents.LINK_SIGNALS,
        *intents.PAGE_SIGNALS,
        *intents.TOGETHER,
    )
    for name in names:
        bits.setdefault(name, 1 << len(bits))

    def any_of(names: str) -> int:
        return union(bits.get(name, 0) for name in names.split("|"))

    return _Tables(
        index,
        ProximityMatcher(compile_intents(intents.NEAR, bits), _THIRDS * intents.PROXIMITY_WORDS, bits),
        bits,
        tuple(
            (bits[name], tuple(sorted(map(any_of, needs.split()), key=int.bit_count)))
            for name, needs in intents.TOGETHER.items()
        ),
        tuple((bits[name], bits[f"many-{name}"]) for name in _COUNTED),
        {part: tuple((bits[name], bits[f"{part}-asks"]) for name in intents.ASKING) for part in URL_PARTS},
        any_of("verify|press|pay|connect|won|refund|give"),
        any_of("|".join((*intents.LINK_SIGNALS, *intents.CONTACT_SIGNALS, _WAYS_IN_WORDS))),
        any_of("qr"),
        any_of(_ABOUT_LURES),
    )


def passages_of(title: str, markdown: str) -> tuple[extraction.PageContent, Sequence[Passage]]:
    """Return the page and its passages; none if the page has no way to reach or pay its author."""
    table = tables()
    page = extraction.extract_page(title, markdown)
    shown = "".join(page.pieces)
    normalized = normalize(shown)
    of_page = _mask(page_signals(page, markdown, shown, normalized))
    of_links = link_masks(page.links)
    words = table.phrases.tokenizer.tokenize(normalized)
    matched = table.phrases.match(words)
    if not union((of_page, *of_links, *matched)) & table.reachable:
        return page, ()
    urls = keys_of_urls(normalized, [link.url.lower() for link in page.links[:_MAX_LINKS]])
    of_marks = {f"{MARK}{number}": signals for number, signals in enumerate(of_links)}
    offsets = list(accumulate((1 if word[0] >= _FIRST_IDEOGRAPH else _THIRDS for word in words), initial=0))
    word_signals = _with_marks(table.matcher.match(matched, offsets), words, of_marks)
    _mark_images(word_signals, words, page.images)
    return page, tuple(_passages(words, offsets, word_signals, of_page, urls))


def _passages(
    words: Sequence[str], offsets: Sequence[int], word_signals: Sequence[int], of_page: int, urls: AbstractSet[str]
) -> Iterator[Passage]:
    table = tables()
    spoken = _spoken(word_signals, words)

    def passage(start: int, end: int, size: str) -> Passage:
        """Return the signals and words from `start` to `end` that the author says."""
        is_spoken = spoken[start:end]
        signals = _complete(tuple(compress(word_signals[start:end], is_spoken)), of_page | table.bits[size])
        if not all(is_spoken):
            signals |= table.bits["own-voice"]
        return Passage(signals, start, end, tuple(compress(words[start:end], is_spoken)), urls)

    length = offsets[-1] // _THIRDS
    if length <= WHOLE_PAGE_WORDS:
        yield passage(0, len(words), "tiny" if length <= _SHORT else "small" if length <= _MEDIUM else "large")
        return
    starts = [0]
    for position, offset in enumerate(offsets):
        if offset - offsets[starts[-1]] >= _THIRDS * _HALF:
            starts.append(position)
    ends = [*starts[2:], len(words), len(words)]
    yield from (passage(start, end, "part") for start, end in zip(starts, ends, strict=True))


def _with_marks(word_signals: list[int], words: Sequence[str], of_marks: Mapping[str, int]) -> list[int]:
    bits = tables().bits
    for position, word in enumerate(words):
        if word[0] == MARK:
            part = _PARTS.get(word)
            word_signals[position] = bits[part] if part else of_marks.get(word, 0)
    return word_signals


def _mark_images(word_signals: list[int], words: Sequence[str], images: Sequence[str]) -> None:
    """Mark pictures to be scanned, by their URLs or the words around them: they lead somewhere as links do."""
    table = tables()
    positions = (position for position, word in enumerate(words) if word == extraction.IMAGE)
    for position, url in zip(islice(positions, _MAX_URLS), images, strict=False):
        near = table.phrases.match_all(_SEPARATOR.sub(" ", url[-_URL_PART_CHARACTERS:].lower()))
        near |= union(word_signals[max(0, position - _NEAR_IMAGE) : position + _NEAR_IMAGE])
        if near & table.scannable:
            word_signals[position] |= table.bits["picture-asks"]


def _spoken(word_signals: Sequence[int], words: Sequence[str]) -> Sequence[bool]:
    """Return for each word whether the author says it; all, unless the author speaks of lures and shows some."""
    depth = about = count = 0
    spoken = []
    for word, signals in zip(words, word_signals, strict=True):
        depth += (word == extraction.SHOWN) - (word == extraction.SHOWN_END)
        spoken.append(depth == 0 or word[0] == MARK)
        if depth == 0:
            about |= signals
            count += 1
    is_about_lures = about & tables().about_lures and count >= _MIN_SPOKEN_WORDS
    return spoken if is_about_lures else [True] * len(words)


def _complete(word_signals: Sequence[int], signals: int) -> int:
    """Return the signals of a passage, with those that are made of others."""
    table = tables()
    signals |= union(word_signals)
    for bit, many in table.counted:
        if signals & bit and sum(map(bit.__and__, word_signals)) >= 3 * bit:
            signals |= many
    if signals & table.bits["host-asks"]:
        # A domain of such words is nobody's name.
        signals &= ~table.bits["sender-host"]
    for bit, (first, *others) in table.together:
        if signals & first and all(map(signals.__and__, others)):
            signals |= bit
    return signals


def link_masks(links: Sequence[extraction.Link]) -> list[int]:
    table = tables()
    cache: dict[extraction.Link, int] = {}
    for link in links:
        if len(cache) >= _MAX_LINKS:
            cache.setdefault(link, table.bits["away"])
        if link not in cache:
            # A text that is part of the URL is no request.
            label = 0 if link.shown in link.url else table.phrases.match_all(link.shown[:_LINK_CHARACTERS])
            signals = _mask(link_signals(link, is_request=bool(label & table.requests)))
            if signals & table.bits["away"] and len(cache) < _MAX_URLS:
                signals |= _of_url(parse_target(link.url))
            cache[link] = signals
    return [cache[link] for link in links]


def _of_url(target: LinkTarget) -> int:
    """Return what the words of a host and a path ask for."""
    table = tables()
    signals = 0
    domain = registrable(target.host)
    parts = (("host", domain.partition(".")[0]), ("below", target.host.removesuffix(domain)), ("path", target.rest))
    for name, part in parts:
        words = table.phrases.match_all(_SEPARATOR.sub(" ", part[:_URL_PART_CHARACTERS].lower()))
        for bit, url_bit in table.of_urls[name]:
            if words & bit:
                signals |= url_bit
    return signals


def _mask(signals: Iterable[str]) -> int:
    return union(map(tables().bits.__getitem__, signals))
