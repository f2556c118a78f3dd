"""What Atlassian's transformer reads of the example for Jira's wiki markup is what was written, and mentions nobody."""

import random
from collections.abc import Iterator

import pytest

from mdpublish_core import parse, render
from tests.cases.shown_words import lost, visible
from tests.core.test_places import HOSTILE
from tests.example_outputs import example_output
from tests.interop.atlassian import Json, constructs_of, read_all, text_of, walk
from tests.interop.test_atlassian import documents

pytestmark = pytest.mark.interop

JIRA = example_output("jira")

SIGNS = ("[~anna]", "[~accountid:1]", "(/)", ":)", "{quote}", "{color:red}", "{panel}", "!x!", "[x|https://e.org")


def samples() -> list[str]:
    """Return the names of the cases and of assistants' documents."""
    return [name for name in documents() if not name.endswith(".md")]


def trees(contents: list[str]) -> list[Json]:
    return [each["tree"] for each in read_all([{"wiki": each} for each in contents])]


def words_of(tree: Json) -> str:
    return text_of(tree).replace("\u2060", "")


def test_no_word_is_lost_that_a_page_and_plain_text_have() -> None:
    read = trees([render(documents()[name][0], to=JIRA).text for name in samples()])
    missing = {}
    for name, tree in zip(samples(), read, strict=True):
        document, expected = documents()[name]
        known = {
            problem.partition(":")[0]
            for to in ("generic", "plain-text")
            for problem in lost(expected, visible(render(document, to=to)), "jira")
        }
        if new := [each for each in lost(expected, words_of(tree), "jira") if each.partition(":")[0] not in known]:
            missing[name] = new
    assert missing == {}


def live(tree: Json) -> Iterator[str]:
    """Yield what the text must not have: mentions and pictures of signs."""
    yield from (each["type"] for each in walk(tree) if each["type"] in {"mention", "emoji", "inlineCard", "extension"})


def test_no_document_mentions_anyone() -> None:
    read = trees([render(documents()[name][0], to=JIRA).text for name in samples()])

    assert {name: [*live(tree)] for name, tree in zip(samples(), read, strict=True) if [*live(tree)]} == {}


def test_no_hostile_text_pings_or_leaves_a_mark_open() -> None:
    choose = random.Random(0)
    hostile = ["".join(choose.choices((*HOSTILE, *SIGNS), k=choose.randint(1, 12))) for _ in range(6_000)]
    read = trees([render(parse(each), to=JIRA, plain_text=False).text + "\n\nafter\n" for each in hostile])

    assert {markdown: [*live(tree)] for markdown, tree in zip(hostile, read, strict=True) if [*live(tree)]} == {}
    is_open = {markdown for markdown, tree in zip(hostile, read, strict=True) if "after" in str([*constructs_of(tree)])}
    assert is_open == set()
