"""The service's jobs, and inputs that make them fail: `crash:`, `raise:MESSAGE` and the other `worker_jobs`."""

import sys
from collections.abc import Callable, Mapping

from msgspec import msgpack

from mdpublish_server.conversion import jobs
from mdpublish_server.conversion.protocol import ConvertJob, ImportJob, RenderJob, SocialImageJob
from tests.core import worker_jobs


def _harming(job: str, markdown_of: Callable[[bytes], str]) -> Callable[[bytes], bytes]:
    def run(payload: bytes) -> bytes:
        harm, _, argument = markdown_of(payload).partition(":")
        if harm in worker_jobs.JOBS:
            return worker_jobs.JOBS[harm](argument.encode())
        return jobs.JOBS[job](payload)

    return run


def _convert_markdown(payload: bytes) -> str:
    return msgpack.decode(payload, type=ConvertJob).request.markdown


def _html(payload: bytes) -> str:
    return str(msgpack.decode(payload, type=ImportJob).request.html)


def _page_markdown(payload: bytes) -> str:
    return msgpack.decode(payload, type=RenderJob).markdown


def _title_to_draw(payload: bytes) -> str:
    return msgpack.decode(payload, type=SocialImageJob).title


JOBS: Mapping[str, Callable[[bytes], bytes]] = {
    **worker_jobs.JOBS,
    "convert": _harming("convert", _convert_markdown),
    "read_file": _harming("read_file", _html),
    "render": _harming("render", _page_markdown),
    "place": _harming("place", _page_markdown),
    "read_words": _harming("read_words", bytes.decode),
    "social_image": _harming("social_image", _title_to_draw),
    "warm_up": jobs.JOBS["warm_up"],
    "modules": lambda _payload: "\n".join(sys.modules).encode(),
}
