"""Background deletion of expired data. Requests check expiry themselves."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from operator import add
from time import monotonic
from typing import NamedTuple

from mdpublish_server.clock import Clock
from mdpublish_server.services.idempotency import LIFETIME as REPLAY_LIFETIME
from mdpublish_server.services.image_removal import ImageRemoval
from mdpublish_server.services.reports import RETENTION as REPORT_RETENTION
from mdpublish_server.services.trash import RETENTION as TRASH_RETENTION
from mdpublish_server.services.working_copies import RETENTION as WORKING_COPY_RETENTION
from mdpublish_server.storage import Database, Transaction, tables
from mdpublish_server.storage import documents as documents_table
from mdpublish_server.storage.accounts import delete_account, downgrade_expired_plans, retired_account
from mdpublish_server.storage.audit import CLOCK, purge
from mdpublish_server.storage.demo_usage import free_expired_demos
from mdpublish_server.storage.expiry import delete_expired
from mdpublish_server.storage.images import release_images
from mdpublish_server.storage.trash import erase, some_trashed
from mdpublish_server.storage.working_copies import delete_discarded

CLEANUP_SECONDS = 600

# Expired demos return 410 this long, then 404.
_RETENTION = timedelta(days=365)

# Per transaction, for which other writes wait, on SQLite mostly in the event loop. A document has megabytes at most.
_BATCH_DOCUMENTS = 100
_BATCH_IMAGES = 1_000
_BATCH_EVENTS = 500
_BATCH_SECONDS = 0.002

Ticks = Callable[[], float]

_log = logging.getLogger(__name__)


class CleanupResult(NamedTuple):
    """Numbers of deleted demos, sessions and images, and of ended plans."""

    demos: int
    plans: int
    sessions: int
    images: int = 0


def clean_up_batch(transaction: Transaction, now: datetime, *, ticks: Ticks = monotonic) -> CleanupResult:
    """Delete what has expired, and as many demos as one batch takes; if it deletes none, none are left."""
    expired = _delete_each(
        documents_table.expired_documents(transaction, now=now, limit=_BATCH_DOCUMENTS),
        lambda document_id: documents_table.delete_expired_document(transaction, document_id, now=now),
        ticks,
    )
    trashed = some_trashed(transaction, limit=_BATCH_DOCUMENTS, until=now - TRASH_RETENTION)
    _delete_each(trashed, lambda document_id: erase(transaction, document_id), ticks)
    free_expired_demos(transaction, now=now, limit=_BATCH_DOCUMENTS)
    delete_expired(transaction, tables.DEMO_PAGES, until=now - _RETENTION)
    delete_expired(transaction, tables.REPORTS, until=now - REPORT_RETENTION)
    delete_expired(transaction, tables.REPLAYS, until=now - REPLAY_LIFETIME)
    delete_discarded(transaction, until=now - WORKING_COPY_RETENTION)
    for table in (
        tables.INVITATIONS,
        tables.EMAIL_TOKENS,
        tables.COPY_PAGES,
        tables.APP_TOKENS,
        tables.APP_GRANTS,
        tables.APP_CLIENTS,
        tables.READER_LINKS,
        tables.READER_SESSIONS,
    ):
        delete_expired(transaction, table, until=now)
    return CleanupResult(
        demos=expired,
        plans=downgrade_expired_plans(transaction, now=now),
        sessions=delete_expired(transaction, tables.SESSIONS, until=now),
    )


def delete_account_batch(transaction: Transaction, *, ticks: Ticks = monotonic) -> bool:
    """Delete some documents of a deleted account, or release its images, or delete it; return False if none is left."""
    if (account_id := retired_account(transaction)) is None:
        return False
    documents = documents_table.some_documents(transaction, account_id, limit=_BATCH_DOCUMENTS)
    _delete_each(
        documents,
        lambda document_id: documents_table.delete_document(transaction, account_id, document_id) is not None,
        ticks,
    )
    trashed = some_trashed(transaction, limit=_BATCH_DOCUMENTS, account_id=account_id)
    _delete_each(trashed, lambda document_id: erase(transaction, document_id), ticks)
    if not documents and not trashed:
        if release_images(transaction, account_id, limit=_BATCH_IMAGES):
            return True
        delete_account(transaction, account_id)
    return True


def _delete_each(document_ids: Sequence[str], delete: Callable[[str], bool], ticks: Ticks) -> int:
    """Delete documents, at least one, until a batch's time is over; return how many there were."""
    end = ticks() + _BATCH_SECONDS
    deleted = 0
    for document_id in document_ids:
        deleted += delete(document_id)
        if ticks() >= end:
            break
    return deleted


class CleanupTask:
    """Runs the cleanup periodically, and when an account is deleted."""

    def __init__(self, database: Database, clock: Clock, images: ImageRemoval, *, audit_days: int) -> None:
        self._database = database
        self._clock = clock
        self._images = images
        self._audit_lifetime = timedelta(days=audit_days)
        self._task: asyncio.Task[None] | None = None
        self._due = asyncio.Event()

    def start(self) -> None:
        self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    def wake(self) -> None:
        """Run soon."""
        self._due.set()

    async def run_once(self) -> CleanupResult:
        CLOCK.set(self._clock)
        await self.delete_accounts()
        oldest = self._clock() - self._audit_lifetime
        while await self._database.write_reserved(purge, until=oldest, limit=_BATCH_EVENTS):
            pass
        total = CleanupResult(demos=0, plans=0, sessions=0, images=await self._images.run_once())
        while True:
            result = await self._database.write_reserved(clean_up_batch, self._clock())
            total = CleanupResult(*map(add, total, result))
            if not result.demos:
                return total

    async def delete_accounts(self) -> None:
        """Delete the rows of deleted accounts; a batch that a crash prevents is done after the next start."""
        while await self._database.write_reserved(delete_account_batch):
            pass

    async def _run(self) -> None:
        while True:
            try:
                result = await self.run_once()
                if result.demos or result.plans:
                    _log.info("Deleted %d expired demo pages and ended %d expired plans", result.demos, result.plans)
            except Exception:  # noqa: BLE001  (must survive)
                _log.exception("Cleanup failed; retrying in %d s", CLEANUP_SECONDS)
            # Not `wait_for`, which loses a cancellation in Python 3.11 if the event comes at the same time.
            with suppress(TimeoutError):
                async with asyncio.timeout(CLEANUP_SECONDS):
                    await self._due.wait()
            self._due.clear()
