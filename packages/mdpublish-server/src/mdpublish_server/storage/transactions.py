"""Statements and transactions: SQL that SQLAlchemy builds once, and the driver then runs as it is.

SQLAlchemy's own way to execute a statement takes ten times as long as SQLite takes for it, and a call of the API is four or
five statements; so a `Statement` is compiled once a dialect, and a `Transaction` hands its text and values to the
driver. What is lost is SQLAlchemy's conversion of values, so the tables hold only types that both drivers share.
"""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol, TypeVar

from sqlalchemy import Dialect
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.sql.base import Executable
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.elements import ClauseElement

SQLITE = "sqlite"
POSTGRESQL = "postgresql"

_DIALECTS: dict[str, Dialect] = {
    SQLITE: SQLiteDialect_pysqlite(paramstyle="named"),
    POSTGRESQL: PGDialect_psycopg(paramstyle="pyformat"),  # type: ignore[no-untyped-call]
}

Row = tuple[Any, ...]
Result = TypeVar("Result")


class Statement:
    """An SQL statement of SQLAlchemy's, compiled for each dialect when it is first run in it."""

    __slots__ = ("_by_dialect", "_executable")

    def __init__(self, executable: Executable) -> None:
        self._executable = executable
        self._by_dialect: dict[str, tuple[str, dict[str, Any]]] = {}

    def compiled(self, dialect: str) -> tuple[str, dict[str, Any]]:
        """Return the statement in a dialect, and the values of its constants."""
        entry = self._by_dialect.get(dialect)
        if entry is None:
            assert isinstance(self._executable, ClauseElement)
            compiler = self._executable.compile(dialect=_DIALECTS[dialect])
            assert isinstance(compiler, SQLCompiler)
            constants = {name: bind.value for name, bind in compiler.binds.items() if not bind.required}
            entry = self._by_dialect[dialect] = (str(compiler), constants)
        return entry


class Cursor(Protocol):
    """What a driver's cursor does for us (PEP 249)."""

    @property
    def rowcount(self) -> int:
        """Return how many rows the last change met."""

    def execute(self, sql: str, values: Any = ..., /) -> Any:
        """Run a statement."""

    def fetchone(self) -> Any:
        """Return the next row."""

    def fetchall(self) -> Sequence[Any]:
        """Return all further rows."""


class Transaction:
    """One transaction under way; each call is a statement, its values given by name."""

    __slots__ = ("_cursor", "dialect")

    def __init__(self, cursor: Cursor, dialect: str) -> None:
        self._cursor = cursor
        self.dialect = dialect

    def rows(self, statement: Statement, **values: object) -> Sequence[Row]:
        """Return all rows of a query."""
        self._execute(statement, values)
        return self._cursor.fetchall()

    def row(self, statement: Statement, **values: object) -> Row | None:
        """Return the first row of a query, or of what a change returns."""
        self._execute(statement, values)
        first: Row | None = self._cursor.fetchone()
        if first is not None and self.dialect == SQLITE:
            # SQLite goes on with a change only as far as its rows are asked for.
            self._cursor.fetchall()
        return first

    def change(self, statement: Statement, **values: object) -> int:
        """Make a change, and return how many rows it met."""
        self._execute(statement, values)
        return self._cursor.rowcount

    def _execute(self, statement: Statement, values: dict[str, object]) -> None:
        sql, constants = statement.compiled(self.dialect)
        self._cursor.execute(sql, {**constants, **values} if constants else values)


Work = Callable[[Transaction], Result]
"""What is done in one transaction. It may run more than once (after a deadlock), so it changes nothing else."""


class Database(Protocol):
    """Where everything is kept. `read` and `write` are one transaction each; `write` returns once it is durable.

    Both raise whatever the work raises, after which nothing of it was done, and `ServiceUnavailable` where the
    database cannot be used just now.
    """

    async def read(self, work: Work[Result]) -> Result:
        """Return what the work finds. It asks for little, by an index: it may be done in the event loop."""

    async def scan(self, work: Work[Result]) -> Result:
        """Return what the work finds, in a thread: it may read for long, and do what takes long with what it reads."""

    async def write(self, work: Work[Result]) -> Result:
        """Return what the work returns, once its changes are durable."""

    def read_transaction(self) -> AbstractContextManager[Transaction]:
        """Return a context in which the caller's own thread reads; for commands and tests."""

    def write_transaction(self) -> AbstractContextManager[Transaction]:
        """Return a context that commits at its end, in the caller's own thread; for commands and tests."""

    def stamp(self) -> int | None:
        """Return a number that is another after each change of anything; None where that is not cheap to know.

        Called in the event loop: it takes some microseconds.
        """

    def close(self) -> None:
        """Give back what the database holds; no call may follow."""
