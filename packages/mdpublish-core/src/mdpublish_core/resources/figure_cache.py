"""Figures of earlier runs of the command, in the user's cache folder.

An entry is trusted markup: the worker that drew it sanitized it, and nobody does again. So the folder is the user's
alone, outside repositories, which strangers fill, and each entry is sealed by a key of the folder. Only the command
turns this on: neither the library, nor workers, nor the service reads or writes it. Where the folder cannot be trusted,
read or written, figures are drawn as if there were none.
"""

import errno
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache, cached_property
from pathlib import Path

from mdpublish_core.resources.folder_files import atomic_write, read_within, repository_root

MAX_BYTES = 64_000_000
"""Of all entries: some thousand figures with images. The oldest go first."""

_SHARE = 8
"""Part of the bytes that a process may write between two looks at the folder, which leave as much room."""

_MAX_ENTRY_BYTES = 12_000_000
"""More than an image (`rasterizer.MAX_PNG_BYTES`) and its SVG have."""

_KEY = "key"
_KEY_BYTES = _SEAL_BYTES = 32

PACKAGES = frozenset(
    {"lxml", "mdpublish-core", "merman", "mmdr", "pillow", "pygraphviz", "resvg-py", "ziafont", "ziamath"}
)
"""What draws figures. A folder of metadata has the version in its name."""


class FigureCache:
    """Results as workers send them, by request. Safe with several threads and processes; it is opened when first used."""

    def __init__(self, folder: Path, max_bytes: int = MAX_BYTES) -> None:
        self.folder = folder
        self.max_bytes = max_bytes
        self._is_writable = True
        self._unseen_bytes = max_bytes

    def get(self, request: bytes) -> bytes | None:
        """Return a result, unless there is none, or one that was not sealed for this request by the folder's key."""
        try:
            name = self._digest(_versions() + request).hex()
            sealed = read_within(self.folder, self.folder / name, _MAX_ENTRY_BYTES)
        except OSError:
            return None
        from hmac import compare_digest

        content = sealed[_SEAL_BYTES:]
        return content if compare_digest(sealed[:_SEAL_BYTES], self._seal(name, content)) else None

    def put(self, request: bytes, content: bytes) -> None:
        """Keep a result, if it can be written."""
        if not self._is_writable or len(content) >= min(_MAX_ENTRY_BYTES, self.max_bytes // _SHARE) - _SEAL_BYTES:
            return
        try:
            name = self._digest(_versions() + request).hex()
            with atomic_write(self.folder / name, mode=0o600, root=self.folder) as new:
                new.write(self._seal(name, content) + content)
            self._unseen_bytes += len(content)
            if self._unseen_bytes >= self.max_bytes // _SHARE:
                self._remove_oldest()
        except OSError:  # such as a full disk
            self._is_writable = False

    def entries(self) -> list[tuple[float, int, str]]:
        """Return the time, size and path of each entry, oldest first; raise `OSError`."""
        listed = []
        with os.scandir(self.folder) as files:
            for each in files:
                with suppress(FileNotFoundError):  # another process removed it
                    if each.name != _KEY and each.is_file(follow_symlinks=False):
                        status = each.stat(follow_symlinks=False)
                        listed.append((status.st_mtime, status.st_size, each.path))
        return sorted(listed)

    def _remove_oldest(self) -> None:
        entries = self.entries()
        size, room = sum(each[1] for each in entries), self.max_bytes - self.max_bytes // _SHARE
        for _, entry_size, path in entries:
            if size <= room:
                break
            Path(path).unlink(missing_ok=True)
            size -= entry_size
        self._unseen_bytes = 0

    @cached_property
    def key(self) -> bytes:
        """The folder's key; raises `OSError` if the folder is not the user's alone, or cannot be made."""
        self.folder.mkdir(0o700, parents=True, exist_ok=True)
        self.folder = self.folder.parent.resolve() / self.folder.name
        status = self.folder.lstat()
        is_private = not hasattr(os, "geteuid") or (status.st_uid == os.geteuid() and not status.st_mode & 0o077)
        if not (stat.S_ISDIR(status.st_mode) and is_private):
            raise PermissionError(errno.EACCES, "it must be a folder of yours with mode 0700", str(self.folder))
        if repository_root(self.folder) != self.folder or (self.folder / ".git").exists():
            raise PermissionError(errno.EACCES, "it must not be in a repository", str(self.folder))
        file = self.folder / _KEY
        with suppress(OSError):
            if len(written := read_within(self.folder, file, _KEY_BYTES)) == _KEY_BYTES:
                return written
        with atomic_write(file, mode=0o600, root=self.folder) as new:
            new.write(os.urandom(_KEY_BYTES))
        # Of two processes that write it at once, both read the later one's.
        return read_within(self.folder, file, _KEY_BYTES)

    def _seal(self, name: str, content: bytes) -> bytes:
        return self._digest(name.encode() + content)

    def _digest(self, content: bytes) -> bytes:
        from hmac import digest

        return digest(self.key, content, "sha256")


def user_folder() -> Path:
    """Return the folder of the user's figures."""
    home = Path(os.path.expanduser("~"))  # noqa: PTH111  (without an exception where there is none)
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or home / "AppData/Local")
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME", ""))
        if not base.is_absolute():  # as its specification says
            base = home / ("Library/Caches" if sys.platform == "darwin" else ".cache")
    return base / "mdpublish"


