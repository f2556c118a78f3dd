"""Many texts: jobs, and their conversion in order, by whatever executor the caller has.

    jobs → chunks → the executor's workers → Conversion or MdpublishError, in the order of the jobs

Owns what a job is, how many are on their way at once, and what becomes of errors. Threads, processes and clusters are the
caller's: any `concurrent.futures.Executor` does, and none is started, shut down or asked for more than `submit`.
"""

from __future__ import annotations

import os
from collections import deque
from dataclasses import dataclass, field, fields
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeAlias

from mdpublish_core.convert import convert
from mdpublish_core.errors import MdpublishError

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator
    from concurrent.futures import Executor, Future

    from mdpublish_core.convert import Conversion
    from mdpublish_core.destinations import MediaUrl
    from mdpublish_core.options.extensions import Extension, RawHtml
    from mdpublish_core.options.limits import Limits
    from mdpublish_core.resources.urls import UrlRewriter
    from mdpublish_core.templates import Template, ThemeMode

    Outcome: TypeAlias = Conversion | MdpublishError

MAX_CHUNKS_IN_FLIGHT = 1_000
"""Chunks handed to an executor and not yet handed out: three for each worker of a cluster of some hundred, one that is
converted, one that waits beside it, and one whose result waits for its turn."""

MAX_CHARACTERS_IN_FLIGHT = 32_000_000
"""Markdown in flight, in characters: 1,000 full chunks hold half of it, and of texts of 5 MB, which is the most that is
converted by default, no more than seven are in memory at once, with their results."""

MAX_CHUNK_JOBS = 8
"""Jobs that are sent together, at most. A thousand texts of 1 KB take two processes a quarter less time than one by one, and
the caller's thread half the work; sixteen gain little more."""

MAX_CHUNK_CHARACTERS = 16_000
"""Markdown that fills a chunk, in characters: about 4 ms of work, beside which 0.2 ms for sending are little."""

CHUNK_GROWTH = 64
"""Jobs begun for each job more in a chunk: a chunk is never more than a sixty-fourth of the batch so far, and a short
batch goes job by job, so that chunks leave no worker without work."""

MAX_CHUNK_SECONDS = 0.001
"""After this a chunk goes as it is: where jobs are slow to come, none waits for others."""

# What `convert` takes by default is written there, and nowhere else.
_DEFAULTS: dict[str, Any] = convert.__kwdefaults__ or {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A text to convert, with the keywords of `convert`, its defaults, and their meaning.

    A value: it compares by content, and can be hashed and pickled as long as
    what stands in `template`, `rewrite_url` and `media_url` can.
    """

    markdown: str = field(kw_only=False)
    destination: str = _DEFAULTS["destination"]
    template: str | Template = _DEFAULTS["template"]
    theme_mode: ThemeMode = _DEFAULTS["theme_mode"]
    css: str | None = _DEFAULTS["css"]
    raw_html: RawHtml = _DEFAULTS["raw_html"]
    extensions: frozenset[Extension] = _DEFAULTS["extensions"]
    rewrite_url: UrlRewriter | None = _DEFAULTS["rewrite_url"]
    media_url: MediaUrl = _DEFAULTS["media_url"]
    limits: Limits = _DEFAULTS["limits"]


_KEYWORDS = tuple(name.name for name in fields(Job) if name.kw_only)


def convert_many(
    jobs: Iterable[Job], *, executor: Executor | None = None
) -> Generator[Conversion | MdpublishError, None, None]:
    """Convert many texts, and yield what becomes of each, in the order of the jobs.

    A job that fails yields its `MdpublishError`, without a traceback, and the rest go on. `executor` is any
    `concurrent.futures.Executor`, of threads, processes or a cluster; without one, jobs are converted one after another
    by whoever asks for the next result. It is used, and never shut down.

    Nothing is done before the first result is asked for. `jobs` may be endless: it is read by the thread that asks, at
    most some thousand jobs ahead (1,000 chunks of up to eight small jobs, 32,000,000 characters), and a result is handed
    out as soon as it is there and all before it were, unless `jobs` makes it wait. Closing the generator cancels what has
    not begun.

    Raises `TypeError` for what is not a Job, and passes on whatever else is raised: by `jobs`, by a function in a job,
    or by the executor (`BrokenProcessPool` where a process died). It comes in its place, after the results of the jobs
    before it, so that the number of results tells which job it was; only an executor that breaks takes results along
    that were still in flight.
    """
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
            # One chunk for the one handed out, so that workers have no less than before, and more while there is time.
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
    """The chunks that were sent and have not come back, in order."""

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
        """Wait for the first chunk, and return what became of it: nothing where its jobs were sent once more.

        Something other than an error of ours is raised once it is known whose it is: its jobs are sent again one by one.
        """
        from concurrent.futures import BrokenExecutor, CancelledError

        chunk, future = self._sent[0]
        try:
            outcomes = future.result()
        except (BrokenExecutor, CancelledError):
            raise
        except Exception:
            if len(chunk) == 1:
                raise
            alone = [((job,), self._submit((job,))) for job in chunk]
            self._sent.popleft()
            self._sent.extendleft(reversed(alone))
            return []
        self._sent.popleft()
        self._characters -= _characters(chunk)
        return outcomes

    def cancel(self) -> None:
        for _, future in self._sent:
            future.cancel()

    def _submit(self, chunk: tuple[Job, ...]) -> Future[list[Outcome]]:
        return self._executor.submit(_convert_chunk, chunk, self._batch_id)


def _chunks(jobs: Iterable[Job]) -> Iterator[tuple[Job, ...]]:
    """Yield jobs as they are sent, several small ones together; what `jobs` raises comes after the jobs before it."""
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


def _checked(job: Job) -> Job:
    if not isinstance(job, Job):
        raise TypeError(f"convert_many takes Jobs, and got {type(job).__name__}; write Job(markdown, …)")
    return job


def _weight(job: Job) -> int:
    """Return what a job adds to a chunk; a stylesheet of its own takes so long that it ends it."""
    return len(job.markdown) if job.css is None else MAX_CHUNK_CHARACTERS


def _characters(chunk: tuple[Job, ...]) -> int:
    return sum(len(job.markdown) for job in chunk)


def _convert_chunk(chunk: tuple[Job, ...], batch_id: str) -> list[Outcome]:
    """Convert a chunk, in a worker.

    `batch_id` tells equal chunks of two batches apart: Dask takes equal calls for one, and who cancels it, cancels it for both.
    """
    del batch_id
    return [_outcome(job) for job in chunk]


def _outcome(job: Job) -> Outcome:
    try:
        return convert(job.markdown, **{name: getattr(job, name) for name in _KEYWORDS})
    except MdpublishError as error:
        # A list of errors would keep every frame they came through alive, with its document.
        error.__context__ = None
        return error.with_traceback(None)
