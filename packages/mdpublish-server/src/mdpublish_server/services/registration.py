"""Registration, open or by invitation.

    with a mail server       request_account ──▶ emailed link ──▶ confirm
    without one              register

Responses and writes don't reveal whether an email address has an account. Usernames are public anyway.
"""

from dataclasses import dataclass
from datetime import datetime

from mdpublish_server.errors import Conflict, Forbidden
from mdpublish_server.services.accounts import create_account, set_username
from mdpublish_server.services.email_tokens import SIGN_UP, create_dummy_token, create_email_token, use_token
from mdpublish_server.services.invitations import find as find_invitation
from mdpublish_server.services.invitations import use as use_invitation
from mdpublish_server.storage import Account, Transaction
from mdpublish_server.storage.accounts import find_account_by_email, is_username_taken
from mdpublish_server.validation.usernames import validate_username

OPEN = "open"
BY_INVITATION = "invitation"


@dataclass(frozen=True, slots=True, kw_only=True)
class Applicant:
    """A sign-up, validated except for the username."""

    email: str
    password_hash: str
    username: str | None
    invitation: str | None


def require_invited(transaction: Transaction, registration: str, invitation: str | None, *, now: datetime) -> None:
    """Raise `Forbidden`, `NotFound` or `Expired`."""
    if registration == OPEN:
        return
    if registration != BY_INVITATION:
        raise Forbidden("Sign-up is closed; ask the operator of this service for an account")
    if invitation is None:
        raise Forbidden("Sign-up requires an invitation; ask the operator of this service for one")
    find_invitation(transaction, invitation, now=now)


def register(transaction: Transaction, applicant: Applicant, *, registration: str, now: datetime) -> Account | None:
    """Use the invitation and return the new account, None if the email has one; raise `Conflict` for the username."""
    _require_free(transaction, applicant.username)
    if registration == BY_INVITATION:
        use_invitation(transaction, applicant.invitation or "", now=now)
    create_dummy_token(transaction, SIGN_UP, email=applicant.email, now=now)
    try:
        account = create_account(transaction, email=applicant.email, password_hash=applicant.password_hash, now=now)
    except Conflict:
        return None
    return account if applicant.username is None else set_username(transaction, account, applicant.username, now=now)


def request_account(transaction: Transaction, applicant: Applicant, *, now: datetime) -> str | None:
    """Return None if the address has an account."""
    _require_free(transaction, applicant.username)
    if find_account_by_email(transaction, applicant.email) is not None:
        create_dummy_token(transaction, SIGN_UP, email=applicant.email, now=now)
        return None
    return create_email_token(
        transaction,
        SIGN_UP,
        email=applicant.email,
        password_hash=applicant.password_hash,
        username=applicant.username,
        now=now,
    )


def confirm(
    transaction: Transaction, token: str, *, registration: str, invitation: str | None, now: datetime
) -> Account:
    """Raise `NotFound`, `Expired`, `Conflict` or `Forbidden`."""
    require_invited(transaction, registration, invitation, now=now)
    email_token = use_token(transaction, SIGN_UP, token, now=now)
    if registration == BY_INVITATION:
        use_invitation(transaction, invitation or "", now=now)
    assert email_token.password_hash is not None, "dummy tokens are never sent"
    return create_account(
        transaction,
        email=email_token.email,
        password_hash=email_token.password_hash,
        username=email_token.username,
        now=now,
    )


def _require_free(transaction: Transaction, username: str | None) -> None:
    """Call before looking up the email address."""
    if username is not None and is_username_taken(transaction, validate_username(username)):
        raise Conflict(f"username {validate_username(username)!r} is taken; choose another")
