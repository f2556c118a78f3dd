"""Law: merging, reading, repairing and fixing raise only documented errors, in memory in proportion to the input.

Python's allocator counts the memory. `nox -s properties` draws random documents, with `HYPOTHESIS_PROFILE=nightly`
5,000.
"""

from collections.abc import Callable
from functools import partial

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mdpublish_core import Converter, parse, read_html
from mdpublish_core.importing import Imported
from mdpublish_core.merging import merge
from mdpublish_core.merging.versions import mark_changes
from mdpublish_core.nodes import HtmlElement
from tests.fuzz.bounded import WORK, check_bounded
from tests.peak_memory import check_memory_linear

_CONVERTER = Converter(to="generic")

MARKED: dict[str, Callable[[int], str]] = {
    "a long address": lambda size: f"https://example.org/{'a-' * (size // 2)}/",
    "words in a link to a long address": lambda size: (
        f"[{'a ' * (size // 4)}](https://example.org/{'b' * (size // 2)}/)"
    ),
}


def _edited(markdown: str) -> tuple[str, Imported]:
    html = _CONVERTER.convert(markdown).html
    return markdown, read_html(html + "<p>A new end.</p>")


@pytest.mark.parametrize("name", MARKED)
def test_memory_of_a_merge_grows_linearly(name: str) -> None:
    check_memory_linear(lambda size: _edited(MARKED[name](size)), lambda versions: merge(*versions, _CONVERTER))


@pytest.mark.parametrize("name", MARKED)
def test_memory_of_a_comparison_grows_linearly(name: str) -> None:
    mark = partial(HtmlElement, "ins", {}, [])
    check_memory_linear(
        lambda size: (parse(MARKED[name](size)), parse("Another text.")),
        lambda versions: mark_changes(*versions, mark()),
    )


@settings(max_examples=settings().max_examples // 3)
@given(st.sampled_from(sorted(WORK)), st.integers(0, 2**32))
@example("merge", 5_086)  # A chart, and
@example("merge", 6_617)  # a paragraph, in the place of a row.
def test_any_document_is_taken_in_bounded_memory(name: str, seed: int) -> None:
    check_bounded(name, seed)
