"""Accounts, sessions and API keys. Only hashes of secrets are stored: SHA-256 of random ones, argon2id of passwords."""

import secrets
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from math import ceil
from uuid import uuid4

from mdpublish_server.auth.authentication import month_of, secret_hash
from mdpublish_server.auth.passwords import validate_email, verify_password
from mdpublish_server.auth.plans import ACTIVE_KEYS, FREE
from mdpublish_server.errors import Conflict, NotFound, QuotaExceeded, RateLimited, Unauthorized
from mdpublish_server.services.apps import end_grant
from mdpublish_server.services.page_access import restrict_images_of
from mdpublish_server.storage import Account, Key, Session, Transaction
from mdpublish_server.storage import accounts as accounts_table
from mdpublish_server.storage import documents as documents_table
from mdpublish_server.storage import keys as keys_table
from mdpublish_server.storage.apps import list_grants
from mdpublish_server.storage.audit import record
from mdpublish_server.storage.email_tokens import delete_email_tokens
from mdpublish_server.storage.permalinks import delete_page
from mdpublish_server.storage.readers import delete_links_of_account
from mdpublish_server.validation.browsers import Place
from mdpublish_server.validation.usernames import validate_username
from mdpublish_server.validation.validators import validate_language, validate_printable

KEY_PREFIX = "svc_"
KEY_BYTES = 32
"""256 bits."""

KEY_NAME_CHARACTERS = 100

REVOKED_KEYS = 20
"""Kept for display, bounded against abuse."""

PASSWORD_RESET = "password"  # noqa: S105

DAILY_RENAMES = 5
"""Each has the account's pages rendered again."""

_DAY = timedelta(days=1)

_NOWHERE = Place()

SESSION_LIFETIME = timedelta(days=30)

MAX_SESSIONS = 100
"""Per account; a newer one replaces the one that was used longest ago."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewKey:
    """A key, which the account may have had before; `raw` is available only here."""

    raw: str
    key: Key
    is_new: bool = True


def create_account(
    transaction: Transaction,
    *,
    email: str,
    password_hash: str | None,
    now: datetime,
    username: str | None = None,
    plan: str = FREE,
) -> Account:
    """Raise `ValidationError`, or `Conflict` if email or username is taken."""
    account = Account(
        id=str(uuid4()),
        email=validate_email(email),
        password_hash=password_hash,
        plan=plan,
        created_at=now,
        month=month_of(now),
    )
    if not accounts_table.add_account(transaction, account):
        raise Conflict(f"An account with the email address {account.email} already exists")
    record(transaction, "account.created", account.id, after={"email": account.email, "plan": plan})
    return account if username is None else set_username(transaction, account, username, now=now)


def set_username(
    transaction: Transaction, account: Account, username: str, *, now: datetime, is_limited: bool = True
) -> Account:
    """Set the username and move the account's pages; old URLs redirect.

    Raises `ValidationError`, `Conflict` if another account has or had it, and `RateLimited` after too many changes.
    """
    checked = validate_username(username)
    if checked == account.username:
        return account
    if is_limited:
        _require_few_renames(transaction, account, now)
    if not accounts_table.claim_username(transaction, account, checked, now=now):
        raise Conflict(f"username {checked!r} is taken; choose another")
    return replace(account, username=checked, renames=account.renames + 1)


def _require_few_renames(transaction: Transaction, account: Account, now: datetime) -> None:
    earliest = accounts_table.renamed_at(transaction, account.id, rank=DAILY_RENAMES - 1)
    if earliest is None or earliest <= now - _DAY:
        return
    wait = ceil((earliest + _DAY - now).total_seconds())
    raise RateLimited(
        f"A username can be changed {DAILY_RENAMES} times in 24 hours; retry in {ceil(wait / 3600)} h",
        retry_after=wait,
    )


def set_default_language(transaction: Transaction, account: Account, language: str) -> Account:
    """Set, or clear with "", the language of pages that name none; raise `ValidationError`."""
    checked = validate_language("language", language) if language else None
    accounts_table.set_default_language(transaction, account.id, checked)
    return replace(account, default_language=checked)


def sign_in(
    transaction: Transaction,
    account: Account,
    *,
    now: datetime,
    place: Place = _NOWHERE,
    replaces: str | None = None,
    id_token: str | None = None,
) -> str:
    """Start a session and return its token; end the session `replaces`."""
    if replaces is not None:
        sign_out(transaction, replaces)
    token = secrets.token_hex(KEY_BYTES)
    session = Session(
        token_hash=secret_hash(token),
        account_id=account.id,
        created_at=now,
        expires_at=now + SESSION_LIFETIME,
        browser=place.browser,
        network=place.network,
        used_at=now,
        id_token=id_token,
    )
    for surplus in keys_table.list_sessions(transaction, account.id, now=now)[MAX_SESSIONS - 1 :]:
        keys_table.end_session(transaction, surplus.token_hash)
    keys_table.SESSION.add(transaction, session)
    method = {"method": "password" if id_token is None else "provider"}
    record(transaction, "session.began", account.id, session.id, after={**_place_of(session), **method})
    return token


def sign_out(transaction: Transaction, token: str) -> Session | None:
    return end_one_session(transaction, secret_hash(token))


def end_one_session(transaction: Transaction, token_hash: str) -> Session | None:
    """Return the session that is ended."""
    if (session := keys_table.end_session(transaction, token_hash)) is not None:
        record(transaction, "session.ended", session.account_id, session.id, before=_place_of(session))
    return session


def _place_of(session: Session) -> dict[str, object]:
    return {"browser": session.browser, "network": session.network}


def end_session(transaction: Transaction, account: Account, session_id: str, *, now: datetime) -> None:
    """End one of the account's sessions; raise `NotFound`."""
    for session in keys_table.list_sessions(transaction, account.id, now=now):
        if session.id == session_id:
            end_one_session(transaction, session.token_hash)
            return
    raise NotFound("No session has this id")


