"""Registration: how somebody gets an account, where that is open to all or by invitation.

    with a mail server       ask ──▶ a mailed link ──▶ confirm: the account
    without one              register: the account

What is answered never depends on whether the e-mail address has an account, and as much is written in either case. A
username is told to be taken, since it is seen in the addresses of pages.
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
    """Somebody who wants an account: everything checked, but for the username; `invitation` is a link's token."""

    email: str
    password_hash: str
    username: str | None
    invitation: str | None


def require_invited(transaction: Transaction, registration: str, invitation: str | None, *, now: datetime) -> None:
    """Refuse who may not sign up by the setting `registration`; raises `Forbidden`, `NotFound` and `Expired`."""
    if registration == OPEN:
        return
    if registration != BY_INVITATION:
        raise Forbidden("nobody can sign up here; ask whoever runs this service for an account")
    if invitation is None:
        raise Forbidden("signing up takes an invitation; ask whoever runs this service for one")
    find_invitation(transaction, invitation, now=now)


def register(transaction: Transaction, applicant: Applicant, *, registration: str, now: datetime) -> None:
    """Open an account where the e-mail address has none; raises `Conflict` for the username alone.

    An invitation is used up whether or not there was one: otherwise it would tell.
    """
    _require_free(transaction, applicant.username)
    if registration == BY_INVITATION:
        use_invitation(transaction, applicant.invitation or "", now=now)
    create_dummy_token(transaction, SIGN_UP, email=applicant.email, now=now)
    try:
        account = create_account(transaction, email=applicant.email, password_hash=applicant.password_hash, now=now)
    except Conflict:
        return
    if applicant.username is not None:
        set_username(transaction, account, applicant.username)


def request_account(transaction: Transaction, applicant: Applicant, *, now: datetime) -> str | None:
    """Keep what an applicant asks for and return an e-mail token; None where the address has an account.

    Raises `Conflict` for the username alone.
    """
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
    """Open the account that an e-mail token was for; raises `NotFound`, `Expired`, `Conflict` and `Forbidden`."""
    require_invited(transaction, registration, invitation, now=now)
    email_token = use_token(transaction, SIGN_UP, token, now=now)
    if registration == BY_INVITATION:
        use_invitation(transaction, invitation or "", now=now)
    assert email_token.password_hash is not None, "a blank e-mail token is nobody's"
    return create_account(
        transaction,
        email=email_token.email,
        password_hash=email_token.password_hash,
        username=email_token.username,
        now=now,
    )


def _require_free(transaction: Transaction, username: str | None) -> None:
    """Refuse a username before anything is looked up by the e-mail address; raises `Conflict` and `ValidationError`."""
    if username is not None and is_username_taken(transaction, validate_username(username)):
        raise Conflict(f"the username {validate_username(username)!r} is taken; choose another")
