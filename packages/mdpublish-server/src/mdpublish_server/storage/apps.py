"""Queries of connected apps: clients, what people have granted them, and tokens."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import BindParameter, bindparam, delete, select, update

from mdpublish_server.storage.accounts import ACCOUNT
from mdpublish_server.storage.record_columns import RecordColumns
from mdpublish_server.storage.records import Account, AppClient, AppGrant, AppToken
from mdpublish_server.storage.tables import ACCOUNTS, APP_CLIENTS, APP_GRANTS, APP_TOKENS
from mdpublish_server.storage.timestamps import to_microseconds
from mdpublish_server.storage.transactions import Statement, Transaction

CLIENT = RecordColumns(AppClient, APP_CLIENTS)
GRANT = RecordColumns(AppGrant, APP_GRANTS)
TOKEN = RecordColumns(AppToken, APP_TOKENS)


class TokenHolder(NamedTuple):
    """A valid token, whose it is, and what it belongs to."""

    account: Account
    grant: AppGrant
    token: AppToken


_now: BindParameter[int] = bindparam("now")
_is_of_grant = APP_TOKENS.c.grant_id == APP_GRANTS.c.id
_is_valid = APP_TOKENS.c.expires_at > _now

_CLIENT = Statement(select(*CLIENT.columns).where(APP_CLIENTS.c.id == bindparam("app")))
_REPLACE_CLIENT = Statement(delete(APP_CLIENTS).where(APP_CLIENTS.c.id == bindparam("app")))
_KEEP_CLIENT = Statement(update(APP_CLIENTS).where(APP_CLIENTS.c.id == bindparam("app")).values(expires_at=None))
_OLDEST_UNUSED = Statement(
    delete(APP_CLIENTS).where(
        APP_CLIENTS.c.id.in_(
            select(APP_CLIENTS.c.id)
            .where(APP_CLIENTS.c.expires_at.is_not(None))
            .order_by(APP_CLIENTS.c.expires_at.desc())
            .limit(1)
            .offset(bindparam("offset"))
        )
    )
)
_BY_CODE = Statement(select(*GRANT.columns).where(APP_GRANTS.c.code_hash == bindparam("hash")))
_USE_CODE = Statement(
    update(APP_GRANTS)
    .where(APP_GRANTS.c.id == bindparam("grant"), APP_GRANTS.c.code_used_at.is_(None))
    .values(code_used_at=_now)
)
_OF_ACCOUNT = Statement(
    select(*GRANT.columns)
    .where(APP_GRANTS.c.account_id == bindparam("account"), APP_GRANTS.c.expires_at > _now)
    .order_by(APP_GRANTS.c.created_at.desc(), APP_GRANTS.c.id)
)
_DELETE_GRANTS = Statement(delete(APP_GRANTS).where(APP_GRANTS.c.account_id == bindparam("account")))
_DELETE_GRANT = Statement(delete(APP_GRANTS).where(APP_GRANTS.c.id == bindparam("grant")))
_USE_GRANT = Statement(update(APP_GRANTS).where(APP_GRANTS.c.id == bindparam("grant")).values(used_at=_now))
_EXTEND = Statement(update(APP_GRANTS).where(APP_GRANTS.c.id == bindparam("grant")).values(expires_at=bindparam("end")))
_HOLDER = Statement(
    select(*ACCOUNT.columns, *GRANT.columns, *TOKEN.columns)
    .select_from(APP_TOKENS.join(APP_GRANTS, _is_of_grant).join(ACCOUNTS, ACCOUNTS.c.id == APP_GRANTS.c.account_id))
    .where(APP_TOKENS.c.token_hash == bindparam("hash"), _is_valid)
)
_REPLACE = Statement(
    update(APP_TOKENS)
    .where(APP_TOKENS.c.token_hash == bindparam("hash"), APP_TOKENS.c.replaced_at.is_(None))
    .values(replaced_at=_now, expires_at=bindparam("end"))
)
_SURPLUS = Statement(
    delete(APP_TOKENS).where(
        APP_TOKENS.c.token_hash.in_(
            select(APP_TOKENS.c.token_hash)
            .where(APP_TOKENS.c.grant_id == bindparam("grant"))
            .order_by(APP_TOKENS.c.replaced_at.is_not(None), APP_TOKENS.c.expires_at.desc())
            .limit(bindparam("limit"))
            .offset(bindparam("offset"))
        )
    )
)


def find_client(transaction: Transaction, client_id: str) -> AppClient | None:
    return CLIENT.first(transaction, _CLIENT, app=client_id)


def put_client(transaction: Transaction, client: AppClient) -> None:
    transaction.change(_REPLACE_CLIENT, app=client.id)
    CLIENT.add(transaction, client)


def keep_client(transaction: Transaction, client_id: str) -> None:
    """Keep a client that somebody has allowed something."""
    transaction.change(_KEEP_CLIENT, app=client_id)


def drop_unused_client(transaction: Transaction, *, limit: int) -> None:
    """Delete the oldest client that nobody has allowed anything, if there are more than `limit`."""
    transaction.change(_OLDEST_UNUSED, offset=limit)


def find_grant_by_code(transaction: Transaction, code_hash: str) -> AppGrant | None:
    return GRANT.first(transaction, _BY_CODE, hash=code_hash)


def use_code(transaction: Transaction, grant_id: str, *, now: datetime) -> bool:
    """Return whether this is the code's first use; of concurrent ones, one is."""
    return transaction.change(_USE_CODE, grant=grant_id, now=to_microseconds(now)) == 1


def list_grants(transaction: Transaction, account_id: str, *, now: datetime) -> Sequence[AppGrant]:
    """Return grants, newest first."""
    return GRANT.all(transaction, _OF_ACCOUNT, account=account_id, now=to_microseconds(now))


def delete_grants(transaction: Transaction, account_id: str) -> None:
    transaction.change(_DELETE_GRANTS, account=account_id)


def delete_grant(transaction: Transaction, grant_id: str) -> None:
    """Delete a grant and all of its tokens."""
    transaction.change(_DELETE_GRANT, grant=grant_id)


def mark_grant_used(transaction: Transaction, grant_id: str, *, now: datetime) -> None:
    transaction.change(_USE_GRANT, grant=grant_id, now=to_microseconds(now))


def extend_grant(transaction: Transaction, grant_id: str, *, until: datetime) -> None:
    transaction.change(_EXTEND, grant=grant_id, end=to_microseconds(until))


def find_token(transaction: Transaction, token_hash: str, *, now: datetime) -> TokenHolder | None:
    row = transaction.row(_HOLDER, hash=token_hash, now=to_microseconds(now))
    if row is None:
        return None
    grant, token = len(ACCOUNT.columns), len(ACCOUNT.columns) + len(GRANT.columns)
    return TokenHolder(ACCOUNT.read(row[:grant]), GRANT.read(row[grant:token]), TOKEN.read(row[token:]))


def replace_token(transaction: Transaction, token_hash: str, *, now: datetime, until: datetime) -> None:
    """Note the first exchange of a refresh token, which is remembered `until` then."""
    transaction.change(_REPLACE, hash=token_hash, now=to_microseconds(now), end=to_microseconds(until))


def drop_surplus_tokens(transaction: Transaction, grant_id: str, *, limit: int) -> None:
    """Keep the `limit` tokens of a grant that expire last, replaced ones after the others."""
    transaction.change(_SURPLUS, grant=grant_id, offset=limit, limit=limit)
