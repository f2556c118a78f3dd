"""Confines the current process. Loads ctypes, so that only processes that need it import it."""

import ctypes
import os
import platform
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

from mdpublish_core.confinement import landlock, seccomp
from mdpublish_core.confinement.protections import PROTECTIONS, Protection

# https://man7.org/linux/man-pages/man2/prctl.2.html
_PR_SET_DUMPABLE, _PR_SET_NO_NEW_PRIVS = 4, 38

# Nix and Guix have a folder for each library.
_SYSTEM_FOLDERS = ("/usr", "/lib", "/lib32", "/lib64", "/nix/store", "/gnu/store")
# Which fonts there are: their folders are below /usr.
_FONT_FOLDERS = ("/etc/fonts", "/var/cache/fontconfig")
_SYSTEM_FILES = ("/etc/ld.so.cache", "/etc/localtime", "/dev/null", "/dev/urandom")


def confine(*, may_start_processes: bool) -> tuple[Protection, ...]:
    if sys.platform != "linux":
        return tuple(Protection(name, None, f"{platform.system()} has no Landlock") for name in PROTECTIONS)
    library = ctypes.CDLL(None, use_errno=True)
    # Both mechanisms require it.
    _set(library, _PR_SET_NO_NEW_PRIVS, 1)
    files, version = _restrict_files(library)
    hide_memory()
    sockets = _install_filter(library, may_start_processes=may_start_processes)
    return (
        files,
        sockets,
        Protection("other processes", files.mechanism, files.problem),
        _signals(files, version),
        _new_processes(sockets, may_start=may_start_processes),
    )


def hide_memory() -> None:
    if sys.platform != "linux":
        return
    library = ctypes.CDLL(None, use_errno=True)
    try:
        landlock.version(library)
    except OSError:
        _set(library, _PR_SET_DUMPABLE, 0)


def _set(library: ctypes.CDLL, option: int, value: int) -> None:
    library.prctl(option, *map(ctypes.c_ulong, (value, 0, 0, 0)))


def _restrict_files(library: ctypes.CDLL) -> tuple[Protection, int]:
    try:
        version = landlock.restrict(library, _readable())
    except OSError as error:
        return Protection("files", None, f"this kernel has no Landlock ({error.strerror})"), 0
    return Protection("files", f"Landlock {version}"), version


def _install_filter(library: ctypes.CDLL, *, may_start_processes: bool) -> Protection:
    try:
        seccomp.install(library, may_start_processes=may_start_processes)
    except OSError as error:
        return Protection("sockets", None, f"the kernel accepts no filter of system calls ({error.strerror or error})")
    return Protection("sockets", "seccomp")


def _signals(files: Protection, version: int) -> Protection:
    if files.mechanism is None or version >= landlock.SIGNALS_SINCE:
        return Protection("signals", files.mechanism, files.problem)
    return Protection("signals", None, f"this kernel has Landlock {version}, and version {landlock.SIGNALS_SINCE} can")


def _new_processes(sockets: Protection, *, may_start: bool) -> Protection:
    if may_start and sockets.mechanism:
        return Protection("new processes", None, "it was not forked, and starts workers of its own")
    return Protection("new processes", sockets.mechanism, sockets.problem)


@cache
def _readable() -> tuple[str, ...]:
    """Return what may be read. A forked process could not find it out again: the one it comes from is confined."""
    return tuple(dict.fromkeys(_yield_readable()))


def _yield_readable() -> Iterator[str]:
    """Yield the folders and files of Python, its packages, and the system's libraries and fonts."""
    yield from (sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix)
    yield from (path for path in sys.path if Path(path).is_absolute())
    # In a repository, the themes are a link to another folder.
    yield str(Path(__file__).parents[1] / "themes")
    yield from _SYSTEM_FOLDERS
    yield from _FONT_FOLDERS
    yield from _SYSTEM_FILES
    yield from filter(None, os.environ.get("LD_LIBRARY_PATH", "").split(os.pathsep))
    yield from _library_folders()


def _library_folders() -> Iterator[str]:
    """Yield the folders of libraries that are loaded already, wherever they are installed."""
    with suppress(OSError), Path("/proc/self/maps").open(encoding="utf-8", errors="surrogateescape") as maps:
        for line in maps:
            path = line.rstrip("\n").partition("/")
            if path[1] and ".so" in path[2]:
                yield "/" + path[2].rpartition("/")[0]
