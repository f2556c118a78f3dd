"""Seccomp: a filter that refuses system calls which no job makes.

https://docs.kernel.org/userspace-api/seccomp_filter.html
"""

import ctypes
import errno
import os
import platform
from collections.abc import Iterable, Mapping
from struct import Struct

# Numbers on x86-64 and on ARM64, where older calls are missing. https://github.com/torvalds/linux,
# arch/x86/entry/syscalls/ syscall_64.tbl and include/uapi/asm-generic/unistd.h
_NUMBERS: Mapping[str, tuple[int, int | None]] = {
    # io_uring opens sockets and files beyond the filter.
    "socket": (41, 198),
    "socketpair": (53, 199),
    "io_uring_setup": (425, 425),
    # Other processes.
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "kcmp": (312, 272),
    "pidfd_getfd": (438, 438),
    "perf_event_open": (298, 241),
    # Landlock does not cover the attributes of files, nor truncation before its third version.
    "truncate": (76, 45),
    "chmod": (90, None),
    "fchmod": (91, 52),
    "fchmodat": (268, 53),
    "fchmodat2": (452, 452),
    "chown": (92, None),
    "fchown": (93, 55),
    "lchown": (94, None),
    "fchownat": (260, 54),
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "fsetxattr": (190, 7),
    "removexattr": (197, 14),
    "lremovexattr": (198, 15),
    "fremovexattr": (199, 16),
    "setxattrat": (463, 463),
    "removexattrat": (466, 466),
    "utime": (132, None),
    "utimes": (235, None),
    "futimesat": (261, None),
    "utimensat": (280, 88),
    "open_by_handle_at": (304, 265),
    # Keys of the user, and parts of the kernel that few programs use and many exploits do.
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "bpf": (321, 280),
    "userfaultfd": (323, 282),
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "memfd_secret": (447, 447),
}

# Processes. Threads are `clone`, too, with a flag. `clone3` cannot be filtered: refused, it is a `clone`.
_CLONE, _CLONE3 = (56, 220), (435, 435)
_STARTING: Mapping[str, tuple[int, int | None]] = {
    "fork": (57, None),
    "vfork": (58, None),
    "execve": (59, 221),
    "execveat": (322, 281),
}
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
