"""Queries of connected apps: clients, what people have granted them, and tokens."""

from datetime import datetime
from typing import NamedTuple

from mdpublish_server.storage.accounts import ACCOUNT
from mdpublish_server.storage.record_columns import RecordColumns
from mdpublish_server.storage.records import Account, AppClient, AppGrant, AppToken
from mdpublish_server.storage.sql_files import read_statements
from mdpublish_server.storage.tables import APP_CLIENTS, APP_GRANTS, APP_TOKENS
from mdpublish_server.storage.transactions import Transaction, query

CLIENT = RecordColumns(AppClient, APP_CLIENTS)
GRANT = RecordColumns(AppGrant, APP_GRANTS)
TOKEN = RecordColumns(AppToken, APP_TOKENS)
_SQL = read_statements(__name__, account=ACCOUNT.sql, client=CLIENT.sql, grant=GRANT.sql, token=TOKEN.sql)

find_client = query(CLIENT.first, _SQL["find_client"], "app")
keep_client = query(Transaction.change, _SQL["keep_client"], "app")
drop_unused_client = query(Transaction.change, _SQL["oldest_unused"])
find_grant_by_code = query(GRANT.first, _SQL["by_code"], "hash")
mark_grant_used = query(Transaction.change, _SQL["use_grant"])
use_code = query(Transaction.changes_one, _SQL["use_code"], "grant")
list_grants = query(GRANT.all, _SQL["of_account"], "account")
delete_grant = query(Transaction.changes_one, _SQL["delete_grant"], "grant")
extend_grant = query(Transaction.change, _SQL["extend"], "grant")
replace_token = query(Transaction.change, _SQL["replace"], "hash")
drop_surplus_tokens = query(Transaction.change, _SQL["surplus"], "grant")


class TokenHolder(NamedTuple):
    """A valid token, whose it is, and what it belongs to."""

    account: Account
    grant: AppGrant
    token: AppToken


def put_client(transaction: Transaction, client: AppClient) -> None:
    transaction.change(_SQL["replace_client"], app=client.id)
    CLIENT.add(transaction, client)


def find_token(transaction: Transaction, token_hash: str, *, now: datetime) -> TokenHolder | None:
    row = transaction.row(_SQL["holder"], hash=token_hash, now=now)
    if row is None:
        return None
    grant, token = len(ACCOUNT.columns), len(ACCOUNT.columns) + len(GRANT.columns)
    return TokenHolder(ACCOUNT.read(row[:grant]), GRANT.read(row[grant:token]), TOKEN.read(row[token:]))
