"""What the long proofs share: databases whose server may be killed."""

from collections.abc import Iterator

import pytest

from tests.stress.postgresql_process import PostgresqlProcess, postgresql_process


@pytest.fixture
def killable_postgresql() -> Iterator[PostgresqlProcess]:
    """A PostgreSQL server of the test's own, empty."""
    with postgresql_process() as server:
        yield server
