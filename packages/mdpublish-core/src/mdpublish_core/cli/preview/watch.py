"""Files that are read again once they changed. What a file says is up to the function that reads it."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from time import sleep
from typing import Generic, TypeVar

import click

from mdpublish_core.cli.inputs import error_message
from mdpublish_core.errors import MdpublishError

Value = TypeVar("Value")

FileStamp = tuple[int, int, int] | None
"""What changes whenever a file is saved: time in ns, size in bytes, and number; None where there is no file."""

# Editors that save by replacing leave a moment without a file. Half a second is longer than that, and not long to wait.
_MISSING_FILE_ATTEMPTS = 10
_RETRY_SECONDS = 0.05


@dataclass(frozen=True, slots=True)
class Snapshot(Generic[Value]):
    """What a file said when it could last be read, what is wrong with it since, and the stamp that it was read under."""

    value: Value
    problem: str | None
    stamp: FileStamp


class WatchedFile(Generic[Value]):
    """A file that is read when it is asked for, and not again before it changed.

    `read` is called at once, and what it raises is raised; later, a `ClickException` or `MdpublishError` becomes the
    reading's problem, and the value stays what it was.
    """

    def __init__(self, path: Path, read: Callable[[], Value]) -> None:
        self._path = path
        self._read = read
        self._lock = Lock()
        # The stamp comes first: where the file changes in between, it is read once too often, and never too seldom.
        stamp = self.stamp()
        self._last = Snapshot(read(), None, stamp)

    def stamp(self) -> FileStamp:
        """Return the file's stamp as it is now."""
        try:
            status = self._path.stat()
        except (OSError, ValueError):
            return None
        return status.st_mtime_ns, status.st_size, status.st_ino

    def current(self) -> Snapshot[Value]:
        """Return what the file says now; waits half a second for one that has just gone."""
        with self._lock:
            stamp = self.stamp()
            attempts = _MISSING_FILE_ATTEMPTS
            while stamp is None and self._last.stamp is not None and attempts:
                sleep(_RETRY_SECONDS)
                stamp = self.stamp()
                attempts -= 1
            if stamp != self._last.stamp:
                self._last = self._reread(stamp)
            return self._last

    def _reread(self, stamp: FileStamp) -> Snapshot[Value]:
        try:
            return Snapshot(self._read(), None, stamp)
        except click.ClickException as error:
            return Snapshot(self._last.value, error.message, stamp)
        except MdpublishError as error:
            return Snapshot(self._last.value, error_message(error), stamp)
