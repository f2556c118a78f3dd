"""The converter: what the rest of the service asks for, and the errors that tell what became of it.

What a worker reports is logged without the text; a client is told which bound was passed, or that the service is at fault.
"""

import asyncio
import logging
from collections.abc import Callable
from enum import StrEnum
from time import perf_counter
from typing import TypeAlias, TypeVar

from msgspec import MsgspecError, msgpack

from mdpublish_core.workers import MEMORY_BYTES, JobFailed, JobTimedOut, JobTooLarge, WorkerFailure
from mdpublish_server.conversion.pool import Pool
from mdpublish_server.conversion.protocol import (
    Converted,
    ConvertJob,
    Preview,
    Refused,
    Rendered,
    RenderJob,
    SocialImageJob,
)
from mdpublish_server.errors import ConversionError, RenderError, ServiceError, ServiceUnavailable

JOBS_MODULE = "mdpublish_server.conversion.jobs"
"""What workers import: the module whose table names the jobs."""

SECONDS = 5.0
"""What a conversion may take in its worker, in seconds. A text of 100 KB takes some hundredths of one, one of 1 MB a quarter."""

# What every PNG begins with: https://www.w3.org/TR/png-3/#5PNG-file-signature
_PNG = b"\x89PNG\r\n\x1a\n"

_log = logging.getLogger(__name__)

Observer: TypeAlias = Callable[[str, str, float], None]
"""Is told the kind of a job, how it ended (`done`, `failed`, `refused`), and the seconds it took, its wait included."""

_Result = TypeVar("_Result", Converted, Rendered, Preview)

_read_converted: "msgpack.Decoder[Converted | Refused]" = msgpack.Decoder(Converted | Refused)
_read_rendered: "msgpack.Decoder[Rendered | Refused]" = msgpack.Decoder(Rendered | Refused)
_read_previewed: "msgpack.Decoder[Preview | Refused]" = msgpack.Decoder(Preview | Refused)


class Share(StrEnum):
    """Whose workers do it: a flood of demos never takes an account's."""

    ACCOUNTS = "accounts"
    DEMO = "demo"


