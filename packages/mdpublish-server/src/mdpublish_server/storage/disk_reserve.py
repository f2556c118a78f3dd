"""Room on the disk for work that must be possible when it is full.

SQLite's log grows with every change, so on a full disk not even a deletion works. A file beside the database takes
room, and is given up when the disk is full. Until there is room for it again, only such work is done.
"""

import os
from contextlib import suppress
from pathlib import Path

from mdpublish_server.storage.private_files import create_private_file

RESERVE_BYTES = 16 * 1024 * 1024
"""The log's growth by hundreds of deletions; a checkpoint then empties it."""

_BLOCK = bytes(65_536)


class DiskReserve:
    """The file `path`; processes that share the database share it."""

    def __init__(self, path: str, *, size: int = RESERVE_BYTES) -> None:
        self._path = Path(path)
        self.size = size

    def is_held(self) -> bool:
        try:
            return self._path.stat().st_size == self.size
        except OSError:
            return False

    def hold(self) -> bool:
        """Take the room; return False if there is none."""
        if self.is_held():
            return True
        try:
            create_private_file(self._path)
            with self._path.open("r+b") as file:
                _allocate(file.fileno(), self.size)
        except OSError:
            self.give_up()
            return False
        return True

    def give_up(self) -> None:
        with suppress(OSError):
            self._path.unlink()


def _allocate(file: int, size: int) -> None:
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(file, 0, size)
        return
    # macOS and Windows: blocks that were written are taken.
    for begin in range(0, size, len(_BLOCK)):
        os.write(file, _BLOCK[: size - begin])
