"""PostgreSQL: separate pools for reads and writes, one thread per connection.

Reads and changes of one statement use autocommit, which saves two round trips. Deadlocks, and connections found dead
before the commit, are retried; if the connection fails during it, the outcome is unknown, which is an error.

A connection without a response is shut down after some seconds. While the database is down, one request at a time tries
it; others are refused.
"""

import asyncio
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from datetime import datetime
from functools import partial
from typing import Any, cast

import psycopg
from psycopg.adapt import Dumper
from sqlalchemy import URL, Engine, PoolProxiedConnection, create_engine
from sqlalchemy.engine import make_url
from sqlalchemy.exc import SQLAlchemyError

from mdpublish_server.storage.outages import Attempt, NoConnection, Outage
from mdpublish_server.storage.stamps import Stamps
from mdpublish_server.storage.timestamps import to_microseconds
from mdpublish_server.storage.transactions import POOLED, POSTGRESQL, P, Result, Stamp, Transaction, Work, WorkOf, bound

# PostgreSQL allows 100 by default, shared by all processes.
_CONNECTIONS = 8

_SCANS = 2
"""Searches and the like, which must not take the connections of short reads."""

_POOL_SECONDS = 5
_CONNECT_SECONDS = 2
_LOCK_MS = 5_000

# Reads wait for no lock; the sitemap takes seconds.
_READ_SECONDS = 3.0
_WRITE_SECONDS = 6.0
_SCAN_SECONDS = 60.0

_ATTEMPTS = 5

_RETRYABLE = (psycopg.errors.DeadlockDetected, psycopg.errors.SerializationFailure)

# The server is shutting down; the connection may still look open.
_DISCONNECTED = (psycopg.errors.AdminShutdown, psycopg.errors.CrashShutdown)


def psycopg_url(database_url: str) -> URL:
    return make_url(database_url).set(drivername="postgresql+psycopg").difference_update_query([POOLED])


class _TimeDumper(Dumper):
    """Passes times as numbers of microseconds, as SQLite's adapter does."""

    oid = psycopg.adapters.types["int8"].oid

    def dump(self, obj: datetime) -> bytes:
        return str(to_microseconds(obj)).encode()


psycopg.adapters.register_dumper(datetime, _TimeDumper)


class _LostError(Exception):
    """A connection found dead before the commit."""


class PostgresqlDatabase:
    """A PostgreSQL database."""

    def __init__(
        self, database_url: str, *, read_seconds: float = _READ_SECONDS, write_seconds: float = _WRITE_SECONDS
    ) -> None:
        self.removals = 0
        self._read_seconds = read_seconds
        self._write_seconds = write_seconds
        self._outage = Outage()
        url = psycopg_url(database_url)
        is_pooled = make_url(database_url).query.get(POOLED) == "true"
        options = _options(is_pooled=is_pooled)
        self._reads = _engine_of(url, options, autocommit=True)
        # Not prepared: a plan for all parameters may read a whole table, where one for those given reads some rows.
        self._scans = _engine_of(url, {**options, "prepare_threshold": None}, autocommit=True, connections=_SCANS)
        self._writes = _engine_of(url, options, autocommit=False)
        self._stamps = Stamps(partial(_connect, self._reads, url, options), is_prepared=not is_pooled)
        self._scanners = ThreadPoolExecutor(_SCANS, thread_name_prefix="mdpublish-scan")
        self._readers = ThreadPoolExecutor(_CONNECTIONS, thread_name_prefix="mdpublish-read")
        self._writers = ThreadPoolExecutor(_CONNECTIONS, thread_name_prefix="mdpublish-write")

    async def read(self, work: WorkOf[P, Result], /, *args: P.args, **named: P.kwargs) -> Result:
        return await self._submit(self._readers, self._reads, bound(work, *args, **named), self._read_seconds)

    async def scan(self, work: WorkOf[P, Result], /, *args: P.args, **named: P.kwargs) -> Result:
        return await self._submit(self._scanners, self._scans, bound(work, *args, **named), _SCAN_SECONDS)

    async def write(self, work: WorkOf[P, Result], /, *args: P.args, **named: P.kwargs) -> Result:
        return await self._submit(self._writers, self._writes, bound(work, *args, **named), self._write_seconds)

    async def write_reserved(self, work: WorkOf[P, Result], /, *args: P.args, **named: P.kwargs) -> Result:
        removal = bound(work, *args, **named)
        return await self._submit(self._writers, self._writes, removal, self._write_seconds, is_removal=True)

    async def write_once(self, work: Work[Result]) -> Result | None:
        try:
            return await self._submit(self._writers, self._writes, work, self._write_seconds, is_once=True)
        except _LostError:
            return None

    def read_transaction(self) -> AbstractContextManager[Transaction]:
        return _connected(self._reads, Attempt(), self._outage)

    def write_transaction(self) -> AbstractContextManager[Transaction]:
        return _connected(self._writes, Attempt(), self._outage)

    async def stamp(self) -> Stamp | None:
        return None if self._outage.is_down else await self._stamps.read()

    def close(self) -> None:
        self._stamps.close()
        self._scanners.shutdown()
        self._readers.shutdown()
        self._writers.shutdown()
        self._scans.dispose()
        self._reads.dispose()
        self._writes.dispose()

    async def _submit(
        self,
        threads: ThreadPoolExecutor,
        engine: Engine,
        work: Work[Result],
        seconds: float,
        *,
        is_once: bool = False,
        is_removal: bool = False,
    ) -> Result:
        self.removals += is_removal
        # Checked before there is a thread, since all may be waiting for the database.
        with self._outage.admitted() as attempt:
            loop = asyncio.get_running_loop()
            deadline = loop.call_later(seconds, attempt.expire)
            running = loop.run_in_executor(threads, partial(self._run, engine, work, attempt, is_once=is_once))

            def end(_: object) -> None:
                deadline.cancel()
                self.removals += is_removal

            # Also if the request is canceled: its thread goes on.
            running.add_done_callback(end)
            return await asyncio.shield(running)

    def _run(self, engine: Engine, work: Work[Result], attempt: Attempt, *, is_once: bool) -> Result:
        # The database may have gone down while this waited for a thread.
        self._outage.require(attempt)
        retries = lost = 0
        while True:
            try:
                with _connected(engine, attempt, self._outage, is_once=is_once) as transaction:
                    result = work(transaction)
            except _RETRYABLE as error:
                retries += 1
                if retries == _ATTEMPTS:
                    raise self._outage.unavailable(error) from error
            except (_LostError, NoConnection) as error:
                # After a server restart, each pooled connection fails once.
                lost += 1
                if attempt.is_expired:
                    engine.dispose()
                if attempt.is_expired or lost > _CONNECTIONS or isinstance(error, NoConnection):
                    self._outage.begin()
                    raise self._outage.unavailable(error.__cause__ or error) from error
                if is_once:
                    raise
            else:
                self._outage.end()
                return result


