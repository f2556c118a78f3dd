"""Sweeping: what ends by the clock is cleared away.

What a caller sees never waits for it: a demo is expired at its second, a plan ended at its, swept or not.
"""

import asyncio
import logging
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from mdpublish_server.clock import Clock
from mdpublish_server.reports import REMEMBERED as REPORTS_REMEMBERED
from mdpublish_server.storage import Database, Transaction
from mdpublish_server.storage.accounts import lapse_plans
from mdpublish_server.storage.addresses import forget_demos
from mdpublish_server.storage.documents import delete_expired
from mdpublish_server.storage.invitations import forget_invitations
from mdpublish_server.storage.keys import forget_sessions
from mdpublish_server.storage.letters import forget_letters
from mdpublish_server.storage.reports import forget_reports

SWEEP_SECONDS = 600
"""Between two sweeps: within the hour, a demo's text is gone."""

# How long page and claim of an expired demo keep saying that it has expired.
_REMEMBERED = timedelta(days=365)

# Documents deleted in one transaction: other requests wait no longer than this takes.
_BATCH = 100

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Swept:
    """How much was cleared away."""

    demos: int
    plans: int
    sessions: int


def sweep_batch(transaction: Transaction, now: datetime) -> Swept:
    """Clear away what has ended by now: of demos, as many as go into one transaction."""
    expired = delete_expired(transaction, now=now, most=_BATCH)
    forget_demos(transaction, until=now - _REMEMBERED)
    forget_reports(transaction, until=now - REPORTS_REMEMBERED)
    forget_invitations(transaction, now=now)
    forget_letters(transaction, now=now)
    return Swept(demos=expired, plans=lapse_plans(transaction, now=now), sessions=forget_sessions(transaction, now=now))


class Sweeper:
    """Sweeps now and then, beside the requests."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to sweep."""
        self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """Sweep no more."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    async def sweep(self) -> Swept:
        """Clear away all that has ended by now."""
        total = Swept(demos=0, plans=0, sessions=0)
        while True:
            now = self._clock()
            swept = await self._database.write(lambda transaction: sweep_batch(transaction, now))  # noqa: B023
            total = Swept(
                demos=total.demos + swept.demos,
                plans=total.plans + swept.plans,
                sessions=total.sessions + swept.sessions,
            )
            if swept.demos < _BATCH:
                return total

    async def _run(self) -> None:
        while True:
            try:
                swept = await self.sweep()
                if swept.demos or swept.plans:
                    _log.info("swept %d demos and %d plans", swept.demos, swept.plans)
            except Exception:  # noqa: BLE001  (one that fails must not be the last)
                _log.exception("the sweep failed, and is tried again later")
            await asyncio.sleep(SWEEP_SECONDS)
