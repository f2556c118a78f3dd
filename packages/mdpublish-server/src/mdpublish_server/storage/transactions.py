"""SQL compiled by SQLAlchemy, executed by the driver.

SQLAlchemy's execution takes ten times as long as SQLite itself, and a request runs four or five statements. Without its
type conversion, tables use only types both drivers share; times of parameters become microseconds in the drivers.
"""

import re
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from contextvars import copy_context
from datetime import datetime
from typing import Any, Concatenate, NamedTuple, ParamSpec, Protocol, TypeVar

from sqlalchemy import Dialect
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.sql.base import Executable
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.elements import ClauseElement

from mdpublish_server.storage.timestamps import from_microseconds

SQLITE = "sqlite"
POSTGRESQL = "postgresql"

POOLED = "pgbouncer"
"""Key in a URL's query for PgBouncer, which gives each transaction another session."""

_DIALECTS: dict[str, Dialect] = {
    SQLITE: SQLiteDialect_pysqlite(paramstyle="named"),
    POSTGRESQL: PGDialect_psycopg(paramstyle="pyformat"),  # type: ignore[no-untyped-call]
}

_LOCK = re.compile(r" FOR (?:UPDATE|SHARE)$")

Row = tuple[Any, ...]
Result = TypeVar("Result")
P = ParamSpec("P")


class Statement:
    """A statement, compiled once per dialect."""

    __slots__ = ("_by_dialect", "_executable")

    def __init__(self, executable: Executable) -> None:
        self._executable = executable
        self._by_dialect: dict[str, tuple[str, dict[str, Any]]] = {}

    def __str__(self) -> str:
        return str(self._executable)

    def compiled(self, dialect: str) -> tuple[str, dict[str, Any]]:
        entry = self._by_dialect.get(dialect)
        if entry is None:
            assert isinstance(self._executable, ClauseElement)
            compiler = self._executable.compile(dialect=_DIALECTS[dialect])
            assert isinstance(compiler, SQLCompiler)
            constants = {name: bind.value for name, bind in compiler.binds.items() if not bind.required}
            # SQLite locks no rows: it has one writer.
            sql = _LOCK.sub("", str(compiler)) if dialect == SQLITE else str(compiler)
            entry = self._by_dialect[dialect] = (sql, constants)
        return entry


def placeholders(limit: int) -> str:
    """Return the placeholders of `IN (…)` for the parameters of `numbered`; the same statement serves any number of values."""
    return ", ".join(f":value_{number}" for number in range(limit))


def numbered(values: Sequence[str], limit: int) -> dict[str, str]:
    """Return parameters for `placeholders`, for at most `limit` values, which no empty value is."""
    return {f"value_{number}": value for number, value in enumerate([*values, *[""] * (limit - len(values))])}


class Cursor(Protocol):
    """DB-API cursor (PEP 249)."""

    @property
    def rowcount(self) -> int:
        """Affected rows."""

    def execute(self, sql: str, values: Any = ..., /) -> Any:
        """Run SQL."""

    def fetchone(self) -> Any:
        """Fetch a row."""

    def fetchall(self) -> Sequence[Any]:
        """Fetch the rest."""


class LongChange(Exception):  # noqa: N818  (a signal)
    """A change that would hold the event loop; the database undoes it and runs it again in a thread."""


