"""Disconnects of clients while jobs run for their requests."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from starlette.types import Receive


@dataclass(frozen=True, slots=True)
class _Request:
    task: asyncio.Task[object] | None
    receive: Receive


_request: ContextVar[_Request | None] = ContextVar("request", default=None)


@contextmanager
def watched(receive: Receive) -> Iterator[None]:
    """Let jobs that this task runs within the context end when its client disconnects.

    Its body must have been read before: a job discards the rest. Jobs of its tasks go on: others may wait.
    """
    token = _request.set(_Request(asyncio.current_task(), receive))
    try:
        yield
    finally:
        _request.reset(token)


@contextmanager
def on_disconnect(callback: Callable[[], object]) -> Iterator[None]:
    """Call `callback` if the client of this task's request disconnects within the context."""
    request = _request.get()
    if request is None or request.task is not asyncio.current_task():
        yield
        return
    watcher = asyncio.create_task(_disconnect(request.receive))
    watcher.add_done_callback(lambda done: None if done.cancelled() or done.exception() else callback())
    try:
        yield
    finally:
        watcher.cancel()


async def _disconnect(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
