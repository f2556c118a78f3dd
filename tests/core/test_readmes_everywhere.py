"""Real READMEs in every destination: no word is lost, all are in their order, addresses lead on, and notices say the rest.

What an author wrote is read by html5lib, in HTML that holds the raw HTML as it was; so is what HTML destinations show, and
`tests/mrkdwn.py` reads Slack's messages. Five READMEs are looked at here, 25 in the session `conformance`.
"""

import html
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from urllib.parse import unquote
from xml.etree.ElementTree import Element

import html5lib
import pytest

from mdpublish_core import Conversion, convert, nodes, parse, render
from mdpublish_core.destinations import DESTINATIONS
from mdpublish_core.html import BLOCK_ELEMENTS
from mdpublish_core.options.extensions import ALL_EXTENSIONS
from mdpublish_core.parsing.raw_html.elements import BLOCK_TAGS, IGNORED_TAGS, INLINE_TAGS
from tests import mrkdwn

READMES = 25

SLACK_CHARACTERS = 3_000
"""The longest text of a text object in Slack's Block Kit."""

MAIL_BYTES = 102 * 1024
"""Where Gmail clips a mail."""

ELSEWHERE = frozenset({"google-docs", "word", "slack", "onenote", "email"})
"""Destinations that are read where a picture's relative address leads nowhere."""

# What is drawn has other words than its source; tests of its own see to that.
EXTENSIONS = ALL_EXTENSIONS - {"figure", "math"}

# What no reader sees of HTML: programs and stylesheets are no prose, and a title is the frame's.
UNSEEN = frozenset({"script", "style", "title"})

EDGES = BLOCK_ELEMENTS | {"br"}

EXPECTED_TAGS = frozenset({"input", "section"})
"""What the HTML of an author's tasks and footnotes has."""

# Each of them is a word, wherever a line or a link ends.
IDEOGRAPH = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")


@dataclass(frozen=True, slots=True)
class Readme:
    """A README: its tree, and as a reader of its own HTML knows it, its words and its tags."""

    document: nodes.Document
    words: tuple[str, ...]
    tags: frozenset[str]


def read(markdown: str) -> Readme:
    converted = convert(markdown, destination="html", raw_html="keep", extensions=EXTENSIONS).html
    root = html5lib.parseFragment(converted, namespaceHTMLElements=False)
    # In text, an address stands behind a link, so that a word ends where a link does.
    visible = plain("".join(strings(root, EDGES | {"a"})))
    tags = frozenset(element.tag for child in root for element in child.iter() if not callable(element.tag))
    return Readme(parse(markdown, extensions=EXTENSIONS), tuple(re.findall(r"\w+", visible)), tags)


def plain(source: str) -> str:
    """Return text in which a letter has one form, and each ideograph stands alone."""
    return IDEOGRAPH.sub(r" \g<0> ", unicodedata.normalize("NFKC", source).casefold())


def strings(element: Element, edges: frozenset[str]) -> Iterator[str]:
    """Yield the texts that a reader of HTML sees, alternative texts too, apart at the edges of elements."""
    # html5lib's comments have a function for a tag.
    if not callable(element.tag) and element.tag not in UNSEEN:
        if element.tag == "img":
            yield f" {element.get('alt') or ''} "
        edge = " " if element.tag in edges else ""
        yield edge
        yield element.text or ""
        for child in element:
            yield from strings(child, edges)
            yield child.tail or ""
        yield edge


def shown(conversion: Conversion) -> str:
    """Return what a reader of a destination sees."""
    if conversion.destination == "slack":
        return mrkdwn.read(conversion.html).content
    if conversion.destination == "plain-text":
        return conversion.html
    return "".join(strings(html5lib.parse(conversion.html, namespaceHTMLElements=False), EDGES))


def lost(words: Sequence[str], haystack: str) -> str | None:
    """Return the first word that is not found, each behind the one before, where a word begins; with its neighbors."""
    position = 0
    for number, word in enumerate(words):
        index = haystack.find(word, position)
        while index > position and re.match(r"\w", haystack[index - 1]):
            index = haystack.find(word, index + 1)
        if index < 0:
            return " ".join(words[max(0, number - 3) : number + 3])
        position = index + len(word)
    return None


def urls(
    document: nodes.Document, *kinds: type[nodes.AutoLink | nodes.Image | nodes.Link], where: str = r"https?:|mailto:"
) -> set[str]:
    """Return the addresses to which links lead, or where pictures are: those on the web, or those that match a pattern."""
    tokens = [token for token in nodes.walk(document) if isinstance(token, kinds)]
    token_urls = (token.src if isinstance(token, nodes.Image) else token.target for token in tokens)
    return {unquote(url) for url in token_urls if re.match(where, url)}


def expected_notices(readme: Readme, conversion: Conversion) -> set[str]:
    """Return the codes of what cannot be shown as it was written."""
    destination = DESTINATIONS[conversion.destination]
    expected = {
        "missing-image": destination.name in ELSEWHERE
        and bool(urls(readme.document, nodes.Image, where=r"(?![a-z]+:)")),
        "unsupported-html": bool(readme.tags - BLOCK_TAGS - INLINE_TAGS - IGNORED_TAGS - EXPECTED_TAGS),
        "slack-too-long": destination.name == "slack" and len(conversion.html) > SLACK_CHARACTERS,
        "email-too-long": destination.name == "email" and len(conversion.html.encode()) > MAIL_BYTES,
    }
    return {code for code, holds in expected.items() if holds}


def check(name: str, readme: Readme, destination: str) -> None:
    """Hold a README's conversion to all that this module promises."""
    conversion = render(readme.document, destination=destination)

    assert lost(readme.words, plain(shown(conversion))) is None, name
    assert lost(readme.words, plain(conversion.plain_text)) is None, name
    output = unquote(html.unescape(conversion.html))
    linked = {url.removeprefix("mailto:") for url in urls(readme.document, nodes.Link, nodes.AutoLink)}
    assert {url for url in linked if url not in output} == set(), name
    # A picture in Slack is a link to it; where it stands in a link of its author's, that one is kept.
    images = urls(readme.document, nodes.Image) if destination != "slack" else set()
    assert {url for url in images if url not in output} == set(), name
    assert {notice.code for notice in conversion.notices} == expected_notices(readme, conversion), name


@pytest.fixture(scope="module")
def read_readmes(readmes: Mapping[str, str]) -> dict[str, Readme]:
    return {name: read(markdown) for name, markdown in readmes.items()}


@pytest.fixture(scope="module")
def read_many(many_readmes: Mapping[str, str]) -> dict[str, Readme]:
    return {name: read(markdown) for name, markdown in islice(many_readmes.items(), READMES)}


@pytest.mark.parametrize("destination", DESTINATIONS)
def test_readmes_arrive_whole(destination: str, read_readmes: Mapping[str, Readme]) -> None:
    for name, readme in read_readmes.items():
        check(name, readme, destination)


@pytest.mark.conformance
@pytest.mark.parametrize("destination", DESTINATIONS)
def test_many_readmes_arrive_whole(destination: str, read_many: Mapping[str, Readme]) -> None:
    assert len(read_many) == READMES
    for name, readme in read_many.items():
        check(name, readme, destination)


def test_word_that_is_lost_is_detected() -> None:
    assert lost(["a", "b"], "a b") is None
    assert lost(["a", "b"], "b a") == "a b"
    assert lost(["a", "b"], "a cb") == "a b"
