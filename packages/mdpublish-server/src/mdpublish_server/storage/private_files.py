"""Files that only their owner can read: they hold documents, email addresses and password hashes.

They are created with that mode, so that no other user can open them before it is set. An existing file keeps its mode,
which an operator may have chosen; `mdpublish-server doctor` reports it.
"""

import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_OWNER_ONLY = 0o600

UNFINISHED = ".unfinished"
"""Suffix of files that were not renamed."""


def create_private_file(path: Path) -> None:
    """Create an empty file if there is none; raise `OSError`."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), _OWNER_ONLY))


@contextmanager
def unfinished_folder(folder: Path) -> Iterator[Path]:
    """Create a folder beside `folder`, whose name it gets after the block; raise `OSError`."""
    temporary = Path(tempfile.mkdtemp(prefix=f"{folder.name}.", suffix=UNFINISHED, dir=folder.parent))
    try:
        yield temporary
        temporary.rename(folder)
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise


@contextmanager
def unfinished_file(file: Path) -> Iterator[Path]:
    """Create an empty file beside `file`, which it replaces after the block, on the disk too; raise `OSError`."""
    # Opens with O_EXCL and the mode 0600.
    descriptor, name = tempfile.mkstemp(prefix=f"{file.name}.", suffix=UNFINISHED, dir=file.parent)
    os.close(descriptor)
    temporary = Path(name)
    try:
        yield temporary
        sync(temporary)
        temporary.replace(file)
        # Not every file system can.
        with suppress(OSError):
            sync(file.parent)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def sync(path: Path) -> None:
    """Return once a file, or the names in a folder, are on the disk."""
    descriptor = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def shared_files(database: Path) -> list[tuple[Path, int]]:
    """Return those of a SQLite database's files that other users may open, with their modes."""
    if os.name != "posix":
        return []
    files = [database, *(database.with_name(f"{database.name}{suffix}") for suffix in ("-wal", "-shm"))]
    shared = []
    for file in files:
        with suppress(FileNotFoundError):
            mode = stat.S_IMODE(file.stat().st_mode)
            if mode & ~_OWNER_ONLY:
                shared.append((file, mode))
    return shared
