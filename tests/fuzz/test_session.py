"""Fuzzing is deterministic, and reports each failure once, as a program."""

from collections.abc import Iterator
from contextlib import suppress
from random import Random
from typing import Any

import pytest

from mdpublish_core import MdpublishError, convert
from tests.fuzz import library
from tests.fuzz.imports import HtmlImports, WordImports, word_sources
from tests.fuzz.library import Conversions, Pages
from tests.fuzz.session import Budget, Case, Target, Unexpected, failure_of, fuzz, fuzz_in_bounded_memory
from tests.fuzz.spoiling import spoiled

SOURCES = ["# Heading\n\nSome *text* with a [link](http://a/b).\n" * 5, "- a\n- b\n\n|a|b|\n|-|-|\n|1|2|\n" * 5]


class Fragile:
    """Fails at every document with a `|`."""

    name = "fragile"

    def options(self, random: Random, markdown: str) -> Iterator[dict[str, Any]]:
        del random, markdown
        yield {}

    def convert(self, case: Case) -> None:
        if "|" in case.markdown:
            raise Unexpected("a bar")

    def snippet(self, case: Case) -> str:
        return f"convert({case.markdown!a})"


def documents(seed: str) -> list[str]:
    return [spoiled(Random(f"{seed} {number}"), SOURCES) for number in range(1_000)]


def test_same_seed_gives_the_same_documents() -> None:
    assert documents("a") == documents("a")
    assert documents("a") != documents("b")


def test_documents_differ_in_characters_and_length() -> None:
    characters = set("".join(documents("a")))

    assert len(set(documents("a"))) > 700
    assert {"\x07", "\ud800", "\uffff", "<", "$"} <= characters


def test_failure_is_shrunk_and_reported_once() -> None:
    report = fuzz(Fragile(), SOURCES, seed="a", budget=Budget(conversions=100))

    assert report.failures == {"a bar": "convert('|')"}
    assert (report.documents, report.conversions) == (100, 100)


def test_session_ends_with_its_time() -> None:
    assert fuzz(Fragile(), SOURCES, seed="a", budget=Budget(seconds=0)).documents == 0


def test_error_is_named_by_the_last_line_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_arguments: object, **_options: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(library, "convert", fail)
    assert str(failure_of(Conversions().convert, Case("a", {}))).startswith("ZeroDivisionError at test_session.py:")


def test_documented_error_is_no_failure() -> None:
    assert failure_of(Conversions().convert, Case("a" * 20_000_000, {"to": "html"})) is None


def word_imports() -> WordImports:
    return WordImports([convert("- a\n", to="docx").to_bytes()])


@pytest.mark.parametrize("target", [Conversions(), Pages(), HtmlImports(), word_imports()])
def test_snippet_is_a_program(target: Target) -> None:
    for options in target.options(Random(1), "a\ud800"):
        with suppress(MdpublishError):
            exec(target.snippet(Case("a\ud800", options)), {})


def test_spoiled_part_of_a_word_file_is_read_or_refused() -> None:
    target, sources = word_imports(), word_sources([convert("- a\n- b\n", to="docx").to_bytes()])

    for number in range(20):
        random = Random(number)
        for options in target.options(random, ""):
            assert failure_of(target.convert, Case(spoiled(random, sources), options)) is None


def test_session_in_bounded_memory_reports_its_memory() -> None:
    report = fuzz_in_bounded_memory(Fragile(), SOURCES, seed="a", budget=Budget(conversions=100))

    assert report.failures == {"a bar": "convert('|')"}
    assert 1e6 < report.memory < 1e9


def test_documents_of_the_short_session_convert() -> None:
    for markdown in documents("a")[:20]:
        convert(markdown, to="html").html.encode()
