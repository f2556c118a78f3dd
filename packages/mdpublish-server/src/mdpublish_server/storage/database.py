"""The way to the database: an engine whose transactions are as they should be, and the migrations that prepare it."""

from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.exc import DBAPIError

# As many connections as there are threads in anyio's default limiter, which is where storage is called from.
_CONNECTIONS = 40

# How long a connection waits for another's lock: far longer than any of our transactions takes.
_BUSY_TIMEOUT_MS = 10_000

_PRAGMAS = (
    f"busy_timeout = {_BUSY_TIMEOUT_MS}",  # first, since the next one may have to wait
    "journal_mode = WAL",  # readers beside the writer
    "synchronous = FULL",  # what was answered survives a power cut
    "foreign_keys = ON",
)


class MigrationFailure(Exception):  # noqa: N818  (the words name the fault, not the class)
    """A database that could not be opened or brought up to date; the message says why."""


def open_engine(database_url: str) -> Engine:
    """Return an engine whose transactions are deferred, or immediate under the option `writes`.

    A deferred transaction that goes on to write fails when another has written meanwhile, and no waiting helps; so
    whoever writes takes the lock at the beginning. Python's driver must not begin transactions by itself, then.
    """
    engine = create_engine(database_url, pool_size=_CONNECTIONS, max_overflow=0)
    event.listen(engine, "connect", _prepare)
    event.listen(engine, "begin", _begin)
    return engine


def migrate(database_url: str) -> None:
    """Bring the database up to date with `tables`, in one transaction, making it where it is missing.

    Raises `MigrationFailure`.
    """
    # Late: only `serve` and `migrate` need Alembic, and only once.
    from alembic import command
    from alembic.config import Config
    from alembic.util import CommandError

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    engine = open_engine(database_url)
    try:
        with engine.execution_options(writes=True).begin() as connection:
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
    except (CommandError, DBAPIError) as error:
        reason = error.orig if isinstance(error, DBAPIError) else error
        raise MigrationFailure(f"cannot prepare the database {database_url}: {reason}") from error
    finally:
        engine.dispose()


def _prepare(connection: Any, _record: object) -> None:
    connection.isolation_level = None
    for pragma in _PRAGMAS:
        connection.execute(f"PRAGMA {pragma}")


def _begin(connection: Connection) -> None:
    writes = connection.get_execution_options().get("writes")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
