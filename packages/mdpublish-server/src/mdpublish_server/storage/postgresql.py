"""PostgreSQL: connections that read and connections that write, and a thread for each that is used.

A statement that only reads is a transaction of its own, which spares two turns to the server and back. A transaction that
PostgreSQL breaks off to end a deadlock is begun anew, and so is one whose connection turns out to be dead before it is
committed. While it is being committed nobody knows, and the caller is told so.
"""

import asyncio
import logging
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, closing, contextmanager
from functools import partial

import psycopg
from sqlalchemy import URL, Engine, PoolProxiedConnection, create_engine
from sqlalchemy.engine import make_url
from sqlalchemy.exc import SQLAlchemyError

from mdpublish_server.errors import ServiceUnavailable
from mdpublish_server.storage.transactions import POSTGRESQL, Result, Transaction, Work

# Connections of each kind, and threads that use them: PostgreSQL takes 100 by default, shared by all processes of the
# service, and more threads of one process only wait for each other.
_CONNECTIONS = 8

# Seconds to wait for a connection, and for a lock that another transaction holds.
_POOL_SECONDS = 5
_LOCK_MS = 5_000

# How often a transaction is begun that deadlocks break off.
_ATTEMPTS = 5

_RETRYABLE = (psycopg.errors.DeadlockDetected, psycopg.errors.SerializationFailure)

# What a server says last to those that it sends away; the connection may still look open then.
_DISCONNECTED = (psycopg.errors.AdminShutdown, psycopg.errors.CrashShutdown)

_log = logging.getLogger(__name__)


def psycopg_url(database_url: str) -> URL:
    """Return an address with the driver that we use."""
    return make_url(database_url).set(drivername="postgresql+psycopg")


class _LostError(Exception):
    """A connection was dead before anything was committed."""


class PostgresqlDatabase:
    """The database at a `postgresql://` address."""

    def __init__(self, database_url: str) -> None:
        url = psycopg_url(database_url)
        self._reads = _engine_of(url, autocommit=True)
        self._writes = _engine_of(url, autocommit=False)
        self._readers = ThreadPoolExecutor(_CONNECTIONS, thread_name_prefix="mdpublish-read")
        self._writers = ThreadPoolExecutor(_CONNECTIONS, thread_name_prefix="mdpublish-write")

    async def read(self, work: Work[Result]) -> Result:
        """Return what the work finds, in a thread."""
        running = partial(self._run, self.read_transaction, work)
        return await asyncio.get_running_loop().run_in_executor(self._readers, running)

    async def scan(self, work: Work[Result]) -> Result:
        """Return what the work finds, in a thread."""
        return await self.read(work)

    async def write(self, work: Work[Result]) -> Result:
        """Return what the work returns, once its changes are committed."""
        running = partial(self._run, self.write_transaction, work)
        return await asyncio.get_running_loop().run_in_executor(self._writers, running)

    def read_transaction(self) -> AbstractContextManager[Transaction]:
        """Return a context in which the caller's own thread reads, each statement for itself."""
        return _connected(self._reads)

    def write_transaction(self) -> AbstractContextManager[Transaction]:
        """Return a context that commits at its end, in the caller's own thread."""
        return _connected(self._writes)

    def stamp(self) -> None:
        """Return None: to know whether anything changed takes as long as to look for what is wanted."""
        return

    def close(self) -> None:
        """Let what is under way finish, and close every connection."""
        self._readers.shutdown()
        self._writers.shutdown()
        self._reads.dispose()
        self._writes.dispose()

    def _run(self, begin: Callable[[], AbstractContextManager[Transaction]], work: Work[Result]) -> Result:
        retries = lost = 0
        while True:
            try:
                with begin() as transaction:
                    return work(transaction)
            except _RETRYABLE as error:
                retries += 1
                if retries == _ATTEMPTS:
                    raise _unavailable(error) from error
            except _LostError as error:
                # Where the server was started anew, every connection of the pool is dead, and is met once.
                lost += 1
                if lost > _CONNECTIONS:
                    raise _unavailable(error.__cause__ or error) from error


def _engine_of(url: URL, *, autocommit: bool) -> Engine:
    return create_engine(
        url,
        isolation_level="AUTOCOMMIT" if autocommit else "READ COMMITTED",
        pool_size=_CONNECTIONS,
        max_overflow=0,
        pool_timeout=_POOL_SECONDS,
        pool_use_lifo=True,
        connect_args={
            "connect_timeout": _POOL_SECONDS,
            "options": f"-c lock_timeout={_LOCK_MS} -c timezone=UTC",
            "prepare_threshold": 3,
        },
    )


@contextmanager
def _connected(engine: Engine) -> Iterator[Transaction]:
    """Return a context with a connection, which is committed at its end unless each statement is."""
    try:
        connection = engine.raw_connection()
    except (psycopg.Error, SQLAlchemyError) as error:
        # The pool passes the driver's errors on as they are; its own tell that no connection was free, or none good.
        raise _unavailable(error) from error
    try:
        try:
            with closing(connection.cursor()) as cursor:
                yield Transaction(cursor, POSTGRESQL)
        except _RETRYABLE:
            raise
        except psycopg.OperationalError as error:
            lost = isinstance(error, _DISCONNECTED) or _is_lost(connection)
            connection.invalidate()
            raise (_LostError() if lost else _unavailable(error)) from error
        try:
            connection.commit()
        except _RETRYABLE:
            raise
        except psycopg.OperationalError as error:
            connection.invalidate()
            raise _unavailable(error) from error
    finally:
        # Back to the pool, which rolls back what was not committed.
        connection.close()


def _is_lost(connection: PoolProxiedConnection) -> bool:
    """Tell whether a connection is dead, and not just unwilling."""
    return bool(getattr(connection.driver_connection, "closed", True))


def _unavailable(error: BaseException) -> ServiceUnavailable:
    """Return what a caller is told of a database that cannot be used; its own words go to the log."""
    _log.warning("the database cannot be used: %s", error)
    return ServiceUnavailable("the database cannot be used just now", headers={"Retry-After": "5"})
