"""Files of folders that may be a stranger's: only regular files are opened, and no link out of the repository.

Where a path leads is looked at first. Then each folder on the way is opened in the one above it, and no link is
followed: what is swapped between the look and the opening is an error, never another file.
"""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import takewhile
from pathlib import Path
from typing import BinaryIO, cast

# Not on Windows, where what is open keeps its path: there, the path is looked at again.
_HAS_FOLDER_DESCRIPTORS = os.open in os.supports_dir_fd
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
# A pipe without a writer would block for ever.
_FILE = _NO_LINK | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)
# Linux can open folders that may be passed, but not listed.
_FOLDER = _NO_LINK | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_PATH", os.O_RDONLY)


def repository_root(folder: Path, otherwise: Path | None = None) -> Path:
    """Return the nearest folder with `.git` from this one up to below the home, else `otherwise` or this one."""
    home = os.path.realpath(os.path.expanduser("~"))  # noqa: PTH111  (without an exception where there is none)
    # A repository of the whole home would be within reach of any download.
    above = takewhile(lambda each: str(each) != home, (folder, *folder.parents))
    return next((each for each in above if (each / ".git").exists()), otherwise or folder)


def locate(root: Path, path: Path) -> Path:
    """Return where a path leads; raise `OSError` if that is outside `root`, in `.git`, or hidden by another name."""
    real = Path(os.path.realpath(path))
    is_within = real.is_relative_to(root)
    is_hidden = real.name.startswith(".") and not path.name.startswith(".")
    if not is_within or is_hidden or ".git" in map(str.lower, real.parts[len(root.parts) :]):
        reason = "which is hidden" if is_within else f"outside {str(root)!r}"
        raise OSError(errno.EXDEV, f"it leads to {str(real)!r}, {reason}; put a copy in its place", str(path))
    return real


def open_within(root: Path, file: Path, mode: str = "rb") -> BinaryIO:
    """Open a regular file for reading, or by `wb` to write over it; raise `OSError`, also where `locate` does."""
    real = locate(root, file)
    with _open_folder(root, real.parent) as folder:
        flags = _FILE | (os.O_WRONLY if mode == "wb" else os.O_RDONLY)
        descriptor = os.open(real if folder is None else real.name, flags, dir_fd=folder)
    if (folder is None and os.path.realpath(real) != str(real)) or not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "not a regular file", str(file))
    return cast("BinaryIO", os.fdopen(descriptor, mode))


def read_within(root: Path, file: Path, max_bytes: int = -1) -> bytes:
    """Return the content of a file, or its first bytes; raise `OSError` as `open_within`."""
    with open_within(root, file) as opened:
        return opened.read(max_bytes)


@contextmanager
def atomic_write(path: Path, *, mode: int = 0o666, root: Path | None = None) -> Iterator[BinaryIO]:
    """Yield a new file, which replaces `path` after the block; no link leads it out of `root`. Raise `OSError`."""
    parent = locate(root, path.parent) if root else path.parent.resolve()
    parent.mkdir(parents=True, exist_ok=True)
    with _open_folder(root or parent, parent) as folder:
        place = parent if folder is None else Path()
        temporary = place / f".{path.name}.{os.urandom(4).hex()}.part"
        try:
            # A folder of strangers may hold links to other files: what is new is made, not opened.
            flags = _FILE | os.O_WRONLY | os.O_CREAT | os.O_EXCL
            with os.fdopen(os.open(temporary, flags, mode, dir_fd=folder), "wb") as new:
                yield new
            os.replace(temporary, place / path.name, src_dir_fd=folder, dst_dir_fd=folder)
        finally:
            with suppress(FileNotFoundError):
                os.unlink(temporary, dir_fd=folder)


@contextmanager
def _open_folder(root: Path, folder: Path) -> Iterator[int | None]:
    """Yield the descriptor of a folder within `root`, None on Windows."""
    if not _HAS_FOLDER_DESCRIPTORS:
        locate(root, folder)
        yield None
        return
    descriptor = os.open(root, _FOLDER)
    try:
        for part in folder.relative_to(root).parts:
            inner = os.open(part, _FOLDER, dir_fd=descriptor)
            os.close(descriptor)
            descriptor = inner
        yield descriptor
    finally:
        os.close(descriptor)
