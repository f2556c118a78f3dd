"""Queries for email tokens."""

from datetime import datetime

from sqlalchemy import bindparam, delete, insert, select

from mdpublish_server.storage.records import EmailToken
from mdpublish_server.storage.tables import EMAIL_TOKENS
from mdpublish_server.storage.timestamps import from_microseconds, to_microseconds
from mdpublish_server.storage.transactions import Row, Statement, Transaction

_COLUMNS = (
    EMAIL_TOKENS.c.token_hash,
    EMAIL_TOKENS.c.purpose,
    EMAIL_TOKENS.c.email,
    EMAIL_TOKENS.c.account_id,
    EMAIL_TOKENS.c.password_hash,
    EMAIL_TOKENS.c.username,
    EMAIL_TOKENS.c.created_at,
    EMAIL_TOKENS.c.expires_at,
)

_ADD = Statement(insert(EMAIL_TOKENS))
_FIND = Statement(select(*_COLUMNS).where(EMAIL_TOKENS.c.token_hash == bindparam("hash")))
# Atomic: only one of two concurrent requests succeeds.
_CONSUME = Statement(delete(EMAIL_TOKENS).where(EMAIL_TOKENS.c.token_hash == bindparam("hash")).returning(*_COLUMNS))
_DELETE_OF_EMAIL = Statement(
    delete(EMAIL_TOKENS).where(
        EMAIL_TOKENS.c.email == bindparam("email_address"), EMAIL_TOKENS.c.purpose == bindparam("key")
    )
)
_DELETE_EXPIRED = Statement(delete(EMAIL_TOKENS).where(EMAIL_TOKENS.c.expires_at <= bindparam("now")))


def add_email_token(transaction: Transaction, email_token: EmailToken) -> None:
    transaction.change(
        _ADD,
        token_hash=email_token.token_hash,
        purpose=email_token.purpose,
        email=email_token.email,
        account_id=email_token.account_id,
        password_hash=email_token.password_hash,
        username=email_token.username,
        created_at=to_microseconds(email_token.created_at),
        expires_at=to_microseconds(email_token.expires_at),
    )


def find_email_token(transaction: Transaction, token_hash: str) -> EmailToken | None:
    row = transaction.row(_FIND, hash=token_hash)
    return None if row is None else _email_token_of(row)


def consume_email_token(transaction: Transaction, token_hash: str) -> EmailToken | None:
    row = transaction.row(_CONSUME, hash=token_hash)
    return None if row is None else _email_token_of(row)


def delete_email_tokens(transaction: Transaction, email: str, purpose: str) -> None:
    transaction.change(_DELETE_OF_EMAIL, email_address=email, key=purpose)


def delete_expired_email_tokens(transaction: Transaction, *, now: datetime) -> int:
    return transaction.change(_DELETE_EXPIRED, now=to_microseconds(now))


def _email_token_of(row: Row) -> EmailToken:
    return EmailToken(
        token_hash=row[0],
        purpose=row[1],
        email=row[2],
        account_id=row[3],
        password_hash=row[4],
        username=row[5],
        created_at=from_microseconds(row[6]),
        expires_at=from_microseconds(row[7]),
    )
