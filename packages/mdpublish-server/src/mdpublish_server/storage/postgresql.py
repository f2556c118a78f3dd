"""PostgreSQL: a pool of connections, and a thread for each that is used.

A transaction that PostgreSQL breaks off to end a deadlock is begun anew; one whose connection turns out to be dead, too,
if it has only read.
"""

import asyncio
import logging
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from functools import partial

import psycopg
from sqlalchemy import URL, create_engine
from sqlalchemy.engine import make_url
from sqlalchemy.exc import SQLAlchemyError

from mdpublish_server.errors import ServiceUnavailable
from mdpublish_server.storage.transactions import POSTGRESQL, Result, Transaction, Work

# Connections, and threads that use them: PostgreSQL takes 100 by default, shared by all processes of the service.
_CONNECTIONS = 16

# Seconds to wait for a connection, and for a lock that another transaction holds.
_POOL_SECONDS = 5
_LOCK_MS = 5_000

_ATTEMPTS = 5

_BROKEN_OFF = (psycopg.errors.DeadlockDetected, psycopg.errors.SerializationFailure)

_log = logging.getLogger(__name__)


def psycopg_url(database_url: str) -> URL:
    """Return an address with the driver that we use."""
    return make_url(database_url).set(drivername="postgresql+psycopg")


class PostgresqlDatabase:
    """The database at a `postgresql://` address."""

    def __init__(self, database_url: str) -> None:
        self._url = psycopg_url(database_url)
        self._engine = create_engine(
            self._url,
            pool_size=_CONNECTIONS,
            max_overflow=0,
            pool_timeout=_POOL_SECONDS,
            pool_pre_ping=True,  # a server that was restarted is met by no request
            pool_use_lifo=True,
            connect_args={
                "connect_timeout": _POOL_SECONDS,
                "options": f"-c lock_timeout={_LOCK_MS} -c timezone=UTC",
                "prepare_threshold": 3,
            },
        )
        self._threads = ThreadPoolExecutor(_CONNECTIONS, thread_name_prefix="mdpublish-sql")

    async def read(self, work: Work[Result]) -> Result:
        """Return what the work finds, in a thread."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, partial(self._run, work))

    async def write(self, work: Work[Result]) -> Result:
        """Return what the work returns, once its changes are committed."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, partial(self._run, work))

    @contextmanager
    def writing(self) -> Iterator[Transaction]:
        """Return a context that commits at its end, in the caller's own thread."""
        try:
            connection = self._engine.raw_connection()
        except (psycopg.Error, SQLAlchemyError) as error:
            # The pool passes the driver's errors on as they are; its own tell that no connection was free, or none good.
            raise _unavailable(error) from error
        try:
            with closing(connection.cursor()) as cursor:
                yield Transaction(cursor, POSTGRESQL)
            connection.commit()
        except _BROKEN_OFF:
            raise
        except psycopg.OperationalError as error:
            connection.invalidate()
            raise _unavailable(error) from error
        finally:
            # Back to the pool, which rolls back what was not committed.
            connection.close()

    reading = writing

    def stamp(self) -> None:
        """Return None: to know whether anything changed takes as long as to look for what is wanted."""
        return

    def close(self) -> None:
        """Let what is under way finish, and close every connection."""
        self._threads.shutdown()
        self._engine.dispose()

    def _run(self, work: Work[Result]) -> Result:
        for attempt in range(_ATTEMPTS):
            try:
                with self.writing() as transaction:
                    return work(transaction)
            except _BROKEN_OFF as error:
                if attempt == _ATTEMPTS - 1:
                    raise _unavailable(error) from error
        raise AssertionError


def _unavailable(error: Exception) -> ServiceUnavailable:
    """Return what a caller is told of a database that cannot be used; its own words go to the log."""
    _log.warning("the database cannot be used: %s", error)
    return ServiceUnavailable("the database cannot be used just now", headers={"Retry-After": "5"})
