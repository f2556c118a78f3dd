"""CPU time that workers use for a request, from the jobs that run in its context."""

from contextvars import ContextVar

_request_seconds: ContextVar[list[float] | None] = ContextVar("request_seconds", default=None)


def start_counting() -> list[float]:
    """Return the CPU seconds of jobs in this context; the list grows."""
    seconds: list[float] = []
    _request_seconds.set(seconds)
    return seconds


def spent() -> float:
    """Return the CPU seconds of jobs in this context so far."""
    return sum(_request_seconds.get() or ())


def add(seconds: float) -> None:
    if (counted := _request_seconds.get()) is not None:
        counted.append(seconds)
