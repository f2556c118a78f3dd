"""SQLite: one file, one writer, concurrent readers.

    write ──▶ queue ──▶ batch: BEGIN IMMEDIATE, one SAVEPOINT per request, COMMIT (in a thread) ──▶ results

Waiting requests share a transaction and one disk write (group commit). A failing one is rolled back to its savepoint.
Statements run in the event loop: indexed, they take microseconds, less than a switch to a thread. Waiting for the disk
or for another process's lock happens in a thread, and so does a `LongChange`.
"""

import asyncio
import logging
import sqlite3
from collections import deque
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from functools import partial
from math import inf
from pathlib import Path
from queue import Empty, SimpleQueue
from shutil import disk_usage
from time import monotonic, sleep
from typing import Any, NamedTuple

from mdpublish_server.errors import ServiceError, ServiceUnavailable
from mdpublish_server.storage.disk_reserve import DiskReserve
from mdpublish_server.storage.page_changes import page_changes
from mdpublish_server.storage.timestamps import to_microseconds
from mdpublish_server.storage.transactions import SQLITE, LongChange, P, Result, Stamp, Transaction, Work, WorkOf, bound
from mdpublish_server.throttled_log import ThrottledLog

sqlite3.register_adapter(datetime, to_microseconds)

BUSY_TIMEOUT_MS = 5_000

_PRAGMAS = (
    "journal_mode = WAL",  # readers don't block the writer
    "synchronous = FULL",  # commits survive a power failure
    "cache_size = -16000",  # KiB of page cache per connection
    "wal_autocheckpoint = 0",  # delays a commit; see `_checkpoint`
    "journal_size_limit = 67108864",  # bytes kept on restart
)

CHECKPOINT_SECONDS = 1.0

WAL_PAGES = 16_384
"""64 MB, which force a restart; without pauses between writes, the log grows forever."""

_RESTART_TIMEOUT_MS = 100

_RETRY_SECONDS = 0.01

_LOCK_TIMEOUT_MS = 1_000  # an idle service keeps its connections

# Requests per transaction; their statements block the event loop for milliseconds.
_BATCH = 64

# Queued requests: a second's worth at 1,000 a second.
_MAX_WAITING = 1_000

_CACHED_STATEMENTS = 256

_log = logging.getLogger(__name__)

_MARGIN_BYTES = 4 * 1024 * 1024
"""For the log's growth by one batch; a longer one fails, and leaves its room to the log."""

_FREE_PAGES = 1_024
"""4 MB of freed pages take a few documents."""

_FULL_DISK = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR}
"""Primary result codes; a quota that is used up is an error of writing."""


class _Job(NamedTuple):
    work: Work[Any]
    done: asyncio.Future[Any]
    uses_reserve: bool


_Outcome = tuple[asyncio.Future[Any], Any, Exception | None]