class Transaction:
    """An open transaction."""

    __slots__ = ("_cursor", "dialect", "in_event_loop")

    def __init__(self, cursor: Cursor, dialect: str, *, in_event_loop: bool = False) -> None:
        self._cursor = cursor
        self.dialect = dialect
        self.in_event_loop = in_event_loop

    def rows(self, statement: Statement, **values: object) -> Sequence[Row]:
        self._execute(statement, values)
        return self._cursor.fetchall()

    def row(self, statement: Statement, **values: object) -> Row | None:
        self._execute(statement, values)
        first: Row | None = self._cursor.fetchone()
        if first is not None and self.dialect == SQLITE:
            # SQLite completes a change only when all rows are fetched.
            self._cursor.fetchall()
        return first

    def value(self, statement: Statement, **values: object) -> Any | None:
        """Return the first value of the first row, None without a row."""
        row = self.row(statement, **values)
        return None if row is None else row[0]

    def change(self, statement: Statement, **values: object) -> int:
        """Return the number of affected rows."""
        self._execute(statement, values)
        return self._cursor.rowcount

    def changes_one(self, statement: Statement, **values: object) -> bool:
        """Return whether it affected a row, of one at most."""
        return self.change(statement, **values) == 1

    def count(self, statement: Statement, **values: object) -> int:
        """Return a number, which a statement without a row leaves at 0."""
        return self.value(statement, **values) or 0

    def time(self, statement: Statement, **values: object) -> datetime | None:
        """Return a time, None without one."""
        return from_microseconds(self.value(statement, **values))

    def column(self, statement: Statement, **values: object) -> Sequence[Any]:
        """Return the first value of each row."""
        return tuple(row[0] for row in self.rows(statement, **values))

    def _execute(self, statement: Statement, values: dict[str, object]) -> None:
        sql, constants = statement.compiled(self.dialect)
        self._cursor.execute(sql, {**constants, **values} if constants else values)


Work = Callable[[Transaction], Result]
"""No other side effects: it may be retried."""

WorkOf = Callable[Concatenate[Transaction, P], Result]
"""`Work` that takes arguments after the transaction."""


def bound(work: WorkOf[P, Result], /, *args: P.args, **named: P.kwargs) -> Work[Result]:
    """Return work that runs in the caller's context, which says who acts, in whatever thread or task it runs."""
    context = copy_context()
    return lambda transaction: context.run(work, transaction, *args, **named)


def query(run: Callable[..., Result], statement: Statement, *names: str) -> Callable[..., Result]:
    """Return work that is one statement, of which the file of SQL says what it does.

    It takes values of the parameters `names`, in this order, and of the others by name.
    """

    def ask(transaction: Transaction, *given: object, **others: object) -> Result:
        return run(transaction, statement, **dict(zip(names, given, strict=True)), **others)

    return ask


class Stamp(NamedTuple):
    """Two equal texts: no page that was seen has changed in between, and, of the second, no page was added."""

    changes: str
    additions: str


class Database(Protocol):
    """Runs work in transactions, with the arguments given.

    Raises what the work raises, after a rollback, and `ServiceUnavailable`.
    """

    removals: int
    """Rises when a removal begins and when it has ended, whatever its outcome."""

    async def read(self, work: WorkOf[P, Result], /, *args: P.args, **named: P.kwargs) -> Result:
        """Run a short, indexed query, possibly in the event loop."""

    async def scan(self, work: WorkOf[P, Result], /, *args: P.args, **named: P.kwargs) -> Result:
        """Run a long query in a thread."""

    async def write(self, work: WorkOf[P, Result], /, *args: P.args, **named: P.kwargs) -> Result:
        """Run a change; return once durable."""

    async def write_reserved(self, work: WorkOf[P, Result], /, *args: P.args, **named: P.kwargs) -> Result:
        """Run a change that must be possible on a full disk, as a deletion; return once durable."""

    async def write_once(self, work: Work[Result]) -> Result | None:
        """Run a change that on PostgreSQL is one statement, which needs no transaction around it; return once durable.

        If the connection is lost, return None: the change may have been committed, or may be yet. A caller that retries
        must apply it once.
        """

    def read_transaction(self) -> AbstractContextManager[Transaction]:
        """Read in the caller's thread."""

    def write_transaction(self) -> AbstractContextManager[Transaction]:
        """Write in the caller's thread; commit on exit."""

    async def stamp(self) -> Stamp | None:
        """Return what changes with every commit to pages that a client may know of, or None if that is not known.

        Takes less than a query.
        """

    def close(self) -> None:
        """Close all connections."""
