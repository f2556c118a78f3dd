"""Accounts: signing up, in and out, keys, usernames, plans; what the site, the API and the operator's command share.

Each function does its work in the transaction that it is given. A raw key, a session's token and a password are never kept,
only their hashes: of the first two, which are random, the SHA-256, of a password argon2id's.
"""

import secrets
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from uuid import uuid4

from mdpublish_server.auth.authentication import month_of, secret_hash
from mdpublish_server.auth.passwords import validate_email, verify_password
from mdpublish_server.auth.plans import ACTIVE_KEYS, FREE
from mdpublish_server.errors import Conflict, NotFound, QuotaExceeded, Unauthorized, ValidationError
from mdpublish_server.services.pages import path_of
from mdpublish_server.storage import Account, Key, Session, Transaction
from mdpublish_server.storage import accounts as accounts_table
from mdpublish_server.storage import keys as keys_table
from mdpublish_server.storage.documents import (
    bump_revisions,
    delete_demo,
    find_document,
    take_down,
    unpublish_document,
)
from mdpublish_server.storage.email_tokens import delete_email_tokens
from mdpublish_server.storage.permalinks import delete_page, move_permalinks
from mdpublish_server.validation.usernames import validate_username

KEY_PREFIX = "svc_"
KEY_BYTES = 32
"""Of a key: 256 bits, 64 hexadecimal characters."""

KEY_NAME_CHARACTERS = 100

REVOKED_KEYS = 20
"""Revoked keys of an account that are kept to be shown; whoever makes and revokes keys for ever fills no disk."""

PASSWORD_RESET = "password"  # noqa: S105  (what an e-mail token is for)
"""The purpose of an e-mail token whose link leads to choosing a password."""

SESSION_LIFETIME = timedelta(days=30)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewKey:
    """A key just made; `raw` is told here and never again."""

    raw: str
    key: Key


def create_account(
    transaction: Transaction,
    *,
    email: str,
    password_hash: str | None,
    now: datetime,
    username: str | None = None,
    plan: str = FREE,
) -> Account:
    """Make an account; raises `ValidationError`, and `Conflict` where its e-mail address or username is another's."""
    account = Account(
        id=str(uuid4()),
        email=validate_email(email),
        password_hash=password_hash,
        username=None,
        plan=plan,
        plan_until=None,
        is_suspended=False,
        created_at=now,
        documents=0,
        pages=0,
        active_keys=0,
        month=month_of(now),
        used=0,
    )
    if not accounts_table.add_account(transaction, account):
        raise Conflict(f"there is an account of {account.email} already")
    return account if username is None else set_username(transaction, account, username)


def set_username(transaction: Transaction, account: Account, username: str) -> Account:
    """Give an account a username; its pages move, and their old addresses redirect.

    Raises `ValidationError`, and `Conflict` where the username is, or once was, another's.
    """
    checked = validate_username(username)
    if checked == account.username:
        return account
    if not accounts_table.claim_username(transaction, account, checked):
        raise Conflict(f"the username {checked!r} is taken; choose another")
    move_permalinks(transaction, account.id, path_of(checked, ""))
    bump_revisions(transaction, account.id)
    return replace(account, username=checked)


def sign_in(transaction: Transaction, account: Account, *, now: datetime, replaces: str | None = None) -> str:
    """Begin a session, and return its token, which is told here and never again; end the session of another token."""
    if replaces is not None:
        sign_out(transaction, replaces)
    token = secrets.token_hex(KEY_BYTES)
    session = Session(
        token_hash=secret_hash(token),
        account_id=account.id,
        created_at=now,
        expires_at=now + SESSION_LIFETIME,
    )
    keys_table.add_session(transaction, session)
    return token


def sign_out(transaction: Transaction, token: str) -> None:
    """End the session of a token."""
    keys_table.end_session(transaction, secret_hash(token))