def _options(*, is_pooled: bool) -> Mapping[str, Any]:
    """Return options of connections; pooled sessions take none that outlast a transaction."""
    session = {"prepare_threshold": 3, "options": f"-c lock_timeout={_LOCK_MS} -c timezone=UTC"}
    return {"connect_timeout": _CONNECT_SECONDS, **({"prepare_threshold": None} if is_pooled else session)}


def _engine_of(url: URL, options: Mapping[str, Any], *, autocommit: bool, connections: int = _CONNECTIONS) -> Engine:
    return create_engine(
        url,
        isolation_level="AUTOCOMMIT" if autocommit else "READ COMMITTED",
        pool_size=connections,
        max_overflow=0,
        pool_timeout=_POOL_SECONDS,
        pool_use_lifo=True,
        connect_args=dict(options),
    )


def _connect(engine: Engine, url: URL, options: Mapping[str, Any]) -> psycopg.Connection[Any]:
    """Return a connection outside the engine's pool."""
    arguments, named = engine.dialect.create_connect_args(url)
    connection = engine.dialect.connect(*arguments, **named, **options, autocommit=True)
    return cast("psycopg.Connection[Any]", connection)


@contextmanager
def _connected(engine: Engine, attempt: Attempt, outage: Outage, *, is_once: bool = False) -> Iterator[Transaction]:
    try:
        connection = engine.raw_connection()
    except (psycopg.Error, SQLAlchemyError) as error:
        raise NoConnection(error) from error
    try:
        with attempt.watching(connection), _autocommit(connection) if is_once else nullcontext():
            try:
                with closing(connection.cursor()) as cursor:
                    yield Transaction(cursor, POSTGRESQL)
            except _RETRYABLE:
                raise
            except (psycopg.OperationalError, psycopg.errors.ReadOnlySqlTransaction) as error:
                # A server that has become read-only was demoted: libpq knows another.
                lost = isinstance(error, _DISCONNECTED) or _is_lost(connection) or _is_demoted(connection, error)
                connection.invalidate()
                raise (_LostError() if lost else outage.unavailable(error)) from error
            try:
                connection.commit()
            except _RETRYABLE:
                raise
            except psycopg.OperationalError as error:
                connection.invalidate()
                raise outage.unavailable(error) from error
    finally:
        # The pool rolls back uncommitted work.
        connection.close()


@contextmanager
def _autocommit(connection: PoolProxiedConnection) -> Iterator[None]:
    driver = cast("psycopg.Connection[Any]", connection.driver_connection)
    driver.autocommit = True
    try:
        yield
    finally:
        if not driver.closed:
            driver.autocommit = False


def _is_demoted(connection: PoolProxiedConnection, error: Exception) -> bool:
    driver = cast("psycopg.Connection[Any]", connection.driver_connection)
    requested = driver.info.get_parameters().get("target_session_attrs")
    return isinstance(error, psycopg.errors.ReadOnlySqlTransaction) and requested in ("read-write", "primary")


def _is_lost(connection: PoolProxiedConnection) -> bool:
    return bool(getattr(connection.driver_connection, "closed", True))