def change_password(
    transaction: Transaction, account: Account, password_hash: str, *, ends_programs: bool, place: Place, now: datetime
) -> str:
    """Set the password, end what `end_access` does, and return a new session's token.

    Raises `Conflict` if the password changed meanwhile.
    """
    accounts_table.lock_account(transaction, account.id)
    current = accounts_table.find_account(transaction, account.id)
    if current is None or current.password_hash != account.password_hash:
        raise Conflict("The password was changed concurrently; nothing was changed")
    set_password(transaction, current, password_hash, ends_programs_at=now if ends_programs else None)
    return sign_in(transaction, current, now=now, place=place)


def set_password(
    transaction: Transaction, account: Account, password_hash: str, *, ends_programs_at: datetime | None = None
) -> None:
    accounts_table.set_password_hash(transaction, account.id, password_hash)
    end_access(transaction, account, ends_programs_at=ends_programs_at)


def end_access(transaction: Transaction, account: Account, *, ends_programs_at: datetime | None = None) -> None:
    """End an account's sessions, reset links and readers' links; with a time, also its connected apps and API keys."""
    if ended := keys_table.end_sessions(transaction, account.id):
        record(transaction, "session.ended", account.id, before={"sessions": ended})
    delete_email_tokens(transaction, account.email, PASSWORD_RESET)
    delete_links_of_account(transaction, account.id)
    if ends_programs_at is not None:
        for grant in list_grants(transaction, account.id, now=ends_programs_at):
            end_grant(transaction, grant)
        for key in keys_table.list_keys(transaction, account.id):
            if key.revoked_at is None:
                revoke_key(transaction, account, key.id, now=ends_programs_at)


def authenticate(account: Account | None, password: str) -> Account:
    """Raise the same `Unauthorized` for every failure but a suspension, told with the right password. Slow (argon2)."""
    fits = verify_password(password, account.password_hash if account else None)
    if account is None or not fits:
        raise Unauthorized("Incorrect email address or password")
    require_active(account)
    return account


