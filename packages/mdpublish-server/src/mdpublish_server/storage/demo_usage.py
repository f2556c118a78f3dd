"""The bytes that demos hold together: a counter, changed in the transaction that adds, deletes or claims a demo.

It is the sum of the demos' own numbers, which are negative once freed. Its row, for which others wait, is changed last.
"""

from collections.abc import Sequence
from datetime import datetime

from mdpublish_server.storage.records import DemoPage
from mdpublish_server.storage.sql_files import read_statements
from mdpublish_server.storage.transactions import Row, Transaction, query

_SQL = read_statements(__name__)
MISCOUNTED = _SQL["miscounted"]
"""The counter, and what it should be."""

demo_bytes = query(Transaction.count, _SQL["bytes"])

_UNLIMITED = 1 << 62

_ONLY_ROW = 1


def take_demo_bytes(transaction: Transaction, number: int, *, limit: int | None) -> bool:
    """Count the bytes of a new demo; return False, and count nothing, past the limit."""
    allowed = _UNLIMITED if limit is None else limit
    return number <= allowed and transaction.row(_SQL["add"], id=_ONLY_ROW, bytes=number, limit=allowed) is not None


def resize_demo(transaction: Transaction, demo: DemoPage, number: int, *, limit: int | None) -> bool:
    """Count a changed demo's bytes; return False past the limit unless it shrank, or if it was changed meanwhile."""
    if transaction.change(_SQL["resize"], key=demo.identifier, former=demo.bytes, bytes=number) != 1:
        return False
    more = number - demo.bytes
    return take_demo_bytes(transaction, more, limit=limit if more > 0 else None)


def free_demo(transaction: Transaction, identifier: str) -> None:
    """Stop counting a demo that is claimed or deleted."""
    _give_back(transaction, transaction.rows(_SQL["free"], key=identifier))


def free_expired_demos(transaction: Transaction, *, now: datetime, limit: int) -> None:
    _give_back(transaction, transaction.rows(_SQL["free_expired"], now=now, limit=limit))


def _give_back(transaction: Transaction, freed: Sequence[Row]) -> None:
    if freed:
        transaction.row(_SQL["add"], id=_ONLY_ROW, bytes=-sum(int(row[0]) for row in freed), limit=_UNLIMITED)
