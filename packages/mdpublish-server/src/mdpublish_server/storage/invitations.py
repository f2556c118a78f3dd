"""Invitation queries."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import bindparam, delete, insert, select

from mdpublish_server.storage.records import Invitation
from mdpublish_server.storage.tables import INVITATIONS
from mdpublish_server.storage.timestamps import from_microseconds, to_microseconds
from mdpublish_server.storage.transactions import Row, Statement, Transaction

_COLUMNS = (INVITATIONS.c.token_hash, INVITATIONS.c.note, INVITATIONS.c.created_at, INVITATIONS.c.expires_at)

_this = INVITATIONS.c.token_hash == bindparam("hash")

_ADD = Statement(insert(INVITATIONS))
_FIND = Statement(select(*_COLUMNS).where(_this))
_ALL = Statement(select(*_COLUMNS).order_by(INVITATIONS.c.created_at, INVITATIONS.c.token_hash))
# Atomic: only one of two concurrent requests succeeds.
_CONSUME = Statement(delete(INVITATIONS).where(_this, INVITATIONS.c.expires_at > bindparam("now")))
_DELETE = Statement(delete(INVITATIONS).where(_this))
_DELETE_EXPIRED = Statement(delete(INVITATIONS).where(INVITATIONS.c.expires_at <= bindparam("now")))


def add_invitation(transaction: Transaction, invitation: Invitation) -> None:
    transaction.change(
        _ADD,
        token_hash=invitation.token_hash,
        note=invitation.note,
        created_at=to_microseconds(invitation.created_at),
        expires_at=to_microseconds(invitation.expires_at),
    )


def find_invitation(transaction: Transaction, token_hash: str) -> Invitation | None:
    row = transaction.row(_FIND, hash=token_hash)
    return None if row is None else _invitation_of(row)


def list_invitations(transaction: Transaction) -> Sequence[Invitation]:
    return tuple(_invitation_of(row) for row in transaction.rows(_ALL))


def consume_invitation(transaction: Transaction, token_hash: str, *, now: datetime) -> bool:
    return transaction.change(_CONSUME, hash=token_hash, now=to_microseconds(now)) == 1


def delete_invitation(transaction: Transaction, token_hash: str) -> bool:
    return transaction.change(_DELETE, hash=token_hash) == 1


def delete_expired_invitations(transaction: Transaction, *, now: datetime) -> int:
    return transaction.change(_DELETE_EXPIRED, now=to_microseconds(now))


def _invitation_of(row: Row) -> Invitation:
    return Invitation(
        token_hash=row[0], note=row[1], created_at=from_microseconds(row[2]), expires_at=from_microseconds(row[3])
    )
