"""Runs many inputs of each kind of `bounded` and counts the memory of each one.

    python -m tests.fuzz.counted STATE [--inputs 20000] [--kind KIND ...]

The seeds of a kind are 0, 1, 2 and so on. Each failure is printed with its seed, for `check_bounded(KIND, SEED)`, and
the run goes on; at the end, the status is 1 if there was any. STATE keeps what was done, so that the same command goes
on after an interruption; what failed is tried again first.

To trace each allocation makes the work up to four times slower. So the kernel counts first: pages that became resident,
plus what was free before in the heap, which is all in `malloc`'s. What is more than allowed by that count is traced.
"""

import argparse
import ctypes
import gc
import json
import os
import re
import resource
import signal
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.fuzz.bounded import WORK, allowed_bytes, check_bounded, input_of
from tests.fuzz.session import Unexpected

CHUNK = 50
"""Inputs between two writes of the state; the kinds take turns."""

MAX_CPU_SECONDS = 300
"""Of one input, which takes a tenth of a second: one that never ends is a failure, and the run goes on."""

MAX_MEMORY_BYTES = 4_000_000_000

_MALLOC = {"PYTHONMALLOC": "malloc", "MALLOC_ARENA_MAX": "1"}
"""Read when Python starts."""


class _Mallinfo(ctypes.Structure):
    _fields_ = [
        (name, ctypes.c_size_t)
        for name in [
            "arena",
            "ordblks",
            "smblks",
            "hblks",
            "hblkhd",
            "usmblks",
            "fsmblks",
            "uordblks",
            "fordblks",
            "keepcost",
        ]
    ]


class ResidentMemory:
    """Counts what work takes by the pages of this process; Linux with glibc only."""

    def __init__(self) -> None:
        self._libc = ctypes.CDLL(None)
        self._libc.mallinfo2.restype = _Mallinfo

    def peak_bytes(self, work: Callable[[], object]) -> int:
        """Return at least as much as `work` takes at most, with the memory of C libraries."""
        gc.collect()  # Or garbage of former work would make room.
        self._libc.malloc_trim(0)
        Path("/proc/self/clear_refs").write_text("5")  # resets the peak
        free, before = self._libc.mallinfo2().fordblks, _status_bytes("VmRSS")
        work()
        return int(_status_bytes("VmHWM") - before + free)


def _status_bytes(name: str) -> int:
    match = re.search(rf"^{name}:\s+(\d+) kB$", Path("/proc/self/status").read_text(), re.MULTILINE)
    assert match is not None
    return 1024 * int(match[1])


def failure_of(kind: str, seed: int, memory: ResidentMemory) -> str | None:
    """Return what is wrong with an input, or None."""
    signal.setitimer(signal.ITIMER_PROF, MAX_CPU_SECONDS)
    try:
        case = input_of(kind, seed)
        if case is not None and memory.peak_bytes(case[1]) > allowed_bytes(kind, case[0]):
            del case
            check_bounded(kind, seed)
    except Exception as error:  # noqa: BLE001  (a finding)
        lines = traceback.format_exception(error, limit=-3)
        return "".join(lines)[-1_500:] if not isinstance(error, Unexpected) else str(error)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return None


def run(state_path: Path, kinds: list[str], inputs: int) -> int:
    """Run what the state lacks of `inputs` seeds of each kind; return the number of failures."""
    state: dict[str, Any] = json.loads(state_path.read_text()) if state_path.exists() else {}
    for kind in kinds:
        state.setdefault(kind, {"done": 0, "failures": {}})
    memory = ResidentMemory()
    for kind in kinds:
        results = {seed: failure_of(kind, int(seed), memory) for seed in state[kind]["failures"]}
        state[kind]["failures"] = {seed: failure for seed, failure in results.items() if failure is not None}
    _forget_caches_and_modules()
    while unfinished := [kind for kind in kinds if state[kind]["done"] < inputs]:
        for kind in unfinished:
            first = state[kind]["done"]
            for seed in range(first, min(inputs, first + CHUNK)):
                if (failure := failure_of(kind, seed, memory)) is not None:
                    state[kind]["failures"][str(seed)] = failure
                    print(f"{kind} {seed}: {failure}", flush=True)  # noqa: T201
                state[kind]["done"] = seed + 1
            _replace(state_path, json.dumps(state, indent=1))
            _forget_caches_and_modules()
        print(", ".join(f"{kind} {state[kind]['done']:,}" for kind in kinds), flush=True)  # noqa: T201
    return sum(len(state[kind]["failures"]) for kind in kinds)


def _forget_caches_and_modules() -> None:
    """Keep the collector from what stays, which takes most of its time."""
    gc.collect()
    gc.freeze()


def _replace(path: Path, content: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    written = path.with_name(f"{path.name}.new")
    written.write_text(content)
    written.replace(path)


def _stop(*_: object) -> None:
    raise Unexpected(f"still running after {MAX_CPU_SECONDS} s of CPU time")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("state", type=Path)
    parser.add_argument("--inputs", type=int, default=20_000, help="of each kind")
    parser.add_argument("--kind", action="append", choices=sorted(WORK), help="all by default")
    options = parser.parse_args()
    if any(os.environ.get(name) != value for name, value in _MALLOC.items()):
        os.execve(
            sys.executable,
            [sys.executable, "-m", "tests.fuzz.counted", *sys.argv[1:]],
            {**os.environ, **_MALLOC},
        )
    resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY_BYTES, MAX_MEMORY_BYTES))
    signal.signal(signal.SIGPROF, _stop)
    return 1 if run(options.state, options.kind or list(WORK), options.inputs) else 0


if __name__ == "__main__":
    sys.exit(main())
