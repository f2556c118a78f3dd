"""Whether published pages changed since: counters, which PostgreSQL reads once for all requests that wait for them.

Triggers raise the counters in the transaction that changes pages. A restarted or promoted server may have lost some, so
its start time is added. A `LISTEN` would hear of a commit only after its client does.
"""

import asyncio
import math
from asyncio import AbstractEventLoop, Future, TimerHandle
from collections.abc import Callable
from contextlib import suppress
from threading import Lock
from typing import Any

import psycopg
from psycopg.pq import ExecStatus
from psycopg.pq.abc import PGresult

from mdpublish_server.storage.transactions import Stamp

_SECONDS = 1.0
_RETRY_SECONDS = 1.0

_NAME = b"mdpublish_page_changes"
_QUERY = (
    b"SELECT extract(epoch FROM pg_postmaster_start_time()) || ' ' || coalesce(sum(changes), 0), "
    b"coalesce(sum(additions), 0)::text FROM page_changes"
)


class Stamps:
    """Reads counters on a connection of its own, in the event loop: a thread would take as long as a query."""

    def __init__(
        self, connect: Callable[[], psycopg.Connection[Any]], *, is_prepared: bool = True, seconds: float = _SECONDS
    ) -> None:
        self._connect = connect
        self._is_prepared = is_prepared
        self._seconds = seconds
        self._connection: psycopg.Connection[Any] | None = None
        self._is_connecting = False
        self._is_closed = False
        self._lock = Lock()
        self._retry_at = -math.inf
        # Those whose answer is on its way, and those who came later: it may miss what they know of.
        self._in_flight: list[Future[Stamp | None]] = []
        self._waiting: list[Future[Stamp | None]] = []
        self._result: PGresult | None = None
        self._deadline: TimerHandle | None = None
        self._watched: int | None = None

    async def read(self) -> Stamp | None:
        """Return the counters; None while there is no connection."""
        loop = asyncio.get_running_loop()
        if self._connection is None:
            self._connect_soon(loop)
            return None
        waiter: Future[Stamp | None] = loop.create_future()
        if not self._waiting and not self._in_flight:
            # With the requests that arrived at the same time.
            loop.call_soon(self._ask, loop)
        self._waiting.append(waiter)
        return await waiter

    def close(self) -> None:
        """Close the connection; no request may wait for it."""
        with self._lock:
            self._is_closed = True
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def _ask(self, loop: AbstractEventLoop) -> None:
        self._in_flight, self._waiting = self._waiting, []
        if (connection := self._connection) is None:  # closed
            self._resolve(None)
            return
        try:
            if self._is_prepared:
                connection.pgconn.send_query_prepared(_NAME, None)
            else:
                connection.pgconn.send_query(_QUERY)
            connection.pgconn.flush()
            # A connection that breaks forgets its descriptor, which another may get.
            self._watched = connection.pgconn.socket
            loop.add_reader(self._watched, self._receive, connection, loop)
        except psycopg.Error:
            self._give_up(connection, loop)
        except NotImplementedError:  # Windows' event loop
            self._give_up(connection, loop)
            self._retry_at = math.inf
        else:
            self._deadline = loop.call_later(self._seconds, self._give_up, connection, loop)

    def _receive(self, connection: psycopg.Connection[Any], loop: AbstractEventLoop) -> None:
        try:
            connection.pgconn.consume_input()
            while not connection.pgconn.is_busy():
                if (result := connection.pgconn.get_result()) is None:
                    break
                self._result = result
            else:
                return
        except psycopg.Error:
            self._give_up(connection, loop)
            return
        if (stamp := _stamp_of(self._result)) is None:
            self._give_up(connection, loop)
            return
        self._end(loop)
        self._resolve(stamp)
        if self._waiting:
            self._ask(loop)

    def _give_up(self, connection: psycopg.Connection[Any], loop: AbstractEventLoop) -> None:
        """Close the connection: until there is another, pages are read from the database, which may know why."""
        self._end(loop)
        connection.close()
        self._connection = None
        self._retry_at = loop.time() + _RETRY_SECONDS
        self._in_flight += self._waiting
        self._waiting = []
        self._resolve(None)

    def _end(self, loop: AbstractEventLoop) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
        self._result = None
        if self._watched is not None:
            with suppress(NotImplementedError):
                loop.remove_reader(self._watched)
            self._watched = None

    def _resolve(self, stamp: Stamp | None) -> None:
        in_flight, self._in_flight = self._in_flight, []
        for waiter in in_flight:
            if not waiter.done():
                waiter.set_result(stamp)

    def _connect_soon(self, loop: AbstractEventLoop) -> None:
        if self._is_connecting or loop.time() < self._retry_at:
            return
        self._is_connecting = True
        self._retry_at = loop.time() + _RETRY_SECONDS
        loop.run_in_executor(None, self._open)

    def _open(self) -> None:
        try:
            connection = self._connect()
            try:
                if self._is_prepared:
                    connection.execute(b"PREPARE %s AS %s" % (_NAME, _QUERY))
            except psycopg.Error:
                connection.close()
                raise
            with self._lock:
                if self._is_closed:
                    connection.close()
                else:
                    self._connection = connection
        except psycopg.Error:
            return  # reads from the database report it
        finally:
            self._is_connecting = False


def _stamp_of(result: PGresult | None) -> Stamp | None:
    if result is None or result.status != ExecStatus.TUPLES_OK:
        return None
    changes, additions = result.get_value(0, 0), result.get_value(0, 1)
    return None if changes is None or additions is None else Stamp(changes.decode(), additions.decode())
