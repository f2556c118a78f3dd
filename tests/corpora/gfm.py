"""GitHub's specification and cmark-gfm's tests, version 0.29.0.gfm.6: the last whose spec.txt is the published one.

`extensions.txt` tests all extensions together, `regression.txt` fixed bugs.
"""

from tests.corpora.debian import SourceFile, fetch
from tests.corpora.examples import Example, examples_of

GFM_SPEC_COUNT, GFM_EXTENSION_COUNT, GFM_REGRESSION_COUNT = 673, 30, 25
"""Constants, so that test ids need no download."""

DISABLED = "disabled"
"""Skipped by cmark-gfm, whose HTML of task lists differs."""


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
    return _examples(_SPEC, GFM_SPEC_COUNT)


def gfm_extension_examples() -> tuple[Example, ...]:
    """All extensions are on."""
    return _examples(_EXTENSIONS, GFM_EXTENSION_COUNT)


def gfm_regression_examples() -> tuple[Example, ...]:
    return _examples(_REGRESSION, GFM_REGRESSION_COUNT)


def _examples(file: SourceFile, number: int) -> tuple[Example, ...]:
    # Text mode would turn a tested lone CR into LF.
    examples = examples_of(fetch(file).decode("utf-8"))
    assert len(examples) == number, f"read {len(examples)} examples of {file}"
    return examples
