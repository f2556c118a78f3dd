"""Open a database by URL, and migrate it."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, NullPool, create_engine, event, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError

from mdpublish_server import __version__
from mdpublish_server.errors import OperatorFailure
from mdpublish_server.storage.disk_reserve import DiskReserve
from mdpublish_server.storage.private_files import create_private_file
from mdpublish_server.storage.schema import create_schema
from mdpublish_server.storage.sqlite import SqliteDatabase, configure_connection, file_uri
from mdpublish_server.storage.transactions import Database

# Held during migrations: servers starting together must not both migrate.
_MIGRATION_LOCK = 7_136_284_019

_MIGRATIONS = Path(__file__).parent / "migrations"


class MigrationFailure(OperatorFailure):
    """A database that cannot be opened or migrated; the message says why."""


def open_database(database_url: str, *, has_reserve: bool = False) -> Database:
    """Open a migrated database; `has_reserve` keeps room on the disk for deletions, with SQLite."""
    if _is_sqlite(database_url):
        path = _path(database_url)
        return SqliteDatabase(path, reserve=DiskReserve(f"{path}-reserve") if has_reserve else None)
    # Lazy: SQLite needs no driver, which some platforms lack.
    from mdpublish_server.storage.postgresql import PostgresqlDatabase

    return PostgresqlDatabase(database_url)


def redacted_url(database_url: str) -> str:
    """Return the URL without passwords."""
    url = make_url(database_url)
    # libpq accepts passwords in the query too.
    return url.difference_update_query([name for name in url.query if "password" in name]).render_as_string()


def sqlite_path(database_url: str) -> str | None:
    """Return the path of the database file; None for PostgreSQL."""
    return _path(database_url) if _is_sqlite(database_url) else None


def migrate(database_url: str) -> None:
    """Create or upgrade the schema in one transaction; raises `MigrationFailure`."""
    with migrated_connection(database_url):
        pass


@contextmanager
def migrated_connection(database_url: str) -> Iterator[Connection]:
    """Create or upgrade the schema in a transaction that includes the block; raises `MigrationFailure`."""
    # Only `serve`, `migrate` and `move` need Alembic.
    from alembic import command
    from alembic.runtime.migration import MigrationContext
    from alembic.util import CommandError

    shown = redacted_url(database_url)
    engine = _engine(database_url, migrates=True)
    try:
        with engine.begin() as connection:
            if not _is_sqlite(database_url):
                connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _MIGRATION_LOCK})
            revision = MigrationContext.configure(connection).get_current_revision()
            if reason := unknown_revision(revision):
                raise MigrationFailure(f"cannot migrate the database {shown}: its revision, {revision}, is {reason}")
            if revision is None:
                create_schema(connection)
                command.stamp(_config(connection), "head")
            else:
                command.upgrade(_config(connection), "head")
            yield connection
    except (CommandError, DBAPIError) as error:
        raise MigrationFailure(f"cannot migrate the database {shown}: {_in_one_line(error)}") from error
    finally:
        engine.dispose()


def revisions(database_url: str) -> tuple[str | None, str | None]:
    """Return the current and the newest revision; raises `MigrationFailure`."""
    from alembic.runtime.migration import MigrationContext

    with connected(database_url) as connection:
        current = MigrationContext.configure(connection).get_current_revision()
    return current, known_revisions()[0]


def known_revisions() -> list[str]:
    """Return the revisions of this version, the newest first."""
    from alembic.script import ScriptDirectory

    return [script.revision for script in ScriptDirectory.from_config(_config()).walk_revisions()]


def unknown_revision(revision: str | None) -> str | None:
    """Return why this version cannot upgrade a revision, and the remedy; None if it can."""
    known = known_revisions()
    if revision is None or revision in known:
        return None
    if revision < known[-1]:
        return (
            f"older than {known[-1]}, the oldest that mdpublish {__version__} upgrades; migrate it with a version in "
            "between first, or use the version that wrote it"
        )
    return f"newer than {known[0]}, the newest that mdpublish {__version__} knows; use the version that wrote it"


@contextmanager
def connected(database_url: str) -> Iterator[Connection]:
    """Open a connection to read; raises `MigrationFailure`, also for an error in the block."""
    engine = _engine(database_url)
    try:
        with engine.connect() as connection:
            yield connection
    except DBAPIError as error:
        shown = redacted_url(database_url)
        raise MigrationFailure(f"cannot read the database {shown}: {_in_one_line(error)}") from error
    finally:
        engine.dispose()


def _in_one_line(error: Exception) -> str:
    return " ".join(str(error.orig if isinstance(error, DBAPIError) else error).split())


def _config(connection: Connection | None = None) -> Any:
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    return config


def _engine(database_url: str, *, migrates: bool = False) -> Engine:
    if not _is_sqlite(database_url):
        # A pooled session knows no statement that another one prepared.
        return create_engine(_psycopg_url(database_url), connect_args={"prepare_threshold": None})
    if migrates:
        # SQLite gives its log, and the memory it shares, the mode of the database. It reports a bad path.
        with suppress(OSError):
            create_private_file(Path(_path(database_url)))
    # Not through a URL, where SQLAlchemy decodes `%20`.
    uri = file_uri(_path(database_url), mode="rw")
    engine = create_engine("sqlite://", creator=lambda: sqlite3.connect(uri, uri=True), poolclass=NullPool)
    event.listen(engine, "connect", lambda connection, _record: configure_connection(connection, foreign_keys=False))
    # Only writers wait for each other.
    begin = "BEGIN IMMEDIATE" if migrates else "BEGIN"
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql(begin))
    return engine


def _psycopg_url(database_url: str) -> URL:
    try:
        from mdpublish_server.storage.postgresql import psycopg_url
    except ImportError as error:
        raise MigrationFailure(
            "PostgreSQL needs libpq, which is not installed: psycopg-binary, which contains it, has no wheel for this platform"
        ) from error
    return psycopg_url(database_url)


def _is_sqlite(database_url: str) -> bool:
    return database_url.startswith("sqlite:")


def _path(database_url: str) -> str:
    return database_url.removeprefix("sqlite:///")
