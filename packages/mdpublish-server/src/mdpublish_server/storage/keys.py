"""Queries for API keys and sessions."""

from collections.abc import Sequence
from datetime import datetime

from mdpublish_server.storage.accounts import ACCOUNT
from mdpublish_server.storage.record_columns import RecordColumns
from mdpublish_server.storage.records import Account, Key, Session
from mdpublish_server.storage.sql_files import read_statements
from mdpublish_server.storage.tables import KEYS, SESSIONS
from mdpublish_server.storage.timestamps import from_microseconds
from mdpublish_server.storage.transactions import Transaction

KEY = RecordColumns(Key, KEYS)
SESSION = RecordColumns(Session, SESSIONS)
_SQL = read_statements(__name__, account=ACCOUNT.sql, key=KEY.sql, session=SESSION.sql)


def list_keys(transaction: Transaction, account_id: str) -> Sequence[Key]:
    """Return keys, including revoked ones, oldest first."""
    return KEY.all(transaction, _SQL["of_account"], account=account_id)


def find_account_by_key(transaction: Transaction, key_hash: str) -> tuple[Account, str, datetime | None] | None:
    """Return account, key id and last recorded use."""
    row = transaction.row(_SQL["holder"], hash=key_hash)
    return None if row is None else (ACCOUNT.read(row[:-2]), row[-2], from_microseconds(row[-1]))


def mark_key_used(transaction: Transaction, key_id: str, *, now: datetime) -> None:
    transaction.change(_SQL["use"], key_id=key_id, now=now)


def revoke_key(transaction: Transaction, account_id: str, key_id: str, *, now: datetime) -> bool:
    return transaction.change(_SQL["revoke"], account=account_id, key_id=key_id, now=now) == 1


def prune_revoked_keys(transaction: Transaction, account_id: str, *, limit: int) -> None:
    """Keep only the `limit` most recently revoked keys."""
    transaction.change(_SQL["prune_revoked"], account=account_id, limit=limit)


def delete_keys(transaction: Transaction, account_id: str) -> None:
    transaction.change(_SQL["delete_keys"], account=account_id)


def find_session(transaction: Transaction, token_hash: str, *, now: datetime) -> tuple[Account, datetime | None] | None:
    """Return account and last recorded use."""
    row = transaction.row(_SQL["signed_in"], hash=token_hash, now=now)
    return None if row is None else (ACCOUNT.read(row[:-1]), from_microseconds(row[-1]))


def find_account_by_session(transaction: Transaction, token_hash: str, *, now: datetime) -> Account | None:
    signed_in = find_session(transaction, token_hash, now=now)
    return None if signed_in is None else signed_in[0]


def list_sessions(transaction: Transaction, account_id: str, *, now: datetime) -> Sequence[Session]:
    """Return the sessions that have not expired, the last used first."""
    return SESSION.all(transaction, _SQL["sessions_of_account"], account=account_id, now=now)


def mark_session_used(transaction: Transaction, token_hash: str, *, network: str, now: datetime) -> None:
    transaction.change(_SQL["use_session"], hash=token_hash, place=network, now=now)


def end_session(transaction: Transaction, token_hash: str) -> Session | None:
    """Return the session that is ended."""
    return SESSION.first(transaction, _SQL["end_session"], hash=token_hash)


def end_sessions(transaction: Transaction, account_id: str) -> int:
    """Return how many there were."""
    return transaction.change(_SQL["end_sessions"], account=account_id)
