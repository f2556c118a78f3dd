"""Database access. Queries run in the transaction they are given; business rules live in `services`."""

from mdpublish_server.storage.database import (
    MigrationFailure,
    migrate,
    open_database,
    redacted_url,
    revisions,
    sqlite_path,
)
from mdpublish_server.storage.records import (
    Account,
    CopyPage,
    DemoPage,
    Document,
    DocumentSummary,
    EmailToken,
    Invitation,
    Key,
    Page,
    Report,
    ResolvedPage,
    Revision,
    RevisionSummary,
    Session,
)
from mdpublish_server.storage.transactions import Database, Stamp, Transaction

__all__ = [
    "Account",
    "CopyPage",
    "Database",
    "DemoPage",
    "Document",
    "DocumentSummary",
    "EmailToken",
    "Invitation",
    "Key",
    "MigrationFailure",
    "Page",
    "Report",
    "ResolvedPage",
    "Revision",
    "RevisionSummary",
    "Session",
    "Stamp",
    "Transaction",
    "migrate",
    "open_database",
    "redacted_url",
    "revisions",
    "sqlite_path",
]