class Converter:
    """Does the core's work in worker processes, for accounts and for demos in pools apart.

    `seconds` and `memory_bytes` bound each job. A client is whoever shares the bounds
    of `fair_queue`: an account, or an IP address.
    """

    def __init__(
        self,
        *,
        workers: int,
        demo_workers: int,
        jobs_module: str = JOBS_MODULE,
        seconds: float = SECONDS,
        memory_bytes: int = MEMORY_BYTES,
    ) -> None:
        self._seconds = seconds
        self._memory_bytes = memory_bytes
        self._observer: Observer = lambda _job, _outcome, _seconds: None
        self._pools = {
            share: Pool(jobs_module, workers=number, memory_bytes=memory_bytes)
            for share, number in ((Share.ACCOUNTS, workers), (Share.DEMO, demo_workers))
        }

    async def start(self) -> None:
        """Start and warm up all workers; raises `WorkerFailure` where that fails. Without it, the first jobs wait."""
        try:
            await asyncio.gather(*(pool.start() for pool in self._pools.values()))
        except BaseException:
            self.close()
            raise

    def waiting(self, share: Share) -> int:
        """Return how many jobs of a share wait just now."""
        return self._pools[share].waiting

    def observe(self, observer: Observer) -> None:
        """Have a function told of each job from now on."""
        self._observer = observer

    def close(self) -> None:
        """Kill all workers. Doing so again does nothing."""
        for pool in self._pools.values():
            pool.close()

    async def convert(self, job: ConvertJob, *, client_id: str) -> Converted:
        """Return the response of `POST /v1/convert`; raises `ConversionError` and `ServiceUnavailable`.

        The body is gzipped where the client accepts it and it has 1,024 bytes or more.
        """
        try:
            result = await self._run("convert", msgpack.encode(job), Share.ACCOUNTS, client_id)
            return _accepted(_read_converted.decode(result), ConversionError)
        except (WorkerFailure, MsgspecError) as failure:
            raise self._failed(ConversionError, "converting the text", failure) from failure

    async def render(self, job: RenderJob, *, share: Share, client_id: str | None) -> Rendered:
        """Return a page as it is kept and served; raises `RenderError` and `ServiceUnavailable`.

        A caller of None shares no bounds with anybody.
        """
        try:
            result = await self._run("render", msgpack.encode(job), share, client_id)
            return _accepted(_read_rendered.decode(result), RenderError)
        except (WorkerFailure, MsgspecError) as failure:
            raise self._failed(RenderError, "rendering the page", failure) from failure

    async def preview(self, job: RenderJob, *, client_id: str | None = None) -> Preview:
        """Return a page as it would be published, by the demos' workers; raises `RenderError` and `ServiceUnavailable`."""
        try:
            result = await self._run("preview", msgpack.encode(job), Share.DEMO, client_id)
            return _accepted(_read_previewed.decode(result), RenderError)
        except (WorkerFailure, MsgspecError) as failure:
            raise self._failed(RenderError, "rendering the page", failure) from failure

    async def render_social_image(self, request: SocialImageJob, *, share: Share, client_id: str) -> bytes:
        """Return the picture of a page as PNG; raises `RenderError` and `ServiceUnavailable`."""
        try:
            image = await self._run("social_image", msgpack.encode(request), share, client_id)
        except WorkerFailure as failure:
            raise self._failed(RenderError, "drawing the picture", failure) from failure
        if not image.startswith(_PNG):
            _log.error("drawing the picture: a worker's answer is not one")
            raise RenderError("drawing the picture broke off, which is a mistake of the service")
        return image

    async def count_words(self, markdown: str, *, client_id: str) -> int:
        """Return the number of words that a reader sees; raises `ServiceUnavailable`.

        A text too heavy to parse has as many as white space separates.
        """
        try:
            return int(await self._run("count_words", markdown.encode(), Share.ACCOUNTS, client_id))
        except (WorkerFailure, ValueError) as failure:
            _log_failure("counting words", failure)
        # A megabyte of single letters takes some milliseconds, in which others should be served.
        return await asyncio.to_thread(lambda: len(markdown.split()))

    async def _run(self, job: str, payload: bytes, share: Share, client_id: str | None) -> bytes:
        """Have a worker do a job when it is its turn, and tell how it went."""
        began = perf_counter()
        outcome = "failed"
        try:
            result = await self._pools[share].run(job, payload, seconds=self._seconds, client_id=client_id)
            outcome = "done"
        except ServiceUnavailable:
            outcome = "refused"
            raise
        finally:
            self._observer(job, outcome, perf_counter() - began)
        return result

    def _failed(self, kind: type[ServiceError], work: str, failure: Exception) -> ServiceError:
        """Log a failure, and return what the client is told."""
        _log_failure(work, failure)
        if isinstance(failure, JobTimedOut):
            return kind(f"{work} took longer than the {self._seconds:g} s allowed; shorten or simplify the text")
        if isinstance(failure, JobTooLarge):
            allowed = f"{self._memory_bytes / (1 << 30):g} GiB"
            return kind(f"{work} took more than the {allowed} of memory allowed; shorten or simplify the text")
        return kind(f"{work} broke off, which is a mistake of the service")


def _accepted(result: _Result | Refused, kind: type[ServiceError]) -> _Result:
    """Return an answer that is one; raises an error of this kind where a bound of the core's was passed."""
    if isinstance(result, Refused):
        unit = "bytes of output" if result.limit == "max_output_bytes" else result.limit
        raise kind(f"the text comes to {result.actual:,} {unit}; at most {result.allowed:,} are allowed; shorten it")
    return result


def _log_failure(work: str, failure: Exception) -> None:
    """Log what happened, without what an exception says: it may quote the text."""
    if isinstance(failure, JobFailed):
        _log.error("%s: %s in a worker\n%s", work, failure.error, failure.stack)
    elif isinstance(failure, WorkerFailure):
        _log.error("%s: %s", work, failure)
    else:
        _log.error("%s: a worker's answer is not one (%s)", work, type(failure).__name__)
