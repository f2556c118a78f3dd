"""Real READMEs keep their words in order and their URLs in every destination. Notices report the rest.

html5lib extracts the expected words from HTML with raw HTML kept, and the words of HTML destinations;
`tests/mrkdwn.py` reads Slack messages. Five READMEs run by default, 25 in the `conformance` session.
"""

import html
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from urllib.parse import unquote
from xml.etree.ElementTree import Element

import html5lib
import pytest

from mdpublish_core import Conversion, convert, nodes, parse, render
from mdpublish_core.html import BLOCK_ELEMENTS
from mdpublish_core.options.extensions import DEFAULT_EXTENSIONS
from mdpublish_core.readers.markdown.raw_html.literal_tags import IGNORED_TAGS
from mdpublish_core.resources.allowed_elements import BLOCK_TAGS, INLINE_TAGS
from mdpublish_core.table_model import build_grid
from mdpublish_core.writers.outputs import DESTINATIONS
from tests import mrkdwn

READMES = 25

SLACK_CHARACTERS = 3_000
"""Maximum length of a text object in Slack's Block Kit."""

MAIL_BYTES = 102 * 1024
"""Gmail clips longer emails."""

PLACES = frozenset({"teams", "jira", "confluence"})
"""Whose containers hold few kinds of blocks."""

ELSEWHERE = frozenset({"google-docs", "word", "slack", "onenote", "email", "teams", "jira", "confluence"})
"""Destinations where relative image URLs do not work."""

# Rendered figures have other words than their source, and tests of their own.
EXTENSIONS = DEFAULT_EXTENSIONS - {"figure", "math"}

# Elements whose text is not visible on the page.
UNSEEN = frozenset({"script", "style", "title"})

EDGES = BLOCK_ELEMENTS | {"br"}

EXPECTED_TAGS = frozenset({"input", "section"})
"""Tags in the HTML of tasks and footnotes."""

# Each ideograph counts as a word: a line or link may end after any.
IDEOGRAPH = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")


@dataclass(frozen=True, slots=True)
class Readme:
    """A parsed README, with the words and tags of its HTML."""

    document: nodes.Document
    words: tuple[str, ...]
    tags: frozenset[str]


def read(markdown: str) -> Readme:
    converted = convert(markdown, to="html", raw_html="keep", extensions=EXTENSIONS).html
    root = html5lib.parseFragment(converted, namespaceHTMLElements=False)
    # In plain text, the URL follows the link, so a word ends there.
    visible = plain("".join(strings(root, EDGES | {"a"})))
    tags = frozenset(element.tag for child in root for element in child.iter() if not callable(element.tag))
    return Readme(parse(markdown, extensions=EXTENSIONS), tuple(re.findall(r"\w+", visible)), tags)


def plain(source: str) -> str:
    """Normalize characters and separate ideographs."""
    return IDEOGRAPH.sub(r" \g<0> ", unicodedata.normalize("NFKC", source).casefold())


def strings(element: Element, edges: frozenset[str]) -> Iterator[str]:
    """Yield visible strings and alternative text, separated at element boundaries."""
    # In html5lib, the tag of a comment is a function.
    if not callable(element.tag) and element.tag not in UNSEEN:
        if element.tag == "img":
            yield f" {element.get('alt') or ''} "
        # What Atlassian's editors show above a fold.
        if title := element.get("data-title"):
            yield f" {title} "
        edge = " " if element.tag in edges else ""
        yield edge
        yield element.text or ""
        for child in element:
            yield from strings(child, edges)
            yield child.tail or ""
        yield edge


def shown(conversion: Conversion) -> str:
    """The text that a reader sees."""
    if conversion.output == "slack":
        return mrkdwn.read(conversion.text).content
    if conversion.output == "plain-text":
        return conversion.text
    return "".join(strings(html5lib.parse(conversion.html, namespaceHTMLElements=False), EDGES))


