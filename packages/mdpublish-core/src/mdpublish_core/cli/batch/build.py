"""Converts the documents of a plan, in this process or in several; a document that cannot be converted stops none."""

import os
import signal
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from shutil import copy2
from typing import TYPE_CHECKING

from mdpublish_core import MdpublishError
from mdpublish_core.cli.batch.cache import CacheEntry, digest, navigation
from mdpublish_core.cli.batch.links import LinkRewriter, link_rewriter_for
from mdpublish_core.cli.batch.plan import Plan
from mdpublish_core.cli.inputs import error_message, replace_surrogates
from mdpublish_core.cli.outputs import html_output, mail_output, page_output

if TYPE_CHECKING:
    from mdpublish_core import Notice
    from mdpublish_core.page import PageOptions


@dataclass(frozen=True, slots=True)
class BuildResult:
    """What became of a document: its entry in the build cache, or why there is none."""

    document: PurePosixPath
    entry: CacheEntry | None
    problem: str | None = None


def convert_all(plan: Plan, documents: Sequence[PurePosixPath], workers: int) -> Iterator[BuildResult]:
    """Convert documents and write their outputs; yield what became of each, in the order in which they are done."""
    if workers == 1:
        for document in documents:
            yield convert_document(plan, document)
        return
    remaining = list(documents)
    while remaining:
        undone: list[PurePosixPath] = []
        yield from _convert_in_pool(plan, remaining, workers, undone)
        # A document that ended its process was among the first that are not done; alone, each shows whether it was it.
        suspects, remaining = undone[: 2 * workers + 1], undone[2 * workers + 1 :]
        for document in suspects:
            yield _convert_isolated(plan, document)


def convert_document(plan: Plan, document: PurePosixPath) -> BuildResult:
    """Convert one document and write its output."""
    try:
        content = (plan.source / document).read_bytes()
        markdown = content.decode("utf-8")
        rendered, notices, links = _convert(plan, document, markdown)
        _write(plan.target / plan.outputs[document], rendered)
        _copy_files(plan, links.copies)
    except OSError as error:
        return BuildResult(document, None, problem=f"{error.strerror or error}: {error.filename or document}")
    except UnicodeDecodeError as error:
        return BuildResult(
            document, None, problem=f"not UTF-8: byte {error.start + 1} cannot be read; save it as UTF-8"
        )
    except MdpublishError as error:
        return BuildResult(document, None, problem=error_message(error))
    except Exception as error:  # noqa: BLE001  (a fault of ours in one document must not stop the others)
        return BuildResult(document, None, problem=f"a fault of mdpublish, please report it: {error!r}")
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
    """Return a document's output, its notices, and what was found out about its addresses."""
    from mdpublish_core import parse

    options = plan.options
    links = link_rewriter_for(plan, document)
    parsed = parse(markdown, raw_html=options.raw_html, rewrite_url=links)
    title = parsed.title or replace_surrogates(document.stem)
    if options.output_format == "page":
        rendered, notices = page_output(options.style, parsed, _page_options(plan, document, title))
    elif options.output_format == "mail":
        rendered, notices = mail_output(options.style, parsed, title)
    else:
        rendered, notices = html_output(options.style, parsed, options.destination)
    return rendered, links.merge_notices(notices), links


def _page_options(plan: Plan, document: PurePosixPath, title: str) -> "PageOptions":
    from mdpublish_core.page import PageOptions

    breadcrumbs = plan.breadcrumbs(document)
    return PageOptions(title=title, page_width=plan.options.page_width, lang=plan.options.lang, breadcrumbs=breadcrumbs)


def _copy_files(plan: Plan, paths: Iterable[PurePosixPath]) -> None:
    """Put files that a page names beside it; raises OSError where one cannot be copied."""
    for path in paths:
        with _atomic_write(plan.target / path) as temporary:
            copy2(plan.source / path, temporary)


def _write(path: Path, content: bytes) -> None:
    with _atomic_write(path) as temporary:
        temporary.write_bytes(content)


@contextmanager
def _atomic_write(path: Path) -> Iterator[Path]:
    """Give another file to write, which then takes a path's place: there, it is the old one or the new one, and whole."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        yield temporary
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def _convert_in_pool(
    plan: Plan, documents: Sequence[PurePosixPath], workers: int, undone: list[PurePosixPath]
) -> Iterator[BuildResult]:
    """Convert documents in processes; those that a dying process left undone go into `undone`, in their order."""
    done = set()
    executor = ProcessPoolExecutor(workers, initializer=_init_worker, initargs=(plan,))
    try:
        for future in as_completed([executor.submit(_convert_in_worker, document) for document in documents]):
            result = future.result()
            done.add(result.document)
            yield result
    except BrokenProcessPool:
        undone += [document for document in documents if document not in done]
    finally:
        executor.shutdown(cancel_futures=True)


def _convert_isolated(plan: Plan, document: PurePosixPath) -> BuildResult:
    """Convert a document in a process of its own."""
    undone: list[PurePosixPath] = []
    for result in _convert_in_pool(plan, [document], 1, undone):
        return result
    return BuildResult(document, None, problem="its conversion ended the process that did it; is memory short?")


# The plan in a worker's process, which serves no other; sent once, since it is larger than what a document is told by.
_worker_plan: list[Plan] = []


def _init_worker(plan: Plan) -> None:
    """Begin a worker's process: an interruption is its parent's matter."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _worker_plan[:] = [plan]


def _convert_in_worker(document: PurePosixPath) -> BuildResult:
    return convert_document(_worker_plan[0], document)