class SqliteDatabase:
    """`read` and `write` must be used from one event loop."""

    def __init__(
        self,
        path: str,
        *,
        busy_timeout_ms: int = BUSY_TIMEOUT_MS,
        checkpoint_seconds: float = CHECKPOINT_SECONDS,
        wal_pages: int = WAL_PAGES,
        reserve: DiskReserve | None = None,
    ) -> None:
        self.removals = 0
        self._path = path
        self._file = Path(path)
        self._reserve = reserve
        self._busy_timeout_ms = busy_timeout_ms
        self._checkpoint_seconds = checkpoint_seconds
        self._wal_pages = wal_pages
        self._outages = ThrottledLog(_log)
        self._idle: SimpleQueue[sqlite3.Connection] = SimpleQueue()
        self._stamps: sqlite3.Connection | None = None
        self._stamp: Stamp | None = None
        self._data_version: int | None = None
        self._stamp_holds = False
        self._shared_read: sqlite3.Connection | None = None
        self._writer: sqlite3.Connection | None = None
        self._jobs: deque[_Job] = deque()
        self._batches: asyncio.Task[None] | None = None
        self._disk = ThreadPoolExecutor(1, thread_name_prefix="mdpublish-disk")
        # Must not delay commits.
        self._checkpoints = ThreadPoolExecutor(1, thread_name_prefix="mdpublish-checkpoint")
        self._scans = ThreadPoolExecutor(1, thread_name_prefix="mdpublish-scan")
        self._checkpointed_at = 0.0
        self._is_wal_long = False

    async def read(self, work: WorkOf[P, Result], /, *args: P.args, **named: P.kwargs) -> Result:
        """Share a transaction with the other reads of an event loop iteration: no client knows of a later commit."""
        try:
            if self._shared_read is None:
                self._shared_read = self._begin_read()
                # Before its first statement, which takes the snapshot: callbacks of later commits run after it ends.
                asyncio.get_running_loop().call_soon(self._end_shared_read)
            return work(Transaction(self._shared_read.cursor(), SQLITE), *args, **named)
        except sqlite3.OperationalError as error:
            raise _unavailable(error) from error

    async def scan(self, work: WorkOf[P, Result], /, *args: P.args, **named: P.kwargs) -> Result:
        """Run in a thread, one scan at a time."""

        def scan() -> Result:
            with self.read_transaction() as transaction:
                return work(transaction, *args, **named)

        return await asyncio.get_running_loop().run_in_executor(self._scans, scan)

    async def write(self, work: WorkOf[P, Result], /, *args: P.args, **named: P.kwargs) -> Result:
        return await self._queued(bound(work, *args, **named))

    async def write_reserved(self, work: WorkOf[P, Result], /, *args: P.args, **named: P.kwargs) -> Result:
        self.removals += 1
        try:
            return await self._queued(bound(work, *args, **named), uses_reserve=True)
        finally:
            self.removals += 1

    async def _queued(self, work: Work[Result], *, uses_reserve: bool = False) -> Result:
        if len(self._jobs) >= _MAX_WAITING:
            raise ServiceUnavailable("Too many pending writes; retry", retry_after=1)
        done: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._jobs.append(_Job(work, done, uses_reserve))
        if self._batches is None or self._batches.done():
            self._batches = asyncio.create_task(self._write_all())
        result: Result = await done
        return result

    async def write_once(self, work: Work[Result]) -> Result | None:
        return await self._queued(work)

    @contextmanager
    def read_transaction(self) -> Iterator[Transaction]:
        connection = self._begin_read()
        try:
            yield Transaction(connection.cursor(), SQLITE)
        except sqlite3.OperationalError as error:
            raise _unavailable(error) from error
        finally:
            self._end_read(connection)

    @contextmanager
    def write_transaction(self) -> Iterator[Transaction]:
        connection = self._connect()
        try:
            connection.execute("BEGIN IMMEDIATE")
            yield Transaction(connection.cursor(), SQLITE)
            connection.execute("COMMIT")
        except sqlite3.OperationalError as error:
            raise _unavailable(error) from error
        finally:
            self._release_stamp()
            self._end_shared_read()
            connection.close()

    async def stamp(self) -> Stamp | None:
        """Return the counters, read again when SQLite's `data_version` says that another connection has committed.

        Cached for one event loop iteration: no client knows of a later commit.
        """
        if not self._stamp_holds:
            self._stamp = self._newest_stamp()
            self._stamp_holds = True
            asyncio.get_running_loop().call_soon(self._release_stamp)
        return self._stamp

    def close(self) -> None:
        self._disk.shutdown()
        self._checkpoints.shutdown()
        self._scans.shutdown()
        self._close_writer()
        self._end_shared_read()
        while True:
            try:
                self._idle.get_nowait().close()
            except Empty:
                break
        if self._stamps is not None:
            self._stamps.close()
            self._stamps = None

    def _newest_stamp(self) -> Stamp | None:
        try:
            if self._stamps is None:
                self._stamps = self._connect()
            # First: a commit after it changes it again.
            (version,) = self._stamps.execute("PRAGMA data_version").fetchone()
            if version == self._data_version and self._stamp is not None:
                return self._stamp
            self._data_version = version
            return page_changes(Transaction(self._stamps.cursor(), SQLITE))
        except (sqlite3.OperationalError, ServiceUnavailable):
            return None

    def _release_stamp(self) -> None:
        self._stamp_holds = False

    def _connect(self) -> sqlite3.Connection:
        # A missing file is an error.
        try:
            connection = sqlite3.connect(
                file_uri(self._path, mode="rw"), uri=True, check_same_thread=False, cached_statements=_CACHED_STATEMENTS
            )
            configure_connection(connection, busy_timeout_ms=self._busy_timeout_ms)
        except sqlite3.OperationalError as error:
            raise _unavailable(error) from error
        return connection

    def _begin_read(self) -> sqlite3.Connection:
        try:
            connection = self._idle.get_nowait()
        except Empty:
            connection = self._connect()
        connection.execute("BEGIN")
        return connection

    def _end_read(self, connection: sqlite3.Connection) -> None:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        self._idle.put(connection)

    def _end_shared_read(self) -> None:
        connection, self._shared_read = self._shared_read, None
        if connection is not None:
            self._end_read(connection)

    async def _write_all(self) -> None:
        while self._jobs:
            batch = [self._jobs.popleft() for _ in range(min(len(self._jobs), _BATCH))]
            try:
                if not await self._has_room():
                    self._outages.warning("The disk is full: only deletions and the like are done until there is room")
                    _fail([job for job in batch if not job.uses_reserve], _no_room())
                    batch = [job for job in batch if job.uses_reserve]
                _set_results(await self._write_batch(batch))
            except Exception as error:  # noqa: BLE001  (passed to the requests)
                await self._recover(batch, error)

    async def _recover(self, batch: list[_Job], error: Exception) -> None:
        """Write what `batch` may write with the reserve, if that helps; fail the others."""
        self._outages.warning("Cannot write to the database: %s", error)
        self._close_writer()
        urgent = [job for job in batch if job.uses_reserve]
        if urgent and self._reserve is not None and _is_full(error):
            self._reserve.give_up()
            try:
                # An empty log begins again in the room that it has.
                await asyncio.get_running_loop().run_in_executor(self._disk, self._checkpoint)
                _set_results(await self._write_batch(urgent))
            except Exception as second:  # noqa: BLE001  (passed to the requests)
                self._close_writer()
                error = second
        _fail(batch, _unavailable(error))

    async def _has_room(self) -> bool:
        """Return whether any work may be done, not only what uses the reserve."""
        if self._reserve is None:
            return True
        growth = 0 if self._writer is None else self._growth(self._writer)
        if growth > self._reserve.size // 2:
            # Another program may fill the disk at any time: then the reserve must suffice.
            self._checkpointed_at = -inf
        if self._reserve.is_held() and self._free_bytes() >= growth + _MARGIN_BYTES:
            return True
        return await asyncio.get_running_loop().run_in_executor(self._disk, self._make_room, self._reserve)

    def _make_room(self, reserve: DiskReserve) -> bool:
        """Empty the log and take the reserve again; pages of the file that deletions freed are room, too."""
        self._checkpoint()
        with closing(self._connect()) as connection:
            if reserve.hold() and self._free_bytes() >= self._growth(connection) + _MARGIN_BYTES:
                return True
            (pages,) = connection.execute("PRAGMA freelist_count").fetchone()
            return bool(pages >= _FREE_PAGES)

    async def _write_batch(self, batch: list[_Job]) -> list[_Outcome]:
        loop = asyncio.get_running_loop()
        if self._writer is None:
            self._writer = self._connect()
        writer = self._writer
        if self._is_wal_long:
            self._is_wal_long = False
            await loop.run_in_executor(self._disk, _restart_wal, writer)
        await self._begin(writer)
        outcomes = _run_jobs(writer, batch, in_event_loop=True)
        long = {done for done, _, failure in outcomes if isinstance(failure, LongChange)}
        if long:
            rerun = partial(_run_jobs, writer, [job for job in batch if job.done in long], in_event_loop=False)
            outcomes = [each for each in outcomes if each[0] not in long]
            outcomes += await loop.run_in_executor(self._disk, rerun)
        await loop.run_in_executor(self._disk, writer.execute, "COMMIT")
        if loop.time() - self._checkpointed_at >= self._checkpoint_seconds:
            self._checkpointed_at = loop.time()
            self._checkpoints.submit(self._checkpoint)
        return outcomes

    async def _begin(self, writer: sqlite3.Connection) -> None:
        """Begin a transaction, waiting in a thread if another process holds the lock."""
        writer.execute("PRAGMA busy_timeout = 0")
        try:
            writer.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                raise
            writer.execute(f"PRAGMA busy_timeout = {self._busy_timeout_ms}")
            await asyncio.get_running_loop().run_in_executor(self._disk, writer.execute, "BEGIN IMMEDIATE")

    def _checkpoint(self) -> None:
        """Copy committed pages without blocking readers or the writer."""
        try:
            with closing(self._connect()) as connection:
                if self._growth(connection) > self._free_bytes():
                    # A part of it would only take the room that the log needs.
                    return
                _, pages, _ = connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
            # Only the writer can restart the log without waiting for a pause between writes.
            self._is_wal_long = pages > self._wal_pages
        except (sqlite3.OperationalError, ServiceUnavailable) as error:
            _log.warning("WAL checkpoint failed, will be retried: %s", error.__cause__ or error)

    def _growth(self, connection: sqlite3.Connection) -> int:
        """Return by how many bytes the file is to grow when the log is copied."""
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        (page_size,) = connection.execute("PRAGMA page_size").fetchone()
        return int(pages * page_size - self._file.stat().st_size)

    def _free_bytes(self) -> int:
        return disk_usage(self._file.parent).free

    def _close_writer(self) -> None:
        writer, self._writer = self._writer, None
        if writer is not None:
            # Statements that an error interrupted would keep the lock.
            with suppress(sqlite3.Error):
                writer.rollback()
            writer.close()


