"""Letters: links that are mailed to an e-mail address, and prove that whoever opens one reads what comes there.

    to sign up        holds what was asked for, and opens the account
    a new password    names its account

A link holds a random token, of which the SHA-256 is kept; it is used once, and holds for a while. A link alone changes
nothing, since programs that look through mails open them: what it leads to is a page with a button.
"""

import secrets
from datetime import datetime, timedelta

from mdpublish_server.accounts import PASSWORD_LETTER, set_password
from mdpublish_server.errors import Expired, NotFound
from mdpublish_server.mails import Mail
from mdpublish_server.policies.admission import secret_hash
from mdpublish_server.storage import Account, Letter, Transaction
from mdpublish_server.storage.accounts import find_account
from mdpublish_server.storage.letters import add_letter, delete_letters, find_letter, take_letter

SIGN_UP = "signup"
PASSWORD = PASSWORD_LETTER

LIFETIMES = {SIGN_UP: timedelta(hours=24), PASSWORD: timedelta(minutes=60)}
"""How long a link holds, by what it is for."""

_TOKEN_BYTES = 32


def write_letter(
    transaction: Transaction,
    purpose: str,
    *,
    email: str,
    now: datetime,
    account: Account | None = None,
    password_hash: str | None = None,
    username: str | None = None,
) -> str:
    """Keep a letter and return its token, which is told here and never again."""
    token = secrets.token_hex(_TOKEN_BYTES)
    letter = Letter(
        token_hash=secret_hash(token),
        purpose=purpose,
        email=email,
        account_id=account.id if account else None,
        password_hash=password_hash,
        username=username,
        created_at=now,
        expires_at=now + LIFETIMES[purpose],
    )
    add_letter(transaction, letter)
    return token


def write_blank(transaction: Transaction, purpose: str, *, email: str, now: datetime) -> None:
    """Keep a letter that nobody gets: whether or not there is an account, the same is written, and takes as long."""
    write_letter(transaction, purpose, email=email, now=now)


def find(transaction: Transaction, purpose: str, token: str, *, now: datetime) -> Letter:
    """Return the letter of a token; raises `NotFound`, and `Expired` where its time is over."""
    return _good(find_letter(transaction, secret_hash(token)), purpose, now)


def use(transaction: Transaction, purpose: str, token: str, *, now: datetime) -> Letter:
    """Use a letter up, with all others to its address for the same; raises `NotFound` and `Expired`."""
    letter = _good(take_letter(transaction, secret_hash(token)), purpose, now)
    delete_letters(transaction, letter.email, purpose)
    return letter


def choose_password(transaction: Transaction, token: str, *, password_hash: str, now: datetime) -> Account:
    """Set the password of a letter's account, and end its sessions; raises `NotFound` and `Expired`."""
    letter = use(transaction, PASSWORD, token, now=now)
    account = find_account(transaction, letter.account_id) if letter.account_id else None
    if account is None or account.is_suspended:
        raise _gone()
    set_password(transaction, account, password_hash)
    return account


def sign_up_mail(email: str, *, url: str, service_name: str) -> Mail:
    """Return the mail to somebody who asked for an account."""
    text = (
        f"Somebody, most likely you, asked for an account on {service_name} with this e-mail address.\n\n"
        f"Open this link and enter the password that you chose; the account is yours then:\n\n{url}\n\n"
        "The link holds for 24 hours and works once.\n\n"
        "If it was not you, do nothing: without the link there will be no account.\n"
    )
    return Mail(to=email, subject=f"Your account on {service_name}", text=text)


def known_mail(email: str, *, account_url: str, service_name: str) -> Mail:
    """Return the mail to somebody who asked for an account, and has one."""
    text = (
        f"Somebody, most likely you, asked for an account on {service_name} with this e-mail address. "
        "There is one already.\n\n"
        f"Sign in:\n\n{account_url}/signin\n\n"
        f"If you forgot the password, choose a new one:\n\n{account_url}/forgot\n\n"
        "If it was not you, do nothing: nothing has changed.\n"
    )
    return Mail(to=email, subject=f"You have an account on {service_name}", text=text)


def password_mail(email: str, *, url: str, service_name: str) -> Mail:
    """Return the mail to somebody who forgot the password."""
    text = (
        f"Somebody, most likely you, forgot the password of your account on {service_name}.\n\n"
        f"Open this link to choose a new one:\n\n{url}\n\n"
        "The link holds for 60 minutes and works once.\n\n"
        "If it was not you, do nothing: your password stays as it is.\n"
    )
    return Mail(to=email, subject=f"A new password on {service_name}", text=text)


def _good(letter: Letter | None, purpose: str, now: datetime) -> Letter:
    if letter is None or letter.purpose != purpose:
        raise _gone()
    if now >= letter.expires_at:
        raise Expired("this link has expired; ask for a new one")
    return letter


def _gone() -> NotFound:
    return NotFound("this link was used already, or there never was one; ask for a new one")
