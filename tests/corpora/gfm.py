"""GitHub's specification of its Markdown, as cmark-gfm 0.29.0.gfm.6 holds it: three files of examples.

`spec.txt` is CommonMark 0.29 with the sections on extensions; an example names the extensions it is for, and none where
it is plain CommonMark. `extensions.txt` is cmark-gfm's own tests of all of them together, footnotes too;
`regression.txt` holds what once went wrong. It is the last version whose spec.txt is the published specification.
"""

from tests.corpora.debian import SourceFile, fetch
from tests.corpora.examples import Example, examples_of

GFM_SPEC_COUNT, GFM_EXTENSION_COUNT, GFM_REGRESSION_COUNT = 673, 30, 25
"""Examples in each file; known here so that tests can be named without a download."""

DISABLED = "disabled"
"""Stands instead of extensions on examples that cmark-gfm itself leaves out: its task lists write other HTML."""


def _file(path: str, sha256: str) -> SourceFile:
    return SourceFile(
        suite="bookworm",
        package="cmark-gfm",
        archive="cmark-gfm_0.29.0.gfm.6.orig.tar.gz",
        archive_sha256="b17d86164c0822b5db3818780b44cb130ff30e9c6ec6a64f199b6d142684dba0",
        path=path,
        sha256=sha256,
    )


_SPEC = _file("test/spec.txt", "3b031af354c7a68aa1f6e67bbc187a942ba714c0c1a8cc9e40b312f1cd68f453")
_EXTENSIONS = _file("test/extensions.txt", "0e41410c503d0a2461c5c67cf285324b249c59bebc076d0b9d02d2dda14e1b63")
_REGRESSION = _file("test/regression.txt", "94de46e9ca4dcdc4450b875b55694b6b7e3320047ecd1188f8994a75b98bb0fc")


def gfm_spec_examples() -> tuple[Example, ...]:
    """Return the examples of the specification, with the extensions that each is for as its words."""
    return _examples(_SPEC, GFM_SPEC_COUNT)


def gfm_extension_examples() -> tuple[Example, ...]:
    """Return cmark-gfm's own examples of extensions, all of which are on in each of them."""
    return _examples(_EXTENSIONS, GFM_EXTENSION_COUNT)


def gfm_regression_examples() -> tuple[Example, ...]:
    """Return cmark-gfm's examples of mended faults, with the extensions that each is for as its words."""
    return _examples(_REGRESSION, GFM_REGRESSION_COUNT)


def _examples(file: SourceFile, number: int) -> tuple[Example, ...]:
    # Read as Python reads text, a lone CR would become a line end; one example is about just that.
    examples = examples_of(fetch(file).decode("utf-8"))
    assert len(examples) == number, f"read {len(examples)} examples of {file}"
    return examples
