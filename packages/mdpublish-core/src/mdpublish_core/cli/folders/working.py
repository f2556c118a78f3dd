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
from mdpublish_core.cli.folders.addresses import Addresses, addresses_for
from mdpublish_core.cli.folders.ledger import Entry, around, digest
from mdpublish_core.cli.folders.plan import Plan
from mdpublish_core.cli.outputs import make_html, make_mail, make_page
from mdpublish_core.cli.reading import refusal, whole

if TYPE_CHECKING:
    from mdpublish_core import Notice
    from mdpublish_core.page import PageOptions


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a document: its entry in the ledger, or why there is none."""

    document: PurePosixPath
    entry: Entry | None
    problem: str | None = None


def convert_all(plan: Plan, documents: Sequence[PurePosixPath], workers: int) -> Iterator[Outcome]:
    """Convert documents and write their outputs; yield what became of each, in the order in which they are done."""
    if workers == 1:
        for document in documents:
            yield convert_document(plan, document)
        return
    left = list(documents)
    while left:
        undone: list[PurePosixPath] = []
        yield from _convert_together(plan, left, workers, undone)
        # A document that ended its process was among the first that are not done; alone, each shows whether it was it.
        at_work, left = undone[: 2 * workers + 1], undone[2 * workers + 1 :]
        for document in at_work:
            yield _convert_alone(plan, document)


def convert_document(plan: Plan, document: PurePosixPath) -> Outcome:
    """Convert one document and write its output."""
    try:
        content = (plan.source / document).read_bytes()
        text = content.decode("utf-8")
        made, notices, addresses = _convert(plan, document, text)
        _write(plan.target / plan.outputs[document], made)
        _copy_files(plan, addresses.copies)
    except OSError as error:
        return Outcome(document, None, problem=f"{error.strerror or error}: {error.filename or document}")
    except UnicodeDecodeError as error:
        return Outcome(document, None, problem=f"not UTF-8: byte {error.start + 1} cannot be read; save it as UTF-8")
    except MdpublishError as error:
        return Outcome(document, None, problem=refusal(error))
    except Exception as error:  # noqa: BLE001  (a fault of ours in one document must not stop the others)
        return Outcome(document, None, problem=f"a fault of mdpublish, please report it: {error!r}")
    entry = Entry(
        source=digest(content),
        output=str(plan.outputs[document]),
        around=around(plan, document),
        stamps=addresses.stamps,
        copies=tuple(sorted(map(str, addresses.copies))),
        notices=notices,
    )
    return Outcome(document, entry)


def _convert(plan: Plan, document: PurePosixPath, text: str) -> "tuple[bytes, tuple[Notice, ...], Addresses]":
    """Return a document's output, its notices, and what was found out about its addresses."""
    from mdpublish_core import parse

    aim = plan.aim
    addresses = addresses_for(plan, document)
    parsed = parse(text, raw_html=aim.raw_html, resolve=addresses)
    title = parsed.title or whole(document.stem)
    if aim.form == "page":
        made, notices = make_page(aim.look, parsed, _page_options(plan, document, title))
    elif aim.form == "mail":
        made, notices = make_mail(aim.look, parsed, title)
    else:
        made, notices = make_html(aim.look, parsed, aim.destination)
    return made, addresses.told_with(notices), addresses


def _page_options(plan: Plan, document: PurePosixPath, title: str) -> "PageOptions":
    from mdpublish_core.page import PageOptions

    breadcrumbs = plan.breadcrumbs(document)
    return PageOptions(title=title, page_width=plan.aim.page_width, lang=plan.aim.lang, breadcrumbs=breadcrumbs)


def _copy_files(plan: Plan, paths: Iterable[PurePosixPath]) -> None:
    """Put files that a page names beside it; raises OSError where one cannot be copied."""
    for path in paths:
        with _replaced(plan.target / path) as beside:
            copy2(plan.source / path, beside)


def _write(path: Path, content: bytes) -> None:
    with _replaced(path) as beside:
        beside.write_bytes(content)


@contextmanager
def _replaced(path: Path) -> Iterator[Path]:
    """Give another file to write, which then takes a path's place: there, it is the old one or the new one, and whole."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        yield beside
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def _convert_together(
    plan: Plan, documents: Sequence[PurePosixPath], workers: int, undone: list[PurePosixPath]
) -> Iterator[Outcome]:
    """Convert documents in processes; those that a dying process left undone go into `undone`, in their order."""
    done = set()
    executor = ProcessPoolExecutor(workers, initializer=_adopt, initargs=(plan,))
    try:
        for future in as_completed([executor.submit(_convert_adopted, document) for document in documents]):
            outcome = future.result()
            done.add(outcome.document)
            yield outcome
    except BrokenProcessPool:
        undone += [document for document in documents if document not in done]
    finally:
        executor.shutdown(cancel_futures=True)


def _convert_alone(plan: Plan, document: PurePosixPath) -> Outcome:
    """Convert a document in a process of its own."""
    undone: list[PurePosixPath] = []
    for outcome in _convert_together(plan, [document], 1, undone):
        return outcome
    return Outcome(document, None, problem="its conversion ended the process that did it; is memory short?")


# The plan in a worker's process, which serves no other; sent once, since it is larger than what a document is told by.
_adopted: list[Plan] = []


def _adopt(plan: Plan) -> None:
    """Begin a worker's process: an interruption is its parent's matter."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _adopted[:] = [plan]


def _convert_adopted(document: PurePosixPath) -> Outcome:
    return convert_document(_adopted[0], document)
