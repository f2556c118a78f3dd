"""Batch conversion on any `concurrent.futures.Executor`: jobs → chunks → results, in the order of the jobs."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, fields
from time import monotonic
from typing import TYPE_CHECKING, TypeAlias

from mdpublish_core.arguments import require_type, type_name
from mdpublish_core.conversion import Converter
from mdpublish_core.errors import InvalidArgument, MdpublishError

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator
    from concurrent.futures import Executor, Future

    from mdpublish_core.writers.results import Conversion

    Outcome: TypeAlias = Conversion | MdpublishError

__all__ = ["Job", "convert_many"]

MAX_CHUNKS_IN_FLIGHT = 1_000
"""Three per worker (running, queued, done) on a cluster of some hundred workers."""

MAX_CHARACTERS_IN_FLIGHT = 32_000_000
"""Keeps at most seven documents of 5 MB, the default input limit, in memory."""

MAX_CHUNK_JOBS = 8
"""1,000 documents of 1 KB take 25% less time on two processes than without chunks; 16 gain little more."""

MAX_CHUNK_CHARACTERS = 16_000
"""About 4 ms of work; sending takes 0.2 ms."""

CHUNK_GROWTH = 64
"""One more job per chunk for each 64 jobs sent, so that short batches use all workers."""

MAX_CHUNK_SECONDS = 0.001
"""A partial chunk is sent after this time."""


@dataclass(frozen=True, slots=True)
class Job:
    """A document to convert, and its converter. Jobs compare by value, and can be pickled if the converter can."""

    markdown: str
    converter: Converter = Converter()  # noqa: RUF009  (immutable)

    def __post_init__(self) -> None:
        require_type("converter of Job", self.converter, Converter)


def convert_many(
    jobs: Iterable[Job], *, executor: Executor | None = None
) -> Generator[Conversion | MdpublishError, None, None]:
    """Convert many documents and yield the results in the order of the jobs.

    A failed job yields its `MdpublishError`, without a traceback; the other jobs continue. So does one that cannot be
    sent to another process, such as one with a lambda. `executor` is any `concurrent.futures.Executor`; it is never
    shut down. Without one, each job is converted when its result is requested.

    `jobs` may be endless: it is read at most 1,000 chunks (up to eight small jobs each) or 32,000,000 characters
    ahead, starting with the first result. Closing the generator cancels the jobs that have not started.

    Raises `InvalidArgument` for anything that is not a Job. Other exceptions, raised by `jobs`, by a callback of a job
    or by the executor (`BrokenProcessPool`), propagate after the results of preceding jobs. A broken executor loses
    results in flight.
    """
    given: object = jobs
    if isinstance(given, str | bytes) or not isinstance(given, Iterable):
        raise InvalidArgument("jobs", f"must be Job instances in an iterable (got {type_name(jobs)})")
    submit = getattr(executor, "submit", None)
    if executor is not None and (isinstance(executor, type) or not callable(submit)):
        raise InvalidArgument(
            "executor", f"must be an Executor of concurrent.futures, or None (got {type_name(executor)})"
        )
    return _convert_sequentially(jobs) if executor is None else _convert_in_parallel(jobs, executor)


def _convert_sequentially(jobs: Iterable[Job]) -> Generator[Outcome, None, None]:
    for job in jobs:
        yield _outcome(_checked(job))


def _convert_in_parallel(jobs: Iterable[Job], executor: Executor) -> Generator[Outcome, None, None]:
    chunks, failure = _chunks(jobs), None
    in_flight = _ChunksInFlight(executor)
    reading = True
    try:
        while True:
            # Replace the chunk just yielded; submit more while waiting.
            replaced = False
            while reading and in_flight.has_room() and not (replaced and in_flight.has_result()):
                try:
                    in_flight.send(next(chunks))
                    replaced = True
                except StopIteration:
                    reading = False
                except Exception as error:  # noqa: BLE001  (it is raised, after the results of the jobs before it)
                    reading, failure = False, error
            if not in_flight:
                break
            yield from in_flight.next_results()
    finally:
        in_flight.cancel()
    if failure is not None:
        raise failure


class _ChunksInFlight:
    __slots__ = ("_batch_id", "_characters", "_executor", "_sent")

    def __init__(self, executor: Executor) -> None:
        self._executor = executor
        self._sent: deque[tuple[tuple[Job, ...], Future[list[Outcome]]]] = deque()
        self._characters = 0
        self._batch_id = os.urandom(8).hex()

    def __len__(self) -> int:
        return len(self._sent)

    def has_room(self) -> bool:
        return len(self._sent) < MAX_CHUNKS_IN_FLIGHT and self._characters < MAX_CHARACTERS_IN_FLIGHT

    def has_result(self) -> bool:
        return self._sent[0][1].done()

    def send(self, chunk: tuple[Job, ...]) -> None:
        self._sent.append((chunk, self._submit(chunk)))
        self._characters += _characters(chunk)

    def next_results(self) -> list[Outcome]:
        """Wait for the first chunk and return its results.

        After an unexpected exception, its jobs are resubmitted one by one to find the culprit; the result is empty.
        """
        from concurrent.futures import BrokenExecutor, CancelledError

        chunk, future = self._sent[0]
        try:
            outcomes = future.result()
        except (BrokenExecutor, CancelledError):
            raise
        except Exception as error:  # noqa: BLE001  (raised again, unless it is the job's)
            if len(chunk) == 1:
                outcomes = [_unpicklable(chunk[0], error)]
                self._drop()
                return outcomes
            alone = [((job,), self._submit((job,))) for job in chunk]
            self._sent.popleft()
            self._sent.extendleft(reversed(alone))
            return []
        self._drop()
        return outcomes

    def _drop(self) -> None:
        chunk, _ = self._sent.popleft()
        self._characters -= _characters(chunk)

    def cancel(self) -> None:
        for _, future in self._sent:
            future.cancel()

    def _submit(self, chunk: tuple[Job, ...]) -> Future[list[Outcome]]:
        return self._executor.submit(_convert_chunk, chunk, self._batch_id)


def _chunks(jobs: Iterable[Job]) -> Iterator[tuple[Job, ...]]:
    """Group small jobs into chunks. If `jobs` raises, the preceding jobs are yielded first."""
    chunk: list[Job] = []
    begun = weight = 0
    start = monotonic()
    try:
        for job in jobs:
            chunk.append(_checked(job))
            weight += _weight(job)
            full = len(chunk) >= min(MAX_CHUNK_JOBS, 1 + begun // CHUNK_GROWTH) or weight >= MAX_CHUNK_CHARACTERS
            if full or monotonic() - start > MAX_CHUNK_SECONDS:
                yield tuple(chunk)
                begun += len(chunk)
                chunk, weight, start = [], 0, monotonic()
    except Exception:
        if chunk:
            yield tuple(chunk)
        raise
    if chunk:
        yield tuple(chunk)


def _unpicklable(job: Job, error: Exception) -> Outcome:
    """Return what is wrong with a job that cannot be sent to a process; raise any other error."""
    import pickle

    for each in fields(job.converter):
        try:
            pickle.dumps(getattr(job.converter, each.name))
        except (pickle.PicklingError, AttributeError, TypeError):
            remedy = "define its functions and classes at the top level of a module"
            return InvalidArgument(f"{each.name} of Converter", f"cannot be sent to another process; {remedy}")
    raise error


def _checked(job: Job) -> Job:
    if not isinstance(job, Job):
        raise InvalidArgument("jobs", f"must be Job instances (got {type(job).__name__}); use Job(markdown, …)")
    return job


def _weight(job: Job) -> int:
    # A stylesheet is expensive: its job fills a chunk.
    return _characters((job,)) if job.converter.css is None else MAX_CHUNK_CHARACTERS


def _characters(chunk: tuple[Job, ...]) -> int:
    # What is not a str fails when it is converted.
    sources: list[object] = [job.markdown for job in chunk]
    return sum(len(source) for source in sources if isinstance(source, str))


def _convert_chunk(chunk: tuple[Job, ...], batch_id: str) -> list[Outcome]:
    del batch_id  # tells batches apart: Dask deduplicates equal calls and would cancel both
    return [_outcome(job) for job in chunk]


def _outcome(job: Job) -> Outcome:
    try:
        return job.converter.convert(job.markdown)
    except MdpublishError as error:
        # The traceback would keep the document alive.
        error.__context__ = None
        return error.with_traceback(None)
