"""What a confined worker process cannot do, beyond its limits of time and memory.

    confine() ──▶ landlock: files, other processes, signals
              ──▶ seccomp: system calls that no job makes

Only Linux can do this without privileges. Elsewhere, and on old kernels, jobs run all the same, and the missing protections are
reported.
"""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass

PROTECTIONS: Mapping[str, str] = {
    "files": "reads only the files of Python, its packages and the system's libraries, and writes none",
    "sockets": "opens none",
    "other processes": "reads neither their memory nor their environment",
    "signals": "sends none to the process that started it, nor to other workers",
}
"""What each protection means for a worker."""


@dataclass(frozen=True, slots=True)
class Protection:
    """One of `PROTECTIONS`: the mechanism that provides it, or why none does."""

    name: str
    mechanism: str | None
    problem: str = ""


def confine() -> tuple[Protection, ...]:
    """Confine this process, irrevocably, and those that it starts, but no other thread that already runs."""
    try:
        # Loads ctypes, which fails where it may not map executable memory.
        from mdpublish_core.confinement import process
    except (ImportError, MemoryError, OSError) as error:
        return tuple(Protection(name, None, f"ctypes cannot be loaded ({error})") for name in PROTECTIONS)
    return process.confine()


def hide_memory() -> None:
    """Keep processes of the same user from reading this one's memory, environment and descriptors.

    Only on a Linux without Landlock, which keeps workers from that; others may still debug the process.
    """
    with suppress(ImportError, MemoryError, OSError):
        from mdpublish_core.confinement import process

        process.hide_memory()


def encode(protections: Iterable[Protection]) -> bytes:
    return "\n".join("\t".join((each.name, each.mechanism or "", each.problem)) for each in protections).encode()


def decode(content: bytes) -> tuple[Protection, ...]:
    rows = (line.split("\t") for line in content.decode().splitlines())
    return tuple(Protection(name, mechanism or None, problem) for name, mechanism, problem in rows)
