"""Queries for email tokens."""

from mdpublish_server.storage.record_columns import RecordColumns
from mdpublish_server.storage.records import EmailToken
from mdpublish_server.storage.sql_files import read_statements
from mdpublish_server.storage.tables import EMAIL_TOKENS
from mdpublish_server.storage.transactions import Transaction, query

EMAIL_TOKEN = RecordColumns(EmailToken, EMAIL_TOKENS)
_SQL = read_statements(__name__, email_token=EMAIL_TOKEN.sql)

find_email_token = query(EMAIL_TOKEN.first, _SQL["find"], "hash")
consume_email_token = query(EMAIL_TOKEN.first, _SQL["consume"], "hash")
delete_email_tokens = query(Transaction.change, _SQL["delete_of_email"], "email_address", "key")
