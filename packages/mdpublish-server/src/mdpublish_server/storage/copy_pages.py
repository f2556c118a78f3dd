"""Queries of copy pages."""

from mdpublish_server.storage.record_columns import RecordColumns
from mdpublish_server.storage.records import CopyPage
from mdpublish_server.storage.sql_files import read_statements
from mdpublish_server.storage.tables import COPY_PAGES
from mdpublish_server.storage.transactions import Transaction, query

COPY_PAGE = RecordColumns(CopyPage, COPY_PAGES)
_SQL = read_statements(__name__, copy_page=COPY_PAGE.sql)

find_copy_page = query(COPY_PAGE.first, _SQL["find"], "hash")
find_download = query(COPY_PAGE.first, _SQL["find_download"], "hash")
take_download = query(Transaction.changes_one, _SQL["take"], "hash")
fill_upload = query(Transaction.changes_one, _SQL["fill"], "hash", "text")
find_upload = query(Transaction.value, _SQL["uploaded"], "hash", "account")
count_copy_pages = query(Transaction.count, _SQL["count"], "account")
