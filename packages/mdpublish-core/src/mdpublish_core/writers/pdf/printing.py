"""Prints HTML in a confined worker process, ended by CPU time and memory."""

from functools import cache, lru_cache

from mdpublish_core import workers
from mdpublish_core.data_files import read_names, read_pairs
from mdpublish_core.errors import InvalidPdf, MdpublishError, MissingExtra
from mdpublish_core.figures.engines import EngineStatus
from mdpublish_core.figures.pool import WorkerPool
from mdpublish_core.html import HtmlWriter
from mdpublish_core.options.limits import Limits

# A hundred pages take 240 MB, and 700 of address space.
_JOBS_MODULE, MEMORY_BYTES = workers.INNER_WORKERS[1]

_SCRIPTS = read_pairs(__file__, "scripts.tsv")


def _commands(of: str) -> str:
    return ". ".join(f"{system}: {command}" for system, command in read_names(__file__, "install.tsv")[of].items())


@cache
def _workers() -> WorkerPool:
    return WorkerPool(module=_JOBS_MODULE, memory_bytes=MEMORY_BYTES)


def print_pdf(html: str, limits: Limits) -> tuple[bytes, str]:
    """Return a page as a PDF, and the characters for which there is no font.

    Raises `MissingExtra`, and `InvalidPdf` past a bound or without a system library.
    """
    try:
        try:
            printed = _workers().run("pdf", html.encode(), seconds=limits.max_pdf_seconds)
        except workers.JobStalled:
            if workers.is_worker():
                raise
            printed = _workers().run("pdf", html.encode(), seconds=limits.max_pdf_seconds)
    except workers.WorkerFailure as failure:
        if isinstance(failure, workers.JobStalled) and workers.is_worker():
            # The caller of the whole job decides.
            raise
        raise _error(failure, limits) from None
    missing, _, content = printed.partition(b"\n")
    return content, missing.decode()


@lru_cache(64)
def missing_glyphs(characters: frozenset[str], limits: Limits) -> str:
    """Return those of some characters for which there is no font; raises what `print_pdf` raises."""
    writer = HtmlWriter()
    writer.element("p", " ".join(sorted(characters)))
    return print_pdf(writer.finish(), limits)[1]


def find_fonts() -> EngineStatus:
    """Say for which of `_SCRIPTS` the machine has fonts, and how to install the others."""
    try:
        missing = missing_glyphs(frozenset("".join(_SCRIPTS.values())), Limits())
    except MdpublishError as error:
        return EngineStatus("fonts", None, str(error))
    without = [name for name, sample in _SCRIPTS.items() if set(sample) & set(missing)]
    if without:
        return EngineStatus("fonts", None, f"none for {', '.join(without)}: boxes stand for them. {_commands('fonts')}")
    return EngineStatus("fonts", f"for {', '.join(_SCRIPTS)}")


def engine_version() -> str:
    """Return the version of WeasyPrint. Raises `MissingExtra`, and `InvalidPdf` without a system library."""
    worker = workers.Worker(_JOBS_MODULE, memory_bytes=MEMORY_BYTES, is_confined=True)
    try:
        return worker.run("load", b"", seconds=workers.START_SECONDS).decode()
    except workers.WorkerFailure as failure:
        raise _error(failure, Limits()) from None
    finally:
        worker.close()


def _error(failure: workers.WorkerFailure, limits: Limits) -> Exception:
    if not isinstance(failure, workers.JobFailed):
        return InvalidPdf(_problem(failure, limits))
    if failure.error == "ModuleNotFoundError":
        return MissingExtra("pdf", "weasyprint")
    if failure.error == "OSError" and "load library" in failure.detail:
        library = failure.detail.split("'")[1]
        return InvalidPdf(f"needs the system's library {library}, of Pango. {_commands('library')}")
    if failure.error == "RecursionError":
        return InvalidPdf("has blocks that are nested too deep; make them flatter")
    # What it says may quote the document.
    return InvalidPdf(f"was not made, because the engine failed ({failure.error})")


def _problem(failure: workers.WorkerFailure, limits: Limits) -> str:
    if isinstance(failure, workers.JobTimedOut):
        allowed = f"{limits.max_pdf_seconds:g} s of CPU time allowed (max_pdf_seconds)"
    elif isinstance(failure, workers.JobStalled):
        return "was not made, because the machine was too busy; convert again"
    else:
        # Libraries abort the process where they get no memory.
        allowed = f"{MEMORY_BYTES >> 20:,} MiB of memory allowed"
    return f"took more than the {allowed}; split the document, or its longest table"
