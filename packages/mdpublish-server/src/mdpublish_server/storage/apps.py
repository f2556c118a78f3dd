"""Queries of connected apps: clients, what people have granted them, and tokens."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from mdpublish_server.storage.accounts import ACCOUNT
from mdpublish_server.storage.record_columns import RecordColumns
from mdpublish_server.storage.records import Account, AppClient, AppGrant, AppToken
from mdpublish_server.storage.sql_files import read_statements
from mdpublish_server.storage.tables import APP_CLIENTS, APP_GRANTS, APP_TOKENS
from mdpublish_server.storage.transactions import Transaction

CLIENT = RecordColumns(AppClient, APP_CLIENTS)
GRANT = RecordColumns(AppGrant, APP_GRANTS)
TOKEN = RecordColumns(AppToken, APP_TOKENS)
_SQL = read_statements(__name__, account=ACCOUNT.sql, client=CLIENT.sql, grant=GRANT.sql, token=TOKEN.sql)


class TokenHolder(NamedTuple):
    """A valid token, whose it is, and what it belongs to."""

    account: Account
    grant: AppGrant
    token: AppToken


def find_client(transaction: Transaction, client_id: str) -> AppClient | None:
    return CLIENT.first(transaction, _SQL["find_client"], app=client_id)


def put_client(transaction: Transaction, client: AppClient) -> None:
    transaction.change(_SQL["replace_client"], app=client.id)
    CLIENT.add(transaction, client)


def keep_client(transaction: Transaction, client_id: str) -> None:
    """Keep a client that somebody has allowed something."""
    transaction.change(_SQL["keep_client"], app=client_id)


def drop_unused_client(transaction: Transaction, *, limit: int) -> None:
    """Delete the oldest client that nobody has allowed anything, if there are more than `limit`."""
    transaction.change(_SQL["oldest_unused"], offset=limit)


def find_grant_by_code(transaction: Transaction, code_hash: str) -> AppGrant | None:
    return GRANT.first(transaction, _SQL["by_code"], hash=code_hash)


def use_code(transaction: Transaction, grant_id: str, *, now: datetime) -> bool:
    """Return whether this is the code's first use; of concurrent ones, one is."""
    return transaction.change(_SQL["use_code"], grant=grant_id, now=now) == 1


def list_grants(transaction: Transaction, account_id: str, *, now: datetime) -> Sequence[AppGrant]:
    """Return grants, newest first."""
    return GRANT.all(transaction, _SQL["of_account"], account=account_id, now=now)


def delete_grants(transaction: Transaction, account_id: str) -> None:
    transaction.change(_SQL["delete_grants"], account=account_id)


def delete_grant(transaction: Transaction, grant_id: str) -> None:
    """Delete a grant and all of its tokens."""
    transaction.change(_SQL["delete_grant"], grant=grant_id)


def mark_grant_used(transaction: Transaction, grant_id: str, *, now: datetime) -> None:
    transaction.change(_SQL["use_grant"], grant=grant_id, now=now)


def extend_grant(transaction: Transaction, grant_id: str, *, until: datetime) -> None:
    transaction.change(_SQL["extend"], grant=grant_id, end=until)


def find_token(transaction: Transaction, token_hash: str, *, now: datetime) -> TokenHolder | None:
    row = transaction.row(_SQL["holder"], hash=token_hash, now=now)
    if row is None:
        return None
    grant, token = len(ACCOUNT.columns), len(ACCOUNT.columns) + len(GRANT.columns)
    return TokenHolder(ACCOUNT.read(row[:grant]), GRANT.read(row[grant:token]), TOKEN.read(row[token:]))


def replace_token(transaction: Transaction, token_hash: str, *, now: datetime, until: datetime) -> None:
    """Note the first exchange of a refresh token, which is remembered `until` then."""
    transaction.change(_SQL["replace"], hash=token_hash, now=now, end=until)


def drop_surplus_tokens(transaction: Transaction, grant_id: str, *, limit: int) -> None:
    """Keep the `limit` tokens of a grant that expire last, replaced ones after the others."""
    transaction.change(_SQL["surplus"], grant=grant_id, offset=limit, limit=limit)
