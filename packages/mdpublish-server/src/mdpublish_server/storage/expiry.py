"""Rows that are deleted some time after they are of no more use."""

from datetime import datetime

from sqlalchemy import Table, bindparam, delete

from mdpublish_server.storage.tables import (
    COPY_PAGES,
    DEMO_PAGES,
    EMAIL_TOKENS,
    INVITATIONS,
    REPLAYS,
    REPORTS,
    SESSIONS,
)
from mdpublish_server.storage.timestamps import to_microseconds
from mdpublish_server.storage.transactions import Statement, Transaction

_TIMES = {REPLAYS: "started_at", REPORTS: "closed_at"} | dict.fromkeys(
    (COPY_PAGES, DEMO_PAGES, EMAIL_TOKENS, INVITATIONS, SESSIONS), "expires_at"
)
_DELETE = {
    table.name: Statement(delete(table).where(table.c[time] <= bindparam("until"))) for table, time in _TIMES.items()
}


def delete_expired(transaction: Transaction, table: Table, *, until: datetime) -> int:
    """Delete the rows that expired, started or were closed at `until` or before; return how many there were."""
    return transaction.change(_DELETE[table.name], until=to_microseconds(until))
