"""The corpora as fixtures, read once a session; the root conftest.py loads them."""

import pytest

from tests.corpora import commonmark
from tests.corpora import readmes as readmes_of_packages


@pytest.fixture(scope="session")
def commonmark_examples() -> tuple[commonmark.Example, ...]:
    return commonmark.commonmark_examples()


@pytest.fixture(scope="session")
def commonmark_spec() -> str:
    return commonmark.commonmark_spec()


@pytest.fixture(scope="session")
def readmes() -> dict[str, str]:
    return readmes_of_packages()
