"""Queries for API keys and sessions."""

from datetime import datetime

from mdpublish_server.storage.accounts import ACCOUNT
from mdpublish_server.storage.record_columns import RecordColumns
from mdpublish_server.storage.records import Account, Key, Session
from mdpublish_server.storage.sql_files import read_statements
from mdpublish_server.storage.tables import KEYS, SESSIONS
from mdpublish_server.storage.timestamps import from_microseconds
from mdpublish_server.storage.transactions import Transaction, query

KEY = RecordColumns(Key, KEYS)
SESSION = RecordColumns(Session, SESSIONS)
_SQL = read_statements(__name__, account=ACCOUNT.sql, key=KEY.sql, session=SESSION.sql)

list_keys = query(KEY.all, _SQL["of_account"], "account")
mark_key_used = query(Transaction.change, _SQL["use"])
revoke_key = query(Transaction.changes_one, _SQL["revoke"], "account", "key_id")
prune_revoked_keys = query(Transaction.change, _SQL["prune_revoked"], "account")
delete_keys = query(Transaction.change, _SQL["delete_keys"], "account")
list_sessions = query(SESSION.all, _SQL["sessions_of_account"], "account")
mark_session_used = query(Transaction.change, _SQL["use_session"])
end_session = query(SESSION.first, _SQL["end_session"], "hash")
end_sessions = query(Transaction.change, _SQL["end_sessions"], "account")


def find_account_by_key(transaction: Transaction, key_hash: str) -> tuple[Account, str, datetime | None] | None:
    """Return account, key id and last recorded use."""
    row = transaction.row(_SQL["holder"], hash=key_hash)
    return None if row is None else (ACCOUNT.read(row[:-2]), row[-2], from_microseconds(row[-1]))


def find_session(transaction: Transaction, token_hash: str, *, now: datetime) -> tuple[Account, datetime | None] | None:
    """Return account and last recorded use."""
    row = transaction.row(_SQL["signed_in"], hash=token_hash, now=now)
    return None if row is None else (ACCOUNT.read(row[:-1]), from_microseconds(row[-1]))


def find_account_by_session(transaction: Transaction, token_hash: str, *, now: datetime) -> Account | None:
    signed_in = find_session(transaction, token_hash, now=now)
    return None if signed_in is None else signed_in[0]
