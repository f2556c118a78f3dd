"""SQLite: one file, one writer, readers beside it.

    write ──▶ queue ──▶ a batch: BEGIN IMMEDIATE, a SAVEPOINT a request, COMMIT (in a thread) ──▶ answers

SQLite has one writer at a time. The transactions of all requests that wait go into one, which takes one write to the disk
instead of many; a request is answered after the commit, so what was answered survives a power cut. One that fails is
rolled back to its savepoint and harms no other. While a batch is on its way to the disk, the next one gathers.

Statements are run in the event loop: each asks for a row, or for a hundred of them, by an index, and takes microseconds,
which is less than a thread would take to be told. What waits, for the disk or for another process's lock, is done in a
thread. Reads wait for nobody: they see what was committed last.
"""

import asyncio
import logging
import sqlite3
from collections import deque
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from queue import Empty, SimpleQueue
from typing import Any

from mdpublish_server.errors import ServiceError, ServiceUnavailable
from mdpublish_server.storage.transactions import SQLITE, Result, Transaction, Work

BUSY_TIMEOUT_MS = 5_000
"""How long a connection waits for another process's lock: far longer than any of our transactions takes."""

_PRAGMAS = (
    "journal_mode = WAL",  # readers beside the writer
    "synchronous = FULL",  # what was answered survives a power cut
    "cache_size = -16000",  # KiB of pages a connection keeps
    "wal_autocheckpoint = 0",  # it would be done by a commit, for which many requests wait; see `_checkpoint`
    "journal_size_limit = 67108864",  # bytes that a log keeps of the disk when it is begun anew
)

CHECKPOINT_SECONDS = 1.0
"""Between two times that what stands in the log is moved into the database."""

WAL_PAGES = 16_384
"""Pages of 4 KiB that the log may have before it is begun anew, for which writers wait: 64 MB. Without that it grows for as
long as writers leave no pause."""

# That writers wait at most for readers, when the log is begun anew.
_RESTART_TIMEOUT_MS = 100

# Requests in one transaction: the event loop does nothing else while their statements run, some milliseconds.
_BATCH = 64

# Requests that wait for their batch. At a thousand a second that is a second.
_MAX_WAITING = 1_000

_CACHED_STATEMENTS = 256

_log = logging.getLogger(__name__)

_Job = tuple[Work[Any], asyncio.Future[Any]]
_Outcome = tuple[asyncio.Future[Any], Any, Exception | None]


