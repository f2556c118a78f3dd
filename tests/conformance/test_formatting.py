"""Formatted files are shown as before by other programs: comrak, cmark-gfm and commonmark.js are the judges.

The files are documentation that nobody here wrote, as it is and in mixed styles, and the specifications' examples.
"""

import io
import re
import tarfile
from collections.abc import Collection, Iterable, Iterator
from itertools import islice
from random import Random

import pytest

from mdpublish_core.formatting import format_markdown
from mdpublish_core.formatting.front_matter import end_of_front_matter
from mdpublish_core.formatting.rules import DEFAULT_RULES, RULES
from tests.conformance.reference_parsers import Dialect, reference_parsers
from tests.corpora import Example, many_readmes, npm, readmes
from tests.corpora.styles import mixed

pytestmark = pytest.mark.conformance

FOLDERS = {
    ("fastify", "5.12.8"): "459048aabd9311309f4f95b36e8ca065e3a4613ded292bcf50442926931e4748",
    ("undici", "8.13.1"): "33cceb321835a0754c60a9ac681df71dddc2ee8aafd890f763414b51574182b5",
}
"""npm packages with their documentation, as Markdown for GitHub and docsify."""

_WHITE_SPACE = re.compile(r"\s*(<[^>]*>)\s*")


def documentation() -> Iterator[tuple[str, str]]:
    for (package, version), sha256 in FOLDERS.items():
        content = npm.fetch_archive(package, version, sha256)
        with tarfile.open(fileobj=io.BytesIO(content)) as archive:
            for member in archive:
                if member.name.endswith(".md") and (reader := archive.extractfile(member)):
                    yield f"{package}: {member.name}", reader.read().decode()


def shown(html: str) -> str:
    return _WHITE_SPACE.sub(r"\1", re.sub(r"\s+", " ", html)).strip()


def shown_otherwise(
    sources: Iterable[tuple[str, str]], dialect: Dialect, rules: Collection[str] = DEFAULT_RULES
) -> list[tuple[str, str]]:
    """Return the names of files that a program shows otherwise once they are formatted, with the program's."""
    different = []
    with reference_parsers() as parsers:
        for name, markdown in sources:
            formatted = format_markdown(markdown, rules=rules).markdown
            if format_markdown(formatted, rules=rules).markdown != formatted:
                different.append((name, "formatted again"))
            if formatted == markdown:
                continue
            before, after = (each[end_of_front_matter(each) :] for each in (markdown, formatted))
            different += [
                (name, parser.name)
                for parser in parsers
                if dialect in parser.dialects
                and shown(parser.convert(before, dialect)) != shown(parser.convert(after, dialect))
            ]
    return different


def test_documentation_is_shown_as_before() -> None:
    sources = [*documentation(), *readmes().items(), *islice(many_readmes().items(), 0, None, 2)]

    assert len(sources) > 150
    assert shown_otherwise(sources, Dialect.GFM) == []


def test_documentation_is_shown_as_before_by_all_rules() -> None:
    """Also by those that are off by default; items of lists have their number here and there."""
    chooser = Random("numbers")
    renumbered = re.compile(r"^( *)\d+(?=\. )", re.MULTILINE)
    sources = [
        (name, renumbered.sub(lambda each: f"{each[1]}{chooser.choice((1, 2, 5))}", markdown))
        for name, markdown in documentation()
    ]

    assert shown_otherwise(sources, Dialect.GFM, RULES) == []


def test_documentation_in_mixed_styles_is_shown_as_before() -> None:
    chooser = Random("styles")
    sources = [(name, mixed(markdown, chooser)) for name, markdown in islice(documentation(), 0, None, 2)]

    assert [name for name, each in sources if format_markdown(each).markdown == each] == []
    assert shown_otherwise(sources, Dialect.GFM) == []


def test_examples_of_commonmark_are_shown_as_before(commonmark_examples: tuple[Example, ...]) -> None:
    sources = [(str(each.number), each.markdown) for each in commonmark_examples]

    assert shown_otherwise(sources, Dialect.COMMONMARK) == []


def test_examples_of_gfm_are_shown_as_before(
    gfm_spec_examples: tuple[Example, ...],
    gfm_extension_examples: tuple[Example, ...],
    gfm_regression_examples: tuple[Example, ...],
) -> None:
    examples = (*gfm_spec_examples, *gfm_extension_examples, *gfm_regression_examples)

    assert shown_otherwise([(str(each.number), each.markdown) for each in examples], Dialect.GFM) == []
