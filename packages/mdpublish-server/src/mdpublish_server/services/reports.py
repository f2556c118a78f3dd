"""Reports: what visitors say of published pages, and what an operator makes of it.

Each function does its work in the transaction that it is given. A report keeps the page's address and title as they were,
and stays for a year after an operator has looked at it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby
from uuid import uuid4

from mdpublish_server.auth.passwords import validate_email
from mdpublish_server.errors import NotFound, ValidationError
from mdpublish_server.services.accounts import take_page_down
from mdpublish_server.services.page_serving import find_visible_page
from mdpublish_server.storage import Report, Transaction
from mdpublish_server.storage import reports as reports_table
from mdpublish_server.storage.accounts import find_account
from mdpublish_server.storage.documents import find_document

REASONS: Mapping[str, str] = {
    "phishing": "Phishing, or a scam",
    "malware": "Malware",
    "illegal": "Illegal content",
    "harassment": "Harassment, or private data",
    "copyright": "My work, published without my leave",
    "spam": "Spam",
    "other": "Something else",
}
"""What may be wrong with a page, with the words of the form."""

DETAILS_CHARACTERS = 2_000

OPEN_REPORTS = 20
"""Of one page; what comes beyond tells nothing new, and is not kept."""

LISTED_REPORTS = 1_000
"""That are shown at once; the oldest come first."""

RETENTION = timedelta(days=365)
"""How long a report stays that an operator has looked at."""

TAKEN_DOWN = "taken_down"
DISMISSED = "dismissed"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportTarget:
    """A page that somebody is about to report."""

    document_id: str
    path: str
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedPage:
    """A page with its open reports, the oldest first; `owner` is its account's e-mail address, None for a demo.

    `is_published` is False where it is no longer published.
    """

    document_id: str
    path: str
    title: str
    reports: Sequence[Report]
    is_published: bool
    owner: str | None


def find_report_target(transaction: Transaction, path: str, *, now: datetime) -> ReportTarget:
    """Return the published page at a path, former addresses too; raises `NotFound`, and `Expired` for a demo."""
    resolved = find_visible_page(transaction, path, now)
    document = find_document(transaction, resolved.document_id)
    if document is None:
        raise NotFound("there is no page at this address")
    return ReportTarget(document_id=resolved.document_id, path=resolved.path, title=document.title)


def report_page(
    transaction: Transaction, page: ReportTarget, *, reason: str, details: str, email: str, now: datetime
) -> None:
    """Keep what somebody says of a page; raises `ValidationError`. An empty `email` is none."""
    checked = Report(
        id=str(uuid4()),
        document_id=page.document_id,
        path=page.path,
        title=page.title,
        reason=_checked_reason(reason),
        details=_checked_details(details),
        email=validate_email(email) if email else None,
        reported_at=now,
    )
    if reports_table.count_open_reports(transaction, page.document_id) < OPEN_REPORTS:
        reports_table.add_report(transaction, checked)


def reported_pages(transaction: Transaction) -> Sequence[ReportedPage]:
    """Return the pages with open reports, that first which has waited longest."""
    reports = reports_table.list_open_reports(transaction, limit=LISTED_REPORTS)
    by_page = groupby(sorted(reports, key=lambda report: report.document_id), key=lambda report: report.document_id)
    pages = [_reported(transaction, tuple(group)) for _, group in by_page]
    return sorted(pages, key=lambda page: page.reports[0].reported_at)


def reported_page(transaction: Transaction, document_id: str) -> ReportedPage:
    """Return one page with its open reports; raises `NotFound` where there are none."""
    reports = reports_table.list_open_reports_of(transaction, document_id)
    if not reports:
        raise NotFound("there are no open reports of this page")
    return _reported(transaction, reports)


def dismiss(transaction: Transaction, document_id: str, *, now: datetime) -> None:
    """Leave a reported page as it is; raises `NotFound` where there are no open reports of it."""
    _close(transaction, document_id, outcome=DISMISSED, now=now)


def take_down(transaction: Transaction, document_id: str, *, now: datetime) -> None:
    """Take a reported page away for good, if it is still there; raises `NotFound` where there are no open reports of it."""
    _close(transaction, document_id, outcome=TAKEN_DOWN, now=now)
    if find_document(transaction, document_id) is not None:
        take_page_down(transaction, document_id)


def _close(transaction: Transaction, document_id: str, *, outcome: str, now: datetime) -> None:
    if not reports_table.close_reports(transaction, document_id, outcome=outcome, now=now):
        raise NotFound("there are no open reports of this page")


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
        raise ValidationError("choose what is wrong with the page")
    return reason


def _checked_details(details: str) -> str:
    cleaned = "".join(character for character in details if character == "\n" or character.isprintable()).strip()
    if len(cleaned) > DETAILS_CHARACTERS:
        raise ValidationError(
            f"what you wrote is {len(cleaned):,} characters; at most {DETAILS_CHARACTERS:,} are allowed"
        )
    return cleaned
