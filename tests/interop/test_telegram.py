"""What TDLib reads of the messages of the example for Telegram is what was written, and it finds no mention in them."""

import random
import re
from functools import cache

import pytest

from mdpublish_core import convert, nodes, parse, render
from tests.cases.shown_words import lost, visible
from tests.core.test_places import HOSTILE
from tests.example_outputs import example_output
from tests.interop.telegram import CODE, Message, read_messages
from tests.interop.test_atlassian import documents

pytestmark = pytest.mark.interop

TELEGRAM = example_output("telegram")
MAX_UNITS, MAX_ENTITIES = 4_096, 100

PART_NUMBER = re.compile(r"\A\(\d+/\d+\)\s+")

PLAIN_URL = re.compile(r"https?://[\w-]+(\.[\w-]+)+(/[\w/.-]*)?", re.ASCII)
"""URLs that TDLib writes as they are, but for a slash at the end."""


@cache
def readings() -> dict[str, tuple[list[Message], bool]]:
    """Return the messages of each document, and whether the author was told that one has an undivided block."""
    read = {}
    for name, (document, _) in documents().items():
        conversion = render(document, to=TELEGRAM)
        is_reported = any("has a block that is longer" in each.message for each in conversion.notices)
        read[name] = (read_messages(conversion.text), is_reported)
    return read


def test_no_word_is_lost_that_a_page_and_plain_text_have() -> None:
    missing = {}
    for name, (document, expected) in documents().items():
        known = {
            problem.partition(":")[0]
            for to in ("generic", "plain-text")
            for problem in lost(expected, visible(render(document, to=to)), "jira")
        }
        # A formula may go on in the next part, whose number is no word of the author's.
        parts = (PART_NUMBER.sub("", each.content.replace("\u2060", "")) for each in readings()[name][0])
        content = "\n\n".join(parts)
        problems = lost(expected, content, "jira")
        if new := [each for each in problems if each.partition(":")[0] not in known]:
            missing[name] = new
    assert missing == {}


def test_code_and_links_arrive() -> None:
    wrong = {}
    for name, (document, _) in documents().items():
        messages = readings()[name][0]
        code = "\n".join(entity.content for each in messages for entity in each.entities if entity.kind in CODE)
        urls = {entity.value.rstrip("/").lower() for each in messages for entity in each.entities}
        tokens = [*nodes.walk(document)]
        # What is longer than a message is in several blocks.
        missing = [
            line
            for token in tokens
            if isinstance(token, nodes.CodeFence | nodes.BlockCode)
            for line in token.content.splitlines()
            if line.strip() not in code
        ]
        missing += [
            token.target
            for token in tokens
            if isinstance(token, nodes.Link | nodes.AutoLink) and PLAIN_URL.fullmatch(token.target)
            # A table is text, in which URLs are shown.
            if token.target.rstrip("/").lower() not in urls and token.target not in code and nodes.has_content(token)
        ]
        if missing:
            wrong[name] = missing
    assert wrong == {}


def test_every_message_is_one_that_can_be_sent() -> None:
    wrong = {
        name: (len(each.content.encode("utf-16-le")) // 2, len(each.entities))
        for name, (messages, is_reported) in readings().items()
        for each in messages
        if not is_reported
        and (len(each.content.encode("utf-16-le")) // 2 > MAX_UNITS or len(each.entities) > MAX_ENTITIES)
    }
    assert wrong == {}
    assert sum(is_reported for _, is_reported in readings().values()) < 12


def test_no_document_pings() -> None:
    assert {
        name: each.mentions for name, (messages, _) in readings().items() for each in messages if each.mentions
    } == {}


def test_no_hostile_text_pings_or_leaves_code_or_a_link_open() -> None:
    choose = random.Random(0)
    for _ in range(6_000):
        markdown = "".join(
            choose.choices(
                (*HOSTILE, "@alice_b", "(@alice_b)", "[~alice_b]", "tg://user?id=1"), k=choose.randint(1, 12)
            )
        )
        document = parse(markdown)
        (message,) = read_messages(render(document, to=TELEGRAM, plain_text=False).text)
        assert not message.mentions, markdown
        code = " ".join(entity.content for entity in message.entities if entity.kind in CODE)
        assert "after" not in code, markdown


def test_code_does_not_reach_the_text_behind_it() -> None:
    (message,) = read_messages(convert("`a` b\n\n```\nc\n```\n\nd @alice_b `@alice_b`", to=TELEGRAM).text)

    assert [(each.kind, each.content) for each in message.entities] == [
        ("textEntityTypeCode", "a"),
        ("textEntityTypePre", "c"),
        ("textEntityTypeCode", "@alice_b"),
    ]
    assert message.mentions == []
