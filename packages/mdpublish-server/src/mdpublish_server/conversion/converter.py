"""Submits jobs and maps failures to service errors."""

import asyncio
import logging
import os
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from enum import StrEnum
from functools import cache
from time import perf_counter
from typing import Any, TypeAlias, TypeVar

from msgspec import UNSET, MsgspecError, Struct, msgpack
from starlette.requests import ClientDisconnect

from mdpublish_core import KnownImage, Output
from mdpublish_core.hosting.documents import OPENINGS
from mdpublish_core.hosting.outputs import OUTPUTS
from mdpublish_core.hosting.workers import (
    MEMORY_BYTES,
    ForkServer,
    JobFailed,
    JobStalled,
    JobTimedOut,
    JobTooLarge,
    Protection,
    WorkerFailure,
)
from mdpublish_server.conversion import cpu_time, protocol
from mdpublish_server.conversion.fair_queue import busy
from mdpublish_server.conversion.pool import Pool
from mdpublish_server.errors import ConversionError, RenderError, ServiceError, ServiceUnavailable, ValidationError
from mdpublish_server.search_words import indexed_words
from mdpublish_server.validation.validators import FILE_FORMATS, UNTITLED

JOBS_MODULE = "mdpublish_server.conversion.jobs"

SECONDS = 5.0
"""CPU time of a job and its figures, and a multiple of it for an output of `TIME_FACTORS`. 100 KB take some hundredths of a second, 1 MB a quarter."""

IMAGE_SECONDS = 15.0
"""CPU time to decode an image and re-encode it. An animation of 40 megapixels takes five."""

BACKSTOP_SECONDS = 30.0
"""Wall-clock time. A job that did not get its CPU time within it met a machine that is too busy."""

# https://www.w3.org/TR/png-3/#5PNG-file-signature
_PNG = b"\x89PNG\r\n\x1a\n"

# Their messages quote no text.
_NAMED_FAILURES = frozenset({"InvalidPdf", "MissingExtra"})

_log = logging.getLogger(__name__)

Observer: TypeAlias = Callable[[str, str, float, float], None]
"""Called with kind, outcome (`done`, `failed`, `refused`, `stalled`, `abandoned`), seconds with the wait, CPU seconds.
"""

FindImages: TypeAlias = Callable[[str, Output | None, str], Awaitable[Mapping[str, KnownImage]]]
"""Called with a text, the output that may need its images' files, and the account whose text it is."""

_Result = TypeVar("_Result", bound=Struct)

_read_words = msgpack.Decoder(protocol.Words)
_read_values = msgpack.Decoder(protocol.FrontMatterValues)
_read_merged = msgpack.Decoder(protocol.Merged)


class Share(StrEnum):
    """Separate pools: demos never take an account's workers."""

    ACCOUNTS = "accounts"
    DEMO = "demo"