def _restart_wal(writer: sqlite3.Connection) -> None:
    """Let the next commit start a new log, unless a slow reader blocks it."""
    writer.execute(f"PRAGMA busy_timeout = {_RESTART_TIMEOUT_MS}")
    writer.execute("PRAGMA wal_checkpoint(RESTART)").fetchone()


def configure_connection(connection: Any, *, busy_timeout_ms: int = BUSY_TIMEOUT_MS, foreign_keys: bool = True) -> None:
    """Set autocommit and the pragmas. Migrations disable `foreign_keys` to replace tables."""
    connection.isolation_level = None
    # First: pragmas may wait.
    connection.execute(f"PRAGMA busy_timeout = {busy_timeout_ms}")
    until = monotonic() + busy_timeout_ms / 1000
    for pragma in _PRAGMAS:
        _set(connection, pragma, until)
    connection.execute(f"PRAGMA foreign_keys = {'ON' if foreign_keys else 'OFF'}")


def _set(connection: Any, pragma: str, until: float) -> None:
    """Set a pragma. In a new database that another connection makes a log for, SQLite fails without waiting."""
    while True:
        try:
            connection.execute(f"PRAGMA {pragma}")
        except sqlite3.OperationalError as error:
            if not is_in_use(error) or monotonic() >= until:
                raise
            sleep(_RETRY_SECONDS)
        else:
            return


