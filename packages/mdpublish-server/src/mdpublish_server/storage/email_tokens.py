"""Queries for email tokens."""

from mdpublish_server.storage.record_columns import RecordColumns
from mdpublish_server.storage.records import EmailToken
from mdpublish_server.storage.sql_files import read_statements
from mdpublish_server.storage.tables import EMAIL_TOKENS
from mdpublish_server.storage.transactions import Transaction

EMAIL_TOKEN = RecordColumns(EmailToken, EMAIL_TOKENS)
_SQL = read_statements(__name__, email_token=EMAIL_TOKEN.sql)


def find_email_token(transaction: Transaction, token_hash: str) -> EmailToken | None:
    return EMAIL_TOKEN.first(transaction, _SQL["find"], hash=token_hash)


def consume_email_token(transaction: Transaction, token_hash: str) -> EmailToken | None:
    return EMAIL_TOKEN.first(transaction, _SQL["consume"], hash=token_hash)


def delete_email_tokens(transaction: Transaction, email: str, purpose: str) -> None:
    transaction.change(_SQL["delete_of_email"], email_address=email, key=purpose)
