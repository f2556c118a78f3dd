"""Background deletion of expired data. Requests check expiry themselves."""

import asyncio
import logging
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from mdpublish_server.clock import Clock
from mdpublish_server.services.reports import RETENTION as REPORT_RETENTION
from mdpublish_server.storage import Database, Transaction
from mdpublish_server.storage.accounts import downgrade_expired_plans
from mdpublish_server.storage.demo_usage import free_expired_demos
from mdpublish_server.storage.documents import delete_expired_documents
from mdpublish_server.storage.email_tokens import delete_expired_email_tokens
from mdpublish_server.storage.invitations import delete_expired_invitations
from mdpublish_server.storage.keys import delete_expired_sessions
from mdpublish_server.storage.permalinks import delete_expired_demos
from mdpublish_server.storage.reports import delete_closed_reports

CLEANUP_SECONDS = 600

# Expired demos return 410 this long, then 404.
_RETENTION = timedelta(days=365)

# Per transaction; other writers wait for it.
_BATCH = 100

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class CleanupResult:
    """Numbers of deleted demos and sessions, and of ended plans."""

    demos: int
    plans: int
    sessions: int


def clean_up_batch(transaction: Transaction, now: datetime) -> CleanupResult:
    expired = delete_expired_documents(transaction, now=now, limit=_BATCH)
    free_expired_demos(transaction, now=now, limit=_BATCH)
    delete_expired_demos(transaction, until=now - _RETENTION)
    delete_closed_reports(transaction, until=now - REPORT_RETENTION)
    delete_expired_invitations(transaction, now=now)
    delete_expired_email_tokens(transaction, now=now)
    return CleanupResult(
        demos=expired,
        plans=downgrade_expired_plans(transaction, now=now),
        sessions=delete_expired_sessions(transaction, now=now),
    )


class CleanupTask:
    """Runs the cleanup periodically."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    async def run_once(self) -> CleanupResult:
        total = CleanupResult(demos=0, plans=0, sessions=0)
        while True:
            now = self._clock()
            result = await self._database.write(lambda transaction: clean_up_batch(transaction, now))  # noqa: B023
            total = CleanupResult(
                demos=total.demos + result.demos,
                plans=total.plans + result.plans,
                sessions=total.sessions + result.sessions,
            )
            if result.demos < _BATCH:
                return total

    async def _run(self) -> None:
        while True:
            try:
                result = await self.run_once()
                if result.demos or result.plans:
                    _log.info("Deleted %d expired demo pages and ended %d expired plans", result.demos, result.plans)
            except Exception:  # noqa: BLE001  (must survive)
                _log.exception("Cleanup failed; retrying in %d s", CLEANUP_SECONDS)
            await asyncio.sleep(CLEANUP_SECONDS)