_used: list[FigureCache] = []
"""The cache in use, if any."""


def in_use() -> FigureCache | None:
    return _used[-1] if _used else None


def use(figures: FigureCache | None) -> None:
    """Use a cache in this process from now on, as the one that started it does."""
    _used[:] = [figures] if figures else []


@contextmanager
def keeping_figures() -> Iterator[None]:
    """Use the user's cache within the block, in all threads."""
    before = in_use()
    use(FigureCache(user_folder()))
    try:
        yield
    finally:
        use(before)


@cache
def _versions() -> bytes:
    """Return what a figure depends on besides its request: this package, the engines and the system's fonts."""
    package = Path(__file__).parents[1]
    # An editable install keeps its version when its files change.
    files = ((folder, sorted(names)) for folder, _, names in os.walk(package) if "__pycache__" not in folder)
    code = [_stamp(os.path.join(folder, name)) for folder, names in files for name in names]  # noqa: PTH118  (speed)
    packages = sorted(name for folder in sys.path for name in _metadata_in(folder))
    fonts = [_stamp(folder) for each in _font_folders() for folder, _, _ in os.walk(each)]
    settings = sorted(each for each in os.environ.items() if each[0].startswith(("FONTCONFIG_", "XDG_DATA_")))
    return repr((sys.version, code, packages, fonts, settings)).encode()


def _stamp(path: str) -> tuple[str, int, int]:
    status = os.stat(path)  # noqa: PTH116  (speed)
    return path, status.st_mtime_ns, status.st_size


def _metadata_in(folder: str) -> list[str]:
    # Importing `importlib.metadata` takes as long as some figures.
    with suppress(OSError):
        names = [each for each in os.listdir(folder or os.curdir) if each.endswith(".dist-info")]  # noqa: PTH208
        return [each for each in names if each.partition("-")[0].replace("_", "-").lower() in PACKAGES]
    return []


def _font_folders() -> list[str]:
    """Return the folders in which resvg looks for fonts of the system and the user."""
    folders = ["/usr/share/fonts", "/usr/local/share/fonts", "/etc/fonts", "~/.fonts", "~/.local/share/fonts"]
    if sys.platform == "darwin":
        folders = ["/System/Library/Fonts", "/Library/Fonts", "/Network/Library/Fonts", "~/Library/Fonts"]
    elif sys.platform == "win32":
        folders = [rf"{os.environ.get('SYSTEMROOT')}\Fonts", r"~\AppData\Local\Microsoft\Windows\Fonts"]
    return [os.path.expanduser(each) for each in folders]  # noqa: PTH111
