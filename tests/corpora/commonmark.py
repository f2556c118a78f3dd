"""The CommonMark specification 0.31.2 and its examples."""

from tests.corpora.examples import Example, examples_of
from tests.corpora.npm import PackagedFile, fetch

EXAMPLE_COUNT = 652
"""Constant, so that test ids need no download."""

_SPEC = PackagedFile(
    package="commonmark-spec",
    version="0.31.2",
    path="spec.txt",
    sha256="257c41ad946f7a1414a499aca402a1aa8fdac3678532266611348c1cf54f4b80",
)

_END = "<!-- END TESTS -->"


def commonmark_spec() -> str:
    return fetch(_SPEC).decode("utf-8")


def commonmark_examples() -> tuple[Example, ...]:
    examples = examples_of(commonmark_spec().partition(_END)[0])
    assert len(examples) == EXAMPLE_COUNT, f"read {len(examples)} examples"
    return examples
