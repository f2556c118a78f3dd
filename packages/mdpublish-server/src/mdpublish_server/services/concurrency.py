"""Optimistic concurrency, and work shared by concurrent requests.

Updates render a page between read and write:

    prepare (read, render) ──▶ work, in one transaction ──▶ done, or RetryConflict: start over

Within a process, updates of a document run one at a time.
"""

import asyncio
from asyncio import Lock
from collections.abc import Awaitable, Callable, Coroutine, Hashable
from typing import Any, Generic, TypeVar
from weakref import WeakValueDictionary

from mdpublish_server.auth.authentication import AuthenticatedRequest, Authenticator
from mdpublish_server.errors import ServiceUnavailable
from mdpublish_server.storage.transactions import Work

ATTEMPTS = 5

_Result = TypeVar("_Result")
_Key = TypeVar("_Key", bound=Hashable)


class RetryConflict(Exception):  # noqa: N818  (a signal)
    """The data changed between read and write."""


class OptimisticUpdates:
    """Runs updates."""

    def __init__(self, authenticator: Authenticator) -> None:
        self._authenticator = authenticator
        # A lock lives while held or awaited.
        self._locks: WeakValueDictionary[str, Lock] = WeakValueDictionary()

    async def run(
        self,
        auth: AuthenticatedRequest,
        document_id: str,
        prepare: Callable[[], Awaitable[Work[_Result]]],
        *,
        uses_reserve: bool = False,
    ) -> _Result:
        """Apply an update and count the request, in one transaction.

        One that takes a page from readers `uses_reserve`. Raises `ServiceUnavailable` after too many conflicts.
        """
        lock = self._locks.setdefault(document_id, Lock())
        async with lock:
            for _ in range(ATTEMPTS):
                work = await prepare()
                try:
                    return await self._authenticator.run_counted(auth, work, uses_reserve=uses_reserve)
                except RetryConflict:
                    del work  # and what it holds
        raise ServiceUnavailable("The document was modified concurrently; retry", retry_after=1)


class SingleFlight(Generic[_Key, _Result]):
    """Lets concurrent requests for the same result share one computation, and its error.

    It survives the cancellation of any request, even of all: clients that leave cannot have it started again and again.
    """

    def __init__(self) -> None:
        self._tasks: dict[_Key, asyncio.Task[_Result]] = {}

    async def run(self, key: _Key, compute: Callable[[], Coroutine[Any, Any, _Result]]) -> _Result:
        """Return the result of `compute`, started unless it runs for `key`."""
        task = self._tasks.get(key)
        if task is None:
            task = self._tasks[key] = asyncio.create_task(compute())
            task.add_done_callback(lambda done: self._forget(key, done))
        return await asyncio.shield(task)

    def _forget(self, key: _Key, done: asyncio.Task[_Result]) -> None:
        del self._tasks[key]
        # Retrieves the error if all requests were cancelled.
        if not done.cancelled():
            done.exception()
