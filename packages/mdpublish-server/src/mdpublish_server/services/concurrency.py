"""Optimistic concurrency: updates render a page between read and write.

    prepare (read, render) ──▶ work, in one transaction ──▶ done, or RetryConflict: start over

Within a process, updates of a document run one at a time.
"""

from asyncio import Lock
from collections.abc import Awaitable, Callable
from typing import TypeVar
from weakref import WeakValueDictionary

from mdpublish_server.auth.authentication import AuthenticatedRequest, Authenticator
from mdpublish_server.errors import ServiceUnavailable
from mdpublish_server.storage.transactions import Work

ATTEMPTS = 5

_Result = TypeVar("_Result")


class RetryConflict(Exception):  # noqa: N818  (a signal)
    """The data changed between read and write."""


class OptimisticUpdates:
    """Runs updates."""

    def __init__(self, authenticator: Authenticator) -> None:
        self._authenticator = authenticator
        # A lock lives while held or awaited.
        self._locks: WeakValueDictionary[str, Lock] = WeakValueDictionary()

    async def run(
        self, auth: AuthenticatedRequest, document_id: str, prepare: Callable[[], Awaitable[Work[_Result]]]
    ) -> _Result:
        """Apply an update and count the request, in one transaction.

        Raises `ServiceUnavailable` after too many conflicts.
        """
        lock = self._locks.setdefault(document_id, Lock())
        async with lock:
            for _ in range(ATTEMPTS):
                work = await prepare()
                try:
                    return await self._authenticator.run_counted(auth, work)
                except RetryConflict:
                    continue
        raise ServiceUnavailable("The document was modified concurrently; retry", headers={"Retry-After": "1"})
