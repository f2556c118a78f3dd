"""PostgreSQL: separate pools for reads and writes, one thread per connection.

Reads use autocommit, which saves two round trips. Deadlocks, and connections found dead before the commit, are retried;
if the connection fails during it, the outcome is unknown, which is an error.
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

# PostgreSQL allows 100 by default, shared by all processes.
_CONNECTIONS = 8

_POOL_SECONDS = 5
_LOCK_MS = 5_000

_ATTEMPTS = 5

_RETRYABLE = (psycopg.errors.DeadlockDetected, psycopg.errors.SerializationFailure)

# The server is shutting down; the connection may still look open.
_DISCONNECTED = (psycopg.errors.AdminShutdown, psycopg.errors.CrashShutdown)

_log = logging.getLogger(__name__)


def psycopg_url(database_url: str) -> URL:
    return make_url(database_url).set(drivername="postgresql+psycopg")


class _LostError(Exception):
    """A connection found dead before the commit."""


class PostgresqlDatabase:
    """A PostgreSQL database."""

    def __init__(self, database_url: str) -> None:
        url = psycopg_url(database_url)
        self._reads = _engine_of(url, autocommit=True)
        self._writes = _engine_of(url, autocommit=False)
        self._readers = ThreadPoolExecutor(_CONNECTIONS, thread_name_prefix="mdpublish-read")
        self._writers = ThreadPoolExecutor(_CONNECTIONS, thread_name_prefix="mdpublish-write")

    async def read(self, work: Work[Result]) -> Result:
        running = partial(self._run, self.read_transaction, work)
        return await asyncio.get_running_loop().run_in_executor(self._readers, running)

    async def scan(self, work: Work[Result]) -> Result:
        return await self.read(work)

    async def write(self, work: Work[Result]) -> Result:
        running = partial(self._run, self.write_transaction, work)
        return await asyncio.get_running_loop().run_in_executor(self._writers, running)

    def read_transaction(self) -> AbstractContextManager[Transaction]:
        return _connected(self._reads)

    def write_transaction(self) -> AbstractContextManager[Transaction]:
        return _connected(self._writes)

    def stamp(self) -> None:
        """Return None: a check would cost as much as a query."""
        return

    def close(self) -> None:
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
                # After a server restart, each pooled connection fails once.
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
    try:
        connection = engine.raw_connection()
    except (psycopg.Error, SQLAlchemyError) as error:
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
        # The pool rolls back uncommitted work.
        connection.close()


def _is_lost(connection: PoolProxiedConnection) -> bool:
    return bool(getattr(connection.driver_connection, "closed", True))


def _unavailable(error: BaseException) -> ServiceUnavailable:
    _log.warning("Database not available: %s", error)
    return ServiceUnavailable("The database is not available", headers={"Retry-After": "5"})
