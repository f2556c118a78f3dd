"""Other people's test data: downloaded when a test asks, pinned, cached, and never part of the repository.

`npm` fetches, `commonmark` and `readmes` say what, `fixtures` hands it to tests.
"""

from tests.corpora.commonmark import EXAMPLE_COUNT, Example, commonmark_examples, commonmark_spec
from tests.corpora.npm import FetchFailure, PackagedFile, fetch
from tests.corpora.readmes import readmes

__all__ = [
    "EXAMPLE_COUNT",
    "Example",
    "FetchFailure",
    "PackagedFile",
    "commonmark_examples",
    "commonmark_spec",
    "fetch",
    "readmes",
]
