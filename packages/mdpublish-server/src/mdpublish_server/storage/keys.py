"""Queries for API keys and sessions."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import and_, bindparam, delete, func, select, update

from mdpublish_server.storage.accounts import ACCOUNT
from mdpublish_server.storage.record_columns import RecordColumns
from mdpublish_server.storage.records import Account, Key, Session
from mdpublish_server.storage.tables import ACCOUNTS, KEYS, SESSIONS
from mdpublish_server.storage.timestamps import from_microseconds, to_microseconds
from mdpublish_server.storage.transactions import Statement, Transaction

KEY = RecordColumns(Key, KEYS)
SESSION = RecordColumns(Session, SESSIONS)

_OF_ACCOUNT = Statement(
    select(*KEY.columns).where(KEYS.c.account_id == bindparam("account")).order_by(KEYS.c.created_at, KEYS.c.id)
)
_HOLDER = Statement(
    select(*ACCOUNT.columns, KEYS.c.id, KEYS.c.used_at)
    .select_from(KEYS.join(ACCOUNTS, ACCOUNTS.c.id == KEYS.c.account_id))
    .where(KEYS.c.key_hash == bindparam("hash"), KEYS.c.revoked_at.is_(None))
)
_USE = Statement(update(KEYS).where(KEYS.c.id == bindparam("key_id")).values(used_at=bindparam("now")))
_REVOKE = Statement(
    update(KEYS)
    .where(KEYS.c.id == bindparam("key_id"), KEYS.c.account_id == bindparam("account"), KEYS.c.revoked_at.is_(None))
    .values(revoked_at=bindparam("now"))
)
_is_revoked = and_(KEYS.c.account_id == bindparam("account"), KEYS.c.revoked_at.is_not(None))
_PRUNE_REVOKED = Statement(
    delete(KEYS).where(
        _is_revoked,
        KEYS.c.id.not_in(
            select(KEYS.c.id).where(_is_revoked).order_by(KEYS.c.revoked_at.desc(), KEYS.c.id).limit(bindparam("limit"))
        ),
    )
)
_DELETE_KEYS = Statement(delete(KEYS).where(KEYS.c.account_id == bindparam("account")))
_SIGNED_IN = Statement(
    select(*ACCOUNT.columns, SESSIONS.c.used_at)
    .select_from(SESSIONS.join(ACCOUNTS, ACCOUNTS.c.id == SESSIONS.c.account_id))
    .where(SESSIONS.c.token_hash == bindparam("hash"), SESSIONS.c.expires_at > bindparam("now"))
)
_is_of_account = SESSIONS.c.account_id == bindparam("account")
_SESSIONS_OF_ACCOUNT = Statement(
    select(*SESSION.columns)
    .where(_is_of_account, SESSIONS.c.expires_at > bindparam("now"))
    .order_by(func.coalesce(SESSIONS.c.used_at, SESSIONS.c.created_at).desc(), SESSIONS.c.token_hash)
)
_USE_SESSION = Statement(
    update(SESSIONS)
    .where(SESSIONS.c.token_hash == bindparam("hash"))
    .values(used_at=bindparam("now"), network=bindparam("place"))
)
_END_SESSION = Statement(delete(SESSIONS).where(SESSIONS.c.token_hash == bindparam("hash")))
_END_SESSIONS = Statement(delete(SESSIONS).where(_is_of_account))


def list_keys(transaction: Transaction, account_id: str) -> Sequence[Key]:
    """Return keys, including revoked ones, oldest first."""
    return KEY.all(transaction, _OF_ACCOUNT, account=account_id)


def find_account_by_key(transaction: Transaction, key_hash: str) -> tuple[Account, str, datetime | None] | None:
    """Return account, key id and last recorded use."""
    row = transaction.row(_HOLDER, hash=key_hash)
    return None if row is None else (ACCOUNT.read(row[:-2]), row[-2], from_microseconds(row[-1]))


def mark_key_used(transaction: Transaction, key_id: str, *, now: datetime) -> None:
    transaction.change(_USE, key_id=key_id, now=to_microseconds(now))


def revoke_key(transaction: Transaction, account_id: str, key_id: str, *, now: datetime) -> bool:
    return transaction.change(_REVOKE, account=account_id, key_id=key_id, now=to_microseconds(now)) == 1


def prune_revoked_keys(transaction: Transaction, account_id: str, *, limit: int) -> None:
    """Keep only the `limit` most recently revoked keys."""
    transaction.change(_PRUNE_REVOKED, account=account_id, limit=limit)


def delete_keys(transaction: Transaction, account_id: str) -> None:
    transaction.change(_DELETE_KEYS, account=account_id)


def find_session(transaction: Transaction, token_hash: str, *, now: datetime) -> tuple[Account, datetime | None] | None:
    """Return account and last recorded use."""
    row = transaction.row(_SIGNED_IN, hash=token_hash, now=to_microseconds(now))
    return None if row is None else (ACCOUNT.read(row[:-1]), from_microseconds(row[-1]))


def find_account_by_session(transaction: Transaction, token_hash: str, *, now: datetime) -> Account | None:
    signed_in = find_session(transaction, token_hash, now=now)
    return None if signed_in is None else signed_in[0]


def list_sessions(transaction: Transaction, account_id: str, *, now: datetime) -> Sequence[Session]:
    """Return the sessions that have not expired, the last used first."""
    return SESSION.all(transaction, _SESSIONS_OF_ACCOUNT, account=account_id, now=to_microseconds(now))


def mark_session_used(transaction: Transaction, token_hash: str, *, network: str, now: datetime) -> None:
    transaction.change(_USE_SESSION, hash=token_hash, place=network, now=to_microseconds(now))


def end_session(transaction: Transaction, token_hash: str) -> None:
    transaction.change(_END_SESSION, hash=token_hash)


def end_sessions(transaction: Transaction, account_id: str) -> None:
    transaction.change(_END_SESSIONS, account=account_id)
