"""What Atlassian's schemas read of our documents is what was written, word by word and construct by construct."""

import json
import random
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from mdpublish_core import Document, nodes, parse, render, select_extensions
from mdpublish_core.options.extensions import RawHtml
from mdpublish_core.resources.urls import encode_url, has_scheme
from tests.cases.assistant_files import all_samples
from tests.cases.case_files import all_cases
from tests.cases.expected_words import Expected, expected_words
from tests.cases.shown_words import lost, visible
from tests.core.test_assistants import expected_of
from tests.core.test_places import HOSTILE
from tests.interop import adflux_tree
from tests.interop.atlassian import Json, constructs_of, read_all, text_of, walk

pytestmark = pytest.mark.interop

REFUSED = ("link", "mailto:bob@example.com?subject=Hi%20there")
"""Their schema pastes no link to an address with a subject, which stays in JSON."""

SHOWN_AS_CODE = frozenset({"table", "diagram", "chart", "display-formula"})

DOCS = Path(__file__).parents[2] / "docs"


@cache
def documents() -> dict[str, tuple[Document, Expected]]:
    """Return the cases, the documents of assistants, and our documentation."""
    all_documents: dict[str, tuple[Document, Expected]] = {}

    def add(name: str, markdown: str, expected: Expected, *extensions: str, raw_html: RawHtml = "sanitize") -> None:
        all_documents[name] = parse(markdown, extensions=select_extensions(extensions), raw_html=raw_html), expected

    for case in all_cases():
        add(case.name, case.markdown, expected_words(case.markdown), *case.extensions, raw_html=case.raw_html)
    for sample in all_samples():
        add(sample.name, sample.markdown, expected_of(sample), *sample.extensions)
    for page in sorted(DOCS.rglob("*.md")):
        markdown = page.read_text("utf-8")
        add(str(page.relative_to(DOCS)), markdown, expected_words(markdown))
    assert len(all_documents) > 250
    return all_documents


@cache
def readings() -> dict[str, tuple[Json, Json]]:
    """Return what was understood of each document as JSON, and pasted."""
    given = [
        each
        for document, _ in documents().values()
        for each in (
            {"adf": json.loads(render(document, to="adf").text)},
            {"html": render(document, to="confluence").html},
        )
    ]
    read = read_all(given)
    return {name: (read[2 * number], read[2 * number + 1]) for number, name in enumerate(documents())}


def test_both_schemas_accept_every_document() -> None:
    assert {name: adf["problems"] for name, (adf, _) in readings().items() if adf["problems"]} == {}


@pytest.mark.parametrize("form", [0, 1], ids=["adf", "pasted"])
def test_no_word_is_lost_that_a_page_and_plain_text_have(form: int) -> None:
    missing = {}
    for name, (document, expected) in documents().items():
        # What a reader of the source takes for a word and our parser for markup, no output has.
        known = {
            problem.partition(":")[0]
            for to in ("generic", "plain-text")
            for problem in lost(expected, visible(render(document, to=to)), "jira")
        }
        problems = lost(expected, text_of(readings()[name][form]["tree"]), "jira")
        if new := [each for each in problems if each.partition(":")[0] not in known]:
            missing[name] = new
    assert missing == {}


@pytest.mark.parametrize("form", [0, 1], ids=["adf", "pasted"])
def test_every_construct_arrives(form: int) -> None:
    wrong = {}
    for name, (document, _) in documents().items():
        constructs = constructs_of(readings()[name][form]["tree"])
        if missing := {*expected_constructs(document) - constructs} - {REFUSED}:
            wrong[name] = missing
        assert not constructs["mention", ""], name
    assert wrong == {}


def test_what_is_pasted_is_what_the_interfaces_get() -> None:
    different = {
        name: set(constructs_of(adf["tree"])) ^ set(constructs_of(pasted["tree"]))
        for name, (adf, pasted) in readings().items()
    }
    assert {name: each for name, each in different.items() if each - {REFUSED}} == {}