class SqliteDatabase:
    """The database in a file; `read` and `write` are for one event loop."""

    def __init__(
        self,
        path: str,
        *,
        busy_timeout_ms: int = BUSY_TIMEOUT_MS,
        checkpoint_seconds: float = CHECKPOINT_SECONDS,
        wal_pages: int = WAL_PAGES,
    ) -> None:
        self._path = path
        self._busy_timeout_ms = busy_timeout_ms
        self._checkpoint_seconds = checkpoint_seconds
        self._wal_pages = wal_pages
        self._idle: SimpleQueue[sqlite3.Connection] = SimpleQueue()
        self._stamps: sqlite3.Connection | None = None
        self._stamp: int | None = None
        self._stamp_holds = False
        self._writer: sqlite3.Connection | None = None
        self._jobs: deque[_Job] = deque()
        self._batches: asyncio.Task[None] | None = None
        self._disk = ThreadPoolExecutor(1, thread_name_prefix="mdpublish-disk")
        # Beside the commits, which need not wait for it.
        self._checkpoints = ThreadPoolExecutor(1, thread_name_prefix="mdpublish-checkpoint")
        self._scans = ThreadPoolExecutor(1, thread_name_prefix="mdpublish-scan")
        self._checkpointed_at = 0.0
        self._is_wal_long = False

    async def read(self, work: Work[Result]) -> Result:
        """Return what the work finds."""
        with self.read_transaction() as transaction:
            return work(transaction)

    async def scan(self, work: Work[Result]) -> Result:
        """Return what the work finds, in a thread; works wait for each other."""

        def scan() -> Result:
            with self.read_transaction() as transaction:
                return work(transaction)

        return await asyncio.get_running_loop().run_in_executor(self._scans, scan)

    async def write(self, work: Work[Result]) -> Result:
        """Return what the work returns, once the transaction that it was part of is on the disk."""
        if len(self._jobs) >= _MAX_WAITING:
            raise ServiceUnavailable("too many changes wait to be written", headers={"Retry-After": "1"})
        done: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._jobs.append((work, done))
        if self._batches is None or self._batches.done():
            self._batches = asyncio.create_task(self._write_all())
        result: Result = await done
        return result

    @contextmanager
    def read_transaction(self) -> Iterator[Transaction]:
        """Return a context in which the caller's own thread reads."""
        connection = self._acquire()
        try:
            connection.execute("BEGIN")
            yield Transaction(connection.cursor(), SQLITE)
        except sqlite3.OperationalError as error:
            raise _unavailable(error) from error
        finally:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            self._idle.put(connection)

    @contextmanager
    def write_transaction(self) -> Iterator[Transaction]:
        """Return a context that commits at its end, in the caller's own thread."""
        connection = self._connect()
        try:
            connection.execute("BEGIN IMMEDIATE")
            yield Transaction(connection.cursor(), SQLITE)
            connection.execute("COMMIT")
        except sqlite3.OperationalError as error:
            raise _unavailable(error) from error
        finally:
            self._release_stamp()
            connection.close()

    def stamp(self) -> int | None:
        """Return SQLite's count of what other connections have committed.

        Within one turn of the event loop it is asked for once: what is committed meanwhile, nobody was told yet.
        """
        if not self._stamp_holds:
            self._stamp = self._newest_stamp()
            self._stamp_holds = True
            asyncio.get_running_loop().call_soon(self._release_stamp)
        return self._stamp

    def close(self) -> None:
        """Close every connection; what is on its way to the disk gets there."""
        self._disk.shutdown()
        self._checkpoints.shutdown()
        self._scans.shutdown()
        self._close_writer()
        while True:
            try:
                self._idle.get_nowait().close()
            except Empty:
                break
        if self._stamps is not None:
            self._stamps.close()
            self._stamps = None

    def _newest_stamp(self) -> int | None:
        try:
            if self._stamps is None:
                self._stamps = self._connect()
            number: int = self._stamps.execute("PRAGMA data_version").fetchone()[0]
        except (sqlite3.OperationalError, ServiceUnavailable):
            return None
        return number

    def _release_stamp(self) -> None:
        self._stamp_holds = False

    def _connect(self) -> sqlite3.Connection:
        # `mode=rw`: a file that is gone is an error, not an empty database.
        try:
            connection = sqlite3.connect(
                file_uri(self._path, mode="rw"), uri=True, check_same_thread=False, cached_statements=_CACHED_STATEMENTS
            )
            configure_connection(connection, busy_timeout_ms=self._busy_timeout_ms)
        except sqlite3.OperationalError as error:
            raise _unavailable(error) from error
        return connection

    def _acquire(self) -> sqlite3.Connection:
        try:
            return self._idle.get_nowait()
        except Empty:
            return self._connect()

    async def _write_all(self) -> None:
        """Write batches for as long as requests wait."""
        while self._jobs:
            batch = [self._jobs.popleft() for _ in range(min(len(self._jobs), _BATCH))]
            try:
                outcomes = await self._write_batch(batch)
            except Exception as error:  # noqa: BLE001  (whatever it is, the requests must hear of it)
                _log.warning("the database cannot be written: %s", error)
                self._close_writer()
                outcomes = [(done, None, _unavailable(error)) for _, done in batch]
            for done, result, failure in outcomes:
                if done.done():
                    continue
                if failure is None:
                    done.set_result(result)
                else:
                    done.set_exception(failure)

    async def _write_batch(self, batch: list[_Job]) -> list[_Outcome]:
        """Do a batch in one transaction, and return what to tell each request, once it is on the disk."""
        loop = asyncio.get_running_loop()
        if self._writer is None:
            self._writer = self._connect()
        writer = self._writer
        if self._is_wal_long:
            self._is_wal_long = False
            await loop.run_in_executor(self._disk, _restart_wal, writer)
        await self._begin(writer)
        cursor = writer.cursor()
        transaction = Transaction(cursor, SQLITE)
        outcomes = [
            _run_in_savepoint(writer, cursor, transaction, work, done) for work, done in batch if not done.done()
        ]
        await loop.run_in_executor(self._disk, writer.execute, "COMMIT")
        if loop.time() - self._checkpointed_at >= self._checkpoint_seconds:
            self._checkpointed_at = loop.time()
            self._checkpoints.submit(self._checkpoint)
        return outcomes

    async def _begin(self, writer: sqlite3.Connection) -> None:
        """Begin a transaction: at once, or, where another process holds the lock, in a thread that waits for it."""
        writer.execute("PRAGMA busy_timeout = 0")
        try:
            writer.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                raise
            writer.execute(f"PRAGMA busy_timeout = {self._busy_timeout_ms}")
            await asyncio.get_running_loop().run_in_executor(self._disk, writer.execute, "BEGIN IMMEDIATE")

    def _checkpoint(self) -> None:
        """Move what is committed from the log into the database, as far as no reader still needs it, beside all others."""
        try:
            with closing(self._connect()) as connection:
                _, pages, _ = connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
            # Only the writer can begin it anew without waiting for a pause between two writes, which may never come.
            self._is_wal_long = pages > self._wal_pages
        except (sqlite3.OperationalError, ServiceUnavailable) as error:
            _log.warning(
                "the log could not be moved into the database, which is tried again: %s", error.__cause__ or error
            )

    def _close_writer(self) -> None:
        if self._writer is not None:
            self._writer.close()
            self._writer = None


