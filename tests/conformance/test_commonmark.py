"""The examples of the CommonMark specification 0.31.2, against destination `html`, character by character.

Those that fail are listed with their reasons in `commonmark_known_failures.toml`; a listed one that passes fails here.
"""

import tomllib
from collections.abc import Callable
from itertools import chain
from pathlib import Path

import pytest

from mdpublish_core import convert
from tests.corpora import EXAMPLE_COUNT, Example

pytestmark = pytest.mark.conformance

GROUPS = tomllib.loads((Path(__file__).parent / "commonmark_known_failures.toml").read_text("utf-8"))["group"]
REASONS = {number: group["reason"] for group in GROUPS for number in group["examples"]}


def marked(number: int) -> object:
    """Return the parameter for an example, expected to fail where its number is listed."""
    marks = [pytest.mark.xfail(reason=REASONS[number], raises=AssertionError, strict=True)] if number in REASONS else []
    return pytest.param(number, marks=marks)


@pytest.mark.parametrize("number", [marked(number) for number in range(1, EXAMPLE_COUNT + 1)])
def test_example_gives_the_html_of_the_specification(
    number: int, commonmark_examples: tuple[Example, ...], record_property: Callable[[str, object], None]
) -> None:
    example = commonmark_examples[number - 1]
    record_property("section", example.section)  # for the table that conftest.py prints

    html = convert(example.markdown, destination="html").html

    assert html == example.html, example.markdown


def test_known_failures_name_each_example_once() -> None:
    listed = list(chain.from_iterable(group["examples"] for group in GROUPS))

    assert len(listed) == len(set(listed))
    assert all(number in range(1, EXAMPLE_COUNT + 1) for number in listed)
