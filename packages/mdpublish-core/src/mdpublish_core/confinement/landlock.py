"""Landlock: which files a process may open, as system calls.

https://docs.kernel.org/userspace-api/landlock.html
"""

import ctypes
import os
import stat
from collections.abc import Iterable
from contextlib import suppress
from struct import Struct

SIGNALS_SINCE = 6
"""Version that keeps a process from signaling those outside; Linux 6.12."""

# The same numbers on all architectures.
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_GET_VERSION = 1
_PATH_BENEATH = 1

_EXECUTE, _READ_FILE, _READ_FOLDER = 1 << 0, 1 << 2, 1 << 3

# Rights to files, TCP ports, and abstract sockets and signals; the first eight bytes are all that version 1 knows.
_ATTRIBUTES = Struct("=QQQ")
_RULE = Struct("=Qi")

# By the version that introduced them: bits of rights, and the size of the attributes.
_FILE_RIGHTS = ((1, 13), (2, 14), (3, 15), (5, 16))
_SIZES = ((1, 8), (4, 16), (SIGNALS_SINCE, 24))
_ALL_PORTS, _ALL_SCOPES = 0b11, 0b11


def version(library: ctypes.CDLL) -> int:
    """Return the kernel's version of Landlock; raise `OSError` without it."""
    return _invoke(library, _CREATE_RULESET, None, 0, _GET_VERSION)


def restrict(library: ctypes.CDLL, readable: Iterable[str]) -> int:
    """Refuse this thread, and what it starts, all files but those in `readable`; return the version.

    Opens no TCP connection from version 4, and signals no process outside from version 6. Raises `OSError`.
    """
    current = version(library)
    rights = (1 << max(bits for since, bits in _FILE_RIGHTS if since <= current)) - 1
    size = max(size for since, size in _SIZES if since <= current)
    attributes = _ATTRIBUTES.pack(rights, _ALL_PORTS, _ALL_SCOPES)[:size]
    ruleset = _invoke(library, _CREATE_RULESET, attributes, size, 0)
    try:
        for path in readable:
            # What does not exist needs no rule.
            with suppress(OSError):
                _allow(library, ruleset, path)
        _invoke(library, _RESTRICT_SELF, ruleset, 0)
    finally:
        os.close(ruleset)
    return current


def _allow(library: ctypes.CDLL, ruleset: int, path: str) -> None:
    descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        is_folder = stat.S_ISDIR(os.fstat(descriptor).st_mode)
        rights = _READ_FILE | _EXECUTE | (_READ_FOLDER if is_folder else 0)
        _invoke(library, _ADD_RULE, ruleset, _PATH_BENEATH, _RULE.pack(rights, descriptor), 0)
    finally:
        os.close(descriptor)


def _invoke(library: ctypes.CDLL, number: int, *arguments: int | bytes | None) -> int:
    # Variadic: without a type, an argument would be passed as 32 bits.
    typed = (ctypes.c_long(each) if isinstance(each, int) else ctypes.c_char_p(each) for each in arguments)
    result: int = library.syscall(ctypes.c_long(number), *typed)
    if result < 0:
        number_of_error = ctypes.get_errno()
        raise OSError(number_of_error, os.strerror(number_of_error))
    return result