def require_active(account: Account) -> None:
    """Raise `Unauthorized` for an account that is barred; tell only who proved to have it."""
    if account.is_deactivated:
        raise Unauthorized("This account is deactivated; ask the operator of this service to reactivate it")
    if account.is_suspended:
        raise Unauthorized("This account is suspended; ask the operator of this service to end the suspension")


def add_key(
    transaction: Transaction, account: Account, *, name: str, now: datetime, secret: bytes | None = None
) -> NewKey:
    """Add a key made of `secret`, 32 random bytes; if the account has it already, return it."""
    cleaned = validate_printable("name", name, max_characters=KEY_NAME_CHARACTERS) or "API key"
    raw = KEY_PREFIX + (secret or secrets.token_bytes(KEY_BYTES)).hex()
    if secret is not None:
        accounts_table.lock_account(transaction, account.id)
        for key in keys_table.list_keys(transaction, account.id):
            if key.key_hash == secret_hash(raw):
                return NewKey(raw=raw, key=key, is_new=False)
    if not accounts_table.increment_counter(transaction, account.id, "active_keys", limit=ACTIVE_KEYS):
        raise QuotaExceeded(f"An account can have at most {ACTIVE_KEYS} active keys; revoke one first")
    key = Key(
        id=str(uuid4()),
        account_id=account.id,
        name=cleaned,
        key_hash=secret_hash(raw),
        last_four=raw[-4:],
        created_at=now,
    )
    keys_table.KEY.add(transaction, key)
    record(transaction, "key.created", account.id, key.id, after={"name": key.name, "last_four": key.last_four})
    return NewKey(raw=raw, key=key)


def revoke_key(transaction: Transaction, account: Account, key_id: str, *, now: datetime) -> None:
    if not keys_table.revoke_key(transaction, account.id, key_id, now=now):
        raise NotFound("No active key has this id")
    record(transaction, "key.revoked", account.id, key_id)
    accounts_table.decrement_counter(transaction, account.id, "active_keys")
    keys_table.prune_revoked_keys(transaction, account.id, limit=REVOKED_KEYS)


def delete_account(transaction: Transaction, account: Account, *, now: datetime) -> None:
    """Delete an account as far as anybody can see; `cleanup` deletes its rows, in batches."""
    before = {"email": account.email, "username": account.username, "documents": account.documents}
    record(transaction, "account.deleted", account.id, before=before)
    accounts_table.retire_account(transaction, account.id, now=now)
    end_access(transaction, account, ends_programs_at=now)
    keys_table.delete_keys(transaction, account.id)


def suspend(transaction: Transaction, account: Account, *, suspended: bool) -> None:
    """Suspend an account, whose apps and keys are refused until the end of it, or end that."""
    accounts_table.set_suspended(transaction, account.id, suspended=suspended)
    if suspended:
        end_access(transaction, account)


def deactivate(transaction: Transaction, account: Account, *, deactivated: bool, now: datetime) -> None:
    """Take an account from who has left, whose access ends and is refused, or end that. Pages stay as they are."""
    accounts_table.set_deactivated(transaction, account.id, deactivated=deactivated)
    if deactivated:
        end_access(transaction, account, ends_programs_at=now)


def take_page_down(transaction: Transaction, document_id: str) -> None:
    """Delete a demo, or block an account's document permanently."""
    if documents_table.delete_demo(transaction, document_id):
        record(transaction, "document.taken_down", None, document_id)
        return
    document = documents_table.find_document(transaction, document_id)
    if document is None or document.account_id is None:
        raise NotFound("The page does not exist")
    accounts_table.lock_account(transaction, document.account_id)
    documents_table.take_down(transaction, document_id)
    record(transaction, "document.taken_down", document.account_id, document_id, before={"slug": document.slug})
    if documents_table.unpublish_document(transaction, document_id):
        restrict_images_of(transaction, document)
        accounts_table.decrement_counter(transaction, document.account_id, "pages")
        delete_page(transaction, document_id)
