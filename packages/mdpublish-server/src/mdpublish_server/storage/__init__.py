"""Storage: what the service keeps.

    tables        how it lies in the database; `migrations` brings a database there
    records       the rows as values
    transactions  statements, transactions, and the protocol `Database`, with its two implementations:
    sqlite        one file, one writer
    postgresql    a pool of connections
    database      which of them an address names, and migrating it
    accounts, keys, documents, addresses, listings, reports, invitations, letters   what is asked of a transaction

The service's rules are not here: a function does what it says in the transaction that it is given.
"""

from mdpublish_server.storage.database import (
    MigrationFailure,
    migrate,
    open_database,
    redacted_url,
    revisions,
)
from mdpublish_server.storage.records import (
    Account,
    DemoPage,
    Document,
    DocumentSummary,
    EmailToken,
    Invitation,
    Key,
    Page,
    Report,
    ResolvedPage,
    Session,
)
from mdpublish_server.storage.transactions import Database, Transaction

__all__ = [
    "Account",
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
    "Session",
    "Transaction",
    "migrate",
    "open_database",
    "redacted_url",
    "revisions",
]
