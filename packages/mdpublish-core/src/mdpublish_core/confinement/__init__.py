"""What a confined worker process cannot do, beyond its limits of time and memory.

    confine() ──▶ landlock: files, other processes, signals
              ──▶ seccomp: system calls that no job makes

Only Linux can do this without privileges. Elsewhere, and on old kernels, jobs run, and gaps are reported.
"""

from contextlib import suppress

from mdpublish_core.confinement.protections import PROTECTIONS, Protection


def confine(*, may_start_processes: bool = True) -> tuple[Protection, ...]:
    """Confine this process, irrevocably, and those that it starts, but no other thread that already runs."""
    try:
        # Loads ctypes, which fails where it may not map executable memory.
        from mdpublish_core.confinement import process
    except (ImportError, MemoryError, OSError) as error:
        return tuple(Protection(name, None, f"ctypes cannot be loaded ({error})") for name in PROTECTIONS)
    return process.confine(may_start_processes=may_start_processes)


def hide_memory() -> None:
    """Keep processes of the same user from reading this one's memory, environment and descriptors.

    Only on a Linux without Landlock, which keeps workers from that; others may still debug the process.
    """
    with suppress(ImportError, MemoryError, OSError):
        from mdpublish_core.confinement import process

        process.hide_memory()
