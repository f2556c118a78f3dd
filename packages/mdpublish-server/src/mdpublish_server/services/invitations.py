"""Invitations: single-use sign-up links. `id_of` names one without granting access."""

import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta

from mdpublish_server.auth.authentication import secret_hash
from mdpublish_server.errors import Expired, NotFound
from mdpublish_server.storage import Invitation, Transaction
from mdpublish_server.storage import invitations as invitations_table
from mdpublish_server.storage.audit import record
from mdpublish_server.validation.validators import validate_printable

INVITATION_DAYS = range(1, 366)

INVITATION_LIFETIME = timedelta(days=7)

NOTE_CHARACTERS = 100

_TOKEN_BYTES = 32

# Of the token's hash.
_ID_CHARACTERS = 12


def invite(
    transaction: Transaction, *, note: str = "", now: datetime, lifetime: timedelta = INVITATION_LIFETIME
) -> str:
    assert timedelta(0) < lifetime <= timedelta(days=INVITATION_DAYS[-1])
    token = secrets.token_hex(_TOKEN_BYTES)
    note = validate_printable("note", note, max_characters=NOTE_CHARACTERS)
    invitation = Invitation(token_hash=secret_hash(token), note=note, created_at=now, expires_at=now + lifetime)
    invitations_table.INVITATION.add(transaction, invitation)
    record(transaction, "invitation.created", None, id_of(invitation))
    return token


def invitation_path(token: str) -> str:
    return f"/signup/{token}"


def find(transaction: Transaction, token: str, *, now: datetime) -> Invitation:
    """Raise `NotFound` or `Expired`."""
    invitation = invitations_table.find_invitation(transaction, secret_hash(token))
    if invitation is None:
        raise NotFound("This invitation is invalid, revoked or already used; request a new one")
    if now >= invitation.expires_at:
        raise Expired("This invitation has expired; request a new one")
    return invitation


def use(transaction: Transaction, token: str, *, now: datetime) -> None:
    find(transaction, token, now=now)
    if not invitations_table.consume_invitation(transaction, secret_hash(token), now=now):
        raise NotFound("This invitation was already used; request a new one")


def list_invitations(transaction: Transaction, *, now: datetime) -> Sequence[Invitation]:
    """Oldest first."""
    return [each for each in invitations_table.list_invitations(transaction) if now < each.expires_at]


def id_of(invitation: Invitation) -> str:
    return invitation.token_hash[:_ID_CHARACTERS]


def revoke(transaction: Transaction, invitation_id: str) -> Invitation:
    for each in invitations_table.list_invitations(transaction):
        if id_of(each) == invitation_id and invitations_table.delete_invitation(transaction, each.token_hash):
            record(transaction, "invitation.revoked", None, invitation_id)
            return each
    raise NotFound("No invitation has this id; it may have been used")
