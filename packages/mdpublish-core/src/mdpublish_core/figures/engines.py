"""Finds the engine that renders each kind of figure here, and why there is no better one."""

from dataclasses import dataclass

from mdpublish_core.figures.pool import JOBS_MODULE, MEMORY_BYTES
from mdpublish_core.resources.figure_kinds import FIGURE_KINDS
from mdpublish_core.workers import START_SECONDS, Worker, WorkerFailure


@dataclass(frozen=True, slots=True)
class EngineStatus:
    """Engine of a kind of figure; without it, figures are shown as their source."""

    kind: str
    engine: str | None
    """Name and version, and the reason for a second choice."""

    problem: str = ""


def find_engines() -> tuple[EngineStatus, ...]:
    """Load each engine in a worker process, which a crash restarts."""
    worker = Worker(JOBS_MODULE, memory_bytes=MEMORY_BYTES, is_confined=True)
    try:
        return tuple(_status(worker, kind) for kind in FIGURE_KINDS)
    finally:
        worker.close()


def _status(worker: Worker, kind: str) -> EngineStatus:
    try:
        description = worker.run("describe", kind.encode(), seconds=START_SECONDS, backstop=START_SECONDS).decode()
    except WorkerFailure as failure:
        return EngineStatus(kind, None, f"the engine cannot be loaded: {failure}")
    engine, _, problem = description.partition("\0")
    return EngineStatus(kind, engine or None, problem)
