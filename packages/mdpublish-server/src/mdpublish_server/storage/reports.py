"""Queries for abuse reports."""

from collections.abc import Sequence
from datetime import datetime

from mdpublish_server.storage.record_columns import RecordColumns
from mdpublish_server.storage.records import Report
from mdpublish_server.storage.sql_files import read_statements
from mdpublish_server.storage.tables import REPORTS
from mdpublish_server.storage.transactions import Transaction

REPORT = RecordColumns(Report, REPORTS)
_SQL = read_statements(__name__, report=REPORT.sql)


def count_open_reports(transaction: Transaction, document_id: str) -> int:
    return transaction.value(_SQL["count_of_page"], document=document_id) or 0


def list_open_reports(transaction: Transaction, *, limit: int) -> Sequence[Report]:
    return REPORT.all(transaction, _SQL["open"], limit=limit)


def list_open_reports_of(transaction: Transaction, document_id: str) -> Sequence[Report]:
    return REPORT.all(transaction, _SQL["open_of_page"], document=document_id)


def close_reports(transaction: Transaction, document_id: str, *, outcome: str, now: datetime) -> int:
    return transaction.change(_SQL["close"], document=document_id, result=outcome, now=now)