class Converter:
    """Runs jobs in workers; `client_id` is the unit of fairness: an account, or the network of an anonymous client.

    Jobs raise `ClientDisconnect` if the client of the task's request leaves: see `disconnects.watched`.
    """

    def __init__(
        self,
        *,
        workers: int,
        demo_workers: int,
        jobs_module: str = JOBS_MODULE,
        seconds: float = SECONDS,
        backstop: float = BACKSTOP_SECONDS,
        memory_bytes: int = MEMORY_BYTES,
        plugins: tuple[str, ...] = (),
    ) -> None:
        self._seconds = seconds
        self._backstop = backstop
        self._memory_bytes = memory_bytes
        self._observer: Observer = lambda _job, _outcome, _seconds, _cpu_seconds: None
        self._find_images: FindImages | None = None
        self._fork_server = ForkServer(
            jobs_module, memory_bytes=memory_bytes, warm_up=("warm_up", msgpack.encode(plugins))
        )
        self._pools = {
            share: Pool(self._fork_server, workers=number)
            for share, number in ((Share.ACCOUNTS, workers), (Share.DEMO, demo_workers))
        }

    async def start(self) -> None:
        """Wait until each pool has a warm worker, while the others start; raise `WorkerFailure`."""
        try:
            await asyncio.gather(*(pool.start(enough=1) for pool in self._pools.values()))
        except BaseException:
            self.close()
            raise

    def waiting(self, share: Share) -> int:
        return self._pools[share].waiting

    @property
    def protections(self) -> tuple[Protection, ...]:
        """What confines the workers, once they are started."""
        return self._pools[Share.ACCOUNTS].protections

    async def can_read(self, path: str) -> bool:
        """Whether a worker can read a file."""
        return bool(await self._run("can_read", os.fsencode(path), Share.ACCOUNTS, "doctor"))

    def observe(self, observer: Observer) -> None:
        self._observer = observer

    def know_images(self, find: FindImages) -> None:
        """Let jobs know the images that `find` finds in their texts, with their files if the output embeds images."""
        self._find_images = find

    async def images_of(self, markdown: str, output: Output | None, *, owner_id: str) -> Mapping[str, KnownImage]:
        """Return what a job would know of images in a text, without their files unless the output has them in it."""
        return {} if self._find_images is None else await self._find_images(markdown, output, owner_id)

    def close(self) -> None:
        for pool in self._pools.values():
            pool.close()
        self._fork_server.close()

    async def convert(self, job: protocol.ConvertJob, *, client_id: str) -> protocol.Converted:
        """Raise `ConversionError` or `ServiceUnavailable`."""
        output = FILE_FORMATS.get(job.request.format)
        destination = "generic" if job.request.destination is UNSET else job.request.destination
        # Of a plug-in, whose code workers load, nothing is known here.
        shown_in = output or OUTPUTS.get(destination)
        job = replace(job, images=await self.images_of(job.request.markdown, shown_in, owner_id=client_id))
        seconds = self._seconds * protocol.TIME_FACTORS.get(job.request.format, 1)
        return await self._accepted(protocol.Converted, "convert", job, client_id, seconds=seconds)

    async def read_file(self, job: protocol.ImportJob, *, client_id: str) -> protocol.Converted:
        """Raise `ConversionError` or `ServiceUnavailable`."""
        return await self._accepted(protocol.Converted, "read_file", job, client_id, work="Import")

    async def read_pasted(self, job: protocol.PasteJob, *, share: Share, client_id: str) -> protocol.Pasted:
        """Raise `ConversionError`, `ValidationError` or `ServiceUnavailable`."""
        return await self._accepted(protocol.Pasted, "read_pasted", job, client_id, share, work="Import")

    async def render(self, job: protocol.RenderJob, *, share: Share, client_id: str) -> protocol.Rendered:
        """Raise `RenderError` or `ServiceUnavailable`."""
        job = replace(job, images=await self.images_of(job.markdown, None, owner_id=client_id))
        return await self._accepted(
            protocol.Rendered, "render", job, client_id, share, work="Rendering", kind=RenderError
        )

    async def place(
        self, job: protocol.RenderJob, *, share: Share, client_id: str, owner_id: str | None = None
    ) -> protocol.Placed:
        """Convert the text of an account, by default the client's. Raise `ConversionError` or `ServiceUnavailable`."""
        output = OUTPUTS[job.output]
        job = replace(job, images=await self.images_of(job.markdown, output, owner_id=owner_id or client_id))
        seconds = self._seconds * protocol.TIME_FACTORS.get(job.output, 1)
        return await self._accepted(protocol.Placed, "place", job, client_id, share, seconds=seconds)

    async def compare(self, job: protocol.CompareJob, *, client_id: str) -> protocol.Comparison:
        """Raise `ConversionError` or `ServiceUnavailable`."""
        return await self._accepted(protocol.Comparison, "compare", job, client_id, work="Comparison")

    async def merge(self, job: protocol.MergeJob, *, client_id: str) -> protocol.Merged:
        """Return no content and no conflicts if a worker fails."""
        try:
            return _read_merged.decode(await self._run("merge", msgpack.encode(job), Share.ACCOUNTS, client_id))
        except (WorkerFailure, MsgspecError) as failure:
            _log_failure("Merging", failure)
        return protocol.Merged(content=None)

    async def repair(self, markdown: str, *, share: Share, client_id: str) -> protocol.Repaired:
        """Raise `ConversionError` or `ServiceUnavailable`."""
        return await self._accepted(protocol.Repaired, "repair", markdown, client_id, share, work="Repair")

    async def rewrite_image(self, job: protocol.RewriteJob, *, client_id: str) -> protocol.Rewritten:
        """Raise `ValidationError` for a refused file, or one that crashes its decoder, or `ServiceUnavailable`."""
        run = self._run("rewrite_image", msgpack.encode(job), Share.ACCOUNTS, client_id, seconds=IMAGE_SECONDS)
        try:
            result: protocol.Rewritten | protocol.Invalid = _decoder(protocol.Rewritten).decode(await run)
        except (WorkerFailure, MsgspecError) as failure:
            _log_failure("Rewriting an image", failure)
            raise ValidationError(_image_problem(failure)) from failure
        if isinstance(result, protocol.Invalid):
            raise ValidationError(result.message)
        return result

    async def render_social_image(self, request: protocol.SocialImageJob, *, share: Share, client_id: str) -> bytes:
        try:
            image = await self._run("social_image", msgpack.encode(request), share, client_id)
        except WorkerFailure as failure:
            raise self._failed(RenderError, "Rendering of the social image", failure) from failure
        if not image.startswith(_PNG):
            _log.error("Rendering of the social image failed: the worker's response is not a PNG")
            raise RenderError("Rendering of the social image failed: internal server error")
        return image

    async def read_words(self, markdown: str, *, client_id: str) -> protocol.Words:
        """Fall back to splitting at white space if too heavy to parse."""
        try:
            return _read_words.decode(await self._run("read_words", markdown.encode(), Share.ACCOUNTS, client_id))
        except (WorkerFailure, MsgspecError) as failure:
            _log_failure("Reading the words", failure)
        # Takes tenths of a second for a megabyte.
        return await asyncio.to_thread(
            lambda: protocol.Words(count=len(markdown.split()), indexed=indexed_words(markdown))
        )

    async def read_title(self, markdown: str, *, client_id: str, share: Share = Share.ACCOUNTS) -> str:
        """Return the first heading; `Untitled` without one, or if a worker fails."""
        try:
            return (await self._run("read_title", markdown.encode(), share, client_id)).decode()
        except (WorkerFailure, ValueError) as failure:
            _log_failure("Reading the title", failure)
        return UNTITLED

    async def read_front_matter(self, markdown: str, *, share: Share, client_id: str) -> protocol.FrontMatterValues:
        """Return no values if there is none, or if a worker fails."""
        if markdown.removeprefix("\ufeff").startswith(OPENINGS):
            try:
                result = await self._run("read_front_matter", markdown.encode(), share, client_id)
                return _read_values.decode(result)
            except (WorkerFailure, MsgspecError) as failure:
                _log_failure("Reading the front matter", failure)
        return protocol.FrontMatterValues(values={}, positions={}, notices=())

    async def _run(
        self, job: str, payload: bytes, share: Share, client_id: str, *, seconds: float | None = None
    ) -> bytes:
        began = perf_counter()
        outcome, spent = "failed", [0.0]
        try:
            result = await self._pools[share].run(
                job,
                payload,
                seconds=self._seconds if seconds is None else seconds,
                backstop=self._backstop,
                client_id=client_id,
                spend=spent.append,
            )
            outcome = "done"
        except ServiceUnavailable:
            outcome = "refused"
            raise
        except ClientDisconnect:
            outcome = "abandoned"
            raise
        except JobStalled as failure:
            outcome = "stalled"
            _log.warning("%s stalled: the machine is too busy", job)
            raise busy("The service is too busy") from failure
        finally:
            cpu_time.add(sum(spent))
            self._observer(job, outcome, perf_counter() - began, sum(spent))
        return result

    async def _accepted(
        self,
        result_type: type[_Result],
        name: str,
        job: object,
        client_id: str,
        share: Share = Share.ACCOUNTS,
        *,
        work: str = "Conversion",
        kind: type[ServiceError] = ConversionError,
        seconds: float | None = None,
    ) -> _Result:
        """Return the result of a job; raise an error of `kind` if it failed or was refused, `ValidationError` for a field."""
        run = self._run(name, msgpack.encode(job), share, client_id, seconds=seconds)
        try:
            result: _Result | protocol.Refused | protocol.Invalid = _decoder(result_type).decode(await run)
        except (WorkerFailure, MsgspecError) as failure:
            raise self._failed(kind, work, failure, seconds) from failure
        if isinstance(result, protocol.Invalid):
            raise ValidationError(result.message)
        if isinstance(result, protocol.Refused):
            what = "Output" if result.limit == "max_output_bytes" else f"`{result.limit}`"
            unit = " bytes" if result.limit.endswith("_bytes") else ""
            raise kind(f"{what} must be at most {result.allowed:,}{unit} (got {result.actual:,}); shorten the document")
        return result

    def _failed(
        self, kind: type[ServiceError], work: str, failure: Exception, seconds: float | None = None
    ) -> ServiceError:
        _log_failure(work, failure)
        if isinstance(failure, JobFailed) and failure.error in _NAMED_FAILURES:
            return kind(f"{work} failed: {failure.detail}")
        if isinstance(failure, JobTimedOut):
            return kind(
                f"{work} exceeded the limit of {seconds or self._seconds:g} s of CPU time; simplify the document"
            )
        if isinstance(failure, JobTooLarge):
            allowed = f"{self._memory_bytes / (1 << 30):g} GiB"
            return kind(f"{work} exceeded the memory limit of {allowed}; simplify the document")
        return kind(f"{work} failed: internal server error")


@cache
def _decoder(result_type: type[Struct]) -> "msgpack.Decoder[Any]":
    return msgpack.Decoder(result_type | protocol.Refused | protocol.Invalid)


def _image_problem(failure: Exception) -> str:
    if isinstance(failure, JobTimedOut):
        return f"The file takes more than {IMAGE_SECONDS:g} s to decode; make the image smaller"
    if isinstance(failure, JobTooLarge):
        return "The file takes too much memory to decode; make the image smaller"
    return "The file is a damaged image: it cannot be decoded"


def _log_failure(work: str, failure: Exception) -> None:
    """Log without exception messages, which may quote the text."""
    if isinstance(failure, JobFailed):
        _log.error("%s failed: %s in a worker\n%s", work, failure.error, failure.stack)
    elif isinstance(failure, WorkerFailure):
        _log.error("%s failed: %s", work, failure)
    else:
        _log.error("%s failed: invalid response from a worker (%s)", work, type(failure).__name__)
