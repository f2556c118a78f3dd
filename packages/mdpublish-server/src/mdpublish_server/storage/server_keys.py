"""The random key that all processes of a service share."""

from mdpublish_server.storage.sql_files import read_statements
from mdpublish_server.storage.transactions import Transaction

_SQL = read_statements(__name__)


_ONLY_ROW = 1


def find_server_key(transaction: Transaction) -> bytes | None:
    row = transaction.row(_SQL["key"])
    return None if row is None else bytes(row[0])


def add_server_key(transaction: Transaction, key: bytes) -> bytes:
    """Store a key unless there is one; return the stored one."""
    transaction.change(_SQL["add"], id=_ONLY_ROW, key=key)
    stored = find_server_key(transaction)
    assert stored is not None
    return stored
