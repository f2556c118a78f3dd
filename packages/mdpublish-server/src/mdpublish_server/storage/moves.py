"""Moves from SQLite to PostgreSQL."""

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql
from sqlalchemy import Table

from mdpublish_server.errors import OperatorFailure
from mdpublish_server.storage.database import migrated_connection, redacted_url, revisions, unknown_revision
from mdpublish_server.storage.integrity import sqlite_problems
from mdpublish_server.storage.sqlite import is_in_use, locked_connection
from mdpublish_server.storage.tables import DEMO_USAGE, METADATA, PAGE_CHANGES


class MoveFailure(OperatorFailure):
    """A move that changed nothing; the message says why."""


def move(source: Path, database_url: str, *, bring_files: Callable[[], None] = lambda: None) -> dict[str, int]:
    """Copy a SQLite database that nobody has open into an empty PostgreSQL database, in one transaction.

    `bring_files` is called before the rows are there, so that each image has its file then. Return the number of rows
    by table. Raises `MoveFailure` and `MigrationFailure`; then PostgreSQL is as it was.
    """
    shown = redacted_url(database_url)
    if database_url.startswith("sqlite:"):
        raise MoveFailure(f"MDPUBLISH_DATABASE_URL must name the PostgreSQL database to fill (got {shown})")
    if not source.is_file():
        raise MoveFailure(f"no database at {source}")
    # First: what opens the file to write would delete a damaged log.
    if problems := sqlite_problems(source, is_deep=True):
        raise MoveFailure(f"{source} is corrupt: {problems[0]}; restore a backup first")
    current, newest = revisions(f"sqlite:///{source}")
    if current != newest:
        reason = unknown_revision(current) or f"the newest is {newest}; run mdpublish-server migrate on it first"
        raise MoveFailure(f"{source} is at revision {current}, {reason}")
    try:
        with locked_connection(str(source)) as rows, migrated_connection(database_url) as connection:
            target = connection.connection.driver_connection
            assert isinstance(target, psycopg.Connection)
            with target.cursor() as cursor:
                counts = _copy_all(rows, cursor, shown)
            bring_files()
            return counts
    except sqlite3.Error as error:
        if is_in_use(error):
            raise MoveFailure(
                f"{source} is in use; stop the service first, since what it writes during a move would be lost"
            ) from error
        raise MoveFailure(f"cannot read {source}: {error}") from error
    except psycopg.Error as error:
        raise MoveFailure(f"cannot write to {shown}: {' '.join(str(error).split())}; nothing was moved") from error


def _copy_all(source: sqlite3.Connection, cursor: "psycopg.Cursor[Any]", shown: str) -> dict[str, int]:
    tables = METADATA.sorted_tables
    names = sql.SQL(", ").join(sql.Identifier(table.name) for table in tables)
    cursor.execute(sql.SQL("LOCK TABLE {} IN ACCESS EXCLUSIVE MODE").format(names))
    # Counters say nothing about a database without pages, and one without demos has a sum of zero.
    cursor.execute(sql.SQL("DELETE FROM {}").format(sql.Identifier(PAGE_CHANGES.name)))
    cursor.execute(sql.SQL("DELETE FROM {} WHERE bytes = 0").format(sql.Identifier(DEMO_USAGE.name)))
    for table in tables:
        if count := _count(cursor, table):
            raise MoveFailure(f"{shown} is not empty ({count:,} rows in {table.name}); move into a new database")
    counts = {table.name: _copy(source, cursor, table) for table in tables}
    for table in tables:
        (before,) = source.execute(f'SELECT count(*) FROM "{table.name}"').fetchone()  # noqa: S608  (our name)
        if not before == counts[table.name] == _count(cursor, table):
            raise MoveFailure(
                f"{table.name} has {before:,} rows, of which {_count(cursor, table):,} arrived in {shown}; nothing was moved"
            )
    cursor.execute(sql.SQL("ANALYZE {}").format(names))
    return counts


def _copy(source: sqlite3.Connection, cursor: "psycopg.Cursor[Any]", table: Table) -> int:
    names = [column.name for column in table.columns]
    quoted = ", ".join(f'"{name}"' for name in names)
    rows = source.execute(f'SELECT {quoted} FROM "{table.name}"')  # noqa: S608  (our names)
    statement = sql.SQL("COPY {} ({}) FROM STDIN").format(
        sql.Identifier(table.name), sql.SQL(", ").join(map(sql.Identifier, names))
    )
    # As text, in which PostgreSQL takes SQLite's 0 and 1 for booleans. SQLite's cursor fetches row by row.
    with cursor.copy(statement) as copy:
        for row in rows:
            copy.write_row(row)
    copied = cursor.rowcount
    if (counted := table.autoincrement_column) is not None:
        cursor.execute(
            sql.SQL("SELECT setval(pg_get_serial_sequence(%s, %s), coalesce(max({}), 0) + 1, false) FROM {}").format(
                sql.Identifier(counted.name), sql.Identifier(table.name)
            ),
            (table.name, counted.name),
        )
    return copied


def _count(cursor: "psycopg.Cursor[Any]", table: Table) -> int:
    cursor.execute(sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier(table.name)))
    row = cursor.fetchone()
    assert row is not None
    number: int = row[0]
    return number
