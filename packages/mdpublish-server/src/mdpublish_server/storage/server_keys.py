"""The random key that all processes of a service share."""

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert  # both dialects compile ON CONFLICT alike

from mdpublish_server.storage.tables import SERVER_KEYS
from mdpublish_server.storage.transactions import Statement, Transaction

_ONLY_ROW = 1

_ADD = Statement(insert(SERVER_KEYS).on_conflict_do_nothing())
_KEY = Statement(select(SERVER_KEYS.c.key))


def find_server_key(transaction: Transaction) -> bytes | None:
    row = transaction.row(_KEY)
    return None if row is None else bytes(row[0])


def add_server_key(transaction: Transaction, key: bytes) -> bytes:
    """Store a key unless there is one; return the stored one."""
    transaction.change(_ADD, id=_ONLY_ROW, key=key)
    stored = find_server_key(transaction)
    assert stored is not None
    return stored
