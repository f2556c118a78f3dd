"""The processes that draw: engines are native code that can hang, crash or eat memory, so none runs in the caller's process.

They start when the first figure is to be drawn, and stay. A process that a figure killed is replaced for the next one.
"""

import atexit
import os
from threading import Condition

from mdpublish_core.workers import START_SECONDS, Worker, is_worker

JOBS_MODULE = "mdpublish_core.figures.jobs"
"""What the processes import: the module whose table names the jobs."""

MOST_PROCESSES = 4
"""Processes that draw at the same time, for callers in as many threads; never more than there are processors. A process that is
a worker itself has one: it is one of many."""

MEMORY_BYTES = 1 << 29
"""Address space of a process that draws, in bytes: 512 MiB, of which it has mapped half before it begins; the largest graphs of
Graphviz's own collection and pictures of 16 million pixels need less than the rest."""


class Drawers:
    """At most so many processes, each of which draws one figure after another; `module` names their jobs."""

    def __init__(self, processes: int | None = None, *, module: str = JOBS_MODULE) -> None:
        self._module = module
        usual = 1 if is_worker() else min(MOST_PROCESSES, os.cpu_count() or 1)
        self.most = processes or usual
        self._changed = Condition()
        self._idle: list[_Drawer] = []
        self._number = 0
        atexit.register(self.close)
        if hasattr(os, "register_at_fork"):  # not on Windows
            os.register_at_fork(after_in_child=self._after_fork)

    def run(self, kind: str, order: bytes, *, seconds: float) -> bytes:
        """Return what a process answers to an order of this kind; raises `WorkerFailure`.

        `seconds` is what the drawing may take; that a process or an engine starts, or all are busy, comes on top.
        """
        drawer = self._taken()
        try:
            return drawer.draw(kind, order, seconds)
        finally:
            self._give_back(drawer)

    def close(self) -> None:
        """End all processes that do nothing just now; the next order starts one again."""
        with self._changed:
            idle, self._idle = self._idle, []
            self._number -= len(idle)
        for drawer in idle:
            drawer.worker.close()

    def _after_fork(self) -> None:
        """Leave the processes to the caller's parent: two that write into one pipe would get each other's answers."""
        for drawer in self._idle:
            drawer.worker.forget()
        # Another thread of the parent's may have held this when it forked.
        self._changed = Condition()
        self._idle = []
        self._number = 0

    def _taken(self) -> "_Drawer":
        with self._changed:
            while not self._idle and self._number >= self.most:
                self._changed.wait()
            if self._idle:
                return self._idle.pop()
            self._number += 1
        return _Drawer(self._module)

    def _give_back(self, drawer: "_Drawer") -> None:
        with self._changed:
            self._idle.append(drawer)
            self._changed.notify()


class _Drawer:
    """One process, and which engines it has loaded."""

    def __init__(self, module: str) -> None:
        self.worker = Worker(module, memory_bytes=MEMORY_BYTES)
        self._loaded: set[str] = set()
        self._start = 0

    def draw(self, kind: str, order: bytes, seconds: float) -> bytes:
        # An engine takes its time to load, more so on a busy machine; that is no fault of the figure.
        self.worker.start()
        if self._start != self.worker.starts:
            self._loaded, self._start = set(), self.worker.starts
        if kind not in self._loaded:
            self.worker.run("load", kind.encode(), seconds=START_SECONDS)
            self._loaded.add(kind)
        return self.worker.run("draw", order, seconds=seconds)
