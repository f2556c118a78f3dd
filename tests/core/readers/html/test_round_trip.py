"""Our own outputs are read back as they were: all cases but those in `lost.toml`, up to `round_trip.py`'s losses."""

import tomllib
from pathlib import Path

import pytest

from tests.cases.case_files import all_cases
from tests.core.readers.html.round_trip import OUTPUTS, comes_back
from tests.corpora import Example

GROUPS = tomllib.loads(Path(__file__).with_name("lost.toml").read_text("utf-8"))["group"]


def lost(output: str, key: str) -> set[object]:
    return {name for group in GROUPS if output in group["outputs"] for name in group.get(key, ())}


@pytest.mark.corpora
@pytest.mark.needs("merman", "pygraphviz", "resvg_py")
@pytest.mark.parametrize("output", OUTPUTS)
def test_cases_come_back_but_those_that_are_listed(output: str) -> None:
    failing = {case.name for case in all_cases() if not comes_back(case.markdown, output)}

    assert failing == lost(output, "cases")


@pytest.mark.conformance
@pytest.mark.parametrize("output", OUTPUTS)
def test_examples_of_commonmark_come_back_but_those_that_are_listed(
    output: str, commonmark_examples: tuple[Example, ...]
) -> None:
    failing = {example.number for example in commonmark_examples if not comes_back(example.markdown, output)}

    assert failing == lost(output, "examples")
