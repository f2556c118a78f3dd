"""Abuse reports on published pages."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby
from uuid import uuid4

from mdpublish_server.auth.passwords import validate_email
from mdpublish_server.errors import NotFound, ValidationError
from mdpublish_server.services.accounts import take_page_down
from mdpublish_server.storage import Report, ResolvedPage, Transaction
from mdpublish_server.storage import reports as reports_table
from mdpublish_server.storage.accounts import find_account
from mdpublish_server.storage.documents import find_document
from mdpublish_server.validation.validators import validate_printable

REASONS: Mapping[str, str] = {
    "phishing": "Phishing or scam",
    "malware": "Malware",
    "illegal": "Illegal content",
    "harassment": "Harassment or private data",
    "copyright": "Copyright infringement of my work",
    "spam": "Spam",
    "other": "Something else",
}
"""Codes, with the form's labels."""

DETAILS_CHARACTERS = 2_000

OPEN_REPORTS = 20
"""Per page; further ones are dropped."""

LISTED_REPORTS = 1_000
"""Shown at once."""

RETENTION = timedelta(days=365)

TAKEN_DOWN = "taken_down"
DISMISSED = "dismissed"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedPage:
    """A page with open reports, oldest first; `owner` is an email address, None for demos."""

    document_id: str
    path: str
    title: str
    reports: Sequence[Report]
    is_published: bool
    owner: str | None


def report_page(
    transaction: Transaction, page: ResolvedPage, *, reason: str, details: str, email: str, now: datetime
) -> None:
    checked = Report(
        id=str(uuid4()),
        document_id=page.document_id,
        path=page.path,
        title=page.title,
        reason=_checked_reason(reason),
        details=validate_printable("details", details, max_characters=DETAILS_CHARACTERS, allowed="\n"),
        email=validate_email(email) if email else None,
        reported_at=now,
    )
    if reports_table.count_open_reports(transaction, page.document_id) < OPEN_REPORTS:
        reports_table.REPORT.add(transaction, checked)


def reported_pages(transaction: Transaction) -> Sequence[ReportedPage]:
    """Longest waiting first."""
    reports = reports_table.list_open_reports(transaction, limit=LISTED_REPORTS)
    by_page = groupby(sorted(reports, key=lambda report: report.document_id), key=lambda report: report.document_id)
    pages = [_reported(transaction, tuple(group)) for _, group in by_page]
    return sorted(pages, key=lambda page: page.reports[0].reported_at)


def reported_page(transaction: Transaction, document_id: str) -> ReportedPage:
    if not (reports := reports_table.list_open_reports_of(transaction, document_id)):
        raise NotFound("The page has no open reports")
    return _reported(transaction, reports)


def reported_source(transaction: Transaction, document_id: str) -> str:
    """Raise `NotFound` without open reports, or if the page is gone."""
    page = reported_page(transaction, document_id)
    document = find_document(transaction, document_id)
    if document is None or not page.is_published:
        raise NotFound("The page is no longer published")
    return document.content


def dismiss(transaction: Transaction, document_id: str, *, now: datetime) -> None:
    _close(transaction, document_id, outcome=DISMISSED, now=now)


def take_down(transaction: Transaction, document_id: str, *, now: datetime) -> None:
    _close(transaction, document_id, outcome=TAKEN_DOWN, now=now)
    if find_document(transaction, document_id) is not None:
        take_page_down(transaction, document_id)


def _close(transaction: Transaction, document_id: str, *, outcome: str, now: datetime) -> None:
    if not reports_table.close_reports(transaction, document_id, outcome=outcome, now=now):
        raise NotFound("The page has no open reports")


def _reported(transaction: Transaction, reports: Sequence[Report]) -> ReportedPage:
    latest = reports[-1]
    document = find_document(transaction, latest.document_id)
    account = find_account(transaction, document.account_id) if document and document.account_id else None
    return ReportedPage(
        document_id=latest.document_id,
        path=latest.path,
        title=latest.title,
        reports=reports,
        is_published=document is not None and document.published_at is not None,
        owner=account.email if account else None,
    )


def _checked_reason(reason: str) -> str:
    if reason not in REASONS:
        raise ValidationError("Choose a reason")
    return reason
