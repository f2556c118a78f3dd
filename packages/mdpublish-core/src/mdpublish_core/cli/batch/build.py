"""Conversion of a plan's documents in one or more processes."""

import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import PurePosixPath
from queue import Empty, SimpleQueue
from shutil import copyfileobj
from threading import current_thread, main_thread
from typing import TYPE_CHECKING, Any

from mdpublish_core import MdpublishError
from mdpublish_core.cli.batch.cache import CacheEntry, digest, navigation
from mdpublish_core.cli.batch.links import LinkRewriter
from mdpublish_core.cli.batch.plan import Plan
from mdpublish_core.cli.inputs import error_message
from mdpublish_core.cli.options import default_title, render_output
from mdpublish_core.resources.folder_files import open_within
from mdpublish_core.strings.encodings import InvalidEncoding, decode_source

if TYPE_CHECKING:
    from mdpublish_core import Document, Notice


# Until Ctrl-C has an effect.
_POLL_SECONDS = 0.2


@dataclass(frozen=True, slots=True)
class BuildResult:
    """A cache entry, or the problem."""

    document: PurePosixPath
    entry: CacheEntry | None
    problem: str | None = None


def convert_all(plan: Plan, documents: Sequence[PurePosixPath], workers: int) -> Iterator[BuildResult]:
    """Convert and write documents; yield results as they complete."""
    if workers == 1:
        for document in documents:
            yield convert_document(plan, document)
        return
    remaining = list(documents)
    while remaining:
        undone: list[PurePosixPath] = []
        yield from _convert_in_pool(plan, remaining, workers, undone)
        # The document that crashed the pool is among the first unfinished ones.
        suspects, remaining = undone[: 2 * workers + 1], undone[2 * workers + 1 :]
        for document in suspects:
            yield _convert_isolated(plan, document)


def convert_document(plan: Plan, document: PurePosixPath) -> BuildResult:
    try:
        content = plan.read(document)
        rendered, notices, links = _convert(plan, document, decode_source(content))
        with plan.open_output(plan.outputs[document]) as new:
            new.write(rendered)
        _copy_files(plan, links.copies)
    except OSError as error:
        return BuildResult(document, None, problem=f"{error.strerror or error}: {error.filename or document}")
    except InvalidEncoding as error:
        return BuildResult(document, None, problem=str(error))
    except MdpublishError as error:
        return BuildResult(document, None, problem=error_message(error))
    except Exception as error:  # noqa: BLE001  (a fault of ours in one document must not stop the others)
        return BuildResult(document, None, problem=f"internal error, please report it: {error!r}")
    entry = CacheEntry(
        source=digest(content),
        output=str(plan.outputs[document]),
        navigation=navigation(plan, document),
        stamps=links.stamps,
        copies=tuple(sorted(map(str, links.copies))),
        notices=notices,
    )
    return BuildResult(document, entry)


def _convert(plan: Plan, document: PurePosixPath, markdown: str) -> "tuple[bytes, tuple[Notice, ...], LinkRewriter]":
    options = plan.options
    links = LinkRewriter(plan, document)
    parsed = options.parsing.parse(markdown, links)
    values = _output_values(plan, document, parsed)
    conversion = render_output(parsed, options.output, values, options.style)
    return conversion.to_bytes(), links.merge_notices(conversion.notices), links


def _output_values(plan: Plan, document: PurePosixPath, parsed: "Document") -> dict[str, Any]:
    values = plan.options.values(parsed) | {"default_title": default_title(document.name)}
    if plan.options.output.is_page:
        values |= {"breadcrumbs": plan.breadcrumbs(document), "canonical_url": plan.canonical_url(document)}
    return values


def _copy_files(plan: Plan, paths: Iterable[PurePosixPath]) -> None:
    for path in paths:
        with open_within(plan.boundary, plan.source / path) as source, plan.open_output(path) as new:
            copyfileobj(source, new)


def _convert_in_pool(
    plan: Plan, documents: Sequence[PurePosixPath], workers: int, undone: list[PurePosixPath]
) -> Iterator[BuildResult]:
    done = set()
    results: SimpleQueue[Future[BuildResult]] = SimpleQueue()
    with _deferred_interrupts() as check_interrupts:
        executor = ProcessPoolExecutor(workers, initializer=_init_worker, initargs=(plan,))
        try:
            for document in documents:
                executor.submit(_convert_in_worker, document).add_done_callback(results.put)
            for _ in documents:
                result = _next(results, check_interrupts).result()
                done.add(result.document)
                yield result
        except BrokenProcessPool:
            undone += [document for document in documents if document not in done]
        finally:
            executor.shutdown(cancel_futures=True)


def _next(results: "SimpleQueue[Future[BuildResult]]", check_interrupts: Callable[[], None]) -> "Future[BuildResult]":
    while True:
        check_interrupts()
        with suppress(Empty):
            return results.get(timeout=_POLL_SECONDS)


@contextmanager
def _deferred_interrupts() -> Iterator[Callable[[], None]]:
    """Yield a function that raises `KeyboardInterrupt` after Ctrl-C.

    Raised at once, it could leave a lock of the pool locked for ever. A second Ctrl-C is not deferred.
    """
    interrupts = 0

    def note(_number: int, _frame: object) -> None:
        nonlocal interrupts
        interrupts += 1
        if interrupts > 1:
            raise KeyboardInterrupt

    def check() -> None:
        if interrupts:
            raise KeyboardInterrupt

    if current_thread() is not main_thread() or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield check
        return
    signal.signal(signal.SIGINT, note)
    try:
        yield check
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _convert_isolated(plan: Plan, document: PurePosixPath) -> BuildResult:
    undone: list[PurePosixPath] = []
    for result in _convert_in_pool(plan, [document], 1, undone):
        return result
    return BuildResult(document, None, problem="the worker process crashed, possibly out of memory")


# Sent once per process because of its size.
_worker_plan: list[Plan] = []


def _init_worker(plan: Plan) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles it
    _worker_plan[:] = [plan]


def _convert_in_worker(document: PurePosixPath) -> BuildResult:
    return convert_document(_worker_plan[0], document)
