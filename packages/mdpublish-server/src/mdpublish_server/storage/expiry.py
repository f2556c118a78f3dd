"""Rows that are deleted some time after they are of no more use."""

from datetime import datetime
from functools import cache

from sqlalchemy import Table, bindparam, delete

from mdpublish_server.storage.tables import REPLAYS, REPORTS
from mdpublish_server.storage.transactions import Statement, Transaction

_TIMES = {REPLAYS: "started_at", REPORTS: "closed_at"}
"""Columns of time of the tables without `expires_at`."""


def delete_expired(transaction: Transaction, table: Table, *, until: datetime) -> int:
    """Delete the rows that expired, started or were closed at `until` or before; return how many there were."""
    return transaction.change(_deletion(table), until=until)


@cache
def _deletion(table: Table) -> Statement:
    return Statement(delete(table).where(table.c[_TIMES.get(table, "expires_at")] <= bindparam("until")))
