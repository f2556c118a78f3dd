"""Invitation queries."""

from collections.abc import Sequence
from datetime import datetime

from mdpublish_server.storage.record_columns import RecordColumns
from mdpublish_server.storage.records import Invitation
from mdpublish_server.storage.sql_files import read_statements
from mdpublish_server.storage.tables import INVITATIONS
from mdpublish_server.storage.transactions import Transaction

INVITATION = RecordColumns(Invitation, INVITATIONS)
_SQL = read_statements(__name__, invitation=INVITATION.sql)


def find_invitation(transaction: Transaction, token_hash: str) -> Invitation | None:
    return INVITATION.first(transaction, _SQL["find"], hash=token_hash)


def list_invitations(transaction: Transaction) -> Sequence[Invitation]:
    return INVITATION.all(transaction, _SQL["all"])


def consume_invitation(transaction: Transaction, token_hash: str, *, now: datetime) -> bool:
    return transaction.change(_SQL["consume"], hash=token_hash, now=now) == 1


def delete_invitation(transaction: Transaction, token_hash: str) -> bool:
    return transaction.change(_SQL["delete"], hash=token_hash) == 1
