"""Invitation queries."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import bindparam, delete, select

from mdpublish_server.storage.record_columns import RecordColumns
from mdpublish_server.storage.records import Invitation
from mdpublish_server.storage.tables import INVITATIONS
from mdpublish_server.storage.timestamps import to_microseconds
from mdpublish_server.storage.transactions import Statement, Transaction

INVITATION = RecordColumns(Invitation, INVITATIONS)

_this = INVITATIONS.c.token_hash == bindparam("hash")

_FIND = Statement(select(*INVITATION.columns).where(_this))
_ALL = Statement(select(*INVITATION.columns).order_by(INVITATIONS.c.created_at, INVITATIONS.c.token_hash))
# Atomic: only one of two concurrent requests succeeds.
_CONSUME = Statement(delete(INVITATIONS).where(_this, INVITATIONS.c.expires_at > bindparam("now")))
_DELETE = Statement(delete(INVITATIONS).where(_this))


def find_invitation(transaction: Transaction, token_hash: str) -> Invitation | None:
    return INVITATION.first(transaction, _FIND, hash=token_hash)


def list_invitations(transaction: Transaction) -> Sequence[Invitation]:
    return INVITATION.all(transaction, _ALL)


def consume_invitation(transaction: Transaction, token_hash: str, *, now: datetime) -> bool:
    return transaction.change(_CONSUME, hash=token_hash, now=to_microseconds(now)) == 1


def delete_invitation(transaction: Transaction, token_hash: str) -> bool:
    return transaction.change(_DELETE, hash=token_hash) == 1
