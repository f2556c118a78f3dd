"""Optimistic concurrency: changes that take time between reading a document and writing it, since a page is rendered in between.

    prepare (read, render) ──▶ work, in one transaction ──▶ done, or RetryConflict: something else was written meanwhile

Within this process the edits of one document are made one after the other, so that none is ever in vain; with another process
they may meet, and then all of one is done anew.
"""

from asyncio import Lock
from collections.abc import Awaitable, Callable
from typing import TypeVar
from weakref import WeakValueDictionary

from mdpublish_server.auth.authentication import AuthenticatedRequest, Authenticator
from mdpublish_server.errors import ServiceUnavailable
from mdpublish_server.storage.transactions import Work

ATTEMPTS = 5
"""How often an edit is begun that meets others of the same document, before the caller is told to try again."""

_Result = TypeVar("_Result")


class RetryConflict(Exception):  # noqa: N818  (it is no error: what was read has changed, and is read anew)
    """A document, its account or an address changed between reading and writing."""


class OptimisticUpdates:
    """Makes edits, and counts the requests for them."""

    def __init__(self, authenticator: Authenticator) -> None:
        self._authenticator = authenticator
        # A lock is there for as long as somebody holds it or waits for it.
        self._locks: WeakValueDictionary[str, Lock] = WeakValueDictionary()

    async def run(
        self, auth: AuthenticatedRequest, document_id: str, prepare: Callable[[], Awaitable[Work[_Result]]]
    ) -> _Result:
        """Prepare an edit of a document, then make it and count the call, in one transaction.

        Raises what either raises, and `ServiceUnavailable` where other processes' edits came between each time.
        """
        lock = self._locks.setdefault(document_id, Lock())
        async with lock:
            for _ in range(ATTEMPTS):
                work = await prepare()
                try:
                    return await self._authenticator.run_counted(auth, work)
                except RetryConflict:
                    continue
        raise ServiceUnavailable("the document changed again and again meanwhile", headers={"Retry-After": "1"})