def _restart_wal(writer: sqlite3.Connection) -> None:
    """Move the rest of the log into the database, so that the next commit stands at its beginning.

    A reader that is slow puts it off until the next time.
    """
    writer.execute(f"PRAGMA busy_timeout = {_RESTART_TIMEOUT_MS}")
    writer.execute("PRAGMA wal_checkpoint(RESTART)").fetchone()


def configure_connection(connection: Any, *, busy_timeout_ms: int = BUSY_TIMEOUT_MS, foreign_keys: bool = True) -> None:
    """Set up a connection of SQLite's driver: it begins no transaction by itself.

    Without `foreign_keys` a table can be replaced while others refer to it, which a migration does.
    """
    connection.isolation_level = None
    # First, since the next one may have to wait.
    connection.execute(f"PRAGMA busy_timeout = {busy_timeout_ms}")
    for pragma in _PRAGMAS:
        connection.execute(f"PRAGMA {pragma}")
    connection.execute(f"PRAGMA foreign_keys = {'ON' if foreign_keys else 'OFF'}")


def _run_in_savepoint(
    writer: sqlite3.Connection,
    cursor: sqlite3.Cursor,
    transaction: Transaction,
    work: Work[Any],
    done: asyncio.Future[Any],
) -> _Outcome:
    """Do a request's work; what fails is undone, and the request's own to hear of.

    Raises what broke the whole transaction: at a full disk SQLite rolls it back, the others' changes too.
    """
    cursor.execute("SAVEPOINT request")
    try:
        outcome: _Outcome = (done, work(transaction), None)
    except Exception as error:
        if not writer.in_transaction:
            raise
        cursor.execute("ROLLBACK TO request")
        outcome = (done, None, _unavailable(error) if isinstance(error, sqlite3.OperationalError) else error)
    cursor.execute("RELEASE request")
    return outcome


def file_uri(path: str, *, mode: str) -> str:
    """Return how SQLite is told of a file and of what may be done: `rw`, or `rwc`, which makes it where it is missing."""
    quoted = path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    return f"file:{quoted}?mode={mode}"


def _unavailable(error: Exception) -> Exception:
    """Return what a caller is told of a database that cannot be used; its own words go to the log."""
    if isinstance(error, ServiceError):
        return error
    unavailable = ServiceUnavailable("the database cannot be used just now", headers={"Retry-After": "5"})
    unavailable.__cause__ = error
    return unavailable
