"""Files that are reloaded after changes."""

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
"""Modification time in ns, size, inode; None if the file is missing."""

# Saving by renaming leaves a short gap.
_MISSING_FILE_ATTEMPTS = 10
_RETRY_SECONDS = 0.05


@dataclass(frozen=True, slots=True)
class Snapshot(Generic[Value]):
    """The last valid content, and the error in a newer version."""

    value: Value
    problem: str | None
    stamp: FileStamp


class WatchedFile(Generic[Value]):
    """A file that is reloaded on access after changes.

    `read` may raise at first. Later, a `ClickException` or `MdpublishError` becomes the snapshot's problem.
    """

    def __init__(self, path: Path, read: Callable[[], Value]) -> None:
        self._path = path
        self._read = read
        self._lock = Lock()
        # Stamp first: a change in between causes an extra read, not a missed one.
        stamp = self.stamp()
        self._last = Snapshot(read(), None, stamp)

    def stamp(self) -> FileStamp:
        try:
            status = self._path.stat()
        except (OSError, ValueError):
            return None
        return status.st_mtime_ns, status.st_size, status.st_ino

    def current(self) -> Snapshot[Value]:
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
