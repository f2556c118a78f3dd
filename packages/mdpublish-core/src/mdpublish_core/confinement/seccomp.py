"""Seccomp: a filter that refuses system calls which no job makes.

https://docs.kernel.org/userspace-api/seccomp_filter.html
"""

import ctypes
import errno
import os
import platform
from collections.abc import Iterable, Mapping
from struct import Struct

from mdpublish_core.data_files import read_table


def _numbers(kind: str) -> Mapping[str, tuple[int, int | None]]:
    """Return the calls' numbers on x86-64 and on ARM64, where older calls are missing."""
    return {
        name: (int(x86), None if arm == "-" else int(arm))
        for each, name, x86, arm in read_table(__file__, "seccomp.tsv")
        if each == kind
    }


_NUMBERS, _STARTING = _numbers("refused"), _numbers("starting")

# Threads are `clone`, too, with a flag. `clone3` cannot be filtered: refused, it is a `clone`.
_CLONE, _CLONE3 = (56, 220), (435, 435)
_CLONE_THREAD = 0x10000

# Machine: its AUDIT_ARCH constant, and which of a call's numbers applies.
_MACHINES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}
# Calls of the x32 ABI, under the same AUDIT_ARCH.
_X32 = 0x40000000

_PR_SET_SECCOMP, _MODE_FILTER = 22, 2
# The low half of the first argument, on machines that are little-endian.
_NUMBER_OFFSET, _ARCHITECTURE_OFFSET, _ARGUMENT_OFFSET = 0, 4, 16
_INSTRUCTION = Struct("=HBBI")
_LOAD, _IS_EQUAL, _IS_GREATER_OR_EQUAL, _HAS_BITS, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _ERROR, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
_REFUSE = _ERROR | errno.EPERM


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def install(library: ctypes.CDLL, *, may_start_processes: bool) -> None:
    """Filter the calls of this thread, and of what it starts. Raises `OSError`."""
    machine = platform.machine()
    if machine not in _MACHINES or ctypes.sizeof(ctypes.c_void_p) != 8:
        raise OSError(f"there is no filter for {machine}")
    architecture, index = _MACHINES[machine]
    refused = _NUMBERS if may_start_processes else {**_NUMBERS, **_STARTING}
    numbers = [number for each in refused.values() if (number := each[index]) is not None]
    cloning = () if may_start_processes else _threads_only(_CLONE[index], _CLONE3[index])
    instructions = b"".join(_instructions(architecture, numbers, cloning, has_x32=machine == "x86_64"))
    program = _Program(len(instructions) // _INSTRUCTION.size, instructions)
    nothing = ctypes.c_ulong(0)
    mode = ctypes.c_ulong(_MODE_FILTER)
    if library.prctl(_PR_SET_SECCOMP, mode, ctypes.byref(program), nothing, nothing):
        number_of_error = ctypes.get_errno()
        raise OSError(number_of_error, os.strerror(number_of_error))


def _threads_only(clone: int, clone3: int) -> Iterable[bytes]:
    """Yield instructions that leave the number of a call as it is, if it is neither."""
    yield _INSTRUCTION.pack(_IS_EQUAL, 0, 1, clone3)
    yield _INSTRUCTION.pack(_RETURN, 0, 0, _ERROR | errno.ENOSYS)
    yield _INSTRUCTION.pack(_IS_EQUAL, 0, 4, clone)
    yield _INSTRUCTION.pack(_LOAD, 0, 0, _ARGUMENT_OFFSET)
    yield _INSTRUCTION.pack(_HAS_BITS, 0, 1, _CLONE_THREAD)
    yield _INSTRUCTION.pack(_RETURN, 0, 0, _ALLOW)
    yield _INSTRUCTION.pack(_RETURN, 0, 0, _REFUSE)


def _instructions(
    architecture: int, numbers: list[int], cloning: Iterable[bytes] = (), *, has_x32: bool
) -> Iterable[bytes]:
    """Yield the filter; a jump skips as many instructions as its second field says if it holds, else its third."""
    yield _INSTRUCTION.pack(_LOAD, 0, 0, _ARCHITECTURE_OFFSET)
    yield _INSTRUCTION.pack(_IS_EQUAL, 1, 0, architecture)
    yield _INSTRUCTION.pack(_RETURN, 0, 0, _KILL)
    yield _INSTRUCTION.pack(_LOAD, 0, 0, _NUMBER_OFFSET)
    if has_x32:
        yield _INSTRUCTION.pack(_IS_GREATER_OR_EQUAL, 0, 1, _X32)
        yield _INSTRUCTION.pack(_RETURN, 0, 0, _REFUSE)
    yield from cloning
    for position, number in enumerate(numbers):
        yield _INSTRUCTION.pack(_IS_EQUAL, len(numbers) - position, 0, number)
    yield _INSTRUCTION.pack(_RETURN, 0, 0, _ALLOW)
    yield _INSTRUCTION.pack(_RETURN, 0, 0, _REFUSE)
