"""The service's own jobs, and texts that harm them: each names at its start what it does to its worker."""

import sys
from collections.abc import Callable, Mapping

from msgspec import msgpack

from mdpublish_server.conversion import jobs
from mdpublish_server.conversion.protocol import ConvertJob, RenderJob, UnfurlRequest
from tests.core import worker_jobs


def _harming(job: str, text_of: Callable[[bytes], str]) -> Callable[[bytes], bytes]:
    def run(payload: bytes) -> bytes:
        harm, _, argument = text_of(payload).partition(":")
        if harm in worker_jobs.JOBS:
            return worker_jobs.JOBS[harm](argument.encode())
        return jobs.JOBS[job](payload)

    return run


def _text_to_convert(payload: bytes) -> str:
    return msgpack.decode(payload, type=ConvertJob).request.markdown


def _text_of_page(payload: bytes) -> str:
    return msgpack.decode(payload, type=RenderJob).markdown


def _title_to_draw(payload: bytes) -> str:
    return msgpack.decode(payload, type=UnfurlRequest).title


JOBS: Mapping[str, Callable[[bytes], bytes]] = {
    **worker_jobs.JOBS,
    "convert": _harming("convert", _text_to_convert),
    "render": _harming("render", _text_of_page),
    "preview": _harming("preview", _text_of_page),
    "count_words": _harming("count_words", bytes.decode),
    "unfurl": _harming("unfurl", _title_to_draw),
    "warm_up": jobs.JOBS["warm_up"],
    "modules": lambda _payload: "\n".join(sys.modules).encode(),
}
