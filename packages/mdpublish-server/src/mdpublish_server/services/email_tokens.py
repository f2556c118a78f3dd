"""Single-use, expiring links for sign-up and password reset. Mail scanners open them, so the page has a button."""

import secrets
from datetime import datetime, timedelta

from mdpublish_server.auth.authentication import secret_hash
from mdpublish_server.errors import Expired, NotFound
from mdpublish_server.services.accounts import PASSWORD_RESET, set_password
from mdpublish_server.storage import Account, EmailToken, Transaction
from mdpublish_server.storage import email_tokens as table
from mdpublish_server.storage.accounts import find_account

SIGN_UP = "signup"
PASSWORD = PASSWORD_RESET

LIFETIMES = {SIGN_UP: timedelta(hours=24), PASSWORD: timedelta(minutes=60)}

_TOKEN_BYTES = 32


def create_email_token(
    transaction: Transaction,
    purpose: str,
    *,
    email: str,
    now: datetime,
    account: Account | None = None,
    password_hash: str | None = None,
    username: str | None = None,
) -> str:
    """Return the token; only its hash is stored."""
    token = secrets.token_hex(_TOKEN_BYTES)
    email_token = EmailToken(
        token_hash=secret_hash(token),
        purpose=purpose,
        email=email,
        account_id=account.id if account else None,
        password_hash=password_hash,
        username=username,
        created_at=now,
        expires_at=now + LIFETIMES[purpose],
    )
    table.EMAIL_TOKEN.add(transaction, email_token)
    return token


def create_dummy_token(transaction: Transaction, purpose: str, *, email: str, now: datetime) -> None:
    """Store a token nobody receives: timing must not reveal whether an account exists."""
    create_email_token(transaction, purpose, email=email, now=now)


def find_valid_token(transaction: Transaction, purpose: str, token: str, *, now: datetime) -> EmailToken:
    return _require_valid(table.find_email_token(transaction, secret_hash(token)), purpose, now)


def use_token(transaction: Transaction, purpose: str, token: str, *, now: datetime) -> EmailToken:
    """Also delete others for the same purpose and address; raises `NotFound` and `Expired`."""
    email_token = _require_valid(table.consume_email_token(transaction, secret_hash(token)), purpose, now)
    table.delete_email_tokens(transaction, email_token.email, purpose)
    return email_token


def reset_password(
    transaction: Transaction, token: str, *, password_hash: str, ends_programs: bool, now: datetime
) -> Account:
    email_token = use_token(transaction, PASSWORD, token, now=now)
    account = find_account(transaction, email_token.account_id) if email_token.account_id else None
    if account is None or account.is_barred:
        raise _invalid_token()
    set_password(transaction, account, password_hash, ends_programs_at=now if ends_programs else None)
    return account


def _require_valid(email_token: EmailToken | None, purpose: str, now: datetime) -> EmailToken:
    if email_token is None or email_token.purpose != purpose:
        raise _invalid_token()
    if now >= email_token.expires_at:
        raise Expired("This link has expired; request a new one")
    return email_token


def _invalid_token() -> NotFound:
    return NotFound("This link is invalid or was already used; request a new one")
