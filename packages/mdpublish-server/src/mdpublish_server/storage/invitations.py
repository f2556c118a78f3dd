"""Invitation queries."""

from mdpublish_server.storage.record_columns import RecordColumns
from mdpublish_server.storage.records import Invitation
from mdpublish_server.storage.sql_files import read_statements
from mdpublish_server.storage.tables import INVITATIONS
from mdpublish_server.storage.transactions import Transaction, query

INVITATION = RecordColumns(Invitation, INVITATIONS)
_SQL = read_statements(__name__, invitation=INVITATION.sql)

find_invitation = query(INVITATION.first, _SQL["find"], "hash")
list_invitations = query(INVITATION.all, _SQL["all"])
consume_invitation = query(Transaction.changes_one, _SQL["consume"], "hash")
delete_invitation = query(Transaction.changes_one, _SQL["delete"], "hash")
