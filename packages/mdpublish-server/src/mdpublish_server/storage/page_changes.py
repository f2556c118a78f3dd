"""Counters of changes of published pages. Triggers raise them; migration 0015 says when."""

from sqlalchemy import func, select

from mdpublish_server.storage.tables import PAGE_CHANGES
from mdpublish_server.storage.transactions import Stamp, Statement, Transaction

_COUNTERS = Statement(
    select(func.coalesce(func.sum(PAGE_CHANGES.c.changes), 0), func.coalesce(func.sum(PAGE_CHANGES.c.additions), 0))
)


def page_changes(transaction: Transaction) -> Stamp:
    ((changes, additions),) = transaction.rows(_COUNTERS)
    return Stamp(changes=str(changes), additions=str(additions))
