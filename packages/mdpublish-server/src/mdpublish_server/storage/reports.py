"""Queries for abuse reports."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import and_, bindparam, func, select, update

from mdpublish_server.storage.record_columns import RecordColumns
from mdpublish_server.storage.records import Report
from mdpublish_server.storage.tables import REPORTS
from mdpublish_server.storage.timestamps import to_microseconds
from mdpublish_server.storage.transactions import Statement, Transaction

REPORT = RecordColumns(Report, REPORTS)

_open = REPORTS.c.closed_at.is_(None)
_open_of_page = and_(_open, REPORTS.c.document_id == bindparam("document"))

_OPEN = Statement(
    select(*REPORT.columns).where(_open).order_by(REPORTS.c.reported_at, REPORTS.c.id).limit(bindparam("limit"))
)
_OPEN_OF_PAGE = Statement(select(*REPORT.columns).where(_open_of_page).order_by(REPORTS.c.reported_at, REPORTS.c.id))
_COUNT_OF_PAGE = Statement(select(func.count()).select_from(REPORTS).where(_open_of_page))
_CLOSE = Statement(update(REPORTS).where(_open_of_page).values(closed_at=bindparam("now"), outcome=bindparam("result")))


def count_open_reports(transaction: Transaction, document_id: str) -> int:
    row = transaction.row(_COUNT_OF_PAGE, document=document_id)
    assert row is not None
    return int(row[0])


def list_open_reports(transaction: Transaction, *, limit: int) -> Sequence[Report]:
    return REPORT.all(transaction, _OPEN, limit=limit)


def list_open_reports_of(transaction: Transaction, document_id: str) -> Sequence[Report]:
    return REPORT.all(transaction, _OPEN_OF_PAGE, document=document_id)


def close_reports(transaction: Transaction, document_id: str, *, outcome: str, now: datetime) -> int:
    return transaction.change(_CLOSE, document=document_id, result=outcome, now=to_microseconds(now))