def change_password(transaction: Transaction, account: Account, password_hash: str, *, now: datetime) -> str:
    """Give an account another password and end all its sessions; begin one, and return its token.

    Raises `Conflict` where the password is not the one any more that `account` was read with.
    """
    accounts_table.lock_account(transaction, account.id)
    current = accounts_table.find_account(transaction, account.id)
    if current is None or current.password_hash != account.password_hash:
        raise Conflict("the password was changed meanwhile; nothing was changed now")
    set_password(transaction, current, password_hash)
    return sign_in(transaction, current, now=now)


def set_password(transaction: Transaction, account: Account, password_hash: str) -> None:
    """Give an account another password: its sessions end, and so do links to choose one that were mailed before."""
    accounts_table.set_password_hash(transaction, account.id, password_hash)
    keys_table.end_sessions(transaction, account.id)
    delete_email_tokens(transaction, account.email, PASSWORD_RESET)


def authenticate(account: Account | None, password: str) -> Account:
    """Return the account if the password is its own; raises `Unauthorized`, whatever was wrong. Takes a while."""
    fits = verify_password(password, account.password_hash if account else None)
    if account is None or not fits or account.is_suspended:
        raise Unauthorized("the e-mail address or the password is wrong")
    return account


def add_key(transaction: Transaction, account: Account, *, name: str, now: datetime) -> NewKey:
    """Make an API key; raises `QuotaExceeded` where there are two, and `ValidationError`."""
    cleaned = _checked_key_name(name)
    if not accounts_table.increment_counter(transaction, account.id, "active_keys", limit=ACTIVE_KEYS):
        raise QuotaExceeded(f"an account has at most {ACTIVE_KEYS} active keys; revoke one first")
    raw = KEY_PREFIX + secrets.token_hex(KEY_BYTES)
    key = Key(
        id=str(uuid4()),
        account_id=account.id,
        name=cleaned,
        key_hash=secret_hash(raw),
        last_four=raw[-4:],
        created_at=now,
        used_at=None,
        revoked_at=None,
    )
    keys_table.add_key(transaction, key)
    return NewKey(raw=raw, key=key)


def revoke_key(transaction: Transaction, account: Account, key_id: str, *, now: datetime) -> None:
    """Revoke a key, at once and for good; raises `NotFound`."""
    if not keys_table.revoke_key(transaction, account.id, key_id, now=now):
        raise NotFound("there is no active key of this id")
    accounts_table.decrement_counter(transaction, account.id, "active_keys")
    keys_table.prune_revoked_keys(transaction, account.id, limit=REVOKED_KEYS)


def delete_account(transaction: Transaction, account: Account) -> None:
    """Delete an account with its documents, pages, keys and sessions; nobody else gets its username."""
    accounts_table.delete_account(transaction, account.id)


def suspend(transaction: Transaction, account: Account, *, suspended: bool) -> None:
    """Suspend an account, which ends its sessions, or end that; nothing is deleted."""
    accounts_table.set_suspended(transaction, account.id, suspended=suspended)
    if suspended:
        keys_table.end_sessions(transaction, account.id)


def take_page_down(transaction: Transaction, document_id: str) -> None:
    """Take a page away for good: a demo with its text, an account's document without; raises `NotFound`."""
    if delete_demo(transaction, document_id):
        return
    document = find_document(transaction, document_id)
    if document is None or document.account_id is None:
        raise NotFound("there is no such page")
    accounts_table.lock_account(transaction, document.account_id)
    take_down(transaction, document_id)
    if unpublish_document(transaction, document_id):
        accounts_table.decrement_counter(transaction, document.account_id, "pages")
        delete_page(transaction, document_id)


def _checked_key_name(name: str) -> str:
    cleaned = "".join(character for character in name if character.isprintable()).strip()
    if len(cleaned) > KEY_NAME_CHARACTERS:
        raise ValidationError(f"name is {len(cleaned):,} characters; at most {KEY_NAME_CHARACTERS} are allowed")
    return cleaned or "API key"
