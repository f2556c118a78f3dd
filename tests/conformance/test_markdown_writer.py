"""Each example of CommonMark and GFM, written as Markdown, is read as the same document, and written alike again."""

import pytest

from mdpublish_core import ALL_EXTENSIONS, parse, to_markdown
from mdpublish_core.options.extensions import RAW_HTML_MODES, Extension, RawHtml
from tests.corpora import Example

pytestmark = pytest.mark.conformance

EXTENSIONS = pytest.mark.parametrize(
    "extensions", [None, ALL_EXTENSIONS, frozenset()], ids=["default", "all-extensions", "no-extensions"]
)


@pytest.mark.parametrize("raw_html", RAW_HTML_MODES)
@EXTENSIONS
def test_examples_of_commonmark_are_read_as_what_they_were(
    raw_html: RawHtml, extensions: frozenset[Extension] | None, commonmark_examples: tuple[Example, ...]
) -> None:
    assert changed(commonmark_examples, raw_html, extensions) == []


@pytest.mark.parametrize("raw_html", RAW_HTML_MODES)
@EXTENSIONS
def test_examples_of_gfm_are_read_as_what_they_were(
    raw_html: RawHtml,
    extensions: frozenset[Extension] | None,
    gfm_spec_examples: tuple[Example, ...],
    gfm_extension_examples: tuple[Example, ...],
    gfm_regression_examples: tuple[Example, ...],
) -> None:
    examples = (*gfm_spec_examples, *gfm_extension_examples, *gfm_regression_examples)

    assert changed(examples, raw_html, extensions) == []


def changed(
    examples: tuple[Example, ...], raw_html: RawHtml, extensions: frozenset[Extension] | None
) -> list[tuple[int, str]]:
    """Return the numbers of examples that become others, with what was written."""
    others = []
    for example in examples:
        document = parse(example.markdown, raw_html=raw_html, extensions=extensions)
        written = to_markdown(document)
        read = parse(written, raw_html=raw_html, extensions=extensions)
        if read != document or to_markdown(read) != written:
            others.append((example.number, written))
    return others
