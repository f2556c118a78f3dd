from collections.abc import Iterator

import pytest

from tests.stress.postgresql_process import PostgresqlProcess, postgresql_process


@pytest.fixture
def killable_postgresql() -> Iterator[PostgresqlProcess]:
    with postgresql_process() as server:
        yield server
