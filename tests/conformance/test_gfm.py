"""cmark-gfm's examples against destination `html`: GitHub's specification, extensions, regressions.

Normalized, since even cmark-gfm orders attributes of `<input>` unlike its specification. `gfm_known_differences.toml`
lists failures.
"""

from collections.abc import Callable

import pytest

from mdpublish_core.options.extensions import Extension
from mdpublish_core.repair import repair
from tests.conformance.dom import events
from tests.conformance.known_failures import KnownFailures
from tests.conformance.reference_parsers import GFM_EXTENSIONS, html_of
from tests.corpora import DISABLED, GFM_EXTENSION_COUNT, GFM_REGRESSION_COUNT, GFM_SPEC_COUNT, Example

pytestmark = pytest.mark.conformance

KNOWN = KnownFailures("gfm_known_differences.toml")
COUNTS = {"spec": GFM_SPEC_COUNT, "extensions": GFM_EXTENSION_COUNT, "regression": GFM_REGRESSION_COUNT}

OUR_NAMES: dict[str, Extension] = {
    "table": "table",
    "strikethrough": "strikethrough",
    "autolink": "autolink",
    "tagfilter": "tagfilter",
    "footnotes": "footnote",
    # cmark-gfm disables only task lists, whose HTML it writes differently.
    DISABLED: "tasklist",
}

IGNORED = "<IGNORE>\n"
"""Only a crash would fail such an example."""


def numbers(file: str) -> list[object]:
    return KNOWN.marked(range(1, COUNTS[file] + 1), file)


@pytest.mark.parametrize("number", numbers("spec"))
def test_example_gives_the_html_of_the_specification(
    number: int, gfm_spec_examples: tuple[Example, ...], record_property: Callable[[str, object], None]
) -> None:
    example = gfm_spec_examples[number - 1]
    record_property("section", f"GFM: {example.section}")

    check(example, named_extensions(example))


@pytest.mark.parametrize("number", numbers("extensions"))
def test_example_of_all_extensions_together(
    number: int, gfm_extension_examples: tuple[Example, ...], record_property: Callable[[str, object], None]
) -> None:
    record_property("section", "cmark-gfm's extensions.txt")

    check(gfm_extension_examples[number - 1], GFM_EXTENSIONS)


@pytest.mark.parametrize("number", numbers("regression"))
def test_mended_fault_of_cmark_gfm_is_none_of_ours(
    number: int, gfm_regression_examples: tuple[Example, ...], record_property: Callable[[str, object], None]
) -> None:
    example = gfm_regression_examples[number - 1]
    record_property("section", "cmark-gfm's regression.txt")

    check(example, named_extensions(example))


def test_examples_are_right_and_not_repaired(
    gfm_spec_examples: tuple[Example, ...],
    gfm_extension_examples: tuple[Example, ...],
    gfm_regression_examples: tuple[Example, ...],
) -> None:
    examples = (*gfm_spec_examples, *gfm_extension_examples, *gfm_regression_examples)

    assert [each.markdown for each in examples if repair(each.markdown).markdown != each.markdown] == []


def test_known_differences_name_each_example_once() -> None:
    for file, number in COUNTS.items():
        listed = KNOWN.listed(file)

        assert len(listed) == len(set(listed))
        assert set(listed) <= set(range(1, number + 1))


def named_extensions(example: Example) -> frozenset[Extension]:
    return frozenset(OUR_NAMES[word] for word in example.words)


def check(example: Example, extensions: frozenset[Extension]) -> None:
    html = html_of(example.markdown, extensions)

    if example.html != IGNORED:
        assert events(html) == events(example.html), example.markdown
