"""The examples of CommonMark 0.31.2 against destination `html`, character by character.

`commonmark_known_failures.toml` lists expected failures.
"""

from collections.abc import Callable

import pytest

from mdpublish_core import convert
from tests.conformance.known_failures import KnownFailures
from tests.corpora import EXAMPLE_COUNT, Example

pytestmark = pytest.mark.conformance

KNOWN = KnownFailures("commonmark_known_failures.toml")
NUMBERS = range(1, EXAMPLE_COUNT + 1)


@pytest.mark.parametrize("number", KNOWN.marked(NUMBERS))
def test_example_gives_the_html_of_the_specification(
    number: int, commonmark_examples: tuple[Example, ...], record_property: Callable[[str, object], None]
) -> None:
    example = commonmark_examples[number - 1]
    record_property("section", example.section)  # for the table in conftest.py

    html = convert(example.markdown, to="html", raw_html="keep", extensions=frozenset()).html

    assert html == example.html, example.markdown


def test_known_failures_name_each_example_once() -> None:
    listed = KNOWN.listed()

    assert len(listed) == len(set(listed))
    assert set(listed) <= set(NUMBERS)
