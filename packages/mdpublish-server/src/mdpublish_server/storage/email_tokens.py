"""Queries for email tokens."""

from sqlalchemy import bindparam, delete, select

from mdpublish_server.storage.record_columns import RecordColumns
from mdpublish_server.storage.records import EmailToken
from mdpublish_server.storage.tables import EMAIL_TOKENS
from mdpublish_server.storage.transactions import Statement, Transaction

EMAIL_TOKEN = RecordColumns(EmailToken, EMAIL_TOKENS)

_FIND = Statement(select(*EMAIL_TOKEN.columns).where(EMAIL_TOKENS.c.token_hash == bindparam("hash")))
# Atomic: only one of two concurrent requests succeeds.
_CONSUME = Statement(
    delete(EMAIL_TOKENS).where(EMAIL_TOKENS.c.token_hash == bindparam("hash")).returning(*EMAIL_TOKEN.columns)
)
_DELETE_OF_EMAIL = Statement(
    delete(EMAIL_TOKENS).where(
        EMAIL_TOKENS.c.email == bindparam("email_address"), EMAIL_TOKENS.c.purpose == bindparam("key")
    )
)


def find_email_token(transaction: Transaction, token_hash: str) -> EmailToken | None:
    return EMAIL_TOKEN.first(transaction, _FIND, hash=token_hash)


def consume_email_token(transaction: Transaction, token_hash: str) -> EmailToken | None:
    return EMAIL_TOKEN.first(transaction, _CONSUME, hash=token_hash)


def delete_email_tokens(transaction: Transaction, email: str, purpose: str) -> None:
    transaction.change(_DELETE_OF_EMAIL, email_address=email, key=purpose)
