"""What the long proofs share: databases whose server may be killed."""

from collections.abc import Iterator

import pytest

from tests.endurance.own_postgresql import OwnPostgresql, own_postgresql


@pytest.fixture
def killable_postgresql() -> Iterator[OwnPostgresql]:
    """A PostgreSQL server of the test's own, empty."""
    with own_postgresql() as server:
        yield server
