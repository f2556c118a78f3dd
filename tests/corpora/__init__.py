"""Third-party test data, pinned, downloaded on demand and cached, never committed."""

from tests.corpora.cache import FetchFailure
from tests.corpora.commonmark import EXAMPLE_COUNT, commonmark_examples, commonmark_spec
from tests.corpora.examples import Example
from tests.corpora.gfm import (
    DISABLED,
    GFM_EXTENSION_COUNT,
    GFM_REGRESSION_COUNT,
    GFM_SPEC_COUNT,
    gfm_extension_examples,
    gfm_regression_examples,
    gfm_spec_examples,
)
from tests.corpora.npm import PackagedFile, fetch
from tests.corpora.readmes import many_readmes, readmes, readmes_of_trades

__all__ = [
    "DISABLED",
    "EXAMPLE_COUNT",
    "GFM_EXTENSION_COUNT",
    "GFM_REGRESSION_COUNT",
    "GFM_SPEC_COUNT",
    "Example",
    "FetchFailure",
    "PackagedFile",
    "commonmark_examples",
    "commonmark_spec",
    "fetch",
    "gfm_extension_examples",
    "gfm_regression_examples",
    "gfm_spec_examples",
    "many_readmes",
    "readmes",
    "readmes_of_trades",
]