@contextmanager
def locked_connection(path: str) -> Iterator[sqlite3.Connection]:
    """Begin a transaction in a database that no other connection has open, nor can open; see `is_in_use`."""
    with closing(sqlite3.connect(file_uri(path, mode="rw"), uri=True)) as connection:
        # Before the first access: a log whose lock is exclusive shares no memory with other processes.
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        configure_connection(connection, busy_timeout_ms=_LOCK_TIMEOUT_MS)
        connection.execute("BEGIN EXCLUSIVE")
        yield connection


def is_in_use(error: sqlite3.Error) -> bool:
    return _primary_code(error) == sqlite3.SQLITE_BUSY


def is_corrupt(error: sqlite3.Error) -> bool:
    return _primary_code(error) in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def _primary_code(error: sqlite3.Error) -> int:
    # Errors of the module itself have no code.
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF


def _run_jobs(writer: sqlite3.Connection, jobs: list[_Job], *, in_event_loop: bool) -> list[_Outcome]:
    cursor = writer.cursor()
    transaction = Transaction(cursor, SQLITE, in_event_loop=in_event_loop)
    return [_run_in_savepoint(writer, cursor, transaction, job) for job in jobs if not job.done.done()]


def _run_in_savepoint(
    writer: sqlite3.Connection, cursor: sqlite3.Cursor, transaction: Transaction, job: _Job
) -> _Outcome:
    """Undo failures; raises if the whole transaction is lost, as on a full disk, or if the reserve may help."""
    cursor.execute("SAVEPOINT request")
    try:
        outcome: _Outcome = (job.done, job.work(transaction), None)
    except Exception as error:
        if not writer.in_transaction or (job.uses_reserve and _is_full(error)):
            raise
        cursor.execute("ROLLBACK TO request")
        outcome = (job.done, None, _unavailable(error) if isinstance(error, sqlite3.OperationalError) else error)
    cursor.execute("RELEASE request")
    return outcome


def _set_results(outcomes: list[_Outcome]) -> None:
    for done, result, failure in outcomes:
        if done.done():
            continue
        if failure is None:
            done.set_result(result)
        else:
            done.set_exception(failure)


def _fail(batch: list[_Job], error: Exception) -> None:
    for job in batch:
        if not job.done.done():
            job.done.set_exception(error)


def _is_full(error: Exception) -> bool:
    return isinstance(error, sqlite3.Error) and (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF in _FULL_DISK


def file_uri(path: str, *, mode: str) -> str:
    """Return a URI; mode `rwc` creates the file."""
    quoted = path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    return f"file:{quoted}?mode={mode}"


def _no_room() -> Exception:
    return ServiceUnavailable("There is no room to store this; deleting and unpublishing work", retry_after=60)


def _unavailable(error: Exception) -> Exception:
    if isinstance(error, ServiceError):
        return error
    unavailable = ServiceUnavailable("The database is not available; retry in 5 s", retry_after=5)
    unavailable.__cause__ = error
    return unavailable
