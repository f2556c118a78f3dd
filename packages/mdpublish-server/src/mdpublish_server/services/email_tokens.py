"""E-mail tokens: links that are mailed to an e-mail address, and prove that whoever opens one reads what comes there.

    to sign up        holds what was asked for, and opens the account
    a new password    names its account

A link holds a random token, of which the SHA-256 is kept; it is used once, and holds for a while. A link alone changes
nothing, since programs that look through mails open them: what it leads to is a page with a button.
"""

import secrets
from datetime import datetime, timedelta

from mdpublish_server.auth.authentication import secret_hash
from mdpublish_server.errors import Expired, NotFound
from mdpublish_server.services.accounts import PASSWORD_RESET, set_password
from mdpublish_server.services.mailer import Email
from mdpublish_server.storage import Account, EmailToken, Transaction
from mdpublish_server.storage.accounts import find_account
from mdpublish_server.storage.email_tokens import (
    add_email_token,
    consume_email_token,
    delete_email_tokens,
    find_email_token,
)

SIGN_UP = "signup"
PASSWORD = PASSWORD_RESET

LIFETIMES = {SIGN_UP: timedelta(hours=24), PASSWORD: timedelta(minutes=60)}
"""How long a link holds, by what it is for."""

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
    """Store an e-mail token and return it, which is told here and never again."""
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
    add_email_token(transaction, email_token)
    return token


def create_dummy_token(transaction: Transaction, purpose: str, *, email: str, now: datetime) -> None:
    """Store an e-mail token that nobody gets: whether or not there is an account, the same is written, and takes as long."""
    create_email_token(transaction, purpose, email=email, now=now)


def find_valid_token(transaction: Transaction, purpose: str, token: str, *, now: datetime) -> EmailToken:
    """Return an e-mail token; raises `NotFound`, and `Expired` where its time is over."""
    return _require_valid(find_email_token(transaction, secret_hash(token)), purpose, now)


def use_token(transaction: Transaction, purpose: str, token: str, *, now: datetime) -> EmailToken:
    """Use an e-mail token up, with all others to its address for the same; raises `NotFound` and `Expired`."""
    email_token = _require_valid(consume_email_token(transaction, secret_hash(token)), purpose, now)
    delete_email_tokens(transaction, email_token.email, purpose)
    return email_token


def reset_password(transaction: Transaction, token: str, *, password_hash: str, now: datetime) -> Account:
    """Set the password of an e-mail token's account, and end its sessions; raises `NotFound` and `Expired`."""
    email_token = use_token(transaction, PASSWORD, token, now=now)
    account = find_account(transaction, email_token.account_id) if email_token.account_id else None
    if account is None or account.is_suspended:
        raise _invalid_token()
    set_password(transaction, account, password_hash)
    return account


def sign_up_email(email: str, *, url: str, service_name: str) -> Email:
    """Return the mail to somebody who asked for an account."""
    body = (
        f"Somebody, most likely you, asked for an account on {service_name} with this e-mail address.\n\n"
        f"Open this link and enter the password that you chose; the account is yours then:\n\n{url}\n\n"
        "The link holds for 24 hours and works once.\n\n"
        "If it was not you, do nothing: without the link there will be no account.\n"
    )
    return Email(to=email, subject=f"Your account on {service_name}", body=body)


def existing_account_email(email: str, *, dashboard_url: str, service_name: str) -> Email:
    """Return the mail to somebody who asked for an account, and has one."""
    body = (
        f"Somebody, most likely you, asked for an account on {service_name} with this e-mail address. "
        "There is one already.\n\n"
        f"Sign in:\n\n{dashboard_url}/signin\n\n"
        f"If you forgot the password, choose a new one:\n\n{dashboard_url}/forgot\n\n"
        "If it was not you, do nothing: nothing has changed.\n"
    )
    return Email(to=email, subject=f"You have an account on {service_name}", body=body)


def password_reset_email(email: str, *, url: str, service_name: str) -> Email:
    """Return the mail to somebody who forgot the password."""
    body = (
        f"Somebody, most likely you, forgot the password of your account on {service_name}.\n\n"
        f"Open this link to choose a new one:\n\n{url}\n\n"
        "The link holds for 60 minutes and works once.\n\n"
        "If it was not you, do nothing: your password stays as it is.\n"
    )
    return Email(to=email, subject=f"A new password on {service_name}", body=body)


def _require_valid(email_token: EmailToken | None, purpose: str, now: datetime) -> EmailToken:
    if email_token is None or email_token.purpose != purpose:
        raise _invalid_token()
    if now >= email_token.expires_at:
        raise Expired("this link has expired; ask for a new one")
    return email_token


def _invalid_token() -> NotFound:
    return NotFound("this link was used already, or there never was one; ask for a new one")
