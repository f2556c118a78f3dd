"""A database server that is down or hangs: one request at a time tries it, others are refused at once."""

import logging
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Lock

import psycopg
from sqlalchemy import PoolProxiedConnection

from mdpublish_server.errors import ServiceUnavailable
from mdpublish_server.throttled_log import ThrottledLog


class NoConnection(ServiceUnavailable):
    """The server cannot be reached."""

    def __init__(self, error: BaseException) -> None:
        super().__init__(_MESSAGE, retry_after=_SECONDS)
        self.__cause__ = error


_SECONDS = 5
_MESSAGE = f"The database is not available; retry in {_SECONDS} s"


class Attempt:
    """One use of the database, which may be ended from the event loop while a thread waits for a response."""

    def __init__(self, *, is_trial: bool = False) -> None:
        self.is_trial = is_trial
        self.is_expired = False
        self._lock = Lock()
        self._connection: PoolProxiedConnection | None = None

    @contextmanager
    def watching(self, connection: PoolProxiedConnection) -> Iterator[None]:
        with self._lock:
            self._connection = connection
        try:
            yield
        finally:
            with self._lock:
                self._connection = None

    def expire(self) -> None:
        """Shut the connection down: the thread that waits for it gets an error."""
        with self._lock:
            self.is_expired = True
            if self._connection is None or self._connection.driver_connection is None:
                return
            with suppress(OSError, psycopg.Error):  # closed meanwhile
                descriptor = os.dup(self._connection.driver_connection.fileno())
                with socket.socket(fileno=descriptor) as duplicate:
                    duplicate.shutdown(socket.SHUT_RDWR)


class Outage:
    """Whether the database is down; used by threads."""

    def __init__(self) -> None:
        self._is_down = False
        self._trial = Lock()
        self._log = ThrottledLog(logging.getLogger(__name__))

    @property
    def is_down(self) -> bool:
        return self._is_down

    @contextmanager
    def admitted(self) -> Iterator[Attempt]:
        """Raise `ServiceUnavailable` if the database is down and another request tries it."""
        if not self._is_down:
            yield Attempt()
            return
        if not self._trial.acquire(blocking=False):
            raise self.unavailable("it did not respond to earlier requests")
        try:
            yield Attempt(is_trial=True)
        finally:
            self._trial.release()

    def require(self, attempt: Attempt) -> None:
        if attempt.is_expired or (self._is_down and not attempt.is_trial):
            raise self.unavailable("it did not respond to earlier requests")

    def begin(self) -> None:
        self._is_down = True

    def end(self) -> None:
        self._is_down = False

    def unavailable(self, reason: object) -> ServiceUnavailable:
        """Log the reason, and return an error without it."""
        self._log.warning("Database not available: %s", reason)
        return ServiceUnavailable(_MESSAGE, retry_after=_SECONDS)