def lost(words: Sequence[str], haystack: str) -> str | None:
    """The first word that does not follow the previous one at the start of a word, with its neighbors."""
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
    """URLs of links or images that match a pattern; by default, absolute ones."""
    tokens = [token for token in nodes.walk(document) if isinstance(token, kinds)]
    token_urls = (token.src if isinstance(token, nodes.Image) else token.target for token in tokens)
    return {unquote(url) for url in token_urls if re.match(where, url)}


def max_columns(document: nodes.Document) -> int:
    tables = (
        token
        for token in nodes.walk(document)
        if isinstance(token, nodes.Table) or (isinstance(token, nodes.HtmlElement) and token.tag == "table")
    )
    return max((build_grid(table).columns for table in tables), default=0)


def is_too_long(conversion: Conversion) -> bool:
    match conversion.output:
        case "slack":
            return len(conversion.text) > SLACK_CHARACTERS
        case "email":
            return len(conversion.html.encode()) > MAIL_BYTES
        case _:
            return conversion.output in PLACES and conversion.html.startswith("<div>\n<p><strong>(1/")


def expected_notices(readme: Readme, conversion: Conversion) -> set[str]:
    """Codes of notices about content that the destination cannot show."""
    destination = DESTINATIONS[conversion.output]
    expected = {
        "missing-image": destination.name in ELSEWHERE
        and bool(urls(readme.document, nodes.Image, where=r"(?![a-z]+:)")),
        "internal-link": destination.name in {"google-docs", "onenote", *PLACES}
        and bool(urls(readme.document, nodes.Link, where="#")),
        # Which tables are too wide depends on fonts; narrow ones never are, but in Slack, where cells have one line.
        "table-stacked": destination.name in {"google-docs", "word", "email", "slack"}
        and any(notice.code == "table-stacked" for notice in conversion.notices)
        and (destination.name == "slack" or max_columns(readme.document) > 2),
        "unsupported-html": bool(readme.tags - BLOCK_TAGS - INLINE_TAGS - IGNORED_TAGS - EXPECTED_TAGS),
        "message-too-long": is_too_long(conversion),
        # What a container may not hold, the schemas of tests/interop know.
        "block-replaced": destination.name in PLACES
        and any(notice.code == "block-replaced" for notice in conversion.notices),
    }
    return {code for code, holds in expected.items() if holds}


def check(name: str, readme: Readme, destination: str) -> None:
    conversion = render(readme.document, to=destination)

    if any(notice.code == "table-stacked" for notice in conversion.notices):
        # Headers stand before each row's cells, so that all words are there, but not in their order.
        haystack = plain(shown(conversion))
        assert {word for word, count in Counter(readme.words).items() if haystack.count(word) < count} == set(), name
    else:
        assert lost(readme.words, plain(shown(conversion))) is None, name
    assert lost(readme.words, plain(conversion.plain_text)) is None, name
    output = unquote(html.unescape(conversion.text))
    linked = {url.removeprefix("mailto:") for url in urls(readme.document, nodes.Link, nodes.AutoLink)}
    assert {url for url in linked if url not in output} == set(), name
    # Slack shows an image as a link to it, or within the author's link, as Atlassian's editors show its words.
    images = urls(readme.document, nodes.Image) if destination not in {"slack", "jira", "confluence"} else set()
    assert {url for url in images if url not in output} == set(), name
    assert {notice.code for notice in conversion.notices} == expected_notices(readme, conversion), name


@pytest.fixture(scope="module")
def read_readmes(readmes: Mapping[str, str]) -> dict[str, Readme]:
    return {name: read(markdown) for name, markdown in readmes.items()}


@pytest.fixture(scope="module")
def read_many(many_readmes: Mapping[str, str]) -> dict[str, Readme]:
    return {name: read(markdown) for name, markdown in islice(many_readmes.items(), READMES)}


@pytest.mark.corpora
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