@cache
def second_readings() -> dict[str, Json]:
    """Return what adflux understands of each document as JSON."""
    return {name: adflux_tree.read_adf(render(document, to="adf").text) for name, (document, _) in documents().items()}


def test_second_reader_finds_the_same_words_and_constructs() -> None:
    different = {}
    for name, (first, _) in readings().items():
        second = second_readings()[name]
        words = ["".join(reading.split()) for reading in (text_of(first["tree"]), adflux_tree.text_of(second))]
        counts = Counter(
            {key: count for key, count in adflux_tree.constructs_of(second).items() if key not in adflux_tree.COUNTED}
        )
        if words[0] != words[1] or constructs_of(first["tree"]) != counts:
            different[name] = (set(words), counts - constructs_of(first["tree"]), constructs_of(first["tree"]) - counts)
    assert different == {}


def test_second_reader_finds_what_the_report_says_arrives() -> None:
    wrong = {}
    for name, (document, _) in documents().items():
        counts = adflux_tree.constructs_of(second_readings()[name])
        reported: Counter[tuple[str, str]] = Counter()
        for each in render(document, to="adf").delivery:
            if each.construct in SHOWN_AS_CODE and each.form in {"monospaced", "source"}:
                reported["code-block", ""] += each.count
            elif each.form == "as-is":
                reported[each.construct, ""] += each.count
        # Before footnotes is a rule of ours; a heading without text is nothing; HTML of those who are trusted is code.
        tokens = [*nodes.walk(document)]
        reported["rule", ""] += bool(document.footnote_definitions)
        reported["heading", ""] -= sum(
            isinstance(each, nodes.Heading) and not nodes.has_content(each) for each in tokens
        )
        reported["code-block", ""] += sum(isinstance(each, nodes.HtmlBlock) for each in tokens)
        if different := {
            key: (reported[key], counts[key]) for key in adflux_tree.COUNTED if reported[key] != counts[key]
        }:
            wrong[name] = different
    assert wrong == {}


def test_no_hostile_text_pings_or_leaves_a_mark_open() -> None:
    choose = random.Random(0)
    hostile = ["".join(choose.choices(HOSTILE, k=choose.randint(1, 12))) for _ in range(6_000)]
    given: list[Json] = []
    for markdown in hostile:
        document = parse(markdown)
        content = json.loads(render(document, to="adf", plain_text=False).text)
        content["content"].append({"type": "paragraph", "content": [{"type": "text", "text": "after"}]})
        html = render(document, to="jira", plain_text=False).html
        given += [{"adf": content}, {"html": f"{html}<p>after</p>"}]
    after = {"type": "paragraph", "content": [{"type": "text", "text": "after"}]}

    for number, reading in enumerate(read_all(given)):
        markdown = hostile[number // 2]
        assert not reading.get("problems"), (markdown, reading)
        assert not {"mention", "inlineCard", "emoji"} & {each["type"] for each in walk(reading["tree"])}, markdown
        assert without_empty(reading["tree"]["content"][-1]) == after, (markdown, reading["tree"])


def without_empty(node: Json) -> Json:
    """Return a node without attributes that are not set."""
    attributed = {name: value for name, value in node.items() if name not in {"attrs", "marks"} or any(value or ())}
    attributes = attributed.get("attrs")
    if isinstance(attributes, dict) and not any(attributes.values()):
        del attributed["attrs"]
    return attributed


def expected_constructs(document: Document) -> Counter[tuple[str, str]]:
    """Return what must be there at least: each code block, and each link once."""
    constructs: Counter[tuple[str, str]] = Counter()
    for token in nodes.walk(document):
        match token:
            case nodes.CodeFence() | nodes.BlockCode() if token.content.strip():
                constructs["code", token.content.removesuffix("\n")] += 1
            case nodes.Link() | nodes.AutoLink() if has_scheme(token.target):
                constructs["link", encode_url(token.target)] = 1
    return constructs
