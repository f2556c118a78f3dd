"""Queries for abuse reports."""

from mdpublish_server.storage.record_columns import RecordColumns
from mdpublish_server.storage.records import Report
from mdpublish_server.storage.sql_files import read_statements
from mdpublish_server.storage.tables import REPORTS
from mdpublish_server.storage.transactions import Transaction, query

REPORT = RecordColumns(Report, REPORTS)
_SQL = read_statements(__name__, report=REPORT.sql)

count_open_reports = query(Transaction.count, _SQL["count_of_page"], "document")
list_open_reports = query(REPORT.all, _SQL["open"])
list_open_reports_of = query(REPORT.all, _SQL["open_of_page"], "document")
close_reports = query(Transaction.change, _SQL["close"], "document")
