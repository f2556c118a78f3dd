"""Which database there is: by its address, and the migrations that prepare it."""

import sqlite3
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, NullPool, create_engine, event, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError

from mdpublish_server.storage.postgresql import PostgresqlDatabase, psycopg_url
from mdpublish_server.storage.sqlite import SqliteDatabase, configure_connection, file_uri
from mdpublish_server.storage.transactions import Database

# Of PostgreSQL's advisory locks, the one that migrations take: two servers that start at once do not both migrate.
_MIGRATION_LOCK = 7_136_284_019


class MigrationFailure(Exception):  # noqa: N818  (the words name the fault, not the class)
    """A database that could not be opened or brought up to date; the message says why."""


def open_database(database_url: str) -> Database:
    """Return the database at an address, which `migrate` has prepared."""
    if _is_sqlite(database_url):
        return SqliteDatabase(_path(database_url))
    return PostgresqlDatabase(database_url)


def redacted_url(database_url: str) -> str:
    """Return an address as it may be shown and logged."""
    url = make_url(database_url)
    # libpq takes passwords in the query too.
    return url.difference_update_query([name for name in url.query if "password" in name]).render_as_string()


def migrate(database_url: str) -> None:
    """Bring the database up to date with `tables`, in one transaction, making a file of SQLite's where it is missing.

    Raises `MigrationFailure`.
    """
    # Late: only `serve` and `migrate` need Alembic, and only once.
    from alembic import command
    from alembic.util import CommandError

    engine = _engine(database_url)
    try:
        with engine.begin() as connection:
            if not _is_sqlite(database_url):
                connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _MIGRATION_LOCK})
            command.upgrade(_config(connection), "head")
    except CommandError as error:
        shown = redacted_url(database_url)
        raise MigrationFailure(
            f"cannot prepare the database {shown}: {error}; a newer version of the service made it: run that one"
        ) from error
    except DBAPIError as error:
        shown = redacted_url(database_url)
        raise MigrationFailure(f"cannot prepare the database {shown}: {_in_one_line(error)}") from error
    finally:
        engine.dispose()


def revisions(database_url: str) -> tuple[str | None, str | None]:
    """Return the revision that the database is at, and the newest one; raises `MigrationFailure`."""
    from alembic.runtime.migration import MigrationContext
    from alembic.script import ScriptDirectory

    engine = _engine(database_url, mode="rw")
    try:
        with engine.connect() as connection:
            current = MigrationContext.configure(connection).get_current_revision()
            newest = ScriptDirectory.from_config(_config(connection)).get_current_head()
    except DBAPIError as error:
        shown = redacted_url(database_url)
        raise MigrationFailure(f"cannot read the database {shown}: {_in_one_line(error)}") from error
    finally:
        engine.dispose()
    return current, newest


def _in_one_line(error: DBAPIError) -> str:
    """Return what the driver says, which PostgreSQL's does in several lines."""
    return " ".join(str(error.orig).split())


def _config(connection: Connection) -> Any:
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    return config


def _engine(database_url: str, *, mode: str = "rwc") -> Engine:
    """Return an engine for migrations, whose transactions hold changes of tables too; `mode` is `file_uri`'s."""
    if not _is_sqlite(database_url):
        return create_engine(psycopg_url(database_url))
    # The path goes to SQLite as it is: in an address SQLAlchemy would read `%20` as a space.
    uri = file_uri(_path(database_url), mode=mode)
    engine = create_engine("sqlite://", creator=lambda: sqlite3.connect(uri, uri=True), poolclass=NullPool)
    event.listen(engine, "connect", lambda connection, _record: configure_connection(connection, foreign_keys=False))
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN IMMEDIATE"))
    return engine


def _is_sqlite(database_url: str) -> bool:
    return database_url.startswith("sqlite:")


def _path(database_url: str) -> str:
    return database_url.removeprefix("sqlite:///")
