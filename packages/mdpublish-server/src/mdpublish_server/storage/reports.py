"""Queries for abuse reports."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import and_, bindparam, delete, func, insert, select, update

from mdpublish_server.storage.records import Report
from mdpublish_server.storage.tables import REPORTS
from mdpublish_server.storage.timestamps import from_microseconds, to_microseconds
from mdpublish_server.storage.transactions import Row, Statement, Transaction

_COLUMNS = (
    REPORTS.c.id,
    REPORTS.c.document_id,
    REPORTS.c.path,
    REPORTS.c.title,
    REPORTS.c.reason,
    REPORTS.c.details,
    REPORTS.c.email,
    REPORTS.c.reported_at,
    REPORTS.c.closed_at,
    REPORTS.c.outcome,
)
_open = REPORTS.c.closed_at.is_(None)
_open_of_page = and_(_open, REPORTS.c.document_id == bindparam("document"))

_ADD = Statement(insert(REPORTS))
_OPEN = Statement(
    select(*_COLUMNS).where(_open).order_by(REPORTS.c.reported_at, REPORTS.c.id).limit(bindparam("limit"))
)
_OPEN_OF_PAGE = Statement(select(*_COLUMNS).where(_open_of_page).order_by(REPORTS.c.reported_at, REPORTS.c.id))
_COUNT_OF_PAGE = Statement(select(func.count()).select_from(REPORTS).where(_open_of_page))
_CLOSE = Statement(update(REPORTS).where(_open_of_page).values(closed_at=bindparam("now"), outcome=bindparam("result")))
_DELETE_CLOSED = Statement(delete(REPORTS).where(REPORTS.c.closed_at <= bindparam("until")))


def add_report(transaction: Transaction, report: Report) -> None:
    transaction.change(
        _ADD,
        id=report.id,
        document_id=report.document_id,
        path=report.path,
        title=report.title,
        reason=report.reason,
        details=report.details,
        email=report.email,
        reported_at=to_microseconds(report.reported_at),
        closed_at=to_microseconds(report.closed_at),
        outcome=report.outcome,
    )


def count_open_reports(transaction: Transaction, document_id: str) -> int:
    row = transaction.row(_COUNT_OF_PAGE, document=document_id)
    assert row is not None
    return int(row[0])


def list_open_reports(transaction: Transaction, *, limit: int) -> Sequence[Report]:
    return tuple(_report_of(row) for row in transaction.rows(_OPEN, limit=limit))


def list_open_reports_of(transaction: Transaction, document_id: str) -> Sequence[Report]:
    return tuple(_report_of(row) for row in transaction.rows(_OPEN_OF_PAGE, document=document_id))


def close_reports(transaction: Transaction, document_id: str, *, outcome: str, now: datetime) -> int:
    return transaction.change(_CLOSE, document=document_id, result=outcome, now=to_microseconds(now))


def delete_closed_reports(transaction: Transaction, *, until: datetime) -> int:
    return transaction.change(_DELETE_CLOSED, until=to_microseconds(until))


def _report_of(row: Row) -> Report:
    return Report(
        id=row[0],
        document_id=row[1],
        path=row[2],
        title=row[3],
        reason=row[4],
        details=row[5],
        email=row[6],
        reported_at=from_microseconds(row[7]),
        closed_at=from_microseconds(row[8]),
        outcome=row[9],
    )
